"""Above the band, at every step: weights and increments grow without end (width:E8; Lemma 2.2)."""

from sympy import Tuple

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.band import STEP
from theory.width.meanings import RULES, quantities, source

_STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
ABOVE = Suppose("steps are larger than of order one", STEP > 0)

SIZES = OrdersGoOn(
    "sizes of both parts from the second step on",
    w.k,
    tuple((state, (w.k + 2) * STEP, (w.k + 2) * STEP) for state in (w.a[w.k + 2, w.r], w.w[w.k + 2, w.r])),
    w.d,
    uses=names(*_STEPS, *w.START, *w.SAMPLES, ABOVE),
    because="Each layer's step is proportional to the other layer's weights.",
)
WEIGHTS = PowerLaw(Tuple(w.a[w.k + 2, w.r], w.w[w.k + 2, w.r]), w.d, (w.k + 2) * STEP)
INCREMENTS = PowerLaw(Tuple(w.df_a[w.k + 2], w.df_w[w.k + 2]), w.d, w.q_sigma + 1 + (2 * w.k + 5) * STEP)

WEIGHTS_DERIVATION = Derivation(
    premises=(*_STEPS, *w.START, *w.SAMPLES, ABOVE),
    steps=(
        SIZES,
        OrderOf(
            "sizes of weights",
            WEIGHTS.quantity,
            WEIGHTS.exponent,
            w.d,
            uses=names(SIZES),
            because="The larger of both parts, which are of one order.",
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)
INCREMENTS_DERIVATION = Derivation(
    premises=(*_STEPS, w.LINEAR_A, w.LINEAR_W, *w.START, *w.SAMPLES, ABOVE),
    steps=(
        SIZES,
        OrderOf(
            "increments by either layer",
            INCREMENTS.quantity,
            INCREMENTS.exponent,
            w.d,
            uses=names(w.SCALE, *w.EQUAL, w.LINEAR_A, w.LINEAR_W, SIZES, *w.SAMPLES, ABOVE),
            because="One step's order, and twice that of the other layer's weights: an odd multiple of a step's size.",
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)

_REGIME = "Equal learning-rate exponents above the band, q_sigma + q > 0; every sample so far misclassified." + RULES

LAWS = (
    Law(
        name="width.weights_above",
        title="Above the band both layers' weights gain a factor d^(q_sigma + q) in every step.",
        status=Status.THEOREM,
        source=source(
            "Lemma 2, statement 2",
            ("width:E8", "width:E6", "width:L2"),
            "Before step k both layers' weights have the order k (q_sigma + q).",
        ),
        quantities=quantities(WEIGHTS),
        regime=_REGIME,
        assumptions=(ABOVE.fact,),
        derivation=WEIGHTS_DERIVATION,
        claim=WEIGHTS,
        rivals=(
            Rival("weights keep their order", PowerLaw(WEIGHTS.quantity, w.d, 0 * STEP), "true inside the band"),
            Rival(
                "one factor in all",
                PowerLaw(WEIGHTS.quantity, w.d, STEP),
                "forgets that each layer's step is proportional to the other layer's weights",
            ),
        ),
    ),
    Law(
        name="width.increments_above",
        title="Above the band the logits' first-order changes gain a factor d^(2 (q_sigma + q)) in every step.",
        status=Status.THEOREM,
        source=source(
            "Proof of Proposition 1",
            ("width:E8", "width:P1"),
            "Before step k increments have the order q_sigma + 1 + (2 k + 1) (q_sigma + q): they never settle.",
        ),
        quantities=quantities(INCREMENTS),
        regime=_REGIME,
        assumptions=(ABOVE.fact,),
        derivation=INCREMENTS_DERIVATION,
        claim=INCREMENTS,
        rivals=(
            Rival(
                "as inside the band",
                PowerLaw(INCREMENTS.quantity, w.d, w.q_sigma + 1 + STEP),
                "keeps weights at order one",
            ),
            Rival(
                "one layer grows",
                PowerLaw(INCREMENTS.quantity, w.d, w.q_sigma + 1 + (w.k + 3) * STEP),
                "lets the other layer's weight enter once instead of twice",
            ),
        ),
    ),
)
