"""Numbers that move: a value together with its slope, so that a derivative in a world needs no symbols.

Every derivative brings in a direction of its own. A value that moves in several is nested, the newest outermost, so
that derivatives of derivatives never mix up their directions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from sympy import Expr, LambertW, N, Pow, S, cos, exp, log, nan, sin, zoo

from theory.proof.comparing import EvaluationError, huge

_directions = count()


class NotByParts(EvaluationError):
    """A slope that values and slopes of the parts do not give; a formula may."""


@dataclass(frozen=True)
class Moving:
    """A value and how fast it changes along one direction; both may move along older directions.

    Examples
    --------
    >>> from sympy import Integer
    >>> x = started(Integer(3))
    >>> slope_along(times((x, x)), x.along)
    6
    """

    value: Any
    slope: Any
    along: int

    def _sympy_(self) -> Expr:
        raise NotByParts(f"{self} moves, and is no expression")


def started(place: Any) -> Moving:
    """What moves with speed 1 through a place, along a direction of its own."""
    return Moving(place, S.One, next(_directions))


def slope_along(made: Any, direction: int) -> Any:
    """How fast something changes along a direction."""
    return _parts(made, direction)[1]


def moved(e: Expr, arguments: list[Any], digits: int) -> Any:
    """The value of a sum, product, power, or of a function known here, whose arguments may move.

    Raises
    ------
    NotByParts
        For any other function, and where the slope is undefined.
    """
    if e.is_Add:
        return plus(arguments)
    if e.is_Mul:
        return times(arguments)
    if e.func is Pow:
        return _power(arguments[0], arguments[1], digits)
    if len(arguments) == 1 and e.func in (exp, log, sin, cos, LambertW):
        return _applied(e.func, arguments[0], digits)
    raise NotByParts(f"{e} is not differentiated by its parts")


def plus(terms: Iterable[Any]) -> Any:
    """The sum of numbers that may move."""
    total: Any = S.Zero
    for term in terms:
        total = _plus(total, term)
    return total


def times(factors: Iterable[Any]) -> Any:
    """The product of numbers that may move."""
    total: Any = S.One
    for factor in factors:
        total = _times(total, factor)
    return total


def _parts(a: Any, direction: int) -> tuple[Any, Any]:
    return (a.value, a.slope) if isinstance(a, Moving) and a.along == direction else (a, S.Zero)


def _newest(*parts: Any) -> int:
    return max(part.along for part in parts if isinstance(part, Moving))


def _plus(a: Any, b: Any) -> Any:
    if not (isinstance(a, Moving) or isinstance(b, Moving)):
        return a + b
    along = _newest(a, b)
    (value, slope), (other, its_slope) = _parts(a, along), _parts(b, along)
    return Moving(_plus(value, other), _plus(slope, its_slope), along)


def _times(a: Any, b: Any) -> Any:
    if not (isinstance(a, Moving) or isinstance(b, Moving)):
        return a * b
    along = _newest(a, b)
    (value, slope), (other, its_slope) = _parts(a, along), _parts(b, along)
    return Moving(_times(value, other), _plus(_times(value, its_slope), _times(slope, other)), along)


def _applied(function: Any, a: Any, digits: int) -> Any:
    if not isinstance(a, Moving):
        return _defined(function(a), digits, a)
    value = _applied(function, a.value, digits)
    if function is exp:
        turn = value
    elif function is log:
        turn = _power(a.value, S.NegativeOne, digits)
    elif function is sin:
        turn = _applied(cos, a.value, digits)
    elif function is LambertW:
        turn = times((value, _power(times((a.value, plus((S.One, value)))), S.NegativeOne, digits)))
    else:
        turn = _times(S.NegativeOne, _applied(sin, a.value, digits))
    return Moving(value, _times(turn, a.slope), a.along)


def _power(base: Any, exponent: Any, digits: int) -> Any:
    if not (isinstance(base, Moving) or isinstance(exponent, Moving)):
        sized = N(base, digits) if huge(base, exponent) else base
        return _defined(sized**exponent, digits, base, exponent)
    along = _newest(base, exponent)
    (place, speed), (power, rise) = _parts(base, along), _parts(exponent, along)
    value, slope = _power(place, power, digits), S.Zero
    if speed != 0 and power != 0:
        slope = times((power, _power(place, _plus(power, S.NegativeOne), digits), speed))
    if rise != 0:
        slope = _plus(slope, times((value, _applied(log, place, digits), rise)))
    return Moving(value, slope, along)


def _defined(made: Any, digits: int, *arguments: Any) -> Any:
    if made is nan or made is zoo:
        raise NotByParts(f"{made} is no number")
    if made.is_Number or not all(a.is_Number for a in arguments):
        return made
    return N(made, digits)
