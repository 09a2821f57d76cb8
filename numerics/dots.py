"""The one matrix product: in the full precision of its dtype, whatever the device would do by default."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def dot(a: Float[Array, "*rows inner"], b: Float[Array, "inner *columns"]) -> Float[Array, "..."]:
    """A B without TF32: a GPU's default rounds the factors of a float32 product to 11 bits.

    Parameters
    ----------
    a, b
        Matrices or vectors of one dtype, as for `jax.numpy.matmul`.

    Accuracy
        Rounding of the dtype times the root of the inner length.

    Examples
    --------
    >>> dot(jnp.ones((1, 2)), jnp.array([[1.0], [2.0]])).tolist()
    [[3.0]]
    """
    return jnp.matmul(a, b, precision=jax.lax.Precision.HIGHEST)
