"""Finite sums of symbolic length in one normal form, without evaluating any of them.

A sum is split over +, freed of factors that do not depend on its index, and relieved of Kronecker deltas;
nested sums become products of irreducible multiple sums whose indices have canonical names. So two
expressions that are equal by these moves alone become the same polynomial in the same irreducible sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

from sympy import (
    Add,
    Basic,
    Dummy,
    Expr,
    Indexed,
    KroneckerDelta,
    Mul,
    Ne,
    Pow,
    Product,
    S,
    Sum,
    Symbol,
    expand,
    expand_mul,
)
from sympy.logic.boolalg import Boolean

from theory.proof.known import Known
from theory.proof.matching import fresh

SHORT = 12
_LEVELS: dict[Basic, int] = {}
"""The canonical indices so far, which are nobody else's symbols, and how deep each of them goes."""


@dataclass(frozen=True)
class Index:
    """A summation index and its range."""

    symbol: Symbol
    low: Expr
    high: Expr

    @property
    def ranges(self) -> tuple[Boolean, ...]:
        """The range as relations."""
        return (self.symbol >= self.low, self.symbol <= self.high)


def normal_sums(e: Basic, known: Known) -> Basic:
    """Every sum in an expression in normal form.

    Examples
    --------
    >>> from sympy import IndexedBase, KroneckerDelta, Sum, Symbol, symbols
    >>> i, j = symbols("i j", integer=True)
    >>> N, h = Symbol("N", integer=True, positive=True), IndexedBase("h")
    >>> double = Sum(KroneckerDelta(i, j) * h[i] * h[j] + 2 * h[i], (i, 1, N), (j, 1, N))
    >>> single = Sum(h[j] ** 2, (j, 1, N)) + 2 * N * Sum(h[i], (i, 1, N))
    >>> normal_sums(double, Known()) == normal_sums(single, Known())
    True
    """
    return _walk(fresh(e), known, ())


def _walk(e: Basic, known: Known, outer: tuple[Index, ...]) -> Basic:
    if not e.args or not e.has(Sum, KroneckerDelta, Product):
        return e
    if isinstance(e, Sum):
        function, indices = _opened(e)
        inside = (*outer, *indices)
        return _summed(_walk(function, known, inside), indices, known, outer)
    if isinstance(e, Product):
        (index, low, high), *more = reversed(e.limits)
        body = e.func(e.function, *reversed(more)) if more else e.function
        whole = Index(index, low, high)
        return _multiplied(_walk(body, known, (*outer, whole)), whole, known, outer)
    if isinstance(e, KroneckerDelta):
        return _delta(e, known, outer)
    if isinstance(e, Indexed):
        return e
    known = known.along(e)
    made = [_walk(a, known, outer) if isinstance(a, Basic) else a for a in e.args]
    return e.func(*made)


def _opened(e: Sum) -> tuple[Expr, tuple[Index, ...]]:
    """The summand and the indices, outermost first."""
    return e.function, tuple(Index(*limit) for limit in reversed(e.limits))


def _delta(e: KroneckerDelta, known: Known, outer: tuple[Index, ...]) -> Expr:
    first, second = e.args[:2]
    shift, other = first.as_coeff_Add()[0], second.as_coeff_Add()[0]
    if shift == other != 0:
        return _delta(KroneckerDelta(first - shift, second - shift), known, outer)
    ranges = tuple(r for index in outer for r in index.ranges)
    if any(isinstance(r, Ne) and set(r.args) == {first, second} for r in known.facts):
        return S.Zero
    if first.is_Symbol and second.is_Symbol:
        return e
    if known.entails(first < second, ranges) or known.entails(first > second, ranges):
        return S.Zero
    return e


def _summed(summand: Expr, indices: tuple[Index, ...], known: Known, outer: tuple[Index, ...]) -> Expr:
    """The sum over the indices (outermost first) in normal form."""
    for place in range(len(indices) - 1, -1, -1):
        summand = _summed_once(summand, indices[place], known, (*outer, *indices[:place]))
    return summand


def _summed_once(summand: Expr, index: Index, known: Known, outer: tuple[Index, ...]) -> Expr:
    count = index.high - index.low + 1
    if count.is_Integer and count <= SHORT:
        places = range(int(count)) if index.low.is_Integer or count >= 0 else range(0)
        return Add(*[summand.xreplace({index.symbol: index.low + k}) for k in places])
    factor, rest = summand.as_independent(index.symbol, as_Add=False)
    if rest == 1:
        return factor * _counted(index, known, outer)
    made = []
    for term in Add.make_args(_spread(rest, index.symbol)):
        made.append(_term(term, index, known, outer))
    return factor * Add(*made)


def _counted(index: Index, known: Known, outer: tuple[Index, ...]) -> Expr:
    """How many terms there are: none, not fewer, where the range ends before it begins."""
    count = index.high - index.low + 1
    ranges = tuple(r for other in outer for r in other.ranges)
    return count if known.entails(count >= 0, ranges) else _irreducible(S.One, index)


def _spread(e: Expr, symbol: Symbol) -> Expr:
    """Multiplied out, as far as factors depend on the symbol."""
    if e.is_Pow and e.exp.is_Integer and e.exp > 1 and e.base.is_Add:
        return expand(e, deep=False)
    if not e.is_Mul:
        return e if not e.is_Add else Add(*[_spread(t, symbol) if t.is_Mul or t.is_Pow else t for t in e.args])
    factors = [expand(f, deep=False) if f.is_Pow and f.base.is_Add and f.exp.is_Integer else f for f in e.args]
    if any(f.is_Add for f in factors):
        return _spread(expand_mul(Mul(*factors), deep=False), symbol)
    return Mul(*factors)


def _term(term: Expr, index: Index, known: Known, outer: tuple[Index, ...]) -> Expr:
    factor, rest = term.as_independent(index.symbol, as_Add=False)
    if rest == 1:
        return factor * _counted(index, known, outer)
    for f in Mul.make_args(rest):
        base = f.base if f.is_Pow and f.exp.is_Integer and f.exp > 0 else f
        if isinstance(base, KroneckerDelta):
            place = _solved(base, index.symbol)
            if place is not None and _inside(place, index, known, outer):
                others = Mul(*[g for g in Mul.make_args(rest) if g is not f]).xreplace({index.symbol: place})
                return factor * _walk(others, known, outer)
    return factor * _irreducible(rest, index)


def _solved(delta: KroneckerDelta, symbol: Symbol) -> Expr | None:
    gap = expand(delta.args[0] - delta.args[1])
    slope = gap.coeff(symbol, 1)
    rest = expand(gap - slope * symbol)
    place = -rest / slope if slope in (1, -1) and not rest.has(symbol) else None
    return place if place is not None and place.is_integer else None  # between two terms there is none


def _inside(place: Expr, index: Index, known: Known, outer: tuple[Index, ...]) -> bool:
    for other in outer:
        if place == other.symbol and (other.low, other.high) == (index.low, index.high):
            return True
    ranges = tuple(r for other in outer for r in other.ranges)
    return known.entails(place >= index.low, ranges) and known.entails(place <= index.high, ranges)


def _irreducible(rest: Expr, index: Index) -> Expr:
    """The sum over one more index of a product, in which sums may be factors: merged, split up, named."""
    factors: list[Expr] = []
    indices = [index]
    for f in Mul.make_args(rest):
        base, power = f.as_base_exp()
        if isinstance(base, Sum) and power.is_Integer and power > 0:
            for _ in range(int(power)):
                inner, more = _opened(_apart(base))
                factors += Mul.make_args(inner)
                indices += more
        else:
            factors.append(f)
    parts = []
    while indices:
        group, used = _component(indices[0], indices, factors)
        parts.append(_named(Mul(*used), tuple(group)))
        indices = [i for i in indices if i not in group]
        factors = _without(factors, used)
    return Mul(*parts, *factors)


def _apart(e: Sum) -> Sum:
    """The sum with indices of its own; sums inside keep the names that they have in normal form."""
    names = {limit[0]: Dummy(limit[0].name, **limit[0]._assumptions_orig) for limit in e.limits}
    limits = [(names[i], *(b.xreplace(names) for b in ends)) for i, *ends in e.limits]
    return Sum(e.function.xreplace(names), *limits)


def _without(factors: list[Expr], used: list[Expr]) -> list[Expr]:
    left = list(factors)
    for f in used:
        left.remove(f)
    return left


def _component(start: Index, indices: list[Index], factors: list[Expr]) -> tuple[list[Index], list[Expr]]:
    group, used = [start], []
    grown = True
    while grown:
        grown = False
        symbols = {i.symbol for i in group}
        for f in factors:
            if not any(f is u for u in used) and f.free_symbols & symbols:
                used.append(f)
                grown = True
        reached = set().union(*(f.free_symbols for f in used), symbols) if used else symbols
        for i in indices:
            ends = i.low.free_symbols | i.high.free_symbols
            ends_here = any(i.symbol in j.low.free_symbols | j.high.free_symbols for j in group)
            if i not in group and (i.symbol in reached or ends & symbols or ends_here):
                group.append(i)
                grown = True
    return [i for i in indices if i in group], used


def _named(summand: Expr, indices: tuple[Index, ...]) -> Expr:
    """One irreducible sum with canonical index names, the same for every order of the indices."""
    level = 1 + _level(summand)
    names = [_canonical(level, k) for k in range(len(indices))]
    best: tuple[str, Expr] | None = None
    orders = permutations(indices) if len(indices) <= 4 else [indices]
    for order in orders:
        seen: set[Basic] = set()
        allowed = True
        for i in order:
            ends = (i.low.free_symbols | i.high.free_symbols) & {j.symbol for j in indices}
            allowed = allowed and ends <= seen
            seen.add(i.symbol)
        if not allowed:
            continue
        renamed = {i.symbol: n for i, n in zip(order, names, strict=True)}
        limits = [(renamed[i.symbol], i.low.xreplace(renamed), i.high.xreplace(renamed)) for i in reversed(order)]
        made = Sum(summand.xreplace(renamed), *limits)
        if len(indices) == 1:
            return made
        key = str(made)
        if best is None or key < best[0]:
            best = (key, made)
    if best is None:
        raise ValueError(f"sums: the ranges of {[i.symbol for i in indices]} depend on each other in a circle")
    return best[1]


def _level(e: Expr) -> int:
    """How deep the canonical names inside go."""
    return max((_LEVELS.get(s, 0) for s in e.atoms(Dummy)), default=0)


@cache
def _canonical(level: int, place: int) -> Dummy:
    """The index that goes by this name everywhere."""
    made = Dummy(f"i_{level}_{place}", integer=True)
    _LEVELS[made] = level
    return made


def _multiplied(factor: Expr, index: Index, known: Known, outer: tuple[Index, ...]) -> Expr:
    """A product: constants to the power of its length, powers taken out, a canonical name."""
    count = index.high - index.low + 1
    if count.is_Integer and count <= SHORT:
        return Mul(*[factor.xreplace({index.symbol: index.low + k}) for k in range(max(int(count), 0))])
    outside, rest = factor.as_independent(index.symbol, as_Add=False)
    parts = [S.One if outside == 1 else outside ** _counted(index, known, outer)]
    for f in Mul.make_args(rest) if rest != 1 else ():
        base, power = f.as_base_exp() if not isinstance(f, Pow) or not f.exp.has(index.symbol) else (f, S.One)
        name = _canonical(1 + _level(f), 0)
        integral = power.is_Integer
        body = (base if integral else f).xreplace({index.symbol: name})
        parts.append(Product(body, (name, index.low, index.high)) ** (power if integral else 1))
    return Mul(*parts)
