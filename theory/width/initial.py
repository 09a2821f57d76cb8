"""Logits and tangent kernels at the start: a fluctuation and a mean (width:E1, width:E2)."""

from sympy import Rational, Tuple

from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)

LOGITS_CLAIM = PowerLaw(w.f[0], w.d, w.q_sigma + HALF)
KERNELS_CLAIM = PowerLaw(Tuple(w.K_a[0], w.K_w[0]), w.d, 2 * w.q_sigma + w.q + 1)

LOGITS_DERIVATION = Derivation(
    premises=(w.SCALE, w.LOGITS, *w.START),
    steps=(
        OrderOf(
            "central limit of the logits",
            w.f[0],
            LOGITS_CLAIM.exponent,
            w.d,
            uses=names(w.SCALE, w.LOGITS, *w.START),
            because=(
                "Each summand is odd in its output weight, which is symmetric: no mean, so d neurons add up to sqrt(d)."
            ),
        ),
    ),
    worlds=worlds(),
)

KERNELS_DERIVATION = Derivation(
    premises=(w.SCALE, *w.EQUAL, w.KERNEL_A, w.KERNEL_W, *w.START),
    steps=(
        OrderOf(
            "law of large numbers of the kernels",
            KERNELS_CLAIM.quantity,
            KERNELS_CLAIM.exponent,
            w.d,
            uses=names(w.SCALE, *w.EQUAL, w.KERNEL_A, w.KERNEL_W, *w.START),
            because="Each summand is even in its output weight and has a mean: d neurons add up to d.",
        ),
    ),
    worlds=worlds(),
)

LAWS = (
    Law(
        name="width.initial_logits",
        title="Initial logits grow like d^(q_sigma + 1/2).",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 2",
            ("width:E1", "width:D1", "width:D2", "width:P2"),
            "Initial logits are a centred sum of d independent terms: order q_sigma + 1/2, of order one "
            "exactly for q_sigma = -1/2.",
        ),
        quantities=quantities(LOGITS_CLAIM),
        regime="Symmetric output weights of finite variance, a nonzero input; order in probability." + RULES,
        derivation=LOGITS_DERIVATION,
        claim=LOGITS_CLAIM,
        rivals=(
            Rival(
                "law of large numbers",
                PowerLaw(w.f[0], w.d, w.q_sigma + 1),
                "holds for output weights with a mean",
            ),
        ),
    ),
    Law(
        name="width.initial_kernels",
        title="Both initial tangent kernels grow like d^(2 q_sigma + q + 1).",
        status=Status.THEOREM,
        source=source(
            "Equations 8, 9, 41",
            ("width:E2", "width:D5", "width:P2"),
            "Initial kernels are sums of d terms with a mean: order 2 q_sigma + q + 1.",
        ),
        quantities=quantities(KERNELS_CLAIM),
        regime=(
            "Finite fourth moment of the output weights; inputs at which E phi phi' and E dphi dphi' do not vanish."
        )
        + RULES,
        derivation=KERNELS_DERIVATION,
        claim=KERNELS_CLAIM,
        rivals=(
            Rival(
                "central limit",
                PowerLaw(KERNELS_CLAIM.quantity, w.d, 2 * w.q_sigma + w.q + HALF),
                "takes the kernels' terms for centred ones",
            ),
        ),
    ),
)
