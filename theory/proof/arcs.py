"""Normal form of inverse sines and cosines: arctangents of the tangent of half the angle."""

from __future__ import annotations

from sympy import Expr, acos, asin, atan, pi, sqrt

from theory.proof.known import Known


def arcs(gap: Expr, known: Known) -> Expr:
    """Each arcsine as 2 atan(x / (1 + sqrt(1 - x^2))), which it is from -1 to 1, and each arccosine as what it lacks.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> arcs(asin(x) + acos(x), Known())
    pi/2
    """
    if not gap.has(asin, acos):
        return gap
    return gap.replace(acos, lambda x: pi / 2 - asin(x)).replace(asin, lambda x: 2 * atan(x / (1 + sqrt(1 - x**2))))
