"""Limits of what is composed of parts whose limits earlier steps have found."""

from __future__ import annotations

from functools import lru_cache

from sympy import (
    Add,
    Basic,
    Dummy,
    Expr,
    Heaviside,
    KroneckerDelta,
    Limit,
    Mul,
    Piecewise,
    Poly,
    Pow,
    Symbol,
    ceiling,
    exp,
    expand,
    floor,
    fraction,
    sign,
    together,
)
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.functions import Smooth
from theory.proof.known import Known
from theory.proof.limits import CONTINUOUS, limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.signs import sign_of
from theory.proof.steps.gaps import flat
from theory.proof.steps.step import Context


def composed_limit(expression: Expr, variable: Symbol, point: Expr, direction: str, context: Context) -> Expr | None:
    """The limit of an elementary function of parts that have known limits; None where that settles nothing.

    A part X with the limit v is a symbol of its own that comes to v from above and from below. What speaks of one
    part only is taken to the limit as a function of that part, from both sides; what speaks of several is put together
    from those by continuity, as they may come to their limits along any path. The variable may occur in the parts
    only, so that no rate is needed.

    Examples
    --------
    >>> from sympy import Function, Symbol, oo
    >>> from theory.proof.rewriting import Rule
    >>> x, v, f = Symbol("x", positive=True), Symbol("v", positive=True), Function("f")
    >>> seen = Context(rules=(Rule("seen", Limit(f(x), x, oo, "+"), v),))
    >>> composed_limit(1 / (1 + f(x)), x, oo, "+", seen)
    1/(v + 1)

    Where the rate does not matter the parts may cancel:

    >>> from sympy import exp
    >>> composed_limit((exp(f(x)) - exp(v)) / (f(x) - v), x, oo, "+", seen)
    exp(v)
    """
    values: dict[Basic, Expr] = {}
    known = Known(flat(context.facts), context.heads)
    for rule in context.rules:
        left = rule.left
        if not all(known.entails(condition) for condition in rule.conditions):
            continue
        if isinstance(left, Limit) and left == Limit(left.args[0], variable, point, direction):
            values[left.args[0]] = rule.right
    values = {part: value for part, value in values.items() if expression.has(part)}
    if not values:
        return None
    marks = {part: Dummy("part", real=True) for part in values}
    composed = expression.xreplace(marks)
    if composed.has(variable) or heads_in(composed, context.heads):
        return None
    moving = tuple((mark, values[part]) for part, mark in marks.items() if composed.has(mark))
    return _together(composed, moving, context.facts)


Moving = tuple[tuple[Basic, Expr], ...]
"""Marks of the parts, each with the value that it comes to."""


@lru_cache(maxsize=10_000)  # coefficients of polynomials have most of their terms in common
def _together(e: Expr, moving: Moving, facts: tuple[Boolean, ...]) -> Expr | None:
    """The finite limit as every part comes to its value, on any path; None where that is not seen."""
    values = dict(moving)
    parts = frozenset(e.free_symbols & values.keys())
    if not parts:
        return e
    if len(parts) == 1:
        part = next(iter(parts))
        return _alone(e, part, values[part], facts)
    found = _by_structure(e, moving, facts)
    if found is not None:
        return found
    top, bottom = fraction(together(e))
    for part in sorted(parts - bottom.free_symbols, key=str):  # a polynomial in this part, whose coefficients move too
        try:
            powers = Poly(top, part).all_coeffs()[::-1]
        except PolynomialError:
            continue
        if any(c.has(part) for c in powers):
            continue
        limits = [_together(c / bottom, moving, facts) for c in powers]
        if not any(one is None for one in limits):
            return Add(*[one * values[part] ** k for k, one in enumerate(limits)])  # type: ignore[operator]
    return None


def _by_structure(e: Expr, moving: Moving, facts: tuple[Boolean, ...]) -> Expr | None:
    """By continuity from arguments, those together that speak of the same one part."""
    if isinstance(e, Add | Mul):
        marks = frozenset(mark for mark, _ in moving)
        groups: dict[frozenset[Basic], list[Expr]] = {}
        for argument in e.args:
            mine = frozenset(argument.free_symbols & marks)
            groups.setdefault(mine if len(mine) < 2 else frozenset((argument,)), []).append(argument)
        found = [_together(e.func(*arguments), moving, facts) for arguments in groups.values()]
        return None if any(one is None for one in found) or len(groups) == 1 else e.func(*found)
    if isinstance(e, Pow) and not e.exp.free_symbols & {mark for mark, _ in moving}:
        base = _together(e.base, moving, facts)
        return None if base is None or (not e.exp.is_positive and 0 in sign_of(base, facts)) else base**e.exp
    if isinstance(e, (exp, *CONTINUOUS, Smooth)):
        inner = [_together(argument, moving, facts) for argument in e.args]
        return None if any(one is None for one in inner) else e.func(*inner)
    return None


def _alone(e: Expr, part: Basic, value: Expr, facts: tuple[Boolean, ...]) -> Expr | None:
    """The finite limit of a function of one part, the same from both sides and no other at the value itself."""
    if any(jump.has(part) for jump in e.atoms(*JUMPS)):
        return None
    t = Dummy("t", positive=True)
    above, below = (limit_at_zero(e.xreplace({part: value + side * t}), t, facts) for side in (1, -1))
    if above is None or below is None or above.is_infinite or expand(above - below) != 0:
        return None
    return above


JUMPS = (sign, Heaviside, Piecewise, KroneckerDelta, floor, ceiling)
