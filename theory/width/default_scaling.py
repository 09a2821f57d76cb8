"""Default scaling, fixed learning rates in original units, and the branch on which it lies (width:E13).

There q_sigma = -1/2, q_a = 1, q_w = 0: steps of the output weights are of order 1/2, those of the input weights
of order -1/2, and their sum is zero.
"""

from sympy import Rational, Tuple

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds_of_three
from theory.law import Law, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)

OPPOSITE = Define("steps of opposite orders", w.q_w, -w.q_a - 2 * w.q_sigma)
STEP_A = w.q_sigma + w.q_a
LARGER = Suppose("steps of output weights are at least of order one", STEP_A >= 0)

_RULE = (w.SCALE, OPPOSITE, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
_LINEAR = (w.LINEAR_A, w.LINEAR_W, w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA)

FIRST = PowerLaw(
    Tuple(
        w.f[0], w.K_w[0], w.df_w[0], w.K_aw[0], w.K_wa[0],
        w.K_a[0] / w.d, w.df_a[0] / w.d, w.d * w.K_ww[0],
    ),
    w.d,
    0 * HALF,
)  # fmt: skip
"""At the default point, before the first step; powers of the width bring all orders to zero."""

LATER = PowerLaw(
    Tuple(
        w.f[w.k + 1], w.K_a[w.k + 1], w.K_w[w.k + 1], w.df_a[w.k + 1], w.df_w[w.k + 1],
        w.K_aw[w.k + 1], w.K_ww[w.k + 1], w.K_wa[w.k + 1],
    ),
    w.d,
    w.q_sigma + 1 + STEP_A,
)  # fmt: skip

SIZES = OrdersGoOn(
    "weights on the other branch",
    w.k,
    ((w.a[w.k + 1, w.r], STEP_A, 0 * STEP_A), (w.w[w.k + 1, w.r], 0 * STEP_A, -STEP_A)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES, LARGER),
    because="Output weights grow once, by their large step; an input weight's small step times that is of order one.",
)

FIRST_AT = (
    Define("standard deviation by default", w.q_sigma, -HALF),
    Define("default rate of the output weights", w.q_a, HALF + HALF),
    Define("default rate of the input weights", w.q_w, 0 * HALF),
)
FIRST_DERIVATION = Derivation(
    premises=(w.SCALE, *FIRST_AT, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        OrderOf(
            "orders before the first step",
            FIRST.quantity,
            FIRST.exponent,
            w.d,
            uses=names(
                w.SCALE, *FIRST_AT, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *_LINEAR, *w.START, *w.SAMPLES
            ),
            because="Kernels and increments of the logits have means; logits and increments of kernels fluctuate.",
        ),
    ),
    worlds=worlds_of_three(),
)  # fmt: skip
LATER_DERIVATION = Derivation(
    premises=(LARGER, *_RULE, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        SIZES,
        OrderOf(
            "orders after the first step",
            LATER.quantity,
            LATER.exponent,
            w.d,
            uses=names(
                w.SCALE, OPPOSITE, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *_LINEAR, SIZES, *w.SAMPLES, LARGER
            ),
            because="Output weights have an even part that leads: every sum has a mean, and all have one order.",
            forall=(w.k,),
        ),
    ),
    worlds=worlds_of_three(of_a=(0, 1)),
)  # fmt: skip

_SAMPLES = " Every sample so far misclassified." + RULES

LAWS = (
    Law(
        name="width.default_first",
        title="At default scaling the first step finds K_a diverging, K_w finite, and increments of kernels that "
        "fluctuate.",
        status=Status.THEOREM,
        source=source(
            "SM C",
            ("width:E13", "width:E2", "width:E10", "width:G1"),
            "Orders before the first step: logits, K_w, its increments by output weights and K_a's are 0, K_a and "
            "the logits' change by output weights 1, the increment of K_w by input weights -1.",
        ),
        quantities=quantities(FIRST),
        regime="q_sigma = -1/2, q_a = 1, q_w = 0: learning rates that do not depend on the width." + _SAMPLES,
        derivation=FIRST_DERIVATION,
        claim=FIRST,
        rivals=(
            Rival(
                "means everywhere",
                PowerLaw(FIRST.quantity, w.d, HALF),
                "gives the centred sums a mean, as the printed proof of Proposition 2 does",
            ),
        ),
    ),
    Law(
        name="width.default_later",
        title="On the branch of opposite steps logits, kernels and all their increments have one order from the first "
        "step on.",
        status=Status.THEOREM,
        source=source(
            "SM C",
            ("width:E13", "width:E6", "width:E11"),
            "2 q_sigma + q_a + 1, which is 1 at default scaling: all diverge together, and kernels keep evolving.",
        ),
        quantities=quantities(LATER),
        regime="q_a + q_w + 2 q_sigma = 0 and q_sigma + q_a >= 0, the default point among them." + _SAMPLES,
        assumptions=(LARGER.fact,),
        derivation=LATER_DERIVATION,
        claim=LATER,
        rivals=(
            Rival(
                "as before the first step",
                PowerLaw(LATER.quantity, w.d, w.q_sigma + 1 - STEP_A),
                "keeps output weights at order one, as K_w before the first step",
            ),
        ),
    ),
)
