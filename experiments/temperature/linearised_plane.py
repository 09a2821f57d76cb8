"""Accuracy over inverse temperature on the stripe task, of a network and of its linearisation: what lets it fall.

The phase plane has networks only. Here the same training, with the rate chosen on the same validation points, is given
to the tangent plane at the start too, which sees the temperature through eta~ alone and has no features to lose.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Replicates, Study, Variable
from experiments.temperature.phase_plane import (
    BROKEN,
    FALL,
    FLAT,
    SMALL,
    TRAINED,
    TRAINING,
    plain,
    rates,
    stripes,
)
from numerics import losses
from numerics.chunks import map_replicates
from numerics.halves import exact_offset, one_half_logits
from numerics.sampling import subsets
from numerics.timescales import tangent_plane

BETAS = (0.01, 0.1, 1.0, 10.0)
AXES = ("seed", "beta", "scaled_rate")


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    beta: np.ndarray,
    scaled_rate: np.ndarray,
    logit_scale: float,
    width: int,
    steps: int,
    batch: int,
) -> Mapping[str, Any]:
    """Accuracies after training, and the rms of the scaled logits at the end."""
    drawn = [stripes(replicate) for replicate in replicates.ids]
    x, x_test = (np.stack([getattr(one, name) for one in drawn]) for name in ("x_train", "x_test"))
    y, y_test = (
        np.stack([np.eye(one.classes)[getattr(one, f"y_{part}")] for one in drawn]) for part in ("train", "test")
    )
    run = compiled(width, steps, batch, system == "linearised")
    return run(replicates.keys(), *(jnp.asarray(a) for a in (x, y, x_test, y_test, beta, scaled_rate)), logit_scale)


@cache
def compiled(width: int, steps: int, batch: int, linearised: bool) -> Callable[..., Any]:
    """All seeds, temperatures and rates of one system in one compilation."""
    network, sample = plain(width), subsets(batch)

    def run(
        keys: Array, x: Array, y: Array, x_test: Array, y_test: Array, beta: Array, rate: Array, scale: Array
    ) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, ...]) -> Mapping[str, Array]:
            key, x, y, x_test, y_test = seed
            known = x[:TRAINED], y[:TRAINED]

            def trained(beta: Array, rate: Array) -> Mapping[str, Array]:
                pair = exact_offset(network, key, known[0], beta=beta, logit_scale=scale)

                def logits(params: Any, at: Array) -> Array:
                    whole = lambda p: one_half_logits(network, pair, p, at)  # noqa: E731
                    return tangent_plane(whole, pair.start)(params) if linearised else whole(params)

                def step(count: Array, params: Any) -> Any:
                    here, labels = sample(key, count, known)
                    loss = lambda p: losses.mean(losses.cross_entropy)(logits(p, here), labels, beta)  # noqa: E731
                    return jax.tree.map(lambda p, g: p - rate / beta * g, params, jax.grad(loss)(params))

                last = jax.lax.fori_loop(0, steps, step, pair.start)
                rms = beta * jnp.sqrt(jnp.mean(logits(last, known[0]) ** 2))
                return {
                    "validation": losses.accuracy(logits(last, x[TRAINED:]), y[TRAINED:]),
                    "test": losses.accuracy(logits(last, x_test), y_test),
                    "final_rms": jnp.where(jnp.isfinite(rms), rms, BROKEN),
                }

            return jax.lax.map(lambda b: jax.lax.map(lambda r: trained(b, r), rate), beta)

        return map_replicates(one_seed, (keys, x, y, x_test, y_test))

    return jax.jit(run)


def at_chosen_rate(dataset: xr.Dataset) -> xr.Dataset:
    """Test accuracy at the rate that validation chose among those that did not break."""
    lost = (dataset["validation"].isnull() | dataset["final_rms"].isnull()).any("scaled_rate")
    best = dataset["validation"].where(dataset["final_rms"] < BROKEN, 0.0).argmax("scaled_rate")
    return xr.Dataset({"measured": dataset["test"].isel(scaled_rate=best).where(~lost)})


def _grid(beta: tuple[float, ...], tried: tuple[float, ...], settings: Mapping[str, Any], seeds: int) -> Grid:
    return Grid(
        axes={"system": ("network", "linearised")},
        inner={"beta": beta, "scaled_rate": tried},
        settings={**settings, "logit_scale": 0.01},
        seeds=seeds,
        first_seed=200,  # none of the phase plane's
    )


STUDY = Study(
    name="temperature.linearised_plane",
    title="Accuracy of networks and of their linearisations on the stripe task over inverse temperature",
    measure=measure,
    variables={
        "validation": Variable(AXES, "1", "accuracy on the points that choose the learning rate"),
        "test": Variable(AXES, "1", "accuracy on the test points"),
        "final_rms": Variable(
            AXES, "1", "rms of the scaled training logits at the end, the largest number if it broke"
        ),
    },
    grids={
        "quick": _grid((0.1, 10.0), rates(-1.0, 2), SMALL, 2),
        "full": _grid(BETAS, rates(-1.0, 6), TRAINING, 12),
        "paper": _grid(BETAS, rates(-1.0, 6), {**TRAINING, "width": 512, "steps": 2400}, 24),
    },
    checks=(
        Check(
            law="temperature.accuracy_with_features_in_beta",
            observe=at_chosen_rate,
            margin=FALL,
            select={"system": "network"},
            counter_systems=(
                CounterSystem(
                    "linearised network",
                    {"system": "linearised"},
                    "the temperature reaches it through eta~ alone, and it has no features",
                ),
            ),
            profiles=("full", "paper"),
            minimum_effect=FLAT,
        ),
    ),
    precision="float32",
    reduction="mean",
)
