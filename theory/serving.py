"""Answers ``assay predict``: binds inputs by name, evaluates, and writes outputs as JSON values.

A number becomes ``{"exact": "7/9", "value": 0.7777777777777778}``; ``exact`` is null where the number is not
rational. A number that is infinite, beyond float64, or not defined has a null ``value`` and a ``reason``.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
from sympy import Basic, Expr, Rational, S, sympify
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from theory.predictors import OutsideDomain, Predictor, Undefined

DIGITS = 40
"""Working digits of a number that is not rational; 15 of them are promised."""


def serve(predictor: Predictor, given: Mapping[str, Any]) -> dict[str, Any]:
    """Outputs of a predictor at a point, ready for JSON.

    Parameters
    ----------
    given
        Exact inputs by name, as ``theory.parsing`` reads them.

    Raises
    ------
    ValueError
        With one sentence that lists what is allowed: unknown or missing names, values outside the domain.
    """
    inputs = bind(predictor, given)
    try:
        outputs = predictor.evaluate(**inputs)
    except OutsideDomain as error:
        sentence = str(error)
        prefix = "" if predictor.name in sentence else f"{predictor.name}: "
        raise OutsideDomain(prefix + sentence) from error
    return {name: encode(value) for name, value in outputs.items()}


def bind(predictor: Predictor, given: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs by name with the defaults filled in.

    Raises
    ------
    ValueError
        For a name that the predictor does not know, or one that it needs and was not given.
    """
    known = {item.name: item for item in predictor.inputs}
    allowed = _signature(predictor)
    for name in given:
        if name not in known:
            raise ValueError(f"{predictor.name}: input {name} is not known; {allowed}")
    for item in predictor.inputs:
        if item.required and item.name not in given:
            raise ValueError(f"{predictor.name}: input {item.name} is missing; {allowed}")
    return {name: given.get(name, item.default) for name, item in known.items()}


def encode(value: Any) -> Any:
    """JSON value of one output.

    Examples
    --------
    >>> encode(Rational(7, 9))
    {'exact': '7/9', 'value': 0.7777777777777778}
    >>> encode([True, "NTK", None])
    [True, 'NTK', None]
    >>> encode(Undefined("no stable curvature"))
    {'exact': None, 'value': None, 'reason': 'no stable curvature'}
    """
    if isinstance(value, Undefined):
        return {"exact": None, "value": None, "reason": value.reason}
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, (BooleanTrue, BooleanFalse)):
        return bool(value)
    if isinstance(value, Mapping):
        return {str(name): encode(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return _number(value)


def plain(value: Any) -> str:
    """Text of an encoded output, for people.

    Examples
    --------
    >>> plain(encode(Rational(1, 3))), plain(encode([1, "zero"]))
    ('1/3 = 0.3333333333333333', '[1, zero]')
    """
    if isinstance(value, dict) and set(value) <= {"exact", "value", "reason"}:
        exact, number = value["exact"], value["value"]
        if number is None:
            return value["reason"] if exact is None or exact in ("inf", "-inf") else exact
        if exact is None:
            return f"{number!r}"
        return exact if "/" not in exact else f"{exact} = {number!r}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {plain(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


def _signature(predictor: Predictor) -> str:
    needed = [item.name for item in predictor.inputs if item.required]
    defaults = {item.name: item.default for item in predictor.inputs if not item.required}
    optional = [f"{name} (default {_written(default)})" for name, default in defaults.items()]
    parts = []
    if needed:
        parts.append("give " + ", ".join(needed))
    if optional:
        parts.append("optional: " + ", ".join(optional))
    return "; ".join(parts) or "it takes no input"


def _written(value: Any) -> str:
    if value is None:
        return "none"
    return plain(encode(value)).split(" = ")[0]


def _number(value: Any) -> dict[str, Any]:
    number = value if isinstance(value, Basic) else sympify(value)
    if number is S.Infinity:
        return {"exact": "inf", "value": None, "reason": "infinite"}
    if number is S.NegativeInfinity:
        return {"exact": "-inf", "value": None, "reason": "negative infinity"}
    if not isinstance(number, Expr) or number.free_symbols or number.has(S.NaN, S.ComplexInfinity):
        raise TypeError(
            f"serve: output {value!r} is not a number; return a number, string, boolean or Undefined"
        )
    precise = number if isinstance(number, Rational) else number.evalf(DIGITS)
    if not precise.is_real:
        raise TypeError(f"serve: output {value!r} is not real; return Undefined with a reason")
    exact = _written_exactly(number) if isinstance(number, Rational) else None
    nearest = _nearest_float(precise)
    if nearest is None:
        with mpmath.workdps(DIGITS):
            written = mpmath.nstr(mpmath.mpmathify(precise.evalf(DIGITS)), 17)
        return {"exact": exact, "value": None, "reason": f"{written} lies beyond the range of float64"}
    return {"exact": exact, "value": nearest}


def _written_exactly(number: Rational) -> str | None:
    """Numerator over denominator, or None beyond the 4300 digits that Python writes."""
    try:
        return str(number)
    except ValueError:
        return None


def _nearest_float(number: Expr) -> float | None:
    """Nearest float64, or None where it would overflow or lose digits in the subnormal range."""
    try:
        nearest = float(Fraction(number.p, number.q)) if isinstance(number, Rational) else float(number)
    except OverflowError:
        return None
    if nearest in (float("inf"), float("-inf")) or (abs(nearest) < 2.3e-308 and number != 0):
        return None
    return nearest
