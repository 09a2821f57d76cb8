"""The activations phi of every network here, and the table that names them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Activation = Callable[[Float[Array, "..."]], Float[Array, "..."]]


def scaled_relu(x: Float[Array, "..."]) -> Float[Array, "..."]:
    """sqrt(2) max(x, 0): the ReLU that keeps E phi(x)^2 = 1 for x ~ N(0, 1).

    Examples
    --------
    >>> scaled_relu(jnp.array([-1.0, 2.0])).round(3).tolist() == jnp.array([0.0, 2.828]).round(3).tolist()
    True
    """
    return jnp.sqrt(jnp.asarray(2, x.dtype)) * jax.nn.relu(x)


def leaky_relu(x: Float[Array, "..."], slope: float = 0.1) -> Float[Array, "..."]:
    """X for x >= 0 and slope * x below.

    Source: width:D10 (the slope of the authors' experiments).

    Examples
    --------
    >>> leaky_relu(jnp.array([-2.0, 3.0]), slope=0.5).tolist()
    [-1.0, 3.0]
    """
    return jnp.where(x >= 0, x, slope * x)


def leaky_softplus(x: Float[Array, "..."], slope: float = 0.1) -> Float[Array, "..."]:
    """(1 - slope) log(1 + e^x) + slope x: analytic, of linear growth at both infinities, phi' bounded.

    Source: width:D10. phi(0) = (1 - slope) log 2.

    Examples
    --------
    >>> round(float(leaky_softplus(jnp.array(0.0), slope=0.5)), 5)
    0.34657
    """
    return (1 - slope) * jax.nn.softplus(x) + slope * x


def identity(x: Float[Array, "..."]) -> Float[Array, "..."]:
    """X itself, for networks whose answers are known in closed form.

    Examples
    --------
    >>> identity(jnp.array(3.0)).item()
    3.0
    """
    return x


def value_and_slope(activation: Activation, z: Float[Array, "..."]) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """phi(z) and phi'(z), entry by entry, in one forward pass.

    Examples
    --------
    >>> [float(part) for part in value_and_slope(jnp.square, jnp.array(3.0))]
    [9.0, 6.0]
    """
    return jax.jvp(activation, (z,), (jnp.ones_like(z),))


ACTIVATIONS: Mapping[str, Activation] = MappingProxyType(
    {
        "erf": jax.scipy.special.erf,
        "tanh": jnp.tanh,
        "relu": jax.nn.relu,
        "scaled_relu": scaled_relu,
        "leaky_relu": leaky_relu,
        "leaky_softplus": leaky_softplus,
        "identity": identity,
    }
)
"""Name (as a grid coordinate spells it) to function."""
