"""A small convolutional network, with the convolution as a function that can be exchanged.

Inside a compiled loop XLA's CPU convolutions are several times slower than outside; shifted slices and one
matrix product are not, so they are the default. On a GPU pass `xla_convolution`. The two agree to rounding.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.doors import positive_integer
from numerics.dots import dot
from numerics.models import Layers, Network, affine, affine_layer

Images = Float[Array, "batch height width channels"]
Convolution = Callable[[Images, Float[Array, "9*channels out"]], Float[Array, "batch height width out"]]


def shifted_convolution(
    x: Float[Array, "batch height width channels"], weights: Float[Array, "patch out"]
) -> Float[Array, "batch height width out"]:
    """3 x 3 convolution with zero padding ("same") as one matrix product of nine shifted copies.

    Row (3 i + j) channels + c of `weights` multiplies channel c at offset (i - 1, j - 1).

    Examples
    --------
    >>> shifted_convolution(jnp.ones((1, 2, 2, 1)), jnp.ones((9, 1)))[0, :, :, 0].tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    height, width = x.shape[1:3]
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    shifted = [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
    return dot(jnp.concatenate(shifted, axis=-1), weights)


def xla_convolution(
    x: Float[Array, "batch height width channels"], weights: Float[Array, "patch out"]
) -> Float[Array, "batch height width out"]:
    """The same convolution by XLA's own operation.

    Examples
    --------
    >>> xla_convolution(jnp.ones((1, 2, 2, 1)), jnp.ones((9, 1)))[0, :, :, 0].tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    return jax.lax.conv_general_dilated(
        x,
        weights.reshape(3, 3, x.shape[-1], weights.shape[-1]),
        window_strides=(1, 1),
        padding="SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        precision=jax.lax.Precision.HIGHEST,
    )


def max_pool(x: Images) -> Float[Array, "batch height2 width2 channels"]:
    """Largest of each 2 x 2 block; height and width must be even.

    Examples
    --------
    >>> max_pool(jnp.arange(4.0).reshape(1, 2, 2, 1)).tolist()
    [[[[3.0]]]]
    """
    batch, height, width, channels = x.shape
    return x.reshape(batch, height // 2, 2, width // 2, 2, channels).max(axis=(2, 4))


def simple_cnn(
    *,
    image: tuple[int, int, int] = (8, 8, 1),
    blocks: tuple[tuple[int, ...], ...] = ((8, 8), (16, 16)),
    hidden: int = 32,
    classes: int = 10,
    gain: float = 2**0.5,
    convolution: Convolution = shifted_convolution,
    dtype: Any = float,
) -> Network:
    """ReLU network of blocks of 3 x 3 convolutions, each block ended by a max-pool, then dense layers.

    The defaults are "SimpleCNN-tiny" (conv8-8-pool-16-16-pool-dense32-10) of the breakeven catalogue, section
    7.3; `image=(32, 32, 3), blocks=((32, 32), (64, 64)), hidden=128` is the paper's SimpleCNN.

    Parameters
    ----------
    image
        Height, width, channels; inputs of shape (batch, height * width * channels) are reshaped to it.
    blocks, hidden, classes
        Channels of the convolutions of each block; units of the dense layer; logits.
    gain, convolution, dtype
        Standard deviation of weights times sqrt(fan_in); biases start at 0.

    Raises
    ------
    ValueError
        If a size is below 1, or height or width cannot be halved once for each block.

    Examples
    --------
    >>> network = simple_cnn()
    >>> params = jax.eval_shape(network.init, jax.random.key(0))
    >>> sum(leaf.size for leaf in jax.tree.leaves(params))
    6562
    """
    height, width, channels = (positive_integer("simple_cnn", "image", size) for size in image)
    factor = 2 ** len(blocks)
    if height % factor or width % factor:
        raise ValueError(
            f"simple_cnn: image={image} cannot be halved {len(blocks)} times; pass multiples of {factor}"
        )
    kernels = [positive_integer("simple_cnn", "blocks", out) for block in blocks for out in block]
    fans = [9 * fan for fan in (channels, *kernels[:-1])]
    flat = (height // factor) * (width // factor) * (kernels[-1] if kernels else channels)
    hidden = positive_integer("simple_cnn", "hidden", hidden)
    classes = positive_integer("simple_cnn", "classes", classes)
    shapes = [*zip(fans, kernels, strict=True), (flat, hidden), (hidden, classes)]

    def init(key: PRNGKeyArray) -> Layers:
        keys = jax.random.split(key, len(shapes))
        layers = tuple(affine_layer(k, shape, gain, dtype) for k, shape in zip(keys, shapes, strict=True))
        return Layers(layers[:-1], layers[-1])

    def apply(params: Layers, x: Float[Array, "batch ..."]) -> Float[Array, "batch class_"]:
        layers = iter(params.body)
        out = x.reshape(x.shape[0], *image)
        for block in blocks:
            for _ in block:
                weights, bias = next(layers)
                out = jax.nn.relu(convolution(out, weights) + bias[None, None, None, :])
            out = max_pool(out)
        out = jax.nn.relu(affine(out.reshape(out.shape[0], -1), next(layers)))
        return affine(out, params.readout)

    return Network(init, apply)
