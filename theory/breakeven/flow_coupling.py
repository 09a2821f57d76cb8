"""Where the coupling of Theorems 1 and 2 holds: gradient flow while the curvature grows (breakeven:L7)."""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

from collections.abc import Mapping
from typing import Any

import mpmath
from sympy import Derivative, Eq, Float, Lambda, Rational, S, Symbol, exp

from theory.breakeven.inputs import EXAMPLES, RATE, batch_noise, number
from theory.breakeven.noise_factor import PAPER
from theory.claims import Identity
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor, Undefined
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import derivatives, exponentials, rational
from theory.proof.steps import Equal
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

t = Symbol("t", real=True)
r, lam_0 = Symbol("r", positive=True), Symbol("lam_0", positive=True)
distance = smooth("psi")
speed = derivative(distance)
kept = Symbol("drift", real=True)

FLOW_COUPLING = Law(
    name="breakeven.flow_coupling",
    title="Under gradient flow with a growing curvature psi exp((lam^2 - lam_0^2)/(2 r)) does not change.",
    status=Status.THEOREM,
    source=Source(
        PAPER,
        "Theorem 1, Appendix B: what its proof needs",
        ("breakeven:L7",),
        "With d psi/dt = -lam psi and d lam/dt = r the distance times exp((lam^2 - lam_0^2)/(2 r)) does not change, so "
        "the distance is one decreasing function of the curvature, whatever the learning rate.",
    ),
    quantities=(Quantity(kept, "rate at which psi exp((lam^2 - lam_0^2)/(2 r)) changes", "length"),),
    regime="Limit of small eta at fixed flow time; the curvature grows at the constant rate r.",
    derivation=Derivation(
        premises=(
            Suppose("flow", Eq(speed(t), -(lam_0 + r * t) * distance(t), evaluate=False)),
            Define(
                "change",
                kept,
                Derivative(distance(t) * exp(((lam_0 + r * t) ** 2 - lam_0**2) / (2 * r)), t),
                convention="a multiple of no change is no change",
            ),
        ),
        steps=(
            Equal(
                "nothing changes",
                kept,
                S.Zero,
                uses=("flow", "change"),
                normal=(derivatives, exponentials, rational),
                because="The exponential grows as fast as the distance falls.",
            ),
        ),
        worlds=lambda source: (
            lambda start, rate: World(
                {
                    lam_0: start,
                    r: rate,
                    t: draw(source),
                    distance: Lambda(t, exp(-start * t - rate * t**2 / 2)),
                }
            )
        )(draw(source) / 9, draw(source) / 9),
    ),
    claim=Identity(kept, S.Zero),
    rivals=(Rival("steady curvature", Identity(kept, distance(t)), "lets the distance fall at the first curvature"),),
)

LAWS = (FLOW_COUPLING,)

DIGITS = 60


def _coupled_root(eta: Any, S: Any, N: Any, alpha: Any, psi0: Any, lam0: Any, r: Any) -> Mapping[str, Any]:
    rate, start = number("eta", eta, positive=True), number("lam0", lam0, positive=True)
    distance_0, growth = number("psi0", psi0, positive=True), number("r", r, positive=True)
    noise = batch_noise(N, S) * number("alpha", alpha, nonnegative=True) / distance_0**2
    threshold = 2 / rate
    if start - threshold + noise > 0:
        return {"lam": Undefined("unstable at lam0 already")}
    if noise == 0 or start - threshold + noise == 0:
        return {"lam": start if noise else threshold}
    return {"lam": _root(threshold, noise, start, growth)}


def _root(threshold: Rational, noise: Rational, start: Rational, growth: Rational) -> Float:
    """Bisection of log(noise) + (lam^2 - start^2)/growth = log(threshold - lam): the left side less the right rises."""
    with mpmath.workdps(DIGITS):
        top, level, low, speed_ = (mpmath.mpf(n.p) / n.q for n in (threshold, noise, start, growth))
        ends = [low, top]
        for _ in range(4 * DIGITS):
            middle = (ends[0] + ends[1]) / 2
            if not ends[0] < middle < ends[1]:
                break
            above = mpmath.log(level) + (middle**2 - low**2) / speed_ > mpmath.log(top - middle)
            ends[above] = middle
        return Float(str((ends[0] + ends[1]) / 2), DIGITS - 5)


PREDICTORS = (
    Predictor(
        name="breakeven.coupled_root",
        laws=("breakeven.coupled_stability", "breakeven.theorem_1", "breakeven.flow_coupling"),
        inputs=(
            RATE,
            Input("S", "examples in a mini-batch, without replacement: an integer from 1 to N"),
            EXAMPLES,
            Input("alpha", "gradient variance over curvature, at least 0"),
            Input("psi0", "distance to the minimum at lam0: positive"),
            Input("lam0", "curvature at the start: positive"),
            Input("r", "rate at which the curvature grows in flow time: positive"),
        ),
        evaluate=_coupled_root,
        summary="Break-even curvature on the distance function of gradient flow with a growing curvature.",
    ),
)
