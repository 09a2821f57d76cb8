"""Limits of what is composed of parts whose limits earlier steps have found."""

from __future__ import annotations

from collections.abc import Iterator
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
    S,
    Symbol,
    ceiling,
    exp,
    expand,
    floor,
    fraction,
    sign,
    together,
)
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.admission import lacking
from theory.proof.comparing import near
from theory.proof.functions import Smooth
from theory.proof.known import Known
from theory.proof.limits import CONTINUOUS, limit_at_zero
from theory.proof.matching import heads_in, match
from theory.proof.signs import sign_of
from theory.proof.steps.gaps import flat, may_depend, moves
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

    A limit that was found in another variable holds along every path to it:

    >>> y, g = Symbol("y", positive=True), Symbol("g", positive=True)
    >>> there = Context(rules=(Rule("seen", Limit(f(y), y, 0, "+"), v),))
    >>> composed_limit(1 / (1 + f(x**-g)), x, oo, "+", there)
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
    values |= dict(_along_another_path(expression, variable, point, direction, context, known))
    if not values:
        return None
    marks = {part: Dummy("part", real=True) for part in values}
    composed = expression.xreplace(marks)
    if moves(composed, variable, context):
        return None
    moving = tuple((mark, values[part]) for part, mark in marks.items() if composed.has(mark))
    return _together(composed, moving, context.facts)


def _along_another_path(
    expression: Expr, variable: Symbol, point: Expr, direction: str, context: Context, known: Known
) -> Iterator[tuple[Basic, Expr]]:
    """Parts f(g), where f(y) has a known limit in y, and g comes from the same side to the place of that limit.

    Neither f nor its limit may speak of anything else that moves, and g may not be at the place itself.
    """
    t = Dummy("t", positive=True)
    shown = lambda claim: claim == S.true or (claim != S.false and known.entails(claim))  # noqa: E731
    for rule in context.rules:
        left, value = rule.left, rule.right
        if rule.pointwise or rule.variables or not (isinstance(left, Limit) and isinstance(left.args[0], AppliedUndef)):
            continue
        shape, other, place, side = left.args
        if other == variable or not shape.has(other) or not all(map(known.entails, rule.conditions)):
            continue
        if may_depend(shape, variable, context) or may_depend(value, variable, context):
            continue
        if heads_in(shape, context.heads) or may_depend(shape.xreplace({other: t}), other, context):
            continue
        for part in expression.atoms(AppliedUndef):
            for bound in match(shape, part, frozenset({other}), {}):
                path = bound[other]
                if heads_in(path, context.heads) or may_depend(path, other, context) or lacking(other, path, shown):
                    continue
                reached = limit_at_zero(path.xreplace({variable: near(point, t, direction)}), t, context.facts)
                apart = place.is_infinite or shown(path > place if str(side) == "+" else path < place)
                if reached == place and apart:
                    yield part, value


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
    for power in e.atoms(Pow):  # 0**|part| is 1 at the value itself
        bases = (power.base, power.base.xreplace({part: value}))
        if power.exp.has(part) and not any(sign_of(base, facts) == {1} for base in bases):
            return None
    t = Dummy("t", positive=True)
    above, below = (limit_at_zero(e.xreplace({part: value + side * t}), t, facts) for side in (1, -1))
    if above is None or below is None or above.is_infinite or expand(above - below) != 0:
        return None
    return above


JUMPS = (sign, Heaviside, Piecewise, KroneckerDelta, floor, ceiling)
