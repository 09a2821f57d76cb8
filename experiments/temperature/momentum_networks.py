"""Momentum on networks and on their tangent planes: real steps on the loss that carries beta."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jax.flatten_util import ravel_pytree
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.momentum_paths import (
    CANONICAL_DAMPING,
    along,
    displaced,
    early,
    functions,
    slope,
    trajectories,
)
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset
from numerics.models import mlp
from numerics.training_points import training_points

LEARNING_RATES: Mapping[str, float] = {"tied": -2.0, "first_power": -1.0}
"""The power of beta in the learning rate: eta = eta~ beta^power."""

SMALL = 1e-5
"""rms of Z0 where the timescale is measured: the logits grow by themselves before the drive changes."""

ROUNDING = 1e4 * float(np.finfo(np.float64).eps)


def measure(
    replicates: Replicates,
    data: Data,
    beta: np.ndarray,
    function: np.ndarray,
    power: np.ndarray,
    damping: np.ndarray,
    tau: np.ndarray,
    points: int,
    width: int,
    steps: tuple[int, ...],
    eta_tilde: float,
    gamma: float,
    root_early: float,
    early_steps: int,
) -> Mapping[str, Any]:
    """Trajectories at every beta, and the early displacement at every damping and at every tau."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width, steps, early_steps)
    powers = np.array([LEARNING_RATES[str(name)] for name in power])
    settings = {"eta_tilde": eta_tilde, "gamma": gamma, "root_early": root_early}
    return run(
        {name: jnp.asarray(value) for name, value in settings.items()},
        replicates.keys(),
        *(jnp.asarray(a) for a in (inputs, labels, beta, powers, damping, tau)),
    )


@cache
def compiled(inputs: int, classes: int, width: int, steps: tuple[int, ...], early_steps: int) -> Callable[..., Any]:
    """All seeds, one after another, in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=1, classes=classes, activation=ACTIVATIONS["erf"])

    def run(
        settings: Mapping[str, Array],
        keys: Array,
        x: Array,
        y: Array,
        beta: Array,
        powers: Array,
        damping: Array,
        tau: Array,
    ) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            key, x, y = seed

            def of_beta(b: Array) -> Mapping[str, Array]:
                pair = exact_offset(network, key, x, beta=b, logit_scale=1.0)
                return trajectories(functions(network, pair, x), pair.start, y, b, powers, settings, steps)

            small = exact_offset(network, key, x, beta=1.0, logit_scale=SMALL)
            curved = functions(network, small, x)[0]
            ways = jax.random.normal(jax.random.fold_in(key, 5), (WAYS, ravel_pytree(small.start)[0].size))
            return {
                **jax.lax.map(of_beta, beta),
                **jax.lax.map(lambda d: early(curved, small.start, y, d, settings["root_early"], early_steps), damping),
                "displaced": jax.lax.map(lambda t: displaced(curved, small.start, y, t, ways), tau),
                "gradient": along(ways, slope(curved, y, jnp.ones(()))(small.start)),
            }

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def collapse(dataset: xr.Dataset) -> xr.Dataset:
    """Trajectories of one function beside that at beta = 1."""
    path = dataset["path"].sel(power="tied", drop=True)
    return xr.Dataset(
        {
            "left": path,
            "right": path.sel(beta=1.0, drop=True),
            "right[fixed eta beta]": dataset["path"].sel(power="first_power", drop=True),
            "bound": 1e-12 * size(path),
        }
    )


def departure(dataset: xr.Dataset) -> xr.Dataset:
    """Relative distance of network and tangent plane."""
    network, plane = (dataset["path"].sel(power="tied", function=name, drop=True) for name in FUNCTIONS)
    return xr.Dataset({"measured": size(network - plane) / size(plane - dataset["start"])})


def size(logits: xr.DataArray) -> xr.DataArray:
    """Frobenius norm over points and classes."""
    return (logits**2).sum(ENTRY, skipna=False) ** 0.5


def gradient_sizes(dataset: xr.Dataset) -> xr.Dataset:
    """Squared gradient, and what it is made of."""
    parts = ("squared_gradient", "squared_residual", "squared_Jacobian")
    found = dataset[list(parts)]
    return found.assign(smaller=found["squared_gradient"], bound=ROUNDING * found["squared_gradient"])


def displacement(dataset: xr.Dataset) -> xr.Dataset:
    """Displacement along the drive, at three times of each damping."""
    times = dataset["along"].isel(step=[399, 999, 1999])
    taus = ROOT_EARLY * np.array([400, 1000, 2000])
    return xr.Dataset({"measured": times}).assign_coords(tau=("step", taus), gradient=-1.0)


def timescale(dataset: xr.Dataset) -> xr.Dataset:
    """The time at which the logits have moved by the size of their start."""
    return xr.Dataset({"measured": dataset["ratio"], "tau_z": dataset["tau_z"]})


def early_order(dataset: xr.Dataset) -> xr.Dataset:
    """What the displacement has beyond its second and third power, over all directions, along tau."""
    tau = dataset["tau"]
    rest = dataset["displaced"] + dataset["gradient"] * (tau**2 / 2 - CANONICAL_DAMPING * tau**3 / 6)
    return xr.Dataset({"measured": (rest**2).sum("way", skipna=False) ** 0.5})


ROOT_EARLY = 1e-5
WAYS = 16
"""Random directions along which a displacement is kept."""
BETAS = (0.1, 1.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
TAUS = (0.001, 0.002, 0.004, 0.008)
ENTRY = ("point", "class_")
FUNCTIONS = ("network", "plane")


def _grid(points: int, width: int, seeds: int) -> Grid:
    return Grid(
        inner={
            "beta": BETAS,
            "function": FUNCTIONS,
            "power": tuple(LEARNING_RATES),
            "damping": (1.0, 100.0, 200.0, 400.0),
            "tau": TAUS,
        },
        settings={
            "points": points,
            "width": width,
            "steps": (1, 10, 50),
            "eta_tilde": 0.01,
            "gamma": 0.1,
            "root_early": ROOT_EARLY,
            "early_steps": 2000,
        },
        seeds=seeds,
        first_seed=10,
    )


STUDY = Study(
    name="temperature.momentum_networks",
    title="Momentum on networks and their tangent planes",
    measure=measure,
    variables={
        "path": Variable(("seed", "beta", "function", "power", "record", *ENTRY), "1", "scaled logits on the way"),
        "start": Variable(("seed", "beta", *ENTRY), "1", "scaled logits at the start"),
        "squared_gradient": Variable(("seed", "beta"), "1", "squared norm of the gradient at the start"),
        "squared_residual": Variable(("seed", "beta"), "1", "squared norm of Y - p at the start"),
        "squared_Jacobian": Variable(("seed", "beta"), "1", "squared norm of dz/dtheta at the start"),
        "along": Variable(("seed", "damping", "step"), "1", "displacement along the drive"),
        "tau_z": Variable(("seed", "damping"), "1", "canonical time when the logits have moved by their own size"),
        "ratio": Variable(("seed", "damping"), "1", "size of the initial logits over that of the drive"),
        "displaced": Variable(("seed", "tau", "way"), "1", "displacement along random directions"),
        "gradient": Variable(("seed", "way"), "1", "gradient at the start along them"),
    },
    grids={"quick": _grid(16, 32, 10), "full": _grid(64, 256, 24), "paper": _grid(256, 1024, 24)},
    checks=(
        Check(
            law="temperature.momentum_scheme",
            observe=collapse,
            margin=Margin(1.0, "dtype", "fifty steps in float64: 1e-12 of the logits"),
            select={"function": "plane"},
            counter_systems=(
                CounterSystem("network", {"function": "network"}, "a network's kernel changes, at small beta most"),
            ),
        ),
        Check(
            law="temperature.momentum_deviation",
            observe=departure,
            margin=Margin(0.05, "physics", "rivals are 1 away; the next order bends the slope by less than 0.01"),
            select={"beta": slice(30.0, None)},
            counter_systems=(
                CounterSystem("hot", {"beta": slice(None, 10.0)}, "where beta is small the deviation is not"),
            ),
        ),
        Check(
            law="temperature.gradient_bound",
            observe=gradient_sizes,
            margin=Margin(1.0, "dtype", "rounding of three sums in float64"),
        ),
        Check(
            law="temperature.momentum_early",
            observe=displacement,
            margin=Margin(0.02, "physics", "400 steps and more are within 0.5 % of continuous time"),
        ),
        Check(
            law="temperature.momentum_early_order",
            observe=early_order,
            margin=Margin(0.1, "physics", "rivals are 1 away; the fifth power bends the slope by less than 0.05"),
        ),
        Check(
            law="temperature.momentum_tau_z",
            observe=timescale,
            margin=Margin(0.05, "physics", "0.1 % of drive lost before the timescale; rivals differ by factors"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
