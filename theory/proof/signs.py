"""Signs of expressions from facts: assumptions, factors, slacks, and exact linear arithmetic over monomials.

`entails` is the whole of it. A relation is proved by contradiction: its negation, the facts, the signs of
monomials and (if that is not enough) products of pairs of all these are handed to `theory.proof.linear`, whose
certificate is verified there.
"""

from __future__ import annotations

from functools import lru_cache

from sympy import Add, Dummy, Expr, Mul, Pow, S, Symbol, expand, factor, fraction, together
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.assumptions import ALL, assumed_sign
from theory.proof.certificates import Form, atom_signs, forms, infeasible, pairs, real_radicals
from theory.proof.linear import Kind


def entails(claim: Boolean, facts: tuple[Boolean, ...], products: bool = True) -> bool:
    """Whether one relation follows from the relations given. A "no" only means that no proof was found.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y", real=True)
    >>> entails(x * y >= 1, (x >= 1, y >= 1)), entails(x > y, (x >= y,))
    (True, False)
    """
    if claim == S.true:
        return True
    if claim == S.false or not isinstance(claim, Relational):
        return _contradict([], facts, products) if claim == S.false else False
    if claim in facts:
        return True
    gap = claim.lhs - claim.rhs
    match claim:
        case Eq():
            return _nonnegative(gap, facts, False, products) and _nonnegative(-gap, facts, False, products)
        case Ne():
            return _nonnegative(gap, facts, True, products) or _nonnegative(-gap, facts, True, products)
        case Gt() | Lt():
            return _nonnegative(gap if isinstance(claim, Gt) else -gap, facts, True, products)
        case Ge() | Le():
            return _nonnegative(gap if isinstance(claim, Ge) else -gap, facts, False, products)
    return False


def contradictory(facts: tuple[Boolean, ...]) -> bool:
    """Whether the facts are found to contradict each other.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> contradictory((x > 1, x < 0))
    True
    """
    return _contradict([], facts, True)


def sign_of(e: Expr, facts: tuple[Boolean, ...]) -> frozenset[int]:
    """The signs that an expression may have, as far as its factors and the facts tell.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", positive=True)
    >>> sorted(sign_of(-x, ()))
    [-1]
    """
    return _sign(e, tuple(forms(facts)))


def _sign(e: Expr, known: tuple[Form, ...], factoring: bool = True) -> frozenset[int]:
    """By assumption, else by the factors that are written, else by facts, else by the factors there are."""
    made = assumed_sign(e)
    if len(made) == 1:
        return made
    factors = Mul.make_args(e)
    if len(factors) > 1 or isinstance(e, Pow):
        made &= _sign_of_product(factors, known)
    if len(made) > 1:
        made &= _by_facts(e, known, made)
    if len(made) > 1 and factoring:
        factors = Mul.make_args(_factor(e))
        if len(factors) > 1 or isinstance(factors[0], Pow):
            made &= _sign_of_product(factors, known)
    return made


def _sign_of_product(factors: tuple[Expr, ...], known: tuple[Form, ...]) -> frozenset[int]:
    possible = frozenset({1})
    for f in factors:
        signs = assumed_sign(f)
        if len(signs) > 1:
            base, power = f.as_base_exp()
            if power.is_Integer:
                inner = _sign(base, known, factoring=False)
                if power < 0 and 0 in inner:
                    return ALL
                signs = frozenset(abs(s) for s in inner) if power % 2 == 0 else inner
            elif power.is_Rational and power.q % 2 == 0:
                signs = _root_sign(base, known)
        possible = frozenset(a * b for a in possible for b in signs)
        if possible == ALL:
            return ALL
    return possible


def _root_sign(base: Expr, known: tuple[Form, ...]) -> frozenset[int]:
    inner = _sign(base, known)
    if inner == {1}:
        return frozenset({1})
    return frozenset({0, 1}) if -1 not in inner else ALL


def _by_facts(e: Expr, known: tuple[Form, ...], candidates: frozenset[int]) -> frozenset[int]:
    made = candidates
    if 1 in made and infeasible([(e, Kind.POSITIVE), *known]):
        made -= {1}
    if -1 in made and infeasible([(-e, Kind.POSITIVE), *known]):
        made -= {-1}
    if 0 in made and len(made) == 2:
        side = next(s for s in made if s)
        if infeasible([(-side * e, Kind.NONNEGATIVE), *known]):
            made -= {0}
    return made


def _cleared(gap: Expr, kind: Kind, known: tuple[Form, ...] = ()) -> Form:
    top, bottom = fraction(together(gap))
    if bottom != 1:
        sign = _sign(bottom, known)
        if sign == {1}:
            gap = top
        elif sign == {-1}:
            gap = -top
        elif kind is Kind.ZERO:
            gap = top
        else:
            return gap, kind
    if gap.is_Number:
        return gap, kind
    kept = []
    for f in Mul.make_args(_factor(gap)):
        base, power = f.as_base_exp()
        sign = assumed_sign(f)
        if sign == {1} and not f.is_Number:
            continue
        if sign == {-1} and not f.is_Number:
            kept.append(S.NegativeOne)
            continue
        kept.append(base if power.is_Integer and power > 0 and power % 2 == 1 and kind is not Kind.ZERO else f)
    gap = Mul(*kept)
    if kind is Kind.POSITIVE and gap.is_integer:
        return gap - 1, Kind.NONNEGATIVE
    return gap, kind


@lru_cache(maxsize=2000)
def _factor(e: Expr) -> Expr:
    try:
        return factor(e)
    except (PolynomialError, NotImplementedError):
        return e


def _nonnegative(e: Expr, facts: tuple[Boolean, ...], strict: bool, products: bool) -> bool:
    """Whether e >= 0 (e > 0 if strict)."""
    allowed = {1} if strict else {0, 1}
    if assumed_sign(e) <= allowed:
        return True
    e, facts = _abstracted(e, facts)
    known = tuple(forms(facts))
    negated = (-e, Kind.NONNEGATIVE if strict else Kind.POSITIVE)
    if infeasible([negated, *known]) or _sign(e, known) <= allowed:
        return True
    if not products:
        return False
    everything = (negated, *known, *real_radicals([negated, *known]))
    if any(_impossible(f, kind, everything) for f, kind in known):
        return True
    slacked = _with_slacks(e, known)
    if slacked is not None and infeasible([(-slacked, negated[1])]):
        return True
    top, bottom = fraction(together(e))
    signs = _sign(bottom, known) if bottom != 1 else frozenset({1})
    if signs != {1} and signs != {-1}:
        return False
    return _contradict([(expand(-top if signs == {1} else top), negated[1])], facts, products)


def _impossible(f: Expr, kind: Kind, everything: tuple[Form, ...]) -> bool:
    """Whether the factors of a fact give it a sign that it cannot have."""
    factors = Mul.make_args(f)
    if len(factors) == 1:
        factors = Mul.make_args(_factor(f))
    if len(factors) == 1:
        return False
    allowed = {Kind.ZERO: {0}, Kind.POSITIVE: {1}, Kind.NONNEGATIVE: {0, 1}}[kind]
    others = tuple(x for x in everything if x[0] is not f)
    return not _sign_of_product(factors, others) & allowed


def _abstracted(e: Expr, facts: tuple[Boolean, ...]) -> tuple[Expr, tuple[Boolean, ...]]:
    """Compound expressions of which a fact gives the sign, named by a symbol of that sign."""
    for fact in facts:
        if not isinstance(fact, Ge | Gt | Le | Lt) or fact.rhs != 0 or fact.lhs.is_Symbol or not fact.lhs.args:
            continue
        if not fact.lhs.has(Pow) or not any(p.exp.is_negative for p in fact.lhs.atoms(Pow)):
            continue
        sign = "positive" if isinstance(fact, Gt | Lt) else "nonnegative"
        name = Dummy("x", **{sign: True})
        swap = name if isinstance(fact, Ge | Gt) else -name
        kept = tuple(f for f in facts if f is not fact)
        made, others = e.subs(fact.lhs, swap), tuple(f.subs(fact.lhs, swap) for f in kept)
        if made != e or others != kept:
            return _abstracted(made, tuple(f for f in others if f != S.true))
    return e, facts


def _contradict(extra: list[Form], facts: tuple[Boolean, ...], products: bool) -> bool:
    known = list(forms(facts))
    cleared = [_cleared(e, k, tuple(known)) for e, k in known]
    if infeasible([*extra, *known, *cleared]):
        return True
    if not products:
        return False
    everything = tuple([*extra, *cleared, *real_radicals([*extra, *cleared])])
    if any(_impossible(f, kind, everything) for f, kind in cleared):
        return True
    base = list(dict.fromkeys(everything))
    return infeasible([*base, *pairs(base)]) or infeasible([*base, *pairs([*base, *atom_signs(base)])])


def _with_slacks(e: Expr, known: tuple[Form, ...]) -> Expr | None:
    """The expression after X = E + slack for every fact that can be solved for a symbol; None without one."""
    done: set[Symbol] = set()
    made = e
    pending = [(f, k) for f, k in known if k is not Kind.ZERO]
    while pending:
        fact, kind = pending.pop(0)
        candidates = sorted(fact.free_symbols & made.free_symbols, key=str)
        for x in candidates:
            if x in done or not isinstance(x, Symbol) or isinstance(x, Dummy):
                continue
            slope = expand(fact).coeff(x, 1)
            if not slope.is_Rational or slope == 0 or (expand(fact) - slope * x).has(x):
                continue
            slack = Dummy("slack", positive=True) if kind is Kind.POSITIVE else Dummy("slack", nonnegative=True)
            bound = (slack - (expand(fact) - slope * x)) / slope
            made = made.xreplace({x: bound})
            pending = [(f.xreplace({x: bound}), k) for f, k in pending]
            done.add(x)
            break
    if not done:
        return None
    top, bottom = fraction(together(made))
    signs = assumed_sign(bottom) if bottom.is_Mul or not bottom.is_Add else _sign(expand(bottom), ())
    if bottom.is_Add and all(assumed_sign(t) == {1} for t in Add.make_args(expand(bottom))):
        signs = frozenset({1})
    return expand(top) if signs == {1} else expand(-top) if signs == {-1} else None
