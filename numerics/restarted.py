"""The two ends of a spectrum to any accuracy in the memory of a few vectors: Lanczos that begins again from what it
has found.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from numerics.doors import positive_integer
from numerics.lanczos import EigenPairs, Product, lanczos


class Ends(NamedTuple):
    """One pair at either end, by the *algebraic* order.

    Attributes
    ----------
    top, bottom
        Largest and smallest eigenvalue, each with its vector and its residual.
    """

    top: EigenPairs
    bottom: EigenPairs


def restarted_ends(product: Product, start: Float[Array, "size"], steps: int, sweeps: int) -> Ends:
    """Largest and smallest eigenpair by `sweeps` runs of `lanczos` for each end, each from the last one's vector.

    The space of a run holds the vector that it starts from, so no end ever moves back inwards. Where that vector is an
    eigenvector, the run goes on from a pseudorandom one, so that it does not stay at another than the last.

    Parameters
    ----------
    product, start
        As in `numerics.lanczos`.
    steps
        Dimension of the basis of one run, at most size. Memory: that of one run, 2 * steps * size numbers and a
        product; it does not grow with the sweeps.
    sweeps
        Runs for each end; 2 * steps * sweeps products in all.

    Accuracy
    --------
    |value - nearest eigenvalue| <= residual. More products are needed than in one run whose basis holds them all.

    Raises
    ------
    ValueError
        By `lanczos`, and if `sweeps` is below 1, before tracing.

    Examples
    --------
    >>> a = jnp.diag(jnp.array([3.0, 1.0, 2.0, -6.0]))
    >>> found = restarted_ends(lambda v: a @ v, jnp.ones(4), 2, 12)
    >>> found.top.values.round(3).tolist(), found.bottom.values.round(3).tolist()
    ([3.0], [-6.0])
    """
    sweeps = positive_integer("restarted_ends", "sweeps", sweeps)

    def sweep(_: Array, found: Ends) -> Ends:
        top, bottom = found.top.vectors[0], found.bottom.vectors[0]
        return Ends(
            lanczos(product, top, steps, bottom=0).top,
            lanczos(product, bottom, steps, top=0).bottom,
        )

    nothing = jnp.zeros(1, start.dtype)
    first = EigenPairs(nothing, start[None], nothing)
    return jax.lax.fori_loop(0, sweeps, sweep, Ends(first, first))
