"""Learning rate and batch size scaled together, over all batches with replacement of small sets."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.closures import fixed_ratio, proportional, upper_edge
from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.subsets import every_tuple

POPULATION, RATE, VARIATION, ALPHA, DISTANCE, SIZE = 4, 0.1, 2.0, 4.0, 1.0, 1
ROOT = 1e-9
"""Allowance for the root finder, in units of the edge; all batches are listed, so that nothing else is uncertain."""


def measure(*, replicates: Replicates, data: None, factor: np.ndarray) -> Mapping[str, np.ndarray]:
    """Edges at k times the learning rate and k times the batch size, in two closures."""
    del data
    ratios, distances = [], []
    for random in replicates.generators():
        draw = random.standard_gamma(1.0, POPULATION)
        deviations = (draw - draw.mean()) / draw.std()
        families = (fixed_ratio(deviations, VARIATION), proportional(deviations, ALPHA, DISTANCE))
        edges = [
            [upper_edge(family, DISTANCE, RATE * k, every_tuple(POPULATION, SIZE * int(k))) for k in (1, *factor)]
            for family in families
        ]
        ratios.append(np.array(edges[0][1:]) / edges[0][0])
        distances.append(edges[1][1:])
    return {"ratio": np.array(ratios), "edge": np.array(distances)}


def ratios(data: xr.Dataset) -> xr.Dataset:
    """Ratios at a fixed relative spread."""
    found = xr.Dataset({"measured": data["ratio"], "bound": 2 * ROOT * data["ratio"]})
    return found.assign_coords(k=("factor", data["factor"].values), S=SIZE, kappa=VARIATION)


def edges(data: xr.Dataset) -> xr.Dataset:
    """Scaled edges at a fixed distance."""
    found = xr.Dataset({"measured": data["edge"], "bound": ROOT * abs(data["edge"])})
    return found.assign_coords(k=("factor", data["factor"].values), S=SIZE, eta=RATE, alpha=ALPHA, psi=DISTANCE)


def _grid(seeds: int) -> Grid:
    return Grid(inner={"factor": (2, 3, 4)}, seeds=seeds)


STUDY = Study(
    name="breakeven.scaling",
    title="Break-even curvatures with learning rate and batch size scaled together, all batches of 4 examples",
    measure=measure,
    variables={
        "ratio": Variable(("seed", "factor"), "1", "scaled edge over the first one at a fixed relative spread"),
        "edge": Variable(("seed", "factor"), "1", "scaled edge at a fixed distance"),
    },
    grids=dict(zip(PROFILES, (_grid(10), _grid(30), _grid(100)), strict=True)),
    checks=(
        Check(
            law="breakeven.scaling_rule",
            observe=ratios,
            margin=Margin(0.1, "physics", "less than a third of the distances to 1 and to 1/k at k = 2"),
        ),
        Check(
            law="breakeven.scaling_rule_paper",
            observe=edges,
            margin=Margin(0.1, "physics", "a quarter of the distance to the square root of k at k = 2"),
        ),
    ),
)
