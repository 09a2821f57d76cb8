"""Small steps of a population of neurons: what the second of two adds beyond the kernels of the start (width:X1)."""

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.limits import COMPONENTS, problems
from numerics.activations import leaky_softplus, value_and_slope
from numerics.population import Factors, Population, Problem, mean, moved, population

STARTS = {"symmetric": 0.0, "biased": 1.0}


def measure(
    *, replicates: Replicates, data: None, step_power: np.ndarray, start: np.ndarray, nodes: int
) -> Mapping[str, np.ndarray]:
    """Root mean squares over a problem's points: of the excess over the kernels, over t twice, and of K_a."""
    del data
    every = jax.tree.map(lambda part: part[:, 0], problems(replicates, 1)[0])
    biases = jnp.asarray([STARTS[str(name)] for name in start])
    excess, kernel = _excesses(every, 10.0**-step_power, biases, population(nodes, COMPONENTS))
    return {"excess": np.asarray(excess), "K_a": np.asarray(kernel)}


@jax.jit
def _excesses(every: Problem, sizes: Array, biases: Array, crowd: Population) -> tuple[Array, Array]:
    def of_seed(given: Problem) -> tuple[Array, Array]:
        at = [(given.order_a[k], given.order_w[k]) for k in (0, 1)]
        slope = -given.y / 2
        values, slopes = value_and_slope(leaky_softplus, given.x @ crowd.w.T)
        kernel_a = values @ (crowd.weight * values[at[1][0]])

        def one(bias: Array, size: Array) -> Array:
            start = crowd.a + bias
            kernel_w = slopes @ (crowd.weight * start**2 * slopes[at[1][1]]) * (given.x @ given.x[at[1][1]])
            first = moved(start, crowd.w, leaky_softplus, given.x, at[0], slope, Factors(1.0, size, size))
            second = moved(*first, leaky_softplus, given.x, at[1], slope, Factors(1.0, size, size))
            before, after = (mean(crowd.weight, *neurons, given.x, leaky_softplus) for neurons in (first, second))
            beyond = (after - before) / size + slope[at[1][0]] * kernel_a + slope[at[1][1]] * kernel_w
            return jnp.sqrt(jnp.mean(beyond**2)) / size

        found = jax.vmap(jax.vmap(one, in_axes=(None, 0)), in_axes=(0, None))(biases, sizes)
        return found, jnp.sqrt(jnp.mean(kernel_a**2))

    return jax.lax.map(of_seed, every)


def excesses(data: xr.Dataset) -> xr.Dataset:
    """Excess over the kernels along the size of the steps."""
    made = xr.Dataset({"measured": data["excess"], "error": data["excess"], "K_a": data["K_a"]})
    return made.assign_coords(t=("step_power", 10.0 ** -data["step_power"].values.astype(float)))


STUDY = Study(
    name="width.small_steps",
    title="Two small steps of a population of neurons, whose output weights are symmetric at the start or not",
    measure=measure,
    variables={
        "excess": Variable(("seed", "start", "step_power"), "1", "what a second step adds beyond the kernels, over t"),
        "K_a": Variable(("seed",), "1", "kernel of the output weights with the second sample"),
    },
    grids={
        profile: Grid(
            inner={"start": tuple(STARTS), "step_power": (1.0, 2.0, 3.0)},
            settings={"nodes": nodes},
            seeds=24,
        )
        for profile, nodes in zip(PROFILES, (8, 16, 24), strict=True)
    },
    checks=(
        Check(
            law="width.limit_parity",
            observe=excesses,
            margin=Margin(0.1, "physics", "an excess of first order stays over t; a tenth of it is far from that"),
            select={"start": "symmetric"},
            counter_systems=(
                CounterSystem("biased output weights", {"start": "biased"}, "terms of first order have a mean"),
            ),
            profiles=("full", "paper"),
        ),
    ),
)
