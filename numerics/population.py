"""Neurons as a population: their law at the start as a quadrature, one step of every neuron, and what they put out.

What limits at infinite width and networks of numeric width share (width:X1-X4, width:D3).
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from numerics.activations import Activation, value_and_slope
from numerics.doors import positive_integer
from numerics.dots import dot

Scalar = float | Float[Array, ""]
Index = Int[Array, ""]


class Problem(NamedTuple):
    """Inputs, labels of +-1, and which point each layer sees at each step."""

    x: Float[Array, "batch inputs"]
    y: Float[Array, "batch"]
    order_a: Int[Array, "step"]
    order_w: Int[Array, "step"]


class Population(NamedTuple):
    """Neurons as a quadrature over their law at the start: weights, and places in hat units."""

    weight: Float[Array, "neuron"]
    a: Float[Array, "neuron"]
    w: Float[Array, "neuron inputs"]


class Factors(NamedTuple):
    """sigma*, eta_a* and eta_w*."""

    sigma: Scalar
    rate_a: Scalar
    rate_w: Scalar


def population(nodes: int, inputs: int, outputs: int | None = None) -> Population:
    """Gauss-Hermite nodes of standard normal neurons: ``nodes`` for every input weight, ``outputs`` for the output
    weight (None: as many).

    Examples
    --------
    >>> crowd = population(4, 1)
    >>> [round(float(jnp.sum(crowd.weight * crowd.a**k)), 6) for k in (0, 2, 4)]
    [1.0, 1.0, 3.0]
    """
    nodes = positive_integer("population", "nodes", nodes)
    inputs = positive_integer("population", "inputs", inputs)
    counts = (positive_integer("population", "outputs", nodes if outputs is None else outputs), *[nodes] * inputs)
    rules = [np.polynomial.hermite_e.hermegauss(count) for count in counts]
    places = np.stack(np.meshgrid(*(at for at, _ in rules), indexing="ij"), axis=-1).reshape(-1, inputs + 1)
    masses = np.stack(np.meshgrid(*(mass / mass.sum() for _, mass in rules), indexing="ij"), axis=-1)
    weight = np.prod(masses, axis=-1).reshape(-1)
    return Population(jnp.asarray(weight), jnp.asarray(places[:, 0]), jnp.asarray(places[:, 1:]))


def moved(
    a: Float[Array, "neuron"],
    w: Float[Array, "neuron inputs"],
    activation: Activation,
    x: Float[Array, "batch inputs"],
    at: tuple[Index, Index],
    slope: Float[Array, "batch"],
    factors: Factors,
) -> tuple[Float[Array, "neuron"], Float[Array, "neuron inputs"]]:
    """One step of every neuron (width:D3) with the samples' gradients.

    Parameters
    ----------
    a, w
        Places in hat units.
    at
        The sample of the output weights, and that of the input weights.
    slope
        Gradients at all points.

    Examples
    --------
    a = 1, w = 0 and phi = identity: a stays, and w gains what a gives it.

    >>> from numerics.activations import identity
    >>> one, zero, first = jnp.ones(1), jnp.zeros((1, 1)), jnp.array(0)
    >>> a, w = moved(one, zero, identity, jnp.ones((1, 1)), (first, first), -one / 2, Factors(1.0, 1.0, 1.0))
    >>> a.tolist(), w.tolist()
    ([1.0], [[0.5]])
    """
    at_a, at_w = at
    value, _ = value_and_slope(activation, dot(w, x[at_a]))
    _, steep = value_and_slope(activation, dot(w, x[at_w]))
    after_a = a - factors.rate_a * factors.sigma * slope[at_a] * value
    after_w = w - factors.rate_w * factors.sigma * slope[at_w] * (a * steep)[:, None] * x[at_w][None, :]
    return after_a, after_w


def mean(
    weight: Float[Array, "neuron"],
    a: Float[Array, "neuron"],
    w: Float[Array, "neuron inputs"],
    x: Float[Array, "batch inputs"],
    activation: Activation,
) -> Float[Array, "batch"]:
    """Mean of a phi(w.x) over a population.

    Examples
    --------
    >>> from numerics.activations import identity
    >>> half, a, w = jnp.full(2, 0.5), jnp.array([1.0, 3.0]), jnp.array([[1.0], [2.0]])
    >>> mean(half, a, w, jnp.ones((1, 1)), identity).tolist()
    [3.5]
    """
    return dot(activation(dot(x, w.T)), weight * a)
