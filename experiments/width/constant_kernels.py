"""Networks along a training, beside kernel descent with closed-form kernels from their own start (width:T3, T7)."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.families import FAMILIES, scaled
from experiments.width.paper import REFERENCE_WIDTH
from experiments.width.paper_task import Task, task
from numerics.activations import leaky_relu
from numerics.chunks import map_replicates
from numerics.data import digits
from numerics.dots import dot
from numerics.expectations import leaky_relu as expectation
from numerics.function_space import Inner, Rates, draw, inner_products, train
from numerics.kernel_descent import kernel_descent

SLOPE = 0.1
POINTS, BATCH = 128, 16


class Wide(NamedTuple):
    """The infinitely wide network: kernels between all points and the training points, learning rates included.

    ``features`` is the output weights' part alone, as if the input weights were not trained.
    """

    kernel: Float[Array, "batch points"]
    features: Float[Array, "batch points"]
    y: Float[Array, "points"]


def measure(
    *, replicates: Replicates, data: Any, family: str, width: int, after: np.ndarray, test: int
) -> Mapping[str, np.ndarray]:
    """Distance of a network's test logits to kernel descent from its own start, over the latter's size; kernel's drift.

    ``after`` lists numbers of steps. The start and the kernel are those before the first one; a network's drift is the
    mean relative change of its kernel's diagonal at the test points.
    """
    given = task(data, POINTS, test)
    by = scaled(FAMILIES[family], width / REFERENCE_WIDTH)
    inner = inner_products(given.x_train, given.x_test, given.y_train, given.y_test, dtype=jnp.float32)
    rates = Rates(by.output * given.rate_output, by.inputs * given.rate_inputs)
    scale = by.scale / np.sqrt(3 * REFERENCE_WIDTH)
    every = np.concatenate([given.x_train, given.x_test])
    wide = _wide(given, every, rates, scale, width)
    found = _runs(
        replicates.keys(),
        inner,
        wide,
        *jax.tree.map(partial(jnp.asarray, dtype=jnp.float32), (every, rates, scale, given.scale_inputs)),
        jnp.asarray([0, *after]),
        width=int(width),
    )
    return {name: np.asarray(values) for name, values in found.items()}


def _wide(given: Task, every: np.ndarray, rates: Rates, scale: float, width: int) -> Wide:
    """Sums over neurons of both layers' parts, each neuron's replaced by its mean."""
    products = every @ given.x_train.T
    covariance = given.scale_inputs**2 * products
    squares = given.scale_inputs**2 * np.sum(every**2, axis=1)
    a, b = np.broadcast_arrays(squares[:, None], squares[None, :POINTS])
    values, slopes = (np.asarray(part) for part in expectation(SLOPE)(*map(jnp.asarray, (a, b, covariance))))
    features = width * rates.output * values
    whole = features + width * rates.inputs * scale**2 * slopes * products
    return Wide(*(jnp.asarray(part, jnp.float32) for part in (whole, features, given.y_train)))


@partial(jax.jit, static_argnames=("width",))
def _runs(
    keys: Any, inner: Inner, wide: Wide, every: Any, rates: Rates, scale: Any, scale_inputs: Any, step: Any, *,
    width: int,
) -> dict[str, Array]:  # fmt: skip
    def one(key: Any) -> dict[str, Array]:
        start = draw(key, every[:POINTS], every[POINTS:], width=width, scale_output=scale, scale_inputs=scale_inputs)
        seen = train(start, inner, rates, step, batch=BATCH)
        own = jnp.concatenate([dot(leaky_relu(z), start.a) for z in (start.z_train, start.z_test)])
        limit, without = (
            kernel_descent(part, own, wide.y, step, batch=BATCH)[1:, POINTS:] for part in (wide.kernel, wide.features)
        )
        return {
            "distance": _apart(seen.logits[1:], limit),
            "features": _apart(without, limit),
            "drift": jnp.mean(seen.kernel[1:] / seen.kernel[0] - 1, axis=1),
        }

    return map_replicates(one, keys)


def _apart(logits: Array, limit: Array) -> Array:
    """Root mean square difference over test points, over the limit's size."""
    return jnp.sqrt(jnp.mean((logits - limit) ** 2, axis=1) / jnp.mean(limit**2, axis=1))


def distances(data: xr.Dataset) -> xr.Dataset:
    """Distance to kernel descent along the width, after every number of steps."""
    made = xr.Dataset({"measured": data["distance"], "distance_features": data["features"]})
    return made.assign_coords(d=("width", data["width"].values.astype(float)))


def drifts(data: xr.Dataset) -> xr.Dataset:
    """Relative change of the kernel's diagonal along the width, at the last record."""
    last = data["drift"].isel(after=-1, drop=True)
    family = FAMILIES["NTK"]
    made = xr.Dataset({"measured": last}).assign_coords(q_sigma=family.q_sigma, q=family.q_a)
    return made.assign_coords(d=("width", data["width"].values.astype(float)))


_NTK, _MF = {"family": "NTK"}, {"family": "MF"}
_COUNTER = (CounterSystem("mean-field scaling", _MF, "its kernels evolve at every width"),)
AFTER = (1, 5, 20, 100, 500)
STUDY = Study(
    name="width.constant_kernels",
    title="Networks of growing width along a whole training, beside kernel descent from their own start",
    measure=measure,
    variables={
        "distance": Variable(("seed", "after"), "1", "distance of test logits to kernel descent, over its size"),
        "features": Variable(("seed", "after"), "1", "the same of kernel descent by the output weights alone"),
        "drift": Variable(("seed", "after"), "1", "mean relative change of the kernel's diagonal"),
    },
    grids={
        profile: Grid(
            axes={"family": ("NTK", "MF"), "width": widths},
            inner={"after": AFTER},
            settings={"test": 60},
            seeds=seeds,
            first_seed=400,
        )
        for profile, widths, seeds in zip(
            PROFILES,
            ((512, 2048, 4096), (512, 2048, 8192), (512, 4096, 16384, 65536)),
            (20, 24, 24),
            strict=True,
        )
    },
    checks=(
        Check(
            law="width.kernel_descent",
            observe=distances,
            margin=Margin(0.75, "physics", "from width 512 to 4096 d^(-1/2) falls to 1/3; an error that stays, to 1"),
            select=_NTK,
            counter_systems=_COUNTER,
            profiles=("full", "paper"),
        ),
        Check(
            law="width.kernel_drift",
            observe=drifts,
            margin=Margin(0.1, "physics", "a fifth of the 1/2 by which a fluctuation differs"),
            select=_NTK,
            counter_systems=_COUNTER,
            profiles=("full", "paper"),
        ),
    ),
    precision="float32",
    reduction="mean",
    data=digits,
    takes_data=True,
)
