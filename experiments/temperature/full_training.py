"""Whole trainings over learning rate and temperature: the best rate (fig 4), and features at large beta (fig 5)."""

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
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset, one_half_logits
from numerics.models import mlp
from numerics.sampling import subsets
from numerics.synthetic import stripe
from numerics.timescales import tangent_plane
from numerics.training_points import training_points

RATES = tuple(float(2 ** (k / 2)) for k in range(-18, 20))
"""Learning rates times beta: one scale for all temperatures, wide on both sides."""


def search(
    replicates: Replicates,
    data: Data,
    layers: int,
    beta: np.ndarray,
    rate: np.ndarray,
    points: int,
    width: int,
    steps: int,
) -> Mapping[str, Any]:
    """Training loss after gradient descent from the ordinary start, at every temperature and rate over beta."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled_search(inputs.shape[-1], data.classes, width, int(layers) - 1, steps)
    found = run(replicates.keys(), *(jnp.asarray(a) for a in (inputs, labels, beta, rate)))
    return {"final_loss": found}


@cache
def compiled_search(inputs: int, classes: int, width: int, depth: int, steps: int) -> Callable[..., Any]:
    """All seeds, temperatures and rates of one depth in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=depth, classes=classes, activation=ACTIVATIONS["scaled_relu"])

    def run(keys: Array, x: Array, y: Array, beta: Array, rate: Array) -> Array:
        def trained(key: Array, x: Array, y: Array, b: Array, scaled: Array) -> Array:
            def loss(params: Any) -> Array:
                return losses.mean(losses.cross_entropy)(network.apply(params, x), y, b)

            def step(_: int, params: Any) -> Any:
                return jax.tree.map(lambda p, g: p - scaled / b * g, params, jax.grad(loss)(params))

            final = loss(jax.lax.fori_loop(0, steps, step, network.init(key)))
            return jnp.where(jnp.isfinite(final), jnp.minimum(final, 1e3), 1e3)

        def one_seed(seed: tuple[Array, Array, Array]) -> Array:
            return jax.lax.map(lambda b: jax.lax.map(lambda s: trained(*seed, b, s), rate), beta)

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def best_rates(dataset: xr.Dataset) -> xr.Dataset:
    """The rate with the least loss, by a parabola in the logarithms through the three points around it."""
    log_loss = xr.apply_ufunc(np.log, dataset["final_loss"].clip(min=1e-12))
    values = log_loss.transpose(..., "rate").values
    logs = np.log(dataset["rate"].values)
    best = np.clip(values.argmin(axis=-1), 1, logs.size - 2)
    left, middle, right = (np.take_along_axis(values, (best + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(bend > 0, np.clip((left - right) / (2 * np.where(bend > 0, bend, 1)), -1, 1), 0.0)
    found = logs[best] + shift * (logs[1] - logs[0])
    dims = [dim for dim in log_loss.dims if dim != "rate"]
    found = np.where(np.isfinite(values).all(axis=-1), found, np.nan)
    scaled = xr.DataArray(np.exp(found), dims=dims, coords={d: dataset[d] for d in dims if d in dataset.coords})
    best_rate = (scaled / dataset["beta"]).drop_attrs(deep=False)
    return xr.Dataset({"measured": best_rate}).assign_coords(H=("layers", dataset["layers"].values))


def stripes(
    replicates: Replicates,
    data: None,
    system: str,
    scaled_rate: np.ndarray,
    beta: float,
    width: int,
    steps: int,
    batch: int,
) -> Mapping[str, Any]:
    """Accuracy after training on the stripe task, of a network or of its linearisation."""
    drawn = [stripe(replicate=replicate) for replicate in replicates.ids]
    y = np.stack([np.eye(one.classes)[one.y_train] for one in drawn])
    tests = np.stack([np.eye(one.classes)[one.y_test] for one in drawn])
    x, x_test = (np.stack([getattr(one, name) for one in drawn]) for name in ("x_train", "x_test"))
    run = compiled_stripes(x.shape[-1], drawn[0].classes, width, steps, batch, system == "linearised")
    arrays = (jnp.asarray(a) for a in (x, y, x_test, tests, scaled_rate))
    return run(replicates.keys(), *arrays, beta)


@cache
def compiled_stripes(
    inputs: int, classes: int, width: int, steps: int, batch: int, linearised: bool
) -> Callable[..., Any]:
    """All seeds and rates of one system in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=1, classes=classes, activation=ACTIVATIONS["scaled_relu"])
    sample = subsets(batch)

    def run(
        keys: Array, x: Array, y: Array, x_test: Array, y_test: Array, rate: Array, beta: Array
    ) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, ...]) -> Mapping[str, Array]:
            key, x, y, x_test, y_test = seed
            pair = exact_offset(network, key, x, beta=beta, logit_scale=0.01)

            def logits(params: Any, at: Array) -> Array:
                plain = lambda p: one_half_logits(network, pair, p, at)  # noqa: E731
                return tangent_plane(plain, pair.start)(params) if linearised else plain(params)

            def trained(scaled: Array) -> Mapping[str, Array]:
                def step(count: int, params: Any) -> Any:
                    here, labels = sample(key, count, (x, y))
                    slope = jax.grad(lambda p: losses.mean(losses.cross_entropy)(logits(p, here), labels, beta))(params)
                    return jax.tree.map(lambda p, g: p - scaled / beta * g, params, slope)

                last = jax.lax.fori_loop(0, steps, step, pair.start)
                return {
                    "train": losses.accuracy(logits(last, x), y),
                    "test": losses.accuracy(logits(last, x_test), y_test),
                }

            return jax.lax.map(trained, rate)

        return map_replicates(one_seed, (keys, x, y, x_test, y_test))

    return jax.jit(run)


def accuracies(dataset: xr.Dataset) -> xr.Dataset:
    """Test accuracy over the learning rate."""
    return xr.Dataset({"measured": dataset["test"]})


def _search_grid(betas: tuple[float, ...], points: int, width: int, steps: int, seeds: int) -> Grid:
    return Grid(
        axes={"layers": (2, 4)},
        inner={"beta": betas, "rate": RATES},
        settings={"points": points, "width": width, "steps": steps},
        seeds=seeds,
    )


def _stripe_grid(width: int, steps: int, seeds: int) -> Grid:
    return Grid(
        axes={"system": ("network", "linearised")},
        inner={"scaled_rate": (0.1, 0.3, 1.0, 3.0, 10.0, 20.0)},
        settings={"beta": 100.0, "width": width, "steps": steps, "batch": 64},
        seeds=seeds,
    )


STUDIES = (
    Study(
        name="temperature.best_learning_rate",
        title="Training loss over the learning rate at small beta",
        measure=search,
        variables={
            "final_loss": Variable(("seed", "beta", "rate"), "1", "mean training loss; 1000 where it is not finite")
        },
        grids={
            "quick": _search_grid((1e-3, 1e-1), 16, 16, 20, 10),
            "full": _search_grid((1e-4, 1e-3, 1e-2, 1e-1), 64, 64, 300, 12),
            "paper": _search_grid((1e-5, 1e-4, 1e-3, 1e-2, 1e-1), 1000, 512, 1000, 12),
        },
        checks=(
            Check(
                law="temperature.best_learning_rate",
                observe=best_rates,
                margin=Margin(0.2, "physics", "two fifths of the distance between -1/2 and -1"),
                profiles=("full", "paper"),
            ),
        ),
        reduction="mean",
        data=digits,
        takes_data=True,
    ),
    Study(
        name="temperature.features_at_large_beta",
        title="Accuracy on the stripe task at beta = 100 over the learning rate",
        measure=stripes,
        variables={
            "train": Variable(("seed", "scaled_rate"), "1", "accuracy on the training points"),
            "test": Variable(("seed", "scaled_rate"), "1", "accuracy on the test points"),
        },
        grids={
            "quick": _stripe_grid(16, 20, 10),
            "full": _stripe_grid(128, 600, 12),
            "paper": _stripe_grid(512, 2000, 12),
        },
        checks=(
            Check(
                law="temperature.features_at_large_beta",
                observe=accuracies,
                margin=Margin(0.05, "physics", "a quarter of the 0.2 between lazy and feature learning on this task"),
                select={"system": "network"},
                counter_systems=(
                    CounterSystem("linearised network", {"system": "linearised"}, "it learns no features at any rate"),
                ),
                profiles=("full", "paper"),
                minimum_effect=0.1,
            ),
        ),
        reduction="mean",
    ),
)
