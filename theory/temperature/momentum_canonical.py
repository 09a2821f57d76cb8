"""Canonical forms of momentum in continuous time, and what they leave of eta and gamma (T25)."""

import random

from sympy import Eq, Function, Integer, Symbol, sqrt

from theory.claims import Identity
from theory.definitions.momentum import MEANINGS, gamma
from theory.definitions.temperature import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.proof.derivation import Derivation
from theory.proof.normal_forms import radicals, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

v, g = (Symbol(name, real=True) for name in ("v", "g"))
a, b = (Symbol(name, positive=True) for name in ("a", "b"))
lam, T_mom, of_gradient, of_velocity = (
    Symbol(name, real=True) for name in ("lam", "T_mom", "of_gradient", "of_velocity")
)
push, way, push_rescaled, way_rescaled = (Function(name, real=True) for name in ("vdot", "thetadot", "nudot", "slope"))

CANONICAL = Identity(lam, gamma / sqrt(eta))
TIMESCALE = Identity(T_mom, eta / gamma**2)

CONTINUOUS = (
    Define("velocity in continuous time", push(v, g), -gamma * v - g),
    Define("place in continuous time", way(v), eta * v),
    Define("velocity b v in time a t", push_rescaled(v, g), b * push(v / b, g) / a),
    Define("place in time a t", way_rescaled(v), way(v / b) / a),
)
TWO = Integer(2)
OF_GRADIENT = Define("what the gradient carries", of_gradient, -push_rescaled(0, TWO) / 2)
OF_VELOCITY = Define("what the velocity carries", of_velocity, way_rescaled(TWO) / 2)
OF_DAMPING = Define("what the damping carries", lam, -push_rescaled(TWO, 0) / 2)
UNIT_GRADIENT = Suppose("the gradient enters with coefficient 1", Eq(of_gradient, 1, evaluate=False))
UNIT_VELOCITY = Suppose("the velocity enters with coefficient 1", Eq(of_velocity, 1, evaluate=False))
UNIT_DAMPING = Suppose("the damping enters with coefficient 1", Eq(lam, 1, evaluate=False))
MOMENTUM_TIME = Define("momentum timescale", T_mom, of_gradient)
PUSHED, MOVED, PUSHED_AGAIN, MOVED_AGAIN = (definition.name for definition in CONTINUOUS)
COEFFICIENTS = (
    Equal("gradient", of_gradient, b / a, uses=(PUSHED, PUSHED_AGAIN, OF_GRADIENT.name), because="eq 44"),
    Equal("velocity", of_velocity, eta / (a * b), uses=(MOVED, MOVED_AGAIN, OF_VELOCITY.name), because="eq 45"),
    Equal("damping", lam, gamma / a, uses=(PUSHED, PUSHED_AGAIN, OF_DAMPING.name), because="eq 44"),
)


def in_units_of_the_velocity(source: random.Random) -> World:
    """The rescaling a = b = sqrt(eta), with a learning rate that has a rational root."""
    root = fraction(source)
    return World({eta: root**2, a: root, b: root, gamma: fraction(source), v: fraction(source), g: fraction(source)})


def in_units_of_the_damping(source: random.Random) -> World:
    """The rescaling a = gamma, b = eta/gamma."""
    damping, learning_rate = fraction(source), fraction(source)
    return World(
        {
            eta: learning_rate,
            gamma: damping,
            a: damping,
            b: learning_rate / damping,
            v: fraction(source),
            g: fraction(source),
        }
    )


SHARED = (*CONTINUOUS, OF_GRADIENT, OF_VELOCITY, OF_DAMPING)
CANONICAL_DERIVATION = Derivation(
    premises=(*SHARED, UNIT_GRADIENT, UNIT_VELOCITY),
    steps=(
        *COEFFICIENTS,
        Holds("units alike", Eq(b, a, evaluate=False), uses=("gradient", UNIT_GRADIENT.name)),
        Holds("unit of time", Eq(a, sqrt(eta), evaluate=False), uses=("units alike", "velocity", UNIT_VELOCITY.name)),
        Equal(
            "canonical damping",
            CANONICAL.left,
            CANONICAL.right,
            uses=("damping", "unit of time"),
            normal=(rational, radicals),
            because="in canonical time one number is left of eta and gamma",
        ),
    ),
    worlds=in_units_of_the_velocity,
)
TIMESCALE_DERIVATION = Derivation(
    premises=(*SHARED, MOMENTUM_TIME, UNIT_DAMPING, UNIT_VELOCITY),
    steps=(
        *COEFFICIENTS,
        Holds("unit of time", Eq(a, gamma, evaluate=False), uses=("damping", UNIT_DAMPING.name)),
        Holds(
            "unit of velocity",
            Eq(b, eta / gamma, evaluate=False),
            uses=("velocity", UNIT_VELOCITY.name, "unit of time"),
        ),
        Equal(
            "coefficient of the gradient",
            TIMESCALE.left,
            TIMESCALE.right,
            uses=(MOMENTUM_TIME.name, "gradient", "unit of time", "unit of velocity"),
            because="the same number, as a coefficient of the gradient",
        ),
    ),
    worlds=in_units_of_the_damping,
)

RATES = tuple(Quantity(symbol, *MEANINGS[symbol]) for symbol in (eta, gamma))

LAWS = (
    Law(
        name="temperature.momentum_canonical",
        title="In units of time sqrt(eta) t momentum has one coefficient, the damping gamma/sqrt(eta)",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.2, eqs 44-47 and 53-54",
            ("temperature:T25",),
            "nu' = -lambda nu - g, theta' = nu with tau = sqrt(eta) t, nu = sqrt(eta) v, lambda = gamma/sqrt(eta)",
        ),
        quantities=(Quantity(lam, "damping in canonical time", "1"), *RATES),
        regime="continuous time: learning rates so small that the gradient changes little in a step",
        derivation=CANONICAL_DERIVATION,
        claim=CANONICAL,
        rivals=(
            Rival("gamma/eta", Identity(lam, gamma / eta), "the time eta t of plain descent"),
            Rival("gamma", Identity(lam, gamma), "leaves time in steps"),
        ),
    ),
    Law(
        name="temperature.momentum_timescale",
        title="In units of time gamma t the gradient carries T_mom = eta/gamma^2",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app B.2, eqs 48-49 and before eq 53",
            ("temperature:T25", "temperature:E31"),
            "nu' = -nu - T_mom g, theta' = nu in time gamma t, with T_mom = eta/gamma^2 = gamma~^-2",
        ),
        quantities=(Quantity(T_mom, "coefficient of the gradient where that of the damping is 1", "1"), *RATES),
        regime="continuous time",
        derivation=TIMESCALE_DERIVATION,
        claim=TIMESCALE,
        rivals=(
            Rival("its inverse", Identity(T_mom, gamma**2 / eta), "T_mom = gamma~^2, as printed before eq 53"),
            Rival("effective rate", Identity(T_mom, eta / gamma), "the displacement of a saturated step"),
        ),
    ),
)
