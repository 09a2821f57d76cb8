"""Entries of the tables that a world gives, and how a table may go on beyond its last entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sympy import Expr, sympify

from theory.proof.comparing import EvaluationError

Continuation: TypeAlias = Callable[[int, int], int]
"""From an index and the length of a table to the index whose entry stands there."""


def repeated(place: int, length: int) -> int:
    """A table that begins again.

    Examples
    --------
    >>> repeated(7, 3), repeated(3, 3), repeated(0, 3)
    (1, 3, 3)
    """
    return (place - 1) % length + 1


def lasting(place: int, length: int) -> int:
    """A table that keeps its last entry, and its first one before that.

    Examples
    --------
    >>> lasting(7, 3), lasting(2, 3), lasting(0, 3)
    (3, 2, 1)
    """
    return min(max(place, 1), length)


def entry(key: Any, given: Any, arguments: tuple[Any, ...], continued: Continuation | None = None) -> Expr:
    """The entry of a nested list, whose indices count from 1, or of a mapping from tuples of indices.

    Raises
    ------
    EvaluationError
        Where there is none.

    Examples
    --------
    >>> from sympy import Integer
    >>> entry("h", [5, 6], (Integer(2),)), entry("h", [5, 6], (Integer(3),), repeated)
    (6, 5)
    """
    if continued is not None and all(a.is_Integer for a in arguments):
        arguments = _inside(given, arguments, continued)
    if isinstance(given, Mapping):
        if arguments in given:
            return sympify(given[arguments])
        raise EvaluationError(f"the table {key} has no entry {arguments}")
    for index in arguments:
        if not index.is_Integer or not 1 <= int(index) <= len(given):
            raise EvaluationError(f"the table {key} has no entry {arguments}: indices count from 1")
        given = given[int(index) - 1]
    return sympify(given)


def _inside(given: Any, arguments: tuple[Any, ...], continued: Continuation) -> tuple[Any, ...]:
    """The indices whose entry stands where the table may have none."""
    if isinstance(given, Mapping):
        if arguments in given or not given:
            return arguments
        columns = [sorted(set(column)) for column in zip(*given, strict=True)]
        places = zip(columns, arguments, strict=True)
        return tuple(column[continued(int(a - column[0]) + 1, len(column)) - 1] for column, a in places)
    made = []
    for index in arguments:
        made.append(sympify(continued(int(index), len(given))))
        given = given[int(made[-1]) - 1]
    return tuple(made)
