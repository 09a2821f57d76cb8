"""A reference network and its scaled versions at the start: variances, kernels, and the divergence (width:X8)."""

from collections.abc import Mapping
from typing import Any

from sympy import Eq, Expr, Symbol, log, symbols

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import exponentials, rational
from theory.proof.steps import Equal
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

rho, d_ref, sigma_ref, square = symbols("rho d_ref sigma_ref square", positive=True)
q_sigma, middle = symbols("q_sigma middle", real=True)
d, sigma, variance, variance_ref, ratio = symbols("d sigma variance variance_ref ratio")
distance = Symbol("KL")

VARIANCE_RATIO = rho ** (2 * q_sigma + 1)
DIVERGENCE = (VARIANCE_RATIO - 1 - (2 * q_sigma + 1) * log(rho)) / 2

_MEANINGS = {
    rho: "width over the reference's width",
    q_sigma: "exponent of the standard deviation of the output weights",
    ratio: "variance of the initial logit over the reference's",
    distance: "divergence of the initial logit's normal law from the reference's",
}


def _quantities(*shown: Symbol) -> tuple[Quantity, ...]:
    return tuple(Quantity(symbol, _MEANINGS[symbol]) for symbol in shown)


def _worlds(source_) -> World:
    return World(
        {
            rho: draw(source_), d_ref: draw(source_), sigma_ref: draw(source_), square: draw(source_),
            q_sigma: draw(source_, -2, 1), middle: 0,
        }
    )  # fmt: skip


WIDTH = Define("width", d, rho * d_ref)
SCALE = Define("scale of the output weights", sigma, sigma_ref * rho**q_sigma, "a sign of the scale cancels in squares")
CENTRED = Suppose("output weights are symmetric", Eq(middle, 0, evaluate=False))


def _mean_square(size: Expr, scale: Expr) -> Expr:
    """Of a sum of independent neurons, each with the given mean and mean square."""
    return scale**2 * (size * square + size * (size - 1) * middle**2)


VARIANCE = Define("variance of the logit", variance, _mean_square(d, sigma))
REFERENCE = Define("variance of the reference's logit", variance_ref, _mean_square(d_ref, sigma_ref))
RATIO = Define("ratio", ratio, variance / variance_ref)
RATIO_OF_VARIANCES = Equal(
    "ratio of the variances",
    ratio,
    VARIANCE_RATIO,
    uses=tuple(part.name for part in (WIDTH, SCALE, CENTRED, VARIANCE, REFERENCE, RATIO)),
    normal=(exponentials, rational),
    because="Centred independent terms: the variance is sigma^2 times the width.",
)
_OF_VARIANCES = (WIDTH, SCALE, CENTRED, VARIANCE, REFERENCE, RATIO)

LAWS = (
    Law(
        name="width.kl_initial",
        title="At the start the divergence is (rho^(2 q_sigma + 1) - 1 - (2 q_sigma + 1) ln rho)/2; at mean-field "
        "scaling (1/rho - 1 + ln rho)/2, which grows with the width.",
        status=Status.THEOREM,
        source=source(
            "Figure 2",
            ("X8", "X6", "G13", "G14", "T5"),
            "The mean-field limit is deterministic: its divergence from the reference grows like half of ln rho.",
        ),
        quantities=_quantities(distance, rho, q_sigma),
        regime="Normal laws with the two models' means and variances; initial logits have mean 0.",
        derivation=Derivation(
            premises=(
                *_OF_VARIANCES,
                Define("divergence of two centred normal laws", distance, (ratio - 1 - log(ratio)) / 2),
            ),
            steps=(
                RATIO_OF_VARIANCES,
                Equal(
                    "divergence",
                    distance,
                    DIVERGENCE,
                    uses=("divergence of two centred normal laws", RATIO_OF_VARIANCES.name),
                    normal=(exponentials, rational),
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
