"""The mean squared distance to the minimum under SGD on interpolating quadratics (breakeven:L2, Eq. 1)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Rational, Sum, sqrt

from theory.breakeven import enumeration
from theory.breakeven.inputs import BATCH, EXAMPLES, REPLACEMENT, batch_noise, number, truth
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import NOISE_FACTOR_LAW, PAPER
from theory.claims import Formula
from theory.definitions.breakeven import (
    BATCH_CURVATURE,
    BATCH_VARIANCE,
    CHANCES,
    MEAN,
    MEAN_COUNT,
    NOISE_FACTOR,
    ONE_STEP,
    PAIRS,
    QUADRATIC,
    SINGLES,
    STEP,
    N,
    Q,
    S,
    batch,
    batch_world,
    c,
    counted_world,
    curvature,
    eta,
    h,
    held,
    i,
    j,
    lam,
    noise,
    over_batches,
    over_examples,
    s2,
    w,
)
from theory.errata import Erratum, Measurement, Witness
from theory.law import Law, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.proof.derivation import Derivation, Imported
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal

ONE_STEP_VALUE = (1 - eta * lam) ** 2 + noise() * eta**2 * s2
_FORMS = (expanded, sums, rational)

UNBIASED = Derivation(
    premises=(SINGLES, MEAN_COUNT, MEAN, BATCH_CURVATURE),
    steps=(
        Equal(
            "mean over batches first",
            over_batches(curvature[batch]),
            over_examples(h[i] * over_batches(held[batch, i])) / S,
            uses=("batch curvature",),
            normal=_FORMS,
            because="The two finite sums change places.",
        ),
        Equal(
            "mean over batches",
            over_batches(curvature[batch]),
            lam,
            uses=("mean over batches first", "singles", "mean count", "mean"),
            normal=_FORMS,
            because="Each example is held S/N times on average.",
        ),
    ),
    worlds=counted_world,
)
"""A batch's mean curvature is the mean curvature on average."""

_SQUARED = tuple(
    replace(part, convention="only its square is used") for part in (MEAN_COUNT, MEAN, BATCH_CURVATURE)
)

SCATTERED = Derivation(
    premises=(PAIRS, *_SQUARED, BATCH_VARIANCE, NOISE_FACTOR),
    steps=(
        Equal(
            "mean square over batches first",
            over_batches(curvature[batch] ** 2),
            Sum(h[i] * h[j] * over_batches(held[batch, i] * held[batch, j]), (i, 1, N), (j, 1, N)) / S**2,
            uses=("batch curvature",),
            normal=_FORMS,
            because="The finite sums change places.",
        ),
        Equal(
            "mean square over batches",
            over_batches(curvature[batch] ** 2),
            lam**2 + c * s2,
            uses=("mean square over batches first", "pairs", "noise factor", "batch variance", "mean count", "mean"),
            normal=_FORMS,
            because="The second moment is the squared mean plus the variance of a batch mean.",
        ),
    ),
    worlds=counted_world,
)
"""Its mean square is the squared mean plus the batch variance c s^2."""

BATCH_MOMENTS = (SINGLES, PAIRS, Imported("unbiased", UNBIASED), Imported("scatter", SCATTERED))
"""First and second moment of a batch's mean curvature, from what a batch holds."""

ONE_STEP_DERIVATION = Derivation(
    premises=(CHANCES, *BATCH_MOMENTS, QUADRATIC, STEP, ONE_STEP),
    steps=(
        Equal(
            "mean square of one step",
            Q,
            (1 - eta * lam) ** 2 + c * eta**2 * s2,
            uses=("chances", "unbiased", "scatter", "quadratic", "step", "one step"),
            normal=_FORMS,
            because="A batch multiplies the distance by 1 - eta H_B; square it and average over the batches.",
        ),
    ),
    worlds=counted_world,
)
"""One step in terms of the batch variance: what the thresholds start from."""

ONE_STEP_OF_SGD = (CHANCES, SINGLES, PAIRS, Imported("one step of SGD", ONE_STEP_DERIVATION))
"""What the thresholds believe: chances that add up to 1, and what the moments of the counts mean."""

FROM_THE_COUNTS = Derivation(
    premises=(*ONE_STEP_OF_SGD, Imported("noise", NOISE_FACTOR_LAW.derived)),
    steps=(
        Equal(
            "in terms of N and S",
            Q,
            ONE_STEP_VALUE,
            uses=("one step of SGD", "noise"),
            because="The batch-noise factor of the sampling scheme.",
        ),
    ),
    worlds=batch_world,
)

SECOND_MOMENT = Law(
    name="breakeven.second_moment",
    title="One step of SGD multiplies the mean squared distance by (1 - eta lam)^2 + c eta^2 s^2.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 and Eq. 2",
        ("breakeven:L2", "breakeven:A1", "breakeven:D5"),
        "Under a common minimum E psi'^2 = Q psi^2 with Q = (1 - eta lam)^2 + c eta^2 s^2; stable "
        "exactly if Q <= 1.",
    ),
    quantities=quantities(Q, eta, lam, s2, N, S, w),
    regime="Quadratic losses with one common minimum along the direction; batches independent over steps.",
    derivation=FROM_THE_COUNTS,
    claim=Formula(Q, ONE_STEP_VALUE),
    rivals=(
        Rival("no noise", Formula(Q, (1 - eta * lam) ** 2), "is full-batch gradient descent"),
        Rival(
            "deviation for variance",
            Formula(Q, (1 - eta * lam) ** 2 + noise() * eta**2 * sqrt(s2)),
            "puts s where s^2 belongs, as the slip s = Var H_i invites (breakeven:X1)",
        ),
        Rival(
            "no finite population",
            Formula(Q, (1 - eta * lam) ** 2 + eta**2 * s2 / S),
            "treats distinct examples as independent",
        ),
        Rival(
            "first power of the learning rate",
            Formula(Q, (1 - eta * lam) ** 2 + noise() * eta * s2),
            "scales the noise of a step with eta",
        ),
    ),
)

LAWS = (SECOND_MOMENT,)


def _deviation_for_variance() -> tuple[Expr, Expr, Expr]:
    """Curvatures 0 and 4, S = 1, eta = 1/4: the growth in the printed and in the derived reading."""
    curvatures, rate = [Rational(0), Rational(4)], Rational(1, 4)
    spread = enumeration.variance(curvatures)
    at = {eta: rate, lam: enumeration.mean(curvatures), N: 2, S: 1, w: 1}
    printed = ONE_STEP_VALUE.subs(at).subs(s2, spread**2)
    derived = ONE_STEP_VALUE.subs(at).subs(s2, spread)
    return printed, derived, enumeration.growth(curvatures, 1, rate)


ERRATA = (
    Erratum(
        id="breakeven:X1",
        where="Appendix B, the definition of s(t) under inequality (2)",
        sentence="s(t) = Var[H_i] must read s(t)^2 = Var[H_i], as Section 3 has it: the inequality holds "
        "s(t)^2.",
        printed="s = Var[H_i], hence Q = (1 - eta lam)^2 + c eta^2 Var[H_i]^2",
        derived="s^2 = Var[H_i], hence Q = (1 - eta lam)^2 + c eta^2 Var[H_i]",
        evidence=(
            Witness(
                "Curvatures 0 and 4, S = 1, eta = 1/4: the two batches multiply psi by 1 and by 0, so E "
                "psi'^2 = psi^2/2; "
                "the printed reading gives 5/4.",
                _deviation_for_variance,
            ),
            Measurement(
                "The growth with s in place of s^2, on curvatures of mean square deviation 4.",
                "breakeven.second_moment",
                "deviation for variance",
            ),
        ),
        law="breakeven.second_moment",
    ),
)


def _second_moment(eta: Any, lam: Any, s2: Any, N: Any, S: Any, replacement: Any) -> Mapping[str, Any]:
    rate = number("eta", eta, nonnegative=True)
    curvature = number("lam", lam)
    spread = number("s2", s2, nonnegative=True)
    factor = batch_noise(N, S, truth("replacement", replacement))
    value = (1 - rate * curvature) ** 2 + factor * rate**2 * spread
    return {"Q": value, "stable": bool(value <= 1)}


PREDICTORS = (
    Predictor(
        name="breakeven.second_moment",
        laws=("breakeven.second_moment",),
        inputs=(
            Input("eta", "learning rate: at least 0"),
            Input("lam", "mean curvature along the direction"),
            Input("s2", "population variance of the examples' curvature: at least 0"),
            EXAMPLES,
            BATCH,
            REPLACEMENT,
        ),
        evaluate=_second_moment,
        summary="Factor of the mean squared distance in one step of SGD, and whether it is at most 1.",
    ),
)
