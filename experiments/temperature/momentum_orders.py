"""Momentum beside what its schemes and limits leave out: canonical steps, strong damping, damping not yet felt."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.momentum_steps import walk
from numerics import losses
from numerics.rules import DAMPED_HEAVY_BALL

POINTS, CLASSES, PARAMETERS = 3, 3, 12
TIES: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "tied": lambda step, beta: step,
    "untied": lambda step, beta: step / beta,
}
"""The damping of a step over gamma~: beta sqrt(eta), or the sqrt(eta) of the first scheme."""
FINEST = 8192
"""Steps of the path that the others are compared with."""
GAMMA, SETTLED = 0.05, 1500
"""Damping under which the curvature is felt slowly, and steps after which nothing of the start is left."""
FINE = 1e-4
"""Canonical step where the damping is felt late."""


def measure(
    replicates: Replicates,
    data: None,
    tie: str,
    beta: np.ndarray,
    canonical_step: np.ndarray,
    curvature_ratio: np.ndarray,
    drag: np.ndarray,
    late: np.ndarray,
    time: float,
) -> Mapping[str, Any]:
    """How far paths of the second scheme are from one fine path, and three timescales along one direction."""
    models, draws = [], []
    for random in replicates.generators():
        jacobian = random.standard_normal((POINTS * CLASSES, PARAMETERS)) / np.sqrt(PARAMETERS)
        start = random.standard_normal((POINTS, CLASSES))
        models.append((jacobian, start, np.eye(CLASSES)[random.integers(0, CLASSES, POINTS)]))
        draws.append(random.uniform(0.5, 2.0, size=2))
    slope, damping = np.array(draws).T
    arrays = tuple(jnp.asarray(np.stack(part)) for part in zip(*models, strict=True))
    counts = np.rint(time / canonical_step).astype(int)

    def paths(rates: np.ndarray, counts: np.ndarray, betas: np.ndarray, damped: np.ndarray) -> np.ndarray:
        return np.asarray(compiled()(*(jnp.asarray(a) for a in (counts, betas, rates, damped)), *arrays))

    steps = time / counts[:, None] * np.ones_like(beta)
    found = paths((steps / beta) ** 2, counts, beta, TIES[tie](steps, beta))
    one, finest = np.ones(1), np.array([FINEST])
    fine = time / finest[:, None]
    reference = paths(fine**2, finest, one, fine)[:, :, 0]
    start = arrays[1]
    moved = np.linalg.norm(reference[:, 0] - start, axis=(-1, -2))
    apart = np.linalg.norm(found - reference[:, :, None], axis=(-1, -2))
    return {
        "apart": np.moveaxis(apart, 1, -1) / moved[:, None, None],
        "effective": effective(slope, curvature_ratio),
        "early": before_damping(slope, drag),
        "displaced": displaced(slope, damping, late),
        "damping": damping,
    }


@cache
def compiled() -> Callable[..., Any]:
    """Scaled logits of all seeds (first), at every number of steps and beta, in one compilation for each shape."""

    def run(
        counts: Array, betas: Array, rates: Array, damped: Array, jacobians: Array, starts: Array, labels: Array
    ) -> Array:
        def end(count: Array, beta: Array, rate: Array, damping: Array) -> Array:
            settings = {"learning_rate": rate, "damping": damping}

            def logits(theta: Array) -> Array:
                moved = jnp.einsum("srp,sp->sr", jacobians, theta).reshape(starts.shape)
                return starts / beta + moved

            def loss(theta: Array) -> Array:
                return losses.total(losses.cross_entropy)(logits(theta), labels, beta)

            def step(_: Array, state: Any) -> Any:
                return DAMPED_HEAVY_BALL.step(state[0], state[1], jax.grad(loss)(state[0]), settings)

            zero = jnp.zeros((jacobians.shape[0], jacobians.shape[-1]))
            return beta * logits(jax.lax.fori_loop(0, count, step, (zero, zero))[0])

        def of_count(leg: tuple[Array, Array, Array]) -> Array:
            count, rate, damping = leg
            return jax.lax.map(lambda one: end(count, *one), (betas, rate, damping))

        return jnp.moveaxis(jax.lax.map(of_count, (counts, rates, damped)), 2, 0)

    return jax.jit(run)


def effective(curvature: np.ndarray, ratio: np.ndarray) -> np.ndarray:
    """A late step over -eta / gamma times the gradient at its start."""
    eta = ratio * GAMMA**2 / curvature[:, None]
    places, _ = walk(0.0, curvature[:, None], eta, GAMMA, 1.0, 0.0, steps=SETTLED)
    return (places[-1] - places[-2]) / (-eta / GAMMA * curvature[:, None] * places[-2])


def before_damping(slope: np.ndarray, drag: np.ndarray) -> np.ndarray:
    """Canonical time to go half a unit of the slope, over the square root of twice that half."""
    steps = int(1.2 / FINE)
    places, _ = walk(slope[:, None], 0.0, FINE**2, FINE * drag, 0.0, 0.0, steps=steps)
    gone = np.abs(places) / slope[:, None]
    after = np.argmax(gone >= 0.5, axis=0)
    first, then = (np.take_along_axis(gone, row[None], 0)[0] for row in (after - 1, after))
    return FINE * (after + (0.5 - first) / (then - first))


def displaced(slope: np.ndarray, damping: np.ndarray, late: np.ndarray) -> np.ndarray:
    """Displacement over the slope at canonical times ``late`` over the damping."""
    step = 2 * FINE / damping
    counts = np.rint(late / (2 * FINE)).astype(int)
    places, _ = walk(slope, 0.0, step**2, step * damping, 0.0, 0.0, steps=int(counts.max()))
    return np.abs(places[counts - 1]).T / slope[:, None]


def collapse(dataset: xr.Dataset) -> xr.Dataset:
    """Distance from the fine path along the step, each beta by itself."""
    return xr.Dataset({"measured": dataset["apart"]})


def strong_damping(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of a step from eta / gamma times the gradient, along curvature over damping squared."""
    return xr.Dataset({"measured": abs(dataset["effective"] - 1)})


def weak_damping(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of the timescale from that without damping; half a unit takes the time 1."""
    return xr.Dataset({"measured": abs(dataset["early"] - 1)})


def damped(dataset: xr.Dataset) -> xr.Dataset:
    """Decay in time of what the late form of the displacement leaves."""
    damping = dataset["damping"]
    time = dataset["late"] / damping
    log = np.log(abs(time - damping * dataset["displaced"] - 1 / damping))
    off = time - time.mean("late", skipna=False)
    slope = (off * log).sum("late", skipna=False) / (off**2).sum("late", skipna=False)
    return xr.Dataset({"measured": -slope, "damping": damping})


GRID = Grid(
    axes={"tie": tuple(TIES)},
    inner={
        "beta": (0.1, 1.0, 10.0),
        "canonical_step": (0.2, 0.1, 0.05, 0.025),
        "curvature_ratio": (3e-4, 1e-3, 3e-3, 1e-2),
        "drag": (0.01, 0.03, 0.1),
        "late": (2.0, 2.5, 3.0, 3.5, 4.0),
    },
    settings={"time": 2.0},
    seeds=12,
)
TIED = {"tie": "tied"}

STUDY = Study(
    name="temperature.momentum_orders",
    title="What momentum's schemes and limits leave out",
    measure=measure,
    variables={
        "apart": Variable(("seed", "beta", "canonical_step"), "1", "distance from a fine path over its length"),
        "effective": Variable(("seed", "curvature_ratio"), "1", "a late step over eta / gamma times the gradient"),
        "early": Variable(("seed", "drag"), "1", "canonical time to move by half a unit of the slope"),
        "displaced": Variable(("seed", "late"), "1", "displacement over the slope at late times"),
        "damping": Variable(("seed",), "1", "canonical damping of the late times"),
    },
    grids={"quick": GRID, "full": GRID, "paper": GRID},
    checks=(
        Check(
            law="temperature.second_scheme_order",
            observe=collapse,
            margin=Margin(0.2, "physics", "the nearest rival is 1/2 away; the next order bends the slope by 0.1"),
            select=TIED,
            counter_systems=(
                CounterSystem(
                    "damping of the first scheme", {"tie": "untied"}, "its canonical damping hangs on beta: no collapse"
                ),
            ),
        ),
        Check(
            law="temperature.momentum_effective_rate_order",
            observe=strong_damping,
            margin=Margin(0.1, "physics", "the nearest rival is 1/2 away; the next order bends the slope by 0.02"),
            select=TIED,
        ),
        Check(
            law="temperature.momentum_tau_z_order",
            observe=weak_damping,
            margin=Margin(0.1, "physics", "rivals are 1 away; half a step of 10^-4 bends the slope by 0.02"),
            select=TIED,
        ),
        Check(
            law="temperature.momentum_saturated_time_rate",
            observe=damped,
            margin=Margin(0.05, "physics", "rivals are a factor 2 away; the step of 2 10^-4 bends the rate by 0.01"),
            select=TIED,
        ),
    ),
    reduction="sum",
)
