"""The paper's distance between a limit model and the reference, and what sampling alone makes of it (width:X6)."""

from collections.abc import Mapping
from typing import Any

import mpmath
from sympy import (
    Eq,
    Expr,
    Float,
    Function,
    IndexedBase,
    Integer,
    Limit,
    Rational,
    S,
    Sum,
    Symbol,
    digamma,
    gamma,
    log,
    pi,
    symbols,
)

from theory.claims import Formula
from theory.law import Law, Quantity, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, exponentials, rational, sums
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw
from theory.width.meanings import source

distance = Symbol("KL")
mean, mean_ref = symbols("mean mean_ref", real=True)
variance, variance_ref = symbols("variance variance_ref", positive=True)
i, count = (Symbol(name, integer=True, positive=True) for name in ("i", "n_places"))
x, weight = (IndexedBase(name, real=True) for name in ("x", "weight"))
density, density_ref = IndexedBase("ln_p"), IndexedBase("ln_p_ref")


def divergence(mean_gap_squared: Expr, ratio: Expr, variance_of_ref: Expr) -> Expr:
    """Half of ratio + gap^2 / variance of the reference - 1 - ln ratio."""
    return (ratio + mean_gap_squared / variance_of_ref - 1 - log(ratio)) / 2


NORMAL = (variance / variance_ref + (mean - mean_ref) ** 2 / variance_ref - 1 - log(variance) + log(variance_ref)) / 2


def _over(summand: Expr) -> Sum:
    return Sum(weight[i] * summand, (i, 1, count))


def _places(source_) -> World:
    where = [draw(source_, -4, 4) for _ in range(3)]
    raw = [draw(source_) for _ in range(3)]
    weights = [one / sum(raw) for one in raw]
    middle = sum((w * at for w, at in zip(weights, where, strict=True)), Integer(0))
    spread = sum((w * (at - middle) ** 2 for w, at in zip(weights, where, strict=True)), Integer(0))
    if spread == 0:
        return _places(source_)
    return World(
        {
            count: 3, x: where, weight: weights, mean: middle, variance: spread,
            mean_ref: draw(source_, -3, 3), variance_ref: draw(source_),
        }
    )  # fmt: skip


NORMAL_DERIVATION = Derivation(
    premises=(
        Define("logarithm of the density", density[i], -(log(2 * pi * variance) + (x[i] - mean) ** 2 / variance) / 2),
        Define(
            "logarithm of the reference's density",
            density_ref[i],
            -(log(2 * pi * variance_ref) + (x[i] - mean_ref) ** 2 / variance_ref) / 2,
        ),
        Suppose("weights add up", Eq(Sum(weight[i], (i, 1, count)), 1, evaluate=False)),
        Suppose("mean", Eq(_over(x[i]), mean, evaluate=False)),
        Suppose("mean square", Eq(_over(x[i] ** 2), variance + mean**2, evaluate=False)),
        Define("mean difference of the logarithms", distance, _over(density[i] - density_ref[i])),
    ),
    steps=(
        Equal(
            "divergence",
            distance,
            NORMAL,
            uses=(
                "logarithm of the density",
                "logarithm of the reference's density",
                "weights add up",
                "mean",
                "mean square",
                "mean difference of the logarithms",
            ),
            normal=(exponentials, expanded, sums, rational),
            because="Only the first two moments of the limit model enter.",
        ),
    ),
    worlds=_places,
)

half, half_ref, s2 = symbols("half half_ref s2", positive=True)
n, m = symbols("n m")
floor = Symbol("floor")
mean_square, mean_variance, mean_inverse, mean_log, mean_log_ref = symbols(
    "mean_square mean_variance mean_inverse mean_log mean_log_ref"
)
FLOOR = (
    (1 + 1 / n + 1 / m) * (m - 1) / (m - 3) - 1 - (digamma((n - 1) / 2) - digamma((m - 1) / 2) - log((n - 1) / (m - 1)))
) / 2


def _shapes(source_) -> World:
    return World({half: Rational(source_.randint(3, 20), 2), half_ref: Rational(source_.randint(1, 20), 2), s2: 3})


power = Symbol("power", real=True)
moment, moment_ref = Function("moment"), Function("moment_ref")


def _of_gamma(shape: Expr) -> Expr:
    """Mean of a power of s2/shape times a gamma variable: its density's powers are those of another shape."""
    return (s2 / shape) ** power * gamma(shape + power) / gamma(shape)


def _logarithm(of: Function) -> Limit:
    """The mean logarithm: what powers add to 1 at first order."""
    return Limit((of(power) - 1) / power, power, 0, "+")  # pyright: ignore[reportCallIssue]


def _first_order(name: str, of: Function, shape: Expr, uses: str) -> Tends:
    return Tends(
        name,
        (of(power) - 1) / power,  # pyright: ignore[reportCallIssue]
        power,
        S.Zero,
        log(s2) - log(shape) + digamma(shape),
        uses=(uses,),
        normal=(exponentials, expanded, rational),
        because="The logarithm is the derivative of a power at 0.",
    )


_GAMMA = "An unbiased variance of N normal numbers is s2/h times a gamma variable of shape h = (N - 1)/2"
FLOOR_DERIVATION = Derivation(
    premises=(
        Define("seeds of the limit model", n, 2 * half + 1),
        Define("seeds of the reference", m, 2 * half_ref + 3),
        Define("gap of the means", mean_square, s2 * (1 / n + 1 / m)),
        Define("moments of the variance", moment(power), _of_gamma(half)),
        Define("moments of the reference's variance", moment_ref(power), _of_gamma(half_ref + 1)),
        Define("mean of the variance", mean_variance, moment(1)),
        Define("mean of one over it", mean_inverse, moment_ref(-1)),
        Define("mean logarithm", mean_log, _logarithm(moment)),  # pyright: ignore[reportArgumentType]
        Define("mean logarithm of the reference's", mean_log_ref, _logarithm(moment_ref)),  # pyright: ignore
        Suppose("recursion of gamma", Eq(gamma(half + 1), half * gamma(half), evaluate=False)),
        Suppose("recursion of gamma, reference", Eq(gamma(half_ref + 1), half_ref * gamma(half_ref), evaluate=False)),
        Define(
            "expected plug-in divergence",
            floor,
            (mean_variance * mean_inverse + mean_square * mean_inverse - 1 - mean_log + mean_log_ref) / 2,
        ),
    ),
    steps=(
        Equal(
            "unbiased variance",
            mean_variance,
            s2,
            uses=("moments of the variance", "mean of the variance", "recursion of gamma"),
            because="A gamma variable of shape h has the mean h.",
        ),
        Equal(
            "one over a variance",
            mean_inverse,
            (1 + 1 / half_ref) / s2,
            uses=("moments of the reference's variance", "mean of one over it", "recursion of gamma, reference"),
            because="One over a gamma variable of shape h has the mean 1/(h - 1).",
        ),
        _first_order("logarithm", moment, half, "moments of the variance"),  # pyright: ignore[reportArgumentType]
        _first_order("logarithm of the reference's", moment_ref, half_ref + 1, "moments of the reference's variance"),  # pyright: ignore
        Equal(
            "floor",
            floor,
            FLOOR,
            uses=(
                "seeds of the limit model",
                "seeds of the reference",
                "gap of the means",
                "mean logarithm",
                "mean logarithm of the reference's",
                "expected plug-in divergence",
                "unbiased variance",
                "one over a variance",
                "logarithm",
                "logarithm of the reference's",
            ),
            normal=(exponentials, rational),
            because="Mean and variance of a normal sample are independent, and so are the two samples.",
        ),
    ),
    worlds=_shapes,
)

LAWS = (
    Law(
        name="width.kl_normal",
        title="The divergence of two normal laws is (v/v* + (m - m*)^2/v* - 1 - ln(v/v*))/2.",
        status=Status.THEOREM,
        source=source("Equation 25", ("width:X6",), "The distance that the paper's Figure 2 shows, limit model first."),
        quantities=(
            Quantity(distance, "divergence of the limit model's normal law from the reference's"),
            Quantity(mean, "mean logit of the limit model"),
            Quantity(mean_ref, "mean logit of the reference"),
            Quantity(variance, "variance of the limit model's logit"),
            Quantity(variance_ref, "variance of the reference's logit"),
        ),
        regime="Mean over a law with finitely many places that has the limit model's mean and variance.",
        derivation=NORMAL_DERIVATION,
        claim=Formula(distance, NORMAL),
        rivals=(
            Rival(
                "arguments exchanged",
                Formula(
                    distance,
                    (variance_ref / variance + (mean - mean_ref) ** 2 / variance - 1 + log(variance / variance_ref))
                    / 2,
                ),
                "takes the reference first",
            ),
        ),
    ),
    Law(
        name="width.kl_floor",
        title="Between two equal laws, samples of n and m seeds show a divergence that is not 0: the sampling floor.",
        status=Status.THEOREM,
        source=source(
            "Figure 2",
            ("width:X6", "width:G14"),
            "Expected plug-in divergence of two equal normal laws from n and m seeds, with unbiased variances.",
        ),
        quantities=(
            Quantity(floor, "expected plug-in divergence of two equal normal laws"),
            Quantity(n, "seeds of the limit model"),
            Quantity(m, "seeds of the reference, more than 3"),
        ),
        regime="Normal logits, independent seeds, variances over N - 1. "
        + _GAMMA
        + ", independent of the mean; the mean of its power t is Gamma(h + t)/Gamma(h).",
        derivation=FLOOR_DERIVATION,
        claim=Formula(floor, FLOOR),
        rivals=(
            Rival(
                "first order",
                Formula(floor, (1 / n + 1 / m) * Rational(3, 4)),
                "the leading term for many seeds, 1/(2n) + 1/(2m) from the means and half of that from the variances",
            ),
        ),
    ),
)


def _floor(n: Any, m: Any) -> Mapping[str, Any]:
    for name, value, least in (("n", n, 2), ("m", m, 4)):
        if not isinstance(value, Integer) or value < least:
            raise OutsideDomain(f"{name} is {value}; whole numbers from {least} on are allowed; give a number of seeds")
    if n == m:  # the mean logarithms cancel
        return {"floor": Rational(2 * n - 1, n * (n - 3))}
    with mpmath.workdps(60 + 2 * len(str(max(n, m)))):  # digits that the differences of large numbers cost
        own, other = mpmath.mpf(int(n)), mpmath.mpf(int(m))
        logarithms = (
            mpmath.digamma((own - 1) / 2) - mpmath.digamma((other - 1) / 2) - mpmath.log((own - 1) / (other - 1))
        )
        found = ((1 + 1 / own + 1 / other) * (other - 1) / (other - 3) - 1 - logarithms) / 2
        return {"floor": Float(found, 50)}


PREDICTORS = (
    Predictor(
        name="width.kl_floor",
        laws=("width.kl_floor", "width.kl_normal"),
        inputs=(
            Input("n", "seeds of the limit model, at least 2"),
            Input("m", "seeds of the reference, at least 4"),
        ),
        evaluate=_floor,
        summary="Expected plug-in divergence of two equal normal laws.",
    ),
)
