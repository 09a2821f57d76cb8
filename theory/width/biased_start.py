"""Output weights with a mean: then the printed statement 4 of Proposition 2 holds, and logits gain a factor sqrt(d)
(width:P2, G1).
"""

import random

from sympy import Eq, Rational

from theory.asymptotics import even
from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.law import Law, Rival, Status
from theory.proof.derivation import Derivation, Suppose
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.proof.worlds import World
from theory.width.kernel_increments import FIRST, FIRST_CLAIM, KERNEL, STEP
from theory.width.meanings import RULES, quantities, source

HALF = Rational(1, 2)

BIASED = Suppose("output weights start with a mean", Eq(even(w.a[0, w.r], w.d), 0, evaluate=False))
_START = (BIASED, w.SIZE_A, w.EVEN_W, w.SIZE_W)
_LINEAR = (w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA)
CLAIM = PowerLaw(FIRST, w.d, KERNEL + STEP)

_plain = worlds()


def _world(numbers: random.Random) -> World:
    values = _plain(numbers).values
    return World({**values, w.a: {place: value + Rational(2, 3) for place, value in values[w.a].items()}})


DERIVATION = Derivation(
    premises=(w.SCALE, *w.EQUAL, *_LINEAR, *_START, *w.SAMPLES),
    steps=(
        OrderOf(
            "law of large numbers of the first increments",
            FIRST,
            CLAIM.exponent,
            w.d,
            uses=names(w.SCALE, *w.EQUAL, *_LINEAR, *_START, *w.SAMPLES),
            because="The output weights' mean gives each summand a mean: d neurons add up to d.",
        ),
    ),
    worlds=_world,
)

LAWS = (
    Law(
        name="width.biased_increments",
        title="With biased output weights the first step changes kernels by d^(q_sigma + q) of themselves.",
        status=Status.THEOREM,
        source=source(
            "Proposition 2, statement 4, for output weights with a mean",
            ("width:P2", "width:G1", "width:E10"),
            "What Proposition 2 prints for symmetric weights is true of biased ones.",
        ),
        quantities=quantities(CLAIM),
        regime="Output weights whose mean is of the order of their standard deviation; any exponents." + RULES,
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "central limit, as for symmetric weights",
                PowerLaw(FIRST, w.d, FIRST_CLAIM.exponent),
                "needs the mean to be 0",
            ),
        ),
    ),
)
