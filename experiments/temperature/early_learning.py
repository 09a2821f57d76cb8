"""How fast logits move at the start of training: real gradient steps on real images, over the phase plane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.switched import ACTIVATION_NAMES, switched_loss, switched_network
from numerics import losses
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset, initial_logits, one_half_logits
from numerics.models import Network
from numerics.tangent import linearise
from numerics.timescales import rate_by_gradient_steps
from numerics.training_points import training_points

BETAS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
SCALES = (1e-5, 1e-4, 1e-3, 1.0, 1e2, 1e3, 1e4)


@dataclass(frozen=True)
class System:
    """What is trained: the place of its loss among the losses, and the rms of Z0 at its start."""

    loss: int
    start: Callable[[np.ndarray, np.ndarray], np.ndarray]


SYSTEMS: Mapping[str, System] = {
    "cross_entropy": System(0, lambda beta, scale: scale),
    "mean_squared": System(1, lambda beta, scale: scale),
    "self_training": System(2, lambda beta, scale: scale),
    "raw_logits_held": System(0, lambda beta, scale: beta * scale),
}
RELATIVE_STEPS: Mapping[str, float] = {"erf": 1e-4, "scaled_relu": 1e-7}
"""Length of the longest gradient step over the norm of the parameters; short where the network has kinks."""


def measure(
    replicates: Replicates,
    data: Data,
    system: str,
    activation: str,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    points: int,
    width: int,
    depth: int,
) -> Mapping[str, Any]:
    """Rates of the scaled logits at every (beta, logit_scale), for the exact-offset initialisation."""
    inputs, labels = training_points(data, replicates.generators(), points)
    trained = SYSTEMS[system]
    start = np.broadcast_to(trained.start(beta[:, None], logit_scale), (beta.size, logit_scale.size))
    choice = (trained.loss, ACTIVATION_NAMES.index(activation), RELATIVE_STEPS[activation])
    run = compiled(inputs.shape[-1], data.classes, width, depth)
    return run(choice, replicates.keys(), *(jnp.asarray(a) for a in (inputs, labels, beta, start)))


@cache
def compiled(inputs: int, classes: int, width: int, depth: int) -> Callable[..., Any]:
    """The measurement of all seeds, one after another, in one compilation for all systems."""

    def run(choice: Any, keys: Array, x: Array, y: Array, beta: Array, start: Array) -> Mapping[str, Array]:
        loss, activation, step = choice
        network, trained = switched_network(inputs, classes, width, depth, activation), switched_loss(loss)

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            def one_beta(row: tuple[Array, Array]) -> Mapping[str, Array]:
                return jax.lax.map(lambda size: at_point(network, trained, step, *seed, row[0], size), row[1])

            return {**jax.lax.map(one_beta, (beta, start)), **ends(network, *seed)}

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def at_point(
    network: Network,
    loss: Callable[..., Array],
    step: Array,
    key: Array,
    x: Array,
    y: Array,
    beta: Array,
    start: Array,
) -> Mapping[str, Array]:
    """One point of the plane: the rate from gradient steps, and the product Theta (Y - p) by itself."""
    pair = exact_offset(network, key, x, beta=beta, logit_scale=start)
    here = network.apply(pair.start, x)

    def logits(params: Any) -> Array:
        return one_half_logits(network, pair, params, x)

    stepped = rate_by_gradient_steps(
        lambda params: beta * (network.apply(params, x) - here),
        lambda params: losses.total(loss)(logits(params), y, beta),
        pair.start,
        relative_step=step,
    )
    line = linearise(logits, pair.start)
    residual = losses.residual(line.logits, y, beta)
    return {
        "rate": stepped.rate,
        "rate_error": stepped.error,
        "learning_rate": stepped.learning_rate,
        "drive": line.push(line.pull(residual)),
        "residual": jnp.sqrt(jnp.mean(residual**2)),
        "start": beta * jnp.linalg.norm(initial_logits(network, pair, x)),
    }


def ends(network: Network, key: Array, x: Array, y: Array) -> Mapping[str, Array]:
    """Norms of Theta (Y - q) for predictions q that are uniform, certain of the largest logit, or absent."""
    pair = exact_offset(network, key, x, beta=1.0, logit_scale=1.0)
    line = linearise(lambda params: one_half_logits(network, pair, params, x), pair.start)
    uniform = jnp.full_like(y, 1 / y.shape[-1])
    winner = losses.one_hot(jnp.argmax(line.logits, axis=-1), y.shape[-1], y.dtype)
    sources = {"uniform_drive": y - uniform, "winner_drive": y - winner, "label_drive": y}
    return {name: jnp.linalg.norm(line.push(line.pull(source))) for name, source in sources.items()}


def norm(array: xr.DataArray) -> xr.DataArray:
    """Frobenius norm over points and classes."""
    return (array**2).sum(("point", "class_"), skipna=False) ** 0.5


def conditioning(dataset: xr.Dataset) -> xr.DataArray:
    """How much the rounding of a softmax near a label, 1e-16 of 1, matters to a small residual."""
    return 1 + 1 / dataset["residual"]


def times(dataset: xr.Dataset) -> xr.Dataset:
    """tau_z in gradient steps, found from the steps alone, with eta, beta and eta~ at each point."""
    eta = dataset["learning_rate"]
    return xr.Dataset(
        {
            "tau_z": dataset["start"] / norm(dataset["rate"]),
            "relative_error": dataset["rate_error"] / norm(dataset["rate"]) + 1e-13 * conditioning(dataset),
            "eta": eta,
            "eta_tilde": eta * dataset["beta"] ** 2,
            "norm_Z0": dataset["start"],
            "norm_drive": norm(dataset["drive"]),
        }
    )


def flow(dataset: xr.Dataset) -> xr.Dataset:
    """Both sides of the flow law, entry by entry."""
    eta_tilde = dataset["learning_rate"] * dataset["beta"] ** 2
    right = eta_tilde * dataset["drive"]
    return xr.Dataset(
        {
            "left": dataset["rate"],
            "right": right,
            "bound": dataset["rate_error"] + 1e-13 * norm(right) * conditioning(dataset),
            "eta": dataset["learning_rate"],
            "eta_tilde": eta_tilde,
            "drive[m, i]": dataset["drive"],
        }
    )


def early_time(dataset: xr.Dataset) -> xr.Dataset:
    """tau_z from gradient steps, with what its formula needs."""
    return times(dataset).rename(tau_z="measured")


def equal_logits(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_z at each beta and at beta = 1, at equal initial logits."""
    found = times(dataset)
    scaled = found["eta_tilde"] * found["tau_z"]
    reference = scaled.sel(beta=1.0, drop=True)
    at_one = found.sel(beta=1.0, drop=True)
    error = scaled * found["relative_error"] + reference * at_one["relative_error"]
    return xr.Dataset(
        {
            "left": scaled,
            "right": reference.broadcast_like(scaled),
            "bound": error,
            "eta": found["eta"],
            "eta_tilde": found["eta_tilde"],
            "tau_z": found["tau_z"],
        }
    )


OWN = {"system": "cross_entropy"}
SQUARED = CounterSystem(
    "mean-squared loss",
    {"system": "mean_squared", "activation": "erf"},
    "its residual is Y - Z, not Y - softmax(Z)",
)
HELD = CounterSystem(
    "raw logits held",
    {"system": "raw_logits_held", "activation": "erf"},
    "with z0 held instead of Z0 = beta z0, beta changes the initial softmax",
)

STUDY = Study(
    name="temperature.early_learning",
    title="Logit rates at the start of training over inverse temperature and logit scale",
    measure=measure,
    variables={
        "rate": Variable(
            ("seed", "beta", "logit_scale", "point", "class_"),
            "1/step",
            "change of the scaled logits per step",
        ),
        "drive": Variable(
            ("seed", "beta", "logit_scale", "point", "class_"), "1/eta_tilde", "tangent kernel times residual"
        ),
        "rate_error": Variable(("seed", "beta", "logit_scale"), "1/step", "bound on the error of the rate"),
        "residual": Variable(("seed", "beta", "logit_scale"), "1", "rms of the residual Y - softmax(Z)"),
        "learning_rate": Variable(("seed", "beta", "logit_scale"), "1/step", "learning rate of the longest step"),
        "start": Variable(("seed", "beta", "logit_scale"), "1", "norm of the initial scaled logits"),
        "uniform_drive": Variable(("seed",), "1/eta_tilde", "norm of the drive at a uniform softmax"),
        "winner_drive": Variable(("seed",), "1/eta_tilde", "norm of the drive at a one-hot softmax"),
        "label_drive": Variable(("seed",), "1/eta_tilde", "norm of the tangent kernel times the labels"),
    },
    grids={
        "quick": Grid(
            axes={"system": tuple(SYSTEMS), "activation": tuple(RELATIVE_STEPS)},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 32, "width": 256, "depth": 2},
            seeds=12,
            first_seed=12,
            keep=lambda cell: cell["system"] == "cross_entropy" or cell["activation"] == "erf",
        ),
        "full": Grid(
            axes={"system": tuple(SYSTEMS), "activation": tuple(RELATIVE_STEPS)},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 100, "width": 1024, "depth": 3},
            seeds=24,
            block=4,
        ),
        "paper": Grid(
            axes={"system": tuple(SYSTEMS), "activation": tuple(RELATIVE_STEPS)},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 256, "width": 2048, "depth": 4},
            seeds=24,
            block=2,
        ),
    },
    checks=(
        Check(
            law="temperature.logit_flow",
            observe=flow,
            margin=Margin(1.0, "dtype", "each instance carries the error bound of its own gradient steps"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
        Check(
            law="temperature.tau_z",
            observe=early_time,
            margin=Margin(1e-6, "dtype", "rounding over the relative step length, 1e-16 / 1e-7, and its kinks"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
        Check(
            law="temperature.tau_z_temperature_independence",
            observe=equal_logits,
            margin=Margin(1.0, "dtype", "each instance carries the error bound of its own gradient steps"),
            select=OWN,
            counter_systems=(HELD,),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
