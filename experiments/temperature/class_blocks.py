"""How much of the tangent kernel lies between classes, against the width."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics.class_blocks import class_blocks
from numerics.data import Data, digits
from numerics.training_points import training_points

SYSTEMS = ("independent", "alike")


def measure(
    replicates: Replicates, data: Data, system: str, depth: int, d: np.ndarray, points: int, classes: int
) -> Mapping[str, Any]:
    """Ratio of the root mean squares of the kernel between and within classes, and the drift of the sums over classes.

    ``alike``: one readout for all classes.
    """
    generators = replicates.generators()
    inputs, _ = training_points(data, generators, points)
    found = [
        [of_one_network(random, x, int(width), depth, classes, system == "alike") for width in d]
        for random, x in zip(generators, inputs, strict=True)
    ]
    return dict(zip(("ratio", "sum_drift"), np.moveaxis(np.array(found), -1, 0), strict=True))


def of_one_network(
    random: np.random.Generator, x: np.ndarray, width: int, depth: int, classes: int, alike: bool
) -> tuple[float, float]:
    """One network, all pairs of points and classes; velocities are averaged over independent residuals."""
    fans = (x.shape[1], *[width] * depth)
    weights = [random.standard_normal((fan, width)) for fan in fans[:-1]]
    readout = random.standard_normal((width, 1 if alike else classes))
    kernel = class_blocks([*weights, np.broadcast_to(readout, (width, classes))], x)
    own = np.eye(classes, dtype=bool)
    driven = kernel - kernel.mean(axis=-1, keepdims=True)  # what residuals see, whose rows sum to zero
    drift = np.mean(driven.sum(axis=2) ** 2) / np.mean(driven**2) / classes
    ratio = np.mean(kernel[..., ~own] ** 2) / np.mean(kernel[..., own] ** 2)
    return float(np.sqrt(ratio)), float(np.sqrt(drift))


def ratio(dataset: xr.Dataset) -> xr.Dataset:
    """What is between classes, in units of what is within one."""
    return xr.Dataset({"measured": dataset["ratio"]})


STUDY = Study(
    name="temperature.class_blocks",
    title="The tangent kernel between classes, against the width",
    measure=measure,
    variables={
        "ratio": Variable(("seed", "d"), "1", "rms of the kernel between classes over that within one"),
        "sum_drift": Variable(("seed", "d"), "1", "rms velocity of the sums over classes over sqrt(K) that of logits"),
    },
    grids={
        "quick": Grid(
            axes={"system": SYSTEMS, "depth": (1, 2)},
            inner={"d": (64, 256, 1024)},
            settings={"points": 12, "classes": 10},
            seeds=16,
            first_seed=100,  # the drift was looked at for one residual on the seeds before these
        ),
        "full": Grid(
            axes={"system": SYSTEMS, "depth": (1, 2, 3)},
            inner={"d": (64, 256, 1024, 4096)},
            settings={"points": 24, "classes": 10},
            seeds=32,
            block=4,
        ),
    },
    checks=(
        Check(
            law="temperature.block_diagonality",
            observe=ratio,
            margin=Margin(0.1, "physics", "rivals are 1/2 away"),
            select={"system": "independent"},
            counter_systems=(
                CounterSystem("one readout for all classes", {"system": "alike"}, "its classes share all but a part"),
            ),
        ),
    ),
    data=digits,
    takes_data=True,
)
