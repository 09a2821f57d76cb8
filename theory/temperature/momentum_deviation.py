"""How networks with momentum leave their linear model at every temperature (T27)."""

import random
from dataclasses import replace

from sympy import Function, IndexedBase, Integer, Symbol, sqrt

from theory.claims import PowerLaw
from theory.definitions.temperature import (
    MEANINGS,
    H,
    J,
    K,
    M,
    P,
    a_network,
    beta,
    eta_tilde,
    i,
    m,
    over_parameters,
    p,
    q,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.tau_z import squared_norm

Z0 = IndexedBase("Z0", real=True)
pull, bend = (IndexedBase(name, real=True) for name in ("u", "bend"))
parameters, network, linear, norm_deviation = (
    Function(name, real=True) for name in ("displacement", "Z", "Z_linear", "norm_deviation")
)
norm_bend = Symbol("norm_bend", real=True)
DEVIATION = PowerLaw(norm_deviation(beta), beta, Integer(-1))
EXPONENT = "exponents do not see a factor, norms no sign"
FIRST = Define("parameters after a step", parameters(p, beta), eta_tilde / beta**2 * (beta * pull[p]), EXPONENT)
BENT = over_parameters(over_parameters(H[m, i, p, q] * parameters(p, beta) * parameters(q, beta), q))
LINEAR = Define(
    "logits of the linear model",
    linear(m, i, beta),
    Z0[m, i] + beta * over_parameters(J[m, i, p] * parameters(p, beta)),
    "the path of a linear model is the same at beta^2",
)
NETWORK = Define(
    "logits of the network",
    network(m, i, beta),
    Z0[m, i] + beta * (over_parameters(J[m, i, p] * parameters(p, beta)) + BENT / 2),
)
BEND = Define("bend", bend[m, i], over_parameters(over_parameters(H[m, i, p, q] * pull[p] * pull[q], q)))
NORM_BEND = Define("size of the bend", norm_bend, sqrt(squared_norm(bend[m, i])))
NORM_DEVIATION = Define(
    "size of the deviation", norm_deviation(beta), sqrt(squared_norm(network(m, i, beta) - linear(m, i, beta)))
)
BENDS = Suppose("the network bends along the pull", norm_bend > 0)


def a_bent_network(source: random.Random) -> World:
    """A quadratic network of one point, two classes and two parameters."""
    values = a_network(source, 1, 2, 2).values
    return World(
        {
            **{symbol: values[symbol] for symbol in (M, K, P, m, i, p, q, beta, J, H)},
            pull: table(source, 2),
            Z0: table(source, 1, 2),
            eta_tilde: fraction(source),
        }
    )


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


DEVIATION_DERIVATION = Derivation(
    premises=(FIRST, LINEAR, NETWORK, BEND, NORM_BEND, NORM_DEVIATION, BENDS),
    steps=(
        Equal(
            "bent by 1/beta",
            network(m, i, beta) - linear(m, i, beta),
            eta_tilde**2 / (2 * beta) * bend[m, i],
            uses=names(FIRST, LINEAR, NETWORK, BEND),
            because="the parameters move by eta~/beta times the pull, the bend sees their square",
            forall=(m, i),
        ),
        Equal(
            "size of that",
            norm_deviation(beta),
            eta_tilde**2 / (2 * beta) * norm_bend,
            uses=("bent by 1/beta", *names(NORM_DEVIATION, NORM_BEND)),
            normal=(sums, radicals),
        ),
        Follows(
            "one power",
            DEVIATION.quantity,
            DEVIATION.control,
            DEVIATION.exponent,
            uses=("size of that", *names(BENDS, NORM_BEND, BEND)),
        ),
    ),
    worlds=a_bent_network,
)

LAWS = (
    Law(
        name="temperature.momentum_deviation",
        title="At fixed eta~, damping and time a network leaves its linear model by an amount that falls like 1/beta",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.5, eqs 58-70",
            ("temperature:T27",),
            "deviation from the linearised momentum run at fixed (eta~, gamma, t) falls like 1/beta for large beta",
        ),
        quantities=(Quantity(beta, *MEANINGS[beta]),),
        regime="derived for the first step of a network with second derivatives H; measured over many steps, where "
        "that later steps keep the order is a premise; beta so large that the deviation is small",
        derivation=DEVIATION_DERIVATION,
        claim=DEVIATION,
        rivals=(
            Rival("no dependence", replace(DEVIATION, exponent=Integer(0)), "what fixed raw logits would give"),
            Rival("quadratic", replace(DEVIATION, exponent=Integer(-2)), "counts both factors of the parameters"),
        ),
    ),
)
