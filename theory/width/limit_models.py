"""Networks of large numeric width, and real ones, tend to the limit models, at a rate read off exponents (width:X1)."""

from sympy import Abs, Min, Ne, Piecewise, Rational, S, oo, symbols

from theory.claims import Limit, Trend
from theory.law import Law, Quantity, Rival, Status
from theory.width.limit_any_path import DERIVATION, apart
from theory.width.limit_paths import d as width
from theory.width.limit_paths import n as steps
from theory.width.limit_paths import x
from theory.width.meanings import REGIONS, source

HALF = Rational(1, 2)
RATE = -Min(
    HALF,
    *(
        Piecewise((form, Ne(form, 0)), (HALF, True))
        for form in (
            Abs(symbols("q_sigma") + HALF),
            Abs(2 * symbols("q_sigma") + symbols("q") + 1),
            symbols("q_sigma") + symbols("q") + HALF,
            -2 * (symbols("q_sigma") + symbols("q")),
        )
    ),
    evaluate=False,
)
"""Minus the smallest of 1/2, |A|, |B|, C and -2 D that is not 0."""

trained, ideal = symbols("f_network f_limit")
other_gradient = symbols("distance_logistic")
log_distance = symbols("log_distance")
q_sigma, q = symbols("q_sigma q")
LOGITS = (
    Quantity(trained, "normalised logits of a network, trained logits being of order one"),
    Quantity(ideal, "normalised logits of the limit model that the signs of the exponents choose"),
    Quantity(width, "width: number of hidden neurons"),
)
_SUMMARY = (
    "Normalised logits f / d^B follow one evolution: constant kernels where neurons stand still, a measure of neurons "
    "pushed forward where they move, and a gradient that is one half, logistic or a hinge by the sign of the logits' "
    "order."
)
EVOLUTION = source("SM B, C and D", ("width:X1", "width:X2", "width:X3", "width:X4", *REGIONS, "width:G4"), _SUMMARY)

LAWS = (
    Law(
        name="width.limit_models",
        title="All thirteen limits, the default one and the corrected mean-field one, chosen by the signs of a "
        "scaling's orders, are what networks tend to at every step.",
        status=Status.THEOREM,
        source=EVOLUTION,
        quantities=(
            Quantity(steps, "number of steps"),
            LOGITS[2],
            Quantity(x, "input (one component stands for more)"),
            Quantity(apart, "distance of a network's normalised logit to that of the limit that its orders choose"),
            Quantity(other_gradient, "distance of that evolution to the one with the logistic gradient throughout"),
        ),
        regime="Any number of steps of width:D3 at any scaling whose orders are not "
        "positive for a neuron's step, D = q_sigma + q, for what is left of an initial output weight, E, and for the "
        "share of the initial fluctuation, -C = -q_sigma - q - 1/2; logits are of order B = 2 q_sigma + q + 1, of any "
        "sign. In the symmetric band E = 0; at default scaling D = 0, E = -1/2, C = B = 1; in the corrected model "
        "D = E = C = B = 0. The limit's gradient is half of the label, logistic, or a hinge by the sign of B "
        "(width.limit_step_half, width.limit_step_logistic, width.limit_step_hinge), the first one by that of "
        "q_sigma + 1/2 (width.limit_gradient_half, width.limit_gradient_hinge). Premises: the law of large numbers and "
        "the central limit theorem, as in width.limit_path; limits of the first gradients; and that the gradient is a "
        "continuous function of the label, of the normalised logit and of d^(-|B|), infinite width included, at the "
        "logits that the limit's samples have. The logistic one is such a function everywhere where logits do not "
        "diverge, and where they do at all but 0. They are 0 while nothing has moved: then the "
        "samples were right by the initial field, the network is as near as one likes to where it started "
        "(width.limit_path_frozen), and steps are counted from the first wrong sample. Measured with the logistic "
        "gradient at numeric widths up to 10^16: a population of neurons by quadrature with the true steps, and a "
        "Gaussian field for the initial fluctuation, four steps on random points.",
        derivation=DERIVATION,
        claim=Limit(apart(steps, width, x), width, oo, S.Zero),
        rivals=(
            Rival(
                "logistic throughout",
                Limit(apart(steps, width, x), width, oo, other_gradient),
                "the NTK and mean-field models' gradient at every scaling",
            ),
        ),
    ),
    Law(
        name="width.limit_rate",
        title="Networks approach their limits like d^(-r), r the smallest of 1/2, |A|, |B|, C and -2 D that is not 0.",
        status=Status.CONJECTURE,
        source=source("SM B, C and D", ("width:X1", "width:X2", "width:X3", "width:X4", "width:G14"), _SUMMARY),
        quantities=(
            *LOGITS,
            Quantity(q_sigma, "exponent of the standard deviation of the output weights"),
            Quantity(q, "exponent of both learning rates in hat units"),
        ),
        regime="Distance to the limit started from the network's own initial field, over the limit's size; limits "
        "whose gradient is continuous.",
        derivation=None,
        claim=Limit(trained, width, oo, ideal, RATE),
        rivals=(
            Rival("twice as fast", Limit(trained, width, oo, ideal, 2 * RATE), "errors of a mean without fluctuation"),
        ),
    ),
    Law(
        name="width.limit_approach",
        title="The wider real networks are, the nearer they come to limits whose gradient is a hinge, the default one "
        "among them.",
        status=Status.EMPIRICAL,
        source=EVOLUTION,
        quantities=(
            Quantity(log_distance, "logarithm of a network's distance to its limit"),
            LOGITS[2],
        ),
        regime="Limits of R03, R06, R07, R08, R11, R12, R13 and of the default scaling, started from the network's own "
        "initial field; four steps on random points, the first sample misclassified.",
        derivation=None,
        claim=Trend(log_distance, width, -1),
        rivals=(Rival("away from it", Trend(log_distance, width, 1), "another limit is theirs"),),
    ),
    Law(
        name="width.limit_rate_hinge",
        title="With a misclassified sample they approach it at the same rate d^(-r).",
        status=Status.CONJECTURE,
        source=source("SM B, C and D", ("width:X1", "width:X2", "width:G14"), _SUMMARY),
        quantities=(
            *LOGITS,
            Quantity(q_sigma, "exponent of the standard deviation of the output weights"),
            Quantity(q, "exponent of both learning rates in hat units"),
        ),
        regime="Symmetric scalings whose limit has a hinge, the first sample misclassified: where none is, the limit "
        "may stand still, and the distance falls faster than any power (width.limit_standstill). At a logit near 0 a "
        "network may follow the hinge's other side: with a probability that falls with the width its distance is of "
        "order one.",
        derivation=None,
        claim=Limit(trained, width, oo, ideal, RATE),
        rivals=(
            Rival("twice as fast", Limit(trained, width, oo, ideal, 2 * RATE), "errors of a mean without fluctuation"),
        ),
    ),
)
