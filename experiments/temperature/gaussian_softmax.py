"""Softmax of Gaussian logits: residuals, confidence and winners, from draws and the loss's own residual (T08, T09)."""

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses

SCALES = (0.01, 1.0, 3.0, 10.0, 30.0)
CLASSES = (2, 3, 10)
CORRELATIONS = (-0.9, -0.5, 0.3, 0.8)
KNOWN = {"labels_unknown": 0.0, "labels_known": 1.0}
"""What the correct class's normal has more than the others."""


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    logit_scale: np.ndarray,
    classes: np.ndarray,
    correlation: np.ndarray,
    draws: int,
) -> Mapping[str, Any]:
    """Means over draws; residuals and confidences come from different draws, winners from pairs of draws."""
    found: dict[str, list[np.ndarray]] = {name: [] for name in STUDY.variables}
    for random in replicates.generators():
        rows = [of_classes(random, int(k), logit_scale, correlation, draws, KNOWN[system]) for k in classes]
        for name in found:
            found[name].append(np.stack([row[name] for row in rows]))
    return {name: np.stack(arrays) for name, arrays in found.items()}


def of_classes(
    random: np.random.Generator, k: int, scales: np.ndarray, correlation: np.ndarray, draws: int, known: float
) -> Mapping[str, np.ndarray]:
    """One seed and one number of classes; the winners are those of two classes, whatever the number."""
    g, other = random.standard_normal((2, draws, k))
    label = np.eye(k)[random.integers(0, k, draws)]
    held = jnp.asarray(g + known * label)
    residual = [np.asarray(losses.residual(s * held, jnp.asarray(label))) for s in scales]
    p = [np.asarray(losses.softmax(jnp.asarray(s * other))) for s in scales]
    weighted = [np.asarray(losses.softmax(s * held)) for s in scales]
    first = g if known == 0 else np.asarray(held)
    partner = np.sqrt(1 - correlation**2)[:, None, None] * other + correlation[:, None, None] * g
    same = np.argmax(partner[..., :2], axis=-1) == np.argmax(g[:, :2], axis=-1)
    return {
        "residual_norm": np.array([np.mean(np.sum(r**2, axis=-1)) for r in residual]),
        "confidence": np.array([np.mean(np.sum(q**2, axis=-1)) for q in p]),
        "lead": np.array([np.mean(np.sum(first * q, axis=-1)) for q in weighted]),
        "lacking": np.array([np.mean(np.max(g, axis=-1) - np.sum(g * q, axis=-1)) for q in weighted]),
        "largest": np.mean(np.max(g, axis=-1)),
        "same": np.mean(same, axis=-1),
    }


def residual(dataset: xr.Dataset) -> xr.Dataset:
    """Mean squared residual, with the confidence from draws of its own."""
    return xr.Dataset(
        {"measured": dataset["residual_norm"], "Y2": dataset["confidence"], "K": dataset["classes"].astype(float)}
    )


def stein(dataset: xr.Dataset) -> xr.Dataset:
    """Mean of the softmax-weighted normal, with the confidence from draws of its own; where neither is all noise."""
    enough = dataset.sel(logit_scale=slice(1.0, 10.0))
    return xr.Dataset({"measured": enough["lead"], "Y2": enough["confidence"]})


def curvature(dataset: xr.Dataset) -> xr.Dataset:
    """Confidence above that of a uniform softmax over the squared scale, at the smallest scale."""
    small = dataset.sel(logit_scale=SCALES[0], drop=True)
    classes = small["classes"].astype(float)
    return xr.Dataset({"measured": (small["confidence"] - 1 / classes) / SCALES[0] ** 2, "K": classes})


def tail(dataset: xr.Dataset) -> xr.Dataset:
    """What the softmax-weighted normal lacks to the largest."""
    large = dataset.sel(logit_scale=slice(1.0, None))
    return xr.Dataset({"error": large["lacking"], "measured": large["lead"], "top": large["largest"], "middle": 0.0})


def deficit(dataset: xr.Dataset) -> xr.Dataset:
    """The same, where ties decide."""
    return xr.Dataset({"measured": dataset["lacking"].sel(logit_scale=slice(3.0, None))})


def winners(dataset: xr.Dataset) -> xr.Dataset:
    """Share of pairs of draws with the same winner of two classes."""
    return xr.Dataset({"measured": dataset["same"].sel(classes=2, drop=True)})


OWN = {"system": "labels_unknown"}
TOLD = (CounterSystem("logits that know the labels", {"system": "labels_known"}, "the label is the winner too often"),)

STUDY = Study(
    name="temperature.gaussian_softmax",
    title="Residual, confidence and winners of Gaussian logits",
    measure=measure,
    variables={
        "residual_norm": Variable(("seed", "classes", "logit_scale"), "1", "mean squared residual of a point"),
        "confidence": Variable(("seed", "classes", "logit_scale"), "1", "mean of the sum of squared probabilities"),
        "lead": Variable(("seed", "classes", "logit_scale"), "1", "mean of the softmax-weighted normal"),
        "lacking": Variable(("seed", "classes", "logit_scale"), "1", "mean largest normal minus the weighted one"),
        "largest": Variable(("seed", "classes"), "1", "mean largest normal"),
        "same": Variable(("seed", "classes", "correlation"), "1", "share of pairs with the same winner of two"),
    },
    grids={
        "quick": Grid(
            axes={"system": tuple(KNOWN)},
            inner={"logit_scale": SCALES, "classes": CLASSES, "correlation": CORRELATIONS},
            settings={"draws": 20_000},
            seeds=12,
            first_seed=1000,  # settings were chosen on the seeds before these
        ),
        "full": Grid(
            axes={"system": tuple(KNOWN)},
            inner={"logit_scale": (*SCALES, 100.0), "classes": (*CLASSES, 100), "correlation": CORRELATIONS},
            settings={"draws": 200_000},
            seeds=24,
            block=2,
        ),
    },
    checks=(
        Check(
            law="temperature.residual_norm",
            observe=residual,
            margin=Margin(0.03, "physics", "rivals are a tenth away or more"),
            select=OWN,
            counter_systems=TOLD,
        ),
        Check(
            law="temperature.confidence_identity",
            observe=stein,
            margin=Margin(0.05, "physics", "rivals are a factor of 1.5 away or more on some scale"),
            select=OWN,
            counter_systems=TOLD,
        ),
        Check(
            law="temperature.confidence_curvature",
            observe=curvature,
            margin=Margin(0.05, "physics", "the nearest rival is K/(K - 1), a tenth away at ten classes"),
            select=OWN,
        ),
        Check(
            law="temperature.confidence_at_large_logits",
            observe=tail,
            margin=Margin(0.1, "physics", "the error must fall by a factor 10 from s = 1 to s = 30"),
            select=OWN,
        ),
        Check(
            law="temperature.confidence_deficit",
            observe=deficit,
            margin=Margin(0.3, "physics", "rivals are 1 away"),
            select=OWN,
        ),
        Check(
            law="temperature.same_argmax",
            observe=winners,
            margin=Margin(0.05, "physics", "at c = -0.9 the linear rival is a factor 3 away"),
            select=OWN,
        ),
    ),
)
