"""Numbers in a world: places near a point, which of two is larger, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Float, I, N, binomial, factorial, gamma, nan, oo
from sympy.core.relational import Relational

DIGITS = 70
TOLERANCE = Float(10) ** -45
LARGE = 20_000
"""Powers of rationals beyond this one are floating point numbers."""
MANY_BITS = 10_000_000
LONG = 20_000
"""Sums of more terms are not added up."""
FACTORIALS = (factorial, gamma, binomial)


class EvaluationError(ValueError):
    """An expression has no value in this world; the message says why."""


class Undefined(EvaluationError):
    """An expression is undefined, or has more parts than can be put together."""


class BrokenAssumption(EvaluationError):
    """A world gives something a value that it is declared not to have."""


def near(point: Any, small: Any, direction: str = "+") -> Any:
    """A place at distance `small` of a point on one side; for an infinite point, at distance 1/small of 0."""
    if point is oo:
        return 1 / small
    if point == -oo:
        return -1 / small
    return point + small if direction.startswith("+") else point - small


def huge(base: Any, power: Any) -> bool:
    """Whether an exact power would fill the memory; its digits beyond the working precision tell nothing."""
    if not (base.is_Rational and base != 0 and abs(base) != 1 and power.is_Integer):
        return False
    bits = max(abs(int(base.p)), int(base.q)).bit_length()
    return abs(int(power)) > LARGE or bits * abs(int(power)) > MANY_BITS


def tamed(e: Any, arguments: list[Any], digits: int) -> list[Any]:
    """The arguments of a power or a factorial, the large ones as floating point numbers.

    Examples
    --------
    >>> from sympy import Integer, Symbol, factorial
    >>> tamed(factorial(Symbol("n")), [Integer(10) ** 5], 3), tamed(Symbol("x") ** 2, [Integer(3), Integer(2)], 3)
    ([1.00e+5], [3, 2])
    """
    if e.is_Pow and huge(*arguments):
        return [N(arguments[0], digits), arguments[1]]
    if isinstance(e, FACTORIALS) and any(a.is_Integer and abs(a) > LARGE for a in arguments):
        return [N(a, digits) for a in arguments]
    return arguments


def holds_of(claim: Relational, left: Any, right: Any, digits: int = DIGITS) -> bool:
    """Whether a relation holds between two values, to all but the last 25 of so many digits.

    Raises
    ------
    EvaluationError
        If the two cannot be compared.
    """
    relation = claim.rel_op
    if left is oo or left == -oo or right is oo or right == -oo:
        return bool(claim.func(left, right))
    gap = left - right
    if gap is nan:
        raise EvaluationError(f"{claim} compares what is undefined")
    if gap.is_Rational:
        sign = int(bool(gap > 0)) - int(bool(gap < 0))
    else:
        gap = N(gap, digits)
        size = abs(gap)
        tolerance = TOLERANCE if digits == DIGITS else Float(10) ** (25 - digits)
        if not size.is_Number or size is nan:
            raise EvaluationError(f"{claim} cannot be compared: the difference is {gap}")
        if size <= tolerance * (1 + abs(N(left, 20)) if right != 0 else 1):
            sign = 0
        elif relation in ("==", "!="):
            sign = 1
        elif gap.has(I):
            raise EvaluationError(f"{claim} compares numbers that are not real")
        else:
            sign = 1 if gap > 0 else -1
    return {
        "==": sign == 0,
        "!=": sign != 0,
        ">=": sign >= 0,
        ">": sign > 0,
        "<=": sign <= 0,
        "<": sign < 0,
    }[relation]


def shown(value: Any) -> str:
    """A value as it is printed for a reader."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(v) for v in value) + "]"
    if isinstance(value, Float):
        return str(N(value, 12))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {shown(v)}" for k, v in value.items()) + "}"
    return str(value)
