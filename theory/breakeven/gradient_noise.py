"""What a mini-batch makes of the examples' gradients: covariance, distance, loss change (breakeven:L9, L18)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from dataclasses import replace

from sympy import Basic, Rational, Sum, Symbol

from theory.breakeven.meanings import quantities
from theory.breakeven.noise_factor import EACH_PLACE, PAIRS_OF_PLACES, PAPER
from theory.claims import Formula, Identity
from theory.definitions.batch_gradients import (
    ALONG,
    BATCH_GRADIENT,
    CHANGE,
    COVARIANCE,
    DISTANCE,
    MEAN_CHANGE,
    MEAN_GRADIENT,
    MEANINGS,
    MOVE,
    NOISE_CURVATURE,
    SQUARED_GRADIENT,
    TRACE,
    along,
    batch_slope,
    covariance,
    d,
    distance,
    e,
    gradient_world,
    hessian,
    mean_change,
    mean_slope,
    noise_curvature,
    over_coordinates,
    slope,
    squared_gradient,
    trace,
)
from theory.definitions.breakeven import (
    CHANCES,
    COUNTS,
    MEAN_COUNT,
    PAIRS,
    SINGLES,
    TWO_DRAWS,
    N,
    S,
    batch,
    eta,
    held,
    i,
    j,
    noise,
    over_batches,
    over_examples,
    w,
)
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation, Imported
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal

_FORMS = (expanded, sums, rational)


def explained(*symbols: Basic) -> tuple[Quantity, ...]:
    """Quantity of each symbol of the laws of many coordinates.

    Examples
    --------
    >>> explained(trace)[0].unit
    'gradient^2'
    """
    return tuple(Quantity(symbol, *MEANINGS[symbol]) for symbol in symbols)


UNBIASED_GRADIENT = Derivation(
    premises=(SINGLES, MEAN_COUNT, BATCH_GRADIENT, MEAN_GRADIENT),
    steps=(
        EACH_PLACE,
        Equal(
            "mean over batches first",
            over_batches(batch_slope[batch, d]),
            over_examples(slope[i, d] * over_batches(held[batch, i])) / S,
            uses=("batch gradient",),
            normal=_FORMS,
            forall=(d,),
            because="The two finite sums change places.",
        ),
        Equal(
            "unbiased",
            over_batches(batch_slope[batch, d]),
            mean_slope[d],
            uses=("mean over batches first", "singles", "each place", "mean gradient"),
            normal=_FORMS,
            forall=(d,),
            because="Each example is held S/N times on average.",
        ),
    ),
    worlds=gradient_world,
)
"""A mini-batch gradient is the full gradient on average, in each coordinate."""


def _second_moments(d: Symbol, e: Symbol) -> Derivation:
    """Mean over batches of a product of two coordinates of the batch's gradient."""
    product = batch_slope[batch, d] * batch_slope[batch, e]
    everywhere = tuple(dict.fromkeys((d, e)))
    gradient = replace(BATCH_GRADIENT, convention="only products of two of its entries are used")
    return Derivation(
        premises=(PAIRS, TWO_DRAWS, COUNTS, gradient, MEAN_GRADIENT, COVARIANCE),
        steps=(
            PAIRS_OF_PLACES,
            Equal(
                "products over batches first",
                over_batches(product),
                Sum(slope[i, d] * slope[j, e] * over_batches(held[batch, i] * held[batch, j]), (i, 1, N), (j, 1, N))
                / S**2,
                uses=("batch gradient",),
                normal=_FORMS,
                forall=everywhere,
                because="The finite sums change places.",
            ),
            Equal(
                "second moments",
                over_batches(product),
                mean_slope[d] * mean_slope[e] + noise() * covariance[d, e],
                uses=(
                    "products over batches first",
                    "pairs",
                    "pairs of places",
                    "two draws",
                    "mean gradient",
                    "gradient covariance",
                ),
                normal=_FORMS,
                forall=everywhere,
                because="The double sum over examples collapses as for the variance of a batch mean.",
            ),
        ),
        worlds=gradient_world,
    )


SECOND_MOMENTS, SQUARES = _second_moments(d, e), _second_moments(d, d)
"""Second moments of a mini-batch gradient: of every pair of coordinates, and of each with itself."""

MOMENTS = (
    SINGLES,
    PAIRS,
    Imported("unbiased", UNBIASED_GRADIENT),
    Imported("second moments", SECOND_MOMENTS),
)
"""What the laws about a mini-batch gradient start from."""

TRACE_NOISE = Law(
    name="breakeven.trace_noise",
    title="The mean squared distance of a mini-batch gradient from the full one is c Tr K.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 3, after Conjecture 1; Appendix C",
        ("breakeven:L9", "breakeven:V7", "breakeven:D2"),
        "E ||g_B - g||^2 = c Tr K, with the noise factor c of the sampling scheme and K the per-example covariance.",
    ),
    quantities=(*explained(distance, trace), *quantities(N, S, w)),
    regime="Any gradients, any number of coordinates; batches of fixed size, of either scheme.",
    derivation=Derivation(
        premises=(CHANCES, *MOMENTS[:3], Imported("second moment of each", SQUARES), TRACE, DISTANCE),
        steps=(
            Equal(
                "coordinates first",
                distance,
                over_coordinates(
                    over_batches(batch_slope[batch, d] ** 2)
                    - 2 * mean_slope[d] * over_batches(batch_slope[batch, d])
                    + mean_slope[d] ** 2 * over_batches(Rational(1)),
                    d,
                ),
                uses=("expected distance",),
                normal=_FORMS,
                because="The two finite sums change places.",
            ),
            Equal(
                "noise times trace",
                distance,
                noise() * trace,
                uses=("coordinates first", "chances", "unbiased", "second moment of each", "trace"),
                normal=_FORMS,
                because="The variance of each coordinate is its second moment less the square of its mean.",
            ),
        ),
        worlds=gradient_world,
    ),
    claim=Formula(distance, noise() * trace),
    rivals=(
        Rival("per example", Formula(distance, trace), "takes the noise of one example (breakeven:X5)"),
        Rival("no finite population", Formula(distance, trace / S), "treats distinct examples as independent"),
        Rival(
            "sample variance",
            Formula(distance, noise() * trace * (N - 1) / N),
            "belongs to a covariance with N - 1 in the denominator",
        ),
    ),
)

_CHANGE = -eta * squared_gradient + eta**2 * (along + noise() * noise_curvature) / 2

LOSS_CHANGE = Law(
    name="breakeven.expected_loss_change",
    title="On a quadratic, a step changes the loss by -eta |g|^2 + (eta^2/2)(g^T H g + c Tr HK) on average.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Section 4.1, the proxy Delta L",
        ("breakeven:L18", "breakeven:D8", "breakeven:G14"),
        "The mean loss change of a step has a noise term (eta^2/2) c Tr HK, the null of a count of Delta L < 0.",
    ),
    quantities=(
        *explained(mean_change, squared_gradient, along, noise_curvature),
        *quantities(eta, N, S, w),
    ),
    regime="Exact on quadratic losses of any Hessian; the second order in eta elsewhere.",
    derivation=Derivation(
        premises=(*MOMENTS, MOVE, CHANGE, MEAN_CHANGE, SQUARED_GRADIENT, ALONG, NOISE_CURVATURE),
        steps=(
            Equal(
                "coordinates first",
                mean_change,
                -eta * over_coordinates(mean_slope[d] * over_batches(batch_slope[batch, d]), d)
                + eta**2
                / 2
                * over_coordinates(hessian[d, e] * over_batches(batch_slope[batch, d] * batch_slope[batch, e]), d, e),
                uses=("expected change", "quadratic loss", "step"),
                normal=_FORMS,
                because="The finite sums change places.",
            ),
            Equal(
                "mean loss change",
                mean_change,
                _CHANGE,
                uses=(
                    "coordinates first",
                    "unbiased",
                    "second moments",
                    "squared gradient",
                    "curvature along the gradient",
                    "curvature under the noise",
                ),
                normal=_FORMS,
                because="First and second moments of a mini-batch gradient.",
            ),
        ),
        worlds=gradient_world,
    ),
    claim=Identity(mean_change, _CHANGE),
    rivals=(
        Rival(
            "no noise",
            Identity(mean_change, -eta * squared_gradient + eta**2 * along / 2),
            "is full-batch gradient descent",
        ),
        Rival(
            "no finite population",
            Identity(mean_change, -eta * squared_gradient + eta**2 * (along + noise_curvature / S) / 2),
            "treats distinct examples as independent",
        ),
        Rival(
            "first order",
            Identity(mean_change, -eta * squared_gradient * Rational(1)),
            "forgets the curvature",
        ),
    ),
)

LAWS = (TRACE_NOISE, LOSS_CHANGE)
