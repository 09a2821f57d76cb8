"""Limits at 0+ by continuity, term by term, also inside finite sums; SymPy's own only for what is left."""

from __future__ import annotations

from sympy import (
    Abs,
    AccumBounds,
    Add,
    Dummy,
    Expr,
    Limit,
    Max,
    Min,
    Mul,
    Pow,
    Product,
    S,
    Sum,
    atan,
    cancel,
    cos,
    cosh,
    exp,
    expand,
    factor_terms,
    fraction,
    gamma,
    limit,
    log,
    nan,
    oo,
    polygamma,
    powsimp,
    sin,
    sinh,
    tanh,
    together,
    zoo,
)
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.functions import Smooth
from theory.proof.signs import sign_of

FINITE = (oo, -oo)
CONTINUOUS = (Max, Min, Abs, sin, cos, sinh, cosh, tanh, atan)
DERIVATIVES = 6


def limit_at_zero(e: Expr, t: Dummy, facts: tuple[Boolean, ...] = ()) -> Expr | None:
    """The limit as t falls to 0, possibly oo or -oo; None where none of the rules applies.

    Examples
    --------
    >>> from sympy import Dummy, IndexedBase, Sum, Symbol, symbols
    >>> t, i = Dummy("t", positive=True), Symbol("i", integer=True)
    >>> n = Symbol("n", integer=True, positive=True)
    >>> gap = IndexedBase("g", positive=True)
    >>> limit_at_zero(1 + Sum(exp(-gap[i] / t), (i, 1, n)), t)
    1
    """
    found = _limit(e, t, facts)
    if found is not None:
        return found
    try:
        simpler = cancel(together(e))
    except (PolynomialError, NotImplementedError):
        simpler = e
    if simpler != e:
        found = _limit(simpler, t, facts)
        if found is not None:
            return found
    found = _of_quotient(simpler, t, facts)
    return _by_sympy(simpler, t) if found is None else found


def _limit(e: Expr, t: Dummy, facts: tuple[Boolean, ...]) -> Expr | None:
    if not e.has(t):
        return e
    if e == t:
        return S.Zero
    if isinstance(e, Add):
        return _added([_limit(a, t, facts) for a in e.args])
    if isinstance(e, Mul):
        beaten = _against_exponential(e, t, facts)
        return _multiplied([_limit(a, t, facts) for a in e.args], facts) if beaten is None else beaten
    if isinstance(e, exp):
        inner = _limit(e.args[0], t, facts)
        return None if inner is None else exp(inner)
    if isinstance(e, Pow):
        return _powered(e, t, facts)
    if isinstance(e, Sum | Product) and not any(b.has(t) or b.is_infinite for _, *ends in e.limits for b in ends):
        ranges = tuple(r for i, low, high in e.limits for r in (i >= low, i <= high))
        inner = limit_at_zero(e.function, t, (*facts, *ranges))
        if inner is None or inner in FINITE:
            return None
        return inner if inner == 0 and isinstance(e, Sum) else e.func(inner, *e.limits)
    if isinstance(e, log):
        inner = limit_at_zero(e.args[0], t, facts)
        if inner is None:
            return None
        return oo if inner is oo else -oo if inner == 0 else log(inner) if sign_of(inner, facts) == {1} else None
    if isinstance(e, Sum | Product):
        return None
    if isinstance(e, gamma | polygamma) and not any(a.has(t) for a in e.args[:-1]):
        inner = limit_at_zero(e.args[-1], t, facts)
        return (
            None
            if inner is None or inner in FINITE or sign_of(inner, facts) != {1}
            else e.xreplace({e.args[-1]: inner})
        )
    if isinstance(e, (*CONTINUOUS, Smooth)):
        inner = [_limit(a, t, facts) for a in e.args]
        return None if any(i is None or i in FINITE for i in inner) else e.func(*inner)
    return _by_sympy(e, t)


def _added(parts: list[Expr | None]) -> Expr | None:
    if any(p is None for p in parts):
        return None
    if oo in parts and S.NegativeInfinity in parts:
        return None
    return Add(*parts)


def _multiplied(parts: list[Expr | None], facts: tuple[Boolean, ...]) -> Expr | None:
    if any(p is None for p in parts):
        return None
    infinite = [p for p in parts if p in FINITE]
    finite = Mul(*[p for p in parts if p not in FINITE])
    if not infinite:
        return finite
    sign = sign_of(finite, facts)
    if sign not in ({1}, {-1}):
        return None
    way = 1 if sign == {1} else -1
    for p in infinite:
        way *= 1 if p is oo else -1
    return oo if way > 0 else -oo


def _against_exponential(e: Mul, t: Dummy, facts: tuple[Boolean, ...]) -> Expr | None:
    """The exponential of a power that diverges outweighs every power of t; None for any other product."""
    exponentials = [a for a in e.args if isinstance(a, exp) and a.has(t)]
    if len(exponentials) != 1:
        return None
    rest, powers = Mul(*[a for a in e.args if a != exponentials[0]]).as_independent(t, as_Add=False)
    if any(a.as_base_exp()[0] != t or a.as_base_exp()[1].has(t) for a in Mul.make_args(powers) if a != 1):
        return None
    factor, power = exponentials[0].args[0].as_independent(t, as_Add=False)
    base, order = power.as_base_exp()
    way, sign = sign_of(factor, facts), sign_of(rest, facts)
    if base != t or order.has(t) or not order.is_negative or way not in ({1}, {-1}):
        return None
    if way == {-1}:
        return S.Zero
    return oo if sign == {1} else -oo if sign == {-1} else None


def _powered(e: Expr, t: Dummy, facts: tuple[Boolean, ...]) -> Expr | None:
    base, power = _limit(e.base, t, facts), e.exp
    if base is not None and base not in FINITE and power.has(t) and sign_of(base, facts) == {1}:
        inner = _limit(power, t, facts)
        return None if inner is None or inner in FINITE else base**inner
    if base is None or power.has(t):
        return None
    if base in FINITE:
        if power.is_negative:
            return S.Zero
        return oo if base is oo and power.is_positive else None
    if base == 0:
        if power.is_positive:
            return S.Zero
        if not power.is_negative:
            return None
        sign = sign_of(e.base, facts)
        if sign == {1} or (power.is_even and 0 not in sign):
            return oo
        return -oo if sign == {-1} and power.is_odd else None
    if not power.is_nonnegative and 0 in sign_of(base, facts):
        return None
    return base**power


def _of_quotient(e: Expr, t: Dummy, facts: tuple[Boolean, ...]) -> Expr | None:
    """The rule of l'Hospital: both parts differentiated until the lower one is shown to have a limit other than 0.

    That is allowed while both vanish, or while the lower one grows without bound and does not swing.
    """
    top, bottom = _in_parts(e, t)
    for _ in range(DERIVATIVES):
        above, below = _limit(top, t, facts), _limit(bottom, t, facts)
        if below in FINITE and not bottom.has(sin, cos):
            top, bottom = fraction(cancel(together(top.diff(t) / bottom.diff(t))))
            continue
        if above is None or below is None or below in FINITE:
            return None
        above, below = _plain(above), _plain(below)
        if below != 0:
            if 0 in sign_of(below, facts):
                return None
            return _multiplied([above, 1 / below], facts)
        if above != 0:
            return None
        top, bottom = top.diff(t), bottom.diff(t)
    return None


def _in_parts(e: Expr, t: Dummy) -> tuple[Expr, Expr]:
    """Numerator and denominator, with the powers of t taken out of roots."""

    def opened(root: Expr) -> Expr:
        top, bottom = fraction(together(root.base))
        return top**root.exp / bottom**root.exp if bottom.is_positive else root

    roots = e.replace(lambda p: isinstance(p, Pow) and p.exp.is_Rational and not p.exp.is_Integer, opened)
    return fraction(together(powsimp(roots)))


def _plain(e: Expr) -> Expr:
    """Zero recognised as such where expansion shows it."""
    return S.Zero if e not in FINITE and expand(e) == 0 else e


def _by_sympy(e: Expr, t: Dummy) -> Expr | None:
    """SymPy's limit of what depends on nothing but t: of a parameter it guesses that it is not 0."""
    if e.free_symbols - {t} or e.atoms(AppliedUndef):
        return None
    try:
        found = limit(factor_terms(e), t, 0, "+")
    except (NotImplementedError, ValueError, TypeError, PolynomialError, RecursionError, AttributeError):
        return None
    if found.has(Limit, AccumBounds, nan, zoo, t) or (found.has(oo, -oo) and found not in FINITE):
        return None
    return found
