"""The confidence of a softmax of nearly equal logits, from scrambled points that make its mean nearly exact (T09)."""

from collections.abc import Callable, Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr
from scipy.special import ndtri
from scipy.stats import qmc

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses

LOGITS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "normal": ndtri,
    "skewed": lambda uniform: -np.log1p(-uniform) - 1,
}
"""From uniform numbers to logits of mean 0 and variance 1."""


def measure(
    replicates: Replicates, data: None, system: str, logit_scale: np.ndarray, classes: np.ndarray, log2_points: int
) -> Mapping[str, Any]:
    """Mean of sum p^2 less 1/K, each seed with its own scrambling."""
    found = [
        [excess(random, LOGITS[system], int(k), logit_scale, log2_points) for k in classes]
        for random in replicates.generators()
    ]
    return {"excess": np.array(found)}


def excess(
    random: np.random.Generator,
    logits: Callable[[np.ndarray], np.ndarray],
    k: int,
    scales: np.ndarray,
    log2_points: int,
) -> list[float]:
    """What sum p^2 has more than 1/K in the mean, at every scale."""
    uniform = qmc.Sobol(k, scramble=True, rng=random).random_base2(log2_points)
    drawn = jnp.asarray(logits(np.clip(uniform, 1e-12, 1 - 1e-12)))
    return [float(jnp.mean(jnp.sum((losses.softmax(s * drawn) - 1 / k) ** 2, axis=-1))) for s in scales]


def remainder(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of the confidence from the square of the scale times its curvature."""
    k = dataset["classes"].astype(float)
    return xr.Dataset({"measured": abs(dataset["excess"] - dataset["logit_scale"] ** 2 * (k - 1) / k**2)})


def _grid(log2_points: int, seeds: int) -> Grid:
    return Grid(
        axes={"system": tuple(LOGITS)},
        inner={"logit_scale": (0.07, 0.1, 0.14, 0.2), "classes": (2, 3, 5)},
        settings={"log2_points": log2_points},
        seeds=seeds,
    )


STUDY = Study(
    name="temperature.confidence_order",
    title="Confidence of nearly uniform softmaxes beyond its curvature",
    measure=measure,
    variables={"excess": Variable(("seed", "classes", "logit_scale"), "1", "mean of sum p^2 less 1/K")},
    grids={"quick": _grid(14, 12), "full": _grid(17, 16), "paper": _grid(20, 24)},
    checks=(
        Check(
            law="temperature.confidence_curvature_order",
            observe=remainder,
            margin=Margin(0.3, "physics", "the nearest rival is 1 away; the sixth order bends the slope by 0.1"),
            select={"system": "normal"},
            counter_systems=(
                CounterSystem("skewed logits", {"system": "skewed"}, "their third moment leaves a third order"),
            ),
            profiles=("full", "paper"),
        ),
    ),
)
