"""Orders of errors of one point of two classes: weak decay, relaxation, and the logarithm of time (T12, T17, T18).

What balances is exact there. The gap between both scaled logits is u, and x = e^-u the ratio of both probabilities. An
exponential between its tangent and the inverse of that of its inverse is all that is believed of it.
"""

import random

from sympy import (
    And,
    Eq,
    Function,
    Implies,
    Integer,
    Integral,
    Lambda,
    LambertW,
    Rational,
    Symbol,
    exp,
    log,
    oo,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.definitions.inequalities import at_least, at_most
from theory.definitions.temperature import beta, eta, eta_tilde
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import exponentials, rational
from theory.proof.premises import Define, Premise, Suppose
from theory.proof.steps import Equal, Holds, Integrates, Squeezed, Tends
from theory.proof.steps.follows import Follows
from theory.proof.steps.step import Step
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.exponential_bounds import BELOW, TANGENT, y

x, theta, C = (Symbol(name, positive=True) for name in ("x", "theta", "C"))
t, start = (Symbol(name, real=True) for name in ("t", "start"))
error, gap, wrong, decay, speed, rate, form, over, grown, near, late = (
    Function(name, real=True)
    for name in ("error", "gap", "p_wrong", "lam", "speed", "rate", "form", "over", "grown", "near", "late")
)
ZERO, ONE, TWO = Integer(0), Integer(1), Integer(2)
WRITTEN = (exponentials, rational)


GAP = Define("gap between the scaled logits", gap(x), -log(x))
WRONG = Define("softmax of the wrong class", wrong(y), exp(-y / 2) / (exp(y / 2) + exp(-y / 2)))
"""Both residuals, with opposite signs: labels and probabilities have the sum 1."""
PULL = beta**2 * theta * (wrong(y) - (-wrong(y)))
DECAY = Define("decay that holds the gap", decay(x), PULL.xreplace({y: gap(x)}) / gap(x))
WEAK = Define(
    "distance of the decay from its leading order",
    error(x),
    gap(x) / 2 * decay(x) / (beta**2 * theta * exp(-gap(x))) - 1,
)
DECAY_BY_X = Equal(
    "decay by the ratio",
    decay(x),
    -2 * beta**2 * theta * x / ((1 + x) * log(x)),
    uses=names(GAP, WRONG, DECAY),
    normal=WRITTEN,
    because="both residuals are the wrong class's probability, with opposite signs",
    forall=(x,),
)


def at_rest(source: random.Random) -> World:
    """A gap, and what the decay that holds it depends on."""
    sizes = {name: fraction(source) for name in (beta, eta, theta)}
    at = Symbol("at", positive=True)
    more = Lambda(at, LambertW(-log(at) * (1 + 1 / at)) + log(at))
    return World({**sizes, x: Rational(1, source.randint(2, 9)), y: fraction(source, -2, 2), over: more})


WEAK_DECAY = Derivation(
    premises=(GAP, WRONG, DECAY, WEAK),
    steps=(
        DECAY_BY_X,
        Equal(
            "distance by the ratio",
            error(x),
            -x / (1 + x),
            uses=names(GAP, DECAY_BY_X, WEAK),
            normal=WRITTEN,
            forall=(x,),
        ),
        Follows("order", error(x), x, ONE, ZERO, uses=("distance by the ratio",)),
    ),
    worlds=at_rest,
)

flow = smooth("path")
pace, until, driven, share, slow, at, part, top = (
    Function(name, real=True) for name in ("pace", "until", "driven", "share", "slow", "gap_at", "part", "top")
)
half = Function("half", positive=True)
PACE = 2 * eta_tilde * theta
MOTION = Define("speed of the gap", pace(y), eta_tilde * theta * (wrong(y) - (-wrong(y))))
FLOW = Suppose("the gap follows the flow", Eq(derivative(flow)(t), pace(flow(t)), evaluate=False), forall=(t,))
START = Suppose("the gap at the start", Eq(flow(0), start, evaluate=False))
UNTIL = Define("time at which the clock stands at C", until(C), (C - start - exp(start)) / PACE)
DRIVEN = Define("what the pace adds up to", driven(C), Integral(PACE, (t, 0, until(C))))
AT = Define("gap at that time", at(C), flow(until(C)))
GROWTH = Define("exponential of the gap", grown(C), exp(at(C)))
HALF = Define("exponential of half of it", half(C), exp(at(C) / 2))
SHARE = Define("share of the gap in the clock", share(C), at(C) / C)
LEFT = Define("share of the exponential", late(C), grown(C) / C)
SLOW = Define("inverse of the logarithm", slow(C), 1 / log(C))
FROM_LOG = Define("distance from the logarithm, over it", error(C), (log(C) - at(C)) / log(C))
PART = Define("distance from the logarithm, over the share", part(C), (log(C) - at(C)) / share(C))
TOP = Define("gap over the logarithm", top(C), at(C) * slow(C))
LATER = at_least(C, 1)


def for_all(name: str, fact: Boolean, *uses: Premise | Step) -> Holds:
    """What holds at every stand of the clock from 1 on."""
    here = tuple((one.name, {C: C}) for one in uses if isinstance(one, Holds))
    return Holds(name, Implies(LATER, fact, evaluate=False), uses=names(*uses), instances=here, forall=(C,))


PACE_IN_FULL = Equal(
    "speed in full", pace(y), PACE / (1 + exp(y)), uses=names(WRONG, MOTION), normal=WRITTEN, forall=(y,)
)
STEADY = Integrates("a steady pace", PACE, t, ZERO, until(C), PACE * t)
GROWS = Integrates(
    "gap + e^gap grows at this pace", PACE, t, ZERO, until(C), flow(t) + exp(flow(t)), uses=names(PACE_IN_FULL, FLOW)
)
ADDED = Equal("pace times time", driven(C), PACE * until(C), uses=names(DRIVEN, STEADY), forall=(C,))
GATHERED = Equal(
    "what it has grown by",
    grown(C),
    driven(C) + start + exp(start) - at(C),
    uses=names(DRIVEN, GROWS, START, AT, GROWTH),
    forall=(C,),
)
CLOCK = Equal("where the clock stands", grown(C), C - at(C), uses=names(GATHERED, ADDED, UNTIL), forall=(C,))
GROWN_BELOW = Holds(
    "below the inverse's tangent",
    at_most(grown(C) * (1 - at(C)), 1),
    uses=names(GROWTH, BELOW),
    instances=((BELOW.name, {y: at(C)}),),
    forall=(C,),
)
NOT_LESS = for_all("the gap is not negative", at_least(at(C), 0), CLOCK, GROWN_BELOW)
SQUARE = Equal("a square", half(C) ** 2, grown(C), uses=names(GROWTH, HALF), forall=(C,))
HALF_ABOVE = Holds(
    "above its tangent",
    at_least(half(C), 1 + at(C) / 2),
    uses=names(HALF, TANGENT),
    instances=((TANGENT.name, {y: at(C) / 2}),),
    forall=(C,),
)
SQUARED = Holds("what it is the square of", at_most(half(C) ** 2, C - at(C)), uses=names(CLOCK, SQUARE), forall=(C,))
MORE = for_all("half of the gap", at_least(half(C), at(C) / 2), HALF_ABOVE)
MORE_SQUARED = for_all("and its square", at_least(half(C) ** 2, at(C) ** 2 / 4), MORE, NOT_LESS)
AT_MOST = for_all("the square of the gap", at_most(at(C) ** 2, 4 * C), SQUARED, MORE_SQUARED, NOT_LESS)
ROOT = for_all("the gap by a root", at_most(at(C), 2 * sqrt(C)), AT_MOST)
SHARED = for_all(
    "a small share", And(at_least(share(C), 0), at_most(share(C), 2 / sqrt(C)), evaluate=False), SHARE, NOT_LESS, ROOT
)
SHARE_VANISHES = Squeezed("the share vanishes", share(C), C, oo, ZERO, ZERO, 2 / sqrt(C), uses=names(SHARED))
SLOW_VANISHES = Tends("so does the inverse", slow(C), C, oo, ZERO, uses=names(SLOW))
OTHER_SHARE = Equal("the exponential's share", late(C), 1 - share(C), uses=names(LEFT, SHARE, CLOCK), forall=(C,))
LOGARITHM = Equal(
    "gap by its share", at(C), log(C) + log(late(C)), uses=names(LEFT, GROWTH), normal=WRITTEN, forall=(C,)
)
BY_SHARE = Equal(
    "gap by the share of the gap", at(C), log(C) + log(1 - share(C)), uses=names(LOGARITHM, OTHER_SHARE), forall=(C,)
)
PART_BY_SHARE = Equal(
    "first part by the share", part(C), -log(1 - share(C)) / share(C), uses=names(PART, BY_SHARE), forall=(C,)
)
TOP_BY_SHARE = Equal(
    "second part by the share", top(C), 1 + log(1 - share(C)) * slow(C), uses=names(TOP, BY_SHARE, SLOW), forall=(C,)
)
PART_SETTLES = Tends("the first part settles", part(C), C, oo, ONE, uses=names(PART_BY_SHARE, SHARE_VANISHES))
TOP_SETTLES = Tends("so does the second", top(C), C, oo, ONE, uses=names(TOP_BY_SHARE, SHARE_VANISHES, SLOW_VANISHES))
BY_BOTH = Equal(
    "distance by both", error(C), part(C) * top(C) / C, uses=names(FROM_LOG, PART, TOP, SHARE, SLOW), forall=(C,)
)


def a_path(source: random.Random) -> World:
    """A start, and the path from there."""
    pace_, size, begin = fraction(source), fraction(source), fraction(source, -2, 2)
    stands = 2 * pace_ * size * t + begin + exp(begin)
    way = Lambda(t, stands - LambertW(exp(stands)))
    return World(
        {eta_tilde: pace_, theta: size, start: begin, flow: way, C: fraction(source, 3, 9), t: fraction(source), y: ONE}
    )


LOGARITHMIC_GROWTH = Derivation(
    premises=(
        *(TANGENT, BELOW, WRONG, MOTION, FLOW, START, UNTIL, DRIVEN, AT, GROWTH, HALF),
        *(SHARE, LEFT, SLOW, FROM_LOG, PART, TOP),
    ),
    steps=(
        *(PACE_IN_FULL, STEADY, GROWS, ADDED, GATHERED, CLOCK, GROWN_BELOW, NOT_LESS),
        *(
            SQUARE,
            SQUARED,
            HALF_ABOVE,
            MORE,
            MORE_SQUARED,
            AT_MOST,
            ROOT,
            SHARED,
            SHARE_VANISHES,
            SLOW_VANISHES,
            OTHER_SHARE,
            LOGARITHM,
        ),
        *(BY_SHARE, PART_BY_SHARE, TOP_BY_SHARE, PART_SETTLES, TOP_SETTLES, BY_BOTH),
        Follows("order", error(C), C, -ONE, uses=names(PART_SETTLES, TOP_SETTLES, BY_BOTH)),
    ),
    worlds=a_path,
)
