"""The largest stable learning rate around a uniform softmax, bracketed by real gradient steps of a network."""

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
from numerics.tangent import linearise
from numerics.training_points import training_points

LOSSES: Mapping[str, tuple[int, float]] = {"cross_entropy": (0, 1.0), "mean_squared": (1, 0.0)}
"""Place of the loss, and how much of a uniform label it has: the label that leaves no residual at Z = 0."""
SMALL = 1e-9
"""Length of the displacement from Z = 0 over the norm of the parameters."""
RATES = (1.0, 5.0, 10.0, 15.0, 25.0, 30.0, 60.0)
"""Learning rates in units of 1/(beta^2 lam_max)."""
GROWN = 3.0
"""What the largest step is over the first one where a displacement grows; it is 1 where all of it decays."""


def measure(
    replicates: Replicates,
    data: Data,
    loss: str,
    beta: np.ndarray,
    rate: np.ndarray,
    points: int,
    width: int,
    steps: int,
    bisections: int,
) -> Mapping[str, Any]:
    """Edge of the learning rate in units of 1/(beta^2 lam_max), and the growth at a few rates in these units.

    lam_max is the largest eigenvalue of the tangent kernel on logits that sum to 0 over the classes.
    """
    inputs, _ = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width, steps, bisections)
    place, label = LOSSES[loss]
    return run(replicates.keys(), *(jnp.asarray(a) for a in (inputs, beta, rate)), place, label)


@cache
def compiled(inputs: int, classes: int, width: int, steps: int, bisections: int) -> Callable[..., Any]:
    """All seeds, temperatures and losses in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=1, classes=classes, activation=ACTIVATIONS["erf"])

    def run(keys: Array, x: Array, beta: Array, rate: Array, place: Array, label: Array) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, Array]) -> Mapping[str, Array]:
            key, x = seed
            pair = exact_offset(network, key, x, beta=1.0, logit_scale=0.0)
            other = network.init(jax.random.fold_in(key, 3))
            aside = jax.tree.map(lambda here, there: here + SMALL * there, pair.start, other)
            y = jnp.full((x.shape[0], classes), label / classes)

            def logits(params: Any) -> Array:
                return one_half_logits(network, pair, params, x)

            line = linearise(logits, pair.start)

            def turned(_: Any, state: tuple[Array, Array]) -> tuple[Array, Array]:
                r, _ = state
                moved = line.push(line.pull(r))
                moved = moved - jnp.mean(moved, axis=-1, keepdims=True)
                return moved / jnp.linalg.norm(moved), jnp.linalg.norm(moved)

            first = jnp.cos(jnp.arange(float(y.size))).reshape(y.shape)
            first = first - jnp.mean(first, axis=-1, keepdims=True)
            lam = jax.lax.fori_loop(0, 200, turned, (first, jnp.zeros(())))[1]

            def growth(eta: Array, b: Array) -> Array:
                """Largest of the steps over the first: 1 where all modes decay, whatever becomes of those that grow."""

                def gradient(params: Any) -> Any:
                    pick = lambda p: jax.lax.switch(  # noqa: E731
                        place, (losses.cross_entropy, losses.squared_error), logits(p), y, b
                    )
                    return jax.grad(lambda p: jnp.sum(pick(p)))(params)

                def step(_: Any, state: tuple[Any, Array, Array]) -> tuple[Any, Array, Array]:
                    params, first, largest = state
                    slope = gradient(params)
                    size = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(slope)))
                    size = jnp.where(jnp.isfinite(size), size, jnp.inf)
                    params = jax.tree.map(lambda p, g: p - eta * g, params, slope)
                    return params, jnp.where(first == 0, size, first), jnp.maximum(largest, size)

                none = jnp.zeros(())
                _, first, largest = jax.lax.fori_loop(0, steps, step, (aside, none, none))
                return largest / first

            def edge(b: Array) -> Mapping[str, Array]:
                def halve(_: Any, ends: tuple[Array, Array]) -> tuple[Array, Array]:
                    low, high = ends
                    middle = jnp.sqrt(low * high)
                    grows = growth(middle, b) > GROWN
                    return jnp.where(grows, low, middle), jnp.where(grows, middle, high)

                low, high = jax.lax.fori_loop(
                    0, bisections, halve, (jnp.full((), 1e-5) / b**2, jnp.full((), 1e3) / b**2)
                )
                found = jnp.sqrt(low * high)
                around = jax.lax.map(lambda one: growth(one / (b**2 * lam), b), rate)
                return {"edge": found * b**2 * lam, "growth": around}

            return {**jax.lax.map(edge, beta), "lam_max": lam}

        return map_replicates(one_seed, (keys, x))

    return jax.jit(run)


def edges(dataset: xr.Dataset) -> xr.Dataset:
    """The edge, and whether displacements stayed small at each rate, with learning rates in units of 1/lam_max."""
    scaled = dataset.rename(rate="point")
    per_beta = 1 / dataset["beta"] ** 2
    return xr.Dataset(
        {
            "upper": scaled["edge"] * per_beta,
            "inside": (scaled["growth"] <= GROWN).where(scaled["growth"].notnull()),
            "lam_max": 1.0,
            "K": float(digits().classes),
        }
    ).assign_coords(eta=scaled["point"] * per_beta)


STUDY = Study(
    name="temperature.stability_edge",
    title="Largest stable learning rate around a uniform softmax",
    measure=measure,
    variables={
        "edge": Variable(("seed", "beta"), "1/(beta^2 lam_max)", "learning rate at which displacements begin to grow"),
        "growth": Variable(("seed", "beta", "rate"), "1", "largest step over the first"),
        "lam_max": Variable(("seed",), "1", "largest eigenvalue of the tangent kernel on balanced logits"),
    },
    grids={
        "quick": Grid(
            axes={"loss": tuple(LOSSES)},
            inner={"beta": (0.1, 1.0, 10.0), "rate": RATES},
            settings={"points": 8, "width": 64, "steps": 100, "bisections": 14},
            seeds=12,
        ),
        "full": Grid(
            axes={"loss": tuple(LOSSES)},
            inner={"beta": (0.01, 0.1, 1.0, 10.0, 100.0), "rate": RATES},
            settings={"points": 32, "width": 512, "steps": 1000, "bisections": 18},
            seeds=24,
        ),
        "paper": Grid(
            axes={"loss": tuple(LOSSES)},
            inner={"beta": (0.01, 0.1, 1.0, 10.0, 100.0), "rate": RATES},
            settings={"points": 128, "width": 2048, "steps": 1000, "bisections": 18},
            seeds=24,
            block=4,
        ),
    },
    checks=(
        Check(
            law="temperature.stability_edge",
            observe=edges,
            margin=Margin(0.1, "physics", "a fifth of the distance to the rate of fastest decay", relative=True),
            select={"loss": "cross_entropy"},
            counter_systems=(
                CounterSystem(
                    "mean-squared loss",
                    {"loss": "mean_squared"},
                    "its curvature in Z is 1, not 1/K",
                ),
            ),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=False,
)
