"""Gradients with many coordinates, of examples and of mini-batches, and their covariances.

The numeric twins are ``numerics.gradients`` and ``numerics.batches``. What a batch is stands in
``theory.definitions.breakeven``.
"""

# SymPy's inline types do not know that Eq is Boolean or that an IndexedBase can be indexed.
# pyright: reportArgumentType=false, reportIndexIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportOperatorIssue=false, reportUnhashable=false

import random

from sympy import Expr, IndexedBase, Rational, Sum, Symbol

from theory.definitions.breakeven import (
    N,
    S,
    all_batches,
    batch,
    eta,
    held,
    i,
    over_batches,
    over_examples,
    psi,
)
from theory.proof.premises import Define
from theory.proof.worlds import World, table

D = Symbol("D", integer=True, positive=True)
d, e = (Symbol(n, integer=True, positive=True) for n in ("d", "e"))
slope, batch_slope, mean_slope, covariance, hessian, move, change = (
    IndexedBase(n, real=True) for n in ("g", "g_B", "gbar", "K", "H", "s", "dL")
)
trace, distance, squared_gradient, along, noise_curvature, mean_change, square_after, direction_variance = (
    Symbol(n, real=True) for n in ("Tr_K", "E_distance", "gg", "gHg", "Tr_HK", "E_change", "m2", "v")
)

BATCH_GRADIENT = Define("batch gradient", batch_slope[batch, d], over_examples(held[batch, i] * slope[i, d]) / S)
"""Gradient of a batch's mean loss, for a batch that holds example i in n_i of its S places."""

MEAN_GRADIENT = Define("mean gradient", mean_slope[d], over_examples(slope[i, d]) / N)

COVARIANCE = Define(
    "gradient covariance",
    covariance[d, e],
    over_examples((slope[i, d] - mean_slope[d]) * (slope[i, e] - mean_slope[e])) / N,
)
"""breakeven:D2: population covariance of the examples' gradients, a matrix of D x D."""




def over_coordinates(term: Expr, *indices: Symbol) -> Expr:
    """Sum over the coordinates 1..D of each index."""
    return Sum(term, *((index, 1, D) for index in indices))


TRACE = Define("trace", trace, over_coordinates(covariance[d, d], d))
DISTANCE = Define(
    "expected distance",
    distance,
    over_batches(over_coordinates((batch_slope[batch, d] - mean_slope[d]) ** 2, d)),
)
"""Mean squared L2 distance of a mini-batch gradient from the full gradient."""

MOVE = Define("step", move[batch, d], -eta * batch_slope[batch, d])
CHANGE = Define(
    "quadratic loss",
    change[batch],
    over_coordinates(mean_slope[d] * move[batch, d], d)
    + over_coordinates(hessian[d, e] * move[batch, d] * move[batch, e], d, e) / 2,
)
"""Change of a quadratic mean loss under the step of a batch: gradient and Hessian say all of it."""

MEAN_CHANGE = Define("expected change", mean_change, over_batches(change[batch]))
SQUARED_GRADIENT = Define("squared gradient", squared_gradient, over_coordinates(mean_slope[d] ** 2, d))
ALONG = Define(
    "curvature along the gradient",
    along,
    over_coordinates(hessian[d, e] * mean_slope[d] * mean_slope[e], d, e),
)
NOISE_CURVATURE = Define(
    "curvature under the noise", noise_curvature, over_coordinates(hessian[d, e] * covariance[d, e], d, e)
)

DIRECTION_VARIANCE = Define("variance along the direction", direction_variance, covariance[d, d])
SQUARE_AFTER = Define("one step", square_after, over_batches((psi - eta * batch_slope[batch, d]) ** 2))
"""Mean squared distance after a step along the direction d, psi before it."""

MEANINGS = {
    covariance[d, e]: ("population covariance of the examples' gradients", "gradient^2"),
    d: ("one coordinate of the gradient", "1"),
    e: ("another coordinate of the gradient", "1"),
    trace: ("trace of the population covariance K of the examples' gradients", "gradient^2"),
    distance: ("mean squared distance of a mini-batch gradient from the full gradient", "gradient^2"),
    squared_gradient: ("squared norm of the full gradient", "gradient^2"),
    along: ("g^T H g for the full gradient g", "gradient^2 curvature"),
    noise_curvature: ("trace of the Hessian times K", "gradient^2 curvature"),
    mean_change: ("mean over batches of the change of the full loss in one step", "loss"),
    square_after: ("mean squared distance along the direction after one step", "length^2"),
    direction_variance: ("population variance of the examples' gradients along the direction", "gradient^2"),
}
"""Meaning and unit of what the laws of many coordinates speak of."""


def gradient_world(source: random.Random) -> World:
    """A world of every batch, and of a gradient of two coordinates for each example."""
    values = all_batches(source)
    first, mixed, last = (Rational(source.randint(-5, 5), source.randint(1, 3)) for _ in range(3))
    return World(
        values
        | {
            D: 2,
            slope: table(source, values[N], 2),
            hessian: [[first, mixed], [mixed, last]],
            d: source.randint(1, 2),
            e: source.randint(1, 2),
        }
    )
