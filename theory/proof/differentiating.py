"""Derivatives in a world: by values that carry their slope, by a formula where something has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import Basic, Derivative, Dummy, Expr, Indexed, Symbol

from theory.proof.comparing import EvaluationError
from theory.proof.moving import Moving, NotByParts, slope_along, started

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation


def differentiated(world: Evaluation, e: Derivative, local: dict[Basic, Any]) -> Any:
    """The value of a derivative, in symbols that sums or other derivatives bind (``local``) and in the world's own."""
    try:
        return by_parts(world, e, local)
    except (NotByParts, AttributeError, TypeError):  # something in it is not differentiated by its parts
        return by_formula(world, e, local)


def chained(world: Evaluation, parent: tuple[Any, int], arguments: tuple[Any, ...]) -> Any:
    """The value of a smooth function's derivative, from the function and the place of the argument that it is in."""
    function, place = parent
    variables = tuple(Dummy(real=True) for _ in arguments)
    named = function(*variables)
    running = started(arguments[place - 1])
    try:
        made = world._primitive(function, (*arguments[: place - 1], running, *arguments[place:]), named)
        return _sloped(world, made, (running.along,))
    except (NotByParts, AttributeError, TypeError):  # as in a derivative
        slope = world._primitive(function, variables, named).diff(variables[place - 1])
    if any(isinstance(a, Moving) for a in arguments):
        return world._in(slope, dict(zip(variables, arguments, strict=True)))
    return world._finished(slope.xreplace(dict(zip(variables, arguments, strict=True))))


def by_parts(world: Evaluation, e: Derivative, local: dict[Basic, Any]) -> Any:
    """The slope that values with slopes give.

    Raises
    ------
    NotByParts
        Where they give none, or 0, which they may do to the last digit only.
    """
    here = world
    bound = dict(local)
    directions: list[int] = []
    for variable, times in e.variable_count:
        place = world._in(variable, local)
        for _ in range(int(times)):
            place = started(place)
            directions.append(place.along)
        if isinstance(variable, Symbol) and variable in local:
            bound[variable] = place
        else:
            here = here.at({_key_of(world, variable, e, local): place})
    return _sloped(world, here._in(e.expr, bound), tuple(reversed(directions)))


def by_formula(world: Evaluation, e: Derivative, local: dict[Basic, Any]) -> Any:
    """The derivative of the formula that the world makes of the expression."""
    here = world
    bound = dict(local)
    points: list[tuple[Symbol, int, Any]] = []
    for variable, count in e.variable_count:
        point = world._in(variable, local)
        dummy = Dummy(real=True)
        if isinstance(variable, Symbol) and variable in local:
            bound[variable] = dummy
        else:
            here = here.at({_key_of(world, variable, e, local): dummy})
        points.append((dummy, int(count), point))
    made = here._in(e.expr, bound)
    for dummy, count, _ in points:
        made = made.diff(dummy, count)
    return world._finished(made.xreplace({d: p for d, _, p in points}))


def _sloped(world: Evaluation, made: Any, directions: tuple[int, ...]) -> Any:
    """How fast a value changes along directions, one after the other."""
    for direction in directions:
        made = slope_along(made, direction)
    if made == 0:
        raise NotByParts("the parts of a derivative cancel, which they may do to the last digit only")
    return made if isinstance(made, Moving) else world._finished(made)


def _key_of(world: Evaluation, variable: Expr, e: Derivative, local: dict[Basic, Any]) -> Any:
    if isinstance(variable, Indexed):
        return (variable.base, tuple(world._in(i, local) for i in variable.indices))
    if isinstance(variable, Symbol):
        return variable
    raise EvaluationError(f"{e} is a derivative in {variable}, which is neither symbol nor Indexed")
