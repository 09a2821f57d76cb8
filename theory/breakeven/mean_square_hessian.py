"""Mean over batches of H_B (x) H_B: what mini-batches make of second moments in many dimensions (breakeven:L14)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import IndexedBase, Symbol

from theory.breakeven.gradient_noise import SECOND_MOMENTS
from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import PAPER
from theory.claims import Formula
from theory.definitions.batch_gradients import (
    COVARIANCE,
    MEAN_GRADIENT,
    batch_slope,
    covariance,
    d,
    e,
    gradient_world,
    mean_slope,
    over_coordinates,
    slope,
)
from theory.definitions.breakeven import PAIRS, N, S, batch, i, noise, over_batches, over_examples, w
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Define, Derivation, Imported
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal
from theory.proof.worlds import World, table

weight = IndexedBase("W", real=True)
square, plain, mixed = (Symbol(name, real=True) for name in ("XDX", "XHXH", "XHiXHi"))

_FORMS = (expanded, sums, rational)
_CLAIM = (1 - noise()) * plain + noise() * mixed
_SCATTER = over_coordinates(weight[d, e] * covariance[d, e], d, e)


def _squares_world(source: random.Random) -> World:
    return World(gradient_world(source).values | {weight: table(source, 2, 2)})


MEAN_SQUARE_HESSIAN = Law(
    name="breakeven.mean_square_hessian",
    title="The mean of H_B (x) H_B over batches is (1 - c) H (x) H + c times the mean of H_i (x) H_i.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Eq. 1 in more than one dimension",
        ("breakeven:L14",),
        "D = (1 - c) H (x) H + c mean_i H_i (x) H_i, with the noise factor c of the sampling scheme.",
    ),
    quantities=(
        Quantity(square, "mean over batches of <X, H_B X H_B>", "curvature^2"),
        Quantity(plain, "<X, H X H> for the mean Hessian H", "curvature^2"),
        Quantity(mixed, "mean over examples of <X, H_i X H_i>", "curvature^2"),
        *quantities(N, S, w),
    ),
    regime="Any Hessians in any number of dimensions, any matrix X: <X, A X B> is a quadratic form in the entries. In "
    "the derivation the coordinates are the entries of the Hessians.",
    derivation=Derivation(
        premises=(
            PAIRS,
            MEAN_GRADIENT,
            COVARIANCE,
            Imported("second moments", SECOND_MOMENTS),
            Define(
                "over batches",
                square,
                over_batches(over_coordinates(weight[d, e] * batch_slope[batch, d] * batch_slope[batch, e], d, e)),
            ),
            Define("of the mean", plain, over_coordinates(weight[d, e] * mean_slope[d] * mean_slope[e], d, e)),
            Define(
                "over examples",
                mixed,
                over_coordinates(weight[d, e] * over_examples(slope[i, d] * slope[i, e]) / N, d, e),
            ),
        ),
        steps=(
            Equal(
                "coordinates first",
                square,
                over_coordinates(weight[d, e] * over_batches(batch_slope[batch, d] * batch_slope[batch, e]), d, e),
                uses=("over batches",),
                normal=_FORMS,
                because="The finite sums change places.",
            ),
            Equal(
                "scatter over batches",
                square,
                plain + noise() * _SCATTER,
                uses=("coordinates first", "second moments", "of the mean"),
                normal=_FORMS,
                because="Each product of entries has the second moment of a product of batch means.",
            ),
            Equal(
                "scatter over examples",
                _SCATTER,
                mixed - plain,
                uses=("gradient covariance", "mean gradient", "of the mean", "over examples"),
                normal=_FORMS,
                because="A covariance is a mean of products less the product of the means.",
            ),
            Equal(
                "mixture",
                square,
                _CLAIM,
                uses=("scatter over batches", "scatter over examples"),
                because="The one put into the other.",
            ),
        ),
        worlds=_squares_world,
    ),
    claim=Formula(square, _CLAIM),
    rivals=(
        Rival("mean Hessian", Formula(square, plain), "forgets the noise of the batches"),
        Rival("one example", Formula(square, mixed), "is a batch of one"),
        Rival(
            "no finite population",
            Formula(square, (1 - 1 / S) * plain + mixed / S),
            "treats distinct examples as independent",
        ),
    ),
)

LAWS = (MEAN_SQUARE_HESSIAN,)
