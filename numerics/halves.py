r"""Initialisations with two halves: z = f(theta_1) + f(theta_2), theta_2 sharing its start with theta_1.

Both halves start with one body theta_0; their readouts are W_1 and W_2 = (w - 1) W_1 + a W', so that the
logits start at z_0 = w f(theta_0) + a u with u the logits of theta_0 read out through W'.

* `exact_offset`: w = 0 and a chosen so that rms(beta z_0) is exactly a given s (temperature catalogue, 2).
* `correlated`: W_2 = c W_1 + sqrt(1 - c^2) W' (temperature:T34, eqs 71-72 of the paper).

The logits are computed as [f(theta_1) - f(theta_0)] + ... + z_0: the same sum, but z_0 is not lost in the
cancellation of two large halves when it is small, and at the start it is exact to rounding.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.core import Tracer
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from numerics.models import Layers, Network


class Pair(NamedTuple):
    """The start of both halves.

    Attributes
    ----------
    start
        theta_0 with readout W_1: the first half at time 0. Depends on the key only.
    direction
        W', a readout drawn independently. Depends on the key only.
    kept
        w above (0 for the exact offset, 1 + c for the correlated start).
    mixed
        a above.
    """

    start: Layers
    direction: PyTree[Float[Array, "..."]]
    kept: Float[Array, ""]
    mixed: Float[Array, ""]


def exact_offset(
    network: Network,
    key: PRNGKeyArray,
    x: Float[Array, "batch ..."],
    *,
    beta: float | Float[Array, ""],
    logit_scale: float | Float[Array, ""],
) -> Pair:
    """Draw a pair whose scaled logits Z_0 = beta z_0 on `x` have rms exactly `logit_scale`.

    a = logit_scale / (beta rms(u)). The direction Z_0 / ||Z_0|| does not depend on (beta, logit_scale), and
    `start`, hence the Jacobian of the first half, is bit-identical over the whole plane.

    Parameters
    ----------
    network, key
        Network with a linear readout; key of the draw (fold 0 the start, fold 1 the direction).
    x
        The inputs on which the rms is taken.
    beta, logit_scale
        Inverse temperature and rms(Z_0) := ||Z_0||_F / sqrt(M K); may be traced.

    Examples
    --------
    >>> from numerics.activations import ACTIVATIONS
    >>> from numerics.models import mlp
    >>> net = mlp(inputs=2, width=8, depth=1, classes=3, activation=ACTIVATIONS["erf"])
    >>> x = jnp.eye(2)
    >>> pair = exact_offset(net, jax.random.key(0), x, beta=4.0, logit_scale=0.5)
    >>> z = one_half_logits(net, pair, pair.start, x)
    >>> round(float(4.0 * jnp.sqrt(jnp.mean(z**2))), 5)
    0.5
    """
    start, direction = _draw(network, key)
    unit = network.apply(start._replace(readout=direction), x)
    beta, logit_scale = _scalar(beta, unit), _scalar(logit_scale, unit)
    mixed = logit_scale / (beta * jnp.sqrt(jnp.mean(unit**2)))
    return Pair(start, direction, jnp.zeros((), unit.dtype), mixed)


def correlated(network: Network, key: PRNGKeyArray, *, correlation: float | Float[Array, ""]) -> Pair:
    """Draw a pair whose readouts have correlation c: W_2 = c W_1 + sqrt(1 - c^2) W'.

    Parameters
    ----------
    network, key
        As for `exact_offset`; the same key gives the same `start` and `direction`.
    correlation
        c in [-1, 1]; a traced value outside gives NaN.

    Raises
    ------
    ValueError
        If a concrete `correlation` is outside [-1, 1].

    Examples
    --------
    At c = 1 both halves are the same network.

    >>> from numerics.activations import ACTIVATIONS
    >>> from numerics.models import mlp
    >>> net = mlp(inputs=2, width=8, depth=1, classes=3, activation=ACTIVATIONS["erf"])
    >>> pair = correlated(net, jax.random.key(0), correlation=1.0)
    >>> z = one_half_logits(net, pair, pair.start, jnp.eye(2))
    >>> bool(jnp.allclose(z, 2 * net.apply(pair.start, jnp.eye(2))))
    True
    """
    if not isinstance(correlation, Tracer) and not -1 <= float(correlation) <= 1:
        raise ValueError(f"correlated: correlation={float(correlation)} is outside [-1, 1]; pass |c| <= 1")
    start, direction = _draw(network, key)
    c = _scalar(correlation, jax.tree.leaves(start.readout)[0])
    return Pair(start, direction, 1 + c, jnp.sqrt((1 - c) * (1 + c)))


def one_half_logits(
    network: Network, pair: Pair, trained: Layers, x: Float[Array, "batch ..."]
) -> Float[Array, "batch class_"]:
    """Logits when the first half is at `trained` and the second stays at its start.

    z = [f(trained, x) - f(start, x)] + z_0(x). Equal to z_0 at trained = start.

    Examples
    --------
    See `exact_offset`.
    """
    return _moved(network, trained, pair.start, x) + initial_logits(network, pair, x)


def both_halves_logits(
    network: Network, pair: Pair, halves: tuple[Layers, Layers], x: Float[Array, "batch ..."]
) -> Float[Array, "batch class_"]:
    """Logits when both halves move: the counter-system of temperature:E27.

    Train from `(pair.start, second_half(pair))`.

    Examples
    --------
    >>> from numerics.activations import ACTIVATIONS
    >>> from numerics.models import mlp
    >>> net = mlp(inputs=2, width=8, depth=1, classes=3, activation=ACTIVATIONS["erf"])
    >>> pair = correlated(net, jax.random.key(0), correlation=-1.0)
    >>> z = both_halves_logits(net, pair, (pair.start, second_half(pair)), jnp.eye(2))
    >>> float(abs(z).max())
    0.0
    """
    first, second = halves
    return (
        _moved(network, first, pair.start, x)
        + _moved(network, second, second_half(pair), x)
        + initial_logits(network, pair, x)
    )


def second_half(pair: Pair) -> Layers:
    """The second half at time 0: body of the first, readout (w - 1) W_1 + a W'.

    Examples
    --------
    >>> pair = Pair(Layers((), jnp.array([2.0])), jnp.array([3.0]), jnp.array(0.0), jnp.array(0.5))
    >>> second_half(pair).readout.tolist()
    [-0.5]
    """
    readout = jax.tree.map(
        lambda first, other: (pair.kept - 1) * first + pair.mixed * other, pair.start.readout, pair.direction
    )
    return pair.start._replace(readout=readout)


def initial_logits(
    network: Network, pair: Pair, x: Float[Array, "batch ..."]
) -> Float[Array, "batch class_"]:
    """z_0(x) = w f(theta_0, x) + a u(x), with no cancellation.

    Examples
    --------
    See `exact_offset`.
    """
    unit = network.apply(pair.start._replace(readout=pair.direction), x)
    return pair.kept * network.apply(pair.start, x) + pair.mixed * unit


def _moved(network: Network, now: Layers, start: Layers, x: Array) -> Array:
    return network.apply(now, x) - network.apply(start, x)


def _draw(network: Network, key: PRNGKeyArray) -> tuple[Layers, PyTree]:
    start = network.init(jax.random.fold_in(key, 0))
    return start, network.init(jax.random.fold_in(key, 1)).readout


def _scalar(value: float | Array, like: Array) -> Array:
    return jnp.asarray(value).astype(like.dtype)
