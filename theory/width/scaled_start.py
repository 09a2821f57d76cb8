"""A reference network and its scaled versions at the start: variances, kernels, and the divergence (width:X8)."""

from collections.abc import Mapping
from typing import Any

from sympy import Eq, Expr, Rational, Symbol, log, sqrt, symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Imported, Suppose
from theory.proof.normal_forms import expanded, exponentials, rational
from theory.proof.steps import Equal
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width import kl
from theory.width.meanings import source

rho, d_ref, sigma_ref, square = symbols("rho d_ref sigma_ref square", positive=True)
q_sigma, middle = symbols("q_sigma middle", real=True)
d, sigma = symbols("d sigma")
distance = kl.distance

VARIANCE_RATIO = rho ** (2 * q_sigma + 1)
DIVERGENCE = (VARIANCE_RATIO - 1 - (2 * q_sigma + 1) * log(rho)) / 2

_MEANINGS = {
    rho: "width over the reference's width",
    q_sigma: "exponent of the standard deviation of the output weights",
    distance: "divergence of the initial logit's normal law from the reference's",
}


def _quantities(*shown: Symbol) -> tuple[Quantity, ...]:
    return tuple(Quantity(symbol, _MEANINGS[symbol]) for symbol in shown)


def _worlds(source_) -> World:
    """A law of two places with the variance of the initial logit, and the reference's normal law."""
    values = {one: draw(source_) for one in (rho, d_ref, sigma_ref, square)}
    values |= {q_sigma: draw(source_, -2, 1), middle: 0}
    spread = (sigma_ref**2 * d_ref * square).subs(values)
    own = spread * VARIANCE_RATIO.subs(values)
    normal = {kl.mean: 0, kl.mean_ref: 0, kl.variance: own, kl.variance_ref: spread}
    places = {kl.count: 2, kl.x: [sqrt(own), -sqrt(own)], kl.weight: [Rational(1, 2), Rational(1, 2)], kl.i: 1}
    return World(values | normal | places)


WIDTH = Define("width", d, rho * d_ref)
SCALE = Define("scale of the output weights", sigma, sigma_ref * rho**q_sigma, "a sign of the scale cancels in squares")
CENTRED = Suppose("output weights are symmetric", Eq(middle, 0, evaluate=False))


def _mean_square(size: Expr, scale: Expr) -> Expr:
    """Of a sum of independent neurons, each with the given mean and mean square."""
    return scale**2 * (size * square + size * (size - 1) * middle**2)


VARIANCE = Suppose("variance of the logit", Eq(kl.variance, _mean_square(d, sigma), evaluate=False))
REFERENCE = Suppose(
    "variance of the reference's logit", Eq(kl.variance_ref, _mean_square(d_ref, sigma_ref), evaluate=False)
)
CENTRES = (
    Suppose("logits have mean 0", Eq(kl.mean, 0, evaluate=False)),
    Suppose("the reference's logits have mean 0", Eq(kl.mean_ref, 0, evaluate=False)),
)
OF_THE_REFERENCE = Equal(
    "variance of the reference",
    kl.variance_ref,
    sigma_ref**2 * d_ref * square,
    uses=tuple(part.name for part in (CENTRED, REFERENCE)),
    because="Centred independent terms: the variance is sigma^2 times the width.",
)
RATIO_OF_VARIANCES = Equal(
    "ratio of the variances",
    kl.variance,
    VARIANCE_RATIO * sigma_ref**2 * d_ref * square,
    uses=tuple(part.name for part in (WIDTH, SCALE, CENTRED, VARIANCE)),
    normal=(exponentials, rational),
    because="So is that of the scaled network, whose scale and width are those of the reference times powers of rho.",
)
_NORMAL = tuple(part for part in kl.NORMAL_DERIVATION.premises if isinstance(part, Suppose))

LAWS = (
    Law(
        name="width.kl_initial",
        title="At the start the divergence is (rho^(2 q_sigma + 1) - 1 - (2 q_sigma + 1) ln rho)/2; at mean-field "
        "scaling (1/rho - 1 + ln rho)/2, which grows with the width.",
        status=Status.THEOREM,
        source=source(
            "Figure 2",
            ("width:X8", "width:X6", "width:G13", "width:G14", "width:T5"),
            "The mean-field limit is deterministic: its divergence from the reference grows like half of ln rho.",
        ),
        quantities=_quantities(distance, rho, q_sigma),
        regime="Normal laws with the two models' means and variances (a law with finitely many places stands for the "
        "first); initial logits have mean 0; neurons are independent and alike.",
        derivation=Derivation(
            premises=(
                WIDTH,
                SCALE,
                CENTRED,
                VARIANCE,
                REFERENCE,
                *CENTRES,
                *_NORMAL,
                Imported("divergence of two normal laws", kl.NORMAL_DERIVATION),
            ),
            steps=(
                OF_THE_REFERENCE,
                RATIO_OF_VARIANCES,
                Equal(
                    "divergence at the start",
                    distance,
                    DIVERGENCE,
                    uses=(
                        "divergence of two normal laws",
                        *(part.name for part in CENTRES),
                        OF_THE_REFERENCE.name,
                        RATIO_OF_VARIANCES.name,
                    ),
                    normal=(exponentials, expanded, rational),
                    because="Means are 0, so the ratio of the variances decides.",
                ),
            ),
            worlds=_worlds,
        ),
        claim=Formula(distance, DIVERGENCE),
        rivals=(
            Rival(
                "stays finite",
                Formula(distance, (1 - VARIANCE_RATIO) ** 2 / 4),
                "the second-order form, which a divergence from a spread law to a point would have to follow",
            ),
        ),
    ),
)


def _mean_field(rho: Any) -> Mapping[str, Any]:
    if not isinstance(rho, Expr) or not rho.is_finite or not rho.is_positive:
        raise OutsideDomain(f"rho is {rho}; positive numbers are allowed; give the width over the reference's")
    return {"kl": (1 / rho - 1 + log(rho)) / 2}


PREDICTORS = (
    Predictor(
        name="width.kl_mean_field_initial",
        laws=("width.kl_initial",),
        inputs=(Input("rho", "width over the reference's width"),),
        evaluate=_mean_field,
        summary="Divergence of the mean-field model's initial logit from the reference's.",
    ),
)
