"""Divergences of fitted normal laws: of samples from equal laws, and of drawn samples' own densities (width:X6)."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.divergence import divergence

SEEDS = ((10, 10), (12, 12), (20, 60), (60, 20), (50, 50))
"""Seeds of the limit model and of the reference."""

LAWS = ((0.0, 1.0, 1.0, 2.0), (1.0, 0.5, 0.0, 1.0), (0.5, 3.0, 0.0, 1.0))
"""Mean and variance of the limit model, then of the reference."""


def measure(
    *, replicates: Replicates, data: None, sample: np.ndarray, repeats: int, draws: int
) -> Mapping[str, np.ndarray]:
    """Mean plug-in divergence of two equal laws; mean difference of log densities over draws from the first law."""
    del data
    floors, logs = [], []
    for random in replicates.generators():
        of_one = []
        for n, m in SEEDS:
            of_one.append(
                [
                    float(divergence(_sample(random, str(kind), n, repeats), _sample(random, str(kind), m, repeats))[0])
                    for kind in sample
                ]
            )
        floors.append(of_one)
        normal = random.standard_normal(draws)
        logs.append([_gap(np.sqrt(v) * normal + mean, mean, v, *ref) for mean, v, *ref in LAWS])
    return {"floor": np.array(floors), "gap": np.array(logs)}


def _sample(random: np.random.Generator, kind: str, size: int, repeats: int) -> np.ndarray:
    """Numbers of mean 0 and variance 1, shape (size, 1, repeats)."""
    shape = (size, 1, repeats)
    return random.standard_normal(shape) if kind == "normal" else np.sqrt(12.0) * (random.random(shape) - 0.5)


def _gap(x: np.ndarray, mean: float, variance: float, mean_ref: float, variance_ref: float) -> float:
    """Mean of ln p - ln p* over draws."""
    own, other = (
        -(np.log(2 * np.pi * v) + (x - m) ** 2 / v) / 2 for m, v in ((mean, variance), (mean_ref, variance_ref))
    )
    return float(np.mean(own - other))


def floors(data: xr.Dataset) -> xr.Dataset:
    """Mean plug-in divergence at every pair of sample sizes."""
    n, m = np.array(SEEDS).T
    return xr.Dataset({"measured": data["floor"]}).assign_coords(n=("sizes", n), m=("sizes", m))


def gaps(data: xr.Dataset) -> xr.Dataset:
    """Mean difference of log densities at every pair of laws."""
    names = ("mean", "variance", "mean_ref", "variance_ref")
    columns = {name: ("law", column) for name, column in zip(names, np.array(LAWS).T, strict=True)}
    return xr.Dataset({"measured": data["gap"]}).assign_coords(columns)


def _grid(repeats: int, draws: int) -> Grid:
    return Grid(inner={"sample": ("normal", "uniform")}, settings={"repeats": repeats, "draws": draws}, seeds=24)


STUDY = Study(
    name="width.kl",
    title="Divergences between fitted normal laws",
    measure=measure,
    variables={
        "floor": Variable(("seed", "sizes", "sample"), "1", "mean plug-in divergence of two equal laws"),
        "gap": Variable(("seed", "law"), "1", "mean of ln p - ln p* over draws from p"),
    },
    grids={"quick": _grid(4000, 100_000), "full": _grid(40_000, 1_000_000), "paper": _grid(200_000, 4_000_000)},
    checks=(
        Check(
            law="width.kl_floor",
            observe=floors,
            margin=Margin(0.05, "physics", "a third of what the first order misses with 50 seeds of each"),
            select={"sample": "normal"},
            counter_systems=(
                CounterSystem(
                    "uniform logits", {"sample": "uniform"}, "their variances fluctuate less than a normal law's"
                ),
            ),
        ),
        Check(
            law="width.kl_normal", observe=gaps, margin=Margin(0.05, "physics", "the reverse is off by a fifth or more")
        ),
    ),
)
