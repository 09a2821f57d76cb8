"""First-order changes of the logits by neurons of any size, and the whole first change (width:E4, width:E5): the
paper's Lemma 1, statements 4 and 5.

Before the step a neuron's output weight has the order alpha and its input weight the order omega, both at least
zero, in the even part and in the odd one.
"""

import random

from sympy import Eq, IndexedBase, Max, symbols

from theory.asymptotics import even, odd
from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import mirrored, worlds_of_three
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.proof.worlds import World
from theory.width.meanings import RULES, source

alpha, omega = symbols("alpha omega", nonnegative=True)
u, v = IndexedBase("u"), IndexedBase("v")

OUTPUT = Define("output weights before the step", w.a[0, w.r], w.d**alpha * u[w.r], w.FACTOR)
INPUT = Define("input weights before the step", w.w[0, w.r], w.d**omega * v[w.r], w.FACTOR)


def _of_order_one(base: IndexedBase, name: str) -> tuple[Suppose, Suppose]:
    return (
        Suppose(f"the even part of {name} has its order", Eq(even(base[w.r], w.d), 0, evaluate=False)),
        Suppose(f"the odd part of {name} has its order", Eq(odd(base[w.r], w.d), 0, evaluate=False)),
    )


OF_OUTPUT, OF_INPUT = _of_order_one(u, "output weights"), _of_order_one(v, "input weights")
_SAMPLE_A, _SAMPLE_W = (w.GRADIENT_A, w.INPUT_A), (w.GRADIENT_W, w.INPUT_W)

BY_A = PowerLaw(w.df_a[0], w.d, 2 * w.q_sigma + 1 + w.q_a + 2 * omega)
BY_W = PowerLaw(w.df_w[0], w.d, 2 * w.q_sigma + 1 + w.q_w + 2 * alpha)
WHOLE = PowerLaw(w.f[1] - w.f[0], w.d, Max(2 * w.q_sigma + 1 + w.q_a, 2 * w.q_sigma + 1 + w.q_w))

BOUNDED = Suppose("input weights move by no more than order one", w.q_sigma + w.q_w <= 0)

_plain = worlds_of_three()


def _sized(source: random.Random) -> World:
    """Neurons of the orders alpha and omega, with parts of either parity."""

    def parts() -> dict:
        same, other = mirrored(source, 1), mirrored(source, -1)
        return {place: same[place] + other[place] / 3 for place in same}

    sizes = {alpha: source.choice((0, 1, 2)), omega: source.choice((0, 1, 2)), u: parts(), v: parts()}
    values = {**_plain(source).values, **sizes}
    return World({name: value for name, value in values.items() if name not in (w.a, w.w)})


def _derivation(name: str, claim: PowerLaw, premises: tuple, because: str, worlds=_sized) -> Derivation:
    step = OrderOf(name, claim.quantity, claim.exponent, w.d, uses=names(*premises), because=because)
    return Derivation(premises=premises, steps=(step,), worlds=worlds)


BY_A_DERIVATION = _derivation(
    "sum of two activations",
    BY_A,
    (w.SCALE, w.LINEAR_A, INPUT, *OF_INPUT, *_SAMPLE_A),
    "The activation grows linearly: each of the two factors has the order of the input weights, and the mean is not 0.",
)
BY_W_DERIVATION = _derivation(
    "sum of squared output weights",
    BY_W,
    (w.SCALE, w.LINEAR_W, OUTPUT, INPUT, *OF_OUTPUT, *OF_INPUT, *_SAMPLE_W),
    "The slope stays of order one however large its argument is; the output weight enters twice.",
)
WHOLE_DERIVATION = _derivation(
    "the larger of both",
    WHOLE,
    (w.SCALE, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W, w.LOGITS, *w.START, BOUNDED, *_SAMPLE_A, *_SAMPLE_W),
    "While input weights move by order one at most, terms of higher order in the rates do not outgrow the first.",
    _plain,
)

_MEANING = (
    Quantity(w.d, "width: number of hidden neurons"),
    Quantity(w.q_sigma, "exponent of the standard deviation of the output weights"),
    Quantity(w.q_a, "exponent of the output weights' learning rate in hat units"),
    Quantity(w.q_w, "exponent of the input weights' learning rate in hat units"),
    Quantity(alpha, "order of the output weights before the step"),
    Quantity(omega, "order of the input weights before the step"),
    Quantity(w.df_a, "first-order change of the logit by the output weights"),
    Quantity(w.df_w, "first-order change of the logit by the input weights"),
    Quantity(w.f, "logit at an input"),
)


def _of(claim: PowerLaw) -> tuple[Quantity, ...]:
    named = {str(s) for s in claim.statement.free_symbols}
    return tuple(q for q in _MEANING if q.name in named)


LAWS = (
    Law(
        name="width.increment_by_output",
        title="Output weights change the logits by d^(2 q_sigma + q_a + 1 + 2 omega) at first order.",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 4",
            ("width:E4", "width:L1"),
            "The activation enters twice, with the order of the input weights.",
        ),
        quantities=_of(BY_A),
        regime="Weights of any order at least zero, a misclassified sample; any exponents." + RULES,
        derivation=BY_A_DERIVATION,
        claim=BY_A,
        rivals=(
            Rival("input weights enter once", PowerLaw(BY_A.quantity, w.d, BY_A.exponent - omega), "counts one factor"),
            Rival(
                "of the output weights' size",
                PowerLaw(BY_A.quantity, w.d, BY_A.exponent - 2 * omega + 2 * alpha),
                "confuses which layer's weights a gradient carries",
            ),
        ),
    ),
    Law(
        name="width.increment_by_input",
        title="Input weights change the logits by d^(2 q_sigma + q_w + 1 + 2 alpha) at first order.",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 4",
            ("width:E4", "width:L1", "width:G8"),
            "The output weight enters twice; the slope of the activation is bounded, which Theta(z) does not imply.",
        ),
        quantities=_of(BY_W),
        regime="Weights of any order at least zero, a misclassified sample; any exponents." + RULES,
        derivation=BY_W_DERIVATION,
        claim=BY_W,
        rivals=(
            Rival(
                "output weights enter once", PowerLaw(BY_W.quantity, w.d, BY_W.exponent - alpha), "counts one factor"
            ),
        ),
    ),
    Law(
        name="width.first_change",
        title="The first step changes logits by the larger of both layers' first-order changes.",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 5",
            ("width:E5", "width:L1", "width:G7"),
            "Terms of higher order in the rates do not outgrow the first while q_sigma + q_w <= 0.",
        ),
        quantities=_of(WHOLE),
        regime="Both samples misclassified, q_sigma + q_w <= 0; any q_a." + RULES,
        assumptions=(BOUNDED.fact,),
        derivation=WHOLE_DERIVATION,
        claim=WHOLE,
        rivals=(
            Rival(
                "the input weights' alone",
                PowerLaw(WHOLE.quantity, w.d, 2 * w.q_sigma + 1 + w.q_w),
                "leaves out the output weights",
            ),
            Rival(
                "the output weights' alone",
                PowerLaw(WHOLE.quantity, w.d, 2 * w.q_sigma + 1 + w.q_a),
                "leaves out the input weights",
            ),
        ),
    ),
)
