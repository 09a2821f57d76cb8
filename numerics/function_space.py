r"""Training a one-hidden-layer network through its pre-activations: the first layer's weights never appear.

Updates of the first layer lie in the span of the training inputs, w_r = w_r(0) - eta_w sum_i c_ir x_i, so that
pre-activations anywhere are z(x) = z_0(x) - eta_w G(x, .) c with the Gram matrix G of the inputs. A step costs
(batch + 1) x points x width instead of three products with all features: the same mathematics, to rounding, for a
fraction of the work where there are more features than points.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from numerics.activations import Activation, leaky_relu, value_and_slope
from numerics.doors import positive_integer
from numerics.dots import dot

Scalar = float | Float[Array, ""]


class Inner(NamedTuple):
    """Inner products of inputs: of training points with each other, and of test points with them; labels of +-1.

    ``test_square`` holds the test points' own squared norms.
    """

    train: Float[Array, "points points"]
    test: Float[Array, "batch points"]
    test_square: Float[Array, "batch"]
    y_train: Float[Array, "points"]
    y_test: Float[Array, "batch"]


class Start(NamedTuple):
    """A network at the start: output weights, and pre-activations at training and test points."""

    a: Float[Array, "width"]
    z_train: Float[Array, "points width"]
    z_test: Float[Array, "batch width"]


class Rates(NamedTuple):
    """Learning rates of both layers in the original units, and the coefficient of the frozen initial sum."""

    output: Scalar
    inputs: Scalar
    frozen: Scalar = 0.0


class Seen(NamedTuple):
    """What is recorded before a step.

    Attributes
    ----------
    logits
        At the test points.
    kernel
        Tangent kernel's diagonal at the test points, each layer's part times its learning rate.
    accuracy, train_accuracy
        Shares of points whose logit has the sign of their label.
    """

    logits: Float[Array, "record batch"]
    kernel: Float[Array, "record batch"]
    accuracy: Float[Array, "record"]
    train_accuracy: Float[Array, "record"]


def inner_products(x_train: Any, x_test: Any, y_train: Any, y_test: Any, dtype: Any = float) -> Inner:
    """Gram matrices, summed in float64.

    Examples
    --------
    >>> inner_products([[1.0, 2.0]], [[3.0, 0.0]], [1.0], [-1.0]).test.tolist()
    [[3.0]]
    """
    train, test = np.asarray(x_train, np.float64), np.asarray(x_test, np.float64)
    if train.ndim != 2 or test.ndim != 2 or train.shape[1] != test.shape[1]:
        raise ValueError(
            f"inner_products: inputs have shapes {train.shape} and {test.shape}; rows of one length are needed; "
            "flatten them"
        )
    parts = (np.matmul(train, train.T), np.matmul(test, train.T), np.sum(test**2, axis=1), y_train, y_test)
    return Inner(*(jnp.asarray(np.asarray(part), dtype=dtype) for part in parts))


def draw(
    key: Array, x_train: Float[Array, "points inputs"], x_test: Float[Array, "batch inputs"], *, width: int,
    scale_output: Scalar, scale_inputs: Scalar,
) -> Start:  # fmt: skip
    """Draw Gaussian weights of the two standard deviations and keep the pre-activations.

    Examples
    --------
    >>> x = jnp.ones((3, 2))
    >>> draw(jax.random.key(0), x, x, width=4, scale_output=1.0, scale_inputs=1.0).z_train.shape
    (3, 4)
    """
    width = positive_integer("draw", "width", width)
    key_a, key_w = jax.random.split(key)
    a = scale_output * jax.random.normal(key_a, (width,), dtype=x_train.dtype)
    weights = scale_inputs * jax.random.normal(key_w, (x_train.shape[1], width), dtype=x_train.dtype)
    return Start(a, dot(x_train, weights), dot(x_test, weights))


def train(
    start: Start,
    inner: Inner,
    rates: Rates,
    steps: Int[Array, "record"],
    *,
    batch: int,
    activation: Activation = leaky_relu,
) -> Seen:
    """Gradient descent on the mean logistic loss, with batches in one fixed order; both layers at once.

    Parameters
    ----------
    start
        The network; pre-activations at the points that ``inner`` speaks of.
    rates
        f = sum a_r phi(w_r.x) + frozen times the initial sum; only the first sum is trained.
    steps
        Increasing numbers of updates before each record, 0 meaning the start.
    batch
        Points of a step, which divides the number of training points; batch j holds points j batch and following.

    Accuracy
        Rounding: equal to plain training to 1e-10 in float64 (tested).

    Raises
    ------
    ValueError
        If the batch does not divide the number of points.

    Examples
    --------
    a = 1, z = 0, phi = identity, x = y = 1: the gradient is -1/2, and only z moves, by 1/2.

    >>> from numerics.activations import identity
    >>> one, zero = jnp.ones((1, 1)), jnp.zeros((1, 1))
    >>> inner = Inner(one, one, one[0], one[0], one[0])
    >>> begun = Start(one[0], zero, zero)
    >>> train(begun, inner, Rates(1.0, 1.0), jnp.array([0, 1]), batch=1, activation=identity).logits.tolist()
    [[0.0], [0.5]]
    """
    points = inner.train.shape[0]
    if points % positive_integer("train", "batch", batch):
        raise ValueError(f"train: batch={batch} does not divide {points} points; pass a divisor")
    initial_train = rates.frozen * dot(activation(start.z_train), start.a)
    initial_test = rates.frozen * dot(activation(start.z_test), start.a)
    zero = jnp.zeros_like(start.z_train)

    def advance(step: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
        a, moved = now
        at = (step % (points // batch)) * batch
        rows = partial(jax.lax.dynamic_slice_in_dim, start_index=at, slice_size=batch)
        z = rows(start.z_train) - rates.inputs * dot(rows(inner.train), moved)
        value, slope = value_and_slope(activation, z)
        y = rows(inner.y_train)
        gradient = -y * jax.nn.sigmoid(-y * (dot(value, a) + rows(initial_train))) / batch
        pull = gradient[:, None] * a[None, :] * slope
        moved = jax.lax.dynamic_update_slice_in_dim(moved, rows(moved) + pull, at, 0)
        return a - rates.output * dot(gradient, value), moved

    def seen(now: tuple[Array, Array]) -> Seen:
        a, moved = now
        value, slope = value_and_slope(activation, start.z_test - rates.inputs * dot(inner.test, moved))
        logits = dot(value, a) + initial_test
        kernel = rates.output * jnp.sum(value**2, axis=1)
        kernel = kernel + rates.inputs * inner.test_square * dot(slope**2, a**2)
        at_train = activation(start.z_train - rates.inputs * dot(inner.train, moved))
        right = jnp.mean((inner.y_test * logits > 0).astype(a.dtype))
        learnt = inner.y_train * (dot(at_train, a) + initial_train) > 0
        return Seen(logits, kernel, right, jnp.mean(learnt.astype(a.dtype)))

    def to_record(carry: tuple[tuple[Array, Array], Array], stop: Array) -> tuple[Any, Seen]:
        now, at = carry
        now = jax.lax.fori_loop(at, stop, advance, now)
        return (now, stop), seen(now)

    steps = jnp.asarray(steps, dtype=jnp.int32)
    _, found = jax.lax.scan(to_record, ((start.a, zero), jnp.zeros((), jnp.int32)), steps)
    return found
