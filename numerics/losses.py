"""Losses with an inverse temperature, one value per example, and the two ways to reduce them.

Z = beta z are the scaled logits, p = softmax(Z), Y the targets (rows that sum to 1). Every form shifts the
raw logits by their maximum before it multiplies by beta, so beta z up to 1e10 with ties gives finite values
and gradients, and adding a constant to a row changes nothing.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from numerics.doors import positive_integer, same_shape
from numerics.dots import dot

Scalar = float | Float[Array, ""]


def softmax(z: Float[Array, "*batch class_"], beta: Scalar = 1.0) -> Float[Array, "*batch class_"]:
    """Class probabilities of the scaled logits, computed from beta (z - max z).

    Examples
    --------
    >>> softmax(jnp.array([[1e10, 1e10, 0.0]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    return jax.nn.softmax(_scaled(z, beta), axis=-1)


def residual(
    z: Float[Array, "*batch class_"], y: Float[Array, "*batch class_"], beta: Scalar = 1.0
) -> Float[Array, "*batch class_"]:
    """R = Y - p, accurate also where p is close to a one-hot target.

    r_i = y_i (1 - p_i) - (1 - y_i) p_i, with 1 - p_i summed from the *other* classes: the entry of a correct
    class keeps its relative accuracy when it is as small as exp(-beta gap).

    Source: temperature, section 0; dL/dz = -beta r for the summed cross-entropy (temperature:T01).

    Examples
    --------
    >>> residual(jnp.zeros((1, 2)), jnp.array([[1.0, 0.0]])).tolist()
    [[0.5, -0.5]]
    """
    same_shape("residual", ("z", "y"), z.shape, y.shape)
    p = softmax(z, beta)
    others = jnp.ones((z.shape[-1],) * 2, z.dtype) - jnp.eye(z.shape[-1], dtype=z.dtype)
    complement = dot(p, others)
    return y * complement - (1 - y) * p


def cross_entropy(
    z: Float[Array, "*batch class_"], y: Float[Array, "*batch class_"], beta: Scalar = 1.0
) -> Float[Array, "*batch"]:
    """-sum_k Y_k log p_k for each example (one row of eq 1 of the temperature paper with its sign corrected).

    Parameters
    ----------
    z, y
        Raw logits and targets; rows of `y` sum to 1 (one-hot, or smoothed by `smooth_labels`).
    beta
        Inverse temperature; may be traced.

    Raises
    ------
    ValueError
        If the shapes differ (a column of labels instead of one-hot rows, say).

    Examples
    --------
    >>> round(float(cross_entropy(jnp.zeros((1, 2)), jnp.array([[1.0, 0.0]]))[0]), 5)
    0.69315
    """
    same_shape("cross_entropy", ("z", "y"), z.shape, y.shape)
    return -jnp.sum(y * jax.nn.log_softmax(_scaled(z, beta), axis=-1), axis=-1)


def squared_error(
    z: Float[Array, "*batch class_"], y: Float[Array, "*batch class_"], beta: Scalar = 1.0
) -> Float[Array, "*batch"]:
    """(1/2) ||beta z - y||^2 for each example: its Hessian in Z is the identity.

    Examples
    --------
    >>> squared_error(jnp.array([[3.0, 0.0]]), jnp.array([[1.0, 0.0]])).tolist()
    [2.0]
    """
    same_shape("squared_error", ("z", "y"), z.shape, y.shape)
    return jnp.sum((jnp.asarray(beta).astype(z.dtype) * z - y) ** 2, axis=-1) / 2


def logistic(f: Float[Array, "*batch"], y: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    """log(1 + exp(-y f)) as softplus(-y f), for labels y = +-1 (width:D1).

    Its derivative in f is -y sigmoid(-y f), finite for every finite f, unlike that of the literal form.

    Examples
    --------
    >>> round(float(logistic(jnp.array([-200.0]), jnp.array([1.0]))[0]), 5)
    200.0
    """
    same_shape("logistic", ("f", "y"), f.shape, y.shape)
    return jax.nn.softplus(-y * f)


def logistic_gradient(f: Float[Array, "*batch"], y: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    """G = dl/df = -y sigmoid(-y f) (width:D3).

    Examples
    --------
    >>> logistic_gradient(jnp.array([0.0]), jnp.array([1.0])).tolist()
    [-0.5]
    """
    same_shape("logistic_gradient", ("f", "y"), f.shape, y.shape)
    return -y * jax.nn.sigmoid(-y * f)


def total(loss: Callable[..., Float[Array, "*batch"]]) -> Callable[..., Float[Array, ""]]:
    """The sum over points of a loss per example: the reduction of the temperature theory.

    Examples
    --------
    >>> float(total(squared_error)(jnp.array([[2.0], [4.0]]), jnp.zeros((2, 1))))
    10.0
    """
    return lambda *arguments: jnp.sum(loss(*arguments))


def mean(loss: Callable[..., Float[Array, "*batch"]]) -> Callable[..., Float[Array, ""]]:
    """The mean over points of a loss per example: the reduction of width, breakeven and training studies.

    Examples
    --------
    >>> float(mean(squared_error)(jnp.array([[2.0], [4.0]]), jnp.zeros((2, 1))))
    5.0
    """
    return lambda *arguments: jnp.mean(loss(*arguments))


def one_hot(labels: Int[Array, "batch"], classes: int, dtype: Any = float) -> Float[Array, "batch class_"]:
    """Targets Y of integer labels 0..classes-1; a label outside gives a row of zeros.

    Examples
    --------
    >>> one_hot(jnp.array([1]), 3).tolist()
    [[0.0, 1.0, 0.0]]
    """
    return jax.nn.one_hot(labels, positive_integer("one_hot", "classes", classes), dtype=dtype)


def smooth_labels(y: Float[Array, "*batch class_"], amount: Scalar) -> Float[Array, "*batch class_"]:
    """(1 - a) Y + a / K: label smoothing (temperature:T33).

    Examples
    --------
    >>> smooth_labels(jnp.array([[1.0, 0.0]]), 0.5).tolist()
    [[0.75, 0.25]]
    """
    amount = jnp.asarray(amount).astype(y.dtype)
    return (1 - amount) * y + amount / y.shape[-1]


def accuracy(z: Float[Array, "batch class_"], y: Float[Array, "batch class_"]) -> Float[Array, ""]:
    """Fraction of rows whose largest logit is at the largest target.

    Examples
    --------
    >>> float(accuracy(jnp.array([[0.0, 1.0], [0.0, 1.0]]), jnp.array([[0.0, 1.0], [1.0, 0.0]])))
    0.5
    """
    same_shape("accuracy", ("z", "y"), z.shape, y.shape)
    return jnp.mean((jnp.argmax(z, axis=-1) == jnp.argmax(y, axis=-1)).astype(z.dtype))


def _scaled(z: Array, beta: Scalar) -> Array:
    """Beta (z - max z): the shift comes before the factor, so large logits keep their differences."""
    top = jax.lax.stop_gradient(jnp.max(z, axis=-1, keepdims=True))
    return jnp.asarray(beta).astype(z.dtype) * (z - top)
