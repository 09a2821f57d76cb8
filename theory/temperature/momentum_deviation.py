"""How networks with momentum leave their linear model at every temperature, at any step (T27).

A network that is quadratic in its parameters, trained at fixed eta~ = eta beta^2 and gamma. By induction over the
steps its parameters are 1/beta times a path that knows the temperature only as share = 1/beta, the factor of all
that bends; where the share is 0 that path is the linear model's at every temperature (temperature.momentum_scheme).
"""

import random
from dataclasses import replace

from sympy import Eq, Expr, Function, Integer, Lambda, Mod, Rational, Symbol, oo, sqrt

from theory.claims import PowerLaw
from theory.definitions.momentum import gamma, k
from theory.definitions.temperature import (
    MEANINGS,
    H,
    J,
    Y,
    beta,
    eta_tilde,
    i,
    j,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    q,
    softmax_of,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.evaluation import Evaluation
from theory.proof.functions import smooth
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Induct, Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.temperature.momentum_scheme import (
    AT_REST,
    AT_START,
    LOGITS,
    PUSH,
    RESIDUAL,
    STEP,
    Z0,
    a_trajectory,
    b,
    moved,
    velocity,
)
from theory.temperature.momentum_scheme import logits as linear
from theory.temperature.tau_z import squared_norm

share = Symbol("share", real=True)
steps = Symbol("steps", integer=True, nonnegative=True)
norm_bend = Symbol("norm_bend", real=True)
correction = smooth("correction")
net_velocity, net_moved, network, scaled_velocity, scaled, scaled_logits, norm_deviation = (
    Function(name, real=True)
    for name in ("v_net", "moved_net", "Z_net", "v_scaled", "moved_scaled", "Z_scaled", "norm_deviation")
)
DEVIATION = PowerLaw(norm_deviation(beta), beta, Integer(-1))


def bent(moves: Function, at: Symbol) -> Expr:
    """What second derivatives add to a logit as the parameters move."""
    return over_parameters(over_parameters(H[m, i, p, q] * moves(k, p, at) * moves(k, q, at), q)) / 2


def pulled(moves: Function, of_logits: Function, at: Symbol, bending: Expr) -> Expr:
    """Residuals pulled back to the parameters by the Jacobian where these stand."""
    jacobian = J[n, j, p] + bending * over_parameters(H[n, j, p, q] * moves(k, q, at), q)
    return over_logits(jacobian * (Y[n, j] - softmax_of(of_logits(k, n, j, at), j, i)))


NETWORK = Define(
    "logits of the network",
    network(k, m, i, b),
    Z0[m, i] + b * (over_parameters(J[m, i, p] * net_moved(k, p, b)) + bent(net_moved, b)),
)
NET_AT_REST = Define("network at rest", net_velocity(0, p, b), Integer(0))
NET_AT_START = Define("network at the start", net_moved(0, p, b), Integer(0))
NET_PUSH = Define(
    "push of the network",
    net_velocity(k + 1, p, b),
    (1 - gamma) * net_velocity(k, p, b) + b * pulled(net_moved, network, b, Integer(1)),
)
NET_STEP = Define(
    "step of the network", net_moved(k + 1, p, b), net_moved(k, p, b) + eta_tilde / b**2 * net_velocity(k + 1, p, b)
)
SCALED = Define(
    "logits by scaled parameters",
    scaled_logits(k, m, i, share),
    Z0[m, i] + over_parameters(J[m, i, p] * scaled(k, p, share)) + share * bent(scaled, share),
)
SCALED_AT_REST = Define("scaled at rest", scaled_velocity(0, p, share), Integer(0))
SCALED_AT_START = Define("scaled at the start", scaled(0, p, share), Integer(0))
SCALED_PUSH = Define(
    "scaled push",
    scaled_velocity(k + 1, p, share),
    (1 - gamma) * scaled_velocity(k, p, share) + pulled(scaled, scaled_logits, share, share),
)
SCALED_STEP = Define(
    "scaled step", scaled(k + 1, p, share), scaled(k, p, share) + eta_tilde * scaled_velocity(k + 1, p, share)
)
FIRST = Suppose(
    "the scaled logits have a slope in the share",
    Eq(
        scaled_logits(steps, m, i, 1 / beta),
        scaled_logits(steps, m, i, 0) + correction(m, i, 1 / beta) / beta,
        evaluate=False,
    ),
    forall=(m, i, beta),
)
NORM_BEND = Define("size of that slope where nothing bends", norm_bend, sqrt(squared_norm(correction(m, i, 0))))
APART = network(steps, m, i, beta) - linear(steps, m, i, beta)
NORM_DEVIATION = Define("size of the deviation", norm_deviation(beta), sqrt(squared_norm(APART)))
BENDS = Suppose("the network bends along the path", norm_bend > 0)
OF_NETWORK = (NETWORK, NET_AT_REST, NET_AT_START, NET_PUSH, NET_STEP)
OF_SCALED = (SCALED, SCALED_AT_REST, SCALED_AT_START, SCALED_PUSH, SCALED_STEP)
SQUARED = "the path of a linear model is the same at beta^2"
OF_LINEAR = (
    *(replace(d, convention=SQUARED) for d in (LOGITS, RESIDUAL)),
    *(replace(d, convention="") for d in (AT_REST, AT_START, PUSH, STEP)),
)


def a_bent_network(source: random.Random) -> World:
    """One point, two classes (again and again), one parameter; after one step the logits are a line in the share."""
    values = {**a_trajectory(source).values, H: table(source, 1, 2, 1, 1, low=-3, high=3), steps: 1, q: 1}
    here = Evaluation(values, tuple((d.head, d.body) for d in OF_SCALED))
    first, second = (here.value(scaled_logits(1, 1, c, 1) - scaled_logits(1, 1, c, 0)) for c in (1, 2))
    slope = Lambda((m, i, share), first + (second - first) * Mod(i - 1, 2))
    return World({**values, share: Rational(1, 3), correction: slope})


DEVIATION_DERIVATION = Derivation(
    premises=(*OF_NETWORK, *OF_LINEAR, *OF_SCALED, FIRST, NORM_BEND, NORM_DEVIATION, BENDS),
    steps=(
        Induct(
            "one path for all temperatures, bent by 1/beta",
            k,
            net_moved(k, p, b),
            scaled(k, p, 1 / b) / b,
            uses=names(*OF_NETWORK, *OF_SCALED),
            also=((net_velocity(k, p, b), b * scaled_velocity(k, p, 1 / b)),),
            every=(p, b),
            because="parameters move by 1/beta, so that what they bend is 1/beta against what they tilt",
        ),
        Induct(
            "where nothing bends it is the linear model's",
            k,
            moved(k, p, b),
            scaled(k, p, 0) / b,
            uses=names(*OF_LINEAR, *OF_SCALED),
            also=((velocity(k, p, b), b * scaled_velocity(k, p, 0)),),
            every=(p, b),
        ),
        Equal(
            "logits of the network at any temperature",
            network(steps, m, i, b),
            scaled_logits(steps, m, i, 1 / b),
            uses=("one path for all temperatures, bent by 1/beta", *names(NETWORK, SCALED)),
            forall=(m, i, b),
        ),
        Equal(
            "logits of the linear model at any temperature",
            linear(steps, m, i, b),
            scaled_logits(steps, m, i, 0),
            uses=("where nothing bends it is the linear model's", *names(LOGITS, SCALED)),
            forall=(m, i, b),
        ),
        Equal(
            "bent by 1/beta",
            APART,
            correction(m, i, 1 / beta) / beta,
            uses=(
                "logits of the network at any temperature",
                "logits of the linear model at any temperature",
                FIRST.name,
            ),
            forall=(m, i, beta),
        ),
        Equal(
            "size of that",
            norm_deviation(beta),
            sqrt(squared_norm(correction(m, i, 1 / beta))) / beta,
            uses=("bent by 1/beta", NORM_DEVIATION.name),
            normal=(sums, radicals),
            forall=(beta,),
        ),
        Tends(
            "what is left in units of 1/beta",
            beta * norm_deviation(beta),
            beta,
            oo,
            norm_bend,
            uses=("size of that", NORM_BEND.name),
            normal=(sums, radicals),
        ),
        Follows(
            "one power",
            DEVIATION.quantity,
            DEVIATION.control,
            DEVIATION.exponent,
            uses=("what is left in units of 1/beta", BENDS.name),
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
        quantities=(
            Quantity(beta, *MEANINGS[beta]),
            Quantity(Symbol("norm_deviation"), "distance from the linear model, over how far that has moved"),
        ),
        regime="after any number of steps of full-batch momentum from rest, of a network that is quadratic in its "
        "parameters, at equal Z0; that its logits, which by induction know beta as 1/beta alone, have a continuous "
        "slope in it that is not 0 is a premise (at every step they are smooth functions of those before); beta so "
        "large that the deviation is small",
        derivation=DEVIATION_DERIVATION,
        claim=DEVIATION,
        rivals=(
            Rival("no dependence", replace(DEVIATION, exponent=Integer(0)), "what fixed raw logits would give"),
            Rival("quadratic", replace(DEVIATION, exponent=Integer(-2)), "counts both factors of the parameters"),
        ),
    ),
)
