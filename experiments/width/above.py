"""Networks above the band, where weights grow in every step: increments and curvature (width:E8, width:G17).

Two steps at q_sigma = -1/2, q = 1. Networks differ by factors there, so that a group's size is the geometric mean over
its networks, and draws of inputs differ more than networks do, so that seeds are many and groups small. The rate is
large, so that what a step adds is soon all there is; then few neurons are near zero, where curvature lives, unless the
network is wide. Inputs lie in one orthant: where two are nearly orthogonal, a step adds little to what they see.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics.activations import leaky_softplus
from numerics.losses import logistic_gradient
from numerics.width_model import Neurons, Sample, Scaling, draw_neurons, kernels, output, scaling, step

Q_SIGMA, Q = -0.5, 1.0
COMPONENTS, OBSERVED, STEPS = 4, 3, 3


class Inputs(NamedTuple):
    """Unit vectors: where logits and kernels are looked at, and either layer's sample in every step."""

    observed: Float[Array, "batch inputs"]
    for_a: Float[Array, "step inputs"]
    for_w: Float[Array, "step inputs"]


def measure(*, replicates: Replicates, data: None, width: int, networks: int, rate: float) -> Mapping[str, np.ndarray]:
    """Geometric means over networks of one draw of inputs: root mean squares over where they are looked at."""
    del data
    found = _groups(replicates.keys(), _inputs_of(replicates.ids), rate, width=int(width), networks=networks)
    return {name: np.asarray(values) for name, values in found.items()}


def _inputs_of(seeds: tuple[int, ...]) -> Inputs:
    """Unit vectors of each seed: drawn for it alone, the same at every width; no two are nearly orthogonal."""
    size = (OBSERVED + 2 * STEPS, COMPONENTS)
    drawn = np.abs(np.stack([np.random.default_rng([23, seed]).normal(size=size) for seed in seeds]))
    unit = jnp.asarray(drawn / np.linalg.norm(drawn, axis=-1, keepdims=True))
    return Inputs(*jnp.split(unit, (OBSERVED, OBSERVED + STEPS), axis=1))


@partial(jax.jit, static_argnames=("width", "networks"))
def _groups(keys: Array, every: Inputs, rate: Any, *, width: int, networks: int) -> dict[str, Array]:
    rates = scaling(width, q_sigma=Q_SIGMA, q_a=Q, q_w=Q, rate_a=rate, rate_w=rate)

    def group(of_seed: tuple[Array, Inputs]) -> dict[str, Array]:
        key, given = of_seed

        def one(each: Array) -> dict[str, Array]:
            return _sizes(draw_neurons(each, width=width, inputs=COMPONENTS), rates, given)

        logarithms = jax.lax.map(one, jax.random.split(key, networks))
        return {name: jnp.exp(jnp.mean(values, axis=0)) for name, values in logarithms.items()}

    return jax.lax.map(group, (keys, every))


def _sizes(start: Neurons, rates: Scaling, given: Inputs) -> dict[str, Array]:
    """Logarithms: curvature before the second step, increments of logits by either layer before the third."""
    first = step(start, rates, leaky_softplus, *_wrong(start, rates, given, 0))
    samples = _wrong(first, rates, given, 1)

    def kernel_after(rate_w: Array) -> Array:
        moved = step(first, rates._replace(rate_a=0.0 * rate_w, rate_w=rate_w), leaky_softplus, *samples)
        return kernels(moved, rates, leaky_softplus, given.observed, given.observed).w

    none, unit = jnp.zeros_like(rates.sigma), jnp.ones_like(rates.sigma)
    curvature = jax.jvp(kernel_after, (none,), (unit,))[1]
    second = step(first, rates, leaky_softplus, *samples)
    following = _wrong(second, rates, given, 2)

    def logits_after(rate_a: Array, rate_w: Array) -> Array:
        moved = step(second, rates._replace(rate_a=rate_a, rate_w=rate_w), leaky_softplus, *following)
        return output(moved, rates.sigma, leaky_softplus, given.observed)

    by_a, by_w = (jax.jvp(logits_after, (none, none), by)[1] for by in ((unit, none), (none, unit)))
    return {"curvature": _log_size(curvature), "increments": jnp.stack([_log_size(by_a), _log_size(by_w)])}


def _wrong(now: Neurons, rates: Scaling, given: Inputs, at: int) -> tuple[Sample, Sample]:
    """Either layer's sample of a step, misclassified, with the true gradient of the logistic loss."""

    def sample(x: Float[Array, "inputs"]) -> Sample:
        logit = output(now, rates.sigma, leaky_softplus, x[None, :])
        return Sample(x[None, :], logistic_gradient(logit, -jnp.sign(logit)))

    return sample(given.for_a[at]), sample(given.for_w[at])


def _log_size(values: Array) -> Array:
    return jnp.log(jnp.mean(values**2)) / 2


def _under_the_laws_names(measured: xr.DataArray) -> xr.Dataset:
    made = xr.Dataset({"measured": measured})
    return made.assign_coords(d=("width", measured["width"].values.astype(float)), q_sigma=Q_SIGMA, q=Q, k=0)


def increments(data: xr.Dataset) -> xr.Dataset:
    """First-order changes of the logits by either layer, before the third step."""
    return _under_the_laws_names(data["increments"])


def curvature(data: xr.Dataset) -> xr.Dataset:
    """First-order change of the input weights' kernel by the input weights, before the second step."""
    return _under_the_laws_names(data["curvature"])


def _grid(powers: tuple[int, ...], networks: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        settings={"networks": networks, "rate": 8.0},
        seeds=seeds,
        first_seed=300,
    )


STUDY = Study(
    name="width.above",
    title="Two steps of networks of growing width above the band: increments of logits, and curvature's share",
    measure=measure,
    variables={
        "increments": Variable(
            ("seed", "layer"), "1", "first-order change of the logits by either layer before the third step"
        ),
        "curvature": Variable(
            ("seed",), "1", "first-order change of the input weights' kernel by themselves before the second step"
        ),
    },
    grids={
        "quick": _grid((11, 13, 15), 3, 128),
        "full": _grid((11, 13, 15, 17), 6, 160),
        "paper": _grid((11, 13, 15, 17, 19), 6, 160),
    },
    checks=(
        Check(
            law="width.increments_above",
            observe=increments,
            margin=Margin(0.1, "physics", "a fifth of the 1/2 by which one step more differs"),
        ),
        Check(
            law="width.curvature_above",
            observe=curvature,
            margin=Margin(0.1, "physics", "a fifth of the 1/2 by which plain counting differs"),
        ),
    ),
)
