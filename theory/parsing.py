"""Reads the inputs of ``assay predict`` exactly: no number passes through a binary float.

==================  ==========================================
written             read as
==================  ==========================================
``3``, ``-2``       integers
``1/2``, ``-3/4``   rationals
``0.1``, ``2e-3``   the decimal itself: 1/10, 1/500
``inf``, ``-inf``   infinities
``[3,2,1,0]``       a list, nested as deep as needed
``true``, ``false`` booleans
``fixed_ratio``     a string; quotes are allowed round it
==================  ==========================================
"""

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from sympy import Rational, S

LARGEST_DEPTH = 20
"""Deepest nesting of a list that is read."""

LARGEST_DIGITS = 400
"""Most digits of a number that are read: a little more than any float64 has before or after its point."""

LARGEST_EXPONENT = 400
"""Largest power of ten read in a decimal: a little beyond the range of float64. Exact roots of numbers that are
much longer than this take minutes.
"""

_DECIMAL = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(rf"([+-]?)({_DECIMAL})(?:/({_DECIMAL}))?", re.ASCII)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*", re.ASCII)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TOKEN = re.compile(r'\s*([\[\],]|"[^"]*"|\'[^\']*\'|[^\[\],\s"\']+)\s*')
_ALLOWED = "write a number (3, -3/4, 0.1, 2e-3, inf), a list ([1,1/2]), true, false or a word"
_CONSTANTS = {"inf": S.Infinity, "+inf": S.Infinity, "-inf": S.NegativeInfinity, "true": True, "false": False}


def parse_value(text: str) -> Any:
    """Exact value of a text.

    Returns
    -------
    A SymPy number or infinity, a boolean, a string, or a (nested) list of these.

    Raises
    ------
    ValueError
        With one sentence, for anything else.

    Examples
    --------
    >>> parse_value("0.1"), parse_value("-3/4"), parse_value("[[1,1/2],[inf,true]]")
    (1/10, -3/4, [[1, 1/2], [oo, True]])
    """
    tokens = _tokens(text)
    if tokens.count("[") > LARGEST_DEPTH and _depth(tokens) > LARGEST_DEPTH:
        raise ValueError(f"lists nested {LARGEST_DEPTH} deep at most are read; write a flatter one")
    value, rest = _value(tokens, text)
    if rest:
        raise ValueError(f"value {text!r}: {rest[0]!r} follows a complete value; {_ALLOWED}")
    return value


def parse_assignments(arguments: Iterable[str]) -> dict[str, Any]:
    """Values by name from words ``name=value``.

    Raises
    ------
    ValueError
        For a word without ``=``, a bad name, a name given twice, or a value that cannot be read.

    Examples
    --------
    >>> parse_assignments(["q_sigma=-1/2", "k=3"])
    {'q_sigma': -1/2, 'k': 3}
    """
    found: dict[str, Any] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        name = name.strip()
        if not equals or not _NAME.fullmatch(name):
            raise ValueError(f"input {argument!r} is not of the form name=value; write, for example, q=-1/2")
        if name in found:
            raise ValueError(f"input {name} is given twice; give it once")
        try:
            found[name] = parse_value(text)
        except ValueError as error:
            raise ValueError(f"input {name}: {error}") from None
    return found


def _tokens(text: str) -> list[str]:
    found, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            if not text[position:].strip():
                break
            raise ValueError(f"value {text!r}: {text[position:]!r} cannot be read; {_ALLOWED}")
        found.append(match[1])
        position = match.end()
    return found


def _depth(tokens: list[str]) -> int:
    """How deep brackets are nested in the tokens."""
    return max(accumulate({"[": 1, "]": -1}.get(token, 0) for token in tokens))


def _value(tokens: list[str], text: str) -> tuple[Any, list[str]]:
    """One value from the head of the tokens, and the tokens that follow it."""
    if not tokens:
        raise ValueError(f"value {text!r} is empty or ends early; {_ALLOWED}")
    head, rest = tokens[0], tokens[1:]
    if head != "[":
        return _scalar(head, text), rest
    items: list[Any] = []
    if rest and rest[0] == "]":
        return items, rest[1:]
    while True:
        item, rest = _value(rest, text)
        items.append(item)
        if not rest or rest[0] not in (",", "]"):
            raise ValueError(f"value {text!r}: a list is not closed or lacks a comma; {_ALLOWED}")
        closing, rest = rest[0], rest[1:]
        if closing == "]":
            return items, rest


def _scalar(token: str, text: str) -> Any:
    if token[0] in "\"'":
        return token[1:-1]
    if token.lower() in _CONSTANTS:
        return _CONSTANTS[token.lower()]
    match = _NUMBER.fullmatch(token)
    if match is not None:
        sign, numerator, denominator = match.groups()
        bottom = _decimal(denominator, text) if denominator else Rational(1)
        if bottom == 0:
            raise ValueError(f"value {text!r} divides by zero; {_ALLOWED}")
        return (-1 if sign == "-" else 1) * _decimal(numerator, text) / bottom
    if _WORD.fullmatch(token) and token.lower() != "nan":
        return token
    raise ValueError(f"value {text!r}: {token!r} cannot be read; {_ALLOWED}")


def _decimal(digits: str, text: str) -> Rational:
    mantissa, _, exponent = digits.lower().partition("e")
    if exponent and (len(exponent.lstrip("+-0")) > 5 or abs(int(exponent)) > LARGEST_EXPONENT):
        raise ValueError(f"value {text!r}: exponents up to {LARGEST_EXPONENT} are read; write a smaller one")
    whole, _, fraction = mantissa.partition(".")
    if len(whole) + len(fraction) > LARGEST_DIGITS:
        raise ValueError(f"numbers of up to {LARGEST_DIGITS} digits are read; write a shorter one")
    power = int(exponent or 0) - len(fraction)
    number = Rational(int((whole + fraction) or "0"))
    return number * Rational(10) ** power
