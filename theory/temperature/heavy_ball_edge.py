"""Where momentum on a curvature is stable, by the two modes of its recursion (T24).

The place obeys theta(k + 2) = trace theta(k + 1) - product theta(k); a mode theta(k) = r^k has r^2 = trace r - product.
"""

import random
from dataclasses import replace

from sympy import And, Eq, Implies, Lambda, Ne, Rational, Symbol

from theory.claims import Band
from theory.definitions.inequalities import above, at_least, at_most, below
from theory.definitions.momentum import MEANINGS, STEP, curvature, gamma, k, place, pushed, velocity
from theory.definitions.temperature import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Cases, Equal, Holds
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

trace, product, first, second = (Symbol(name, real=True) for name in ("trace", "product", "r_1", "r_2"))

EDGE = 2 * (2 - gamma) / curvature
BOUNDED = And(at_least(first, -1), at_most(first, 1), at_least(second, -1), at_most(second, 1), evaluate=False)
STABLE = Band(BOUNDED, eta, None, EDGE)

BOWL = pushed(curvature * place(k))
TRACE = Define("trace", trace, 2 - gamma - eta * curvature)
PRODUCT = Define("product", product, 1 - gamma)
FIRST = Suppose("first mode", Eq(first**2, trace * first - product, evaluate=False))
SECOND = Suppose("second mode", Eq(second**2, trace * second - product, evaluate=False))
DIFFERENT = Suppose("the modes are two", Ne(first, second, evaluate=False))


def two_modes(source: random.Random) -> World:
    """A mode, the other one that some damping gives to it, and the learning rate of both."""
    damping, bowl = Rational(source.randint(1, 9), 10), fraction(source)
    mode = -fraction(source, 1, 2) if source.random() < 0.7 else Rational(source.randint(1, 9), 10)
    other = (1 - damping) / mode
    return World(
        {
            gamma: damping,
            curvature: bowl,
            eta: (1 - mode) * (1 - other) / bowl,
            first: mode,
            second: other,
            k: source.randint(0, 4),
            velocity: Lambda(k, fraction(source)),
            place: Lambda(k, fraction(source)),
        }
    )


BELOW_EDGE = at_most(eta * curvature, 2 * (2 - gamma))
STEPS = (
    Equal(
        "recursion of the place",
        place(k + 2),
        trace * place(k + 1) - product * place(k),
        uses=names(BOWL, STEP, TRACE, PRODUCT),
        because="so a mode r^k has r^2 = trace r - product; complex ones come in pairs of modulus sqrt(1 - gamma)",
    ),
    Holds("sum", Eq(first + second, trace, evaluate=False), uses=names(FIRST, SECOND, DIFFERENT)),
    Equal("sum times a mode", first * (first + second), trace * first, uses=("sum",)),
    Holds("their product", Eq(first * second, product, evaluate=False), uses=("sum times a mode", FIRST.name)),
    Holds(
        "against 1",
        Eq((1 - first) * (1 - second), eta * curvature, evaluate=False),
        uses=("sum", "their product", *names(TRACE, PRODUCT)),
    ),
    Holds(
        "against -1",
        Eq((1 + first) * (1 + second), 2 * (2 - gamma) - eta * curvature, evaluate=False),
        uses=("sum", "their product", *names(TRACE, PRODUCT)),
    ),
    Holds("small together", below(first * second, 1), uses=("their product", PRODUCT.name)),
    Cases(
        "first below 1", below(first, 1), (at_most(second, 1), above(second, 1)), uses=("against 1", "small together")
    ),
    Cases(
        "second below 1", below(second, 1), (at_most(first, 1), above(first, 1)), uses=("against 1", "small together")
    ),
    Holds(
        "first above -1",
        Implies(BELOW_EDGE, at_least(first, -1), evaluate=False),
        uses=("against -1", "small together"),
    ),
    Holds(
        "second above -1",
        Implies(BELOW_EDGE, at_least(second, -1), evaluate=False),
        uses=("against -1", "small together"),
    ),
    Holds(
        "stable exactly up to the edge",
        STABLE.statement,
        uses=("first below 1", "second below 1", "first above -1", "second above -1", "against -1"),
        because="beyond it one mode changes its sign in every step and grows",
    ),
)

LAWS = (
    Law(
        name="temperature.heavy_ball_edge",
        title="Momentum on a curvature is stable exactly up to the learning rate 2 (2 - gamma)/curvature",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B, eqs 38-43",
            ("temperature:T24",),
            "the heavy ball is stable on a curvature h for 0 < eta h < 2 (2 - gamma)",
        ),
        quantities=(
            *(Quantity(symbol, *MEANINGS[symbol]) for symbol in (eta, gamma, curvature)),
            Quantity(first, "factor per step of a mode of the place"),
            Quantity(second, "factor per step of the other mode"),
        ),
        regime="a quadratic; both modes real and different. Complex modes have the modulus sqrt(1 - gamma) at any "
        "learning rate: they are stable wherever they occur",
        derivation=Derivation(
            premises=(BOWL, STEP, TRACE, PRODUCT, FIRST, SECOND, DIFFERENT), steps=STEPS, worlds=two_modes
        ),
        claim=STABLE,
        rivals=(
            Rival("plain descent", replace(STABLE, upper=2 / curvature), "forgets the momentum"),
            Rival("saturated step", replace(STABLE, upper=2 * gamma / curvature), "plain descent at eta/gamma"),
        ),
    ),
)
