"""Both edges of the band, along a cut of constant output scale (width:P1): the second step's increments over logits.

Above the band neurons are carried off by what steps add, below it and inside nothing is. A large rate makes what a
step adds soon all there is above; inside it would move narrow networks by more than wide ones.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from experiments.width.checks import exponent
from experiments.width.scaling import COMPONENTS, Inputs, Sample, inputs_of, misclassified
from numerics.activations import leaky_softplus
from numerics.width_model import Neurons, Scaling, draw_neurons, output, scaling, step

CUT: Mapping[str, tuple[float, float]] = MappingProxyType(
    {f"size {size:+g}": (-0.5, size + 0.5) for size in (-1.5, -1.0, -0.25, -0.125, 0.5, 1.0)}
)
"""A cut across the plane at q_sigma = -1/2: (q_sigma, q), named by q_sigma + q, the size of a step."""

BELOW = ("size -1.5", "size -1")
ABOVE = ("size +0.5", "size +1")
LEARNS = 0.25
"""Largest exponent of increments over logits, either way, at which a network counts as learning at every
width."""

DRAW = 2
"""Which draw of inputs this is: no study has used it before."""


def measure(
    *, replicates: Replicates, data: None, width: int, point: np.ndarray, networks: int, rate: float, rate_above: float
) -> Mapping[str, np.ndarray]:
    """Root mean squares over networks and inputs, at every point of the cut."""
    del data
    places = [CUT[str(name)] for name in point]
    rates = [rate_above if sum(place) > 0 else rate for place in places]
    q_sigma, q, eta = (jnp.asarray(values) for values in (*np.transpose(places), rates))
    found = _groups(
        replicates.keys(), inputs_of(replicates.ids, DRAW), q_sigma, q, eta, width=int(width), networks=networks
    )
    return {name: np.asarray(values) for name, values in found.items()}


@partial(jax.jit, static_argnames=("width", "networks"))
def _groups(
    keys: Array, every: Inputs, q_sigma: Array, q: Array, eta: Array, *, width: int, networks: int
) -> dict[str, Array]:
    at = jax.vmap(lambda s, p, r: scaling(width, q_sigma=s, q_a=p, q_w=p, rate_a=r, rate_w=r))(q_sigma, q, eta)

    def group(of_seed: tuple[Array, Inputs]) -> dict[str, Array]:
        key, given = of_seed

        def one(each: Array) -> dict[str, Array]:
            start = draw_neurons(each, width=width, inputs=COMPONENTS)
            return jax.lax.map(partial(_squares, start, given), at)

        squares = jax.lax.map(one, jax.random.split(key, networks))
        return {name: jnp.sqrt(jnp.mean(values, axis=0)) for name, values in squares.items()}

    return jax.lax.map(group, (keys, every))


def _squares(start: Neurons, given: Inputs, rates: Scaling) -> dict[str, Array]:
    """Mean squares after one step: of the logits, and of their first-order change by either layer in a second one."""

    def wrong(now: Neurons, count: int) -> tuple[Sample, Sample]:
        return misclassified(now, rates, given.for_a[count]), misclassified(now, rates, given.for_w[count])

    after = step(start, rates, leaky_softplus, *wrong(start, 0))
    following = wrong(after, 1)

    def logits(rate_a: Any, rate_w: Any) -> Array:
        moved = step(after, rates._replace(rate_a=rate_a, rate_w=rate_w), leaky_softplus, *following)
        return output(moved, rates.sigma, leaky_softplus, given.observed)

    none, unit = jnp.zeros_like(rates.sigma), jnp.ones_like(rates.sigma)
    by_layer = [jax.jvp(logits, (none, none), by)[1] for by in ((unit, none), (none, unit))]
    return {
        "logits": jnp.mean(output(after, rates.sigma, leaky_softplus, given.observed) ** 2),
        "increments": jnp.stack([jnp.mean(change**2) for change in by_layer]),
    }


def edges(data: xr.Dataset) -> xr.Dataset:
    """Where the exponent of increments over logits leaves zero, going down and going up along the cut.

    That outside the band the exponent is a straight line in the size of a step is presumed, not measured (there
    are two sizes on either side); where the line meets zero is the edge.
    """
    ratio = exponent(data["increments"]) - exponent(data["logits"])
    places = [CUT[str(name)] for name in data["point"].values]
    size = np.array([sum(place) for place in places])
    ratio = ratio.assign_coords(size=("point", size))
    inside = (abs(ratio) <= LEARNS).all("layer").astype(float).where(ratio.notnull().all("layer"))
    made = xr.Dataset(
        {
            "lower": _crossing(ratio.sel(point=list(BELOW))),
            "upper": _crossing(ratio.sel(point=list(ABOVE))),
            "inside": inside,
        }
    )
    return made.assign_coords(
        {
            "q_sigma": ("point", [place[0] for place in places]),
            "q": ("point", [place[1] for place in places]),
            "q + q_sigma": ("point", size),
        }
    )


def _crossing(ratio: xr.DataArray) -> xr.DataArray:
    """Zero of the straight line through the exponents at a few sizes."""
    size = ratio["size"] - ratio["size"].mean()
    slope = (ratio * size).sum("point", skipna=False) / (size**2).sum()
    return ratio["size"].mean() - ratio.mean("point", skipna=False) / slope


def _grid(powers: tuple[int, ...], networks: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        inner={"point": tuple(CUT)},
        settings={"networks": networks, "rate": 2.0, "rate_above": 8.0},
        seeds=seeds,
        first_seed=600,
    )


STUDY = Study(
    name="width.cut",
    title="Networks of growing width across the band: logits after one step, and what a second one adds to them",
    measure=measure,
    variables={
        "logits": Variable(("seed", "point"), "1", "logits after the first step, root mean square"),
        "increments": Variable(
            ("seed", "point", "layer"), "1", "first-order change of logits in the second step by either layer"
        ),
    },
    grids={
        "quick": _grid((8, 10, 12), 8, 64),
        "full": _grid((8, 10, 12, 14), 16, 96),
        "paper": _grid((8, 10, 12, 14, 16), 32, 96),
    },
    checks=(
        Check(
            law="width.band",
            observe=edges,
            margin=Margin(0.1, "physics", "a fifth of the 1/2 by which the edges differ"),
        ),
    ),
    reduction="mean",
)
