"""How soon a network leaves its linearisation: one law for all temperatures in the time eta~ t / beta (T30).

Z moves by eta~ Theta r and the parameters by eta~/beta J^T r: in the time t_hat = eta~ t / beta the parameters'
path knows no beta. A path that sets out with a given speed is that speed times the time, and the time squared times
a smooth function. That of the network has the second derivative of temperature.second_derivative_split at the start,
that of the linearisation the one of its own flow, which is derived here; no order beyond is asked for.
"""

import random

from sympy import Derivative, Eq, Expr, Function, IndexedBase, Integer, Lambda, Limit, Mod, Rational, Symbol, log, sqrt

from theory.claims import Formula
from theory.definitions.temperature import (
    CLASS,
    EFFECTIVE,
    KERNEL,
    LABELS,
    POINT,
    SOFTMAX,
    Theta,
    Y,
    Zdot,
    a_network,
    beta,
    drive,
    eta,
    eta_tilde,
    i,
    j,
    k,
    m,
    n,
    over_classes,
    over_logits,
    softmax_of,
    z,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.evaluation import Evaluation
from theory.proof.functions import smooth
from theory.proof.normal_forms import exponentials, radicals, rational, sums
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.logit_flow import DERIVATION as LOGIT_FLOW
from theory.temperature.second_derivative import DERIVATION as SPLIT
from theory.temperature.second_derivative import LINEAR as PART_AT_FIXED_KERNEL
from theory.temperature.second_derivative import SOFTMAX_JACOBIAN, Zddot, drift, jacobian, linear, t
from theory.temperature.tau_z import squared_norm

t_hat = Symbol("t_hat", positive=True)
norm_drive, norm_drift, TNL, rate_of_deviation = (
    Symbol(name, real=True) for name in ("norm_drive", "norm_drift", "TNL", "rate_of_deviation")
)
first, Zddot_linear = (IndexedBase(name, real=True) for name in ("first", "Zddot_linear"))
bend, bend_linear = (smooth(name) for name in ("bend", "bend_linear"))
moved, moved_linear, softmax_linear, rate_linear, apart, speed, per_time = (
    Function(name, real=True)
    for name in ("moved", "moved_linear", "sigma_linear", "Zdot_linear", "apart", "speed", "deviation_per_time")
)
norm_rate, norm_bends = Symbol("norm_rate", real=True), Symbol("norm_bends", real=True)
time = beta * t_hat / eta_tilde

CLAIM = Formula(rate_of_deviation, 1 / (2 * TNL))

LINEAR = Define(
    "displacement of the linearisation", moved_linear(m, i, t), t * first[m, i] + t**2 * bend_linear(m, i, t)
)
NETWORK = Define("displacement of the network", moved(m, i, t), t * first[m, i] + t**2 * bend(m, i, t))
SETS_OUT = Suppose("both set out with the flow", Eq(first[m, i], Zdot[m, i], evaluate=False), forall=(m, i))
FLOW_AT_START = Suppose(
    "the network follows the flow at the start",
    Eq(Zddot[m, i], Limit(Derivative(moved(m, i, t), (t, 2)), t, 0), evaluate=False),
    forall=(m, i),
)
SOFTMAX_LINEAR = Define(
    "softmax of the linearisation",
    softmax_linear(n, j, t),
    softmax_of(beta * z[n, j] + moved_linear(n, j, t), j, k),
    "a constant has no derivative",
)
RATE_LINEAR = Define(
    "rate of the linearisation",
    rate_linear(m, i, t),
    eta * beta**2 * over_logits(Theta[m, i, n, j] * (Y[n, j] - softmax_linear(n, j, t))),
    "a constant has no derivative",
)
SECOND_LINEAR = Define(
    "second derivative of the linearisation",
    Zddot_linear[m, i],
    Limit(Derivative(rate_linear(m, i, t), t), t, 0),
)
LINEAR_AT_START = Suppose(
    "the linearisation follows its flow at the start",
    Eq(Zddot_linear[m, i], Limit(Derivative(moved_linear(m, i, t), (t, 2)), t, 0), evaluate=False),
    forall=(m, i),
)
GAP = moved(m, i, time) - moved_linear(m, i, time)
APART = Define("distance between both, over time squared", apart(t_hat), sqrt(squared_norm(GAP / t_hat**2)))
SPEED = Define("distance covered, over time", speed(t_hat), sqrt(squared_norm(moved_linear(m, i, time) / t_hat)))
BENDS_APART = bend(m, i, 0) - bend_linear(m, i, 0)
NORM_BENDS = Define("size of what they bend apart", norm_bends, sqrt(squared_norm(BENDS_APART)))
NORM_RATE = Define("size of the rate", norm_rate, sqrt(squared_norm(first[m, i])))
PER_TIME = Define("relative deviation over time", per_time(t_hat), apart(t_hat) / speed(t_hat))
RATE = Define("rate of deviation", rate_of_deviation, Limit(per_time(t_hat), t_hat, 0))
NORM_DRIVE = Define("size of the drive", norm_drive, sqrt(squared_norm(drive[m, i])))
NORM_DRIFT = Define("size of its drift", norm_drift, sqrt(squared_norm(drift[m, i])))
TIMESCALE = Define("nonlinear timescale in units of beta", TNL, norm_drive / norm_drift)
MOVES = Suppose("the residual moves some logit", norm_drive > 0)


def bending(source: random.Random, start: list[Expr]) -> Lambda:
    """A function of time for one point and two classes, again and again, with given values at time 0."""
    first, second = start
    time, which = Symbol("t"), Mod(i - 1, 2)
    return Lambda(
        (m, i, time),
        first + (second - first) * which + fraction(source) * (1 + which) * time + fraction(source) * time**2,
    )


def two_paths(source: random.Random) -> World:
    """A random network of one point, two classes and two parameters, and two paths that leave its place.

    Its scaled logits are logarithms of fractions, so that its softmax and the paths' rates are fractions.
    """
    values = dict(a_network(source, 1, 2, 2).values)
    values[z] = [[log(fraction(source)) / values[beta] for _ in (1, 2)]]
    here = Evaluation(values, tuple((d.head, d.body) for d in SPLIT.definitions))
    rates, turns, drifts = ([Rational(here.value(x[1, c])) for c in (1, 2)] for x in (Zdot, linear, drift))
    over = values[eta] ** 2 * values[beta] ** 3
    return World(
        {
            **values,
            first: [rates],
            bend_linear: bending(source, [turn / 2 for turn in turns]),
            bend: bending(source, [(turn + over * d) / 2 for turn, d in zip(turns, drifts, strict=True)]),
            t: fraction(source),
            t_hat: fraction(source),
        }
    )


DERIVATION = Derivation(
    premises=(
        *(POINT, CLASS, LABELS),
        Imported("flow of the logits", LOGIT_FLOW),
        Imported("second derivative", SPLIT),
        *(EFFECTIVE, KERNEL, SOFTMAX, SOFTMAX_JACOBIAN, PART_AT_FIXED_KERNEL),
        *(LINEAR, NETWORK, SETS_OUT, FLOW_AT_START, SOFTMAX_LINEAR, RATE_LINEAR, SECOND_LINEAR, LINEAR_AT_START),
        *(APART, SPEED, PER_TIME, RATE, NORM_BENDS, NORM_RATE, NORM_DRIVE, NORM_DRIFT, TIMESCALE, MOVES),
    ),
    steps=(
        Tends(
            "second derivative of the network's path",
            Derivative(moved(m, i, t), (t, 2)),
            t,
            Integer(0),
            2 * bend(m, i, 0),
            uses=names(NETWORK),
            forall=(m, i),
        ),
        Equal(
            "how the network bends",
            bend(m, i, 0),
            Zddot[m, i] / 2,
            uses=("second derivative of the network's path", FLOW_AT_START.name),
            forall=(m, i),
        ),
        Equal(
            "by the kernel's change too",
            bend(m, i, 0),
            (linear[m, i] + eta_tilde**2 / beta * drift[m, i]) / 2,
            uses=("how the network bends", "second derivative", CLASS.name),
            forall=(m, i),
        ),
        Tends(
            "second derivative of the linearisation's path",
            Derivative(moved_linear(m, i, t), (t, 2)),
            t,
            Integer(0),
            2 * bend_linear(m, i, 0),
            uses=names(LINEAR),
            forall=(m, i),
        ),
        Tends(
            "change of its rate",
            Derivative(rate_linear(m, i, t), t),
            t,
            Integer(0),
            -eta * beta**2 * over_logits(Theta[m, i, n, j] * over_classes(jacobian[n, j, k] * first[n, k])),
            uses=names(LINEAR, SOFTMAX_LINEAR, RATE_LINEAR, KERNEL, SOFTMAX, SOFTMAX_JACOBIAN),
            normal=(exponentials, sums, rational),
            because="its kernel stays, the softmax turns by its Jacobian",
            forall=(m, i),
        ),
        Equal(
            "the part at fixed kernel",
            Zddot_linear[m, i],
            linear[m, i],
            uses=("change of its rate", *names(SECOND_LINEAR, SETS_OUT, PART_AT_FIXED_KERNEL, EFFECTIVE)),
            forall=(m, i),
        ),
        Equal(
            "how the linearisation bends",
            bend_linear(m, i, 0),
            Zddot_linear[m, i] / 2,
            uses=("second derivative of the linearisation's path", LINEAR_AT_START.name),
            forall=(m, i),
        ),
        Equal(
            "by the softmax alone",
            bend_linear(m, i, 0),
            linear[m, i] / 2,
            uses=("how the linearisation bends", "the part at fixed kernel"),
            forall=(m, i),
        ),
        Tends(
            "the paths part as they bend apart",
            apart(t_hat),
            t_hat,
            Integer(0),
            (beta / eta_tilde) ** 2 * norm_bends,
            uses=names(LINEAR, NETWORK, APART, NORM_BENDS, EFFECTIVE),
            normal=(sums, radicals),
        ),
        Equal(
            "they bend apart by the drift",
            norm_bends,
            eta_tilde**2 / (2 * beta) * norm_drift,
            uses=("by the kernel's change too", "by the softmax alone", *names(NORM_BENDS, NORM_DRIFT)),
            normal=(sums, radicals),
            because="the part at fixed kernel is the same: what is left carries 1/beta",
        ),
        Equal(
            "the paths part by the drift",
            Limit(apart(t_hat), t_hat, 0),
            beta * norm_drift / 2,
            uses=("the paths part as they bend apart", "they bend apart by the drift"),
        ),
        Tends(
            "the linearisation sets out with the flow",
            speed(t_hat),
            t_hat,
            Integer(0),
            beta / eta_tilde * norm_rate,
            uses=names(LINEAR, SPEED, NORM_RATE, EFFECTIVE),
            normal=(sums, radicals),
        ),
        Equal(
            "size of the flow",
            norm_rate,
            eta_tilde * norm_drive,
            uses=("flow of the logits", *names(SETS_OUT, NORM_RATE, NORM_DRIVE)),
            normal=(sums, radicals),
        ),
        Equal(
            "the linearisation sets out with the drive",
            Limit(speed(t_hat), t_hat, 0),
            beta * norm_drive,
            uses=("the linearisation sets out with the flow", "size of the flow"),
        ),
        Tends(
            "relative deviation",
            per_time(t_hat),
            t_hat,
            Integer(0),
            norm_drift / (2 * norm_drive),
            uses=(
                "the paths part by the drift",
                "the linearisation sets out with the drive",
                *names(PER_TIME, MOVES),
            ),
        ),
        Equal(
            "rate",
            CLAIM.quantity,
            CLAIM.value,
            uses=("relative deviation", *names(RATE, TIMESCALE)),
            because="beta has gone: in units of eta~ t / beta all temperatures deviate alike",
        ),
    ),
    worlds=two_paths,
)

LAWS = (
    Law(
        name="temperature.deviation",
        title="In the time eta~ t / beta networks leave their linearisation alike at every temperature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.4, beyond",
            ("temperature:T30",),
            "as t_hat = eta~ t / beta vanishes, ||Z - Z_lin|| / ||Z_lin - Z0|| is t_hat / (2 TNL), "
            "TNL = eta~ tau_nl / beta",
        ),
        quantities=(
            Quantity(
                rate_of_deviation,
                "relative deviation from the linearisation over eta~ t / beta, at the start; TNL is the unit of time",
            ),
            Quantity(TNL, "nonlinear timescale eta~ tau_nl / beta"),
        ),
        regime="eta~ t / beta much below TNL, and eta~ t much below eta~ tau_lin; both paths leave one place with the "
        "flow's rate and its second derivative, with a smooth remainder; equal Z0, trained parameters and labels",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no half", Formula(rate_of_deviation, 1 / TNL), "takes the second derivative for the distance"),
            Rival("a third", Formula(rate_of_deviation, 1 / (3 * TNL)), "counts the deviation of the speed twice"),
        ),
    ),
)
