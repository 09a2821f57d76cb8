"""In the band, at every step: moves of neurons, increments and logits (width:E3, E6, E7, E9; Lemmas 2.1 and 3)."""

from sympy import Tuple

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.width.band import STEP
from theory.width.kernel_increments import HALF, KERNEL, SIZES_INSIDE
from theory.width.meanings import RULES, quantities, source

_STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)

MOVES = PowerLaw(Tuple(w.a[w.k + 2, w.r] - w.a[w.k + 1, w.r], w.w[w.k + 2, w.r] - w.w[w.k + 1, w.r]), w.d, STEP)
LEARNING = PowerLaw(Tuple(w.f[w.k + 1], w.df_a[w.k + 1], w.df_w[w.k + 1], w.f[w.k + 2] - w.f[w.k + 1]), w.d, KERNEL)

MOVES_DERIVATION = Derivation(
    premises=(w.AT_MOST_ZERO, *_STEPS, *w.START, *w.SAMPLES),
    steps=(
        SIZES_INSIDE,
        OrderOf(
            "moves keep their order",
            MOVES.quantity,
            MOVES.exponent,
            w.d,
            uses=names(*_STEPS, SIZES_INSIDE, *w.SAMPLES, w.AT_MOST_ZERO),
            because="Each move is sigma times a rate times what is of order one.",
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)
LEARNING_DERIVATION = Derivation(
    premises=(
        w.AT_MOST_ZERO, w.AT_LEAST_HALF, *_STEPS, w.LOGITS, w.LINEAR_A, w.LINEAR_W, *w.START, *w.SAMPLES
    ),
    steps=(
        SIZES_INSIDE,
        OrderOf(
            "logits and their increments",
            LEARNING.quantity,
            LEARNING.exponent,
            w.d,
            uses=names(
                *_STEPS, w.LOGITS, w.LINEAR_A, w.LINEAR_W, SIZES_INSIDE, *w.SAMPLES, w.AT_MOST_ZERO, w.AT_LEAST_HALF
            ),
            because="Sums with a mean: from q_sigma + q = -1/2 on it outweighs what is left of the start.",
            forall=(w.k,),
        ),
    ),
    worlds=worlds(),
)  # fmt: skip

_BAND = "Equal learning-rate exponents, q_sigma + q <= 0; every sample so far misclassified."

LAWS = (
    Law(
        name="width.moves_inside",
        title="In the band every step moves both layers' weights by d^(q_sigma + q).",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statements 3 and 6; Lemma 2, statement 1",
            ("width:E3", "width:E6", "width:E7", "width:L1", "width:L2"),
            "A move has the order of a step plus that of the other layer's weights, which stays zero.",
        ),
        quantities=quantities(MOVES),
        regime=_BAND + RULES,
        assumptions=(w.AT_MOST_ZERO.fact,),
        derivation=MOVES_DERIVATION,
        claim=MOVES,
        rivals=(
            Rival(
                "the rate alone",
                PowerLaw(MOVES.quantity, w.d, w.q),
                "leaves out the standard deviation that the gradient carries",
            ),
        ),
    ),
    Law(
        name="width.learning_inside",
        title="In the band logits, their first-order changes and their whole change share the order of the kernels.",
        status=Status.THEOREM,
        source=source(
            "Lemma 3 and Proposition 1",
            ("width:E4", "width:E5", "width:E9", "width:L1", "width:L3", "width:P1"),
            "From the first step on: 2 q_sigma + q + 1.",
        ),
        quantities=quantities(LEARNING),
        regime="-1/2 <= q_sigma + q. " + _BAND + RULES,
        assumptions=(w.AT_MOST_ZERO.fact, w.AT_LEAST_HALF.fact),
        derivation=LEARNING_DERIVATION,
        claim=LEARNING,
        rivals=(
            Rival(
                "central limit",
                PowerLaw(LEARNING.quantity, w.d, KERNEL - HALF),
                "takes trained output weights for symmetric ones",
            ),
        ),
    ),
)
