"""Why full-batch training stays at 2/eta: a sharpness that oscillations push back (breakeven:L17).

The loss L = sqrt(b) u x^2/2 - a u/sqrt(b) has the sharpness y = sqrt(b) u along x. Gradient descent multiplies x by
1 - eta y and moves y by eta (a - b x^2/2): a = -<grad L, grad y> at x = 0 sharpens, b = |grad y|^2 pushes back.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random
from collections.abc import Mapping
from typing import Any

from sympy import Derivative, Eq, Expr, Limit, S, Symbol, exp, log, pi, sqrt

from theory.breakeven.inputs import RATE, number
from theory.breakeven.meanings import quantities
from theory.claims import Formula, Identity
from theory.definitions.breakeven import eta
from theory.law import Law, Quantity, Rival, Source, Status
from theory.predictors import Input, Predictor
from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.normal_forms import derivatives, expanded, rational
from theory.proof.steps import Equal, Holds, Root, Tends
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

a, b = Symbol("alpha", positive=True), Symbol("beta", positive=True)
x, u = Symbol("x", positive=True), Symbol("u", real=True)
y, x2 = Symbol("y", real=True), Symbol("x2", positive=True)
loss, new_x, new_y = (Symbol(name, real=True) for name in ("L", "x'", "y'"))

BEYOND = "Beyond the paper: why curvature stays at 2/eta"

LOSS = Define("loss", loss, sqrt(b) * u * x**2 / 2 - a * u / sqrt(b), convention="a constant moves nothing")
STEP_X = Define("step of x", new_x, x - eta * Derivative(loss, x))
STEP_Y = Define("step of the sharpness", new_y, sqrt(b) * (u - eta * Derivative(loss, u)))
_QUANTITIES = (
    Quantity(a, "progressive sharpening, -<grad L, grad S>", "curvature loss/length^2"),
    Quantity(b, "squared norm of the gradient of the sharpness", "curvature^2/length^2"),
)


def _place(source: random.Random) -> World:
    """A place whose coordinate is the one that rests."""
    sharpening, push = draw(source), draw(source)
    return World({a: sharpening, b: push**2, u: draw(source), eta: draw(source), x: sqrt(2 * sharpening) / push})


AMPLITUDE = Law(
    name="breakeven.self_stabilisation",
    title="Oscillations of mean square 2 alpha/beta stop the sharpening: x^2 = 2 alpha/beta at rest.",
    status=Status.THEOREM,
    source=Source(
        BEYOND,
        "self-stabilisation of gradient descent",
        ("breakeven:L17",),
        "The fixed point of the self-stabilising loss has x^2 = 2 alpha/beta, and the sharpness 2/eta.",
    ),
    quantities=(Quantity(x2, "squared distance along the sharp direction at rest", "length^2"), *_QUANTITIES),
    regime="The loss (1/2) y x^2 - (alpha/beta) y with a sharpness y that is linear in a second coordinate.",
    derivation=Derivation(
        premises=(
            LOSS,
            STEP_Y,
            Define("squared distance", x2, x**2),
            Suppose("the sharpness rests", Eq(new_y, sqrt(b) * u, evaluate=False)),
        ),
        steps=(
            Equal(
                "push and pull",
                new_y,
                sqrt(b) * u + eta * (a - b * x**2 / 2),
                uses=("step of the sharpness", "loss"),
                normal=(derivatives, expanded, rational),
                because="The gradient in the second coordinate.",
            ),
            Holds(
                "amplitude",
                Formula(x2, 2 * a / b).statement,
                uses=("push and pull", "the sharpness rests", "squared distance"),
                because="Sharpening and push cancel.",
            ),
        ),
        worlds=_place,
    ),
    claim=Formula(x2, 2 * a / b),
    rivals=(
        Rival("half", Formula(x2, a / b), "forgets the half in the quadratic"),
        Rival("amplitude", Formula(x2, sqrt(2 * a / b)), "takes the root for the square"),
    ),
)

energy = Symbol("E", real=True)
velocity_x, velocity_y = Symbol("dX", real=True), Symbol("dY", real=True)
excess = Symbol("y", real=True)
INVARIANT = Law(
    name="breakeven.self_stabilisation_invariant",
    title="The flow of size and sharpness keeps y^2/2 + beta x^2/4 - alpha log x.",
    status=Status.THEOREM,
    source=Source(
        BEYOND,
        "self-stabilisation of gradient descent",
        ("breakeven:L17",),
        "In the limit of small steps the oscillations of the sharpness about 2/eta are closed orbits.",
    ),
    quantities=(
        Quantity(energy, "change of y^2/2 + beta x^2/4 - alpha log x per unit of flow time", "1"),
    ),
    regime="In a step at the size x and the sharpness 2/eta + y, to first order in what moves: in the limit of small "
    "eta at fixed flow time eta k nothing else is left.",
    derivation=Derivation(
        premises=(
            LOSS,
            STEP_X,
            STEP_Y,
            Define("speed of the size", velocity_x, (-new_x - x) / eta),
            Define("speed of the sharpness", velocity_y, (new_y - sqrt(b) * u) / eta),
            Define(
                "change",
                energy,
                (sqrt(b) * u - 2 / eta) * velocity_y + Derivative(b * x**2 / 4 - a * log(x), x) * velocity_x,
                convention="a multiple of no change is no change",
            ),
        ),
        steps=(
            Equal(
                "size",
                velocity_x,
                (sqrt(b) * u - 2 / eta) * x,
                uses=("speed of the size", "step of x", "loss"),
                normal=(derivatives, expanded, rational),
                because="A step multiplies x by 1 - eta S, which near the edge turns its sign.",
            ),
            Equal(
                "sharpness",
                velocity_y,
                a - b * x**2 / 2,
                uses=("speed of the sharpness", "step of the sharpness", "loss"),
                normal=(derivatives, expanded, rational),
                because="The gradient in the second coordinate.",
            ),
            Equal(
                "nothing changes",
                energy,
                S.Zero,
                uses=("size", "sharpness", "change"),
                normal=(derivatives, expanded, rational),
                because="What the push takes from the sharpness it gives to the size.",
            ),
        ),
        worlds=lambda source: World(
            {a: draw(source), b: draw(source) ** 2, x: draw(source), u: draw(source, -4, 4), eta: draw(source)}
        ),
    ),
    claim=Identity(energy, S.Zero),
    rivals=(Rival("without the logarithm", Identity(energy, a * excess), "forgets what drives the sharpening"),),
)

small = Symbol("s", real=True)
log_size = Symbol("w", real=True)
moved_size, moved_excess, energy_then, gain = (Symbol(name) for name in ("w'", "v'", "E'", "gain"))
push, pull = Symbol("push"), Symbol("pull")
_GAIN = 2 * a * eta**2

SPIRAL = Law(
    name="breakeven.self_stabilisation_spiral",
    title="Gradient descent spirals out: the energy of small oscillations grows by 2 alpha eta^2 a step.",
    status=Status.THEOREM,
    source=Source(
        BEYOND,
        "self-stabilisation of gradient descent",
        ("breakeven:L17",),
        "Discrete steps multiply E - E_min by 1 + 2 alpha eta^2 each, so no cycle is bounded for T >> 1/(alpha eta^2).",
    ),
    quantities=(
        Quantity(gain, "relative growth of E - E_min in one step", "1"),
        _QUANTITIES[0],
        *quantities(eta),
    ),
    regime="Small oscillations about the fixed point: both steps to first order in log size w and excess v.",
    derivation=Derivation(
        premises=(
            Define("push of the excess", push, Limit(log(1 + eta * small) / small, small, 0)),
            Define("pull of the size", pull, Limit(eta * (a - a * exp(2 * small)) / small, small, 0)),
            Define("size after a step", moved_size, log_size + push * excess, convention="only its square is used"),
            Define("excess after a step", moved_excess, excess + pull * log_size, convention="only its square is used"),
            Define("energy after a step", energy_then, a * moved_size**2 + moved_excess**2 / 2),
            Define("gain", gain, energy_then / (a * log_size**2 + excess**2 / 2) - 1),
        ),
        steps=(
            Tends(
                "size follows",
                log(1 + eta * small) / small,
                small,
                0,
                eta,
                because="A step multiplies the size by eta y - 1 = 1 + eta v.",
            ),
            Tends(
                "excess follows",
                eta * (a - a * exp(2 * small)) / small,
                small,
                0,
                -2 * a * eta,
                because="beta x^2/2 = alpha exp(2 w).",
            ),
            Equal(
                "grows",
                gain,
                _GAIN,
                uses=(
                    "push of the excess",
                    "pull of the size",
                    "size follows",
                    "excess follows",
                    "size after a step",
                    "excess after a step",
                    "energy after a step",
                    "gain",
                ),
                because="The mixed terms cancel; both squares gain the same share.",
            ),
        ),
        worlds=lambda source: World(
            {a: draw(source), eta: draw(source) / 9, log_size: draw(source), excess: draw(source)}
        ),
    ),
    claim=Formula(gain, _GAIN),
    rivals=(
        Rival("closed orbits", Formula(gain, S.Zero), "is the flow"),
        Rival("amplitude", Formula(gain, a * eta**2), "is the growth of the amplitude"),
    ),
)

frequency, period = Symbol("omega", positive=True), Symbol("T", positive=True)
_PERIOD = 2 * pi / (eta * sqrt(2 * a))
_HARMONIC = Eq(frequency**2, -pull, evaluate=False)
_ROUND = Eq(frequency * eta * period, 2 * pi, evaluate=False)

PERIOD = Law(
    name="breakeven.self_stabilisation_period",
    title="The sharpness oscillates about 2/eta with the period 2 pi/(eta sqrt(2 alpha)) in steps.",
    status=Status.THEOREM,
    source=Source(
        BEYOND,
        "self-stabilisation of gradient descent",
        ("breakeven:L17",),
        "Small oscillations have the period 2 pi/(eta sqrt(2 alpha)), to leading order in eta.",
    ),
    quantities=(Quantity(period, "steps of one oscillation", "1"), _QUANTITIES[0], *quantities(eta)),
    regime="Small oscillations of the log size w in the limit of small eta, where the size grows by the excess "
    "in flow time and a step lasts eta; that w'' = -omega^2 w has the frequency omega is a premise.",
    derivation=Derivation(
        premises=(
            Define("pull of the size", pull, Limit((a - a * exp(2 * small)) / small, small, 0)),
        ),
        steps=(
            Tends(
                "restoring",
                (a - a * exp(2 * small)) / small,
                small,
                0,
                -2 * a,
                because="The sharpening less the push beta x^2/2 = alpha exp(2 w), for small w.",
            ),
            Root(
                "frequency",
                frequency,
                _HARMONIC,
                sqrt(2 * a),
                uses=("pull of the size", "restoring"),
                because="w'' = pull w is an oscillation of frequency omega with omega^2 = -pull.",
            ),
            Root(
                "once round",
                period,
                _ROUND,
                _PERIOD,
                uses=("frequency",),
                because="T steps of length eta take the phase once round.",
            ),
        ),
        worlds=lambda source: World({a: draw(source), eta: draw(source) / 9}),
    ),
    claim=Formula(period, _PERIOD),
    rivals=(
        Rival("without the two", Formula(period, 2 * pi / (eta * sqrt(a))), "forgets the square in the size"),
        Rival("in flow time", Formula(period, 2 * pi / sqrt(2 * a)), "forgets that a step is eta long"),
    ),
)
LAWS = (AMPLITUDE, INVARIANT, SPIRAL, PERIOD)


def _self_stabilisation(alpha: Any, beta: Any, eta: Any) -> Mapping[str, Expr]:
    sharpening, feedback = number("alpha", alpha, positive=True), number("beta", beta, positive=True)
    step = number("eta", eta, positive=True)
    return {"x2": 2 * sharpening / feedback, "period": _PERIOD.subs({a: sharpening, _ETA: step})}


_ETA = eta

PREDICTORS = (
    Predictor(
        name="breakeven.self_stabilisation",
        laws=("breakeven.self_stabilisation", "breakeven.self_stabilisation_period"),
        inputs=(
            Input("alpha", "progressive sharpening -<grad L, grad S>: positive"),
            Input("beta", "squared norm of the gradient of the sharpness: positive"),
            RATE,
        ),
        evaluate=_self_stabilisation,
        summary="Squared distance along the sharp direction at rest, and the steps of one oscillation.",
    ),
)
