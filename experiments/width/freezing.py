"""How often networks of huge numeric width have not moved after a few steps (width:G3, G4)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.limits import FACTORS, JITTER, SLOPE, Model, stacked
from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.finite_width import hybrid
from numerics.limits import covariance
from numerics.population import Population, Problem, population

COMPONENTS = 2
STILL = 1e-6
"""Largest change of the logits, over their size, that counts as none."""


def measure(
    *, replicates: Replicates, data: None, model: np.ndarray, k: np.ndarray, power: float, networks: int, nodes: int
) -> Mapping[str, np.ndarray]:
    """Share of networks that have not moved after k steps; each has points, labels and a field of its own."""
    del data
    crowd = population(nodes, COMPONENTS)
    names = tuple(str(name) for name in model)
    steps = int(max(k))
    found = _shares(replicates.keys(), stacked(names), crowd, jnp.asarray(10.0**power), networks=networks, steps=steps)
    return {"frozen": np.asarray(found)[:, :, np.asarray(k, dtype=int)]}


@partial(jax.jit, static_argnames=("networks", "steps"))
def _shares(keys: Array, models: Model, crowd: Population, width: Array, *, networks: int, steps: int) -> Array:
    kernels = expectation(SLOPE)

    def one(key: Array) -> Array:
        """Whether it has moved, before every step and after the last; every step has two fresh points."""
        places, labels, normal = jax.random.split(key, 3)
        x = jax.random.normal(places, (2 * steps, COMPONENTS))
        y = jax.random.rademacher(labels, (2 * steps,), dtype=x.dtype)
        root = jnp.linalg.cholesky(covariance(x, kernels) + JITTER * jnp.eye(2 * steps))
        field = FACTORS.sigma * root @ jax.random.normal(normal, (2 * steps,))
        given = Problem(x, y, jnp.arange(steps), jnp.arange(steps, 2 * steps))

        def at(exponents: Any) -> Array:
            logits = hybrid(exponents, width, given, field, FACTORS, crowd, leaky_softplus)
            change = jnp.max(jnp.abs(logits - logits[:1]), axis=1)
            return change <= STILL * jnp.max(jnp.abs(logits[0]))

        return jax.vmap(at)(models.exponents)

    def group(key: Array) -> Array:
        still = jax.lax.map(one, jax.random.split(key, networks))
        return jnp.mean(still.astype(float), axis=0)

    return jax.lax.map(group, keys)


def shares(data: xr.Dataset) -> xr.Dataset:
    """Shares after every number of steps."""
    return xr.Dataset({"measured": data["frozen"]}).assign_coords(k=("k", data["k"].values))


def _grid(networks: int, nodes: int, seeds: int) -> Grid:
    return Grid(
        inner={"model": ("R08", "R13", "R10", "R12"), "k": (1, 2)},
        settings={"power": 16.0, "networks": networks, "nodes": nodes},
        seeds=seeds,
    )


STUDY = Study(
    name="width.freezing",
    title="Networks of width 10^16 that have not moved after one and two steps on samples with fair labels",
    measure=measure,
    variables={"frozen": Variable(("seed", "model", "k"), "1", "share of networks that have not moved")},
    grids={"quick": _grid(300, 6, 24), "full": _grid(2000, 8, 24), "paper": _grid(4000, 10, 48)},
    checks=(
        Check(
            law="width.freezing",
            observe=shares,
            margin=Margin(
                0.3, "physics", "less than half of the distance to one sample in two; 1/4 for good is 4 times"
            ),
            select={"model": ["R08", "R13"]},
            counter_systems=(
                CounterSystem(
                    "mean-field", {"model": ["R10"]}, "its initial logits vanish: every sample has a gradient"
                ),
                CounterSystem("sym-default", {"model": ["R12"]}, "its initial logits are of order one"),
            ),
        ),
    ),
)
