"""Momentum step by step: how it saturates, and how far it is from continuous time (T24)."""

import random
from dataclasses import replace

from sympy import Eq, Expr, Function, Integer, Ne, Rational, Symbol, exp, sqrt

from theory.claims import Formula, Identity, PowerLaw
from theory.definitions.momentum import (
    AT_REST,
    AT_START,
    MEANINGS,
    STEP,
    gamma,
    gradient,
    k,
    place,
    pushed,
    tau,
    velocity,
)
from theory.definitions.temperature import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import expanded, radicals, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Induct, Root, Tends
from theory.proof.steps.follows import Follows
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature.momentum_early import reached

PUSH = pushed(gradient)


def gone(rate: Expr, forgotten: Expr, steps: Expr, kept: Expr) -> Expr:
    """Place after steps from rest under the gradient -1, of whose first push a share is kept: ``STEPS`` derives it."""
    return rate / forgotten * (steps - (1 - forgotten) * (1 - kept) / forgotten)


VELOCITY = Identity(velocity(k), -gradient / gamma * (1 - (1 - gamma) ** k))


def a_run(source: random.Random) -> World:
    """A few steps under a constant gradient."""
    return World(
        {
            k: source.randint(0, 5),
            eta: fraction(source),
            gamma: Rational(source.randint(1, 9), 10),
            gradient: fraction(source, -9, 9),
        }
    )


VELOCITY_DERIVATION = Derivation(
    premises=(AT_REST, PUSH),
    steps=(
        Induct(
            "velocity",
            k,
            VELOCITY.left,
            VELOCITY.right,
            uses=(AT_REST.name, PUSH.name),
            normal=(expanded, rational),
            because="what is missing to the saturated velocity shrinks by 1 - gamma in every step",
        ),
    ),
    worlds=a_run,
)
STEPS = Derivation(
    premises=(AT_REST, AT_START, PUSH, STEP),
    steps=(
        VELOCITY_DERIVATION.steps[0],
        Induct(
            "place",
            k,
            place(k),
            -gradient * gone(eta, gamma, k, (1 - gamma) ** k),
            uses=(AT_START.name, STEP.name, "velocity"),
            normal=(rational, expanded),
            because="a geometric sum of the velocities",
        ),
    ),
    worlds=a_run,
)
"""The place after k steps under a constant gradient."""

held, following, saturated = (Symbol(name, real=True) for name in ("v_held", "v_next", "saturated_step"))
SATURATED = Formula(saturated, -eta * gradient / gamma)
HELD_PUSH = Define("push", following, (1 - gamma) * held - gradient)
SATURATED_STEP = Define("saturated step", saturated, eta * following)
SATURATED_DERIVATION = Derivation(
    premises=(HELD_PUSH, SATURATED_STEP),
    steps=(
        Root(
            "velocity that stays",
            held,
            Eq(following, held, evaluate=False),
            -gradient / gamma,
            uses=(HELD_PUSH.name,),
            because="what is forgotten in a step is what is pushed in",
        ),
        Equal(
            "step at that velocity",
            SATURATED.quantity,
            SATURATED.value,
            uses=(HELD_PUSH.name, SATURATED_STEP.name, "velocity that stays"),
        ),
    ),
    worlds=lambda source: World({eta: fraction(source), gamma: fraction(source), gradient: fraction(source)}),
)


rate = Symbol("rate", positive=True)
damping_at, excess, gap, gamma_at = (Function(name, real=True) for name in ("damping", "excess", "gap", "gamma"))
GAP = PowerLaw(gap(eta), eta, Rational(1, 2))
ROOT, KEPT = sqrt(eta), exp(-rate * tau)
GAMMA_AT = Define("damping of a step", gamma_at(eta), 1 - exp(-rate * ROOT))
DAMPING_AT = Define("canonical damping", damping_at(eta), gamma_at(eta) / ROOT)
EXCESS = Define("excess of the damping", excess(eta), (damping_at(eta) - rate) / ROOT)
DISCRETE = -gone(eta, gamma_at(eta), tau / ROOT, KEPT)
CONTINUOUS = -reached(damping_at(eta), tau)
GAP_AT = Define("discrete minus continuous", gap(eta), DISCRETE - CONTINUOUS)
STAYS = Suppose("the first correction does not cancel", Ne(rate * tau + 2 - 2 * exp(rate * tau), 0, evaluate=False))
SPREAD = (exp(-damping_at(eta) * tau) - KEPT) / (damping_at(eta) - rate)

GAP_DERIVATION = Derivation(
    premises=(GAMMA_AT, DAMPING_AT, EXCESS, GAP_AT, STAYS),
    steps=(
        Tends("the damping settles", damping_at(eta), eta, Integer(0), rate, uses=names(GAMMA_AT, DAMPING_AT)),
        Tends(
            "its excess settles",
            excess(eta),
            eta,
            Integer(0),
            -(rate**2) / 2,
            uses=names(GAMMA_AT, DAMPING_AT, EXCESS),
        ),
        Equal(
            "the gap in parts",
            gap(eta),
            ROOT * (SPREAD * excess(eta) - damping_at(eta) * (1 - KEPT)) / damping_at(eta) ** 2,
            uses=names(GAP_AT, DAMPING_AT, EXCESS),
            normal=(rational, radicals, rational),
            because="(1 - gamma)^k is exp(-rate tau) after k = tau/sqrt(eta) steps",
        ),
        Follows(
            "half a power",
            GAP.quantity,
            GAP.control,
            GAP.exponent,
            Integer(0),
            uses=("the gap in parts", "the damping settles", "its excess settles", STAYS.name),
        ),
    ),
    worlds=lambda source: World({rate: fraction(source, 1, 3), tau: fraction(source, 1, 3), eta: fraction(source)}),
)

PLACE = "app B, eqs 38-43"


def quantities(*symbols: Symbol) -> tuple[Quantity, ...]:
    """Their shared meanings."""
    return tuple(Quantity(symbol, *MEANINGS[symbol]) for symbol in symbols)


LAWS = (
    Law(
        name="temperature.momentum_velocity",
        title="Under a constant gradient the velocity saturates geometrically, by 1 - gamma in every step",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T24",),
            "v <- (1 - gamma) v - g from rest gives v = -(g/gamma)(1 - (1 - gamma)^k)",
        ),
        quantities=quantities(k, gamma, gradient),
        regime="a gradient that does not change; from rest",
        derivation=VELOCITY_DERIVATION,
        claim=VELOCITY,
        rivals=(
            Rival("saturated at once", Identity(VELOCITY.left, -gradient / gamma), "forgets how momentum builds up"),
            Rival("never forgetting", Identity(VELOCITY.left, -gradient * k), "momentum without damping"),
        ),
    ),
    Law(
        name="temperature.momentum_saturated_step",
        title="Saturated momentum moves the parameters by eta g/gamma in every step",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B, after eq 40 and after eq 51",
            ("temperature:T24", "temperature:E30"),
            "eta/gamma is the effective learning rate of saturated momentum",
        ),
        quantities=(Quantity(saturated, "displacement in one step at saturation"), *quantities(eta, gamma, gradient)),
        regime="a gradient that changes little within 1/gamma steps",
        derivation=SATURATED_DERIVATION,
        claim=SATURATED,
        rivals=(
            Rival(
                "gamma eta",
                Formula(saturated, -eta * gradient * gamma),
                "the timescale that is printed after eq 51",
            ),
            Rival("plain descent", Formula(saturated, -eta * gradient), "forgets the velocity"),
        ),
    ),
    Law(
        name="temperature.momentum_continuous_limit",
        title="At fixed canonical time the distance to continuous time falls like the square root of eta",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            PLACE,
            ("temperature:T24",),
            "at fixed tau and damping the discrete and the continuous displacement differ by O(eta^(1/2))",
        ),
        quantities=(Quantity(eta, *MEANINGS[eta]),),
        regime="derived for a gradient that does not change, at a fixed rate -ln(1 - gamma)/sqrt(eta), from the closed "
        "forms of both; measured on quadratics too",
        derivation=GAP_DERIVATION,
        claim=GAP,
        rivals=(
            Rival("one power", replace(GAP, exponent=Integer(1)), "a step of time eta instead of sqrt(eta)"),
            Rival("no dependence", replace(GAP, exponent=Integer(0)), "a rule that keeps its distance"),
        ),
    ),
)
