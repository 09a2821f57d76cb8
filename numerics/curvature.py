"""Hessian and Gauss-Newton operators of a loss, linearised once, and their extreme eigenpairs."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

from numerics.chunks import sum_over_chunks
from numerics.doors import positive_integer
from numerics.lanczos import Spectrum, lanczos, start_vector

Parameters = PyTree[Float[Array, "..."]]


class Operator(NamedTuple):
    """A symmetric operator on parameters flattened to one vector.

    Attributes
    ----------
    product
        v -> A v. The point of linearisation is stored once, whatever the number of products.
    size, dtype
        Of the vectors.
    unravel
        Flat vector -> pytree of parameters.
    """

    product: Callable[[Float[Array, "size"]], Float[Array, "size"]]
    size: int
    dtype: Any
    unravel: Callable[[Float[Array, "size"]], Parameters]


def hessian(loss: Callable[[Parameters], Float[Array, ""]], params: Parameters) -> Operator:
    """The Hessian of a loss: forward over reverse, linearised once.

    Parameters
    ----------
    loss
        Parameters -> number. The reduction is the caller's; state it.
    params
        Where to linearise; all leaves of one dtype.

    Examples
    --------
    x^T A x / 2 has Hessian A.

    >>> a = jnp.array([[2.0, 1.0], [1.0, -3.0]])
    >>> operator = hessian(lambda x: x @ a @ x / 2, jnp.array([5.0, 7.0]))
    >>> operator.product(jnp.array([1.0, 0.0])).tolist()
    [2.0, 1.0]
    """
    flat, unravel = ravel_pytree(params)
    _, product = jax.linearize(jax.grad(lambda vector: loss(unravel(vector))), flat)
    return Operator(product, flat.shape[0], flat.dtype, unravel)


def hessian_of_sum(
    loss: Callable[[Parameters, Any], Float[Array, ""]],
    params: Parameters,
    data: PyTree,
    chunk: int | None,
) -> Operator:
    """The Hessian of loss(params, data) for a loss that is a *sum* over points, in chunks of them.

    Each product runs through the data again, so that memory is that of one chunk; a short last chunk counts
    as what it is. For a mean, divide the loss by the number of points.

    Parameters
    ----------
    loss
        (parameters, chunk of data) -> sum over its points.
    params, data, chunk
        Where; arrays with one leading axis; points at once (None means all).

    Raises
    ------
    ValueError
        If `chunk` is below 1 or the leading axes differ.

    Examples
    --------
    >>> x = jnp.array([1.0, 2.0, 3.0])
    >>> operator = hessian_of_sum(lambda w, x: jnp.sum((w * x) ** 2) / 2, jnp.array(1.0), x, 2)
    >>> operator.product(jnp.array([1.0])).tolist()
    [14.0]
    """
    flat, unravel = ravel_pytree(params)

    def product(vector: Float[Array, "size"]) -> Float[Array, "size"]:
        def part(points: PyTree) -> Float[Array, "size"]:
            gradient = jax.grad(lambda p: loss(unravel(p), points))
            return jax.jvp(gradient, (flat,), (vector,))[1]

        return sum_over_chunks(part, data, chunk)

    return Operator(product, flat.shape[0], flat.dtype, unravel)


def gauss_newton(
    logits: Callable[[Parameters], Float[Array, "batch class_"]],
    loss: Callable[[Float[Array, "batch class_"]], Float[Array, ""]],
    params: Parameters,
) -> Operator:
    """J^T H_z J: the Hessian of loss(logits(params)) without the curvature of the network itself.

    Parameters
    ----------
    logits
        Parameters -> logits, linearised once.
    loss
        Logits -> number, convex for a positive semidefinite operator.
    params
        Where.

    Examples
    --------
    z = w^2, loss z^2 / 2 at w = 3: J = 6, so the operator is 36 (the Hessian is 54).

    >>> operator = gauss_newton(lambda w: w**2, lambda z: z**2 / 2, jnp.array(3.0))
    >>> operator.product(jnp.array([1.0])).tolist()
    [36.0]
    """
    flat, unravel = ravel_pytree(params)
    z, push = jax.linearize(lambda vector: logits(unravel(vector)), flat)
    pull = jax.linear_transpose(push, flat)
    _, inner = jax.linearize(jax.grad(loss), z)
    return Operator(lambda v: pull(inner(push(v)))[0], flat.shape[0], flat.dtype, unravel)


def extreme_eigenpairs(operator: Operator, steps: int, *, top: int = 1, bottom: int = 1) -> Spectrum:
    """Largest and smallest algebraic eigenvalues of an operator, with residuals, from the fixed start vector.

    `lanczos` with `start_vector`; a `steps` above the size of a small network is an error, as there.

    Examples
    --------
    >>> operator = hessian(lambda x: 2 * x[0] ** 2 - x[1] ** 2, jnp.zeros(2))
    >>> found = extreme_eigenpairs(operator, 2)
    >>> found.top.values.round(4).tolist(), found.bottom.values.round(4).tolist()
    ([4.0], [-2.0])
    """
    start = start_vector(operator.size, operator.dtype)
    return lanczos(operator.product, start, steps, top=top, bottom=bottom)


def dense_matrix(operator: Operator, *, chunk: int = 64) -> Float[Array, "size size"]:
    """The matrix of an operator, by products with unit vectors, `chunk` at once. For small sizes and tests.

    Examples
    --------
    >>> dense_matrix(hessian(lambda x: x[0] * x[1], jnp.zeros(2))).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    chunk = min(positive_integer("dense_matrix", "chunk", chunk), operator.size)
    units = jnp.eye(operator.size, dtype=operator.dtype)
    return jax.lax.map(operator.product, units, batch_size=chunk)
