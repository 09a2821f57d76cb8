"""Averaged over draws of logits, a softmax lacks the mean largest normal over the logit scale to being one-hot (T09).

What a softmax-weighted normal lacks to the largest is at most (K - 1)/s whatever the gaps, so that nothing is asked of
their density. Means are taken over an ensemble of draws; normals are its limit, and Stein's identity is theirs.
"""

import random

from sympy import Eq, Function, IndexedBase, Integer, Lambda, Rational, Sum, Symbol, exp, oo

from theory.definitions.inequalities import above, at_least, at_most
from theory.definitions.temperature import K
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Squeezed
from theory.proof.steps.follows import Follows
from theory.proof.steps.termwise import Termwise
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.exponential_bounds import BELOW, y

scale = Symbol("logit_scale", positive=True)
a, j, draws = (Symbol(name, integer=True, positive=True) for name in ("a", "j", "draws"))
mean_top = Symbol("mean_top", real=True)
w, gap = (IndexedBase(name, nonnegative=True) for name in ("w", "gap"))
top = IndexedBase("top", real=True)
error, confident, lead, mean_lead, lack, mean_lack = (
    Function(name, real=True) for name in ("error", "confident", "lead", "mean_lead", "lack", "mean_lack")
)
ONE = Integer(1)
WEIGHT = exp(-scale * gap[a, j])


def over_others(term):
    """Sum over all classes but that of the largest normal."""
    return Sum(term, (j, 1, K - 1))


def over_draws(term):
    """Mean over the ensemble."""
    return Sum(w[a] * term, (a, 1, draws))


WEIGHTS = Suppose("weights sum to 1", Eq(over_draws(ONE), 1, evaluate=False))
LEAD = Define(
    "softmax-weighted normal, the largest one and the others by their gaps to it",
    lead(a, scale),
    (top[a] + over_others((top[a] - gap[a, j]) * WEIGHT)) / (1 + over_others(WEIGHT)),
)
MEAN_LEAD = Define("its mean", mean_lead(scale), over_draws(lead(a, scale)))
STEIN = Suppose("Stein's identity", Eq(confident(scale), 1 - mean_lead(scale) / scale, evaluate=False), forall=(scale,))
UNSATURATED = Define("what the confidence lacks to 1", error(scale), 1 - confident(scale))
MEAN_TOP = Define("mean of the largest normal", mean_top, over_draws(top[a]))
ABOVE = Suppose("it is above 0", above(mean_top, 0))
LACK = Define(
    "what the weighted normal lacks", lack(a, scale), over_others(gap[a, j] * WEIGHT) / (1 + over_others(WEIGHT))
)
MEAN_LACK = Define("and in the mean", mean_lack(scale), over_draws(lack(a, scale)))
BY_LACK = Equal(
    "lead by what it lacks", lead(a, scale), top[a] - lack(a, scale), uses=names(LEAD, LACK), forall=(a, scale)
)
MEAN_BY_LACK = Equal(
    "mean by what it lacks",
    mean_lead(scale),
    mean_top - mean_lack(scale),
    uses=names(MEAN_LEAD, BY_LACK, MEAN_TOP, MEAN_LACK),
    forall=(scale,),
)
EACH = Termwise(
    "each class costs little",
    over_others(gap[a, j] * WEIGHT),
    over_others(1 / scale),
    uses=names(BELOW),
    instances=((BELOW.name, {y: -scale * gap[a, j]}),),
    because="y e^-y is at most 1",
    forall=(a, scale),
)
LITTLE = Holds(
    "and so do all",
    at_most(lack(a, scale), (K - 1) / scale),
    uses=names(LACK, EACH),
    instances=((EACH.name, {a: a, scale: scale}),),
    forall=(a, scale),
)
SOME = Holds("which is not negative", at_least(lack(a, scale), 0), uses=names(LACK), forall=(a, scale))
IN_THE_MEAN = Termwise(
    "also in the mean",
    over_draws(lack(a, scale)),
    over_draws((K - 1) / scale),
    uses=names(LITTLE),
    instances=((LITTLE.name, {a: a, scale: scale}),),
    forall=(scale,),
)
NOT_LESS = Termwise(
    "which is not negative either",
    Integer(0),
    over_draws(lack(a, scale)),
    uses=names(SOME),
    instances=((SOME.name, {a: a, scale: scale}),),
    forall=(scale,),
)
UPPER = Holds(
    "bound of the mean",
    at_most(mean_lack(scale), (K - 1) / scale),
    uses=names(MEAN_LACK, IN_THE_MEAN, WEIGHTS),
    instances=((IN_THE_MEAN.name, {scale: scale}),),
    forall=(scale,),
)
LOWER = Holds(
    "sign of the mean",
    at_least(mean_lack(scale), 0),
    uses=names(MEAN_LACK, NOT_LESS),
    instances=((NOT_LESS.name, {scale: scale}),),
    forall=(scale,),
)
VANISHES = Squeezed(
    "nothing is left of it",
    mean_lack(scale),
    scale,
    oo,
    Integer(0),
    Integer(0),
    (K - 1) / scale,
    uses=names(UPPER, LOWER),
)
BY_MEAN = Equal(
    "what the confidence lacks, by the lead",
    error(scale),
    (mean_top - mean_lack(scale)) / scale,
    uses=names(UNSATURATED, STEIN, MEAN_BY_LACK),
    forall=(scale,),
)


def an_ensemble(source: random.Random) -> World:
    """Two draws of three classes, and the confidence that Stein's identity gives them."""
    size = Symbol("size", positive=True)
    part = Rational(source.randint(1, 4), 5)
    weights, tops = [part, 1 - part], [fraction(source), fraction(source)]
    gaps = [[fraction(source, 0, 3) for _ in range(2)] for _ in range(2)]
    leads = [
        (t + sum((t - g) * exp(-size * g) for g in row)) / (1 + sum(exp(-size * g) for g in row))
        for t, row in zip(tops, gaps, strict=True)
    ]
    mean = sum(weight * one for weight, one in zip(weights, leads, strict=True))
    return World(
        {
            **{K: 3, draws: 2, a: source.randint(1, 2), j: source.randint(1, 2)},
            **{scale: fraction(source), y: fraction(source, -2, 2), w: weights, top: tops, gap: gaps},
            confident: Lambda(size, 1 - mean / size),
        }
    )


AVERAGED = Derivation(
    premises=(BELOW, WEIGHTS, LEAD, MEAN_LEAD, STEIN, UNSATURATED, MEAN_TOP, ABOVE, LACK, MEAN_LACK),
    steps=(
        *(BY_LACK, MEAN_BY_LACK, EACH, LITTLE, SOME, IN_THE_MEAN, NOT_LESS, UPPER, LOWER, VANISHES, BY_MEAN),
        Follows("order", error(scale), scale, -ONE, uses=names(VANISHES, BY_MEAN, ABOVE, MEAN_TOP)),
    ),
    worlds=an_ensemble,
)
