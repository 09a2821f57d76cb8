"""The closed list of normal forms: transformations of a gap that keep its value wherever it is defined.

None of them guesses: what a form cannot decide it leaves alone, and the gap stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from sympy import (
    Add,
    Basic,
    Derivative,
    Dummy,
    Expr,
    KroneckerDelta,
    LambertW,
    Mul,
    Piecewise,
    Poly,
    Pow,
    Product,
    S,
    Sum,
    Tuple,
    cancel,
    cos,
    exp,
    expand,
    expand_log,
    expand_mul,
    expand_trig,
    factor,
    factor_terms,
    fraction,
    log,
    sin,
    together,
)
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.polys.polyerrors import PolynomialError

from theory.proof.kinks import max_plus, piecewise
from theory.proof.known import Known
from theory.proof.matching import fresh, heads_in
from theory.proof.running import running_in
from theory.proof.sum_ends import split_ends
from theory.proof.sums import normal_sums

NormalForm: TypeAlias = Callable[[Expr, Known], Expr]


def expanded(gap: Expr, known: Known) -> Expr:
    """Products multiplied out over sums; powers of products and sums in exponents too.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> expanded((x + y) ** 2 - x**2 - 2 * x * y, Known())
    y**2
    """
    return expand(gap)


def rational(gap: Expr, known: Known) -> Expr:
    """One fraction in lowest terms; everything that is not + - * / or an integer power is a generator.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> rational(1 / (x - y) - (x + y) / (x**2 - y**2), Known())
    0
    """
    if gap.is_Number or gap.is_Symbol:
        return gap
    top, bottom = fraction(together(gap))
    top = expand(top)
    if top == 0:
        return S.Zero
    try:
        return cancel(top / bottom)
    except (PolynomialError, NotImplementedError):
        return top / bottom


def factored(gap: Expr, known: Known) -> Expr:
    """Factored over the rationals.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> factored(x**2 - y**2, Known())
    (x - y)*(x + y)
    """
    try:
        return factor(gap)
    except (PolynomialError, NotImplementedError):
        return factor_terms(gap)


def sums(gap: Expr, known: Known) -> Expr:
    """Finite sums and products: split over +, constants pulled out, Kronecker deltas collapsed, indices
    named.

    See `theory.proof.sums.normal_sums`. A delta collapses only where its place is known to lie in the range.
    """
    return normal_sums(gap, known) if gap.has(Sum, Product, KroneckerDelta) else gap


def merged(gap: Expr, known: Known) -> Expr:
    """Sums over the same range added into one, its summand brought to one fraction.

    Examples
    --------
    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, n = symbols("i n", integer=True, positive=True); h = IndexedBase("h")
    >>> merged(Sum(h[i] / (1 + h[i]), (i, 1, n)) + Sum(1 / (1 + h[i]), (i, 1, n)) - n, Known())
    0
    """
    gap = expand_mul(sums(gap, known))
    groups: dict[tuple[Basic, ...], list[Expr]] = {}
    rest = []
    for term in Add.make_args(gap):
        found = [f for f in Mul.make_args(term) if isinstance(f, Sum)]
        if len(found) == 1 and not term.is_Pow:
            factors = Mul(*[f for f in Mul.make_args(term) if f is not found[0]])
            names = {limit[0]: _merged(k) for k, limit in enumerate(found[0].limits)}
            key = tuple(Tuple(*limit).xreplace(names) for limit in found[0].limits)
            groups.setdefault(key, []).append(factors * found[0].function.xreplace(names))
        else:
            rest.append(term)
    for limits, summands in groups.items():
        rest.append(normal_sums(Sum(rational(Add(*summands), known), *limits), known))
    return rational(Add(*rest), known)


@cache
def _merged(place: int) -> Dummy:
    """The index that sums over the same range share."""
    return Dummy(f"merged_{place}", integer=True)


def ends(gap: Expr, known: Known) -> Expr:
    """The last terms split off every sum and product that ends at something plus a positive integer."""
    return split_ends(gap, known)


def derivatives(gap: Expr, known: Known) -> Expr:
    """Derivatives carried out, through sums, Indexed variables and smooth functions.

    A derivative of something that contains a head with a hidden definition stays as it is, and so does one of
    branches that may hold at single places only, where their slope says nothing.

    Examples
    --------
    >>> from sympy import Derivative, IndexedBase, Sum, symbols
    >>> i, j, n = symbols("i j n", integer=True); h = IndexedBase("h")
    >>> known = Known((j >= 1, j <= n))
    >>> sums(derivatives(Derivative(Sum(h[i] ** 2, (i, 1, n)), h[j]), known), known)
    2*h[j]
    """
    if not gap.has(Derivative):
        return gap
    if not isinstance(gap, Derivative):
        return gap.func(*[derivatives(a, known) if isinstance(a, Expr) else a for a in gap.args])
    if heads_in(gap.expr, known.heads) or _pointwise(gap):
        return gap
    made = derivatives(fresh(gap.expr), known)  # type: ignore[arg-type]
    for variable, count in gap.variable_count:
        made = made.diff(variable, count)
    return made


def _pointwise(e: Derivative) -> bool:
    """Whether a branch may hold at one value only of what a derivative is taken in."""
    running = tuple(running_in(e))
    told = [c for part in e.expr.atoms(Piecewise) for _, c in part.args if c.has(*running)]
    return len(told) > 1 or any(not isinstance(c, Ge | Gt | Le | Lt) for c in told)


def exponentials(gap: Expr, known: Known) -> Expr:
    """exp(a + b) = exp(a) exp(b); logarithms of products of positive factors; exp(n log x); exp(W(x)) =
    x/W(x).

    Examples
    --------
    >>> from sympy import LambertW, Symbol
    >>> x = Symbol("x", positive=True)
    >>> exponentials(exp(LambertW(x)) * LambertW(x) + log(x**2) - 2 * log(x), Known())
    x
    """
    gap = expand_log(expand(gap, power_base=False, log=False), deep=True)
    gap = gap.replace(
        lambda e: isinstance(e, exp) and isinstance(e.args[0], LambertW),
        lambda e: e.args[0].args[0] / e.args[0],
    )

    def unwrapped(e: Expr) -> Expr:
        coefficient, rest = e.args[0].as_coeff_Mul()
        if isinstance(rest, log):
            return rest.args[0] ** coefficient
        if isinstance(rest, LambertW) and coefficient.is_Integer:
            return (rest.args[0] / rest) ** coefficient
        return e

    return expand(gap.replace(lambda e: isinstance(e, exp), unwrapped), power_base=False, log=False)


def radicals(gap: Expr, known: Known) -> Expr:
    """Roots: every argument^(p/q) is a power of r with r^q = argument; the numerator is reduced by that.

    Examples
    --------
    >>> from sympy import Symbol, sqrt
    >>> x = Symbol("x", positive=True)
    >>> radicals(1 / (sqrt(x + 1) - 1) - (sqrt(x + 1) + 1) / x, Known())
    0
    """
    gap = gap.replace(
        lambda e: isinstance(e, Pow) and e.exp.is_Rational and not e.exp.is_Integer,
        lambda e: Pow(rational(e.base, known), e.exp),
    )
    roots: dict[tuple[Expr, int], Dummy] = {}

    def named(e: Expr) -> Expr:
        key = (e.base, int(e.exp.q))
        roots.setdefault(key, Dummy("r", positive=e.base.is_positive))
        return roots[key] ** int(e.exp.p)

    made = gap.replace(lambda e: isinstance(e, Pow) and e.exp.is_Rational and not e.exp.is_Integer, named)
    if not roots:
        return gap
    top, bottom = fraction(together(made))
    for (base, degree), r in reversed(list(roots.items())):
        above, below = fraction(together(base.xreplace({})))
        relation = below * r**degree - above
        try:
            top = Poly(expand(top), r).rem(Poly(relation, r)).as_expr()
            bottom = Poly(expand(bottom), r).rem(Poly(relation, r)).as_expr()
        except PolynomialError:
            return gap
        top, more = fraction(together(top / bottom))
        bottom = more
    if expand(top) == 0:
        return S.Zero
    return (top / bottom).xreplace({r: base ** (S.One / degree) for (base, degree), r in roots.items()})


def trigonometric(gap: Expr, known: Known) -> Expr:
    """Sines and cosines of sums by the addition theorems, then even powers of sines as those of cosines.

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y", real=True)
    >>> trigonometric(cos(x - y) * cos(x) + sin(x - y) * sin(x) - cos(y), Known())
    0
    """
    if not gap.has(sin, cos):
        return gap
    opened = expand(expand_trig(gap))

    def lowered(power: Pow) -> Expr:
        pairs, rest = divmod(int(power.exp), 2)
        return (1 - cos(power.base.args[0]) ** 2) ** pairs * power.base**rest

    def is_high(e: Basic) -> bool:
        return isinstance(e, Pow) and isinstance(e.base, sin) and e.exp.is_Integer and int(e.exp) >= 2

    return expand(opened.replace(is_high, lowered))


STANDARD: tuple[NormalForm, ...] = (derivatives, sums, rational)
NORMAL_FORMS: tuple[NormalForm, ...] = (
    expanded,
    rational,
    factored,
    sums,
    merged,
    ends,
    derivatives,
    exponentials,
    radicals,
    max_plus,
    piecewise,
    trigonometric,
)
