"""Inequalities as they are written: SymPy is not asked whether they are true, which takes long."""

from sympy import Basic, Ge, Gt, Le, Lt
from sympy.core.relational import Relational


def at_least(left: Basic | int, right: Basic | int) -> Relational:
    """Left >= right.

    Examples
    --------
    >>> from sympy import exp, symbols
    >>> y = symbols("y", real=True)
    >>> at_least(exp(y), 0)
    exp(y) >= 0
    """
    return Ge(left, right, evaluate=False)


def at_most(left: Basic | int, right: Basic | int) -> Relational:
    """Left <= right.

    Examples
    --------
    >>> at_most(1, 2)
    1 <= 2
    """
    return Le(left, right, evaluate=False)


def above(left: Basic | int, right: Basic | int) -> Relational:
    """Left > right.

    Examples
    --------
    >>> above(2, 1)
    2 > 1
    """
    return Gt(left, right, evaluate=False)


def below(left: Basic | int, right: Basic | int) -> Relational:
    """Left < right.

    Examples
    --------
    >>> below(1, 2)
    1 < 2
    """
    return Lt(left, right, evaluate=False)
