"""Exact ratios of initial moments between two widths (width:X8), and where a reference is unbiased (width:G13)."""

from itertools import product

from sympy import Eq, Expr, IndexedBase, Integer, KroneckerDelta, Rational, Sum, Symbol, symbols

from theory.claims import Formula
from theory.definitions import width as w
from theory.errata import Erratum, Measurement, Witness
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as number
from theory.width.meanings import source

n, i, j = symbols("n i j", integer=True, positive=True)
d, d_star = symbols("d d_star", integer=True, positive=True)
kappa = Symbol("kappa", positive=True)
size, rate = IndexedBase("size"), IndexedBase("rate")
product_of_two, one, middle = (IndexedBase(name, real=True) for name in ("product_of_two", "of_one", "mean_of_one"))
mean_K, var_f = IndexedBase("mean_K"), IndexedBase("var_f")

_CANCELS = "a constant factor cancels in the ratio of two widths"
SIZE = Define("size of output weights at a width", size[n], w.sigma_star * (n / d_star) ** w.q_sigma, _CANCELS)
RATE = Define("power of the width in the kernel", rate[n], (n / d_star) ** w.q, _CANCELS)
KERNEL = Define("mean of a kernel", mean_K[n], rate[n] * size[n] ** 2 * Sum(one[i], (i, 1, n)))
VARIANCE = Define(
    "variance of the logit", var_f[n], size[n] ** 2 * Sum(Sum(product_of_two[i, j], (j, 1, n)), (i, 1, n))
)
ALIKE = Suppose("neurons are alike", Eq(one[i], kappa), forall=(i,))
INDEPENDENT = Define(
    "neurons are independent and alike",
    product_of_two[i, j],
    kappa * KroneckerDelta(i, j) + middle[i] * middle[j] * (1 - KroneckerDelta(i, j)),
)
CENTRED = Suppose("output weights are symmetric", Eq(middle[i], 0, evaluate=False), forall=(i,))
RATIO = d / d_star

KERNEL_CLAIM = Formula(mean_K[d] / mean_K[d_star], RATIO ** (2 * w.q_sigma + w.q + 1))
VARIANCE_CLAIM = Formula(var_f[d] / var_f[d_star], RATIO ** (2 * w.q_sigma + 1))


def _world(source_of_numbers) -> World:
    moment = number(source_of_numbers)
    return World(
        {
            n: source_of_numbers.randint(1, 5),
            d: source_of_numbers.randint(2, 6),
            d_star: source_of_numbers.randint(2, 4),
            kappa: moment,
            w.sigma_star: number(source_of_numbers),
            w.q_sigma: Integer(source_of_numbers.randint(-2, 2)),
            w.q: Integer(source_of_numbers.randint(-2, 2)),
            one: {(Integer(a),): moment for a in range(1, 9)},
            middle: {(Integer(a),): 0 for a in range(1, 9)},
        }
    )


KERNEL_MEAN = Equal(
    "mean at any width",
    mean_K[n],
    w.sigma_star**2 * (n / d_star) ** (2 * w.q_sigma + w.q) * n * kappa,
    uses=names(SIZE, RATE, KERNEL, ALIKE),
    normal=(sums, expanded, rational),
    because="n equal terms.",
    forall=(n,),
)
VARIANCE_MEAN = Equal(
    "variance at any width",
    var_f[n],
    w.sigma_star**2 * (n / d_star) ** (2 * w.q_sigma) * n * kappa,
    uses=names(SIZE, VARIANCE, INDEPENDENT, CENTRED),
    normal=(sums, expanded, rational),
    because="Of the n^2 products those of two neurons are products of means, which vanish: n squares are left.",
    forall=(n,),
)


def _derivation(claim: Formula, at_any_width: Equal, *premises: Define | Suppose) -> Derivation:
    ratio = Equal(
        "ratio of two widths",
        claim.quantity,
        claim.value,
        uses=names(at_any_width),
        normal=(expanded, rational),
        because="What does not depend on the width cancels.",
    )
    return Derivation(premises=premises, steps=(at_any_width, ratio), worlds=_world)


def _quantities(quantity: IndexedBase, meaning: str, *more: Quantity) -> tuple[Quantity, ...]:
    return (
        Quantity(d, "width of a network"),
        Quantity(d_star, "width of the reference"),
        Quantity(w.q_sigma, "exponent of the standard deviation of the output weights"),
        Quantity(quantity, meaning),
        *more,
    )


LAWS = (
    Law(
        name="width.initial_kernel_ratio",
        title="Mean initial kernels at two widths have exactly the ratio of the widths to 2 q_sigma + q + 1.",
        status=Status.THEOREM,
        source=source(
            "Section 4, between equations 24 and 25",
            ("width:X8", "width:T2", "width:E2", "width:G13"),
            "No correction of lower order: at every width, E K is d^(2 q_sigma + q + 1) times a constant.",
        ),
        quantities=_quantities(
            mean_K, "mean of the initial kernel of either layer", Quantity(w.q, "exponent of both learning rates")
        ),
        regime="Exact at every width; neurons that are alike, with a finite second (K_a) or fourth moment (K_w).",
        derivation=_derivation(KERNEL_CLAIM, KERNEL_MEAN, SIZE, RATE, KERNEL, ALIKE),
        claim=KERNEL_CLAIM,
        rivals=(
            Rival(
                "as printed: the reference is unbiased",
                Formula(KERNEL_CLAIM.quantity, Integer(1)),
                "holds for 2 q_sigma + q + 1 = 0 only (width:G13)",
            ),
        ),
    ),
    Law(
        name="width.initial_variance_ratio",
        title="Variances of initial logits at two widths have exactly the ratio of the widths to 2 q_sigma + 1.",
        status=Status.THEOREM,
        source=source(
            "Section 4, between equations 24 and 25",
            ("width:X8", "width:T2", "width:E1", "width:G13"),
            "Centred independent summands: only squares are left, as many as neurons.",
        ),
        quantities=_quantities(var_f, "variance of the initial logit at an input"),
        regime="Exact at every width; independent neurons, centred output weights of finite variance.",
        derivation=_derivation(VARIANCE_CLAIM, VARIANCE_MEAN, SIZE, VARIANCE, INDEPENDENT, CENTRED),
        claim=VARIANCE_CLAIM,
        rivals=(
            Rival(
                "as printed: the reference is unbiased",
                Formula(VARIANCE_CLAIM.quantity, Integer(1)),
                "holds for q_sigma = -1/2 only (width:G13)",
            ),
        ),
    ),
)


def _enumerated_variance(neurons: int, sigma: Expr) -> Expr:
    """E f^2 over all signs of the output weights and both signs of the input weights; phi(z) = z + z^2, x = 1."""
    total, count = Integer(0), 0
    for signs in product((-1, 1), repeat=2 * neurons):
        logit = sum(
            (Integer(a) * (v + v**2) / 2 for a, v in zip(signs[:neurons], signs[neurons:], strict=True)), Integer(0)
        )
        total, count = total + (sigma * logit) ** 2, count + 1
    return total / count


def _mean_field_variance() -> tuple[Expr, Expr, Expr]:
    """Mean-field scaling from one neuron to three: standard deviations 1 and 1/3."""
    truth = _enumerated_variance(3, Rational(1, 3)) / _enumerated_variance(1, Integer(1))
    derived = VARIANCE_CLAIM.value.subs({d: 3, d_star: 1, w.q_sigma: -1})
    return Integer(1), derived, truth


ERRATA = (
    Erratum(
        id="width:G13",
        where="Section 4, the paragraph after equation 24",
        sentence=(
            "A reference at its own width is an unbiased sample of the limit at the start only on two lines: kernels "
            "where 2 q_sigma + q + 1 = 0, the variance of logits where q_sigma = -1/2; at mean-field scaling the "
            "limit's logits vanish and the reference's do not."
        ),
        printed="f_d* and K_d* at the start are unbiased estimates of f_infinity and K_infinity at every scaling",
        derived="E K_d / E K_d* = (d/d*)^(2 q_sigma + q + 1), Var f_d / Var f_d* = (d/d*)^(2 q_sigma + 1)",
        evidence=(
            Witness(
                "Mean-field scaling from one neuron to three, all signs of all weights enumerated: the variance falls "
                "to a third.",
                _mean_field_variance,
            ),
            Measurement(
                "Networks of four widths at five scalings.",
                "width.initial_variance_ratio",
                "as printed: the reference is unbiased",
            ),
        ),
        law="width.initial_variance_ratio",
    ),
)
