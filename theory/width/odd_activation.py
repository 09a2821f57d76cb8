"""Where K_a has no mean (width:L1, statement 4): an odd activation at orthogonal inputs.

Input weights are Gaussian, so w.x and w.x' are independent for orthogonal inputs. Parity is taken here in the sign
of w.x, at fixed w.x'.
"""

import random

from sympy import Eq, IndexedBase, Integer, Lambda, Rational, S, Symbol, sqrt

from theory.asymptotics import draws, even, neuron, odd
from theory.claims import PowerLaw
from theory.definitions import width as w
from theory.definitions.width_worlds import PAIRS, mirrored
from theory.growth import odd_phi
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.steps.orders import OrderOf
from theory.proof.told import names
from theory.proof.worlds import World
from theory.width.meanings import RULES, source

HALF = Rational(1, 2)
along, across = IndexedBase("along"), IndexedBase("across")
kernel = IndexedBase("K_odd")

KERNEL = Define(
    "kernel of the output weights with an odd activation",
    kernel[w.k],
    w.d**w.q_a * w.sigma**2 * w.over_neurons(odd_phi(along[w.r]) * odd_phi(across[w.r])),
    w.FACTOR,
)
TURNS = (
    Suppose("w.x has no even part", Eq(even(along[w.r], w.d), S.NegativeInfinity, evaluate=False)),
    Suppose("w.x is of order one", Eq(odd(along[w.r], w.d), 0, evaluate=False)),
)
STAYS = (
    Suppose("w.x' does not turn with w.x", Eq(odd(across[w.r], w.d), S.NegativeInfinity, evaluate=False)),
    Suppose("w.x' is of order one", Eq(even(across[w.r], w.d), 0, evaluate=False)),
)
CLAIM = PowerLaw(kernel[0], w.d, 2 * w.q_sigma + w.q_a + HALF)
_PREMISES = (w.SCALE, KERNEL, *TURNS, *STAYS)


def _world(source_of_numbers: random.Random) -> World:
    z = Symbol("z", real=True)
    return World(
        {
            w.d: 1000,
            w.k: 0,
            draws: 2 * PAIRS,
            neuron: 1,
            w.q_sigma: Rational(source_of_numbers.randint(-8, 4), 4),
            w.q_a: Rational(source_of_numbers.randint(-4, 8), 4),
            w.sigma_star: Integer(source_of_numbers.randint(1, 5)),
            odd_phi: Lambda(z, z / sqrt(1 + z**2)),
            along: mirrored(source_of_numbers, -1),
            across: mirrored(source_of_numbers, 1),
        }
    )


DERIVATION = Derivation(
    premises=_PREMISES,
    steps=(
        OrderOf(
            "central limit of the kernel",
            CLAIM.quantity,
            CLAIM.exponent,
            w.d,
            uses=names(*_PREMISES),
            because="The summand changes sign with w.x: it has no mean, so d neurons add up to sqrt(d).",
        ),
    ),
    worlds=_world,
)

LAWS = (
    Law(
        name="width.orthogonal_inputs",
        title="With an odd activation the kernel of the output weights is a fluctuation at orthogonal inputs.",
        status=Status.THEOREM,
        source=source(
            "Lemma 1, statement 4: its edge",
            ("width:L1", "width:E2", "width:D10"),
            "E phi(w.x) phi(w.x') = 0 there: order 2 q_sigma + q_a + 1/2, one half less than at other inputs.",
        ),
        quantities=(
            Quantity(w.d, "width: number of hidden neurons"),
            Quantity(kernel, "kernel of the output weights with an odd activation, at orthogonal inputs"),
            Quantity(w.q_sigma, "exponent of the standard deviation of the output weights"),
            Quantity(w.q_a, "exponent of the output weights' learning rate in hat units"),
        ),
        regime="Bounded odd activation, orthogonal inputs, Gaussian input weights." + RULES,
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival(
                "as at generic inputs",
                PowerLaw(CLAIM.quantity, w.d, CLAIM.exponent + HALF),
                "gives the sum a mean, as Lemma 1 does at almost every pair of inputs",
            ),
        ),
    ),
)
