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
q_sigma, q, middle = symbols("q_sigma q middle", real=True)
d, sigma, variance, variance_ref, ratio, kernel, kernel_ref, kernel_ratio = symbols(
    "d sigma variance variance_ref ratio kernel kernel_ref kernel_ratio"
)
distance = Symbol("KL")

VARIANCE_RATIO = rho ** (2 * q_sigma + 1)
KERNEL_RATIO = rho ** (2 * q_sigma + q + 1)
DIVERGENCE = (VARIANCE_RATIO - 1 - (2 * q_sigma + 1) * log(rho)) / 2

_MEANINGS = {
    rho: "width over the reference's width",
    q_sigma: "exponent of the standard deviation of the output weights",
    q: "exponent of both learning rates in hat units",
    ratio: "variance of the initial logit over the reference's",
    kernel_ratio: "mean of the initial tangent kernel over the reference's",
    distance: "divergence of the initial logit's normal law from the reference's",
}


def _quantities(*shown: Symbol) -> tuple[Quantity, ...]:
    return tuple(Quantity(symbol, _MEANINGS[symbol]) for symbol in shown)


def _worlds(source_) -> World:
    return World(
        {
            rho: draw(source_), d_ref: draw(source_), sigma_ref: draw(source_), square: draw(source_),
            q_sigma: draw(source_, -2, 1), q: draw(source_, -1, 2), middle: 0,
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
        name="width.initial_variance_ratio",
        title="Widening a reference by rho multiplies the variance of its initial logit by rho^(2 q_sigma + 1).",
        status=Status.THEOREM,
        source=source("Section 5", ("X8", "X7", "G13", "T2"), "Var f_d / Var f_d* = rho^(2 A), A = q_sigma + 1/2."),
        quantities=_quantities(ratio, rho, q_sigma),
        regime="Symmetric output weights of finite variance, independent neurons; exact at every width.",
        derivation=Derivation(_OF_VARIANCES, (RATIO_OF_VARIANCES,), _worlds),
        claim=Formula(ratio, VARIANCE_RATIO),
        rivals=(
            Rival(
                "law of large numbers",
                Formula(ratio, rho ** (2 * q_sigma + 2)),
                "holds for output weights with a mean",
            ),
        ),
    ),
    Law(
        name="width.initial_kernel_ratio",
        title="Widening a reference by rho multiplies its mean initial kernels by rho^(2 q_sigma + q + 1).",
        status=Status.THEOREM,
        source=source("Section 5", ("X8", "X7", "G13", "T2"), "E K_d / E K_d* = rho^B, B = 2 q_sigma + q + 1."),
        quantities=_quantities(kernel_ratio, rho, q_sigma, q),
        regime="Independent neurons; exact at every width.",
        derivation=Derivation(
            premises=(
                WIDTH,
                SCALE,
                Define("mean kernel", kernel, rho**q * sigma**2 * d * square),
                Define("mean kernel of the reference", kernel_ref, sigma_ref**2 * d_ref * square),
                Define("ratio", kernel_ratio, kernel / kernel_ref),
            ),
            steps=(
                Equal(
                    "ratio of the kernels",
                    kernel_ratio,
                    KERNEL_RATIO,
                    uses=(WIDTH.name, SCALE.name, "mean kernel", "mean kernel of the reference", "ratio"),
                    normal=(exponentials, rational),
                    because="A mean over neurons times the width, sigma^2 and the learning rate's power.",
                ),
            ),
            worlds=_worlds,
        ),
        claim=Formula(kernel_ratio, KERNEL_RATIO),
        rivals=(
            Rival(
                "no learning rate",
                Formula(kernel_ratio, rho ** (2 * q_sigma + 1) + 0 * q),
                "takes the kernel without its learning rate",
            ),
        ),
    ),
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
