"""Real networks whose limit stands still: how fast their distance to it falls as they grow (width:G3, width:R03)."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.limits import SLOPE, Model, model_at
from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.finite_width import network
from numerics.limits import evolve
from numerics.population import Factors, Population, Problem, population
from numerics.width_model import draw_neurons, output

PLACES: Mapping[str, tuple[float, float]] = MappingProxyType({"A = 1/2": (0.0, -0.5), "A = 1/4": (-0.25, -0.25)})
"""Scalings whose normalised logits start as the field while the logits themselves diverge: q_sigma + q = -1/2."""

SAMPLES = ("right", "wrong")
COMPONENTS, STEPS = 2, 4
LARGEST = 22.0
"""Logit at the largest width: e^(-22) is a million roundings of a number of order one, and every weight's step, a width
smaller, is still some hundred; at 28 some networks did not move at all.
"""

RATE = 0.1
"""What a gradient of one moves normalised logits by, times a kernel of order one: no step changes a sign."""


def measure(
    *, replicates: Replicates, data: None, width: int, place: np.ndarray, samples: np.ndarray, networks: int, wide: int
) -> Mapping[str, np.ndarray]:
    """Largest distance to the limit in a few steps on one sample, which is right or wrong; geometric means.

    sigma* is such that all networks of a place have one logit, of size ``LARGEST`` at the width ``wide``, and eta*
    such that the same gradient moves it as far.
    """
    del data
    places = [model_at(*PLACES[str(name)]) for name in place]
    models = jax.tree.map(lambda *parts: jnp.asarray(parts, dtype=float), *places)
    sides = jnp.asarray([1.0 if str(name) == SAMPLES[0] else -1.0 for name in samples])
    crowd = population(2, COMPONENTS)
    found = _distances(replicates.keys(), models, sides, crowd, width=int(width), networks=networks, wide=wide)
    return {"distance": np.asarray(found)}


@partial(jax.jit, static_argnames=("width", "networks", "wide"))
def _distances(
    keys: Array, models: Model, sides: Array, crowd: Population, *, width: int, networks: int, wide: int
) -> Array:
    kernels = expectation(SLOPE)
    always = jnp.zeros(STEPS, dtype=int)

    def one(key: Array) -> Array:
        places, weights = jax.random.split(key)
        point = jax.random.normal(places, (1, COMPONENTS))
        x = point / jnp.linalg.norm(point)
        neurons = draw_neurons(weights, width=width, inputs=COMPONENTS)
        field = output(neurons, width**-0.5, leaky_softplus, x)

        def at(model: Model, side: Array) -> Array:
            sigma = LARGEST / float(wide) ** (model.exponents.q_sigma + 0.5) / jnp.abs(field[0])
            factors = Factors(sigma, RATE / sigma**2, RATE / sigma**2)
            given = Problem(x, side * jnp.sign(field), always, always)
            trained = network(neurons, model.exponents, given, factors, leaky_softplus)
            limit = evolve(model.signs, given, trained.field, factors, crowd, leaky_softplus, kernels)
            return jnp.log(jnp.max(jnp.abs(trained.logits - limit)))

        over_sides = jax.vmap(at, in_axes=(None, 0))
        return jax.vmap(over_sides, in_axes=(0, None))(models, sides)

    def group(key: Array) -> Array:
        return jnp.exp(jnp.mean(jax.lax.map(one, jax.random.split(key, networks)), axis=0))

    return jax.lax.map(group, keys)


def falls(data: xr.Dataset) -> xr.Dataset:
    """Logarithm of the distance less that at the next width, along the smaller of both.

    Raises
    ------
    ValueError
        If widths are not each the same multiple of the one before.
    """
    ordered = xr.apply_ufunc(np.log, data["distance"]).sortby("width")
    widths = ordered["width"].values.astype(float)
    if np.unique(widths[1:] / widths[:-1]).size != 1:
        raise ValueError(f"width.standing_still: widths {widths.tolist()} are in no one ratio; give a geometric row")
    fall = -ordered.diff("width", label="lower")
    powers = [PLACES[str(name)][0] + 0.5 for name in data["place"].values]
    return xr.Dataset({"measured": fall}).assign_coords(d=("width", widths[:-1]), power=("place", powers))


def _grid(widths: tuple[int, ...], networks: int) -> Grid:
    return Grid(
        axes={"width": widths},
        inner={"place": tuple(PLACES), "samples": SAMPLES},
        settings={"networks": networks, "wide": widths[-1]},
        seeds=24,
    )


STUDY = Study(
    name="width.standing_still",
    title="Real networks of growing width whose sample is right from the start, beside a limit that stands still",
    measure=measure,
    variables={
        "distance": Variable(("seed", "place", "samples"), "1", "largest distance of normalised logits to the limit")
    },
    grids={"quick": _grid((16, 64, 256), 20), "full": _grid((16, 64, 256, 1024), 100)},
    checks=(
        Check(
            law="width.limit_standstill",
            observe=falls,
            margin=Margin(0.1, "physics", "less than half of the 1/4 by which the exponents differ from each other"),
            select={"samples": "right"},
            profiles=("full",),
            counter_systems=(
                CounterSystem("sample wrong", {"samples": "wrong"}, "its limit moves: a power of the width"),
            ),
        ),
    ),
)
