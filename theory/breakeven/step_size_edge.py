"""The largest stable learning rate of SGD along one direction (breakeven:L3)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Gt, Integer, Le

from theory.breakeven import enumeration
from theory.breakeven.inputs import batch_noise, number, numbers
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import NOISE_FACTOR_LAW, PAPER
from theory.breakeven.second_moment import ONE_STEP_OF_SGD
from theory.claims import Band
from theory.definitions.breakeven import (
    BATCH_FITS,
    POPULATION_VARIANCE,
    TWO_EXAMPLES,
    N,
    Q,
    S,
    batch_world,
    c,
    eta,
    lam,
    noise,
    s2,
    w,
)
from theory.law import Law, Rival, Source, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation, Imported, Suppose
from theory.proof.steps import Equal, Holds

EDGE = 2 * lam / (lam**2 + noise() * s2)

CURVED = Suppose("curved", Gt(lam, 0))

NOISE = Imported("noise", NOISE_FACTOR_LAW.derived)
IN_SHORT = Equal(
    "in short",
    1 - w * (S - 1) / (N - 1),
    S * c,
    uses=("noise",),
    because="The factor of N and S is written c again.",
)
NOISE_SIGN = Holds(
    "the noise has a sign",
    c >= 0,
    uses=("noise", "two examples", "batch fits"),
    because="A batch without replacement is no larger than the set.",
)
VARIANCE_SIGN = Holds(
    "the variance has a sign",
    s2 >= 0,
    uses=("population variance",),
    because="It is a mean of squares.",
)
SHORT_EDGE = 2 * lam / (lam**2 + c * s2)

BAND = Band(Le(Q, 1), eta, None, EDGE)

STEP_SIZE_EDGE = Law(
    name="breakeven.step_size_edge",
    title="SGD is stable in mean square exactly for learning rates up to 2 lam/(lam^2 + c s^2).",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1, solved for eta",
        ("breakeven:L3", "breakeven:V3"),
        "The stable learning rates are 0 < eta <= 2 lam/(lam^2 + c s^2), which is 2 E[h]/E[h^2] over the "
        "batches.",
    ),
    quantities=quantities(Q, eta, lam, s2, N, S, w),
    assumptions=(CURVED.fact, TWO_EXAMPLES.fact, BATCH_FITS.fact),
    regime="Interpolating quadratics along one direction, lam > 0, mean-square sense.",
    derivation=Derivation(
        premises=(
            *ONE_STEP_OF_SGD,
            TWO_EXAMPLES,
            BATCH_FITS,
            CURVED,
            POPULATION_VARIANCE,
            NOISE,
        ),
        steps=(
            IN_SHORT,
            NOISE_SIGN,
            VARIANCE_SIGN,
            Equal(
                "factors",
                Q,
                1 + eta * (lam**2 + c * s2) * (eta - SHORT_EDGE),
                uses=("one step of SGD",),
                because="Q - 1 is a quadratic in eta without a constant term.",
            ),
            Holds(
                "mean square of a batch's curvature",
                lam**2 + c * s2 > 0,
                uses=("the noise has a sign", "the variance has a sign", "curved"),
                because="It is the mean of H_B^2 over the batches.",
            ),
            Holds(
                "stable up to the edge",
                BAND.statement,
                uses=("factors", "in short", "mean square of a batch's curvature"),
                because="The first two factors are positive, so the last decides.",
            ),
        ),
        worlds=batch_world,
    ),
    claim=BAND,
    rivals=(
        Rival("gradient descent", Band(Le(Q, 1), eta, None, 2 / lam), "forgets the noise of the batches"),
        Rival("half", Band(Le(Q, 1), eta, None, EDGE / 2), "is the rate of fastest contraction"),
        Rival(
            "no finite population",
            Band(Le(Q, 1), eta, None, 2 * lam / (lam**2 + s2 / S)),
            "treats distinct examples as independent",
        ),
    ),
)

LAWS = (STEP_SIZE_EDGE,)


def _step_size_edge(lam: Any, s2: Any, N: Any, S: Any, H: Any) -> Mapping[str, Expr]:
    if H is not None:
        if not (lam is None and s2 is None and N is None):
            raise OutsideDomain("H was given with lam, s2 or N; give H and S, or lam, s2, N and S")
        curvatures = numbers("H", H)
        mean, spread = enumeration.mean(curvatures), enumeration.variance(curvatures)
        examples: Any = Integer(len(curvatures))
        if mean <= 0:
            raise OutsideDomain(f"H has the mean {mean}; give curvatures with a positive mean")
    else:
        absent = [name for name, value in (("lam", lam), ("s2", s2), ("N", N)) if value is None]
        if absent:
            raise OutsideDomain(f"{absent[0]} is missing; give lam, s2, N and S, or H and S")
        mean, spread = number("lam", lam, positive=True), number("s2", s2, nonnegative=True)
        examples = N
    return {"eta_max": 2 * mean / (mean**2 + batch_noise(examples, S) * spread)}


PREDICTORS = (
    Predictor(
        name="breakeven.step_size_edge",
        laws=("breakeven.step_size_edge",),
        inputs=(
            Input("lam", "mean curvature along the direction: positive", required=False),
            Input("s2", "population variance of the examples' curvature: at least 0", required=False),
            Input("N", "examples in the training set: an integer >= 2, or inf", required=False),
            Input("S", "examples in a mini-batch, drawn without replacement: an integer from 1 to N"),
            Input("H", "the examples' curvatures, in place of lam, s2 and N", required=False),
        ),
        evaluate=_step_size_edge,
        summary="Largest learning rate that is stable in mean square.",
    ),
)
