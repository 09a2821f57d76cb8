"""The trace of a symmetric operator that is known only through its products with vectors."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.doors import positive_integer


class Trace(NamedTuple):
    """An estimate and its standard error, from the scatter of the probes."""

    value: Float[Array, ""]
    error: Float[Array, ""]


def stochastic_trace(
    product: Callable[[Float[Array, "size"]], Float[Array, "size"]],
    key: PRNGKeyArray,
    size: int,
    dtype: Any,
    probes: int,
) -> Trace:
    """Mean of z^T A z over vectors z of random signs, whose expectation is Tr A (Hutchinson).

    Its variance is 2 sum_{i != j} A_ij^2 / probes: nothing for a diagonal A. Memory: two vectors, whatever the number
    of probes.

    Parameters
    ----------
    product
        v -> A v for symmetric A; linearise once, outside (see `numerics.curvature`).
    size, dtype
        Of the vectors.
    probes
        Number of products, at least 2.

    Raises
    ------
    ValueError
        If `probes` is below 2, or `size` below 1.

    Examples
    --------
    >>> found = stochastic_trace(lambda v: jnp.array([3.0, -1.0]) * v, jax.random.key(0), 2, float, 2)
    >>> float(found.value), float(found.error)
    (2.0, 0.0)
    """
    positive_integer("stochastic_trace", "size", size)
    if positive_integer("stochastic_trace", "probes", probes) < 2:
        raise ValueError("stochastic_trace: probes=1 shows no scatter; pass at least 2")

    def form(probe: Array) -> Array:
        signs = jax.random.rademacher(jax.random.fold_in(key, probe), (size,), dtype)
        return jnp.sum(signs * product(signs))

    forms = jax.lax.map(form, jnp.arange(probes))
    return Trace(jnp.mean(forms), jnp.std(forms, ddof=1) / probes**0.5)
