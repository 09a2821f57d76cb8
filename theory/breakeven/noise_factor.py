"""How much of the examples' variance the mean of a mini-batch keeps (breakeven:L1)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, KroneckerDelta, Rational

from theory.breakeven.inputs import BATCH, EXAMPLES, REPLACEMENT, batch_noise, truth
from theory.breakeven.meanings import quantities
from theory.claims import Formula, Identity
from theory.definitions.breakeven import (
    BATCH_VARIANCE,
    COUNTS,
    DEVIATION,
    MEAN,
    MEAN_COUNT,
    NOISE_FACTOR,
    POPULATION_VARIANCE,
    TWO_DRAWS,
    N,
    S,
    V,
    c,
    count,
    i,
    j,
    moment,
    noise,
    pair,
    s2,
    sampling_world,
    w,
)
from theory.errata import Counterexample, Erratum
from theory.law import Law, Rival, Source, Status
from theory.predictors import Predictor
from theory.proof.derivation import Derivation, Imported
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal

PAPER = "The Break-Even Point on Optimization Trajectories of Deep Neural Networks"

PAIRS_OF_PLACES = Equal(
    "pairs of places",
    moment[i, j],
    S * KroneckerDelta(i, j) / N + S * (S - 1) * pair[i, j],
    uses=("counts",),
    forall=(i, j),
    because="S pairs are a place with itself, which holds one example; the S (S - 1) others are two draws.",
)
EACH_PLACE = Equal(
    "each place",
    count[i],
    S / N,
    uses=("mean count",),
    forall=(i,),
    because="S places, each of which holds example i with chance 1/N.",
)

_VARIANCE = Derivation(
    premises=(TWO_DRAWS, COUNTS, MEAN_COUNT, MEAN, DEVIATION, POPULATION_VARIANCE, BATCH_VARIANCE),
    steps=(
        PAIRS_OF_PLACES,
        EACH_PLACE,
        Equal(
            "variance of a batch mean",
            V,
            s2 * noise(),
            uses=(
                "batch variance",
                "pairs of places",
                "two draws",
                "each place",
                "population variance",
                "deviation",
                "mean",
            ),
            normal=(expanded, sums, rational),
            because="The double sum over examples collapses to the sum of squares and the square of the sum.",
        ),
    ),
    worlds=sampling_world,
)

BATCH_VARIANCE_LAW = Law(
    name="breakeven.batch_variance",
    title="The mean of a mini-batch varies with the population variance times a factor of N, S and the "
    "scheme alone.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1, the factor before s(t)^2",
        ("breakeven:L1", "breakeven:V1"),
        "The variance of a batch mean is the population variance times (N-S)/(S(N-1)) without replacement.",
    ),
    quantities=quantities(V, s2, N, S, w),
    regime="Any values of the examples, any N >= 2 and S >= 1 (S <= N without replacement); general size.",
    derivation=_VARIANCE,
    claim=Identity(V, s2 * noise()),
    rivals=(
        Rival(
            "independent draws",
            Identity(V, s2 / S),
            "forgets that distinct examples are negatively correlated",
        ),
        Rival(
            "sample variance",
            Identity(V, s2 * noise() * (N - 1) / N),
            "takes s^2 with N - 1 in the denominator",
        ),
    ),
)

NOISE_FACTOR_LAW = Law(
    name="breakeven.noise_factor",
    title="A batch mean keeps (N-S)/(S(N-1)) of the variance without replacement, and 1/S with replacement.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 and Eq. 4",
        ("breakeven:L1", "breakeven:A5"),
        "The batch-noise factor is (N-S)/(S(N-1)) without replacement, exactly as printed, and 1/S with it.",
    ),
    quantities=quantities(c, N, S, w),
    regime="Batches of a fixed size, fresh at every step; the variance s^2 is that of the population and "
    "not 0.",
    derivation=Derivation(
        premises=(Imported("batch variance of any size", _VARIANCE), NOISE_FACTOR),
        steps=(
            Equal(
                "ratio",
                c,
                noise(),
                uses=("noise factor", "batch variance of any size"),
                because="The population variance cancels.",
            ),
        ),
        worlds=sampling_world,
    ),
    claim=Formula(c, noise()),
    rivals=(
        Rival("no finite population", Formula(c, 1 / S), "holds with replacement only"),
        Rival(
            "sample variance",
            Formula(c, noise() * (N - 1) / N),
            "(N-S)/(S N): belongs to the variance over N - 1",
        ),
        Rival("one over N", Formula(c, 1 / S - w / N), "subtracts S/N from 1 instead of (S-1)/(N-1)"),
    ),
)

LAWS = (BATCH_VARIANCE_LAW, NOISE_FACTOR_LAW)


def _size_far_above_population() -> tuple[bool, bool]:
    """S = 100 N, and whether (N - S)/(N - 1) is within 1 % of 1, for which the paper assumes it."""
    population = Integer(10)
    size = 100 * population
    share = (population - size) / (population - 1)
    return bool(size >= 100 * population), bool(abs(share - 1) <= Rational(1, 100))


ERRATA = (
    Erratum(
        id="breakeven:X2",
        where="Section 3, the sentence after the four assumptions",
        sentence="The assumption S >> N must read S << N: a batch cannot be larger than the set it is "
        "drawn from, and "
        "for S > N the noise factor is negative.",
        printed="S >> N, so that (N - S)/(N - 1) is about 1",
        derived="S << N, so that (N - S)/(N - 1) is about 1",
        evidence=(
            Counterexample(
                "N = 10, S = 1000: the printed assumption holds, and (N - S)/(N - 1) = -110 instead of "
                "about 1.",
                _size_far_above_population,
            ),
        ),
        law="breakeven.noise_factor",
    ),
)


def _noise_factor(N: Any, S: Any, replacement: Any) -> Mapping[str, Expr]:
    return {"c": batch_noise(N, S, truth("replacement", replacement))}


PREDICTORS = (
    Predictor(
        name="breakeven.noise_factor",
        laws=("breakeven.noise_factor",),
        inputs=(EXAMPLES, BATCH, REPLACEMENT),
        evaluate=_noise_factor,
        summary="Variance of a batch mean over the population variance.",
    ),
)
