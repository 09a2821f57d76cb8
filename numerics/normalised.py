"""A batch-normalised multilayer perceptron: its logits are linear in the readout, but no row stands alone."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.activations import Activation
from numerics.doors import positive_integer
from numerics.dots import dot
from numerics.models import Layers, Network, affine, affine_layer

FLOOR = 1e-5
"""Added to every variance, as usual."""


def normalised(
    x: Float[Array, "batch features"], scale: Float[Array, "features"], shift: Float[Array, "features"]
) -> Float[Array, "batch features"]:
    """Each feature minus its mean over the batch, over its standard deviation, times scale plus shift.

    Examples
    --------
    >>> normalised(jnp.array([[1.0], [3.0]]), jnp.ones(1), jnp.zeros(1)).round(3).tolist()
    [[-1.0], [1.0]]
    """
    centred = x - jnp.mean(x, axis=0, keepdims=True)
    spread = jnp.mean(centred**2, axis=0, keepdims=True)
    return centred * jax.lax.rsqrt(spread + FLOOR) * scale[None, :] + shift[None, :]


def normalised_mlp(
    *, inputs: int, width: int, depth: int, classes: int, activation: Activation, gain: float = 1.0, dtype: Any = float
) -> Network:
    """Multilayer perceptron with batch normalisation before each activation.

    h_l = phi(normalised(h_{l-1} W_l; scale_l, shift_l)), z = h W + b; W ~ N(0, gain^2 / fan_in), scales 1,
    shifts and b 0 at the start. Statistics are those of the batch at hand, in training and in testing.

    Parameters
    ----------
    inputs, width, depth, classes
        Features, units of a hidden layer, hidden layers, logits.
    activation, gain, dtype
        phi; standard deviation of weights times sqrt(fan_in); dtype of the parameters.

    Returns
    -------
    Network
        body: tuple of (weights, scale, shift); readout: (weights, bias). Rows of the output depend on all rows of
        the input, unlike those of other networks here.

    Raises
    ------
    ValueError
        If a size is not a positive integer.

    Examples
    --------
    Scaling a body's weights changes (nearly) nothing.

    >>> from numerics.activations import ACTIVATIONS
    >>> net = normalised_mlp(inputs=2, width=3, depth=1, classes=1, activation=ACTIVATIONS["relu"])
    >>> params, x = net.init(jax.random.key(0)), jnp.array([[1.0, 2.0], [3.0, -1.0], [0.0, 1.0]])
    >>> (weights, scale, shift), = params.body
    >>> other = params._replace(body=((3 * weights, scale, shift),))
    >>> bool(jnp.allclose(net.apply(params, x), net.apply(other, x), atol=1e-3))
    True
    """
    sizes = {"inputs": inputs, "width": width, "depth": depth, "classes": classes}
    inputs, width, depth, classes = (positive_integer("normalised_mlp", name, size) for name, size in sizes.items())

    def init(key: PRNGKeyArray) -> Layers:
        keys = jax.random.split(key, depth + 1)
        fans = (inputs,) + (width,) * (depth - 1)
        body = tuple(
            (affine_layer(k, (fan, width), gain, dtype)[0], jnp.ones(width, dtype), jnp.zeros(width, dtype))
            for k, fan in zip(keys[:-1], fans, strict=True)
        )
        return Layers(body, affine_layer(keys[-1], (width, classes), gain, dtype))

    def apply(params: Layers, x: Float[Array, "batch inputs"]) -> Float[Array, "batch class_"]:
        hidden = x
        for weights, scale, shift in params.body:
            hidden = activation(normalised(dot(hidden, weights), scale, shift))
        return affine(hidden, params.readout)

    return Network(init, apply)
