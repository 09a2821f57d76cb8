"""Limits of what is composed of parts whose limits earlier steps have found."""

from __future__ import annotations

from sympy import Basic, Dummy, Expr, Limit, Symbol, cancel

from theory.proof.known import Known
from theory.proof.limits import limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.steps.gaps import flat
from theory.proof.steps.step import Context


def composed_limit(
    expression: Expr, variable: Symbol, point: Expr, direction: str, context: Context
) -> Expr | None:
    """The limit of an elementary function of parts that have known limits; None where that settles nothing.

    A part X with the limit v becomes v + c t with a symbol c of its own, and t falls to 0. The answer stands
    only if it is free of every c: then it is the value of the function at the limits, where it is continuous.
    The variable may occur in the parts only, so that no rate is needed.

    Examples
    --------
    >>> from sympy import Function, Symbol, oo
    >>> from theory.proof.rewriting import Rule
    >>> x, v, f = Symbol("x", positive=True), Symbol("v", positive=True), Function("f")
    >>> seen = Context(rules=(Rule("seen", Limit(f(x), x, oo, "+"), v),))
    >>> composed_limit(1 / (1 + f(x)), x, oo, "+", seen)
    1/(v + 1)

    The symbol cancels where the rate does not matter:

    >>> from sympy import exp
    >>> composed_limit((exp(f(x)) - exp(v)) / (f(x) - v), x, oo, "+", seen)
    exp(v)
    """
    t = Dummy("t", positive=True)
    moving: dict[Basic, Expr] = {}
    known = Known(flat(context.facts), context.heads)
    for rule in context.rules:
        left = rule.left
        if not all(known.entails(condition) for condition in rule.conditions):
            continue
        if isinstance(left, Limit) and left == Limit(left.args[0], variable, point, direction):
            moving[left.args[0]] = rule.right + Dummy("c", positive=True) * t
    moving = {part: value for part, value in moving.items() if expression.has(part)}
    if not moving:
        return None
    composed = expression.xreplace(moving)
    marks = {s for value in moving.values() for s in value.atoms(Dummy)}
    if composed.has(variable) or heads_in(composed, context.heads - _heads_of(moving, context)):
        return None
    found = limit_at_zero(composed, t, context.facts)
    if found is not None and found.free_symbols & marks:
        found = cancel(found)
    return None if found is None or found.is_infinite or found.free_symbols & marks else found


def _heads_of(moving: dict[Basic, Expr], context: Context) -> frozenset[Basic]:
    """Heads in the limits themselves: they do not depend on the variable, or the limit would not stand."""
    return frozenset().union(*(heads_in(value, context.heads) for value in moving.values()))
