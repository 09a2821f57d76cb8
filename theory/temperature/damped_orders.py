"""What damping leaves out: of momentum's early timescale, of its saturated one, and of the step that it saturates at;
and what the second scheme's steps leave out of continuous time (T26, T27).
"""

import random

from sympy import (
    And,
    Derivative,
    Eq,
    Function,
    Implies,
    Integer,
    Lambda,
    LambertW,
    Ne,
    Rational,
    Symbol,
    exp,
    log,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.definitions.inequalities import above, at_least, at_most, below
from theory.definitions.momentum import damping, gamma, gradient, tau
from theory.definitions.temperature import eta
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, rational
from theory.proof.premises import Define, Imported, Premise, Suppose
from theory.proof.steps import Equal, Holds, Squeezed, Tends
from theory.proof.steps.follows import Follows
from theory.proof.steps.step import Step
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.exponential_bounds import TANGENT, y
from theory.temperature.momentum_early import EARLY_DERIVATION, displacement, end, reached, under_a_constant_gradient
from theory.temperature.momentum_steps import gone

ratio, drag, drive = (Symbol(name, positive=True) for name in ("curvature_ratio", "drag", "norm_drive"))
rate = Symbol("rate", real=True)
ZERO, ONE, TWO = Integer(0), Integer(1), Integer(2)
error, factor, velocity, step = (Function(name) for name in ("error", "factor", "velocity", "step"))
curvature, lack = (Function(name, real=True) for name in ("curvature", "lack"))
place = Symbol("place", positive=True)


BELOW_ONE = Suppose("damping below 1", below(gamma, 1))
CURVATURE = Define("curvature", curvature(ratio), ratio * gamma**2 / eta)
ROOT = sqrt((1 + ratio * gamma) ** 2 - 4 * ratio)
FACTOR = Define("what a step leaves of the place", factor(ratio), 1 - gamma * (1 + ratio * gamma - ROOT) / 2)
CAME = Define("velocity that came by a step of the same factor", velocity(ratio), (place - place / factor(ratio)) / eta)
STEP = Define(
    "the next step",
    step(ratio),
    eta * ((1 - gamma) * velocity(ratio) - curvature(ratio) * place),
)
FROM_RATE = Define(
    "distance of the step from the effective rate times the gradient",
    error(ratio),
    step(ratio) / (-eta / gamma * curvature(ratio) * place) - 1,
)
A_MODE = Equal(
    "it has that factor again",
    step(ratio),
    (factor(ratio) - 1) * place,
    uses=names(CURVATURE, FACTOR, CAME, STEP),
    normal=(radicals, rational),
    because="the factor is a root of r^2 - (2 - gamma - eta h) r + 1 - gamma",
    forall=(ratio,),
)
IN_FULL = Equal(
    "distance in full",
    error(ratio),
    4 * ratio * (1 - gamma) / ((1 + ratio * gamma + ROOT) * (1 - ratio * gamma + ROOT)),
    uses=names(A_MODE, FROM_RATE, FACTOR, CURVATURE),
    normal=(radicals, rational),
    forall=(ratio,),
)


def on_the_slow_mode(source: random.Random) -> World:
    """A place, a damping and a curvature at which nothing swings."""
    return World(
        {
            gamma: Rational(source.randint(1, 6), 7),
            eta: fraction(source),
            place: fraction(source),
            ratio: Rational(1, source.randint(9, 20)),
        }
    )


EFFECTIVE_RATE = Derivation(
    premises=(BELOW_ONE, CURVATURE, FACTOR, CAME, STEP, FROM_RATE),
    steps=(A_MODE, IN_FULL, Follows("order", error(ratio), ratio, ONE, ZERO, uses=names(IN_FULL, BELOW_ONE))),
    worlds=on_the_slow_mode,
)

DISPLACEMENT = Imported("displacement", EARLY_DERIVATION)
LACK = Define("time beyond the saturated one", lack(end), end - damping * displacement(end) / -gradient - 1 / damping)
LACKING = Equal(
    "it is an exponential", lack(end), -exp(-damping * end) / damping, uses=names(LACK, DISPLACEMENT), forall=(end,)
)
DECAYS = Define("its decay", rate, -Derivative(lack(end), end) / lack(end))
SATURATED_TIME = Derivation(
    premises=(*EARLY_DERIVATION.premises, DISPLACEMENT, LACK, DECAYS),
    steps=(LACKING, Equal("decay", rate, damping, uses=names(LACKING, DECAYS))),
    worlds=under_a_constant_gradient,
)

time, spent, phi, half = (Function(name, positive=True) for name in ("time", "spent", "phi", "half"))
tilt, reach = (Function(name, real=True) for name in ("tilt", "reach"))
MOVED = Imported("displacement", EARLY_DERIVATION, at=((end, time(drag)),))
REACH = Define(
    "displacement at that time over the drive, times damping^2",
    reach(drag),
    damping**2 * displacement(time(drag)) / -gradient,
)
REACHED = Suppose(
    "it is ||Z0|| / ||Theta r|| times damping^2, which is drag^2 / 2",
    Eq(reach(drag), drag**2 / 2, evaluate=False),
    forall=(drag,),
)
SPENT = Define("time times damping", spent(drag), damping * time(drag))
HALF = Define("exponential of half of it", half(drag), exp(-spent(drag) / 2))
FROM_UNDAMPED = Define("distance of the time from that without damping", error(drag), spent(drag) / drag - 1)
PHI = Define("square of the control over that of the time", phi(drag), drag**2 / spent(drag) ** 2)
TILT = Define("what that moves by, over the time", tilt(drag), (phi(drag) - 1) / spent(drag))
LITTLE = below(drag, 1)


def for_all(name: str, fact: Boolean, *uses: Premise | Step) -> Holds:
    """What holds at every drag below 1."""
    here = tuple((one.name, {drag: drag}) for one in uses if isinstance(one, Holds))
    return Holds(name, Implies(LITTLE, fact, evaluate=False), uses=names(*uses), instances=here, forall=(drag,))


BY_DISPLACEMENT = Equal(
    "exponential by the displacement",
    exp(-spent(drag)),
    reach(drag) + 1 - spent(drag),
    uses=names(REACH, MOVED, SPENT),
    forall=(drag,),
)
BALANCE = Equal(
    "exponential by the drag",
    exp(-spent(drag)),
    drag**2 / 2 + 1 - spent(drag),
    uses=names(BY_DISPLACEMENT, REACHED),
    forall=(drag,),
)
SQUARE = Equal("a square", half(drag) ** 2, exp(-spent(drag)), uses=names(HALF), forall=(drag,))
SQUARED = Holds(
    "what it is the square of",
    at_most(half(drag) ** 2, drag**2 / 2 + 1 - spent(drag)),
    uses=names(SQUARE, BALANCE),
    forall=(drag,),
)
ABOVE = Holds(
    "above its tangent",
    at_least(half(drag), 1 - spent(drag) / 2),
    uses=names(HALF, TANGENT),
    instances=((TANGENT.name, {y: -spent(drag) / 2}),),
    forall=(drag,),
)
SOON = for_all("not for long", at_most(spent(drag), 2), SQUARED)
ABOVE_SQUARED = for_all("and its square", at_least(half(drag) ** 2, (1 - spent(drag) / 2) ** 2), ABOVE, SOON)
SOONER = for_all("square of the time", at_most(spent(drag) ** 2, 2 * drag**2), SQUARED, ABOVE_SQUARED)
SOONEST = for_all("the time itself", at_most(spent(drag), 2 * drag), SOONER)
BETWEEN = for_all(
    "between nothing and twice the drag",
    And(at_least(spent(drag), 0), at_most(spent(drag), 2 * drag), evaluate=False),
    SOONEST,
)
VANISHES = Squeezed("the time vanishes", spent(drag), drag, ZERO, ZERO, ZERO, 2 * drag, uses=names(BETWEEN))
GROWN = 2 * (spent(drag) - 1 + exp(-spent(drag))) / spent(drag) ** 2
PHI_BY_TIME = Equal("ratio by the time", phi(drag), GROWN, uses=names(PHI, BALANCE), forall=(drag,))
TILT_BY_TIME = Equal(
    "tilt by the time", tilt(drag), (GROWN - 1) / spent(drag), uses=names(TILT, PHI, BALANCE), forall=(drag,)
)
PHI_SETTLES = Tends("the ratio settles", phi(drag), drag, ZERO, ONE, uses=names(PHI_BY_TIME, VANISHES))
TILT_SETTLES = Tends("so does its tilt", tilt(drag), drag, ZERO, -Rational(1, 3), uses=names(TILT_BY_TIME, VANISHES))
BY_BOTH = Equal(
    "distance by both",
    error(drag),
    -drag * tilt(drag) / (phi(drag) * (1 + sqrt(phi(drag)))),
    uses=names(FROM_UNDAMPED, PHI, TILT),
    normal=(radicals, rational),
    forall=(drag,),
)


def at_the_timescale(source: random.Random) -> World:
    """A damping, a displacement under it, and the time that every drag takes."""
    moved = under_a_constant_gradient(source)
    pace = moved.values[damping]
    ahead = 1 + y**2 / 2
    spends = Lambda(y, (ahead + LambertW(-exp(-ahead))) / pace)
    return World({**moved.values, drag: fraction(source), time: spends, y: fraction(source)})


EARLY_TIME = Derivation(
    premises=(
        *(*EARLY_DERIVATION.premises, MOVED),
        *(TANGENT, REACH, REACHED, SPENT, HALF, FROM_UNDAMPED, PHI, TILT),
    ),
    steps=(
        *(BY_DISPLACEMENT, BALANCE, SQUARE, SQUARED, ABOVE, SOON, ABOVE_SQUARED, SOONER, SOONEST, BETWEEN, VANISHES),
        *(PHI_BY_TIME, TILT_BY_TIME, PHI_SETTLES, TILT_SETTLES, BY_BOTH),
        Follows("order", error(drag), drag, ONE, ZERO, uses=names(PHI_SETTLES, TILT_SETTLES, BY_BOTH)),
    ),
    worlds=at_the_timescale,
)

h = Symbol("canonical_step", positive=True)
pace, excess, astray = (Function(name) for name in ("pace", "excess", "error"))
KEPT = exp(-pace(h) * tau)
"""Share of a velocity that is kept over the time tau."""
went = Symbol("went", real=True)
WENT = Define(
    "how far the continuous path goes under the gradient -1",
    went,
    reached(damping, tau),
)
PACE = Define("decay per canonical time, as (1 - h damping)^(tau/h) has it", pace(h), -log(1 - h * damping) / h)
EXCESS = Define("what it has more than the damping, over the step", excess(h), (pace(h) - damping) / h)
ASTRAY = Define(
    "steps less the continuous path, over how far that went",
    astray(h),
    (gone(h**2, h * damping, tau / h, KEPT) - went) / went,
)
GOES = Suppose("it goes somewhere", above(went, 0))
STAYS = Suppose(
    "the first correction does not cancel",
    Ne(damping * tau * exp(-damping * tau) / 2 - 1 + exp(-damping * tau), 0, evaluate=False),
)
SPREAD = (exp(-damping * tau) - exp(-pace(h) * tau)) / (pace(h) - damping)
PACE_SETTLES = Tends("the decay settles", pace(h), h, ZERO, damping, uses=names(PACE))
EXCESS_SETTLES = Tends("so does its excess", excess(h), h, ZERO, damping**2 / 2, uses=names(PACE, EXCESS))
IN_PARTS = Equal(
    "the distance in parts",
    astray(h),
    h * (damping * (1 - KEPT) - SPREAD * excess(h)) / (damping**2 * went),
    uses=names(ASTRAY, EXCESS, WENT),
    forall=(h,),
)
SETTLED = (PACE_SETTLES, EXCESS_SETTLES)
SECOND_SCHEME = Derivation(
    premises=(PACE, EXCESS, WENT, ASTRAY, GOES, STAYS),
    steps=(
        *(*SETTLED, IN_PARTS),
        Follows("order", astray(h), h, ONE, ZERO, uses=names(*SETTLED, IN_PARTS, WENT, GOES, STAYS)),
    ),
    worlds=lambda source: World({damping: fraction(source, 1, 3), tau: fraction(source, 1, 3), h: Rational(1, 9)}),
)
