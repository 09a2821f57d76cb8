"""The gradient of the loss is no larger than beta times residual times Jacobian (T27)."""

import random

from sympy import Symbol

from theory.claims import Bound
from theory.definitions.temperature import (
    MEANINGS,
    J,
    K,
    M,
    P,
    a_network,
    beta,
    j,
    n,
    over_logits,
    over_parameters,
    p,
    r,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.premises import Define
from theory.proof.steps import Equal, Holds
from theory.proof.told import names
from theory.proof.worlds import World, table

squared_gradient, squared_residual, squared_Jacobian, areas = (
    Symbol(name, real=True) for name in ("squared_gradient", "squared_residual", "squared_Jacobian", "areas")
)
m_, j_ = (Symbol(name, integer=True, positive=True) for name in ("m'", "j'"))
CAUCHY = Bound(squared_gradient, beta**2 * squared_residual * squared_Jacobian)
GRADIENT = Define(
    "squared gradient", squared_gradient, over_parameters((beta * over_logits(r[n, j] * J[n, j, p])) ** 2)
)
OF_RESIDUAL = Define("squared residual", squared_residual, over_logits(r[n, j] ** 2))
OF_JACOBIAN = Define("squared Jacobian", squared_Jacobian, over_parameters(over_logits(J[n, j, p] ** 2)))
AREAS = Define(
    "areas",
    areas,
    beta**2
    / 2
    * over_parameters(over_logits(over_logits((r[n, j] * J[m_, j_, p] - r[m_, j_] * J[n, j, p]) ** 2, m_, j_))),
)


def a_gradient(source: random.Random) -> World:
    """Two points, two classes, two parameters, any residual."""
    values = a_network(source, 2, 2, 2).values
    return World({**{symbol: values[symbol] for symbol in (M, K, P, beta, J)}, r: table(source, 2, 2)})


CAUCHY_DERIVATION = Derivation(
    premises=(GRADIENT, OF_RESIDUAL, OF_JACOBIAN, AREAS),
    steps=(
        Equal(
            "what the inequality leaves",
            CAUCHY.larger - CAUCHY.smaller,
            areas,
            uses=names(GRADIENT, OF_RESIDUAL, OF_JACOBIAN, AREAS),
            normal=(expanded, sums, rational),
            because="Lagrange's identity, parameter by parameter",
        ),
        Holds("areas are no less than 0", areas >= 0, uses=names(AREAS), because="a sum of squares"),
        Holds("bound", CAUCHY.statement, uses=("what the inequality leaves", "areas are no less than 0")),
    ),
    worlds=a_gradient,
)

LAWS = (
    Law(
        name="temperature.gradient_bound",
        title="The gradient is no larger than beta times residual times Jacobian",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.5, before eq 58",
            ("temperature:T27",),
            "||grad L|| <= beta l_z g_z exactly, by Cauchy's inequality; the paper has it as an estimate",
        ),
        quantities=(
            Quantity(squared_gradient, "squared norm of the gradient of the loss"),
            Quantity(squared_residual, "squared Frobenius norm of Y - p"),
            Quantity(squared_Jacobian, "squared Frobenius norm of dz/dtheta"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="any network and labels; loss summed over points",
        derivation=CAUCHY_DERIVATION,
        claim=CAUCHY,
        rivals=(
            Rival(
                "without beta",
                Bound(squared_gradient, squared_residual * squared_Jacobian),
                "forgets that the loss sees beta z",
            ),
        ),
    ),
)
