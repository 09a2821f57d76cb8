"""One point, two classes: the trajectory of the logits in closed form (T12).

The kernel is Theta = theta 1. The gap Z_correct - Z_other moves at 2 eta~ theta / (1 + e^gap), so that gap + e^gap
grows at a steady pace along any path that follows the flow, and the gap at a time is the root of x + e^x = C.
"""

import random
from collections.abc import Mapping
from typing import Any

import mpmath
from sympy import Eq, Expr, Float, Function, Integer, Integral, Lambda, LambertW, Symbol, exp, log

from theory.claims import Formula
from theory.definitions.temperature import MEANINGS, eta_tilde
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.proof.derivation import Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import exponentials, rational
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Integrates, Root
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction
from theory.temperature import inputs
from theory.temperature.convex_roots import real, rise

theta = Symbol("theta", positive=True)
time = Symbol("time", nonnegative=True)
t, x, gap, gap0, clock, driven = (Symbol(name, real=True) for name in ("t", "x", "gap", "gap0", "C", "driven"))
path = smooth("path")
correct, other, speed = (Function(name, real=True) for name in ("r_correct", "r_other", "speed"))

VALUE = clock - LambertW(exp(clock))
CLAIM = Formula(gap, VALUE)

CORRECT = Define("residual of the correct class", correct(x), 1 - exp(x) / (exp(x) + 1))
OTHER = Define("residual of the other class", other(x), -1 / (exp(x) + 1))
SPEED = Define("speed of the gap", speed(x), eta_tilde * theta * (correct(x) - other(x)))
PACE = 2 * eta_tilde * theta
FLOW = Suppose("the gap follows the flow", Eq(derivative(path)(t), speed(path(t)), evaluate=False), forall=(t,))
START = Suppose("the gap at the start", Eq(path(0), gap0, evaluate=False))
NOW = Suppose("the gap at this time", Eq(path(time), gap, evaluate=False))
DRIVEN = Define("what the pace adds up to", driven, Integral(PACE, (t, 0, time)))
CLOCK = Define("clock", clock, PACE * time + gap0 + exp(gap0))


def a_gap(source: random.Random) -> World:
    """A gap before and after, the time between, and the path from one to the other."""
    before, rise, rate, size = fraction(source, -3, 3), fraction(source, 1, 3), fraction(source), fraction(source)
    after = before + rise if before + rise != 0 else rise
    taken = (after + exp(after) - before - exp(before)) / (2 * rate * size)
    stands = 2 * rate * size * t + before + exp(before)
    way = Lambda(t, stands - LambertW(exp(stands)))
    ends = {gap0: before, gap: after, time: taken, path: way}
    return World({**ends, eta_tilde: rate, theta: size, t: fraction(source), x: fraction(source, -3, 3)})


DERIVATION = Derivation(
    premises=(CORRECT, OTHER, SPEED, START, NOW, FLOW, DRIVEN, CLOCK),
    steps=(
        Equal(
            "speed in full",
            speed(x),
            PACE / (1 + exp(x)),
            uses=(CORRECT.name, OTHER.name, SPEED.name),
            normal=(exponentials, rational),
            because="both residuals are 1/(1 + e^x), with opposite signs (eq 5)",
            forall=(x,),
        ),
        Integrates(
            "gap + e^gap grows at this pace",
            PACE,
            t,
            Integer(0),
            time,
            path(t) + exp(path(t)),
            uses=("speed in full", FLOW.name),
            because="the equation is separable: its slope is (1 + e^gap) times the speed",
        ),
        Integrates("a steady pace", PACE, t, Integer(0), time, PACE * t),
        Equal("pace times time", driven, PACE * time, uses=(DRIVEN.name, "a steady pace")),
        Equal(
            "what it has grown by",
            gap + exp(gap),
            driven + gap0 + exp(gap0),
            uses=(DRIVEN.name, "gap + e^gap grows at this pace", START.name, NOW.name),
        ),
        Equal(
            "where the clock stands",
            gap + exp(gap),
            clock,
            uses=("what it has grown by", "pace times time", CLOCK.name),
        ),
        Root(
            "gap",
            gap,
            Eq(gap + exp(gap), clock, evaluate=False),
            VALUE,
            uses=("where the clock stands", CLOCK.name),
            normal=(exponentials, rational),
            because="x + e^x rises; W is the inverse of x e^x",
        ),
    ),
    worlds=a_gap,
)

LAWS = (
    Law(
        name="temperature.one_point_trajectory",
        title="One point, two classes: the gap between the logits at any time, in closed form",
        status=Status.THEOREM,
        source=Source(
            "temperature",
            "app A.1, beyond",
            ("temperature:T12", "temperature:E40"),
            "gap(t) = C - W(e^C) with C = 2 eta~ theta t + gap_0 + e^gap_0; it grows like ln(2 eta~ theta t) for ever",
        ),
        quantities=(
            Quantity(gap, "scaled logit of the correct class minus that of the other"),
            Quantity(clock, "2 eta~ theta t + gap0 + exp(gap0)"),
            Quantity(gap0, "the gap at the start"),
            Quantity(time, "time", "step"),
            Quantity(theta, "tangent kernel of the point, the same for both classes"),
            Quantity(eta_tilde, *MEANINGS[eta_tilde]),
        ),
        regime="one training point, two classes, kernel theta times the identity, gradient flow",
        derivation=DERIVATION,
        claim=CLAIM,
        rivals=(
            Rival("logarithm", Formula(gap, log(clock)), "its own large-time form, wrong from the start on"),
            Rival(
                "one class moves",
                Formula(gap, (VALUE).xreplace({clock: eta_tilde * theta * time + gap0 + exp(gap0)})),
                "counts the residual of the correct class alone",
            ),
        ),
    ),
)


def logit_gap(t: Any, theta: Any, gap0: Any) -> Mapping[str, Expr]:
    """The gap Z_correct - Z_other after the time t = eta~ t'.

    Solved as gap0 + d with d + e^gap0 (e^d - 1) = 2 theta t, which loses no digits at any size.

    Raises
    ------
    OutsideDomain
        For a negative time or kernel, or numbers that are not finite.

    Examples
    --------
    >>> from sympy import Integer, Rational
    >>> logit_gap(Integer(0), Integer(1), Rational(1, 3))
    {'gap': 1/3}
    """
    moment, kernel = inputs.number("t", t, least=0), inputs.number("theta", theta, least=0)
    start = inputs.number("gap0", gap0)
    drive = 2 * kernel * moment
    if drive == 0:
        return {"gap": start}
    digits = 50
    while True:  # a start below 0 may nearly cancel the rise, but never does: e^gap0 is transcendental
        with mpmath.workdps(digits):
            here = real(start)
            gap = here + rise(real(drive), here)
            if abs(gap) * mpmath.mpf(10) ** (digits - 30) > abs(here):
                return {"gap": Float(gap, 30)}
        digits *= 2


PREDICTORS = (
    Predictor(
        name="temperature.logit_gap",
        laws=("temperature.one_point_trajectory",),
        inputs=(
            Input("t", "time in units of the effective learning rate, eta beta^2 t: at least 0"),
            Input("theta", "tangent kernel of the point: at least 0"),
            Input("gap0", "Z_correct - Z_other at the start"),
        ),
        evaluate=logit_gap,
        summary="gap between the logits of one point of two classes",
    ),
)
