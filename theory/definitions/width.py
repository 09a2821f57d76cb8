"""One hidden layer, its stochastic gradient step, its kernels and their scaling with the width (width:D1-D5), in symbols.

Neuron r has at step k the output weight ``a[k, r]`` and the input weight ``w[k, r]``, both divided by their initial standard
deviations; sigma is that of the output weights. Inputs have fixed size, and every component of an input weight obeys the
same orders, so one component stands for all and inner products are written as products.

Sample gradients ``g_a[k]`` and ``g_w[k]`` are numbers between -1 and 1; where both samples are misclassified they are at least 1/2
in size (width:E14). Their numeric twin is ``numerics.increments``.
"""

from sympy import Expr, IndexedBase, Symbol, symbols
from sympy import Sum as NeuronSum

from theory.growth import dphi, phi
from theory.premises import Define

d = Symbol("d", integer=True, positive=True)
r = Symbol("r", integer=True, positive=True)
k = Symbol("k", integer=True, nonnegative=True)

q_sigma, q_a, q_w = symbols("q_sigma q_a q_w", real=True)
sigma, eta_a, eta_w = symbols("sigma eta_a eta_w", positive=True)
sigma_star, eta_a_star, eta_w_star = symbols("sigma_star eta_a_star eta_w_star", positive=True)

a, w = IndexedBase("a"), IndexedBase("w")
g_a, g_w = IndexedBase("g_a"), IndexedBase("g_w")
x_a, x_w = IndexedBase("x_a"), IndexedBase("x_w")
f, K_a, K_w = IndexedBase("f"), IndexedBase("K_a"), IndexedBase("K_w")
x, x_other = Symbol("x", real=True), Symbol("x_other", real=True)

FACTOR = "orders do not see constant factors"


def over_neurons(summand: Expr) -> Expr:
    """Sum over the d neurons."""
    return NeuronSum(summand, (r, 1, d))


SCALE = Define("scale of the output weights", sigma, sigma_star * d**q_sigma, FACTOR)
RATE_A = Define("learning rate of the output weights", eta_a, eta_a_star * d**q_a, FACTOR)
RATE_W = Define("learning rate of the input weights", eta_w, eta_w_star * d**q_w, FACTOR)

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
