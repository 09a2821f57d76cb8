"""How many real networks move though all their samples are right, and which logits are small enough (width:G3).

Labels are the signs of the network's own initial logits: that fair ones are, in one case of 4 at every step, is known.
A change counts from a tenth of d^(q_sigma + 1/2) on, a number that does not know the network's own logits.
"""

from collections.abc import Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.freezing_networks import COMPONENTS, STEPS, STILL
from experiments.width.limits import FACTORS, Model, stacked
from numerics.activations import leaky_softplus
from numerics.dots import dot
from numerics.finite_width import Exponents, network
from numerics.population import Problem
from numerics.width_model import Neurons, draw_neurons, kernels, output, scaling

SAMPLES = ("a sample each", "one for both")
"""Whether either layer has a sample of its own."""


def measure(
    *, replicates: Replicates, data: None, width: int, model: np.ndarray, k: np.ndarray, samples: np.ndarray,
    networks: int,
) -> Mapping[str, np.ndarray]:  # fmt: skip
    """Share of networks that stand still for k steps on right samples, and the mean threshold of those samples."""
    del data
    models = stacked(tuple(str(name) for name in model))
    shared = jnp.asarray([SAMPLES.index(str(name)) for name in samples])
    still, below = _shares(replicates.keys(), models, shared, width=int(width), networks=networks)
    after = np.asarray(k, dtype=int) - 1
    return {"still": np.asarray(still)[..., after], "threshold": np.asarray(below)[..., after]}


@partial(jax.jit, static_argnames=("width", "networks"))
def _shares(keys: Array, models: Model, shared: Array, *, width: int, networks: int) -> tuple[Array, Array]:
    """Shares and thresholds, shape (seed, model, samples, step)."""

    def one(key: Array) -> tuple[Array, Array]:
        places, weights = jax.random.split(key)
        x = jax.random.normal(places, (2 * STEPS, COMPONENTS))
        neurons = draw_neurons(weights, width=width, inputs=COMPONENTS)
        y = jnp.sign(output(neurons, 1.0, leaky_softplus, x))

        def at(exponents: Exponents, both: Array) -> tuple[Array, Array]:
            given = Problem(x, y, jnp.arange(STEPS), jnp.arange(STEPS) + STEPS * (1 - both))
            logits = network(neurons, exponents, given, FACTORS, leaky_softplus).logits
            unit = jnp.asarray(float(width)) ** (exponents.q_sigma + 0.5)
            change = jnp.max(jnp.abs(logits[1:] - logits[:1]), axis=1) * float(width) ** exponents.order
            below = jnp.mean(_thresholds(neurons, exponents, given, unit, width), axis=0)
            return change <= STILL * unit, jnp.cumsum(below) / jnp.arange(1.0, STEPS + 1.0)

        return jax.lax.map(lambda exponents: jax.lax.map(partial(at, exponents), shared), models.exponents)

    def group(key: Array) -> tuple[Array, Array]:
        still, below = jax.lax.map(one, jax.random.split(key, networks))
        return jnp.mean(still.astype(below.dtype), axis=0), jnp.mean(below, axis=0)

    return jax.lax.map(group, keys)


def _thresholds(
    neurons: Neurons, exponents: Exponents, given: Problem, unit: Array, width: int
) -> Float[Array, "layer step"]:
    """Largest logit of each sample at which its own step would count, over the deviation of its logit.

    The logit at which a gradient has a given size is where the sigmoid has it; deviations are those over output
    weights, input weights being what they are.
    """
    rates = scaling(width, q_sigma=exponents.q_sigma, q_a=exponents.q_a, q_w=exponents.q_w, rate_a=1.0, rate_w=1.0)
    found = kernels(neurons, rates, leaky_softplus, given.x, given.x)
    samples = jnp.stack([given.order_a, given.order_w])
    by_one = jnp.stack([jnp.max(jnp.abs(one[:, at]), axis=0) for one, at in zip(found, samples, strict=True)])
    needed = jnp.minimum(STILL * unit / by_one, 0.5)
    values = leaky_softplus(dot(given.x, neurons.w.T))
    return jax.scipy.special.logit(1 - needed) / (rates.sigma * jnp.sqrt(jnp.sum(values**2, axis=1)))[samples]


def lost(data: xr.Dataset) -> xr.Dataset:
    """Minus the logarithm of the share that stands still over the threshold, at the largest width."""
    there = data.isel(width=-1, drop=True)
    made = xr.Dataset({"measured": -np.log(there["still"]) / there["threshold"]})
    return made.assign_coords(k=("k", data["k"].values))


def _grid(width: int, networks: int) -> Grid:
    return Grid(
        axes={"width": (width,)},
        inner={"model": ("R08", "R13"), "samples": SAMPLES, "k": (1, 2)},
        settings={"networks": networks},
        seeds=24,
        first_seed=1100,
    )


STUDY = Study(
    name="width.freezing_shortfall",
    title="Real networks that move though all samples of their first two steps are right",
    measure=measure,
    variables={
        "still": Variable(("seed", "model", "samples", "k"), "1", "share of networks that have not moved"),
        "threshold": Variable(
            ("seed", "model", "samples", "k"), "1", "mean logit at which a step just counts, over its size"
        ),
    },
    grids={"quick": _grid(1024, 60), "full": _grid(16384, 250), "paper": _grid(65536, 600)},
    checks=(
        Check(
            law="width.freezing_shortfall",
            observe=lost,
            margin=Margin(0.2, "physics", "less than half of the distance to one sample a step"),
            select={"samples": [SAMPLES[0]]},
            counter_systems=(
                CounterSystem("one sample for both", {"samples": [SAMPLES[1]]}, "half as many logits may be small"),
            ),
            profiles=("full", "paper"),
        ),
    ),
)
