"""What predictors of the topic take as inputs: exact numbers, counts, and matrices that are kernels."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sympy import Integer, Rational

from theory.predictors import OutsideDomain

Rows = list[list[Fraction]]


def number(name: str, value: Any, *, positive: bool = False, least: int | None = None) -> Rational:
    """A finite rational, above 0 or not below ``least`` where that is asked for.

    Raises
    ------
    OutsideDomain
        For anything else.

    Examples
    --------
    >>> number("t", Rational(1, 3), least=0)
    1/3
    """
    allowed = "a positive number" if positive else "a number" if least is None else f"a number of at least {least}"
    good = isinstance(value, Rational) and not (positive and value <= 0) and not (least is not None and value < least)
    if not good:
        raise OutsideDomain(f"{name} is {value}; give {allowed}, such as 1/2")
    return value


def count(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An integer of at least ``least``, and at most ``most`` where that is given.

    Raises
    ------
    OutsideDomain
        For anything else.

    Examples
    --------
    >>> count("K", Integer(3), 2)
    3
    """
    if not isinstance(value, Integer) or value < least or (most is not None and value > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise OutsideDomain(f"{name} is {value}; give an integer {allowed}")
    return int(value)


def matrix(name: str, value: Any) -> Rows:
    """Rows of equal length, all finite rationals.

    Raises
    ------
    OutsideDomain
        For anything else.

    Examples
    --------
    >>> matrix("Z0", [[Integer(1), Rational(1, 2)]])
    [[Fraction(1, 1), Fraction(1, 2)]]
    """
    allowed = "give a list of rows of equal length, all finite numbers, such as [[1,0],[1/2,2]]"
    if not _filled(value) or not all(_filled(row) for row in value):
        raise OutsideDomain(f"{name} is not a matrix; {allowed}")
    if len({len(row) for row in value}) != 1:
        raise OutsideDomain(f"{name} has rows of different lengths; {allowed}")
    for entry in (entry for row in value for entry in row):
        if not isinstance(entry, Rational):
            raise OutsideDomain(f"{name} holds the entry {entry}; {allowed}")
    return [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in value]


def kernel(name: str, value: Any, points: int, of: str) -> Rows:
    """A symmetric positive semidefinite matrix with one row a point; ``of`` says where the points are counted.

    Raises
    ------
    OutsideDomain
        For another shape, or a matrix that is no kernel.

    Examples
    --------
    >>> kernel("Theta_x", [[Integer(2)]], 1, "Z0 has 1 row")
    [[Fraction(2, 1)]]
    """
    rows = matrix(name, value)
    if (len(rows), len(rows[0])) != (points, points):
        raise OutsideDomain(
            f"{name} is {len(rows)} x {len(rows[0])} and {of}; give a square kernel with one row a point"
        )
    symmetric = all(rows[m][n] == rows[n][m] for m in range(points) for n in range(m))
    if not symmetric or not positive_semidefinite(rows):
        raise OutsideDomain(
            f"{name} is not a kernel; give a symmetric positive semidefinite matrix (a Gram matrix J J^T)"
        )
    return rows


def positive_semidefinite(rows: Rows) -> bool:
    """Exact elimination of a symmetric matrix: every pivot is positive, or zero with a zero row.

    Examples
    --------
    >>> one, two = Fraction(1), Fraction(2)
    >>> positive_semidefinite([[one, one], [one, one]]), positive_semidefinite([[one, two], [two, one]])
    (True, False)
    """
    rest = rows
    while rest:
        pivot, *first = rest[0]
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        factors = [entry / pivot if pivot else Fraction(0) for entry in first]
        rest = [
            [entry - factor * top for entry, top in zip(row[1:], first, strict=True)]
            for row, factor in zip(rest[1:], factors, strict=True)
        ]
    return True


def _filled(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
