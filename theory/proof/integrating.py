"""Definite integrals in a world, by quadrature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
from sympy import Basic, Dummy, Float, Integral, N, lambdify

from theory.proof.comparing import EvaluationError

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation


def integrated(world: Evaluation, e: Integral, local: dict[Basic, Any]) -> Any:
    """The value of an integral, in symbols that sums or derivatives bind (``local``) and in the world's own.

    Raises
    ------
    EvaluationError
        Where the integrand is infinite.
    """
    *inner, (variable, low, high) = e.limits
    body = Integral(e.function, *inner) if inner else e.function
    dummy = Dummy(real=True)
    integrand = world._in(body, {**local, variable: dummy})
    ends = world._in(low, local), world._in(high, local)
    if any(end.is_infinite for end in ends) or integrand.free_symbols - {dummy}:
        return N(Integral(integrand, (dummy, *ends)), world.digits)
    with mpmath.workdps(world.digits + 15):  # compiled once, where evalf would walk the tree at every place
        places = [mpmath.mpmathify(N(end, world.digits + 15)) for end in ends]
        try:
            return Float(mpmath.quad(lambdify(dummy, integrand, "mpmath"), places), world.digits)
        except ZeroDivisionError as error:
            raise EvaluationError(f"{e} has an integrand that is infinite here") from error
