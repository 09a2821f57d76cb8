"""Whether something may stand where a symbol stands: the symbol's own assumptions, asked of it."""

from __future__ import annotations

from collections.abc import Callable

from sympy import (
    Abs,
    Add,
    Basic,
    Derivative,
    Expr,
    Heaviside,
    Integral,
    KroneckerDelta,
    LambertW,
    Limit,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    Product,
    S,
    Sum,
    Symbol,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    exp,
    log,
    sign,
    sin,
    sinh,
    tanh,
)
from sympy.core.relational import Ne
from sympy.logic.boolalg import Boolean

Shown = Callable[[Boolean], bool]
REAL_VALUED = (exp, sin, cos, sinh, cosh, tanh, atan, asinh, erf, sign, Heaviside, Max, Min, KroneckerDelta)
IMPLIED_BY_REAL = {(name, True) for name in ("real", "extended_real", "complex", "finite", "hermitian")} | {
    ("imaginary", False),
    ("infinite", False),
}


def lacking(symbol: Basic, place: Basic, shown: Shown) -> str:
    """What a symbol's own assumptions ask of a place and is not shown, in words; empty if it may stand there.

    Signs may follow from facts; that something is an integer, a rational or real, follows from its parts.

    Parameters
    ----------
    symbol
        The symbol (or a base of indices) whose assumptions are asked.
    place
        What is to stand in its place.
    shown
        Whether a relation follows from what is known.

    Examples
    --------
    >>> from sympy import sqrt
    >>> x, y, n = Symbol("x", real=True), Symbol("y", positive=True), Symbol("n", integer=True)
    >>> nothing = lambda claim: claim == True
    >>> lacking(n, x, nothing), lacking(x, sqrt(x), nothing), lacking(y, x**2 + 1, nothing)
    ('x is not shown to be integer', 'sqrt(x) is not shown to be real', '')
    """
    if symbol == place:
        return ""
    for claim in beyond_sign(symbol, place, shown):
        return claim
    for claim in sign_relations(symbol, place):
        if not shown(claim):
            return f"{claim} is not shown"
    return ""


def beyond_sign(symbol: Basic, place: Basic, shown: Shown) -> tuple[str, ...]:
    """Assumptions of a symbol other than signs that a place is not shown to meet, each in words."""
    if symbol == place:
        return ()
    wanted = dict(assumptions_of(symbol))
    made = []
    for name, value in wanted.items():
        if name == "commutative" or getattr(place, f"is_{name}", None) is value:
            continue
        if (name in _SIGNS and value) or (name, value) in IMPLIED_BY_REAL:
            if not real(place, shown):
                made.append(f"{place} is not shown to be real")
        elif name == "integer" and value:
            if not _integer(place):
                made.append(f"{place} is not shown to be {name}")
        else:
            made.append(f"{place} is not shown to be {name if value else 'not ' + name}")
    return tuple(made)


def sign_relations(symbol: Basic, place: Basic) -> tuple[Boolean, ...]:
    """What a symbol's own assumptions say of its sign, as relations about something put in its place."""
    wanted = {name for name, value in assumptions_of(symbol) if value}
    made = tuple(relation(place) for name, relation in _SIGNS.items() if name in wanted)
    return tuple(c for c in made if c != S.true)


def real(e: Basic, shown: Shown) -> bool:
    """Whether an expression is real wherever it is defined.

    Examples
    --------
    >>> x = Symbol("x", real=True)
    >>> real(1 / x, lambda claim: False), real(x ** (S.One / 2), lambda claim: claim == (x >= 0))
    (True, True)
    """
    if getattr(e, "is_extended_real", None):
        return True
    every = lambda parts: all(real(p, shown) for p in parts)  # noqa: E731
    match e:
        case Abs():
            return True
        case Sum() | Product():
            return real(e.function, shown)
        case Integral():
            return real(e.function, shown) and every(b for limit in e.limits for b in limit.args[1:])
        case Limit():
            return real(e.args[0], shown)
        case Derivative():
            return real(e.expr, shown)
        case Piecewise():
            return every(value for value, _ in e.args)
        case Add() | Mul():
            return every(e.args)
        case Pow():
            base, power = e.args
            if not every((base, power)):
                return False
            return bool(power.is_integer) or _shown_sign(base, shown)
        case log():
            return real(e.args[0], shown) and _shown_sign(e.args[0], shown)
        case LambertW():
            return len(e.args) == 1 and real(e.args[0], shown) and _shown_sign(e.args[0], shown)
    return isinstance(e, REAL_VALUED) and every(e.args)


def _shown_sign(e: Expr, shown: Shown) -> bool:
    if e.is_extended_real is False:
        return False
    for factor in Mul.make_args(e):
        base, power = factor.as_base_exp()
        part = base if power.is_integer and power.is_negative else factor  # where it is defined, 1 / base has its sign
        claim = part >= 0
        if claim == S.false or not (claim == S.true or shown(claim)):
            whole = e >= 0
            return whole == S.true or (whole != S.false and shown(whole))
    return True


def _integer(e: Basic) -> bool:
    if getattr(e, "is_integer", None):
        return True
    if isinstance(e, Sum | Product):
        return _integer(e.function)
    if isinstance(e, Piecewise):
        return all(_integer(value) for value, _ in e.args)
    return isinstance(e, Add | Mul | Max | Min | Abs) and all(_integer(a) for a in e.args)


def assumptions_of(symbol: Basic | type) -> tuple[tuple[str, bool], ...]:
    """The assumptions with which a symbol, a base of indices or a function was made.

    Examples
    --------
    >>> assumptions_of(Symbol("n", integer=True))
    (('integer', True),)
    """
    source = getattr(getattr(symbol, "base", symbol), "label", getattr(symbol, "func", symbol))
    if isinstance(symbol, Symbol | type):
        source = symbol
    told = getattr(source, "_assumptions_orig", None) or getattr(source, "_kwargs", None) or {}
    return tuple((name, value) for name, value in told.items() if name != "commutative" and isinstance(value, bool))


def admits(symbol: Basic, number: Basic) -> bool:
    """Whether a number is what a symbol is declared to be.

    Examples
    --------
    >>> n = Symbol("n", integer=True, positive=True)
    >>> admits(n, S(3)), admits(n, S(0)), admits(n, S.Half)
    (True, False, False)
    """
    return all(getattr(number, f"is_{name}") in (wanted, None) for name, wanted in assumptions_of(symbol))


_SIGNS: dict[str, Callable[[Basic], Boolean]] = {
    "positive": lambda e: e > 0,  # type: ignore[operator]
    "negative": lambda e: e < 0,  # type: ignore[operator]
    "nonnegative": lambda e: e >= 0,  # type: ignore[operator]
    "nonpositive": lambda e: e <= 0,  # type: ignore[operator]
    "nonzero": lambda e: Ne(e, 0),
}
