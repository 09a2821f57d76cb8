"""How fast eta~ tau_z / ||Z0|| of one network reaches its saturated value as its logits grow, beside its gaps (T07).

The saturated value is that of the same network at logits so large that no softmax is left; no limit is computed.
"""

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
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset, initial_logits
from numerics.models import mlp
from numerics.timescales import descent
from numerics.training_points import training_points

LOSSES = (losses.cross_entropy, losses.squared_error)
SYSTEMS = ("cross_entropy", "mean_squared")
SATURATED = 700.0
"""Logit scale times the smallest gap at which a softmax is one-hot in float64."""


def measure(
    replicates: Replicates, data: Data, system: str, reach: np.ndarray, points: int, width: int, beta: float
) -> Mapping[str, Any]:
    """Size of the logits over their speed at scales of ``reach`` over the smallest gap, and at saturation."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width)
    arrays = (jnp.asarray(a) for a in (inputs, labels, np.append(reach, SATURATED)))
    measured = run(SYSTEMS.index(system), replicates.keys(), *arrays, beta)
    found = {name: np.asarray(array) for name, array in measured.items()}
    return {
        "constant": found["constant"][:, :-1],
        "saturated": found["constant"][:, -1],
        "scale": found["scale"][:, :-1],
        "gap": found["gaps"][:, 0],
        "second_gap": found["gaps"][:, 1],
    }


@cache
def compiled(inputs: int, classes: int, width: int) -> Callable[..., Any]:
    """All seeds and scales, one after another, in one compilation for both losses."""
    network = mlp(inputs=inputs, width=width, depth=1, classes=classes, activation=ACTIVATIONS["erf"])

    def run(kind: Array, keys: Array, x: Array, y: Array, reach: Array, beta: Array) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            key, x, y = seed
            pair = exact_offset(network, key, x, beta=1.0, logit_scale=1.0)
            direction, here = initial_logits(network, pair, x), network.apply(pair.start, x)
            largest = jax.lax.top_k(direction, 2)[0]
            gaps = jnp.sort(largest[:, 0] - largest[:, 1])

            def constant(scale: Array) -> Array:
                logits = lambda params: network.apply(params, x) - here + scale / beta * direction  # noqa: E731

                def loss(params: Any) -> Array:
                    return jax.lax.switch(kind, [losses.total(one) for one in LOSSES], logits(params), y, beta)

                velocity = jax.jvp(lambda p: beta * logits(p), (pair.start,), (descent(loss, 1.0)(pair.start),))[1]
                return beta**2 * scale * jnp.linalg.norm(direction) / jnp.linalg.norm(velocity)

            scales = reach / gaps[0]
            found = jax.lax.map(constant, scales) / (scales * jnp.linalg.norm(direction))
            return {"constant": found, "scale": scales, "gaps": gaps[:2]}

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def decay(dataset: xr.Dataset) -> xr.Dataset:
    """Minus the slope of the error's logarithm along the scale, for each network."""
    error = abs(dataset["constant"] / dataset["saturated"] - 1)
    log, scale = np.log(error.where(error > 0)), dataset["scale"]
    off = scale - scale.mean("reach", skipna=False)
    slope = (off * log).sum("reach", skipna=False) / (off**2).sum("reach", skipna=False)
    return xr.Dataset({"measured": -slope, "gap": dataset["gap"], "second_gap": dataset["second_gap"]})


def _grid(points: int, width: int, seeds: int) -> Grid:
    return Grid(
        axes={"system": SYSTEMS},
        inner={"reach": (12.0, 16.0, 20.0, 24.0)},
        settings={"points": points, "width": width, "beta": 3.0},
        seeds=seeds,
    )


STUDY = Study(
    name="temperature.saturation_rate",
    title="How fast single networks saturate as their initial logits grow",
    measure=measure,
    variables={
        "constant": Variable(("seed", "reach"), "1/eta_tilde", "eta~ tau_z / ||Z0|| at a scale"),
        "saturated": Variable(("seed",), "1/eta_tilde", "the same where the softmax is one-hot"),
        "scale": Variable(("seed", "reach"), "1", "rms of the scaled logits"),
        "gap": Variable(("seed",), "1", "smallest difference of a point's two largest logits at rms 1"),
        "second_gap": Variable(("seed",), "1", "the second smallest"),
    },
    grids={"quick": _grid(8, 32, 20), "full": _grid(16, 64, 40), "paper": _grid(64, 256, 100)},
    checks=(
        Check(
            law="temperature.saturated_constant_rate",
            observe=decay,
            margin=Margin(
                0.1,
                "physics",
                "a gap that is larger by d bends the rate by at most d e^(-d reach) of it, 1/(12 e), and by 1/12 where "
                "two nearly equal ones cancel; the rivals are a factor away",
            ),
            select={"system": "cross_entropy"},
            counter_systems=(
                CounterSystem("mean-squared loss", {"system": "mean_squared"}, "its residual never saturates"),
            ),
            profiles=("full", "paper"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
