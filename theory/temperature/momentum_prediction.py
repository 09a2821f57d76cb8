"""Closed forms of momentum: canonical coefficients, early displacement, early timescale, schemes, stability edge."""

from collections.abc import Mapping
from typing import Any

import mpmath
from sympy import Expr, Float, Rational, S, sqrt

from theory.predictors import Input, OutsideDomain, Predictor
from theory.temperature.inputs import number

DIGITS = 40


def canonical(eta: Any, gamma: Any) -> Mapping[str, Expr]:
    """Lambda = gamma/sqrt(eta), T_mom = eta/gamma^2, effective learning rate eta/gamma.

    Raises
    ------
    OutsideDomain
        For a learning rate that is not positive, or a damping outside [0, 1].

    Examples
    --------
    >>> canonical(Rational(1, 4), Rational(1, 10))
    {'lam': 1/5, 'T_mom': 25, 'effective_learning_rate': 5/2}
    """
    rate, damping = number("eta", eta, positive=True), _damping_of_a_step(gamma)
    if damping == 0:
        return {"lam": S.Zero, "T_mom": S.Infinity, "effective_learning_rate": S.Infinity}
    return {"lam": damping / sqrt(rate), "T_mom": rate / damping**2, "effective_learning_rate": rate / damping}


def early(damping: Any, gradient: Any, tau: Any) -> Mapping[str, Expr]:
    """Displacement under a constant gradient, -(g/d^2)(d tau - 1 + exp(-d tau)), and its terms through tau^3.

    Raises
    ------
    OutsideDomain
        For a negative damping or time, or numbers that are not finite.

    Examples
    --------
    >>> from sympy import Integer
    >>> early(Integer(0), Integer(2), Integer(3))
    {'displacement': -9, 'cubic': -9}
    """
    rate, slope = number("damping", damping, least=0), number("gradient", gradient)
    time = number("tau", tau, least=0)
    cubic = -slope * time**2 / 2 + rate * slope * time**3 / 6
    x = rate * time
    if x == 0:
        return {"displacement": -slope * time**2 / 2, "cubic": cubic}
    with mpmath.workdps(DIGITS + 2 * _decades(x)):
        place = _real(x)
        reached = place + mpmath.expm1(-place)
        return {"displacement": -slope * Float(reached, DIGITS) / rate**2, "cubic": cubic}


def early_time(damping: Any, ratio: Any) -> Mapping[str, Expr]:
    """The tau at which (d tau - 1 + exp(-d tau))/d^2 reaches ||Z0||/||Theta r||.

    Raises
    ------
    OutsideDomain
        For a negative damping or ratio.

    Examples
    --------
    >>> from sympy import Integer
    >>> early_time(Integer(0), Integer(8))
    {'tau': 4}
    """
    rate, wanted = number("damping", damping, least=0), number("ratio", ratio, least=0)
    if rate == 0 or wanted == 0:
        return {"tau": sqrt(2 * wanted)}
    goal = rate**2 * wanted
    with mpmath.workdps(DIGITS + 2 * _decades(goal)):
        y = _real(goal)
        x = min(y + 1, y + mpmath.sqrt(2 * y))
        for _ in range(10000):  # from above on a convex function: Newton falls to the root
            step = (x + mpmath.expm1(-x) - y) / -mpmath.expm1(-x)
            x -= step
            if abs(step) <= abs(x) * mpmath.mpf(10) ** -(DIGITS - 5):
                return {"tau": Float(x, DIGITS) / rate}
    raise ArithmeticError("momentum_tau_z: the time was not found to its digits")


def scheme(eta_tilde: Any, damping: Any, beta: Any) -> Mapping[str, Expr]:
    """What fixed (eta~, gamma~) means at a temperature: eta = eta~/beta^2, gamma = sqrt(eta~) gamma~.

    gamma stays below 1 while eta~ < gamma~^-2.

    Raises
    ------
    OutsideDomain
        For a learning rate or beta that is not positive, or a negative damping.

    Examples
    --------
    >>> from sympy import Integer
    >>> scheme(Rational(1, 4), Integer(1), Integer(2))
    {'gamma': 1/2, 'eta': 1/16, 'eta_tilde_max': 1}
    """
    rate, held = number("eta_tilde", eta_tilde, positive=True), number("damping", damping, least=0)
    inverse = number("beta", beta, positive=True)
    largest = S.Infinity if held == 0 else 1 / held**2
    return {"gamma": sqrt(rate) * held, "eta": rate / inverse**2, "eta_tilde_max": largest}


def heavy_ball_edge(gamma: Any, curvature: Any) -> Mapping[str, Expr]:
    """Largest stable learning rate on a quadratic, 2 (2 - gamma)/curvature.

    Raises
    ------
    OutsideDomain
        For a damping outside [0, 1] or a curvature that is not positive.

    Examples
    --------
    >>> from sympy import Integer
    >>> heavy_ball_edge(Rational(1, 2), Integer(6))
    {'eta_max': 1/2}
    """
    return {"eta_max": 2 * (2 - _damping_of_a_step(gamma)) / number("curvature", curvature, positive=True)}


def _damping_of_a_step(gamma: Any) -> Rational:
    value = number("gamma", gamma, least=0)
    if value > 1:
        raise OutsideDomain(f"gamma is {value}; give a damping from 0 to 1: v <- (1 - gamma) v - g")
    return value


def _decades(x: Rational) -> int:
    """Digits that are lost to cancellation where x is small."""
    return max(0, len(str(int(1 / x))))


def _real(x: Rational) -> Any:
    return mpmath.mpf(int(x.p)) / int(x.q)


GAMMA = Input("gamma", "damping of a step, v <- (1 - gamma) v - g: from 0 to 1")
DAMPING = Input("damping", "damping in canonical time, gamma~: at least 0")

PREDICTORS = (
    Predictor(
        name="temperature.momentum_canonical",
        laws=("temperature.momentum_canonical", "temperature.momentum_saturated_step"),
        inputs=(Input("eta", "learning rate: a positive number"), GAMMA),
        evaluate=canonical,
        summary="canonical damping gamma/sqrt(eta), T_mom = eta/gamma^2, effective learning rate eta/gamma",
    ),
    Predictor(
        name="temperature.momentum_early",
        laws=("temperature.momentum_early",),
        inputs=(
            DAMPING,
            Input("gradient", "gradient, taken as constant: a number"),
            Input("tau", "canonical time: at least 0"),
        ),
        evaluate=early,
        summary="displacement at rest-start under a constant gradient, and its expansion through tau^3",
    ),
    Predictor(
        name="temperature.momentum_tau_z",
        laws=("temperature.momentum_tau_z",),
        inputs=(DAMPING, Input("ratio", "||Z0|| / ||Theta r||: at least 0")),
        evaluate=early_time,
        summary="early learning timescale with momentum, in canonical time",
    ),
    Predictor(
        name="temperature.momentum_scheme",
        laws=("temperature.momentum_scheme",),
        inputs=(
            Input("eta_tilde", "effective learning rate eta beta^2: a positive number"),
            DAMPING,
            Input("beta", "inverse temperature: a positive number"),
        ),
        evaluate=scheme,
        summary="gamma and eta at a temperature for fixed (eta~, gamma~), and the largest eta~ with gamma < 1",
    ),
    Predictor(
        name="temperature.heavy_ball_edge",
        laws=("temperature.heavy_ball_edge",),
        inputs=(GAMMA, Input("curvature", "curvature of the quadratic: a positive number")),
        evaluate=heavy_ball_edge,
        summary="largest learning rate at which the heavy ball is stable on a quadratic",
    ),
)
