"""How far one step changes the tangent kernels (width:E10-E12), and two errata of the paper's Proposition
2.4.
"""

from sympy import Rational, Tuple

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)
KERNEL = 2 * w.q_sigma + w.q + 1
"""Order of the kernels themselves."""

STEP = w.q_sigma + w.q
"""Order of a neuron's move in one step."""

FIRST = Tuple(w.K_aw[0], w.K_ww[0], w.K_wa[0])
LATER = Tuple(w.K_aw[w.k + 1], w.K_ww[w.k + 1], w.K_wa[w.k + 1])
FULL = Tuple(
    w.K_a[1] - w.K_a[0],
    w.K_w[1] - w.K_w[0],
    w.K_a[w.k + 2] - w.K_a[w.k + 1],
    w.K_w[w.k + 2] - w.K_w[w.k + 1],
)

FIRST_CLAIM = PowerLaw(FIRST, w.d, KERNEL + STEP - HALF)
LATER_CLAIM = PowerLaw(LATER, w.d, KERNEL + 2 * STEP)
FULL_CLAIM = PowerLaw(FULL, w.d, KERNEL + 2 * STEP)

_LINEAR = (w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA)
_STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)

SIZES_INSIDE = OrdersGoOn(
    "weights keep their order",
    w.k,
    ((w.a[w.k + 1, w.r], STEP, 0 * STEP), (w.w[w.k + 1, w.r], 0 * STEP, STEP)),
    w.d,
    uses=names(*_STEPS, *w.START, *w.SAMPLES, w.AT_MOST_ZERO),
    because=(
        "A step adds to an output weight something even of order q_sigma + q, and to an input weight "
        "something odd of that "
        "order; while that is at most zero, the next step adds nothing larger."
    ),
)

FIRST_DERIVATION = Derivation(
    premises=(w.SCALE, *w.EQUAL, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        OrderOf(
            "central limit of the first increments",
            FIRST,
            FIRST_CLAIM.exponent,
            w.d,
            uses=names(w.SCALE, *w.EQUAL, *_LINEAR, *w.START, *w.SAMPLES),
            because=(
                "At first order each summand is odd in its initial output weight, like a logit's: no mean, "
                "so d neurons add up "
                "to sqrt(d), not to d."
            ),
        ),
    ),
    worlds=worlds(),
)

LATER_DERIVATION = Derivation(
    premises=(w.AT_MOST_ZERO, w.AT_LEAST_HALF, *_STEPS, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        SIZES_INSIDE,
        OrderOf(
            "law of large numbers of later increments",
            LATER,
            LATER_CLAIM.exponent,
            w.d,
            uses=names(w.SCALE, *w.EQUAL, *_LINEAR, SIZES_INSIDE, *w.SAMPLES, w.AT_MOST_ZERO, w.AT_LEAST_HALF),
            because=(
                "A trained output weight has an even part of order q_sigma + q, so each summand has a mean "
                "of that order; its "
                "sum leads over sqrt(d) times the odd part from q_sigma + q = -1/2 on."
            ),
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)

FULL_DERIVATION = Derivation(
    premises=(w.AT_MOST_ZERO, w.AT_LEAST_HALF, *_STEPS, w.KERNEL_A, w.KERNEL_W, *w.START, *w.SAMPLES),
    steps=(
        SIZES_INSIDE,
        OrderOf(
            "law of large numbers of full changes",
            FULL,
            FULL_CLAIM.exponent,
            w.d,
            uses=names(
                *_STEPS,
                w.KERNEL_A,
                w.KERNEL_W,
                *w.START,
                SIZES_INSIDE,
                *w.SAMPLES,
                w.AT_MOST_ZERO,
                w.AT_LEAST_HALF,
            ),
            because=(
                "Second-order terms are squares of odd moves, hence even: they have a mean already in the "
                "first step, of order "
                "2 (q_sigma + q) against the kernel."
            ),
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)

_BAND = "Symmetric scaling in the band -1/2 <= q_sigma + q <= 0; samples misclassified, learning-rate factors fixed."

LAWS = (
    Law(
        name="width.kernel_increment_first",
        title="At first order, the first step changes kernels by d^(q_sigma + q - 1/2) of themselves.",
        status=Status.THEOREM,
        source=source(
            "Proposition 2, statement 4, corrected",
            ("width:E10", "width:D6", "width:P2", "width:G1", "width:G9"),
            "Linear parts of the kernels' first change are centred sums: order of the kernel times "
            "d^(q_sigma + q - 1/2).",
        ),
        quantities=quantities(FIRST_CLAIM),
        regime="Symmetric output weights of finite sixth moment, misclassified samples; any exponents." + RULES,
        derivation=FIRST_DERIVATION,
        claim=FIRST_CLAIM,
        rivals=(
            Rival(
                "as printed: law of large numbers",
                PowerLaw(FIRST, w.d, KERNEL + STEP),
                "holds for output weights with a mean, and is what Proposition 2.4 asserts (width:G1)",
            ),
        ),
    ),
    Law(
        name="width.kernel_increment_later",
        title="At first order, every later step changes kernels by d^(2 (q_sigma + q)) of themselves.",
        status=Status.THEOREM,
        source=source(
            "Proposition 2, statement 4, after the first step",
            ("width:E11", "width:E7"),
            "Trained output weights have an even part of order q_sigma + q, which gives linear parts a mean.",
        ),
        quantities=quantities(LATER_CLAIM),
        regime=_BAND + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=LATER_DERIVATION,
        claim=LATER_CLAIM,
        rivals=(
            Rival(
                "central limit as in the first step",
                PowerLaw(LATER, w.d, KERNEL + STEP - HALF),
                "takes trained output weights for symmetric ones",
            ),
            Rival(
                "law of large numbers at order one",
                PowerLaw(LATER, w.d, KERNEL + STEP),
                "takes the even part of a trained output weight to be of order one",
            ),
        ),
    ),
    Law(
        name="width.kernel_increment_full",
        title=("In every step, the first included, the whole change of kernels is d^(2 (q_sigma + q)) of themselves."),
        status=Status.THEOREM,
        source=source(
            "Proposition 2, statement 4, in its repaired form",
            ("width:E12", "width:P2", "width:G1"),
            "Kernels start to evolve, in the sense of their whole change in one step, exactly for q_sigma + q = 0.",
        ),
        quantities=quantities(FULL_CLAIM),
        regime=_BAND + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=FULL_DERIVATION,
        claim=FULL_CLAIM,
        rivals=(
            Rival(
                "linear part alone",
                PowerLaw(FULL, w.d, KERNEL + STEP - HALF),
                "leaves out the squares of moves",
            ),
            Rival(
                "as printed: law of large numbers of the linear part",
                PowerLaw(FULL, w.d, KERNEL + STEP),
                "gives the linear part a mean that it does not have",
            ),
        ),
    ),
)
