"""Networks of large numeric width, and real ones, tend to the limit models, at a rate read off exponents (width:X1)."""

from sympy import Abs, Min, Ne, Piecewise, Rational, S, oo, symbols

from theory.claims import Limit, Trend
from theory.law import Law, Quantity, Rival, Status
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
distance, other_gradient = symbols("distance distance_logistic")
log_distance = symbols("log_distance")
width, q_sigma, q = symbols("d q_sigma q")
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
        title="All thirteen limits and the default one, read off the signs of the exponents, are what networks of "
        "numeric width tend to.",
        status=Status.EMPIRICAL,
        source=EVOLUTION,
        quantities=(
            Quantity(
                distance, "largest distance of a network's normalised logits to the evolution that its signs choose"
            ),
            Quantity(other_gradient, "distance of that evolution to the one with the logistic gradient throughout"),
            LOGITS[2],
        ),
        regime="Networks of numeric width up to 10^16: a population of neurons by quadrature with the true steps and "
        "gradients, and a Gaussian field for the initial fluctuation. Four steps on random points. For logits that do "
        "not diverge it is a theorem for every step (width.limit_path); for those that do it is one along paths on "
        "which the limit's logits at the samples are not 0 (width.limit_path_hinge): they are while nothing has moved "
        "(width.freezing).",
        derivation=None,
        claim=Limit(distance, width, oo, S.Zero),
        rivals=(
            Rival(
                "logistic throughout",
                Limit(distance, width, oo, other_gradient),
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
