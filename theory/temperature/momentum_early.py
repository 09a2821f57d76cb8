"""The first displacement under momentum, its order, and the early timescale that follows from it (T26)."""

import random
from dataclasses import replace

from sympy import Eq, Expr, Function, Integer, Lambda, N, Symbol, exp

from theory.claims import Formula, PowerLaw
from theory.definitions.momentum import MEANINGS, damping, gradient
from theory.definitions.momentum import tau as canonical_time
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.steps import Equal, Expand, Holds, Integrates
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

tau = Symbol("tau", positive=True)
end = Symbol("tau", real=True)
t = Symbol("t", real=True)
fast, slow = Symbol("fast", positive=True), Symbol("slow", positive=True)
displacement = smooth("displacement")
velocity = derivative(displacement)
push = derivative(velocity)
remainder = Function("remainder", real=True)


def reached(rate: Expr, time: Expr) -> Expr:
    """Displacement under the gradient -1, (rate time - 1 + exp(-rate time))/rate^2."""
    return (rate * time - 1 + exp(-rate * time)) / rate**2


EARLY = Formula(displacement(end), -gradient * reached(damping, end))
ORDER = PowerLaw(remainder(tau), tau, Integer(4))

REST = Suppose("from rest", Eq(velocity(0), 0, evaluate=False))
START = Suppose("from the start", Eq(displacement(0), 0, evaluate=False))
CONSTANT_PUSH = Suppose("damped push", Eq(push(t), -damping * velocity(t) - gradient, evaluate=False), forall=(t,))


def beside_the_time(name: str, upto: Symbol, conserved: Expr, *uses: str) -> Integrates:
    """A quantity that does not change, added to the time, changes as time does."""
    return Integrates(name, Integer(1), t, Integer(0), upto, t + conserved, uses=uses)


TIME, TIME_TO_TAU = (beside_the_time("time", upto, Integer(0)) for upto in (end, tau))


def on_the_path(source: random.Random, path: Expr, values: dict[Symbol, Expr]) -> World:
    """A world in which the displacement is a given function of t, its derivatives with it."""
    moved = [path.xreplace(values)]
    for _ in range(2):
        moved.append(moved[-1].diff(t))
    functions = zip((displacement, velocity, push), moved, strict=True)
    return World(
        {
            **values,
            tau: fraction(source),
            end: fraction(source),
            t: fraction(source),
            **{f: Lambda(t, body) for f, body in functions},
        }
    )


def under_a_constant_gradient(source: random.Random) -> World:
    """Damping and gradient drawn, the displacement as the equation has it."""
    values = {damping: fraction(source), gradient: fraction(source, 1, 9)}
    return on_the_path(source, -gradient * reached(damping, t), values)


EARLY_DERIVATION = Derivation(
    premises=(CONSTANT_PUSH, REST, START),
    steps=(
        TIME,
        beside_the_time(
            "kept beside the time", end, exp(damping * t) * (velocity(t) + gradient / damping), CONSTANT_PUSH.name
        ),
        Holds(
            "velocity",
            Eq(velocity(end), -gradient / damping * (1 - exp(-damping * end)), evaluate=False),
            uses=(TIME.name, "kept beside the time", REST.name),
            because="what is missing to the saturated velocity decays with the damping",
            forall=(end,),
        ),
        beside_the_time(
            "left beside the time",
            end,
            displacement(t) + gradient / damping**2 * (damping * t + exp(-damping * t)),
            "velocity",
        ),
        Expand(
            "through the third power",
            -gradient * reached(damping, end),
            -gradient * end**2 / 2 + damping * gradient * end**3 / 6,
            end,
            Integer(0),
            4,
            because="the displacement begins without the damping, which is felt at the third power",
        ),
        Holds(
            "displacement",
            EARLY.statement,
            uses=(TIME.name, "left beside the time", START.name),
            because="the area under the velocity",
        ),
    ),
    worlds=under_a_constant_gradient,
)

APART = Suppose("two rates", fast > slow)
PULLED = Suppose("some gradient", gradient > 0)
LINEAR_PUSH = Suppose(
    "damped push on a curvature",
    Eq(push(t), -(fast + slow) * velocity(t) - gradient - fast * slow * displacement(t), evaluate=False),
    forall=(t,),
)
PATH = -gradient / (fast * slow) * (1 - (fast * exp(-slow * t) - slow * exp(-fast * t)) / (fast - slow))
REMAINDER = Define(
    "remainder",
    remainder(tau),
    displacement(tau) - (-gradient * tau**2 / 2 + (fast + slow) * gradient * tau**3 / 6),
)


def on_a_curvature(source: random.Random) -> World:
    """Two rates, whose sum is the damping and whose product is the curvature."""
    lower = fraction(source, 1, 4)
    values = {slow: lower, fast: lower + fraction(source, 1, 4), gradient: fraction(source, 1, 9)}
    return on_the_path(source, PATH, values)


def mode(name: str, kept: str, own: Expr, other: Expr) -> Holds:
    """Velocity plus the other rate times displacement decays at a rate of its own."""
    return Holds(
        name,
        Eq(velocity(tau) + other * displacement(tau), -gradient / own * (1 - exp(-own * tau)), evaluate=False),
        uses=(TIME_TO_TAU.name, kept, REST.name, START.name),
    )


def of_mode(name: str, own: Expr, other: Expr) -> Integrates:
    """What a mode conserves."""
    return beside_the_time(
        name, tau, exp(own * t) * (velocity(t) + other * displacement(t) + gradient / own), LINEAR_PUSH.name
    )


ORDER_DERIVATION = Derivation(
    premises=(LINEAR_PUSH, REST, START, APART, REMAINDER, PULLED),
    steps=(
        TIME_TO_TAU,
        of_mode("fast mode kept", fast, slow),
        of_mode("slow mode kept", slow, fast),
        mode("fast mode", "fast mode kept", fast, slow),
        mode("slow mode", "slow mode kept", slow, fast),
        Holds(
            "modes apart",
            Eq(
                (fast - slow) * displacement(tau),
                gradient / fast * (1 - exp(-fast * tau)) - gradient / slow * (1 - exp(-slow * tau)),
                evaluate=False,
            ),
            uses=("fast mode", "slow mode"),
        ),
        Holds(
            "displacement",
            Eq(displacement(tau), PATH.xreplace({t: tau}), evaluate=False),
            uses=("modes apart", APART.name),
        ),
        Equal(
            "remainder in full",
            remainder(tau),
            PATH.xreplace({t: tau}) + gradient * tau**2 / 2 - (fast + slow) * gradient * tau**3 / 6,
            uses=("displacement", REMAINDER.name),
            forall=(tau,),
        ),
        Follows(
            "fourth power",
            ORDER.quantity,
            ORDER.control,
            ORDER.exponent,
            Integer(0),
            uses=("remainder in full", PULLED.name, APART.name),
            because="the curvature is felt first at the fourth power, as g (h - gamma~^2)/24",
        ),
    ),
    worlds=on_a_curvature,
)

tau_z = Symbol("tau_z", positive=True)
ratio, size_Z0, size_drive = (Symbol(name, positive=True) for name in ("ratio", "norm_Z0", "norm_drive"))
TIMESCALE = Formula(ratio, reached(damping, tau_z))
AT_TAU_Z = ((gradient, -size_drive), (end, tau_z))
DRIVEN = Suppose(
    "damped push of the drive", Eq(push(t), -damping * velocity(t) + size_drive, evaluate=False), forall=(t,)
)
REACHED = Suppose("as far as the start is from zero", Eq(displacement(tau_z), size_Z0, evaluate=False))
RATIO = Define("ratio", ratio, size_Z0 / size_drive)


def at_the_timescale(source: random.Random) -> World:
    """A displacement along the drive that has become as large as the initial logits."""
    values = {damping: fraction(source), size_drive: fraction(source), tau_z: fraction(source)}
    world = on_the_path(source, size_drive * reached(damping, t), values)
    found = N((size_drive * reached(damping, tau_z)).xreplace(values), 90)
    return World({**world.values, size_Z0: found})


TIMESCALE_DERIVATION = Derivation(
    premises=(DRIVEN, REST, START, Imported("displacement", EARLY_DERIVATION, at=AT_TAU_Z), REACHED, RATIO),
    steps=(
        Holds(
            "timescale",
            TIMESCALE.statement,
            uses=("displacement", REACHED.name, RATIO.name),
            because="all logits move along the drive Theta r, by the same share of it",
        ),
    ),
    worlds=at_the_timescale,
)

PLACE = "app B.2, eqs 50-55"
DAMPING = Quantity(damping, *MEANINGS[damping])
TAU = Quantity(tau, *MEANINGS[canonical_time])

LAWS = (
    Law(
        name="temperature.momentum_early",
        title="From rest a constant gradient moves the parameters by -(g/d^2)(d tau - 1 + exp(-d tau)), d the damping",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T26", "temperature:E28", "temperature:E29"),
            "theta - theta(0) = -(g/gamma~^2)(gamma~ tau - 1 + exp(-gamma~ tau)) = -g tau^2/2 + gamma~ g tau^3/6 + ...",
        ),
        quantities=(Quantity(end, *MEANINGS[canonical_time]), DAMPING, Quantity(gradient, *MEANINGS[gradient])),
        regime="continuous time; from rest; as long as the gradient changes little",
        derivation=EARLY_DERIVATION,
        claim=EARLY,
        rivals=(
            Rival("other sign", Formula(EARLY.quantity, -EARLY.value), "eqs 51 and 52 as printed"),
            Rival("no damping", Formula(EARLY.quantity, -gradient * tau**2 / 2), "momentum that forgets nothing"),
            Rival(
                "saturated", Formula(EARLY.quantity, -gradient * tau / damping), "plain descent at the rate eta/gamma"
            ),
        ),
    ),
    Law(
        name="temperature.momentum_early_order",
        title="The first two terms of the displacement are right up to the fourth power of time, on any quadratic",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.2, eq 55",
            ("temperature:T26",),
            "-g tau^2/2 + gamma~ g tau^3/6 holds through tau^3 for any smooth gradient; next is g (h - gamma~^2)/24",
        ),
        quantities=(TAU,),
        regime="derived for a gradient g + h theta along a direction with damping^2 > 4 h; measured on softmax losses",
        derivation=ORDER_DERIVATION,
        claim=ORDER,
        rivals=(
            Rival("third power", replace(ORDER, exponent=Integer(3)), "the first term alone, or a wrong second one"),
            Rival("fifth power", replace(ORDER, exponent=Integer(5)), "a gradient that never changes without damping"),
        ),
    ),
    Law(
        name="temperature.momentum_tau_z",
        title="With momentum the early timescale is where (d tau - 1 + exp(-d tau))/d^2 reaches ||Z0||/||Theta r||",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B, beyond eq 55",
            ("temperature:T26",),
            "tau_z with momentum: about sqrt(2 tau_z of descent) steps while gamma t << 1, later gamma tau_z + 1/gamma",
        ),
        quantities=(
            Quantity(ratio, "size of the logits' displacement over that of the drive Theta r"),
            Quantity(tau_z, "canonical time sqrt(eta~) t at which the logits have moved so far"),
            DAMPING,
        ),
        regime="constant drive: linear in the parameters and before the residual changes; scheme gamma = sqrt(eta~) d",
        derivation=TIMESCALE_DERIVATION,
        claim=TIMESCALE,
        rivals=(
            Rival("no damping", Formula(ratio, tau_z**2 / 2), "momentum that forgets nothing"),
            Rival("saturated", Formula(ratio, tau_z / damping), "plain descent at the rate eta/gamma"),
        ),
    ),
)
