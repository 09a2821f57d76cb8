"""Abstract smooth functions as chains: each is the derivative of the one before, so no `Subs` appears."""

from __future__ import annotations

from typing import Any

from sympy import Expr
from sympy.core.function import AppliedUndef, UndefinedFunction


class Smooth(AppliedUndef):
    """An abstract function that can be differentiated as often as wanted.

    A world gives a Lambda to the first of a chain only; the others are its derivatives there. It is another function
    than a plain one of its name: SymPy compares names and what comes with them, so its kind comes with it.
    """

    def fdiff(self, argindex: int = 1) -> Expr:
        """The derivative in one argument: the next function of the chain at the same place."""
        return derivative(self.func, argindex)(*self.args)


def smooth(name: str, **assumptions: bool) -> Any:
    """An abstract smooth function; real unless said otherwise.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> smooth("phi")(x**2).diff(x)
    2*x*dphi(x**2)
    """
    return UndefinedFunction(name, bases=(Smooth,), kind="smooth", **({"real": True} | assumptions))


def derivative(function: Any, argument: int = 1) -> Any:
    """The derivative of a smooth function in one of its arguments, itself smooth.

    Examples
    --------
    >>> derivative(smooth("phi")), derivative(smooth("f"), 2)
    (dphi, d2f)
    """
    prefix = "d" if argument == 1 else f"d{argument}"
    parent = (function, argument)
    return UndefinedFunction(prefix + function.__name__, bases=(Smooth,), kind="smooth", parent=parent, real=True)
