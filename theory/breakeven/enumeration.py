"""Exact truth for small training sets: every batch is listed and averaged in rationals."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from collections.abc import Sequence
from itertools import combinations, product

from sympy import Rational


def batch_means(values: Sequence[Rational], size: int, replacement: bool = False) -> list[Rational]:
    """Mean over each batch of `size` examples, all batches equally likely.

    Examples
    --------
    >>> batch_means([Rational(1), Rational(3), Rational(8)], 2)
    [2, 9/2, 11/2]
    """
    listed = product(values, repeat=size) if replacement else combinations(values, size)
    return [sum(one, Rational(0)) / size for one in listed]


def mean(values: Sequence[Rational]) -> Rational:
    """Mean of a list.

    Examples
    --------
    >>> mean([Rational(1), Rational(2)])
    3/2
    """
    return sum(values, Rational(0)) / len(values)


def variance(values: Sequence[Rational]) -> Rational:
    """Population variance of a list.

    Examples
    --------
    >>> variance([Rational(0), Rational(4)])
    4
    """
    centre = mean(values)
    return mean([(value - centre) ** 2 for value in values])


def growth(curvatures: Sequence[Rational], size: int, rate: Rational, replacement: bool = False) -> Rational:
    """Mean squared distance after one step of SGD over that before it, from the step itself.

    Each batch multiplies the distance by 1 - rate * (its mean curvature).

    Examples
    --------
    >>> growth([Rational(0), Rational(4)], 1, Rational(1, 4))
    1/2
    """
    return mean([(1 - rate * slope) ** 2 for slope in batch_means(curvatures, size, replacement)])
