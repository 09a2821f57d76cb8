r"""What a one-hidden-layer classifier becomes at infinite width: one evolution, told apart by a few signs.

Normalised logits are f / d^B, B the order of trained logits. Two things decide how they move: which of the
gradient's three limits holds (by the sign of the logits' order, before and after the first step), and whether
neurons move at all (then a measure over neurons evolves; otherwise the kernels are constant). Every limit of the
band, the initialisation-corrected mean-field model and the default scaling are read off these signs by
:func:`evolve` alone (width:X1-X4). Networks of numeric width are those of :mod:`numerics.finite_width`.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from numerics.activations import Activation
from numerics.dots import dot
from numerics.expectations import Expectation
from numerics.population import Factors, Population, Problem, Scalar, mean, moved


class Signs(NamedTuple):
    """What tells one limit from another; every entry is a number, so that many limits share one compilation.

    Attributes
    ----------
    first, later
        Sign of the order of the logits before the first step and before later ones (A and B).
    starts
        1 where normalised logits start as the field (C = 0), 0 where they start at 0.
    evolves
        1 where neurons move (D = 0), 0 where kernels stay (D < 0).
    spread
        Standard deviation of the output weights at the start in units of trained ones: 1, or 0 for the default scaling.
    keeps
        1 where the field stays in the logits for good (the corrected mean-field model), else 0.
    """

    first: Scalar
    later: Scalar
    starts: Scalar
    evolves: Scalar
    spread: Scalar = 1.0
    keeps: Scalar = 0.0


def signs_of(q_sigma: float, q: float) -> Signs:
    """Signs of a point of the band, from its exponents (width:D4).

    Examples
    --------
    >>> signs_of(-1.0, 1.0)  # mean-field
    Signs(first=-1.0, later=0.0, starts=0.0, evolves=1.0, spread=1.0, keeps=0.0)
    """
    first, later = np.sign(q_sigma + 0.5), np.sign(2 * q_sigma + q + 1)
    return Signs(float(first), float(later), float(q_sigma + q == -0.5), float(q_sigma + q == 0))


CORRECTED = Signs(0.0, 0.0, 0.0, 1.0, keeps=1.0)
DEFAULT = Signs(0.0, 1.0, 0.0, 1.0, spread=0.0)


def limit_gradient(
    sign: Scalar, logit: Float[Array, "batch"], label: Float[Array, "batch"], tie: Float[Array, "batch"]
) -> Float[Array, "batch"]:
    """Limit of -y / (1 + exp(y d^e u)): -y/2, the logistic gradient, or -y where y u < 0, by the sign of e.

    Where u is exactly 0 the hinge takes the sign of ``tie``, which is what is left of the logit there (width:G4).

    Examples
    --------
    >>> u, y = jnp.array([2.0, -2.0, 0.0]), jnp.ones(3)
    >>> limit_gradient(1.0, u, y, -y).tolist()
    [0.0, -1.0, -1.0]
    """
    decides = jnp.where(logit == 0, tie, logit)
    hinge = jnp.where(label * decides < 0, -label, jnp.zeros_like(label))
    logistic = -label * jax.nn.sigmoid(-label * logit)
    return jnp.where(sign < 0, -label / 2, jnp.where(sign == 0, logistic, hinge))


def covariance(x: Float[Array, "batch inputs"], expectation: Expectation) -> Float[Array, "batch batch"]:
    """E phi(w.x) phi(w.x'): the covariance of the field, in units of sigma*^2.

    Examples
    --------
    Half of a rectifier's square is lost.

    >>> from numerics.expectations import relu
    >>> covariance(jnp.array([[2.0]]), relu).tolist()
    [[2.0]]
    """
    return _expected(x, expectation)[0]


def evolve(
    signs: Signs,
    problem: Problem,
    field: Float[Array, "batch"],
    factors: Factors,
    crowd: Population,
    activation: Activation,
    expectation: Expectation,
) -> Float[Array, "record batch"]:
    """Normalised logits of the limit before every step, and after the last.

    Parameters
    ----------
    signs
        Which limit.
    problem
        Where logits are seen, and the samples.
    field
        The Gaussian field of the initial logits at the inputs, sigma* included.
    factors, crowd
        sigma*, eta*; the law of neurons at the start.
    activation, expectation
        phi, and its two Gaussian expectations (:mod:`numerics.expectations`).

    Source
        width:X1-X4.

    Examples
    --------
    Constant kernels of 1/2 each, and the gradient -1/2: one step at unit rates goes to 1/2.

    >>> from numerics.activations import identity
    >>> from numerics.expectations import relu
    >>> from numerics.population import population
    >>> one, zero = jnp.ones(1), jnp.zeros(1)
    >>> given = Problem(jnp.ones((1, 1)), one, jnp.array([0]), jnp.array([0]))
    >>> kernel = Signs(-1.0, -1.0, 0.0, 0.0)
    >>> evolve(kernel, given, zero, Factors(1.0, 1.0, 1.0), population(2, 1), identity, relu).round(9).tolist()
    [[0.0], [0.5]]
    """
    values, slopes = _expected(problem.x, expectation)
    kernel_a = factors.sigma**2 * values
    kernel_w = factors.sigma**2 * slopes * dot(problem.x, problem.x.T)

    def advance(carry, step):
        logits, a, w, still = carry
        count, at_a, at_w = step
        first = count == 0
        decides = jnp.where(first, field, logits + signs.keeps * field)
        slope = limit_gradient(jnp.where(first, signs.first, signs.later), decides, problem.y, field)
        kept = logits - factors.rate_a * slope[at_a] * kernel_a[:, at_a]
        kept = kept - factors.rate_w * slope[at_w] * kernel_w[:, at_w]
        a, w = moved(a, w, activation, problem.x, (at_a, at_w), slope, factors)
        still = still & (slope[at_a] == 0) & (slope[at_w] == 0)
        pushed = jnp.where(still, start, factors.sigma * mean(crowd.weight, a, w, problem.x, activation))
        logits = jnp.where(signs.evolves == 1, pushed, kept)
        return (logits, a, w, still), logits

    start = signs.starts * field
    steps = (jnp.arange(problem.order_a.size), problem.order_a, problem.order_w)
    _, after = jax.lax.scan(advance, (start, signs.spread * crowd.a, crowd.w, jnp.array(True)), steps)
    return jnp.concatenate([start[None, :], after]) + (signs.keeps * field)[None, :]


def _expected(x, expectation):
    gram = dot(x, x.T)
    square = jnp.diagonal(gram)
    shape = gram.shape
    return expectation(jnp.broadcast_to(square[:, None], shape), jnp.broadcast_to(square[None, :], shape), gram)
