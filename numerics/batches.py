"""Mini-batches drawn on purpose: index sets, the gradients of each batch, and what their spectrum estimates.

K^M_ij = (1/L) <gb_i - gbar, gb_j - gbar> over L batches of M points (breakeven:D7) is
`numerics.gradients.row_spectrum(batch_gradients(...))`.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, Int, PRNGKeyArray, PyTree

from numerics.doors import positive_integer
from numerics.dots import dot

Parameters = PyTree[Float[Array, "..."]]


def independent_batches(
    key: PRNGKeyArray, points: int, batches: int, size: int
) -> Int[Array, "batches batch"]:
    """L independent subsets of M different points each.

    Raises
    ------
    ValueError
        If a number is below 1, or `size` above `points`.

    Examples
    --------
    >>> independent_batches(jax.random.key(0), 2, 3, 2).sum(axis=1).tolist()
    [1, 1, 1]
    """
    _check("independent_batches", points, batches)
    positive_integer("independent_batches", "size", size, most=points, of="points")
    keys = jax.random.split(key, batches)
    return jax.lax.map(lambda k: jax.random.permutation(k, points)[:size], keys)


def disjoint_batches(key: PRNGKeyArray, points: int, batches: int, size: int) -> Int[Array, "batches batch"]:
    """L subsets of M points of which no two share a point: one pass over shuffled data.

    Raises
    ------
    ValueError
        If a number is below 1, or batches * size exceeds `points`.

    Examples
    --------
    >>> sorted(disjoint_batches(jax.random.key(0), 4, 2, 2).reshape(-1).tolist())
    [0, 1, 2, 3]
    """
    _check("disjoint_batches", points, batches)
    positive_integer("disjoint_batches", "size", size, most=points // batches, of="points / batches")
    return jax.random.permutation(key, points)[: batches * size].reshape(batches, size)


def replacement_batches(
    key: PRNGKeyArray, points: int, batches: int, size: int
) -> Int[Array, "batches batch"]:
    """L batches of M independent uniform draws.

    Raises
    ------
    ValueError
        If a number is below 1.

    Examples
    --------
    >>> replacement_batches(jax.random.key(0), 1, 2, 3).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    _check("replacement_batches", points, batches)
    positive_integer("replacement_batches", "size", size)
    return jax.random.randint(key, (batches, size), 0, points)


def batch_gradients(
    loss: Callable[[Parameters, Any], Float[Array, ""]],
    params: Parameters,
    data: PyTree,
    indices: Int[Array, "batches batch"],
) -> Float[Array, "batches size"]:
    """The flattened gradient of loss(params, batch) for each row of indices, one batch after the other.

    Parameters
    ----------
    loss
        (parameters, batch with its leading axis) -> number, a mean over the batch.
    params, data, indices
        Where; arrays with one leading axis; rows of point numbers.

    Examples
    --------
    >>> loss = lambda w, x: w * jnp.mean(x)
    >>> batch_gradients(loss, jnp.array(0.0), jnp.array([1.0, 3.0]), jnp.array([[0, 1], [1, 1]])).tolist()
    [[2.0], [3.0]]
    """
    flat, unravel = ravel_pytree(params)
    gradient = jax.grad(lambda vector, batch: loss(unravel(vector), batch))

    def one(chosen: Int[Array, "batch"]) -> Float[Array, "size"]:
        return gradient(flat, jax.tree.map(lambda a: jnp.take(a, chosen, axis=0), data))

    return jax.lax.map(one, indices)


def as_per_example(
    values: Float[Array, "..."], batch_size: int | Float[Array, ""], batches: int | Float[Array, ""]
) -> Float[Array, "..."]:
    """Eigenvalues or trace of K^M in units of the per-example covariance: times M L / (L - 1).

    The L / (L - 1) undoes the centring on L batches, the M the averaging inside each. The result estimates
    the trace of K without bias for batches drawn with replacement; the top eigenvalue stays biased upwards,
    and the smallest nonzero one has no meaning that is free of L (breakeven:L10, G7).

    Raises
    ------
    ValueError
        If a concrete `batches` is below 2.

    Examples
    --------
    >>> as_per_example(jnp.array(1.0), 16, 5).item()
    20.0
    """
    if isinstance(batches, int) and batches < 2:
        raise ValueError(f"as_per_example: batches={batches} has no spread; pass batches >= 2")
    size, count = (jnp.asarray(n).astype(values.dtype) for n in (batch_size, batches))
    return values * size * count / (count - 1)


def projection_ratio(
    vector: Float[Array, "size"], directions: Float[Array, "eigen size"]
) -> Float[Array, ""]:
    """||g|| / ||g_k||, g_k the projection of g on orthonormal directions: at least 1 (breakeven:D9).

    Examples
    --------
    >>> round(float(projection_ratio(jnp.array([3.0, 4.0]), jnp.array([[1.0, 0.0]]))), 5)
    1.66667
    """
    inside = dot(directions.astype(vector.dtype), vector)
    return jnp.linalg.norm(vector) / jnp.linalg.norm(inside)


def _check(who: str, points: int, batches: int) -> None:
    positive_integer(who, "points", points)
    positive_integer(who, "batches", batches)
