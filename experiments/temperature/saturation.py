"""tau_z / ||Z0|| at both ends of the logit scale and between, beside the infinite-width kernel on the same points."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.argmax import same_argmax
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.expectations import erf, scaled_relu
from numerics.infinite_width import mlp_kernels
from numerics.models import mlp
from numerics.timescales import descent
from numerics.training_points import training_points

EXPECTATIONS = {"erf": erf, "scaled_relu": scaled_relu}
PHI = tuple(ACTIVATIONS[name] for name in EXPECTATIONS)
BIAS: Mapping[str, float] = {"labels_unknown": 0.0, "labels_known": 3.0}
"""What the initial logit of the correct class has more than the others, in their standard deviations."""

SMALL, LARGE = 1e-5, 1e5
CURVE = (1e-3, 0.03, 0.3, 1.0, 3.0, 30.0, 1e3)


def measure(
    replicates: Replicates,
    data: Data,
    system: str,
    activation: str,
    labels: str,
    points: int,
    width: int,
    depth: int,
    directions: int,
) -> Mapping[str, Any]:
    """Speed of the logits at both ends, at large logits for several initial ones of each network."""
    x, y = labelled_points(replicates, data, labels, points)
    start, scales = np.array([0, *range(directions)]), np.array([SMALL, *[LARGE] * directions])
    speed = speeds(replicates, activation, BIAS[system], x, y, start, scales, width, depth)["speed"]
    kernels, correlations = infinite(activation, depth, x)
    squares, classes = kernels @ kernels, data.classes
    return {
        "speed_small": speed[:, 0],
        "speed_large": speed[:, 1:],
        "drive_uniform": np.sum(squares * (y @ np.swapaxes(y, -1, -2) - 1 / classes), axis=(-1, -2)),
        "drive_same": np.sum(squares * (same_argmax(correlations, classes) - 1 / classes), axis=(-1, -2)),
        "drive_pairs": np.sum(squares, axis=(-1, -2)),
        "classes": np.full(len(y), float(classes)),
    }


def measure_curve(
    replicates: Replicates,
    data: Data,
    width: int,
    activation: str,
    labels: str,
    logit_scale: np.ndarray,
    points: int,
    depth: int,
) -> Mapping[str, Any]:
    """Speed of the logits over the logit scale, Theta (Y - softmax Z0) in the kernel of infinite width, and the size
    of the difference between both velocities over the latter.
    """
    x, y = labelled_points(replicates, data, labels, points)
    start = np.zeros(logit_scale.size, dtype=int)
    found = speeds(replicates, activation, 0.0, x, y, start, logit_scale, width, depth)
    kernels, _ = infinite(activation, depth, x)
    scaled = logit_scale[None, :, None, None] * found["direction"][:, :1]
    drives = kernels[:, None] @ (y[:, None] - np.asarray(losses.softmax(jnp.asarray(scaled))))
    drive = size(drives)
    return {"speed": found["speed"], "infinite_drive": drive, "error": size(found["velocity"] - drives) / drive}


def speeds(
    replicates: Replicates,
    activation: str,
    bias: float,
    x: np.ndarray,
    y: np.ndarray,
    start: np.ndarray,
    scales: np.ndarray,
    width: int,
    depth: int,
) -> Mapping[str, np.ndarray]:
    """Velocities from the given starts (numbers of initial logits) and logit scales, their sizes, and the starts'
    directions.
    """
    run = compiled(x.shape[-1], y.shape[-1], width, depth, int(start.max()) + 1)
    choice = (list(EXPECTATIONS).index(activation), bias)
    found = run(choice, replicates.keys(), *(jnp.asarray(array) for array in (x, y, start, scales)))
    velocity, direction = (np.asarray(found[name]) for name in ("velocity", "direction"))
    return {"speed": size(velocity), "velocity": velocity, "direction": direction}


def size(rows: np.ndarray) -> np.ndarray:
    """Norm over points and classes."""
    return np.sqrt(np.sum(rows**2, axis=(-1, -2)))


def labelled_points(replicates: Replicates, data: Data, labels: str, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Training points with their own labels, or with one another's."""
    generators = replicates.generators()
    x, y = training_points(data, generators, points)
    if labels == "shuffled":
        y = np.stack([one[generator.permutation(points)] for generator, one in zip(generators, y, strict=True)])
    return x, y


def infinite(activation: str, depth: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each seed's points the tangent kernel at infinite width, and the correlations of the initial logits."""
    kernels = wide(activation, depth)(jnp.asarray(x))
    covariance = np.asarray(kernels.nngp)
    size = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    return np.asarray(kernels.ntk), covariance / size[:, :, None] / size[:, None, :]


@cache
def wide(activation: str, depth: int) -> Callable[..., Any]:
    """The kernels of all seeds, one after another, in one compilation for each activation."""
    one = lambda x: mlp_kernels(x, activation=EXPECTATIONS[activation], depth=depth)  # noqa: E731
    return jax.jit(lambda x: jax.lax.map(one, x))


@cache
def compiled(inputs: int, classes: int, width: int, depth: int, directions: int) -> Callable[..., Any]:
    """All seeds, one after another, in one compilation for each width."""

    def run(choice: Any, keys: Array, x: Array, y: Array, number: Array, scales: Array) -> Mapping[str, Array]:
        activation, bias = choice
        network = mlp(
            inputs=inputs,
            width=width,
            depth=depth,
            classes=classes,
            activation=lambda h: jax.lax.switch(activation, PHI, h),
        )

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            key, x, y = seed
            start = network.init(jax.random.fold_in(key, 0))
            here = network.apply(start, x)

            def drawn(one: Array) -> Array:
                held = network.apply(start._replace(readout=network.init(one).readout), x)
                held = held / jnp.sqrt(jnp.mean(held**2)) + bias * y
                return held / jnp.sqrt(jnp.mean(held**2))

            direction = jax.lax.map(drawn, jax.random.split(jax.random.fold_in(key, 1), directions))

            def velocity(place: tuple[Array, Array]) -> Array:
                moved = lambda params: network.apply(params, x) - here + place[1] * direction[place[0]]  # noqa: E731
                loss = lambda params: losses.total(losses.cross_entropy)(moved(params), y)  # noqa: E731
                return jax.jvp(moved, (start,), (descent(loss, 1.0)(start),))[1]

            return {"velocity": jax.lax.map(velocity, (number, scales)), "direction": direction}

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def ratio(dataset: xr.Dataset) -> xr.Dataset:
    """Squared speed at large over that at small logits: the learning rate and ||Z0|| drop out of the ratio."""
    large = (dataset["speed_large"] ** 2).mean("start", skipna=False)
    given = {name: dataset[name] for name in ("drive_uniform", "drive_same", "drive_pairs")}
    return xr.Dataset({"measured": large / dataset["speed_small"] ** 2, "K": dataset["classes"], **given})


def deviation(dataset: xr.Dataset) -> xr.Dataset:
    """Root mean square over the logit scale of the velocity's distance from that of the infinitely wide network.

    The speeds differ by no more than the velocities do. Their own difference is one number for each network, whose
    logarithm scatters by as much as the law changes it over two decades of width; the distance has many directions.
    """
    return xr.Dataset({"measured": (dataset["error"] ** 2).mean("logit_scale", skipna=False) ** 0.5})


def keep(cell: Mapping[str, Any]) -> bool:
    """The counter-system on one network and its own labels only."""
    return cell["system"] == "labels_unknown" or (cell["activation"], cell["labels"]) == ("erf", "real")


def ends(points: int, width: int, depth: int, block: int = 0) -> Grid:
    """Both ends of the logit scale; relu's initial logits scatter most, and ask for 200 seeds of four starts."""
    return Grid(
        axes={"system": tuple(BIAS), "activation": tuple(EXPECTATIONS), "labels": ("real", "shuffled")},
        settings={"points": points, "width": width, "depth": depth, "directions": 4},
        seeds=200,
        block=block,
        keep=keep,
    )


def curve(widths: tuple[int, ...], points: int, depth: int, seeds: int, block: int = 0) -> Grid:
    """The logit scale between both ends, at several widths."""
    return Grid(
        axes={"width": widths, "activation": tuple(EXPECTATIONS), "labels": ("real", "shuffled")},
        inner={"logit_scale": CURVE},
        settings={"points": points, "depth": depth},
        seeds=seeds,
        first_seed=100,  # the speeds alone were looked at on the seeds before these
        block=block,
    )


ENDS = Study(
    name="temperature.saturation",
    title="The timescale per logit at both ends of the logit scale, on real and on shuffled labels",
    measure=measure,
    variables={
        "speed_small": Variable(("seed",), "1/eta_tilde", "norm of the rate of the scaled logits at small logits"),
        "speed_large": Variable(("seed", "start"), "1/eta_tilde", "the same at large logits, from several starts"),
        "drive_uniform": Variable(("seed",), "1", "kernel squared, summed over pairs with [same label] - 1/K"),
        "drive_same": Variable(("seed",), "1", "kernel squared, summed over pairs with P_same - 1/K"),
        "drive_pairs": Variable(("seed",), "1", "kernel squared, summed over pairs"),
        "classes": Variable(("seed",), "1", "number of classes"),
    },
    grids={"quick": ends(64, 128, 2), "full": ends(100, 1024, 3, 20), "paper": ends(256, 2048, 3, 10)},
    checks=(
        Check(
            law="temperature.saturation_ratio",
            observe=ratio,
            margin=Margin(0.2, "physics", "the nearest rival is a factor 1.9 away on relu; finite width biases by 1/n"),
            select={"system": "labels_unknown"},
            counter_systems=(
                CounterSystem(
                    "logits that know the labels",
                    {"system": "labels_known", "activation": "erf", "labels": "real"},
                    "the winner is the label too often, so less is left to learn at large logits",
                ),
            ),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)

CURVES = Study(
    name="temperature.saturation_curve",
    title="The speed of the logits over the logit scale, at finite and at infinite width",
    measure=measure_curve,
    variables={
        "speed": Variable(("seed", "logit_scale"), "1/eta_tilde", "norm of the rate of the scaled logits"),
        "infinite_drive": Variable(("seed", "logit_scale"), "1/eta_tilde", "the same in the kernel of infinite width"),
        "error": Variable(("seed", "logit_scale"), "1", "distance of both velocities over the latter's size"),
    },
    grids={
        "quick": curve((32, 256), 64, 2, 20),
        "full": curve((64, 256, 1024), 100, 3, 24, 4),
        "paper": curve((128, 512, 2048), 256, 3, 24, 2),
    },
    checks=(
        Check(
            law="temperature.infinite_width_speed",
            observe=deviation,
            margin=Margin(0.2, "physics", "rivals are 1/2 away"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)

STUDIES = (ENDS, CURVES)
