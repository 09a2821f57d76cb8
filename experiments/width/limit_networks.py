"""Real networks of growing width against the limits that the signs of their exponents choose, and their gradients."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from experiments.width.limits import COMPONENTS, FACTORS, SLOPE, Model, problems, stacked
from experiments.width.points import REPRESENTATIVES
from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.finite_width import network
from numerics.limits import evolve
from numerics.losses import logistic_gradient
from numerics.population import Population, Problem, population
from numerics.width_model import Neurons, Sample, draw_neurons, output, scaling, step

LIKE: Mapping[str, tuple[float, float]] = MappingProxyType(
    {**{name: REPRESENTATIVES[name] for name in ("R01", "R02", "R04", "R05", "R09", "R10")},
     "IC-MF": REPRESENTATIVES["R10"]}
)  # fmt: skip
"""Limits whose gradient is continuous in the logits, and exponents whose signs leave their fluctuations what they are:
the corrected mean-field model's are mean-field's."""

HINGED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {name: REPRESENTATIVES[name] for name in ("R03", "R06", "R07", "R08", "R11", "R12", "R13")}
)
"""Limits whose gradient jumps with the sign of a logit. The default scaling's does too; its exponents are three."""

VANISHING, DIVERGING = ("R01", "R04", "R09", "R10"), ("R03", "R08", "R13")
"""Where initial logits vanish as the width grows, and where they diverge."""


def one_problem(replicates: Replicates) -> Problem:
    """A problem for every seed, the same at every width: a seed's distances are then those of one system."""
    return jax.tree.map(lambda part: part[:, 0], problems(replace(replicates, cell={}), 1)[0])


def measure(
    *, replicates: Replicates, data: None, width: int, model: np.ndarray, networks: int, nodes: int
) -> Mapping[str, np.ndarray]:
    """Distance of real networks to the limit that starts from their own field, over the limit's size.

    Root mean squares over steps and points; the geometric mean over networks of one problem. Problems differ more in
    how far they are from their limits than networks do: seeds are worth more than networks.
    """
    del data
    models = stacked(tuple(str(name) for name in model))
    crowd = population(nodes, COMPONENTS)
    found = _distances(replicates.keys(), one_problem(replicates), models, crowd, width=int(width), networks=networks)
    return {"distance": np.asarray(found["relative"])}


def measure_hinged(
    *, replicates: Replicates, data: None, width: int, model: np.ndarray, networks: int, nodes: int
) -> Mapping[str, np.ndarray]:
    """The same distance as it is, where the first sample of the output weights is misclassified.

    Labels are fair, so that this is a label of that one point. Without it a limit with a hinge may stand still from the
    start, and then networks come near it faster than any power of the width (``experiments.width.standing_still``).
    """
    del data
    models = stacked(tuple(str(name) for name in model))
    crowd = population(nodes, COMPONENTS)
    found = _distances(
        replicates.keys(), one_problem(replicates), models, crowd, width=int(width), networks=networks, wrong=True
    )
    return {"gap": np.asarray(found["gap"])}


@partial(jax.jit, static_argnames=("width", "networks", "wrong"))
def _distances(
    keys: Array, every: Problem, models: Model, crowd: Population, *, width: int, networks: int, wrong: bool = False
) -> dict[str, Array]:
    kernels = expectation(SLOPE)

    def group(of_seed: tuple[Array, Problem]) -> dict[str, Array]:
        key, drawn = of_seed

        def one(each: Array) -> dict[str, Array]:
            neurons = draw_neurons(each, width=width, inputs=COMPONENTS)
            given = _misclassified(drawn, neurons) if wrong else drawn

            def at(model: Model) -> dict[str, Array]:
                trained = network(neurons, model.exponents, given, FACTORS, leaky_softplus)
                limit = evolve(model.signs, given, trained.field, FACTORS, crowd, leaky_softplus, kernels)
                gap, size = jnp.mean((trained.logits - limit) ** 2), jnp.mean(limit**2)
                return {"relative": jnp.log(gap / size) / 2, "gap": jnp.log(gap) / 2}

            return jax.vmap(at)(models)

        logarithms = jax.lax.map(one, jax.random.split(key, networks))
        return {name: jnp.exp(jnp.mean(values, axis=0)) for name, values in logarithms.items()}

    return jax.lax.map(group, (keys, every))


def _misclassified(given: Problem, neurons: Neurons) -> Problem:
    """The problem with that label of the first sample which the network gets wrong at the start."""
    first = given.order_a[0]
    logit = output(neurons, 1.0, leaky_softplus, given.x[first][None, :])[0]
    return given._replace(y=given.y.at[first].set(-jnp.sign(logit)))


def measure_first(
    *, replicates: Replicates, data: None, width: int, model: np.ndarray, networks: int, fields: int
) -> Mapping[str, np.ndarray]:
    """Sizes of the first gradient at every scaling, and what one mean-field step does to the neurons."""
    del data
    models = stacked(tuple(str(name) for name in model))
    found = _first(
        replicates.keys(), one_problem(replicates), models, width=int(width), networks=networks, fields=fields
    )
    return {name: np.asarray(values) for name, values in found.items()}


@partial(jax.jit, static_argnames=("width", "networks", "fields"))
def _first(keys: Array, every: Problem, models: Model, *, width: int, networks: int, fields: int) -> dict[str, Array]:
    def group(of_seed: tuple[Array, Problem]) -> dict[str, Array]:
        key, given = of_seed

        def wrong(each: Array) -> Array:
            """Sizes of the first gradient at every scaling, were all points misclassified."""
            neurons = draw_neurons(each, width=width, inputs=COMPONENTS)
            field = jnp.abs(output(neurons, width**-0.5, leaky_softplus, given.x))
            power = jnp.asarray(models.exponents.q_sigma)[:, None] + 0.5
            return jnp.mean(jax.nn.sigmoid(field[None, :] * width**power), axis=1)

        def moved(each: Array) -> Array:
            return _moments(draw_neurons(each, width=width, inputs=COMPONENTS), given, width)

        return {
            "gradient": jnp.mean(jax.lax.map(wrong, jax.random.split(jax.random.fold_in(key, 1), fields)), axis=0),
            "moments": jnp.mean(jax.lax.map(moved, jax.random.split(key, networks)), axis=0),
        }

    return jax.lax.map(group, (keys, every))


def _moments(neurons: Neurons, given: Problem, width: int) -> Array:
    """Change of the mean square output weight in the second of two mean-field steps on one sample, <a v>, <v^2>."""
    rates = scaling(width, q_sigma=-1.0, q_a=1.0, q_w=1.0)
    at_a, at_w = given.order_a[0], given.order_w[0]

    def stepped(now: Neurons) -> tuple[Neurons, Array]:
        slope = logistic_gradient(output(now, rates.sigma, leaky_softplus, given.x), given.y)
        seen_a, seen_w = (Sample(given.x[at][None, :], slope[at][None]) for at in (at_a, at_w))
        field = -FACTORS.rate_a * FACTORS.sigma * slope[at_a] * leaky_softplus(now.w @ given.x[at_a])
        return step(now, rates, leaky_softplus, seen_a, seen_w), field

    first, _ = stepped(neurons)
    second, field = stepped(first)
    change = jnp.mean(second.a**2) - jnp.mean(first.a**2)
    return jnp.stack([change, jnp.mean(first.a * field), jnp.mean(field**2)])


def approach(data: xr.Dataset) -> xr.Dataset:
    """Distance of real networks to their limits along the width."""
    along = [LIKE[str(name)] for name in data["model"].values]
    return xr.Dataset({"error": data["distance"]}).assign_coords(
        d=("width", data["width"].values.astype(float)),
        q_sigma=("model", [point[0] for point in along]),
        q=("model", [point[1] for point in along]),
    )


def falling(data: xr.Dataset) -> xr.Dataset:
    """Logarithm of the distance of real networks to their limits along the width."""
    made = xr.Dataset({"measured": np.log(data["gap"])})
    return made.assign_coords(d=("width", data["width"].values.astype(float)))


def approach_hinged(data: xr.Dataset) -> xr.Dataset:
    """Distance of real networks to limits with a hinge, along the width, at symmetric scalings."""
    shown = data.sel(model=list(HINGED))
    return xr.Dataset({"error": shown["gap"]}).assign_coords(
        d=("width", data["width"].values.astype(float)),
        q_sigma=("model", [point[0] for point in HINGED.values()]),
        q=("model", [point[1] for point in HINGED.values()]),
    )


def vanishing(data: xr.Dataset) -> xr.Dataset:
    """Size of the first gradient where initial logits vanish, at points whose label is 1: minus its value."""
    shown = -data["gradient"].sel(model=list(VANISHING))
    return xr.Dataset({"measured": shown}).assign_coords(d=("width", data["width"].values.astype(float)), y=1.0)


def diverging(data: xr.Dataset) -> xr.Dataset:
    """Size of the first gradient at misclassified points where initial logits diverge."""
    shown = data["gradient"].sel(model=list(DIVERGING))
    return xr.Dataset({"measured": shown}).assign_coords(d=("width", data["width"].values.astype(float)))


def moments(data: xr.Dataset) -> xr.Dataset:
    """One mean-field step at the largest width."""
    change, cross, square = (data["moments"].isel(width=-1, moment=k, drop=True) for k in range(3))
    return xr.Dataset({"measured": change, "cross": cross, "square": square})


RATE = Study(
    name="width.limit_networks",
    title="Real networks of growing width against their limits, four steps from the network's own initial field",
    measure=measure,
    variables={"distance": Variable(("seed", "model"), "1", "distance to the limit over its size")},
    grids={
        profile: Grid(
            axes={"width": widths},
            inner={"model": tuple(LIKE)},
            settings={"networks": networks, "nodes": nodes},
            seeds=seeds,
            first_seed=2100,
        )
        for profile, widths, networks, nodes, seeds in zip(
            PROFILES,
            ((128, 512, 4096), (128, 512, 2048, 8192), (128, 512, 2048, 8192, 32768)),
            (1, 2, 4),
            (10, 20, 20),
            (320, 320, 320),
            strict=True,
        )
    },
    checks=(
        Check("width.limit_rate", approach, Margin(0.1, "physics", "two fifths of the 1/4 by which rates differ")),
    ),
)
FIRST = Study(
    name="width.limits",
    title="First gradients of real networks of growing width, and one mean-field step of their neurons",
    measure=measure_first,
    variables={
        "gradient": Variable(("seed", "model"), "1", "mean size of the first gradient, were all points misclassified"),
        "moments": Variable(("seed", "moment"), "1", "change of the mean square weight, <a v>, <v^2>"),
    },
    grids={
        profile: Grid(
            axes={"width": widths},
            inner={"model": (*VANISHING, *DIVERGING)},
            settings={"networks": networks, "fields": 48},
            seeds=seeds,
            first_seed=1800,
        )
        for profile, widths, networks, seeds in zip(
            PROFILES,
            ((128, 512, 2048), (128, 512, 2048, 8192), (128, 512, 2048, 8192, 32768)),
            (2, 16, 16),
            (16, 96, 96),
            strict=True,
        )
    },
    checks=(
        Check(
            "width.limit_gradient_half",
            vanishing,
            Margin(0.7, "physics", "from width 128 to 2048 d^(-1/2) falls to 1/4, d^(-1/4) to 1/2"),
        ),
        Check(
            "width.limit_gradient_hinge",
            diverging,
            Margin(0.7, "physics", "from width 128 to 2048 the share of small logits falls to a quarter"),
        ),
        Check(
            "width.push_forward",
            moments,
            Margin(0.01, "physics", "the square of the move is a third of the whole"),
        ),
    ),
)
"""The rate was declared four times, each time on seeds that had not been used: a few networks of 40 problems left parts
undecided; more problems with fewer networks left one over its standard error; then a problem was made the same at every
width, which takes its own distance out of the slope; then 320 problems for the part that was left. No margin has moved.

Limits are taken by quadrature: at 10 nodes they err by 5e-5 of their size (geometric mean over problems, R09; 4e-6 at
16), where networks of 4096 neurons err by 1e-2; limits of constant kernels take none. Logits are rounded at 1e-15.
"""
HINGES = Study(
    name="width.limit_hinges",
    title="Real networks of growing width against limits with a hinge, four steps, the first sample misclassified",
    measure=measure_hinged,
    variables={"gap": Variable(("seed", "model"), "1", "distance of normalised logits to the limit")},
    grids={
        profile: Grid(
            axes={"width": widths},
            inner={"model": (*HINGED, "default")},
            settings={"networks": 1, "nodes": 20},
            seeds=seeds,
            first_seed=1400,
        )
        for profile, widths, seeds in zip(
            PROFILES,
            ((64, 256, 1024, 4096), (64, 512, 4096, 32768), (64, 512, 4096, 32768, 262144)),
            (24, 240, 240),
            strict=True,
        )
    },
    checks=(
        Check(
            "width.limit_approach",
            falling,
            Margin(0.25, "physics", "a quarter of what the slowest rate, 0.175, makes of 512 times the width"),
            profiles=("full", "paper"),
            minimum_effect=0.5,
        ),
        Check(
            "width.limit_rate_hinge",
            approach_hinged,
            Margin(0.1, "physics", "less than half of the 1/4 by which rates differ"),
            profiles=("full", "paper"),
        ),
    ),
)
STUDIES = (RATE, FIRST, HINGES)
