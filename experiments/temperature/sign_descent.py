"""How fast and how straight the logits move under sign descent, from its own first step, over the phase plane."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.early_learning import norm
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset, initial_logits, one_half_logits
from numerics.models import mlp
from numerics.rules import GRADIENT_DESCENT, SIGN_DESCENT
from numerics.training_points import training_points

RULES = {"sign_descent": 0, "gradient_descent": 1}


def measure(
    replicates: Replicates,
    data: Data,
    rule: str,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    points: int,
    width: int,
    depth: int,
    learning_rate: float,
) -> Mapping[str, Any]:
    """First and second derivative of the scaled logits along the first step, per step."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width, depth)
    arrays = (jnp.asarray(a) for a in (inputs, labels, beta, logit_scale))
    found = run(replicates.keys(), *arrays, RULES[rule], learning_rate)
    return {**found, "learning_rate": np.full(len(replicates.ids), learning_rate)}


@cache
def compiled(inputs: int, classes: int, width: int, depth: int) -> Callable[..., Any]:
    """All seeds and rules in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=depth, classes=classes, activation=ACTIVATIONS["erf"])

    def run(
        keys: Array, x: Array, y: Array, beta: Array, scale: Array, rule: Array, learning_rate: Array
    ) -> Mapping[str, Array]:
        def at(key: Array, x: Array, y: Array, b: Array, s: Array) -> Mapping[str, Array]:
            pair = exact_offset(network, key, x, beta=b, logit_scale=s)

            def scaled(params: Any) -> Array:
                return b * one_half_logits(network, pair, params, x)

            slope = jax.grad(
                lambda params: losses.total(losses.cross_entropy)(one_half_logits(network, pair, params, x), y, b)
            )(pair.start)
            settings = {"learning_rate": learning_rate}
            steps = [r.step(pair.start, (), slope, settings)[0] for r in (SIGN_DESCENT, GRADIENT_DESCENT)]
            step = jax.tree.map(lambda one, other, here: jnp.where(rule == 0, one, other) - here, *steps, pair.start)

            def rate(params: Any) -> Array:
                return jax.jvp(scaled, (params,), (step,))[1]

            first, second = jax.jvp(rate, (pair.start,), (step,))
            return {"rate": first, "second": second, "start": b * jnp.linalg.norm(initial_logits(network, pair, x))}

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            return jax.lax.map(lambda b: jax.lax.map(lambda s: at(*seed, b, s), scale), beta)

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def unit(dataset: xr.Dataset) -> xr.Dataset:
    """Eta beta tau_z at each beta and at beta = 1, at equal initial logits."""
    eta, tau = dataset["learning_rate"], dataset["start"] / norm(dataset["rate"])
    scaled = eta * dataset["beta"] * tau
    reference = scaled.sel(beta=1.0, drop=True).broadcast_like(scaled)
    return xr.Dataset({"left": scaled, "right": reference, "bound": 1e-12 * scaled, "eta": eta, "tau_z": tau})


def bend(dataset: xr.Dataset) -> xr.Dataset:
    """Eta beta tau_nl over the temperature."""
    tau = norm(dataset["rate"]) / norm(dataset["second"])
    return xr.Dataset({"measured": dataset["learning_rate"] * dataset["beta"] * tau})


ENTRY = ("seed", "beta", "logit_scale", "point", "class_")
GRADIENT = CounterSystem("gradient descent", {"rule": "gradient_descent"}, "its step carries the beta of the gradient")


def _grid(points: int, width: int, depth: int, seeds: int, block: int = 0) -> Grid:
    return Grid(
        axes={"rule": tuple(RULES)},
        inner={"beta": (0.01, 0.1, 1.0, 10.0, 100.0), "logit_scale": (1e-2, 1.0, 1e1)},
        settings={"points": points, "width": width, "depth": depth, "learning_rate": 0.01},
        seeds=seeds,
        block=block,
    )


STUDY = Study(
    name="temperature.sign_descent",
    title="The first step of sign descent over inverse temperature and logit scale",
    measure=measure,
    variables={
        "rate": Variable(ENTRY, "1/step", "rate of the scaled logits along the step"),
        "second": Variable(ENTRY, "1/step^2", "second derivative of the scaled logits along the step"),
        "start": Variable(ENTRY[:3], "1", "norm of the initial scaled logits"),
        "learning_rate": Variable(("seed",), "1/step", "learning rate"),
    },
    grids={
        "quick": _grid(16, 64, 2, 12),
        "full": _grid(100, 1024, 3, 24, 4),
        "paper": _grid(256, 2048, 4, 24, 2),
    },
    checks=(
        Check(
            law="temperature.sign_descent_unit",
            observe=unit,
            margin=Margin(1.0, "dtype", "rounding of wide sums, 1e-12 of tau_z; a sign that rounding flips would show"),
            select={"rule": "sign_descent"},
            counter_systems=(GRADIENT,),
        ),
        Check(
            law="temperature.sign_descent_nonlinear_time",
            observe=bend,
            margin=Margin(1e-8, "dtype", "the same step at all temperatures, but for rounding"),
            select={"rule": "sign_descent"},
            counter_systems=(GRADIENT,),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
