"""The same network in three spellings: original units, hat units, and powers of the width outside and inside
the weights (abc).

Neuron r has before step k the weights ``A[k, r]`` and ``W[k, r]`` in original units, of initial standard
deviations ``sigma`` and ``sigma_w``; in hat units they are divided by these (width:D2), and learning rates by
their squares. In the abc spelling a weight of layer l is d^(-a_l) v with v of initial size d^(-b_l), and
gradient steps of size d^(-c) act on v.
"""

import random
from collections.abc import Mapping

from sympy import Derivative, Expr, IndexedBase, Integer, Lambda, Rational, Symbol, symbols

from theory.definitions import width as w
from theory.growth import dphi, phi
from theory.proof.premises import Define
from theory.proof.worlds import World, rational

d = symbols("d", positive=True)
sigma_w, rate_a, rate_w, rate = symbols("sigma_w rate_a rate_w rate", positive=True)
A, W = IndexedBase("A", real=True), IndexedBase("W", real=True)
v_1, v_2 = IndexedBase("v_1", real=True), IndexedBase("v_2", real=True)
A_next, W_next = IndexedBase("A_next"), IndexedBase("W_next")
v_1_next, v_2_next = IndexedBase("v_1_next"), IndexedBase("v_2_next")
a_1, b_1, a_2, b_2, c = symbols("a_1 b_1 a_2 b_2 c", real=True)
k, r = w.k, w.r

ORIGINAL_A = Define(
    "gradient step of the output weights",
    A_next[k, r],
    A[k, r] - rate_a * w.g_a[k] * Derivative(A[k, r] * phi(W[k, r] * w.x_a[k]), A[k, r]),
)
ORIGINAL_W = Define(
    "gradient step of the input weights",
    W_next[k, r],
    W[k, r] - rate_w * w.g_w[k] * Derivative(A[k, r] * phi(W[k, r] * w.x_w[k]), W[k, r]),
)
HAT_A = Define("output weights in hat units", w.a[k, r], A[k, r] / w.sigma)
HAT_W = Define("input weights in hat units", w.w[k, r], W[k, r] / sigma_w)
HAT_RATE_A = Define("learning rate of the output weights in hat units", w.eta_a, rate_a / w.sigma**2)
HAT_RATE_W = Define("learning rate of the input weights in hat units", w.eta_w, rate_w / sigma_w**2)


def hat_step_a(sigma_inner: Expr) -> Expr:
    """Output weight after a step of the theory in hat units; input weights are multiplied by sigma_inner."""
    return w.a[k, r] - w.eta_a * w.sigma * w.g_a[k] * phi(sigma_inner * w.w[k, r] * w.x_a[k])


def hat_step_w(sigma_inner: Expr) -> Expr:
    """Input weight after a step of the theory in hat units."""
    inner = sigma_inner * w.w[k, r] * w.x_w[k]
    return w.w[k, r] - w.eta_w * w.sigma * sigma_inner * w.g_w[k] * w.a[k, r] * dphi(inner) * w.x_w[k]


def _abc_logit(inputs: Expr) -> Expr:
    """What one neuron adds to the logit in the abc spelling."""
    return d**-a_2 * v_2[k, r] * phi(d**-a_1 * v_1[k, r] * inputs)


ABC_2 = Define(
    "step of the second layer",
    v_2_next[k, r],
    v_2[k, r] - rate * d**-c * w.g_a[k] * Derivative(_abc_logit(w.x_a[k]), v_2[k, r]),
)
ABC_1 = Define(
    "step of the first layer",
    v_1_next[k, r],
    v_1[k, r] - rate * d**-c * w.g_w[k] * Derivative(_abc_logit(w.x_w[k]), v_1[k, r]),
)
ABC_HAT_A = Define("output weights over their initial size", w.a[k, r], v_2[k, r] * d**b_2)
ABC_HAT_W = Define("input weights over their initial size", w.w[k, r], v_1[k, r] * d**-a_1)


def world_of_units(source: random.Random) -> World:
    """Exact values of one neuron, one input and a smooth activation, phi(z) = z + z^2 / 7."""
    z = Symbol("z", real=True)
    values: dict = {
        symbol: rational(source)
        for symbol in (w.sigma, sigma_w, rate_a, rate_w, rate, w.x)
    }  # fmt: skip
    values |= {symbol: Integer(source.randint(-3, 3)) for symbol in (a_1, a_2, b_2, c)}
    values |= {d: source.randint(2, 4), k: 0, r: 1, phi: Lambda(z, z + z**2 / 7)}
    one: Mapping = {(Integer(0), Integer(1)): None}
    for base in (A, W, v_1, v_2):
        values[base] = {place: rational(source, -5, 5) for place in one}
    for base in (w.g_a, w.g_w, w.x_a, w.x_w):
        values[base] = {(Integer(0),): Rational(source.randint(1, 14), 15)}
    return World(values)
