r"""Gradient descent in the space of logits with a kernel that does not change: what training is where features stay.

A step adds -K(., batch) g to the logits everywhere, g the loss gradient at the batch's points.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from numerics.doors import positive_integer
from numerics.dots import dot


def kernel_descent(
    kernel: Float[Array, "batch points"],
    start: Float[Array, "batch"],
    y: Float[Array, "points"],
    steps: Int[Array, "record"],
    *,
    batch: int,
) -> Float[Array, "record batch"]:
    """Logits before the steps asked for, on the mean logistic loss, with batches in one fixed order.

    Parameters
    ----------
    kernel
        Between all points and the training points, learning rates included; training points come first.
    start
        Logits at all points before the first step.
    y
        Labels of +-1 of the training points.
    steps
        Increasing numbers of updates before each record.
    batch
        Points of a step, which divides the number of training points; batch j holds points j batch and following.

    Raises
    ------
    ValueError
        If the batch does not divide the number of points.

    Examples
    --------
    One point with kernel 2 and logit 0: the gradient is -1/2, so that a step adds 1.

    >>> one = jnp.ones(1)
    >>> kernel_descent(jnp.array([[2.0]]), 0 * one, one, jnp.array([0, 1]), batch=1).tolist()
    [[0.0], [1.0]]
    """
    points = y.shape[0]
    if points % positive_integer("kernel_descent", "batch", batch):
        raise ValueError(f"kernel_descent: batch={batch} does not divide {points} points; pass a divisor")

    def advance(step: Array, now: Array) -> Array:
        at = (step % (points // batch)) * batch
        rows = partial(jax.lax.dynamic_slice_in_dim, start_index=at, slice_size=batch)
        label = rows(y)
        gradient = -label * jax.nn.sigmoid(-label * rows(now)) / batch
        columns = jax.lax.dynamic_slice_in_dim(kernel, at, batch, axis=1)
        return now - dot(columns, gradient)

    def to_record(carry: tuple[Array, Array], stop: Array) -> tuple[Any, Array]:
        now, at = carry
        now = jax.lax.fori_loop(at, stop, advance, now)
        return (now, stop), now

    _, found = jax.lax.scan(to_record, (start, jnp.zeros((), jnp.int32)), jnp.asarray(steps, dtype=jnp.int32))
    return found
