"""The same network in three spellings: original units, hat units, and powers of the width outside and inside
the weights (abc).

Neuron r has before step k the weights ``A[k, r]`` and ``W[k, r]`` in original units, of initial standard
deviations ``sigma`` and ``sigma_w``; in hat units they are divided by these (width:D2), and learning rates by
their squares. In the abc spelling a weight of layer l is d^(-a_l) v with v of initial size d^(-b_l), and
gradient steps of size d^(-c) act on v. A sample's gradient is any function of the step and of the logit there.
"""

import random

from sympy import Derivative, Expr, Function, IndexedBase, Integer, Lambda, Rational, Sum, Symbol, exp, symbols

from theory.definitions import width as w
from theory.growth import dphi, phi
from theory.proof.premises import Define
from theory.proof.worlds import World, rational, table

d = symbols("d", positive=True)
neurons = Symbol("n", integer=True, positive=True)
sigma_w, rate_a, rate_w, rate = symbols("sigma_w rate_a rate_w rate", positive=True)
A, W, v_1, v_2, a, v, a_0, w_0 = (
    IndexedBase(name, real=True) for name in ("A", "W", "v_1", "v_2", "a", "w", "a_0", "w_0")
)
a_1, a_2, b_2, c = symbols("a_1 a_2 b_2 c", real=True)
original, hat, abc, over_sigma, without_size = (
    Function(name, real=True) for name in ("f_original", "f_hat", "f_abc", "f_over_sigma", "f_without_size")
)
pull_a, pull_w = (Function(name, real=True) for name in ("g_a", "g_w"))
"""Gradient of the loss in the logit on the sample of either layer, by step and logit."""

output, inputs, place = symbols("output inputs place", real=True)
by_output, by_inputs = (Function(name, real=True) for name in ("by_output", "by_inputs"))
GRADIENT_OUTPUT = Define(
    "gradient of a neuron's part in its output weight",
    by_output(output, inputs, place),
    Derivative(output * phi(inputs * place), output),
)
GRADIENT_INPUTS = Define(
    "gradient of a neuron's part in its input weight",
    by_inputs(output, inputs, place),
    Derivative(output * phi(inputs * place), inputs),
)

k, r, x = w.k, w.r, w.x


def over_neurons(summand: Expr) -> Expr:
    """Sum over the neurons 1..n."""
    return Sum(summand, (r, 1, neurons))


START = (
    Define("output weights at the start", A[0, r], w.sigma * a_0[r]),
    Define("input weights at the start", W[0, r], sigma_w * w_0[r]),
)
ORIGINAL = Define("logits in original units", original(k, x), over_neurons(A[k, r] * phi(W[k, r] * x)))
ORIGINAL_A = Define(
    "gradient step of the output weights",
    A[k + 1, r],
    A[k, r] - rate_a * pull_a(k, original(k, w.x_a[k])) * by_output(A[k, r], W[k, r], w.x_a[k]),
)
ORIGINAL_W = Define(
    "gradient step of the input weights",
    W[k + 1, r],
    W[k, r] - rate_w * pull_w(k, original(k, w.x_w[k])) * by_inputs(A[k, r], W[k, r], w.x_w[k]),
)
HAT_RATE_A = Define("learning rate of the output weights in hat units", w.eta_a, rate_a / w.sigma**2)
HAT_RATE_W = Define("learning rate of the input weights in hat units", w.eta_w, rate_w / sigma_w**2)


def hat_run(sigma_inner: Expr) -> tuple[Define, ...]:
    """Weights and logits of the theory in hat units; input weights are multiplied by sigma_inner."""
    inner = sigma_inner * v[k, r]
    return (
        Define("hat output weights at the start", a[0, r], a_0[r]),
        Define("hat input weights at the start", v[0, r], w_0[r]),
        Define("logits in hat units", hat(k, x), w.sigma * over_neurons(a[k, r] * phi(inner * x))),
        Define(
            "hat step of the output weights",
            a[k + 1, r],
            a[k, r] - w.eta_a * w.sigma * pull_a(k, hat(k, w.x_a[k])) * phi(inner * w.x_a[k]),
        ),
        Define(
            "hat step of the input weights",
            v[k + 1, r],
            v[k, r]
            - (w.eta_w * w.sigma * sigma_inner * pull_w(k, hat(k, w.x_w[k])))
            * (a[k, r] * dphi(inner * w.x_w[k]) * w.x_w[k]),
        ),
    )


ABC_START = (
    Define("second layer at the start", v_2[0, r], d**-b_2 * a_0[r]),
    Define("first layer at the start", v_1[0, r], d**a_1 * w_0[r]),
)
"""With b_1 = -a_1 the first layer's weights start of order one."""

_OUTSIDE = d**-a_2 * v_2[k, r], d**-a_1 * v_1[k, r]
"""Weights times their powers of the width, which multiply the gradient once more."""

ABC = Define("logits in the abc spelling", abc(k, x), over_neurons(d**-a_2 * v_2[k, r] * phi(d**-a_1 * v_1[k, r] * x)))
ABC_2 = Define(
    "step of the second layer",
    v_2[k + 1, r],
    v_2[k, r] - rate * d**-c * pull_a(k, abc(k, w.x_a[k])) * d**-a_2 * by_output(*_OUTSIDE, w.x_a[k]),
)
ABC_1 = Define(
    "step of the first layer",
    v_1[k + 1, r],
    v_1[k, r] - rate * d**-c * pull_w(k, abc(k, w.x_w[k])) * d**-a_1 * by_inputs(*_OUTSIDE, w.x_w[k]),
)


def world_of_units(source: random.Random) -> World:
    """Exact values of one neuron, one input and a smooth activation, phi(z) = z + exp(-z^2)."""
    z, step, logit = Symbol("z", real=True), Symbol("step", real=True), Symbol("logit", real=True)
    values: dict = {symbol: rational(source) for symbol in (w.sigma, sigma_w, rate_a, rate_w, rate, x)}
    values |= {symbol: Integer(source.randint(-1, 1)) for symbol in (a_1, a_2, b_2, c)}
    values |= {d: source.randint(2, 3), neurons: 1, k: source.randint(0, 2), r: 1}
    values |= {
        phi: Lambda(z, z / 2 + exp(-(z**2))),
        output: rational(source),
        inputs: rational(source),
        place: rational(source),
    }
    values |= {base: table(source, 1, low=-2, high=2) for base in (a_0, w_0)}
    for base in (w.x_a, w.x_w):
        values[base] = {(Integer(place),): Rational(source.randint(1, 14), 15) for place in range(12)}
    for pull in (pull_a, pull_w):
        values[pull] = Lambda((step, logit), -Rational(source.randint(1, 9), 10) / (1 + exp(logit)))
    return World(values)
