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

FOLLOWED = "R13"
"""The scaling at which changes are followed along the width."""

SAMPLES = ("all right", "one wrong")
ROUNDING = 1e-16
"""Of the logits, to which a change at the largest width may be rounded."""


def measure(
    *, replicates: Replicates, data: None, model: np.ndarray, k: np.ndarray, power: np.ndarray, samples: np.ndarray,
    networks: int, nodes: int,
) -> Mapping[str, np.ndarray]:  # fmt: skip
    """Share of networks that have not moved after k steps; each has points, labels and a field of its own.

    The share is that at the largest width. At ``FOLLOWED`` it is seen at every width how much k steps change the
    logits, over the change and what they were: means over networks whose samples were all right, and over the others.
    """
    del data
    crowd = population(nodes, COMPONENTS)
    names = tuple(str(name) for name in model)
    cases = stacked((*names, *(FOLLOWED for _ in power[:-1])))
    widths = jnp.asarray(10.0 ** np.array([*np.full(len(names), power[-1]), *power[:-1]]))
    still, moved = _shares(replicates.keys(), cases, crowd, widths, networks=networks, steps=int(max(k)))
    after, by = np.asarray(k, dtype=int), [SAMPLES.index(str(name)) for name in samples]
    followed = [*range(len(names), len(names) + len(power) - 1), names.index(FOLLOWED)]
    return {
        "frozen": np.asarray(still)[:, : len(names), after],
        "moved": np.asarray(moved)[:, followed][:, :, after][..., by],
    }


@partial(jax.jit, static_argnames=("networks", "steps"))
def _shares(
    keys: Array, models: Model, crowd: Population, widths: Array, *, networks: int, steps: int
) -> tuple[Array, Array]:
    """Shares, shape (seed, case, step), and mean changes, which have the samples' kind as one more dimension."""
    kernels = expectation(SLOPE)

    def one(key: Array) -> tuple[Array, Array, Array]:
        """Of the logits before every step and after the last: whether they are the first ones, what they changed by
        over this and the first, and whether a sample up to there was wrong. Every step has two fresh points.
        """
        places, labels, normal = jax.random.split(key, 3)
        x = jax.random.normal(places, (2 * steps, COMPONENTS))
        y = jax.random.rademacher(labels, (2 * steps,), dtype=x.dtype)
        root = jnp.linalg.cholesky(covariance(x, kernels) + JITTER * jnp.eye(2 * steps))
        field = FACTORS.sigma * root @ jax.random.normal(normal, (2 * steps,))
        given = Problem(x, y, jnp.arange(steps), jnp.arange(steps, 2 * steps))

        def at(exponents: Any, width: Array) -> tuple[Array, Array]:
            logits = hybrid(exponents, width, given, field, FACTORS, crowd, leaky_softplus)
            size, change = jnp.max(jnp.abs(logits[0])), jnp.max(jnp.abs(logits - logits[:1]), axis=1)
            return change <= STILL * size, change / (change + size)

        wrong = jnp.cumsum(jnp.any((y * field).reshape(2, steps) < 0, axis=0)) > 0
        return *jax.vmap(at)(models.exponents, widths), jnp.concatenate([jnp.zeros(1, dtype=bool), wrong])

    def group(key: Array) -> tuple[Array, Array]:
        still, moved, wrong = jax.lax.map(one, jax.random.split(key, networks))
        of = jnp.stack([~wrong, wrong], axis=-1).astype(moved.dtype)[:, None]
        means = jnp.sum(moved[..., None] * of, axis=0) / jnp.sum(of, axis=0)
        return jnp.mean(still.astype(float), axis=0), means

    return jax.lax.map(group, keys)


def shares(data: xr.Dataset) -> xr.Dataset:
    """Shares after every number of steps."""
    return xr.Dataset({"measured": data["frozen"]}).assign_coords(k=("k", data["k"].values))


def stays(data: xr.Dataset) -> xr.Dataset:
    """What steps make of the logits along the width: 0 where they stay, 1 where they are outgrown."""
    moved = data["moved"].rename(power="width")
    made = xr.Dataset({"measured": moved, "error": moved + ROUNDING})
    widths = 10.0 ** data["power"].values
    return made.assign_coords(d=("width", widths), outgrown=1.0).drop_vars("width", errors="ignore")


def _grid(networks: int, nodes: int, seeds: int) -> Grid:
    return Grid(
        inner={"model": ("R08", FOLLOWED, "R10", "R12"), "k": (1, 2), "power": (2.0, 16.0), "samples": SAMPLES},
        settings={"networks": networks, "nodes": nodes},
        seeds=seeds,
    )


STUDY = Study(
    name="width.freezing",
    title="Networks of width 10^16 that have not moved after one and two steps on samples with fair labels",
    measure=measure,
    variables={
        "frozen": Variable(("seed", "model", "k"), "1", "share of networks that have not moved"),
        "moved": Variable(
            ("seed", "power", "k", "samples"), "1", "change of the logits over itself and what was there"
        ),
    },
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
        Check(
            law="width.limit_path_frozen",
            observe=stays,
            margin=Margin(0.1, "physics", "an error that does not fall stays at its first size; a tenth is far off"),
            select={"samples": SAMPLES[0]},
            counter_systems=(CounterSystem("one sample wrong", {"samples": SAMPLES[1]}, "its change is all there is"),),
        ),
    ),
)
