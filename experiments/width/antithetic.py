"""Pairs of networks of opposite output weights: what one step changes in both their kernels together (width:G1)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.scaling import COMPONENTS, STARTS, Inputs, inputs_of
from numerics.activations import leaky_softplus
from numerics.width_model import Neurons, Sample, draw_neurons, kernels, scaling, step

DRAW = 3
GRADIENTS = (0.7, -0.6)
"""Of either layer's sample, the same for both networks of a pair."""


def measure(
    *, replicates: Replicates, data: None, start: np.ndarray, size: np.ndarray, width: int
) -> Mapping[str, np.ndarray]:
    """Root mean squares over inputs, over the size of the step: changes of both networks together, and of one."""
    del data
    means = jnp.asarray([STARTS[str(name)] for name in start])
    pair, single = _pairs(replicates.keys(), inputs_of(replicates.ids, DRAW), means, jnp.asarray(size), width=width)
    return {"pair": np.asarray(pair), "single": np.asarray(single)}


@partial(jax.jit, static_argnames="width")
def _pairs(keys: Array, every: Inputs, means: Array, sizes: Array, *, width: int) -> tuple[Array, Array]:
    def group(of_seed: tuple[Array, Inputs]) -> tuple[Array, Array]:
        key, given = of_seed
        drawn = draw_neurons(key, width=width, inputs=COMPONENTS)
        samples = (Sample(x[:1], jnp.asarray([g])) for x, g in zip((given.for_a, given.for_w), GRADIENTS, strict=True))
        of_a, of_w = samples

        def change(sign: float, mean: Array, size: Any) -> Array:
            now = Neurons(mean + sign * drawn.a, drawn.w)
            rates = scaling(width, q_sigma=-0.5, q_a=0.0, q_w=0.0, rate_a=size, rate_w=size)
            before, after = (
                kernels(one, rates, leaky_softplus, given.observed, given.observed)
                for one in (now, step(now, rates, leaky_softplus, of_a, of_w))
            )
            return (after.a - before.a + after.w - before.w) / size

        def at(mean: Array, size: Array) -> tuple[Array, Array]:
            one, other = change(1.0, mean, size), change(-1.0, mean, size)
            return jnp.sqrt(jnp.mean((one + other) ** 2)), jnp.sqrt(jnp.mean(one**2))

        return jax.vmap(jax.vmap(at, (None, 0)), (0, None))(means, sizes)

    return jax.lax.map(group, (keys, every))


def pairs(data: xr.Dataset) -> xr.Dataset:
    """Changes of both networks together along the step's size; one network's own at the smallest."""
    own = data["single"].isel(size=int(np.argmin(data["size"].values)), drop=True)
    made = xr.Dataset({"measured": data["pair"], "single": own})
    return made.assign_coords(t=("size", data["size"].values))


STUDY = Study(
    name="width.antithetic",
    title="Pairs of networks of opposite output weights: changes of their kernels in one step, over its size",
    measure=measure,
    variables={
        "pair": Variable(("seed", "start", "size"), "1", "change of both kernels together over the step's size"),
        "single": Variable(("seed", "start", "size"), "1", "change of one network's kernel over the step's size"),
    },
    grids={
        profile: Grid(
            inner={"start": ("symmetric", "biased"), "size": (0.1, 0.01, 0.001)},
            settings={"width": width},
            seeds=24,
            first_seed=900,
        )
        for profile, width in zip(PROFILES, (256, 4096, 65536), strict=True)
    },
    checks=(
        Check(
            law="width.antithetic",
            observe=pairs,
            margin=Margin(0.1, "physics", "from a step of 1/10 to one of 1/1000 it falls to 1/100; a mean stays"),
            select={"start": ["symmetric"]},
            counter_systems=(
                CounterSystem("biased output weights", {"start": ["biased"]}, "their mean is what a pair shares"),
            ),
            profiles=("full", "paper"),
        ),
    ),
)
