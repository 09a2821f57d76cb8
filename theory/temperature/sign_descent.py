"""Sign descent has the two timescales of gradient descent in the unit eta beta instead of eta beta^2 (T29).

theta' = -eta sign(grad L): the size of the gradient, which carries one beta, no longer counts. Adam does so too,
while its epsilon is negligible.
"""

import random
from dataclasses import replace

from sympy import Expr, Function, IndexedBase, Integer, Symbol, sign, sqrt

from theory.claims import Identity, PowerLaw
from theory.definitions.temperature import (
    MEANINGS,
    RATE,
    H,
    J,
    Zdot,
    a_network,
    beta,
    eta,
    i,
    j,
    m,
    n,
    over_logits,
    over_parameters,
    p,
    q,
    r,
    slope,
    velocity,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World, table
from theory.temperature.tau_z import SPEED, norm_Z0, norm_Zdot, squared_norm

tau_z, norm_bend, norm_signed, norm_bent = (
    Symbol(name, real=True) for name in ("tau_z", "norm_bend", "norm_signed", "norm_bent")
)
u, bend, signed, bent = (IndexedBase(name, real=True) for name in ("u", "Zddot", "J_sign_u", "H_sign_u"))
tau_nl = Function("tau_nl", real=True)

UNIT = Identity(eta * beta * tau_z, norm_Z0 / norm_signed)
SLOPE = PowerLaw(eta * beta * tau_nl(beta), beta, Integer(1))
FACTOR = "a sign does not see a positive factor"


def along_signs(point: Symbol, class_: Symbol) -> Expr:
    """Change of a logit along the signs of the pulled residual."""
    return over_parameters(J[point, class_, p] * sign(u[p]))


GRADIENT = Define("slope of the loss in a logit", slope[n, j], -beta * r[n, j], FACTOR)
DESCENT = Define("sign descent", velocity[p], -eta * sign(over_logits(slope[n, j] * J[n, j, p])))
PULL = Define("pulled residual", u[p], over_logits(r[n, j] * J[n, j, p]), FACTOR)
SIGNED = Define("signs seen by a logit", signed[m, i], along_signs(m, i))
NORM_SIGNED = Define("their size", norm_signed, sqrt(squared_norm(signed[m, i])))
BEND = Define(
    "bend of a logit's path",
    bend[m, i],
    beta * over_parameters(over_parameters(H[m, i, p, q] * velocity[q], q) * velocity[p]),
)
NORM_BEND = Define("size of the bend", norm_bend, sqrt(squared_norm(bend[m, i])))
BENT = Define(
    "bend along the signs",
    bent[m, i],
    over_parameters(over_parameters(H[m, i, p, q] * sign(u[q]), q) * sign(u[p])),
)
NORM_BENT = Define("its size", norm_bent, sqrt(squared_norm(bent[m, i])))
TAU_Z = Define("distance over speed", tau_z, norm_Z0 / norm_Zdot)
TAU_NL = Define("speed over bend", tau_nl(beta), norm_Zdot / norm_bend)
MOVES = Suppose("some logit moves", norm_signed > 0)
BENDS = Suppose("some path bends", norm_bent > 0)


def a_signed_network(source: random.Random) -> World:
    """One point, two classes, two parameters; the residual is given, as where Z0 is held."""
    values = {s: v for s, v in a_network(source, 1, 2, 2).values.items() if s != z}
    return World({**values, r: table(source, 1, 2), norm_Z0: values[beta]})


SPEED_STEPS = (
    Equal(
        "velocity",
        velocity[p],
        eta * sign(u[p]),
        uses=names(GRADIENT, DESCENT, PULL),
        because="a positive beta changes no sign, and two minuses make a plus",
        forall=(p,),
    ),
    Equal(
        "rate",
        Zdot[m, i],
        eta * beta * signed[m, i],
        uses=("velocity", *names(RATE, SIGNED)),
        because="one beta is left, that of Z = beta z",
        forall=(m, i),
    ),
    Equal(
        "speed",
        norm_Zdot,
        eta * beta * norm_signed,
        uses=("rate", *names(SPEED, NORM_SIGNED)),
        normal=(sums, radicals),
    ),
)
UNIT_DERIVATION = Derivation(
    premises=(GRADIENT, DESCENT, PULL, RATE, SPEED, SIGNED, NORM_SIGNED, TAU_Z),
    steps=(
        *SPEED_STEPS,
        Equal("no temperature is left", UNIT.left, UNIT.right, uses=("speed", TAU_Z.name)),
    ),
    worlds=a_signed_network,
)
SLOPE_DERIVATION = Derivation(
    premises=(
        GRADIENT,
        DESCENT,
        PULL,
        RATE,
        SPEED,
        SIGNED,
        NORM_SIGNED,
        BEND,
        NORM_BEND,
        BENT,
        NORM_BENT,
        TAU_NL,
        MOVES,
        BENDS,
    ),
    steps=(
        *SPEED_STEPS,
        Equal(
            "bend",
            bend[m, i],
            eta**2 * beta * bent[m, i],
            uses=("velocity", *names(BEND, BENT)),
            because="while no sign flips the parameters move straight on, so all of the bend is the network's",
            forall=(m, i),
        ),
        Equal(
            "size",
            norm_bend,
            eta**2 * beta * norm_bent,
            uses=("bend", *names(NORM_BEND, NORM_BENT)),
            normal=(sums, radicals),
        ),
        Equal(
            "timescale",
            tau_nl(beta),
            norm_signed / (eta * norm_bent),
            uses=("speed", "size", TAU_NL.name),
        ),
        Follows(
            "exponent",
            SLOPE.quantity,
            SLOPE.control,
            SLOPE.exponent,
            uses=("timescale", *names(MOVES, BENDS, NORM_SIGNED, NORM_BENT, SIGNED, BENT, PULL)),
            because="1/eta is beta in units of 1/(eta beta), and nothing else knows the temperature",
        ),
    ),
    worlds=a_signed_network,
)

SOURCE = Source(
    "temperature",
    "beyond",
    ("temperature:T29",),
    "with eta~_A = eta beta: tau_z = ||Z0|| / (eta~_A ||J sign(u)||), and eta~_A tau_nl is proportional to beta",
)
QUANTITIES = (
    Quantity(eta, *MEANINGS[eta]),
    Quantity(beta, *MEANINGS[beta]),
)

LAWS = (
    Law(
        name="temperature.sign_descent_unit",
        title="Under sign descent eta beta tau_z is the same at every temperature",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(
            *QUANTITIES,
            Quantity(tau_z, "early learning timescale under sign descent", "step"),
            Quantity(norm_Z0, "Frobenius norm of the initial scaled logits"),
            Quantity(norm_signed, "Frobenius norm of J sign(J^T (Y - softmax Z0))"),
        ),
        regime="equal Z0 = beta z0, labels and Jacobian; first order in time; no entry of the gradient is zero",
        derivation=UNIT_DERIVATION,
        claim=UNIT,
        rivals=(
            Rival("as gradient descent", Identity(eta * beta**2 * tau_z, UNIT.right), "counts the gradient's beta"),
            Rival("in units of eta", Identity(eta * tau_z, UNIT.right), "forgets that Z = beta z moves"),
        ),
    ),
    Law(
        name="temperature.sign_descent_nonlinear_time",
        title="Under sign descent the time in which the logits' path bends is proportional to beta, in units of "
        "eta beta",
        status=Status.THEOREM,
        source=SOURCE,
        quantities=(
            *QUANTITIES,
            Quantity(Symbol("tau_nl"), "||Z'|| / ||Z''|| at the start, before a sign flips", "step"),
        ),
        regime="equal Z0 = beta z0, labels and trained parameters: one half is trained; while no sign of the gradient "
        "flips",
        derivation=SLOPE_DERIVATION,
        claim=SLOPE,
        rivals=(
            Rival("no dependence", replace(SLOPE, exponent=Integer(0)), "reads the time in steps"),
            Rival("quadratic", replace(SLOPE, exponent=Integer(2)), "counts the gradient's beta"),
        ),
    ),
)
