"""The saturating ratio under label smoothing, for a table of logits: its kernel is exactly isotropic."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.chunks import map_replicates
from numerics.timescales import rate_by_gradient_steps

SMALL, LARGE = 1e-6, 1e6
BIAS: Mapping[str, float] = {"labels_unknown": 0.0, "labels_known": 1.0}
"""What the logit of the correct class has more than the others at the start, in standard deviations."""


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    label_smoothing: np.ndarray,
    classes: np.ndarray,
    points: int,
) -> Mapping[str, Any]:
    """tau_z / ||Z0|| from gradient steps at small and at large logits, for each smoothing and class count."""
    found = [compiled(points, int(k))(replicates.keys(), jnp.asarray(label_smoothing), BIAS[system]) for k in classes]
    return {name: np.stack([np.asarray(f[name]) for f in found], axis=-1) for name in found[0]}


@cache
def compiled(points: int, classes: int) -> Callable[..., Any]:
    """All seeds and smoothings in one compilation for each class count."""

    def one_seed(key: Array, smoothing: Array, bias: Array) -> Mapping[str, Array]:
        direction, labels = jax.random.split(key)
        y = losses.one_hot(jax.random.randint(labels, (points,), 0, classes), classes)
        u = jax.random.normal(direction, (points, classes)) + bias * y

        def per_logit(scale: float, a: Array) -> Array:
            start, targets = scale * u, losses.smooth_labels(y, a)
            stepped = rate_by_gradient_steps(
                lambda z: z - start, lambda z: losses.total(losses.cross_entropy)(z, targets), start
            )
            return stepped.learning_rate / jnp.linalg.norm(stepped.rate)

        return jax.lax.map(lambda a: {"at_small": per_logit(SMALL, a), "at_large": per_logit(LARGE, a)}, smoothing)

    def run(keys: Array, smoothing: Array, bias: Array) -> Mapping[str, Array]:
        return map_replicates(lambda key: one_seed(key, smoothing, bias), keys)

    return jax.jit(run)


def ratio(dataset: xr.Dataset) -> xr.Dataset:
    """tau_z / ||Z0|| at large over that at small logits."""
    return xr.Dataset({"measured": dataset["at_large"] / dataset["at_small"]})


STUDY = Study(
    name="temperature.label_smoothing",
    title="Label smoothing and the timescale at both ends of the logit scale",
    measure=measure,
    variables={
        "at_small": Variable(("seed", "label_smoothing", "classes"), "step", "tau_z per logit at small logits"),
        "at_large": Variable(("seed", "label_smoothing", "classes"), "step", "tau_z per logit at large logits"),
    },
    grids={
        "quick": Grid(
            axes={"system": tuple(BIAS)},
            inner={"label_smoothing": (0.0, 0.1, 0.3), "classes": (2, 10)},
            settings={"points": 4096},
            seeds=12,
        ),
        "full": Grid(
            axes={"system": tuple(BIAS)},
            inner={"label_smoothing": (0.0, 0.1, 0.3, 0.6), "classes": (2, 10, 100)},
            settings={"points": 16384},
            seeds=24,
        ),
        "paper": Grid(
            axes={"system": tuple(BIAS)},
            inner={"label_smoothing": (0.0, 0.1, 0.3, 0.6), "classes": (2, 10, 1000)},
            settings={"points": 16384},
            seeds=24,
        ),
    },
    checks=(
        Check(
            law="temperature.label_smoothing_ratio",
            observe=ratio,
            margin=Margin(0.02, "physics", "at a = 0.1 the rivals are 0.05 away"),
            select={"system": "labels_unknown"},
            counter_systems=(
                CounterSystem(
                    "logits that know the labels",
                    {"system": "labels_known"},
                    "the largest logit is the label's too often, so less is left to learn at large logits",
                ),
            ),
        ),
    ),
    reduction="sum",
)
