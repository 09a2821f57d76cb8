"""How soon the change of the kernel bends the path of the logits: second derivatives along the true flow."""

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
from experiments.temperature.early_learning import BETAS, conditioning, norm
from experiments.temperature.switched import ACTIVATION_NAMES, switched_loss, switched_network
from numerics import losses
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import (
    both_halves_logits,
    correlated,
    exact_offset,
    one_half_logits,
    second_half,
)
from numerics.models import Network
from numerics.tangent import Logits, Parameters, flow_derivatives, linearise, tangent_increment
from numerics.timescales import descent, tangent_plane
from numerics.training_points import training_points

SCALES = (0.0, 1e-2, 1.0, 1e2)
ROUNDING = 1e5 * float(np.finfo(np.float64).eps)
"""Relative rounding of a second derivative: three layers of wide sums, forward, back and twice forward."""

Prepared = tuple[Logits, Parameters]
Half = Callable[[Network, Array, Array, Array, Array], tuple[Prepared, Prepared]]


@dataclass(frozen=True)
class System:
    """What is trained: the place of its loss, and the network at its start, whole and its first half alone."""

    loss: int
    prepare: Half


def one_half(network: Network, key: Array, x: Array, beta: Array, scale: Array) -> tuple[Prepared, Prepared]:
    """The exact-offset start: the first half is trained, rms Z0 is ``scale``."""
    pair = exact_offset(network, key, x, beta=beta, logit_scale=scale)
    prepared = (lambda params: one_half_logits(network, pair, params, x)), pair.start
    return prepared, prepared


def both_halves(network: Network, key: Array, x: Array, beta: Array, scale: Array) -> tuple[Prepared, Prepared]:
    """The correlated start with both halves trained: rms Z0 is about ``scale``, as far as |c| <= 1 allows."""
    alone = correlated(network, key, correlation=0.0)
    size = jnp.sqrt(jnp.mean(network.apply(alone.start, x) ** 2))
    c = jnp.clip((scale / (beta * size)) ** 2 / 2 - 1, -1.0, 1.0)
    pair = correlated(network, key, correlation=c)
    whole = (
        (lambda halves: both_halves_logits(network, pair, halves, x)),
        (pair.start, second_half(pair)),
    )
    first = (
        (lambda params: one_half_logits(network, pair, params, x)),
        pair.start,
    )
    return whole, first


SYSTEMS: Mapping[str, System] = {
    "one_half": System(0, one_half),
    "mean_squared": System(1, one_half),
    "both_halves": System(0, both_halves),
}


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
    learning_rate: float,
) -> Mapping[str, Any]:
    """First and second derivatives of the scaled logits at every (beta, logit_scale)."""
    inputs, labels = training_points(data, replicates.generators(), points)
    choice = (SYSTEMS[system].loss, ACTIVATION_NAMES.index(activation), learning_rate)
    run = compiled(SYSTEMS[system].prepare, inputs.shape[-1], data.classes, width, depth)
    found = run(choice, replicates.keys(), *(jnp.asarray(a) for a in (inputs, labels, beta, logit_scale)))
    return {**found, "learning_rate": np.full(len(replicates.ids), learning_rate)}


@cache
def compiled(prepare: Half, inputs: int, classes: int, width: int, depth: int) -> Callable[..., Any]:
    """The measurement of all seeds, one after another, in one compilation for each way to start."""

    def run(choice: Any, keys: Array, x: Array, y: Array, beta: Array, scale: Array) -> Mapping[str, Array]:
        loss, activation, learning_rate = choice
        network, trained = switched_network(inputs, classes, width, depth, activation), switched_loss(loss)

        def at(key: Array, x: Array, y: Array, b: Array, s: Array) -> Mapping[str, Array]:
            whole, first = prepare(network, key, x, b, s)
            return at_point(whole, first, trained, y, b, learning_rate)

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            return jax.lax.map(lambda b: jax.lax.map(lambda s: at(*seed, b, s), scale), beta)

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def at_point(
    whole: Prepared,
    first: Prepared,
    loss: Callable[..., Array],
    y: Array,
    beta: Array,
    learning_rate: Array,
) -> Mapping[str, Array]:
    """One point: derivatives along the flow of network and tangent plane, and the products by themselves."""
    (logits, start), (half_logits, half) = whole, first

    def along_the_flow(function: Logits) -> tuple[Array, Array]:
        flow = descent(lambda params: losses.total(loss)(function(params), y, beta), learning_rate)
        return flow_derivatives(lambda params: beta * function(params), flow, start)[1:]

    rate, second = along_the_flow(logits)
    line = linearise(logits, start)
    p, r = losses.softmax(line.logits, beta), losses.residual(line.logits, y, beta)
    turn = p * rate - p * jnp.sum(p * rate, axis=-1, keepdims=True)
    return {
        "rate": rate,
        "residual": jnp.sqrt(jnp.mean(r**2)),
        "second": second,
        "second_of_plane": along_the_flow(tangent_plane(logits, start))[1],
        "turned": line.push(line.pull(turn)),
        "drift": tangent_increment(logits, start, r, line.pull(r)),
        "drift_of_half": tangent_increment(half_logits, half, r, linearise(half_logits, half).pull(r)),
    }


def units(dataset: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Learning rate, and eta~ at each beta."""
    eta = dataset["learning_rate"]
    return eta, eta * dataset["beta"] ** 2


def split(dataset: xr.Dataset) -> xr.Dataset:
    """The second derivative along the flow, and its two parts by themselves, entry by entry."""
    eta, eta_tilde = units(dataset)
    linear, bend = -eta_tilde * dataset["turned"], eta_tilde**2 / dataset["beta"] * dataset["drift"]
    return xr.Dataset(
        {
            "left": dataset["second"],
            "right": linear + bend,
            "bound": ROUNDING * conditioning(dataset) * (norm(dataset["second"]) + norm(linear) + norm(bend)),
            "eta": eta,
            "eta_tilde": eta_tilde,
            "linear[m, i]": linear,
            "drift[m, i]": dataset["drift"],
        }
    )


def nonlinear(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_nl, the kernel's part found by subtracting what the tangent plane does."""
    _, eta_tilde = units(dataset)
    bend = norm(dataset["second"] - dataset["second_of_plane"])
    time = eta_tilde * norm(dataset["rate"]) / bend
    return xr.Dataset({"measured": time.assign_attrs(long_name="nonlinear timescale, eta~ tau_nl", units="1")})


def cancelled(dataset: xr.Dataset) -> xr.Dataset:
    """The kernel's part where both halves start as opposites, beside that of one half."""
    _, eta_tilde = units(dataset)
    bend = dataset["second"] - dataset["second_of_plane"]
    of_half = eta_tilde**2 / dataset["beta"] * dataset["drift_of_half"]
    return xr.Dataset(
        {
            "left": bend,
            "right": xr.zeros_like(bend),
            "bound": ROUNDING * (norm(dataset["second"]) + norm(dataset["second_of_plane"]) + norm(of_half)),
            "bend_of_half[m, i]": of_half,
        }
    )


OWN = {"system": "one_half"}
ENTRY = ("seed", "beta", "logit_scale", "point", "class_")

STUDY = Study(
    name="temperature.nonlinear_time",
    title="Second derivatives of the logits at the start of training",
    measure=measure,
    variables={
        "rate": Variable(ENTRY, "1/step", "rate of the scaled logits along the flow"),
        "residual": Variable(ENTRY[:3], "1", "rms of the residual Y - softmax(Z)"),
        "second": Variable(ENTRY, "1/step^2", "second derivative of the scaled logits along the flow"),
        "second_of_plane": Variable(ENTRY, "1/step^2", "the same for the linearised network"),
        "turned": Variable(ENTRY, "1/step", "tangent kernel times the rate of the softmax"),
        "drift": Variable(ENTRY, "1/eta_tilde^2", "change of kernel times residual along the pulled residual"),
        "drift_of_half": Variable(ENTRY, "1/eta_tilde^2", "the same for the first half alone"),
        "learning_rate": Variable(("seed",), "1/step", "learning rate"),
    },
    grids={
        "quick": Grid(
            axes={"system": tuple(SYSTEMS), "activation": ACTIVATION_NAMES},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 32, "width": 64, "depth": 2, "learning_rate": 0.5},
            seeds=10,
            keep=lambda cell: cell["system"] == "one_half" or cell["activation"] == "erf",
        ),
        "full": Grid(
            axes={"system": tuple(SYSTEMS), "activation": ACTIVATION_NAMES},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 100, "width": 1024, "depth": 3, "learning_rate": 0.5},
            seeds=24,
            block=4,
        ),
        "paper": Grid(
            axes={"system": tuple(SYSTEMS), "activation": ACTIVATION_NAMES},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"points": 256, "width": 2048, "depth": 4, "learning_rate": 0.5},
            seeds=24,
            block=2,
        ),
    },
    checks=(
        Check(
            law="temperature.second_derivative_split",
            observe=split,
            margin=Margin(1.0, "dtype", "rounding of second derivatives in float64"),
            select=OWN,
            counter_systems=(
                CounterSystem(
                    "mean-squared loss",
                    {"system": "mean_squared", "activation": "erf"},
                    "its residual falls with Z itself, not with the softmax",
                ),
            ),
        ),
        Check(
            law="temperature.tau_nl",
            observe=nonlinear,
            margin=Margin(1e-8, "dtype", "subtraction loses a factor beta = 1000 of float64, over five decades"),
            select=OWN,
            counter_systems=(
                CounterSystem(
                    "both halves trained",
                    {"system": "both_halves", "activation": "erf", "logit_scale": 1e-2},
                    "the kernel's part is odd in the output weights and cancels between opposite halves",
                ),
            ),
        ),
        Check(
            law="temperature.both_halves_cancel",
            observe=cancelled,
            margin=Margin(1.0, "dtype", "rounding of second derivatives in float64"),
            select={"system": "both_halves", "activation": "erf", "logit_scale": 0.0},
            counter_systems=(
                CounterSystem(
                    "one half trained",
                    {"system": "one_half", "activation": "erf", "logit_scale": 0.0},
                    "nothing cancels the kernel's part of the half that moves",
                ),
            ),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
