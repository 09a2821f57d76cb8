"""How soon a network leaves its linearisation: one law for all temperatures in the time eta~ t / beta (T30).

Z moves by eta~ Theta r and the parameters by eta~/beta J^T r: in the time t_hat = eta~ t / beta the parameters'
path knows no beta. A path that sets out with a given speed is that speed times the time, and the time squared times
a function that is continuous and at the start half the second derivative: no order beyond is asked for.
"""

import random
from dataclasses import replace

from sympy import Eq, Expr, Function, IndexedBase, Integer, Lambda, Limit, S, Symbol, oo, sqrt

from theory.claims import Formula, PowerLaw
from theory.definitions.temperature import MEANINGS, K, M, beta, i, m
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.functions import smooth
from theory.proof.normal_forms import radicals, sums
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as fraction
from theory.temperature.tau_z import squared_norm

t_hat = Symbol("t_hat", positive=True)
norm_drive, norm_drift, TNL, rate_of_deviation = (
    Symbol(name, real=True) for name in ("norm_drive", "norm_drift", "TNL", "rate_of_deviation")
)
drive, drift, turned = (IndexedBase(name, real=True) for name in ("drive", "drift", "turned"))
bend, bend_linear, correction = (smooth(name) for name in ("bend", "bend_linear", "correction"))
moved, moved_linear, apart, speed, per_time = (
    Function(name, real=True) for name in ("moved", "moved_linear", "apart", "speed", "deviation_per_time")
)
norm_first, norm_covered, width = (
    Symbol("norm_first", real=True),
    Symbol("norm_covered", real=True),
    Symbol("width", positive=True),
)
at_infinity = IndexedBase("Z_linear", real=True)
at_time, deviation, TNL_at = Function("Z", real=True), Function("deviation"), Function("TNL", positive=True)
time = beta * t_hat

CLAIM = Formula(rate_of_deviation, 1 / (2 * TNL))
IN_BETA = PowerLaw(deviation(beta), beta, Integer(-1))
IN_WIDTH = PowerLaw(TNL_at(width), width, Integer(1))

LINEAR = Define(
    "displacement of the linearisation",
    moved_linear(m, i, t_hat),
    time * drive[m, i] + time**2 * bend_linear(m, i, t_hat),
)
NETWORK = Define(
    "displacement of the network",
    moved(m, i, t_hat),
    time * drive[m, i] + time**2 * bend(m, i, t_hat),
)
LINEAR_BEND = Suppose(
    "second derivative of the linearisation",
    Eq(bend_linear(m, i, 0), -turned[m, i] / 2, evaluate=False),
    forall=(m, i),
)
NETWORK_BEND = Suppose(
    "second derivative of the network",
    Eq(bend(m, i, 0), (drift[m, i] / beta - turned[m, i]) / 2, evaluate=False),
    forall=(m, i),
)
APART = Define(
    "distance between both, over time squared",
    apart(t_hat),
    sqrt(squared_norm((moved(m, i, t_hat) - moved_linear(m, i, t_hat)) / t_hat**2)),
)
SPEED = Define("distance covered, over time", speed(t_hat), sqrt(squared_norm(moved_linear(m, i, t_hat) / t_hat)))
PER_TIME = Define("relative deviation over time", per_time(t_hat), apart(t_hat) / speed(t_hat))
RATE = Define("rate of deviation", rate_of_deviation, Limit(per_time(t_hat), t_hat, 0))
NORM_DRIVE = Define("size of the drive", norm_drive, sqrt(squared_norm(drive[m, i])))
NORM_DRIFT = Define("size of its drift", norm_drift, sqrt(squared_norm(drift[m, i])))
TIMESCALE = Define("nonlinear timescale in units of beta", TNL, norm_drive / norm_drift)
MOVES = Suppose("the residual moves some logit", norm_drive > 0)
PATHS = (LINEAR, NETWORK)
BENDS = (LINEAR_BEND, NETWORK_BEND)


def bending(source: random.Random, start: list[Expr]) -> Lambda:
    """A function of point, class and time for one point and two classes, with given values at time 0."""
    first, second = start
    time = Symbol("t")
    return Lambda(
        (m, i, time), first + (second - first) * (i - 1) + fraction(source) * i * time + fraction(source) * time**2
    )


def two_paths(source: random.Random) -> World:
    """One point, two classes."""
    tables = {name: table(source, 1, 2) for name in (drive, drift, turned)}
    inverse_temperature = fraction(source)
    turns = [-turn / 2 for turn in tables[turned][0]]
    bends = [turn + d / inverse_temperature / 2 for turn, d in zip(turns, tables[drift][0], strict=True)]
    return World(
        {
            **tables,
            bend_linear: bending(source, turns),
            bend: bending(source, bends),
            M: 1,
            K: 2,
            m: 1,
            i: source.randint(1, 2),
            beta: inverse_temperature,
            t_hat: fraction(source),
        }
    )


def names(*premises: Define | Suppose) -> tuple[str, ...]:
    """How steps refer to premises."""
    return tuple(premise.name for premise in premises)


DERIVATION = Derivation(
    premises=(*PATHS, *BENDS, APART, SPEED, PER_TIME, RATE, NORM_DRIVE, NORM_DRIFT, TIMESCALE, MOVES),
    steps=(
        Tends(
            "the paths part by the drift",
            apart(t_hat),
            t_hat,
            Integer(0),
            beta * norm_drift / 2,
            uses=names(*PATHS, *BENDS, APART, NORM_DRIFT),
            normal=(sums, radicals),
            because="drive and turned drive are the same: what is left carries 1/beta against beta^2",
        ),
        Tends(
            "the linearisation sets out with the drive",
            speed(t_hat),
            t_hat,
            Integer(0),
            beta * norm_drive,
            uses=names(LINEAR, SPEED, NORM_DRIVE),
            normal=(sums, radicals),
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

FIRST = Define(
    "path at a fixed time in units of eta~",
    at_time(m, i, beta),
    at_infinity[m, i] + correction(m, i, 1 / beta) / beta,
)
DEVIATION = Define(
    "relative deviation at that time",
    deviation(beta),
    sqrt(squared_norm(at_time(m, i, beta) - at_infinity[m, i])) / norm_covered,
)
NORM_FIRST = Define("size of the first correction", norm_first, sqrt(squared_norm(correction(m, i, 0))))
CORRECTS = Suppose("the kernel's change is felt", norm_first > 0)
COVERED = Suppose("the linearisation has moved", norm_covered > 0)


def a_time(source: random.Random) -> World:
    """One point, two classes, at one time."""
    values = {M: 1, K: 2, m: 1, i: source.randint(1, 2), beta: fraction(source), norm_covered: fraction(source)}
    first = bending(source, table(source, 2))
    return World({at_infinity: table(source, 1, 2), correction: first, **values})


IN_BETA_DERIVATION = Derivation(
    premises=(FIRST, DEVIATION, NORM_FIRST, CORRECTS, COVERED),
    steps=(
        Tends(
            "the first correction is left",
            beta * deviation(beta),
            beta,
            oo,
            norm_first / norm_covered,
            uses=names(FIRST, DEVIATION, NORM_FIRST),
            normal=(sums, radicals),
            because="the parameters move by 1/beta: at no beta does the network leave its linearisation but by that",
        ),
        Follows(
            "exponent",
            IN_BETA.quantity,
            IN_BETA.control,
            IN_BETA.exponent,
            uses=("the first correction is left", *names(CORRECTS, COVERED)),
        ),
    ),
    worlds=a_time,
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
            Quantity(rate_of_deviation, "relative deviation from the linearisation over eta~ t / beta, at the start"),
            Quantity(TNL, "nonlinear timescale eta~ tau_nl / beta"),
        ),
        regime="eta~ t / beta much below TNL, and eta~ t much below eta~ tau_lin; both paths have a continuous "
        "second derivative in time; equal Z0, trained parameters and labels",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("no half", Formula(rate_of_deviation, 1 / TNL), "takes the second derivative for the distance"),
            Rival("a third", Formula(rate_of_deviation, 1 / (3 * TNL)), "counts the deviation of the speed twice"),
        ),
    ),
    Law(
        name="temperature.deviation_in_beta",
        title="At a given eta~ t the deviation from the linearisation falls like 1/beta",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "sec 2.2, fig 1",
            ("temperature:F1", "temperature:T30"),
            "at fixed Z0 the relative deviation at one eta~ t is of order 1/beta as beta grows",
        ),
        quantities=(
            Quantity(Symbol("deviation"), "||Z - Z_lin|| / ||Z_lin - Z0|| at one value of eta~ t"),
            Quantity(beta, *MEANINGS[beta]),
        ),
        regime="beta much above eta~ t / TNL; that the path is Z_lin plus 1/beta times what is continuous in 1/beta is "
        "a premise; equal Z0, trained parameters and labels",
        derivation=IN_BETA_DERIVATION,
        claim=IN_BETA,
        rivals=(
            Rival("no dependence", replace(IN_BETA, exponent=Integer(0)), "what curves against eta t would show"),
            Rival("quadratic", replace(IN_BETA, exponent=Integer(-2)), "counts the parameters' path twice"),
        ),
    ),
    Law(
        name="temperature.nonlinear_time_in_width",
        title="The nonlinear timescale grows in proportion to the width",
        status=Status.EMPIRICAL,
        source=Source(
            "temperature",
            "beyond",
            ("temperature:T30",),
            "TNL = eta~ tau_nl / beta ~ n: the kernel's first change falls like 1/n",
        ),
        quantities=(
            Quantity(Symbol("TNL"), "nonlinear timescale eta~ tau_nl / beta"),
            Quantity(width, "units of a hidden layer"),
        ),
        regime="erf and ReLU networks of two hidden layers, one half trained, widths from 64 on",
        derivation=None,
        claim=IN_WIDTH,
        rivals=(
            Rival(
                "root of the width", replace(IN_WIDTH, exponent=S.Half), "what a change of order n^(-1/2) would give"
            ),
        ),
    ),
)
