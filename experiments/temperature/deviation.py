"""A network beside its linearisation: gradient flow of both in units of eta~, at several temperatures (fig 1).

Both are integrated with Runge-Kutta steps of fourth order along the gradient of the loss that is trained.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import exact_offset, one_half_logits
from numerics.models import mlp
from numerics.tangent import linearise
from numerics.timescales import descent, tangent_plane
from numerics.training_points import training_points

LONGEST = 0.1
"""Longest Runge-Kutta step in units of eta~; the fastest mode decays at a rate of about 10."""
FEWEST = 4
"""Runge-Kutta steps from one record to the next, at least."""
EARLY = 1e-4
"""Time eta~ t / beta at which the rate of deviation is read off."""


def measure(
    replicates: Replicates,
    data: Data,
    beta: np.ndarray,
    time: np.ndarray,
    points: int,
    width: int,
    logit_scale: float,
) -> Mapping[str, Any]:
    """Loss and relative deviation at times eta~ t, and the nonlinear timescale in units of beta."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width)
    counts = np.maximum(np.ceil(np.diff(time, prepend=0.0) / LONGEST), FEWEST).astype(int)
    arrays = (jnp.asarray(a) for a in (inputs, labels, beta, time, counts))
    return run(replicates.keys(), *arrays, logit_scale)


@cache
def compiled(inputs: int, classes: int, width: int) -> Callable[..., Any]:
    """All seeds and temperatures in one compilation."""
    network = mlp(inputs=inputs, width=width, depth=2, classes=classes, activation=ACTIVATIONS["erf"])
    loss = losses.total(losses.cross_entropy)

    def run(
        keys: Array, x: Array, y: Array, beta: Array, time: Array, counts: Array, scale: Array
    ) -> Mapping[str, Array]:
        def at(key: Array, x: Array, y: Array, b: Array) -> Mapping[str, Array]:
            pair = exact_offset(network, key, x, beta=b, logit_scale=scale)

            def logits(params: Any) -> Array:
                return one_half_logits(network, pair, params, x)

            plane = tangent_plane(logits, pair.start)
            origin = logits(pair.start)
            flows = [descent(lambda params, f=f: loss(f(params), y, b), 1 / b**2) for f in (logits, plane)]

            def velocity(both: Any) -> Any:
                return flows[0](both[0]), flows[1](both[1])

            def stepped(both: Any, dt: Array) -> Any:
                """One Runge-Kutta step; the four slopes in one loop, which compiles the velocity once."""

                def slope(state: tuple[Any, Any], weights: tuple[Array, Array]) -> tuple[tuple[Any, Any], None]:
                    (here, summed), (reach, weight) = state, weights
                    v = velocity(here)
                    ahead = jax.tree.map(lambda p, s: p + reach * dt * s, both, v)
                    return (ahead, jax.tree.map(lambda p, s: p + weight * dt * s, summed, v)), None

                reaches, weights = jnp.array([0.5, 0.5, 1.0, 0.0]), jnp.array([1.0, 2.0, 2.0, 1.0]) / 6
                return jax.lax.scan(slope, (both, both), (reaches, weights))[0][1]

            r = losses.residual(origin, y, b)

            def drive(params: Any) -> Array:
                line = linearise(logits, params)
                return line.push(line.pull(r))

            moved, bent = jax.jvp(drive, (pair.start,), (linearise(logits, pair.start).pull(r),))

            def to_next(both: Any, leg: tuple[Array, Array, Array]) -> tuple[Any, Mapping[str, Array]]:
                gap, count, now = leg
                both = jax.lax.fori_loop(0, count, lambda _, state: stepped(state, gap / count.astype(gap.dtype)), both)
                here, linear = logits(both[0]), plane(both[1])
                return both, {
                    "loss": loss(here, y, b) / x.shape[0],
                    "loss_linear": loss(linear, y, b) / x.shape[0],
                    "deviation": jnp.linalg.norm(here - linear) / jnp.linalg.norm(linear - origin),
                    "bend": jnp.linalg.norm(b * (here - origin) / now - moved) / jnp.linalg.norm(moved),
                }

            legs = jnp.diff(time, prepend=0.0), counts, time
            path = jax.lax.scan(to_next, (pair.start, pair.start), legs)[1]
            return {**path, "nonlinear_time": jnp.linalg.norm(moved) / jnp.linalg.norm(bent)}

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            return jax.lax.map(lambda b: at(*seed, b), beta)

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def early_rate(dataset: xr.Dataset) -> xr.Dataset:
    """Relative deviation over eta~ t / beta, at one early value of it, at each temperature that has it."""
    betas = [0.1, 1.0, 10.0]
    rates = [
        dataset["deviation"].sel(beta=b).sel(time=EARLY * b, method="nearest", tolerance=1e-9).drop_vars("time") / EARLY
        for b in betas
    ]
    found = xr.concat(rates, dim="beta")
    times = dataset["nonlinear_time"].sel(beta=betas)
    return xr.Dataset({"measured": found * times, "TNL": 1.0})


def at_one_time(dataset: xr.Dataset) -> xr.Dataset:
    """Relative deviation at a few values of eta~ t, over the temperatures that are not small."""
    return xr.Dataset({"measured": dataset["deviation"].sel(beta=[10.0, 30.0, 100.0], time=[0.3, 1.0, 3.0])})


PATH = ("seed", "beta", "time")
TIMES = (1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.2, 0.3, 0.6, 1.0, 1.7, 3.0, 5.0, 8.0)
TEMPERATURES = (0.1, 1.0, 10.0, 30.0, 100.0)


def _grid(points: int, width: int, seeds: int) -> Grid:
    return Grid(
        inner={"beta": TEMPERATURES, "time": TIMES},
        settings={"points": points, "width": width, "logit_scale": 0.1},
        seeds=seeds,
    )


STUDY = Study(
    name="temperature.deviation",
    title="Gradient flow of a network beside that of its linearisation",
    measure=measure,
    variables={
        "loss": Variable(PATH, "1", "mean cross-entropy of the network"),
        "loss_linear": Variable(PATH, "1", "mean cross-entropy of its linearisation"),
        "deviation": Variable(PATH, "1", "relative deviation ||Z - Z_lin|| / ||Z_lin - Z0||"),
        "bend": Variable(PATH, "1", "distance of Z - Z0 from time times its first velocity, relative to it"),
        "nonlinear_time": Variable(("seed", "beta"), "1/eta_tilde", "nonlinear timescale eta~ tau_nl / beta"),
    },
    grids={"quick": _grid(16, 64, 12), "full": _grid(64, 256, 12), "paper": _grid(256, 2048, 12)},
    checks=(
        Check(
            law="temperature.deviation",
            observe=early_rate,
            margin=Margin(
                0.01, "physics", "at eta~ t / beta = 1e-4 the next order is about 1e-4 / TNL and 1e-3 of tau_lin"
            ),
        ),
        Check(
            law="temperature.deviation_in_beta",
            observe=at_one_time,
            margin=Margin(0.1, "physics", "rivals are 1 away; at beta = 10 the next order bends the slope by 0.02"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
