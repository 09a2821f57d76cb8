"""Which correlations the logits of a network's two halves can have, found by search over the second half's readout.

No formula of the range enters: the readout climbs the measured correlation as far as it goes, from where it was drawn,
up and down; any correlation between is looked for on the way from the one end to the other.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array
from scipy.optimize import brentq, minimize

from numerics.halves import Pair
from numerics.models import Layers, Network

CLIMB = {"maxiter": 400, "gtol": 1e-7, "ftol": 0.0}
REACHED = 1e-6
"""How near a climb comes to its end: the last steps of a search that stops by its gradient."""


class Reached(NamedTuple):
    """The ends that were reached, and whether each of a few correlations was met between them."""

    lowest: float
    highest: float
    met: tuple[bool, ...]


def reached(network: Network, pair: Pair, x: Array, wanted: Callable[[float, float], Sequence[float]]) -> Reached:
    """Search from the independent readout of a pair of halves that share their body.

    Parameters
    ----------
    network, pair, x
        Network, both halves' start, and the inputs whose logits are correlated.
    wanted
        From both ends to the correlations that are looked for.
    """
    climb = _climbing(network)
    start, drawn = pair.start, pair.direction
    first = jax.jit(network.apply)(start, x)

    def correlation(flat: np.ndarray) -> float:
        return float(climb(jnp.asarray(flat).reshape(drawn.shape), start, first, x)[0])

    def end(sign: float) -> np.ndarray:
        def descent(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, slope = climb(jnp.asarray(flat).reshape(drawn.shape), start, first, x)
            return -sign * float(value), -sign * np.asarray(slope).ravel()

        return minimize(descent, np.asarray(drawn).ravel(), jac=True, method="L-BFGS-B", options=CLIMB).x

    low, high = end(-1.0), end(1.0)
    stations = (low, np.asarray(drawn).ravel(), high)
    ends = correlation(low), correlation(high)

    def met(target: float) -> bool:
        for one, other in pairwise(stations):
            gap = lambda share, a=one, b=other: correlation(a + share * (b - a)) - target  # noqa: E731
            if gap(0.0) * gap(1.0) <= 0:
                return abs(gap(float(brentq(gap, 0.0, 1.0)))) < REACHED  # type: ignore[arg-type]
        return False

    return Reached(*ends, tuple(met(target) for target in wanted(*ends)))


@cache
def _climbing(network: Network) -> Callable[..., tuple[Array, Array]]:
    """Correlation of both halves' logits, over points and classes, and its slope in the second readout."""

    def correlation(readout: Array, start: Layers, first: Array, x: Array) -> Array:
        second = network.apply(start._replace(readout=readout), x)
        return jnp.sum(first * second) / jnp.sqrt(jnp.sum(first**2) * jnp.sum(second**2))

    return jax.jit(jax.value_and_grad(correlation))
