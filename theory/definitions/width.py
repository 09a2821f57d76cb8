"""One hidden layer, its stochastic gradient step, its kernels and their scaling with the width (width:D1-D5),
in symbols.

Neuron r has at step k the output weight ``a[k, r]`` and the input weight ``w[k, r]``, both divided by their
initial standard deviations; sigma is that of the output weights. Inputs have fixed size, and every component
of an input weight obeys the same orders, so one component stands for all and inner products are written as
products.

Sample gradients ``g_a[k]`` and ``g_w[k]`` are numbers between -1 and 1; where both samples are misclassified
they are at least 1/2 in size (width:E14). Their numeric twin is ``numerics.increments``.
"""

from sympy import Derivative, Eq, Expr, IndexedBase, S, Subs, Symbol, symbols
from sympy import Sum as NeuronSum

from theory.asymptotics import even, neuron, odd, order
from theory.growth import dphi, phi
from theory.proof.premises import Define, Suppose

d = Symbol("d", integer=True, positive=True)
r = neuron
k, m = symbols("k m", integer=True, nonnegative=True)

q_sigma, q, q_a, q_w = symbols("q_sigma q q_a q_w", real=True)
sigma, eta_a, eta_w = symbols("sigma eta_a eta_w", positive=True)
sigma_star, eta_a_star, eta_w_star = symbols("sigma_star eta_a_star eta_w_star", positive=True)

a, w = IndexedBase("a"), IndexedBase("w")
g_a, g_w = IndexedBase("g_a", real=True), IndexedBase("g_w", real=True)
x_a, x_w = IndexedBase("x_a", real=True), IndexedBase("x_w", real=True)
f, K_a, K_w = IndexedBase("f"), IndexedBase("K_a"), IndexedBase("K_w")
x, x_other = symbols("x x_other", real=True, nonzero=True)

FACTOR = "orders do not see constant factors"


def over_neurons(summand: Expr) -> Expr:
    """Sum over the d neurons."""
    return NeuronSum(summand, (r, 1, d))


SCALE = Define("scale of the output weights", sigma, sigma_star * d**q_sigma, FACTOR)
RATE_A = Define("learning rate of the output weights", eta_a, eta_a_star * d**q_a, FACTOR)
RATE_W = Define("learning rate of the input weights", eta_w, eta_w_star * d**q_w, FACTOR)

EQUAL_A = Define("exponent of the output weights' learning rate", q_a, q)
EQUAL_W = Define("exponent of the input weights' learning rate", q_w, q)
EQUAL = (EQUAL_A, EQUAL_W)
"""The symmetric case."""

LOGITS = Define("logits", f[k], sigma * over_neurons(a[k, r] * phi(w[k, r] * x)), FACTOR)
KERNEL_A = Define(
    "kernel of the output weights",
    K_a[k],
    d**q_a * sigma**2 * over_neurons(phi(w[k, r] * x) * phi(w[k, r] * x_other)),
    FACTOR,
)
KERNEL_W = Define(
    "kernel of the input weights",
    K_w[k],
    d**q_w * sigma**2 * over_neurons(a[k, r] ** 2 * dphi(w[k, r] * x) * dphi(w[k, r] * x_other) * x * x_other),
    FACTOR,
)
STEP_A = Define(
    "step of the output weights",
    a[k + 1, r],
    a[k, r] - eta_a * sigma * g_a[k] * phi(w[k, r] * x_a[k]),
    FACTOR,
)
STEP_W = Define(
    "step of the input weights",
    w[k + 1, r],
    w[k, r] - eta_w * sigma * g_w[k] * a[k, r] * dphi(w[k, r] * x_w[k]) * x_w[k],
    FACTOR,
)

t = Symbol("t", real=True)
df_a, df_w = IndexedBase("df_a"), IndexedBase("df_w")
K_aw, K_ww, K_wa = IndexedBase("K_aw"), IndexedBase("K_ww"), IndexedBase("K_wa")

MOVE_A = -(d**q_a) * sigma * g_a[k] * phi(w[k, r] * x_a[k])
MOVE_W = -(d**q_w) * sigma * g_w[k] * a[k, r] * dphi(w[k, r] * x_w[k]) * x_w[k]
"""What a step adds to a neuron's weights for each unit of the learning rate's factor."""


def first_order(summand: Expr, state: Expr, move: Expr) -> Expr:
    """Derivative at t = 0 of a summand whose state has moved by t times a move, unevaluated (width:D6)."""
    return Subs(Derivative(summand.xreplace({state: state + t * move}), t), t, 0)


LINEAR_A = Define(
    "first-order change of the logits by the output weights",
    df_a[k],
    sigma * over_neurons(first_order(a[k, r] * phi(w[k, r] * x), a[k, r], MOVE_A)),
    FACTOR,
)
LINEAR_W = Define(
    "first-order change of the logits by the input weights",
    df_w[k],
    sigma * over_neurons(first_order(a[k, r] * phi(w[k, r] * x), w[k, r], MOVE_W)),
    FACTOR,
)
_IN_A = phi(w[k, r] * x) * phi(w[k, r] * x_other)
_IN_W = a[k, r] ** 2 * dphi(w[k, r] * x) * dphi(w[k, r] * x_other) * x * x_other
LINEAR_AW = Define(
    "first-order change of the output weights' kernel by the input weights",
    K_aw[k],
    d**q_a * sigma**2 * over_neurons(first_order(_IN_A, w[k, r], MOVE_W)),
    FACTOR,
)
LINEAR_WW = Define(
    "first-order change of the input weights' kernel by the input weights",
    K_ww[k],
    d**q_w * sigma**2 * over_neurons(first_order(_IN_W, w[k, r], MOVE_W)),
    FACTOR,
)
LINEAR_WA = Define(
    "first-order change of the input weights' kernel by the output weights",
    K_wa[k],
    d**q_w * sigma**2 * over_neurons(first_order(_IN_W, a[k, r], MOVE_A)),
    FACTOR,
)

SYMMETRIC_A = Suppose(
    "output weights start symmetric",
    Eq(even(a[0, r], d), S.NegativeInfinity, evaluate=False),
)
SIZE_A = Suppose("output weights start of order one", Eq(odd(a[0, r], d), 0, evaluate=False))
EVEN_W = Suppose(
    "input weights start independent of them",
    Eq(odd(w[0, r], d), S.NegativeInfinity, evaluate=False),
)
SIZE_W = Suppose("input weights start of order one", Eq(even(w[0, r], d), 0, evaluate=False))
GRADIENT_A = Suppose(
    "the sample of the output weights is misclassified", Eq(order(g_a[k], d), 0, evaluate=False), forall=(k,)
)
GRADIENT_W = Suppose(
    "the sample of the input weights is misclassified", Eq(order(g_w[k], d), 0, evaluate=False), forall=(k,)
)
INPUT_A = Suppose("inputs of the output weights have fixed size", Eq(order(x_a[k], d), 0, evaluate=False), forall=(k,))
INPUT_W = Suppose("inputs of the input weights have fixed size", Eq(order(x_w[k], d), 0, evaluate=False), forall=(k,))

AT_MOST_ZERO = Suppose("steps are at most of order one", q_sigma + q <= 0)
AT_LEAST_HALF = Suppose("steps are at least of order minus one half", q_sigma + q >= -S.Half)

START = (SYMMETRIC_A, SIZE_A, EVEN_W, SIZE_W)
"""Hypotheses on the initial weights."""

SAMPLES = (GRADIENT_A, GRADIENT_W, INPUT_A, INPUT_W)
"""Hypotheses on the samples."""
