"""Full-batch descent on digits, with momentum or without: where the sharpness comes to rest (breakeven:V9).

The network first sharpens from about half of the threshold; the task decides whether it gets there. Random
labels can only be fitted at high curvature, while a constant target is fitted by the biases alone: the
control, whose natural sharpness lies below the threshold.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Profile, Replicates, Study, Variable
from numerics.chunks import map_replicates
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import Data, digits
from numerics.inputs import centre, flatten, scale
from numerics.losses import mean, squared_error
from numerics.models import dense
from numerics.rotation import rotate_to_rank
from numerics.rules import HEAVY_BALL
from numerics.training import trainer

GAIN = 0.7
"""Scale of the initial weights: the sharpness starts well below the thresholds of the grids."""
CLASSES = 10
MARGIN = 0.1
RESIDUAL = MARGIN / 2
"""Largest mean residual of the top eigenpairs over their mean eigenvalue. An eigenvalue lies within the residual of
its estimate (breakeven:V8): no error of Lanczos takes more than half of the margin, the other half is the law's."""


def random_labels(rows: int, random: np.random.Generator) -> np.ndarray:
    """One-hot targets that have nothing to do with the inputs."""
    return np.eye(CLASSES)[random.integers(CLASSES, size=rows)]


def constant_target(rows: int, random: np.random.Generator) -> np.ndarray:
    """One vector of unit length on average for all inputs: nothing to tell apart."""
    return np.tile(random.standard_normal(CLASSES) / CLASSES**0.5, (rows, 1))


TASKS: Mapping[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "random labels": random_labels,
    "constant target": constant_target,
}


def measure(
    *,
    replicates: Replicates,
    data: Data,
    task: str,
    learning_rate: np.ndarray,
    momentum: float,
    points: int,
    widths: tuple[int, ...],
    steps: int,
    records: int,
    lanczos_steps: int,
) -> Mapping[str, np.ndarray]:
    """Train at each learning rate from the same start; record the sharpness and the loss.

    The loss is the mean over points of (1/2) ||z - y||^2. The inputs are centred, rotated to their span
    (which changes nothing but the cost) and scaled to a mean square of 1 for each coordinate.
    """
    if data.x_train.shape[0] < points:
        raise ValueError(f"edge_of_stability: {data.x_train.shape[0]} rows; {points} are needed; pass more data")
    x = flatten(data.x_train[:points])
    coordinates = rotate_to_rank(*centre(x, x[:0])).train
    inputs, _ = scale(coordinates, coordinates[:0])
    targets = np.stack([TASKS[task](points, random) for random in replicates.generators()])
    run = _program(inputs.shape[1], tuple(widths), lanczos_steps)
    at = tuple(int(step) for step in np.linspace(0, steps, records + 1))
    sharpness, residual, loss = run(
        replicates.keys(),
        jnp.asarray(targets),
        jnp.asarray(inputs),
        jnp.asarray(learning_rate),
        jnp.asarray(momentum),
        jnp.asarray(at),
    )
    return {"sharpness": np.asarray(sharpness), "residual": np.asarray(residual), "loss": np.asarray(loss)}


@cache
def _program(features: int, widths: tuple[int, ...], lanczos_steps: int) -> Callable[..., Any]:
    """(keys, targets, inputs, rates, steps) -> arrays (seed, learning_rate, record): one compilation."""
    network = dense(sizes=(features, *widths, CLASSES), activation=jnp.tanh, gain=GAIN)
    reduced = mean(squared_error)

    def loss(params: Any, batch: Any) -> jax.Array:
        return reduced(network.apply(params, batch[0]), batch[1])

    def observe(params: Any, batch: Any, settings: Any) -> Any:
        del settings
        operator = hessian(lambda p: loss(p, batch), params)
        top = extreme_eigenpairs(operator, lanczos_steps, bottom=0).top
        return top.values[0], top.residuals[0], loss(params, batch)

    descend = trainer(lambda p, batch, settings: jax.grad(loss)(p, batch), HEAVY_BALL, observe)

    @jax.jit
    def program(keys: Any, targets: Any, inputs: Any, rates: Any, momentum: Any, steps: Any) -> Any:
        def one(replicate: Any) -> Any:
            key, target = replicate
            params = network.init(key)

            def at_rate(rate: Any) -> Any:
                settings = {"learning_rate": rate, "momentum": momentum}
                return descend(params, (inputs, target), settings, key, steps).observed

            return jax.lax.map(at_rate, rates)

        return map_replicates(one, (keys, targets))

    return program


def late_sharpness(data: xr.Dataset) -> xr.Dataset:
    """Mean sharpness over the second half of the records, at each learning rate.

    A record that is not a number leaves no mean, nor do eigenpairs whose residuals exceed what is allowed on
    average: a residual bounds the error of its eigenvalue.
    """
    records = data.sizes["record"]
    late = data[["sharpness", "residual"]].isel(record=slice(records // 2, None)).mean("record", skipna=False)
    sharpness = late["sharpness"].where(late["residual"] <= RESIDUAL * abs(late["sharpness"]))
    return xr.Dataset({"measured": sharpness}).assign_coords(eta=("learning_rate", data["learning_rate"].values))


def with_momentum(data: xr.Dataset) -> xr.Dataset:
    """`late_sharpness` of a run with momentum, whose value the claim needs too."""
    return late_sharpness(data).assign_coords(beta=MOMENTUM)


MOMENTUM = 0.5
_RESOLUTION = {"points": 64, "widths": (16, 16), "steps": 1500, "records": 30, "lanczos_steps": 14}
_SIZES: Mapping[Profile, tuple[Mapping[str, Any], int]] = {
    "quick": (_RESOLUTION, 10),
    "full": ({"points": 256, "widths": (32,) * 4, "steps": 8000, "records": 200, "lanczos_steps": 20}, 10),
    "paper": ({"points": 512, "widths": (64,) * 4, "steps": 20000, "records": 400, "lanczos_steps": 24}, 24),
}


def _grids(momentum: float, rates: Mapping[Profile, tuple[float, ...]]) -> Mapping[Profile, Grid]:
    return {
        profile: Grid(
            axes={"task": tuple(TASKS)},
            inner={"learning_rate": rates[profile]},
            settings={**sizes, "momentum": momentum},
            seeds=seeds,
            block=0 if profile == "quick" else 1,  # a long run is resumed at the seed where it stopped
        )
        for profile, (sizes, seeds) in _SIZES.items()
    }


VARIABLES = {
    "sharpness": Variable(("seed", "learning_rate", "record"), "1", "largest eigenvalue of the Hessian (Lanczos)"),
    "residual": Variable(("seed", "learning_rate", "record"), "1", "residual of its eigenpair"),
    "loss": Variable(("seed", "learning_rate", "record"), "1", "training loss"),
}
EASY = CounterSystem(
    "constant target",
    {"task": "constant target"},
    "the task is fitted far below its threshold, so nothing drives the sharpness there",
)

STUDY = Study(
    name="breakeven.edge_of_stability",
    title="Sharpness along full-batch gradient descent, mean squared error, tanh network, digits",
    measure=measure,
    variables=VARIABLES,
    grids=_grids(
        0.0,
        {
            "quick": (0.15, 0.2, 0.25),
            "full": (0.1, 0.15, 0.2, 0.25),
            "paper": (0.05, 0.1, 0.15, 0.2, 0.25),
        },
    ),
    checks=(
        Check(
            law="breakeven.edge_of_stability",
            observe=late_sharpness,
            margin=Margin(
                0.1,
                "physics",
                "a fifth of the distance to the threshold 1/eta; excursions beyond the edge lift the mean by 1-2 %",
            ),
            select={"task": "random labels"},
            counter_systems=(EASY,),
        ),
    ),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
HEAVY = Study(
    name="breakeven.heavy_ball_edge_of_stability",
    title="Sharpness along full-batch descent with momentum 0.5, mean squared error, tanh network, digits",
    measure=measure,
    variables=VARIABLES,
    grids=_grids(
        MOMENTUM,
        {"quick": (0.25, 0.35), "full": (0.15, 0.2, 0.25, 0.35), "paper": (0.1, 0.15, 0.2, 0.25, 0.35)},
    ),
    checks=(
        Check(
            law="breakeven.heavy_ball_edge_of_stability",
            observe=with_momentum,
            margin=Margin(0.12, "physics", "less than half of the distance to the edge of plain descent, a third"),
            select={"task": "random labels"},
            counter_systems=(EASY,),
        ),
    ),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
STUDIES = (STUDY, HEAVY)
