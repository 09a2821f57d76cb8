"""Definite integrals in a world, by quadrature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mpmath
from sympy import (
    Abs,
    Add,
    Basic,
    Dummy,
    Float,
    Integral,
    Mul,
    N,
    Piecewise,
    Poly,
    PolynomialError,
    Pow,
    Symbol,
    fraction,
    lambdify,
    sign,
    together,
)
from sympy.core.relational import Relational

from theory.proof.comparing import EvaluationError

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation


def integrated(world: Evaluation, e: Integral, local: dict[Basic, Any]) -> Any:
    """The value of an integral, in symbols that sums or derivatives bind (``local``) and in the world's own.

    Raises
    ------
    EvaluationError
        Where the integrand is infinite or not real.
    """
    *inner, (variable, low, high) = e.limits
    body = Integral(e.function, *inner) if inner else e.function
    dummy = Dummy(real=True)
    integrand = _opened(world, body, {**local, variable: dummy})
    ends = world._in(low, local), world._in(high, local)
    if any(end.is_infinite for end in ends) or integrand.free_symbols - {dummy}:
        return N(Integral(integrand, (dummy, *ends)), world.digits)
    with mpmath.workdps(world.digits + 15):  # compiled once, where evalf would walk the tree at every place
        low, high = (mpmath.mpmathify(N(end, world.digits + 15)) for end in ends)
        cuts = sorted(x for x in jumps(integrand, dummy) if min(low, high) < x < max(low, high))
        places = [low, *(cuts if low <= high else reversed(cuts)), high]
        try:
            found = mpmath.quad(lambdify(dummy, integrand, "mpmath"), places)
        except ZeroDivisionError as error:
            raise EvaluationError(f"{e} has an integrand that is infinite here") from error
    if not isinstance(found, mpmath.mpf):
        raise EvaluationError(f"{e} has an integrand that is not real here")
    return Float(found, world.digits)


def _opened(world: Evaluation, e: Basic, local: dict[Basic, Any]) -> Any:
    """The value of an integrand in which something runs: conditions of a Piecewise cannot be decided, and stay."""
    if isinstance(e, Piecewise):
        return Piecewise(*((_opened(world, value, local), _compared(world, c, local)) for value, c in e.args))
    if e.has(Piecewise) and isinstance(e, Add | Mul | Pow):
        return e.func(*(_opened(world, part, local) for part in e.args))
    return world._in(e, local)


def _compared(world: Evaluation, condition: Any, local: dict[Basic, Any]) -> Any:
    if not isinstance(condition, Relational):
        return condition
    return condition.func(world._in(condition.lhs, local), world._in(condition.rhs, local))


def jumps(integrand: Basic, variable: Symbol) -> set[Any]:
    """Real places at which a Piecewise, Abs or sign of a polynomial in the variable may change its form.

    A quadrature across them would keep few digits.

    Examples
    --------
    >>> x = Symbol("x", real=True)
    >>> jumps(Piecewise((1, (2 * x - 1) / (1 + x**2) > 0), (0, True)), x)
    {mpf('0.5')}
    """
    told = [part.args[0] for part in integrand.atoms(Abs, sign)]
    for part in integrand.atoms(Piecewise):
        told += [c.lhs - c.rhs for _, condition in part.args for c in condition.atoms(Relational)]  # type: ignore[attr-defined]
    found = set()
    for gap in told:
        try:
            coefficients = Poly(fraction(together(gap))[0], variable).all_coeffs()
        except PolynomialError:
            continue
        if len(coefficients) > 1 and all(c.is_number for c in coefficients):
            try:
                roots = mpmath.polyroots([mpmath.mpmathify(N(c, mpmath.mp.dps)) for c in coefficients], extraprec=200)
            except mpmath.libmp.NoConvergence:
                continue
            found |= {root.real for root in roots if abs(root.imag) < mpmath.mpf(10) ** (-mpmath.mp.dps // 2)}
    return found
