"""Small fully connected networks as pairs of pure functions: draw parameters, compute logits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from numerics.activations import Activation
from numerics.doors import positive_integer
from numerics.dots import dot


class Layers(NamedTuple):
    """Parameters of a network, cut before its last layer.

    The logits are linear in `readout` (a weight matrix, or weights and bias), which is what the
    initialisations of `numerics.halves` and the readout identity temperature:T28a need.
    """

    body: PyTree[Float[Array, "..."]]
    readout: PyTree[Float[Array, "..."]]


@dataclass(frozen=True)
class Network:
    """A network as two pure functions.

    Attributes
    ----------
    init : key -> Layers
        Draws the parameters.
    apply : (Layers, x of shape (batch, ...)) -> logits of shape (batch, class_)
        Row i of the output depends on row i of the input only.
    """

    init: Callable[[PRNGKeyArray], Layers]
    apply: Callable[[Layers, Float[Array, "batch ..."]], Float[Array, "batch class_"]]


def mlp(*, inputs: int, width: int, depth: int, classes: int, activation: Activation, dtype: Any = float) -> Network:
    """Bias-free multilayer perceptron in the parametrisation of the temperature catalogue, section 2.

    h_0 = x; h_l = phi(h_{l-1} W_l / sqrt(fan_in)) for l = 1..depth; z = h_depth W_O / sqrt(width); every
    entry of every W is N(0, 1).

    Parameters
    ----------
    inputs, width, depth, classes
        d, n, L (hidden layers) and K, each at least 1. Inputs of d features that were rotated to r
        coordinates must be multiplied by (r / d)^(1/2), since the first layer divides by sqrt(inputs).
    activation
        phi; `numerics.activations.ACTIVATIONS` has the usual ones.
    dtype
        Of the parameters; `float` means float64 where x64 is on. Draws differ between dtypes for the same
        key: to compare precisions, draw once and cast.

    Returns
    -------
    Network
        body: tuple of `depth` matrices; readout: one matrix (width, classes).

    Raises
    ------
    ValueError
        If a size is not a positive integer.

    Examples
    --------
    One hidden unit, identity activation: z = x W_1 W_O.

    >>> from numerics.activations import identity
    >>> network = mlp(inputs=1, width=1, depth=1, classes=1, activation=identity)
    >>> network.apply(Layers((jnp.array([[2.0]]),), jnp.array([[5.0]])), jnp.array([[3.0]])).tolist()
    [[30.0]]
    """
    sizes = _sizes("mlp", inputs=inputs, width=width, depth=depth, classes=classes)
    fans = (sizes["inputs"],) + (sizes["width"],) * sizes["depth"]

    def init(key: PRNGKeyArray) -> Layers:
        *body_keys, readout_key = jax.random.split(key, sizes["depth"] + 1)
        body = tuple(
            jax.random.normal(k, (fan, sizes["width"]), dtype=dtype)
            for k, fan in zip(body_keys, fans[:-1], strict=True)
        )
        return Layers(body, jax.random.normal(readout_key, (sizes["width"], sizes["classes"]), dtype=dtype))

    def apply(params: Layers, x: Float[Array, "batch inputs"]) -> Float[Array, "batch class_"]:
        hidden = x
        for weights in params.body:
            hidden = activation(dot(hidden, weights) / float(weights.shape[0]) ** 0.5)
        return dot(hidden, params.readout) / float(params.readout.shape[0]) ** 0.5

    return Network(init, apply)


def dense(*, sizes: tuple[int, ...], activation: Activation, gain: float = 1.0, dtype: Any = float) -> Network:
    """Multilayer perceptron with biases in the standard parametrisation.

    h_l = phi(h_{l-1} W_l + b_l), z = h W + b; W ~ N(0, gain^2 / fan_in), b = 0 at the start. This is the
    network of the breakeven catalogue, section 7: `sizes=(64, 32, 32, 32, 32, 10)` with tanh.

    Parameters
    ----------
    sizes
        Inputs, hidden widths, classes: at least two positive integers.
    activation, gain, dtype
        phi; standard deviation of W times sqrt(fan_in) (2**0.5 for ReLU); dtype of the parameters.

    Returns
    -------
    Network
        body: tuple of (weights, bias); readout: (weights, bias).

    Raises
    ------
    ValueError
        If `sizes` has fewer than two entries or an entry below 1.

    Examples
    --------
    >>> from numerics.activations import identity
    >>> network = dense(sizes=(1, 1), activation=identity)
    >>> network.apply(Layers((), (jnp.array([[2.0]]), jnp.array([1.0]))), jnp.array([[3.0]])).tolist()
    [[7.0]]
    """
    if len(sizes) < 2:
        raise ValueError(f"dense: sizes={sizes} names no layer; pass inputs, hidden widths and classes")
    checked = tuple(positive_integer("dense", f"sizes[{i}]", size) for i, size in enumerate(sizes))

    def init(key: PRNGKeyArray) -> Layers:
        keys = jax.random.split(key, len(checked) - 1)
        layers = tuple(
            affine_layer(k, (fan_in, out), gain, dtype)
            for k, fan_in, out in zip(keys, checked[:-1], checked[1:], strict=True)
        )
        return Layers(layers[:-1], layers[-1])

    def apply(params: Layers, x: Float[Array, "batch inputs"]) -> Float[Array, "batch class_"]:
        hidden = x
        for layer in params.body:
            hidden = activation(affine(hidden, layer))
        return affine(hidden, params.readout)

    return Network(init, apply)


def affine_layer(
    key: PRNGKeyArray, shape: tuple[int, int], gain: float, dtype: Any
) -> tuple[Float[Array, "fan_in out"], Float[Array, "out"]]:
    """Weights N(0, gain^2 / fan_in) and a zero bias.

    Examples
    --------
    >>> weights, bias = affine_layer(jax.random.key(0), (4, 2), 1.0, float)
    >>> weights.shape, bias.tolist()
    ((4, 2), [0.0, 0.0])
    """
    scale = gain / float(shape[0]) ** 0.5
    return scale * jax.random.normal(key, shape, dtype=dtype), jnp.zeros(shape[1], dtype=dtype)


def affine(
    x: Float[Array, "batch fan_in"], layer: tuple[Float[Array, "fan_in out"], Float[Array, "out"]]
) -> Float[Array, "batch out"]:
    """X W + b.

    Examples
    --------
    >>> affine(jnp.array([[3.0]]), (jnp.array([[2.0]]), jnp.array([1.0]))).tolist()
    [[7.0]]
    """
    weights, bias = layer
    return dot(x, weights) + bias[None, :]


def _sizes(who: str, **values: int) -> dict[str, int]:
    return {name: positive_integer(who, name, value) for name, value in values.items()}
