"""The time at which a network has left its linearisation by a given amount, over the width."""

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.deviation import FEWEST, compiled
from numerics.data import Data, digits
from numerics.training_points import training_points

TIMES = tuple(float(0.02 * 2 ** (k / 2)) for k in range(23))
"""Times eta~ t / beta, from long before the first deviation is reached to long after the last."""


def measure(
    replicates: Replicates,
    data: Data,
    width: int,
    amount: np.ndarray,
    time: np.ndarray,
    beta: float,
    points: int,
    logit_scale: float,
) -> Mapping[str, Any]:
    """When the relative deviation first reaches each amount, between two times by a power of the time."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, int(width))
    counts = np.full(time.size, FEWEST)
    arrays = (jnp.asarray(a) for a in (inputs, labels, np.array([beta]), beta * time, counts))
    deviation = np.asarray(run(replicates.keys(), *arrays, logit_scale)["deviation"])[:, 0]
    return {"deviation": deviation, "reached": np.stack([reached(deviation, time, a) for a in amount], axis=-1)}


def reached(deviation: np.ndarray, time: np.ndarray, amount: float) -> np.ndarray:
    """The first crossing of each row, in a straight line of logarithms; NaN where there is none."""
    after = np.argmax(deviation >= amount, axis=-1)
    there = (after > 0) & np.isfinite(deviation).all(axis=-1)
    rows, after = np.arange(len(deviation)), np.maximum(after, 1)
    logs, clock = np.log(deviation), np.log(time)
    share = (np.log(amount) - logs[rows, after - 1]) / (logs[rows, after] - logs[rows, after - 1])
    return np.where(there, np.exp(clock[after - 1] + share * (clock[after] - clock[after - 1])), np.nan)


def over_width(dataset: xr.Dataset) -> xr.Dataset:
    """The time at each width, each amount by itself."""
    return xr.Dataset({"measured": dataset["reached"]})


def _grid(widths: tuple[int, ...], points: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": widths},
        inner={"amount": (0.1, 0.3), "time": TIMES},
        settings={"points": points, "beta": 1e-3, "logit_scale": 0.1},
        seeds=seeds,
    )


STUDY = Study(
    name="temperature.deviation_time_in_width",
    title="How long networks stay near their linearisation, over the width",
    measure=measure,
    variables={
        "deviation": Variable(("seed", "time"), "1", "relative deviation ||Z - Z_lin|| / ||Z_lin - Z0||"),
        "reached": Variable(("seed", "amount"), "1/eta_tilde", "eta~ t / beta at which the deviation is reached"),
    },
    grids={
        "quick": _grid((16, 32), 8, 10),
        "full": _grid((64, 128, 256, 512), 16, 12),
        "paper": _grid((64, 256, 1024, 4096), 64, 24),
    },
    checks=(
        Check(
            law="temperature.deviation_time_in_width",
            observe=over_width,
            margin=Margin(0.2, "physics", "two fifths of the distance between 1/2 and 1"),
            profiles=("full", "paper"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
