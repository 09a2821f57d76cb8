"""The band of dynamical stability: which scalings let a network learn at every width (width:P1)."""

from collections.abc import Mapping
from typing import Any

from sympy import And, Eq, Expr, Max, Or, Rational, Tuple, sympify

from theory.asymptotics import order
from theory.claims import Band
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.predictors import Input, OutsideDomain, Predictor
from theory.proof.derivation import Derivation
from theory.proof.steps.cases import Cases
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)
STEP = w.q_sigma + w.q
"""Order of a neuron's move in one step: the band's control."""

LOWER, UPPER = -HALF, sympify(0)

_INSIDE = (STEP <= 0,)
_ABOVE = (STEP > 0,)
_STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
_LINEAR = (w.LINEAR_A, w.LINEAR_W)
_LATER = w.k + w.m + 2
_INCREMENTS = Tuple(w.df_a[_LATER], w.df_w[_LATER])


def balanced(step: Expr | int) -> Eq:
    """First-order changes of the logits, by either layer, are of the order of the logits before ``step``."""
    return Eq(order(_INCREMENTS, w.d), order(w.f[step], w.d), evaluate=False)


CLAIM = Band(Or(balanced(1), balanced(w.m + 2)), STEP, LOWER, UPPER)

SIZES_INSIDE = OrdersGoOn(
    "weights up to the upper edge",
    w.k,
    ((w.a[w.k + 1, w.r], STEP, 0 * STEP), (w.w[w.k + 1, w.r], 0 * STEP, STEP)),
    w.d,
    uses=names(*_STEPS, *w.START, *w.SAMPLES),
    because=(
        "A step moves a neuron by order q_sigma + q <= 0, and its weights stay of order zero: so the next "
        "step does the same."
    ),
    given=_INSIDE,
)
LOGITS_INSIDE = OrderOf(
    "logits up to the upper edge",
    w.f[w.k + 1],
    Max(w.q_sigma + HALF, w.q_sigma + 1 + STEP),
    w.d,
    uses=names(w.SCALE, w.LOGITS, SIZES_INSIDE),
    because="The initial logits' fluctuation, or the mean that steps have built, whichever is larger.",
    given=_INSIDE,
    forall=(w.k,),
)
INCREMENTS_INSIDE = OrderOf(
    "increments up to the upper edge",
    Tuple(w.df_a[w.k + 1], w.df_w[w.k + 1]),
    w.q_sigma + 1 + STEP,
    w.d,
    uses=names(w.SCALE, *w.EQUAL, *_LINEAR, SIZES_INSIDE, *w.SAMPLES),
    because="A sum of d terms with a mean: order of sigma, of a step, and one more for the sum.",
    given=_INSIDE,
    forall=(w.k,),
)
SIZES_ABOVE = OrdersGoOn(
    "weights above the upper edge",
    w.k,
    tuple((state, (w.k + 2) * STEP, (w.k + 2) * STEP) for state in (w.a[w.k + 2, w.r], w.w[w.k + 2, w.r])),
    w.d,
    uses=names(*_STEPS, *w.START, *w.SAMPLES),
    because=(
        "Each layer's step is proportional to the other layer's weights: both gain order q_sigma + q > 0 in every step."
    ),
    given=_ABOVE,
)
FIRST_LOGITS_ABOVE = OrderOf(
    "logits after the first step above the upper edge",
    w.f[1],
    w.q_sigma + 1 + 2 * STEP,
    w.d,
    uses=names(*_STEPS, w.LOGITS, *w.START, *w.SAMPLES),
    because="Both layers' weights have grown once.",
    given=_ABOVE,
)
LOGITS_ABOVE = OrderOf(
    "logits above the upper edge",
    w.f[w.k + 2],
    w.q_sigma + 1 + 2 * (w.k + 2) * STEP,
    w.d,
    uses=names(w.SCALE, w.LOGITS, SIZES_ABOVE),
    because="Both layers' weights have grown in every step.",
    given=_ABOVE,
    forall=(w.k,),
)
INCREMENTS_ABOVE = OrderOf(
    "increments above the upper edge",
    Tuple(w.df_a[w.k + 2], w.df_w[w.k + 2]),
    w.q_sigma + 1 + (2 * w.k + 5) * STEP,
    w.d,
    uses=names(w.SCALE, *w.EQUAL, *_LINEAR, SIZES_ABOVE, *w.SAMPLES),
    because=(
        "An odd number of factors q_sigma + q, which no logit has: increments never match the logits of any "
        "earlier step."
    ),
    given=_ABOVE,
    forall=(w.k,),
)
EDGES = Cases(
    "both edges are necessary and between them is enough",
    CLAIM.statement,
    (STEP < LOWER, And(STEP >= LOWER, STEP <= UPPER), STEP > UPPER),
    uses=names(LOGITS_INSIDE, INCREMENTS_INSIDE, FIRST_LOGITS_ABOVE, LOGITS_ABOVE, INCREMENTS_ABOVE),
    because=(
        "Below -1/2 the initial logits outweigh every increment; between the edges increments and logits "
        "share an order from the "
        "first step on; above 0 increments outgrow the logits of every earlier step."
    ),
)

DERIVATION = Derivation(
    premises=(*_STEPS, w.LOGITS, *_LINEAR, *w.START, *w.SAMPLES),
    steps=(
        SIZES_INSIDE,
        LOGITS_INSIDE,
        INCREMENTS_INSIDE,
        SIZES_ABOVE,
        FIRST_LOGITS_ABOVE,
        LOGITS_ABOVE,
        INCREMENTS_ABOVE,
        EDGES,
    ),
    worlds=worlds(),
)

LAWS = (
    Law(
        name="width.band",
        title="A network learns at every width exactly for -1/2 <= q_sigma + q <= 0.",
        status=Status.THEOREM,
        source=source(
            "Proposition 1, Condition 2",
            (
                "width:P1",
                "width:D7",
                "width:D8",
                "width:D9",
                "width:E3",
                "width:E4",
                "width:E5",
                "width:E6",
                "width:E7",
                "width:E8",
                "width:E9",
                "width:L1",
                "width:L2",
                "width:L3",
            ),
            "While all samples are misclassified, each layer's first-order change of the logits is of the "
            "order of the logits from "
            "some step on, at every later step, exactly in the band.",
        ),
        quantities=quantities(CLAIM),
        regime=(
            "Equal learning-rate exponents; every sample so far misclassified in the sense of the finite "
            "network's logit; orders in "
            "probability. Logits are compared at the first step and at every later one; increments at any "
            "step after it."
        )
        + RULES,
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "one half lower",
                Band(CLAIM.behaviour, STEP, LOWER - HALF, UPPER),
                "lets increments fall below the logits",
            ),
            Rival(
                "edge at one half",
                Band(CLAIM.behaviour, STEP, LOWER, UPPER + HALF),
                "lets weights grow in every step",
            ),
        ),
    ),
)


def exponents(**given: Any) -> dict[str, Expr]:
    """Exact rational exponents.

    Raises
    ------
    OutsideDomain
        For a value that is not rational.
    """
    found = {}
    for name, value in given.items():
        if not isinstance(value, Rational) or not value.is_finite:
            raise OutsideDomain(f"{name} is {value}; rational numbers are allowed; give one such as -1/2")
        found[name] = value
    return found


def _band(q_sigma: Any, q_a: Any, q_w: Any) -> Mapping[str, Any]:
    given = exponents(q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    step_a, step_w = given["q_sigma"] + given["q_a"], given["q_sigma"] + given["q_w"]
    cycle = step_a + step_w
    return {
        "both_channels_learn": bool((step_a == step_w and LOWER <= step_a <= UPPER) or cycle == 0),
        "total_learns": bool(cycle <= 0 and max(step_a, step_w) >= LOWER),
        "explodes": bool(cycle > 0),
    }


EXPONENTS = (
    Input("q_sigma", "exponent of the standard deviation of the output weights"),
    Input("q_a", "exponent of the learning rate of the output weights, in hat units"),
    Input("q_w", "exponent of the learning rate of the input weights, in hat units"),
)

PREDICTORS = (
    Predictor(
        name="width.band",
        laws=("width.band",),
        inputs=EXPONENTS,
        evaluate=_band,
        summary=(
            "Whether both layers' increments, or the larger of them, keep the order of the logits at every "
            "step, and whether weights "
            "grow with every step."
        ),
    ),
)
