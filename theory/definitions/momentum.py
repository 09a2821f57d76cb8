"""Momentum: the update rule of the temperature paper's appendix B, and its equations in continuous time.

v <- (1 - gamma) v - g, theta <- theta + eta v: gamma is a damping, v(k) and theta(k) are the states after k steps
from rest. In continuous time v' = -gamma v - g, theta' = eta v. Its numeric twin is
``numerics.rules.DAMPED_HEAVY_BALL``.
"""

from sympy import Expr, Function, Integer, Symbol

from theory.definitions.temperature import eta, eta_tilde
from theory.proof.premises import Define

k = Symbol("k", integer=True, nonnegative=True)
gamma = Symbol("gamma", positive=True)
damping = Symbol("damping", positive=True)
curvature = Symbol("curvature", positive=True)
tau = Symbol("tau", positive=True)
gradient = Symbol("gradient", real=True)
velocity, place = (Function(name, real=True) for name in ("v", "theta"))

MEANINGS = {
    k: ("number of steps", "step"),
    eta: ("learning rate", "1/step"),
    eta_tilde: ("effective learning rate, eta beta^2", "1/step"),
    gamma: ("damping of a step: v <- (1 - gamma) v - g", "1/step"),
    damping: ("damping in canonical time, gamma/sqrt(eta)", "1"),
    curvature: ("curvature of the loss along a direction", "1"),
    tau: ("canonical time sqrt(eta) t", "1"),
    gradient: ("gradient, where it is taken as constant", "1"),
}
"""Meaning and unit of each symbol that a law of momentum may state."""

AT_REST = Define("at rest", velocity(0), Integer(0))
AT_START = Define("at the start", place(0), Integer(0))
STEP = Define("step", place(k + 1), place(k) + eta * velocity(k + 1))


def pushed(force: Expr) -> Define:
    """The velocity after a step in which the gradient is ``force`` (written in the step k)."""
    return Define("push", velocity(k + 1), (1 - gamma) * velocity(k) - force)
