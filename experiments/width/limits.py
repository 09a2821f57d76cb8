"""Networks of numeric width on their way to the limits that the signs of their exponents choose."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.width.families import FAMILIES
from experiments.width.points import REPRESENTATIVES
from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.finite_width import Exponents, hybrid
from numerics.limits import CORRECTED, DEFAULT, Signs, covariance, evolve, signs_of
from numerics.population import Factors, Population, Problem, population

SLOPE = 0.1
POINTS, COMPONENTS, STEPS = 4, 2, 4
FACTORS = Factors(1.0, 1.0, 1.0)
JITTER = 1e-12


class Model(NamedTuple):
    """A scaling and the signs of its limit."""

    signs: Signs
    exponents: Exponents


def model_at(q_sigma: float, q: float) -> Model:
    """A point of the band: its signs, and exponents by whose largest, B, logits are divided."""
    return Model(signs_of(q_sigma, q), Exponents(q_sigma, q, q, 2 * q_sigma + q + 1))


MODELS: Mapping[str, Model] = MappingProxyType(
    {name: model_at(*point) for name, point in REPRESENTATIVES.items()}
    | {
        "default": Model(DEFAULT, Exponents(*FAMILIES["default"][:3], order=1.0)),
        "IC-MF": Model(CORRECTED, Exponents(*FAMILIES["IC-MF"][:3], order=0.0, keeps=1.0)),
    }
)
"""Thirteen regions of the band, the default scaling, and the corrected mean-field model."""


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
        return jax.tree.map(lambda *leaves: jnp.asarray(np.stack(leaves)), *parts)

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

    def distances(drawn: tuple[Problem, Array]) -> tuple[Array, ...]:
        given, normal = drawn
        jitter = JITTER * jnp.eye(POINTS)
        field = FACTORS.sigma * jnp.linalg.cholesky(covariance(given.x, kernels) + jitter) @ normal

        def limit(signs: Signs) -> Array:
            return evolve(signs, given, field, FACTORS, crowd, leaky_softplus, kernels)

        limits = jax.vmap(limit)(models.signs)
        logistic = jax.vmap(lambda s: limit(s._replace(first=0.0 * s.first, later=0.0 * s.later)))(models.signs)
        at = jax.vmap(lambda e, d: hybrid(e, d, given, field, FACTORS, crowd, leaky_softplus), in_axes=(0, None))
        networks = jax.lax.map(lambda d: at(models.exponents, d), widths)
        other = _largest(networks - limit(MODELS["R10"].signs)[None, None])
        return _largest(networks - limits[None]), _largest(logistic - limits), other, _largest(limits)

    def one(group: tuple[Problem, Array]) -> dict[str, Array]:
        network, logistic, other, size = jax.lax.map(distances, group)
        first = jax.tree.map(lambda part: part[0], group[0])
        return {
            "distance": jnp.mean(network, axis=0),
            "logistic": jnp.mean(logistic, axis=0),
            "mean_field": jnp.mean(other, axis=0),
            "size": jnp.mean(size, axis=0),
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


def numeric(data: xr.Dataset) -> xr.Dataset:
    """Distance to the limit along the numeric width; the corrected model's is rounding alone: see ``corrected``."""
    shown = data.drop_sel(model="IC-MF")
    made = xr.Dataset({"measured": shown["distance"], "distance_logistic": shown["logistic"]})
    return made.assign_coords(d=("power", 10.0 ** data["power"].values))


def corrected(data: xr.Dataset) -> xr.Dataset:
    """Distance of the corrected model to its limit, which is rounding, beside that to mean-field's; both are set on
    the size of the limit's logits, so that rounding is seen to be little of it.
    """
    size = data["size"].broadcast_like(data["distance"])
    own, other = size + data["distance"], size + data["mean_field"]
    made = xr.Dataset({"left": own, f"left[{UNCORRECTED}]": other, "right": size, f"right[{UNCORRECTED}]": size})
    return made.assign(bound=xr.zeros_like(size) + ROUNDING)


UNCORRECTED = "mean-field's limit"
ROUNDING = 1e-13
"""Some hundred roundings of logits of order one."""


def small_steps(data: xr.Dataset) -> xr.Dataset:
    """Change of the logits over t along the step's size t, at every point."""
    made = xr.Dataset({"measured": data["change"], "K_a": data["K_a"], "K_w": data["K_w"]})
    g_a, g_w = (data["gradients"].isel(layer=layer, drop=True) for layer in (0, 1))
    return made.assign(g_a=g_a, g_w=g_w).assign_coords(
        t=("step_power", 10.0 ** -data["step_power"].values.astype(float)), eta_a=1.0, eta_w=1.0
    )


_FALLS = "an error that does not fall stays at its first size; a tenth of that is far from it"
STUDY = Study(
    name="width.limits_numeric",
    title="Networks of numeric width up to 10^16 against the limits that the signs of their exponents choose",
    measure=measure_numeric,
    variables={
        "distance": Variable(("seed", "power", "model"), "1", "largest distance of normalised logits to their limit"),
        "logistic": Variable(
            ("seed", "model"), "1", "distance of the limit to the evolution with the logistic gradient throughout"
        ),
        "mean_field": Variable(("seed", "power", "model"), "1", "largest distance to the mean-field limit"),
        "size": Variable(("seed", "model"), "1", "largest size of the limit's normalised logits"),
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
        Check(
            "width.limit_corrected",
            corrected,
            Margin(1.0, "dtype", "one rounding bound of four steps in float64"),
            select={"model": ["IC-MF"]},
            counter_systems=(
                CounterSystem(
                    "mean-field", {"model": ["R10"]}, "it nears its limit as the width grows, but is not there"
                ),
            ),
        ),
        Check("width.limit_constant_kernels", small_steps, Margin(0.1, "physics", _FALLS)),
    ),
)
