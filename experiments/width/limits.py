"""Networks of numeric width, and real ones, on their way to the limits that the signs of their exponents choose."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from experiments.width.families import FAMILIES
from experiments.width.points import REPRESENTATIVES
from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.limits import (
    CORRECTED,
    DEFAULT,
    Exponents,
    Factors,
    Population,
    Problem,
    Signs,
    covariance,
    evolve,
    hybrid,
    network,
    population,
    signs_of,
)
from numerics.losses import logistic_gradient
from numerics.width_model import Neurons, Sample, draw_neurons, output, scaling, step

SLOPE = 0.1
POINTS, COMPONENTS, STEPS = 4, 2, 4
FACTORS = Factors(1.0, 1.0, 1.0)
JITTER = 1e-12


class Model(NamedTuple):
    """A scaling and the signs of its limit."""

    signs: Signs
    exponents: Exponents


def _model(q_sigma: float, q: float) -> Model:
    return Model(signs_of(q_sigma, q), Exponents(q_sigma, q, q, 2 * q_sigma + q + 1))


MODELS: Mapping[str, Model] = MappingProxyType(
    {name: _model(*point) for name, point in REPRESENTATIVES.items()}
    | {
        "default": Model(DEFAULT, Exponents(*FAMILIES["default"][:3], order=1.0)),
        "IC-MF": Model(CORRECTED, Exponents(*FAMILIES["IC-MF"][:3], order=0.0, keeps=1.0)),
    }
)
"""Thirteen regions of the band, the default scaling, and the corrected mean-field model."""

LIKE: Mapping[str, tuple[float, float]] = MappingProxyType(
    {**REPRESENTATIVES, "default": REPRESENTATIVES["R12"], "IC-MF": REPRESENTATIVES["R10"]}
)
"""Symmetric exponents whose signs leave a model's fluctuations what they are: the default's are sym-default's."""

SMOOTH = ("R01", "R02", "R04", "R05", "R09", "R10", "IC-MF")
"""Limits whose gradient is continuous in the logits."""


def stacked(names: tuple[str, ...]) -> Model:
    """Models along a first axis, as arrays."""
    chosen = [MODELS[name] for name in names]
    return jax.tree.map(lambda *parts: jnp.asarray(parts, dtype=float), *chosen)


def problem(random: np.random.Generator) -> Problem:
    """Random points with random labels, and a random point for either layer at every step."""
    x, y = random.normal(size=(POINTS, COMPONENTS)), random.choice([-1.0, 1.0], POINTS)
    orders = (jnp.asarray(random.integers(0, POINTS, STEPS)) for _ in range(2))
    return Problem(jnp.asarray(x), jnp.asarray(y), *orders)


def problems(replicates: Replicates, each: int) -> tuple[Problem, Array]:
    """Problems and standard normal numbers for their fields: some for every seed, along two first axes."""

    def stack(parts: list[Any]) -> Any:
        return jax.tree.map(lambda *leaves: jnp.stack(leaves), *parts)

    def drawn(random: np.random.Generator) -> tuple[Problem, Array]:
        return problem(random), jnp.asarray(random.normal(size=POINTS))

    return stack([stack([drawn(random) for _ in range(each)]) for random in replicates.generators()])


def measure_numeric(
    *,
    replicates: Replicates,
    data: None,
    model: np.ndarray,
    power: np.ndarray,
    step_power: np.ndarray,
    problems_each: int,
    nodes: int,
    outputs: int,
) -> Mapping[str, np.ndarray]:
    """Distances of networks of width 10^power to their limits, means over a few problems; and what small steps do."""
    del data
    crowd = population(nodes, COMPONENTS, outputs)
    names = tuple(str(name) for name in model)
    every = problems(replicates, problems_each)
    found = _numeric(every, stacked(names), 10.0**power, 10.0**-step_power, crowd)
    return {name: np.asarray(values) for name, values in found.items()}


@jax.jit
def _numeric(every: Any, models: Model, widths: Array, sizes: Array, crowd: Population) -> dict[str, Array]:
    kernels = expectation(SLOPE)

    def distances(drawn: tuple[Problem, Array]) -> tuple[Array, Array]:
        given, normal = drawn
        jitter = JITTER * jnp.eye(POINTS)
        field = FACTORS.sigma * jnp.linalg.cholesky(covariance(given.x, kernels) + jitter) @ normal

        def limit(signs: Signs) -> Array:
            return evolve(signs, given, field, FACTORS, crowd, leaky_softplus, kernels)

        limits = jax.vmap(limit)(models.signs)
        logistic = jax.vmap(lambda s: limit(s._replace(first=0.0 * s.first, later=0.0 * s.later)))(models.signs)
        at = jax.vmap(lambda e, d: hybrid(e, d, given, field, FACTORS, crowd, leaky_softplus), in_axes=(0, None))
        networks = jax.lax.map(lambda d: at(models.exponents, d), widths)
        return _largest(networks - limits), _largest(logistic - limits)

    def one(group: tuple[Problem, Array]) -> dict[str, Array]:
        network, logistic = jax.lax.map(distances, group)
        first = jax.tree.map(lambda part: part[0], group[0])
        return {
            "distance": jnp.mean(network, axis=0),
            "logistic": jnp.mean(logistic, axis=0),
            **_small_steps(first, sizes, crowd),
        }

    return jax.lax.map(one, every)


_HALF = Signs(-1.0, -1.0, 0.0, 1.0)
"""Gradients of one half throughout, so that steps alone decide."""


def _small_steps(given: Problem, sizes: Array, crowd: Population) -> dict[str, Array]:
    """What the second of two steps of each size adds to the logits, over the size; kernels and gradients beside it."""
    kernels = expectation(SLOPE)
    none = jnp.zeros(POINTS)

    def small(size: Array) -> Array:
        rates = Factors(FACTORS.sigma, size * FACTORS.rate_a, size * FACTORS.rate_w)
        logits = evolve(_HALF, given, none, rates, crowd, leaky_softplus, kernels)
        return (logits[2] - logits[1]) / size

    at_a, at_w = given.order_a[1], given.order_w[1]
    gram = given.x @ given.x.T
    square = jnp.broadcast_to(jnp.diagonal(gram)[:, None], gram.shape)
    values, slopes = kernels(square, square.T, gram)
    return {
        "change": jax.lax.map(small, sizes),
        "K_a": values[:, at_a],
        "K_w": (slopes * gram)[:, at_w],
        "gradients": -jnp.stack([given.y[at_a], given.y[at_w]]) / 2,
    }


def _largest(gap: Array) -> Array:
    return jnp.max(jnp.abs(gap), axis=(-2, -1))


def measure_networks(
    *, replicates: Replicates, data: None, width: int, model: np.ndarray, networks: int, fields: int, nodes: int
) -> Mapping[str, np.ndarray]:
    """Distance of real networks to the limit that starts from their own field, over the limit's size; each a mean over
    a few networks of one problem. Beside it the first gradients, and what one step does to the neurons.
    """
    del data
    crowd = population(nodes, COMPONENTS)
    names = tuple(str(name) for name in model)
    every = jax.tree.map(lambda part: part[:, 0], problems(replicates, 1)[0])
    found = _networks(
        replicates.keys(), every, stacked(names), crowd, width=int(width), networks=networks, fields=fields
    )
    return {name: np.asarray(values) for name, values in found.items()}


@partial(jax.jit, static_argnames=("width", "networks", "fields"))
def _networks(
    keys: Array, every: Problem, models: Model, crowd: Any, *, width: int, networks: int, fields: int
) -> dict[str, Array]:
    kernels = expectation(SLOPE)

    def group(of_seed: tuple[Array, Problem]) -> dict[str, Array]:
        key, given = of_seed

        def one(each: Array) -> tuple[Array, Array, Array]:
            neurons = draw_neurons(each, width=width, inputs=COMPONENTS)

            def at(model: Model) -> tuple[Array, Array]:
                trained = network(neurons, model.exponents, given, FACTORS, leaky_softplus)
                limit = evolve(model.signs, given, trained.field, FACTORS, crowd, leaky_softplus, kernels)
                return jnp.max(jnp.abs(trained.logits - limit)), jnp.max(jnp.abs(limit))

            return (*jax.vmap(at)(models), _moments(neurons, given, width))

        def wrong(each: Array) -> Array:
            """Sizes of the first gradient at every scaling, were all points misclassified."""
            neurons = draw_neurons(each, width=width, inputs=COMPONENTS)
            field = jnp.abs(output(neurons, width**-0.5, leaky_softplus, given.x))
            return jnp.mean(
                jax.nn.sigmoid(field * width ** (jnp.asarray(models.exponents.q_sigma)[:, None] + 0.5)), axis=1
            )

        gaps, sizes, moments = jax.lax.map(one, jax.random.split(key, networks))
        return {
            "distance": jnp.mean(gaps, axis=0) / jnp.mean(sizes, axis=0),
            "gradient": jnp.mean(jax.lax.map(wrong, jax.random.split(jax.random.fold_in(key, 1), fields)), axis=0),
            "moments": jnp.mean(moments, axis=0),
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


def numeric(data: xr.Dataset) -> xr.Dataset:
    """Distance to the limit along the numeric width; the corrected model's is rounding alone and is left out."""
    shown = data.drop_sel(model="IC-MF")
    made = xr.Dataset({"measured": shown["distance"], "distance_logistic": shown["logistic"]})
    return made.assign_coords(d=("power", 10.0 ** data["power"].values))


def small_steps(data: xr.Dataset) -> xr.Dataset:
    """Change of the logits over t along the step's size t, at every point."""
    made = xr.Dataset({"measured": data["change"], "K_a": data["K_a"], "K_w": data["K_w"]})
    g_a, g_w = (data["gradients"].isel(layer=layer, drop=True) for layer in (0, 1))
    return made.assign(g_a=g_a, g_w=g_w).assign_coords(
        t=("step_power", 10.0 ** -data["step_power"].values.astype(float)), eta_a=1.0, eta_w=1.0
    )


def approach(data: xr.Dataset) -> xr.Dataset:
    """Distance of real networks to their limits along the width, at limits with a continuous gradient."""
    made = xr.Dataset({"error": data["distance"].sel(model=list(SMOOTH))})
    along = [LIKE[name] for name in SMOOTH]
    return made.assign_coords(
        d=("width", data["width"].values.astype(float)),
        q_sigma=("model", [point[0] for point in along]),
        q=("model", [point[1] for point in along]),
    )


def vanishing(data: xr.Dataset) -> xr.Dataset:
    """Size of the first gradient where initial logits vanish, at points whose label is 1: minus its value."""
    shown = -data["gradient"].sel(model=["R01", "R04", "R09", "R10"])
    return xr.Dataset({"measured": shown}).assign_coords(d=("width", data["width"].values.astype(float)), y=1.0)


def diverging(data: xr.Dataset) -> xr.Dataset:
    """Size of the first gradient at misclassified points where initial logits diverge."""
    shown = data["gradient"].sel(model=["R03", "R08", "R13"])
    return xr.Dataset({"measured": shown}).assign_coords(d=("width", data["width"].values.astype(float)))


def moments(data: xr.Dataset) -> xr.Dataset:
    """One mean-field step at the largest width."""
    change, cross, square = (data["moments"].isel(width=-1, moment=k, drop=True) for k in range(3))
    return xr.Dataset({"measured": change, "cross": cross, "square": square})


_FALLS = "an error that does not fall stays at its first size; a tenth of that is far from it"
NUMERIC = Study(
    name="width.limits_numeric",
    title="Networks of numeric width up to 10^16 against the limits that the signs of their exponents choose",
    measure=measure_numeric,
    variables={
        "distance": Variable(("seed", "power", "model"), "1", "largest distance of normalised logits to their limit"),
        "logistic": Variable(
            ("seed", "model"), "1", "distance of the limit to the evolution with the logistic gradient throughout"
        ),
        "change": Variable(
            ("seed", "step_power", "point"), "1", "change of the logits in the second step over its size"
        ),
        "K_a": Variable(("seed", "point"), "1", "closed-form kernel of the output weights with the second sample"),
        "K_w": Variable(("seed", "point"), "1", "closed-form kernel of the input weights with the second sample"),
        "gradients": Variable(("seed", "layer"), "1", "gradients of the second samples"),
    },
    grids={
        profile: Grid(
            inner={"model": tuple(MODELS), "power": (2.0, 16.0), "step_power": (1.0, 2.0, 3.0)},
            settings={"nodes": nodes, "outputs": 8, "problems_each": 8},
            seeds=seeds,
            first_seed=400,
        )
        for profile, nodes, seeds in zip(PROFILES, (16, 24, 30), (12, 48, 96), strict=True)
    },
    checks=(
        Check("width.limit_models", numeric, Margin(0.1, "physics", _FALLS)),
        Check("width.limit_constant_kernels", small_steps, Margin(0.1, "physics", _FALLS)),
    ),
)
NETWORKS = Study(
    name="width.limits",
    title="Real networks of growing width against their limits, four steps from the network's own initial field",
    measure=measure_networks,
    variables={
        "distance": Variable(("seed", "model"), "1", "distance to the limit over its size, mean over networks"),
        "gradient": Variable(("seed", "model"), "1", "mean size of the first gradient, were all points misclassified"),
        "moments": Variable(("seed", "moment"), "1", "change of the mean square weight, <a v>, <v^2>"),
    },
    grids={
        profile: Grid(
            axes={"width": widths},
            inner={"model": (*SMOOTH, "R03", "R08", "R12", "R13", "default")},
            settings={"networks": networks, "fields": 48, "nodes": nodes},
            seeds=seeds,
            first_seed=400,
        )
        for profile, widths, networks, nodes, seeds in zip(
            PROFILES,
            ((128, 512, 2048), (128, 512, 2048, 8192), (128, 512, 2048, 8192, 32768)),
            (2, 16, 16),
            (10, 20, 20),
            (16, 96, 96),
            strict=True,
        )
    },
    checks=(
        Check(
            "width.limit_rate",
            approach,
            Margin(0.15, "physics", "less than two thirds of the 1/4 by which rates differ"),
            observed=("quick",),
        ),
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
STUDIES = (NUMERIC, NETWORKS)
