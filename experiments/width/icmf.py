"""The corrected mean-field model along the width, and every scaled model at the reference's width (width:X3, T6)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.families import FAMILIES, scaled
from experiments.width.scaling import Inputs, inputs_of, misclassified
from numerics.activations import leaky_softplus
from numerics.chunks import map_replicates
from numerics.function_space import Rates, draw, inner_products, train
from numerics.width_model import Sample, draw_neurons, kernels, output, scaling, step

QUANTITIES = ("logits", "K_a", "K_w", "change of K_a", "change of K_w")
COMPONENTS = 4


def measure(
    *, replicates: Replicates, data: None, width: int, frozen: np.ndarray, networks: int, rate: float
) -> Mapping[str, np.ndarray]:
    """Root mean squares over a few networks: initial logits and kernels, and the whole change of one step."""
    del data
    found = _groups(
        replicates.keys(), inputs_of(replicates.ids), jnp.asarray(frozen), rate, width=int(width), networks=networks
    )
    return {"size": np.asarray(found)}


@partial(jax.jit, static_argnames=("width", "networks"))
def _groups(keys: Array, every: Inputs, frozen: Array, rate: Any, *, width: int, networks: int) -> Array:
    rates = scaling(width, q_sigma=-1.0, q_a=1.0, q_w=1.0, rate_a=rate, rate_w=rate)

    def group(of_seed: tuple[Array, Inputs]) -> Array:
        key, given = of_seed

        def one(each: Array) -> Array:
            neurons = draw_neurons(each, width=width, inputs=COMPONENTS)
            before = kernels(neurons, rates, leaky_softplus, given.observed, given.observed)
            samples: tuple[Sample, Sample] = (
                misclassified(neurons, rates, given.for_a[0]),
                misclassified(neurons, rates, given.for_w[0]),
            )
            moved = step(neurons, rates, leaky_softplus, *samples)
            after = kernels(moved, rates, leaky_softplus, given.observed, given.observed)
            start = output(neurons, rates.sigma, leaky_softplus, given.observed)
            others = [jnp.mean(part**2) for part in (before.a, before.w, after.a - before.a, after.w - before.w)]

            def at(share: Array) -> Array:
                """The share of what the scaling takes off the initial logits that a frozen sum gives back."""
                kept = 1.0 + share * (jnp.sqrt(jnp.asarray(float(width))) - 1.0)
                return jnp.stack([jnp.mean((kept * start) ** 2), *others])

            return jax.vmap(at)(frozen)

        return jnp.sqrt(jnp.mean(jax.lax.map(one, jax.random.split(key, networks)), axis=0))

    return jax.lax.map(group, (keys, every))


def sizes(data: xr.Dataset) -> xr.Dataset:
    """All five along the width."""
    made = xr.Dataset({"measured": data["size"]}).assign_coords(quantity=("quantity", list(QUANTITIES)))
    return made.assign_coords(d=("width", data["width"].values))


def _grid(powers: tuple[int, ...], networks: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        inner={"frozen": (1.0, 0.0)},
        settings={"networks": networks, "rate": 8.0},
        seeds=seeds,
        first_seed=100,
    )


ALONG = Study(
    name="width.icmf",
    title="Initial logits, kernels and their change in one step of the corrected mean-field model along the width",
    measure=measure,
    variables={"size": Variable(("seed", "frozen", "quantity"), "1", "root mean square")},
    grids={"quick": _grid((8, 10, 12), 8, 32), "full": _grid((8, 9, 10, 11, 12, 13, 14), 24, 48),
           "paper": _grid((8, 9, 10, 11, 12, 13, 14, 15, 16), 32, 96)},
    checks=(
        Check(
            "width.icmf",
            sizes,
            Margin(0.1, "physics", "a fifth of the 1/2 by which mean-field's initial logits fall"),
            select={"frozen": [1.0]},
            counter_systems=(
                CounterSystem("mean-field model", {"frozen": [0.0]}, "its initial logits vanish like d^(-1/2)"),
            ),
        ),
    ),
)  # fmt: skip

POINTS, TEST, FEATURES, WIDTH = 16, 8, 6, 64


def measure_reference(*, replicates: Replicates, data: None, step: np.ndarray, rate: float) -> Mapping[str, np.ndarray]:
    """Logits of every scaled model at the reference's width, and of the reference, from the same start."""
    del data
    random = np.random.default_rng(7)
    x, other = random.normal(size=(POINTS, FEATURES)), random.normal(size=(TEST, FEATURES))
    y, y_other = (random.choice([-1.0, 1.0], size) for size in (POINTS, TEST))
    inner = inner_products(x, other, y, y_other)
    logits = []
    for rho in (1.0, 1.0 + 2.0**-20):
        of_one = []
        for family in FAMILIES.values():
            by = scaled(family, rho)
            rates = Rates(rate * by.output, rate * by.inputs, by.frozen)
            of_one.append(_trained(replicates.keys(), inner, jnp.asarray(x), jnp.asarray(other), by.scale, rates, step))
        logits.append(of_one)
    plain = _trained(replicates.keys(), inner, jnp.asarray(x), jnp.asarray(other), 1.0, Rates(rate, rate, 0.0), step)
    found = np.moveaxis(np.array(logits), 2, 0)
    whole = Rates(rate, rate, 1.0)  # the frozen sum at rho = 1, with nothing taken off
    printed = _trained(replicates.keys(), inner, jnp.asarray(x), jnp.asarray(other), 1.0, whole, step)
    return {"scaled": found, "reference": np.asarray(plain), "printed": np.asarray(printed)}


@jax.jit
def _trained(keys: Any, inner: Any, x: Any, other: Any, scale: Any, rates: Rates, step: Any) -> Array:
    def one(key: Any) -> Array:
        start = draw(key, x, other, width=WIDTH, scale_output=scale / WIDTH**0.5, scale_inputs=1.0)
        return train(start, inner, rates, step, batch=4, activation=leaky_softplus).logits

    return map_replicates(one, keys)


def same(data: xr.Dataset) -> xr.Dataset:
    """Logits of every model beside the reference's; the bound is rounding over all steps."""
    left = data["scaled"]
    right = data["reference"].broadcast_like(left)
    made = xr.Dataset({"left": left, "right": right, "bound": ROUNDING * (1.0 + abs(right))})
    return made.assign({"left[as in SM D]": data["printed"].broadcast_like(left)})


ROUNDING = 1e-13
"""Some hundred roundings of float64."""

AT_REFERENCE = Study(
    name="width.reference",
    title="Every scaled model at the reference's width, trained from the reference's start",
    measure=measure_reference,
    variables={
        "scaled": Variable(("seed", "excess", "model", "step", "test_point"), "1", "logit of a scaled model"),
        "reference": Variable(("seed", "step", "test_point"), "1", "logit of the reference"),
        "printed": Variable(("seed", "step", "test_point"), "1", "logit where the frozen sum is added whole"),
    },
    grids={
        profile: Grid(inner={"step": (0, 1, 5, 50)}, settings={"rate": 0.1}, seeds=seeds)
        for profile, seeds in zip(PROFILES, (4, 16, 16), strict=True)
    },
    checks=(
        Check(
            "width.reference",
            same,
            Margin(1.0, "dtype", "one rounding bound of 50 steps in float64"),
            select={"excess": 0},
            counter_systems=(
                CounterSystem("a millionth wider", {"excess": 1}, "every factor is off by a power of rho"),
            ),
        ),
    ),
    reduction="mean",
)
STUDIES = (ALONG, AT_REFERENCE)
