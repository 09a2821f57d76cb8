"""The time at which a network has left its linearisation by a given amount, over the width.

What the network has more than its linearisation is b t_hat / n in relative size at first, with a random b, and
a t_hat^2 / n later, with an a that does not scatter; the second takes over at t_hat = b / a. In between a time to a
fixed deviation has neither exponent: the exponent is too large by about b^2 / (4 a amount n). On ten classes, where b
is larger since each class brings its own, no width up to 512 was past that before the deviation saturated, and the
measurement could tell nothing. Odd against even labels, two classes, are past it.
"""

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.deviation import compiled
from numerics.data import Data, digits
from numerics.training_points import training_points

TIMES = (*(0.002 * 2.0**k for k in range(8)), *(0.5 * 2.0 ** (k / 2) for k in range(12)))
"""Times eta~ t / beta, from long before the first deviation is reached to long after the last."""
STEPS = 2
"""Runge-Kutta steps from one time to the next: their error in the deviation is below 1e-3."""


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
    labels = odd_or_even(labels)
    run = compiled(inputs.shape[-1], labels.shape[-1], int(width))
    counts = np.full(time.size, STEPS)
    arrays = (jnp.asarray(a) for a in (inputs, labels, np.array([beta]), beta * time, counts))
    deviation = np.asarray(run(replicates.keys(), *arrays, logit_scale)["deviation"])[:, 0]
    return {"deviation": deviation, "reached": np.stack([reached(deviation, time, a) for a in amount], axis=-1)}


def odd_or_even(labels: np.ndarray) -> np.ndarray:
    """One-hot labels of two classes: those of even number, and those of odd number."""
    return np.stack([labels[..., first::2].sum(axis=-1) for first in (0, 1)], axis=-1)


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
        inner={"amount": (*EARLY, *LATE), "time": TIMES},
        settings={"points": points, "beta": 1e-4, "logit_scale": 0.1},
        seeds=seeds,
        first_seed=100,  # ten classes were looked at on the seeds before these
    )


EARLY, LATE = (1e-4,), (0.1, 0.3)
"""Deviations far below and far above 1 / width."""

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
        "full": _grid((256, 512, 1024, 2048), 16, 16),
        "paper": _grid((256, 1024, 4096), 64, 24),
    },
    checks=(
        Check(
            law="temperature.deviation_time_in_width",
            observe=over_width,
            margin=Margin(0.2, "physics", "two fifths of the distance between 1/2 and 1"),
            select={"amount": list(LATE)},
            counter_systems=(
                CounterSystem(
                    "deviations far below 1 / width",
                    {"amount": list(EARLY)},
                    "the random first order rules there, whose time tau_nl grows like the width itself",
                ),
            ),
            profiles=("full", "paper"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
