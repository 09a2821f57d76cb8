"""How limit models move: kernels of the start while neurons stand still, or a measure pushed forward (width:X1, X2)."""

from collections.abc import Callable

from sympy import (
    Expr,
    IndexedBase,
    Lambda,
    Rational,
    S,
    Sum,
    Symbol,
    symbols,
)

from theory.claims import Formula, Limit
from theory.law import Law, Quantity, Rival, Status
from theory.proof.derivation import Define, Derivation
from theory.proof.functions import derivative, smooth
from theory.proof.normal_forms import expanded, rational, sums
from theory.proof.steps import Equal, Tends
from theory.proof.worlds import World, table
from theory.proof.worlds import rational as draw
from theory.width.meanings import REGIONS, source

HALF = Rational(1, 2)
i, count = (Symbol(name, integer=True, positive=True) for name in ("i", "n"))
t, eta_a, eta_w = symbols("t eta_a eta_w", positive=True)
g_a, g_w, x, x_a, x_w = symbols("g_a g_w x x_a x_w", real=True)
weight, a, w = (IndexedBase(name, real=True) for name in ("weight", "a", "w"))
phi = smooth("phi")
dphi = derivative(phi)

# Small steps: the kernels of the start, at every step.

alpha, omega, alpha_mirror, omega_mirror = (
    IndexedBase(name, real=True) for name in ("alpha", "omega", "alpha_mirror", "omega_mirror")
)
change, kernel_a, kernel_w = symbols("change K_a K_w")
KERNEL_RULE = -eta_a * g_a * kernel_a - eta_w * g_w * kernel_w


def gain(output: Expr, inputs: Expr) -> Expr:
    """What a step of size t adds to a neuron's part of the logit, over t."""
    moved_output = output - t * eta_a * g_a * phi(inputs * x_a)
    moved_inputs = inputs - t * eta_w * g_w * output * dphi(inputs * x_w) * x_w
    return (moved_output * phi(moved_inputs * x) - output * phi(inputs * x)) / t


def _over_pairs(part: Callable[[Expr, Expr, Expr], Expr]) -> Expr:
    """Mean over neurons in mirror pairs: output weights of opposite sign beside the same input weight."""
    pair = part(a[i], alpha[i], omega[i]) + part(-a[i], alpha_mirror[i], omega_mirror[i])
    return Sum(weight[i] * pair / 2, (i, 1, count))


def crowd_of_pairs(source_) -> World:
    slope = Symbol("z", real=True)
    return World(
        {
            count: 2, weight: table(source_, 2, low=1), a: table(source_, 2), w: table(source_, 2),
            alpha: table(source_, 2), omega: table(source_, 2), alpha_mirror: table(source_, 2),
            omega_mirror: table(source_, 2), eta_a: draw(source_), eta_w: draw(source_), g_a: draw(source_),
            g_w: draw(source_), x: draw(source_), x_a: draw(source_), x_w: draw(source_),
            phi: Lambda(slope, slope + slope**2 / 3),
        }
    )  # fmt: skip


SMALL_STEPS = Derivation(
    premises=(
        Define("change over the step's size", change, _over_pairs(lambda o, u, v: gain(o + t * u, w[i] + t * v))),
        Define(
            "kernel of the output weights",
            kernel_a,
            Sum(weight[i] * phi(w[i] * x) * phi(w[i] * x_a), (i, 1, count)),
        ),
        Define(
            "kernel of the input weights",
            kernel_w,
            Sum(weight[i] * a[i] ** 2 * dphi(w[i] * x) * dphi(w[i] * x_w) * x * x_w, (i, 1, count)),
        ),
    ),
    steps=(
        Tends(
            "constant kernels",
            change,
            t,
            S.Zero,
            KERNEL_RULE,
            uses=("change over the step's size", "kernel of the output weights", "kernel of the input weights"),
            normal=(expanded, sums, rational),
            because="Terms of first order in t are the kernels'; what earlier steps have moved enters at second order.",
        ),
    ),
    worlds=crowd_of_pairs,
)

# Steps of order one: the measure is pushed forward.

move = IndexedBase("v", real=True)
second_moment, cross, square = symbols("second_moment cross square")
PUSHED = 2 * cross + square


def _moving(source_) -> World:
    return World({count: 3, weight: table(source_, 3, low=1), a: table(source_, 3), move: table(source_, 3)})


PUSH_FORWARD = Derivation(
    premises=(
        Define(
            "change of the mean square",
            second_moment,
            Sum(weight[i] * (a[i] + move[i]) ** 2, (i, 1, count)) - Sum(weight[i] * a[i] ** 2, (i, 1, count)),
        ),
        Define("mean of place times move", cross, Sum(weight[i] * a[i] * move[i], (i, 1, count))),
        Define("mean square of the move", square, Sum(weight[i] * move[i] ** 2, (i, 1, count))),
    ),
    steps=(
        Equal(
            "second moment",
            second_moment,
            PUSHED,
            uses=("change of the mean square", "mean of place times move", "mean square of the move"),
            normal=(expanded, sums, rational),
            because="Every neuron goes from a to a + v: the law of the neurons is pushed forward, to all orders in v.",
        ),
    ),
    worlds=_moving,
)

CONSTANT, EVOLVING = REGIONS[:8], REGIONS[8:]
"""Regions whose kernels stay, and those where they move."""

LAWS = (
    Law(
        name="width.limit_constant_kernels",
        title="While neurons move by a small t in each step, logits over t move by the kernels of the start.",
        status=Status.THEOREM,
        source=source(
            "SM B.1",
            ("width:X1", "width:D5", "width:D6", *CONSTANT),
            "With q_sigma + q < 0 the limit's kernels are those of the start.",
        ),
        quantities=(
            Quantity(change, "change of the mean over neurons in one step, over t"),
            Quantity(t, "size of a neuron's step, d^(q_sigma + q)"),
            Quantity(kernel_a, "mean over the initial neurons of phi(w.x) phi(w.x_a)"),
            Quantity(kernel_w, "mean over the initial neurons of a^2 phi'(w.x) phi'(w.x_w) x.x_w"),
            Quantity(eta_a, "learning rate of the output weights"),
            Quantity(eta_w, "learning rate of the input weights"),
            Quantity(g_a, "gradient of the output weights' sample"),
            Quantity(g_w, "gradient of the input weights' sample"),
        ),
        regime="Any finite number of neurons in mirror pairs, moved by earlier steps by t times anything; inputs "
        "of one component stand for more. That a sum over neurons follows the mean is the law of large numbers.",
        derivation=SMALL_STEPS,
        claim=Limit(change, t, S.Zero, KERNEL_RULE),
        rivals=(
            Rival(
                "output weights alone",
                Limit(change, t, S.Zero, -eta_a * g_a * kernel_a),
                "random features: leaves out what the input weights learn",
            ),
        ),
    ),
    Law(
        name="width.push_forward",
        title="In a step of order one the mean square of neurons' weights changes by 2 <a v> + <v^2>.",
        status=Status.THEOREM,
        source=source(
            "Equations 14, 86, 106",
            ("width:X2", "width:X4", "width:G6", *EVOLVING),
            "The law of the neurons is pushed forward by id + v at each step.",
        ),
        quantities=(
            Quantity(second_moment, "change of the neurons' mean square output weight in one step"),
            Quantity(cross, "mean of output weight times its move"),
            Quantity(square, "mean square of the move"),
        ),
        regime="Any number of neurons of any weights; the second moment stands for any function of the neurons.",
        derivation=PUSH_FORWARD,
        claim=Formula(second_moment, PUSHED),
        rivals=(
            Rival(
                "minus the divergence", Formula(second_moment, 2 * cross + 0 * square), "first order in the move only"
            ),
            Rival("as printed", Formula(second_moment, -2 * cross + 0 * square), "plus the divergence: the wrong sign"),
        ),
    ),
)
