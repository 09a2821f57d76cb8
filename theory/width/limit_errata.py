"""Errata of the limit models' equations and of the paper's experiment (width:G3-G6, G10, G14)."""

from itertools import product

from sympy import Expr, Integer, Rational, S, Symbol, exp, limit, log, oo, sqrt

from theory.errata import Counterexample, Erratum, Measurement, Witness
from theory.width.freezing import over_labels
from theory.width.kl import NORMAL, mean, mean_ref, variance, variance_ref


def _both_right() -> tuple[bool, bool]:
    """Inside the band, q_sigma = q = 0, d = 10^6, one neuron's worth of arithmetic: both samples right by a margin of
    1/10 in units of d^(1/2): whether the condition's point lies in the band, and whether the logits reach the order d
    that trained logits have.
    """
    d = Integer(10) ** 6
    margin = sqrt(d) / 10
    gradient = 1 / (1 + exp(margin))
    change = d * gradient  # the largest that the kernels, of order d^(2 q_sigma + q + 1) = d, make of it
    inside = Rational(-1, 2) <= 0 <= 0
    return inside, bool((margin + change).evalf() > d / 1000)


def _chance() -> tuple[Expr, Expr, Expr]:
    """Chance that no sample of a step has a gradient, over fair labels of two given logits, and over two steps."""
    found = set()
    for signs in product((-1, 1), repeat=2):
        one = over_labels(lambda y_a, y_w, s=signs: Integer(y_a * s[0] > 0 and y_w * s[1] > 0))
        found.add(one**2)
    (truth,) = found
    return Rational(1, 4), Rational(1, 4) ** 2, truth


def _after_no_move() -> tuple[Expr, Expr, Expr]:
    """Gradient at a misclassified point, label 1, after a step that moved nothing: printed, derived, and the limit of
    the network's own with initial logits -sqrt(d).
    """
    d = Symbol("d", positive=True)
    label, normalised, field = 1, S.Zero, S.NegativeOne
    printed = -label if normalised * label < 0 else S.Zero
    decides = normalised if normalised != 0 else field
    derived = Integer(-label) if decides * label < 0 else S.Zero
    truth = limit(-label / (1 + exp(label * field * sqrt(d))), d, oo)
    return printed, derived, truth


def _zero_or_one() -> tuple[Expr, Expr, Expr]:
    """Gradient at label 1 and a logit of minus infinity, with z in {0, 1} as printed, and with z = -1."""
    label, logit = Integer(1), Symbol("u", positive=True)
    as_indicator, as_sign = Integer(0), Integer(-1)

    def printed(z: Expr) -> Expr:
        return -label if label * z < 0 else S.Zero

    return printed(as_indicator), printed(as_sign), limit(-label / (1 + exp(-label * logit)), logit, oo)


def _pushed() -> tuple[Expr, Expr, Expr]:
    """Change of the mean square of two neurons that move: with plus the divergence, and as the push-forward."""
    places, moves = (Rational(1, 2), Integer(-1)), (Rational(1, 3), Rational(1, 5))
    cross = sum((a * v for a, v in zip(places, moves, strict=True)), S.Zero) / 2
    square = sum((v**2 for v in moves), S.Zero) / 2
    after = sum(((a + v) ** 2 for a, v in zip(places, moves, strict=True)), S.Zero) / 2
    return -2 * cross, 2 * cross + square, after - sum((a**2 for a in places), S.Zero) / 2


def _at_the_reference() -> tuple[Expr, Expr, Expr]:
    """What a width of 128, the reference's own, adds of the frozen sum: by the width, and by its ratio to 128."""
    width, reference = Integer(128), Integer(128)

    def frozen(size: Expr) -> Expr:
        return size ** Rational(-1, 2) - 1 / size

    trained = 1 / (width / reference)  # the trained sum's own coefficient there
    return frozen(width), frozen(width / reference), 1 - trained


def _far_apart() -> tuple[bool, bool]:
    """Laws of variance 1/rho against one of variance 1: whether they tend to a point, and whether divergences stay."""
    rho = Symbol("rho", positive=True)
    found = NORMAL.xreplace({mean: S.Zero, mean_ref: S.Zero, variance: 1 / rho, variance_ref: S.One})
    over_half_log = limit(found / (log(rho) / 2), rho, oo)
    return bool(limit(1 / rho, rho, oo) == 0 and over_half_log == 1), limit(found, rho, oo) != oo


ERRATA = (
    Erratum(
        id="width:G3",
        where="Proposition 1, and the remark that each point of the band is a dynamically stable limit",
        sentence=(
            "The band is not sufficient where initial logits diverge: with single samples and fair labels a step finds "
            "both samples right with probability 1/4, and then moves nothing; at least one misclassified sample must "
            "be required, or initial logits that stay bounded."
        ),
        printed="every point with -1/2 <= q_sigma + q <= 0 has a stable evolution from some fixed step on",
        derived="after k steps a network with q_sigma > -1/2, q_sigma + q > -1/2 has not moved with probability 4^(-k)",
        evidence=(
            Counterexample(
                "q_sigma = q = 0, width 10^6, both samples right by a tenth of the logits' size: the step leaves the "
                "logits at order d^(1/2), not d.",
                _both_right,
            ),
            Witness("Two steps, every pair of labels counted: frozen with probability 1/16, not 1/4.", _chance),
            Measurement(
                "Networks of width 10^16 at two scalings, after one and two steps.", "width.freezing", "mean-field"
            ),
            Measurement(
                "Real networks of width 65536, after one and two steps.", "width.freezing_networks", "sym-default"
            ),
            Measurement(
                "The repair: real networks up to width 65536, by whether a sample of the step was wrong.",
                "width.freezing_repair",
                "all samples right",
            ),
        ),
        law="width.freezing",
    ),
    Erratum(
        id="width:G4",
        where="SM B, equation 85, and the gradient at k >= 1 for diverging logits",
        sentence=(
            "After a step that moved nothing normalised logits are 0, and the printed indicator of their sign gives no "
            "gradient ever again; the sign is then that of the initial field, and networks do move later."
        ),
        printed="gradient -y where the normalised logit times y is negative, else 0",
        derived="the same, with the sign of the initial field where the normalised logit is 0",
        evidence=(
            Witness(
                "A misclassified point after a step without gradient: the network's own limit is -y.", _after_no_move
            ),
            Measurement(
                "Networks of width 10^16: of those frozen after one step, one in four is so after two.",
                "width.freezing",
                "as printed: for good",
            ),
            Measurement(
                "Real networks of width 65536, after one and two steps.",
                "width.freezing_networks",
                "as printed: for good",
            ),
        ),
        law="width.freezing",
    ),
    Erratum(
        id="width:G5",
        where="Section 4, the sym-default limit's gradient",
        sentence="The sign z of a logit is printed as 0 or 1, with which points of label +1 never learn.",
        printed="z = 1 if the logit is positive, else 0, in -y [y z < 0]",
        derived="z = 1 or -1",
        evidence=(Witness("Label 1 and a logit that tends to minus infinity.", _zero_or_one),),
        law="width.limit_gradient_hinge",
    ),
    Erratum(
        id="width:G6",
        where="Equations 14, 86, 106 and 123",
        sentence=(
            "The law of the neurons is pushed forward by id + v in each step; the printed update adds the divergence "
            "of v times the measure, which has the wrong sign and is of first order only; the main text's fields "
            "leave out the factors eta* sigma*."
        ),
        printed="mu + div(mu v)",
        derived="the push-forward of mu by id + v",
        evidence=(
            Witness("Two neurons and their moves: the change of the mean square.", _pushed),
            Measurement("Mean-field networks of width 2048, one step.", "width.push_forward", "as printed"),
            Measurement(
                "The same, with the sign corrected and first order only.", "width.push_forward", "minus the divergence"
            ),
        ),
        law="width.push_forward",
    ),
    Erratum(
        id="width:G10",
        where="Equation 24 and SM D, equation 117",
        sentence=(
            "The frozen sum's coefficient d^(-1/2) - d^(-1) gives the reference back only when widths are counted in "
            "units of the reference's; SM D adds d^(-1/2) without taking d^(-1) off, which adds to the initial logits."
        ),
        printed="d^(-1/2) - d^(-1) (main text), d^(-1/2) (SM D)",
        derived="rho^(-1/2) - rho^(-1), rho = d / d*",
        evidence=(
            Witness("At the reference's own width nothing may be added.", _at_the_reference),
            Measurement("The form of SM D at 4 and 16 times the width.", "width.icmf_start", "as in SM D"),
        ),
        law="width.reference",
    ),
    Erratum(
        id="width:G14",
        where="Equation 25 and Figure 2, the mean-field curve",
        sentence=(
            "The mean-field limit is deterministic, so its divergence from the reference is infinite: what is plotted "
            "grows like half of ln rho with the plotted width; with 10 seeds anything below 0.27 is the sampling floor."
        ),
        printed="a finite divergence of the mean-field limit from the reference",
        derived="(1/rho - 1 + ln rho)/2 at the start, without bound as rho grows",
        evidence=(
            Counterexample(
                "Variance 1/rho against variance 1: the divergence grows without bound, like half of ln rho.",
                _far_apart,
            ),
            Measurement(
                "Mean-field networks of 4 and 16 times the reference's width.", "width.kl_initial", "stays finite"
            ),
            Measurement("Equal laws from 10 to 60 seeds.", "width.kl_floor", "first order"),
            Measurement(
                "Mean-field networks of 4 to 64 times the reference's width, along training.",
                "width.mean_field_divergence",
                "logarithm of the width",
            ),
            Measurement(
                "The step from which on they are nearer to it than NTK networks of their width.",
                "width.overtaking",
                "one width for all",
            ),
        ),
        law="width.kl_initial",
    ),
)
