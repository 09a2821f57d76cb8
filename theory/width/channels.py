"""Three exponents: when weights stop growing, when the network learns, when both layers do (width:P1, general).

With s_a = q_sigma + q_a and s_w = q_sigma + q_w the orders of a step of either layer, weights grow with every step
exactly if s_a + s_w > 0; otherwise the larger of the two increments keeps the order of the logits exactly if
max(s_a, s_w) >= -1/2, and both do exactly if besides |s_a| = |s_w|. The symmetric band is the diagonal s_a = s_w.
"""

from sympy import Abs, And, Eq, Expr, Max, Rational

from theory.asymptotics import order
from theory.claims import Band
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds_of_three
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.steps.cases import Cases
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)
STEP_A, STEP_W = w.q_sigma + w.q_a, w.q_sigma + w.q_w
CYCLE = 2 * w.q_sigma + w.q_a + w.q_w
"""Order of what a step of one layer gives back to it through the other one."""

_RULE = (w.SCALE, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
_LINEAR = (w.LINEAR_A, w.LINEAR_W)
BOUNDED = Suppose("weights do not grow with every step", CYCLE <= 0)

_SMALL, _LARGE = (STEP_W <= 0, CYCLE <= 0), (STEP_W > 0, CYCLE <= 0)
_NONE = 0 * STEP_A

SIZES_SMALL = OrdersGoOn(
    "weights while input weights move by order one at most",
    w.k,
    ((w.a[w.k + 1, w.r], STEP_A, _NONE), (w.w[w.k + 1, w.r], _NONE, STEP_W)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES),
    because="Output weights grow at most once; what they give back to the input weights is of order one at most.",
    given=_SMALL,
)
SIZES_LARGE = OrdersGoOn(
    "weights where input weights grow once",
    w.k,
    ((w.a[w.k + 2, w.r], CYCLE, _NONE), (w.w[w.k + 2, w.r], STEP_W, STEP_W)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES),
    because="Input weights grow once, by their first step; what they give back to the output weights is small.",
    given=_LARGE,
)


def _order(name: str, quantity: Expr, value: Expr, sizes: OrdersGoOn, *more: object) -> OrderOf:
    return OrderOf(
        name,
        quantity,
        value,
        w.d,
        uses=names(w.SCALE, *more, sizes),  # pyright: ignore[reportArgumentType]
        because="A sum with a mean, over neurons of known size.",
        given=sizes.given,
        forall=(w.k,),
    )


_BY_A, _BY_W = (w.LINEAR_A, w.GRADIENT_A, w.INPUT_A), (w.LINEAR_W, w.GRADIENT_W, w.INPUT_W)
_COMMON = w.q_sigma + 1
BY_A_SMALL = _order("output weights' share", w.df_a[w.k + 2], _COMMON + STEP_A, SIZES_SMALL, *_BY_A)
BY_W_SMALL = _order(
    "input weights' share",
    w.df_w[w.k + 2],
    Max(_COMMON + STEP_W, _COMMON + STEP_W + STEP_A - HALF, _COMMON + STEP_W + 2 * STEP_A),
    SIZES_SMALL,
    *_BY_W,
)
BY_A_LARGE = _order(
    "output weights' share beside large input weights",
    w.df_a[w.k + 2], _COMMON + STEP_A + 2 * STEP_W, SIZES_LARGE, *_BY_A,
)  # fmt: skip
BY_W_LARGE = _order(
    "share of large input weights", w.df_w[w.k + 2], _COMMON + STEP_W, SIZES_LARGE, *_BY_W
)  # fmt: skip
LOGITS_SMALL = _order(
    "logits beside small input weights",
    w.f[w.k + 2],
    Max(w.q_sigma + HALF, _COMMON + STEP_A, _COMMON + STEP_W),
    SIZES_SMALL,
    w.LOGITS,
)
LOGITS_LARGE = _order("logits of large input weights", w.f[w.k + 2], _COMMON + STEP_W, SIZES_LARGE, w.LOGITS)

_A, _W = order(w.df_a[w.k + 2], w.d), order(w.df_w[w.k + 2], w.d)
TOTAL_CLAIM = Band(Eq(Max(_A, _W), order(w.f[w.k + 2], w.d), evaluate=False), Max(STEP_A, STEP_W), -HALF, None)
BOTH_CLAIM = Band(Eq(_A, _W, evaluate=False), Abs(STEP_A) - Abs(STEP_W), _NONE, _NONE)

_SIGNS = (And(STEP_W <= 0, STEP_A <= 0), And(STEP_W <= 0, STEP_A > 0), STEP_W > 0)
TOTAL_DERIVATION = Derivation(
    premises=(BOUNDED, *_RULE, w.LOGITS, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        SIZES_SMALL, SIZES_LARGE, BY_A_SMALL, BY_W_SMALL, BY_A_LARGE, BY_W_LARGE, LOGITS_SMALL, LOGITS_LARGE,
        Cases(
            "larger of both shares against the logits",
            TOTAL_CLAIM.statement,
            _SIGNS,
            uses=names(BOUNDED, BY_A_SMALL, BY_W_SMALL, BY_A_LARGE, BY_W_LARGE, LOGITS_SMALL, LOGITS_LARGE),
            because="What is left of the initial fluctuation, order q_sigma + 1/2, is outweighed from -1/2 on.",
        ),
    ),
    worlds=worlds_of_three(),
)  # fmt: skip
BOTH_DERIVATION = Derivation(
    premises=(BOUNDED, *_RULE, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        SIZES_SMALL, SIZES_LARGE, BY_A_SMALL, BY_W_SMALL, BY_A_LARGE, BY_W_LARGE,
        Cases(
            "the two shares against each other",
            BOTH_CLAIM.statement,
            _SIGNS,
            uses=names(BOUNDED, BY_A_SMALL, BY_W_SMALL, BY_A_LARGE, BY_W_LARGE),
            because="Their orders differ by |s_w| - |s_a|: a large step of one layer multiplies the other's share.",
        ),
    ),
    worlds=worlds_of_three(),
)  # fmt: skip

_EVEN_STEP = 2 * w.k + 2
GROWTH_CLAIM = Band(
    Eq(order(w.df_a[_EVEN_STEP + 2], w.d), order(w.df_a[_EVEN_STEP], w.d), evaluate=False), CYCLE, None, _NONE
)


def _growing(name: str, given: tuple, output: tuple[Expr, Expr], inputs: tuple[Expr, Expr]) -> OrdersGoOn:
    return OrdersGoOn(
        name,
        w.k,
        ((w.a[_EVEN_STEP, w.r], *output), (w.w[_EVEN_STEP, w.r], *inputs)),
        w.d,
        uses=names(*_RULE, *w.START, *w.SAMPLES),
        because="Two steps take each layer's weights through the other's: they gain the order s_a + s_w.",
        given=given,
    )


_TWICE = (w.k + 1) * CYCLE
GROW_BY_A = _growing(
    "both grow, led by the output weights",
    (CYCLE > 0, STEP_W <= 0),
    (STEP_A + w.k * CYCLE, _TWICE),
    (_TWICE, _TWICE + STEP_W),
)
GROW_BY_W = _growing(
    "both grow, led by the input weights",
    (CYCLE > 0, STEP_A <= 0),
    (_TWICE, _TWICE),
    (STEP_W + w.k * CYCLE, STEP_W + w.k * CYCLE),
)
GROW_BOTH = _growing(
    "both grow", (STEP_A > 0, STEP_W > 0), (_TWICE, _TWICE), (_TWICE, _TWICE)
)  # fmt: skip


SHARES = tuple(
    _order(name, w.df_a[_EVEN_STEP], value, sizes, *_BY_A)
    for name, value, sizes in (
        ("share beside weights led by the output", _COMMON + STEP_A + 2 * _TWICE, GROW_BY_A),
        ("share beside weights led by the input", _COMMON + STEP_A + 2 * (STEP_W + w.k * CYCLE), GROW_BY_W),
        ("share beside weights that both grow", _COMMON + STEP_A + 2 * _TWICE, GROW_BOTH),
    )
)
GROWTH_DERIVATION = Derivation(
    premises=(*_RULE, w.LINEAR_A, *w.START, *w.SAMPLES),
    steps=(
        SIZES_SMALL, SIZES_LARGE, BY_A_SMALL, BY_A_LARGE, GROW_BY_A, GROW_BY_W, GROW_BOTH, *SHARES,
        Cases(
            "the increment two steps later",
            GROWTH_CLAIM.statement,
            (
                And(CYCLE <= 0, STEP_W <= 0), And(CYCLE <= 0, STEP_W > 0), And(CYCLE > 0, STEP_W <= 0),
                And(CYCLE > 0, STEP_A <= 0), And(STEP_A > 0, STEP_W > 0),
            ),
            uses=names(BY_A_SMALL, BY_A_LARGE, *SHARES),
            because="Where s_a + s_w > 0 it has gained twice that order; elsewhere it is what it was.",
        ),
    ),
    worlds=worlds_of_three(),
)  # fmt: skip

_REGIME = "Any q_sigma, q_a, q_w; every sample so far misclassified in the sense of the finite network's logit." + RULES
_SETTLED = "q_a + q_w + 2 q_sigma <= 0; from the second step on. "

LAWS = (
    Law(
        name="width.growing_weights",
        title="The logits' first-order changes grow from step to step exactly if the two layers' steps have orders of "
        "positive sum.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1, for two learning-rate exponents",
            ("width:P1", "width:E6", "width:E8", "width:E13"),
            "Increments settle exactly if 2 q_sigma + q_a + q_w <= 0: what a layer gives back to itself does not grow.",
        ),
        quantities=quantities(GROWTH_CLAIM),
        regime="Compared at every even step and two steps later. " + _REGIME,
        derivation=GROWTH_DERIVATION,
        claim=GROWTH_CLAIM,
        rivals=(
            Rival(
                "each step at most of order one",
                Band(GROWTH_CLAIM.behaviour, Max(STEP_A, STEP_W), None, _NONE),
                "asks of each layer alone what only their sum must satisfy; the default scaling contradicts it",
            ),
        ),
    ),
    Law(
        name="width.total_learning",
        title="Without growth, the larger increment keeps the order of the logits exactly if the larger step is of "
        "order -1/2 at least.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1, for two learning-rate exponents",
            ("width:P1", "width:E4", "width:E6", "width:E9"),
            "max(q_sigma + q_a, q_sigma + q_w) >= -1/2: one layer's mean outweighs the initial fluctuation.",
        ),
        quantities=quantities(TOTAL_CLAIM),
        regime=_SETTLED + _REGIME,
        assumptions=(BOUNDED.fact,),
        derivation=TOTAL_DERIVATION,
        claim=TOTAL_CLAIM,
        rivals=(
            Rival(
                "one half higher",
                Band(TOTAL_CLAIM.behaviour, Max(STEP_A, STEP_W), 0 * HALF, None),
                "asks for steps of order one, as evolving kernels do",
            ),
            Rival(
                "one lower",
                Band(TOTAL_CLAIM.behaviour, Max(STEP_A, STEP_W), -3 * HALF, None),
                "lets increments fall below the logits, as if these did not fluctuate",
            ),
        ),
    ),
    Law(
        name="width.both_channels",
        title="Without growth, both layers' increments have one order exactly if their steps' orders have one size.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1, for two learning-rate exponents",
            ("width:P1", "width:E4", "width:E13"),
            "|q_sigma + q_a| = |q_sigma + q_w|: the symmetric band, and the branch on which the default lies.",
        ),
        quantities=quantities(BOTH_CLAIM),
        regime=_SETTLED + _REGIME,
        assumptions=(BOUNDED.fact,),
        derivation=BOTH_DERIVATION,
        claim=BOTH_CLAIM,
        rivals=(
            Rival(
                "equal exponents only",
                Band(BOTH_CLAIM.behaviour, STEP_A - STEP_W, _NONE, _NONE),
                "overlooks the branch of opposite orders, on which the default scaling lies",
            ),
        ),
    ),
)
