"""What momentum does to a network and to its tangent plane from one start, in real steps on the loss with beta."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array

from numerics import losses
from numerics.halves import Pair, one_half_logits
from numerics.models import Network
from numerics.rules import DAMPED_HEAVY_BALL
from numerics.tangent import Logits, Parameters, linearise
from numerics.timescales import tangent_plane

SUBSTEPS = 64
CANONICAL_DAMPING = 3.0
"""Damping in canonical time of what :func:`displaced` follows."""


def functions(network: Network, pair: Pair, x: Array) -> tuple[Logits, Logits]:
    """Logits of the trained half in its parameters, and of its tangent plane."""

    def logits(params: Parameters) -> Array:
        return one_half_logits(network, pair, params, x)

    return logits, tangent_plane(logits, pair.start)


def slope(logits: Logits, y: Array, beta: Array) -> Callable[[Parameters], Parameters]:
    """Gradient of the loss that carries beta."""
    return jax.grad(lambda params: losses.total(losses.cross_entropy)(logits(params), y, beta))


def squared(tree: Any) -> Array:
    """Sum of all squared entries."""
    return sum((jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)), jnp.zeros(()))


def trajectories(
    both: tuple[Logits, Logits],
    start: Parameters,
    y: Array,
    beta: Array,
    powers: Array,
    settings: Mapping[str, Array],
    steps: tuple[int, ...],
) -> Mapping[str, Array]:
    """Scaled logits of network and tangent plane after chosen steps, and what the gradient is made of."""
    line = linearise(both[0], start)

    def descend(function: Logits, power: Array) -> Array:
        gradient = slope(function, y, beta)
        chosen = {"learning_rate": settings["eta_tilde"] * beta**power, "damping": settings["gamma"]}

        def to_record(state: Any, count: Array) -> tuple[Any, Array]:
            step = lambda _, now: DAMPED_HEAVY_BALL.step(now[0], now[1], gradient(now[0]), chosen)  # noqa: E731
            state = jax.lax.fori_loop(0, count, step, state)
            return state, beta * function(state[0])

        begin = (start, DAMPED_HEAVY_BALL.start(start))
        return jax.lax.scan(to_record, begin, jnp.diff(jnp.array((0, *steps))))[1]

    units = jnp.eye(line.logits.size).reshape(-1, *line.logits.shape)
    return {
        "path": jnp.stack([jax.lax.map(partial(descend, function), powers) for function in both]),
        "start": beta * line.logits,
        "squared_gradient": squared(slope(both[0], y, beta)(start)),
        "squared_residual": jnp.sum(losses.residual(line.logits, y, beta) ** 2),
        "squared_Jacobian": jnp.sum(jax.lax.map(lambda unit: squared(line.pull(unit)), units)),
    }


def early(
    logits: Logits, start: Parameters, y: Array, damping: Array, root_eta: Array, steps: int
) -> Mapping[str, Array]:
    """How far the logits have come along the drive after each of many tiny steps, at beta = 1."""
    gradient = slope(logits, y, jnp.ones(()))
    line = linearise(logits, start)
    drive = line.push(line.pull(losses.residual(line.logits, y)))
    chosen = {"learning_rate": root_eta**2, "damping": root_eta * damping}

    def step(state: Any, _: None) -> tuple[Any, tuple[Array, Array]]:
        state = DAMPED_HEAVY_BALL.step(state[0], state[1], gradient(state[0]), chosen)
        moved = logits(state[0]) - line.logits
        return state, (jnp.sum(moved * drive) / jnp.sum(drive**2), jnp.linalg.norm(moved))

    along, size = jax.lax.scan(step, (start, DAMPED_HEAVY_BALL.start(start)), None, length=steps)[1]
    goal = jnp.linalg.norm(line.logits)
    after = jnp.argmax(size >= goal)
    before = jnp.maximum(after - 1, 0)
    share = (goal - size[before]) / (size[after] - size[before])
    return {
        "along": along,
        "tau_z": jnp.where(size[-1] >= goal, root_eta * (before.astype(share.dtype) + 1 + share), jnp.nan),
        "ratio": goal / jnp.linalg.norm(drive),
    }


def displaced(logits: Logits, start: Parameters, y: Array, tau: Array, ways: Array) -> Array:
    """Displacement along a few directions in canonical time with a damping, by steps of Runge and Kutta."""
    gradient = slope(logits, y, jnp.ones(()))
    h = tau / SUBSTEPS

    def shifted(state: Any, rate: Any, amount: Array) -> Any:
        return jax.tree.map(lambda s, r: s + amount * r, state, rate)

    def field(state: Any) -> Any:
        moved, velocity = state
        here = jax.tree.map(lambda a, b: a + b, start, moved)
        return velocity, jax.tree.map(lambda v, g: -CANONICAL_DAMPING * v - g, velocity, gradient(here))

    def step(state: Any, _: None) -> tuple[Any, None]:
        one = field(state)
        two = field(shifted(state, one, h / 2))
        three = field(shifted(state, two, h / 2))
        four = field(shifted(state, three, h))
        mean = jax.tree.map(lambda a, b, c, d: (a + 2 * b + 2 * c + d) / 6, one, two, three, four)
        return shifted(state, mean, h), None

    zero = jax.tree.map(jnp.zeros_like, start)
    (moved, _), _ = jax.lax.scan(step, (zero, zero), None, length=SUBSTEPS)
    return along(ways, moved)


def along(ways: Array, tree: Any) -> Array:
    """Components of a tree of parameters along directions, one in each row."""
    return jnp.einsum("wp,p->w", ways, ravel_pytree(tree)[0])
