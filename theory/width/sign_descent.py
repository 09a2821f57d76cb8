"""Descent along the signs of gradients (width, beyond the paper): the same band from below, and no upper edge.

Every weight moves by its hat learning rate, whatever the gradient's size; rates are eta* d^q_sign in units of the
initial weights.
"""

from sympy import Eq, Lambda, Max, Rational, Symbol, sign

from theory.asymptotics import order
from theory.claims import Band
from theory.definitions import width as w
from theory.definitions.width_worlds import with_values, worlds
from theory.growth import direction, dphi, phi
from theory.law import Law, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.steps.cases import Cases
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)
q_sign = Symbol("q_sign", real=True)
_z = Symbol("z", real=True)

RATE_A = Define("sign rate of the output weights", w.eta_a, w.eta_a_star * w.d**q_sign, w.FACTOR)
RATE_W = Define("sign rate of the input weights", w.eta_w, w.eta_w_star * w.d**q_sign, w.FACTOR)
STEP_A = Define(
    "sign step of the output weights",
    w.a[w.k + 1, w.r],
    w.a[w.k, w.r] - w.eta_a * direction(w.g_a[w.k] * phi(w.w[w.k, w.r] * w.x_a[w.k])),
    w.FACTOR,
)
STEP_W = Define(
    "sign step of the input weights",
    w.w[w.k + 1, w.r],
    w.w[w.k, w.r] - w.eta_w * direction(w.g_w[w.k] * w.a[w.k, w.r] * dphi(w.w[w.k, w.r] * w.x_w[w.k])),
    w.FACTOR,
)
_RULE = (RATE_A, RATE_W, STEP_A, STEP_W)

_INSIDE, _ABOVE = (q_sign <= 0,), (q_sign > 0,)
_NONE = 0 * q_sign
_LATER = w.f[w.k + 2]
_CHANGE = w.f[w.k + 3] - w.f[w.k + 2]

CLAIM = Band(Eq(order(_CHANGE, w.d), order(_LATER, w.d), evaluate=False), q_sign, -HALF, None)

SIZES_INSIDE = OrdersGoOn(
    "weights under small sign steps",
    w.k,
    ((w.a[w.k + 1, w.r], q_sign, _NONE), (w.w[w.k + 1, w.r], _NONE, q_sign)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES),
    because="An output weight's step has the sign of its activation, which is even; an input weight's that of its "
    "output weight, which is odd.",
    given=_INSIDE,
)
SIZES_ABOVE = OrdersGoOn(
    "weights under large sign steps",
    w.k,
    ((w.a[w.k + 2, w.r], q_sign, q_sign), (w.w[w.k + 2, w.r], q_sign, q_sign)),
    w.d,
    uses=names(*_RULE, *w.START, *w.SAMPLES),
    because="A sign has size one: no step is larger than the first, so weights stop growing.",
    given=_ABOVE,
)


def _logits(name: str, quantity, value, sizes: OrdersGoOn, *more) -> OrderOf:
    return OrderOf(
        name,
        quantity,
        value,
        w.d,
        uses=names(w.SCALE, w.LOGITS, sizes, *more),
        because="The even part of output weights gives the sum a mean.",
        given=sizes.given,
        forall=(w.k,),
    )


_MOVING = (*_RULE, *w.SAMPLES)
LOGITS_INSIDE = _logits(
    "logits under small sign steps", _LATER, Max(w.q_sigma + HALF, w.q_sigma + 1 + q_sign), SIZES_INSIDE
)
LOGITS_ABOVE = _logits("logits under large sign steps", _LATER, w.q_sigma + 1 + 2 * q_sign, SIZES_ABOVE)
CHANGE_INSIDE = _logits(
    "their change under small sign steps", _CHANGE, w.q_sigma + 1 + q_sign, SIZES_INSIDE, *_MOVING
)  # fmt: skip
CHANGE_ABOVE = _logits(
    "their change under large sign steps", _CHANGE, w.q_sigma + 1 + 2 * q_sign, SIZES_ABOVE, *_MOVING
)  # fmt: skip

DERIVATION = Derivation(
    premises=(w.SCALE, *_RULE, w.LOGITS, *w.START, *w.SAMPLES),
    steps=(
        SIZES_INSIDE, SIZES_ABOVE, LOGITS_INSIDE, LOGITS_ABOVE, CHANGE_INSIDE, CHANGE_ABOVE,
        Cases(
            "one edge only",
            CLAIM.statement,
            (q_sign <= 0, q_sign > 0),
            uses=names(LOGITS_INSIDE, LOGITS_ABOVE, CHANGE_INSIDE, CHANGE_ABOVE),
            because="Below -1/2 the initial fluctuation outweighs every change; above it both are means of one order.",
        ),
    ),
    worlds=with_values(
        worlds(),
        lambda source: {q_sign: Rational(source.randint(-4, 4), 4), direction: Lambda(_z, sign(_z))},
    ),
)  # fmt: skip

LAWS = (
    Law(
        name="width.sign_band",
        title="Descent along signs of gradients learns at every width for q_sign >= -1/2, without an upper edge.",
        status=Status.THEOREM,
        source=source(
            "Beside the paper: sign descent in the setting of Proposition 1",
            ("width:P1", "width:E6"),
            "Steps do not grow with the other layer's weights, so nothing feeds back: only the lower edge is left.",
        ),
        quantities=quantities(CLAIM),
        regime=(
            "Every weight moves by eta* d^q_sign times the sign of its gradient, in units of its initial standard "
            "deviation; any samples whose gradients do not vanish; from the second step on."
        )
        + RULES,
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "two edges, as for gradient descent",
                Band(CLAIM.behaviour, q_sign, -HALF, _NONE),
                "carries the upper edge over, though a sign's step cannot grow",
            ),
            Rival(
                "learning with evolving kernels only",
                Band(CLAIM.behaviour, q_sign, _NONE, None),
                "confuses where the network learns with where kernels evolve",
            ),
        ),
    ),
)
