"""Where the linearised dynamics start: a model that is linear in its parameters, trained by regularised descent.

``delta(t, p)`` is the displacement of a parameter from its start after t steps of gradient descent on the summed
cross-entropy plus half of lam times the squared displacement; ``z_at(t, m, k)`` are the raw logits of the training
points then, ``r_at`` their residuals. Temperature, learning rate and weight decay are any; the slope of the loss is
that of temperature.softmax_gradient. The numeric twin is ``experiments.temperature.linear_training``.
"""

import random
from typing import Any

from sympy import Expr, Function, IndexedBase, Integer, Lambda, Symbol

from theory.definitions.temperature import (
    MEANINGS,
    J,
    K,
    M,
    P,
    Y,
    beta,
    eta,
    i,
    j,
    k,
    labels_of,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    softmax_of,
    z,
)
from theory.law import Quantity
from theory.proof.premises import Define
from theory.proof.worlds import World, rational, table

t = Symbol("t", integer=True, nonnegative=True)
lam = Symbol("lam", nonnegative=True)
delta, z_at, r_at, c_at = (Function(name, real=True) for name in ("delta", "z_at", "r_at", "c_at"))
g = IndexedBase("g", real=True)

START = Define("training starts here", delta(0, p), Integer(0))
STEP = Define(
    "regularised descent",
    delta(t + 1, p),
    delta(t, p) + eta * (beta * over_logits(J[n, j, p] * r_at(t, n, j)) - lam * delta(t, p)),
)
LOGITS = Define("linear model", z_at(t, m, k), z[m, k] + over_parameters(J[m, k, p] * delta(t, p)))
RESIDUALS = Define("residuals", r_at(t, m, k), Y[m, k] - softmax_of(beta * z_at(t, m, k), k, j))
COEFFICIENTS = (
    Define("no coefficients at the start", c_at(0, m, k), Integer(0)),
    Define(
        "coefficients gather the residuals",
        c_at(t + 1, m, k),
        c_at(t, m, k) + eta * (beta * r_at(t, m, k) - lam * c_at(t, m, k)),
    ),
)
"""How much of each row of the Jacobian the displacement holds."""

MEANING = {
    **MEANINGS,
    t: ("steps of gradient descent", "step"),
    lam: ("weight decay: half of it times the squared displacement is added to the loss", "1"),
    g: ("Jacobian row of a logit that is not trained on", "1"),
}


def quantities(*symbols: Any) -> tuple[Quantity, ...]:
    """Meanings of symbols of the topic."""
    return tuple(Quantity(symbol, *MEANING[symbol]) for symbol in symbols)


def spanned(parameter: Expr) -> Expr:
    """The coefficients' part of a displacement."""
    return over_logits(J[n, j, parameter] * c_at(t, n, j))


def any_function(source: random.Random, *arguments: Symbol) -> Lambda:
    """A random rational function of integer arguments, for what is not specified further."""
    return Lambda(arguments, sum(rational(source, -2, 2) * a for a in arguments) / (1 + sum(a**2 for a in arguments)))


def a_linear_model(source: random.Random, points: int = 1, classes: int = 2, parameters: int = 2) -> World:
    """A small random linear model; the rates are small so that ten steps stay small numbers."""
    return World(
        {
            M: points,
            K: classes,
            P: parameters,
            m: source.randint(1, points),
            n: source.randint(1, points),
            i: source.randint(1, classes),
            j: source.randint(1, classes),
            k: source.randint(1, classes),
            p: source.randint(1, parameters),
            t: 1,
            beta: rational(source, 1, 2),
            eta: rational(source, 1, 2) / 8,
            lam: rational(source, 1, 2) / 4,
            z: table(source, points, classes, low=-1, high=1),
            Y: labels_of(source, points, classes),
            J: table(source, points, classes, parameters, low=-1, high=1),
        }
    )
