"""Accuracy along linearised training, for initial logits over five decades of size (fig 2)."""

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
from numerics.halves import exact_offset, initial_logits
from numerics.models import mlp
from numerics.tangent import as_matrix, tangent_kernel
from numerics.training_points import training_points

PHI = tuple(ACTIVATIONS[name] for name in ("erf", "scaled_relu"))
RESOLUTION = 250
"""Runge-Kutta steps in one tau_z."""


def measure(
    replicates: Replicates,
    data: Data,
    activation: np.ndarray,
    logit_scale: np.ndarray,
    time: np.ndarray,
    points: int,
    width: int,
    level: float,
) -> Mapping[str, Any]:
    """Accuracy at times in units of tau_z, tau_z itself, and the time at which a level of accuracy is reached."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width, int(time[-1] * RESOLUTION))
    found = run(replicates.keys(), *(jnp.asarray(a) for a in (inputs, labels, logit_scale)), level)
    places = np.rint(time * RESOLUTION).astype(int)
    return {**found, "accuracy": np.asarray(found["accuracy"])[..., places]}


@cache
def compiled(inputs: int, classes: int, width: int, steps: int) -> Callable[..., Any]:
    """All seeds and activations in one compilation."""

    def run(keys: Array, x: Array, y: Array, scale: Array, level: Array) -> Mapping[str, Array]:
        def network(phi: Array) -> Any:
            return mlp(
                inputs=inputs, width=width, depth=1, classes=classes,
                activation=lambda h: jax.lax.switch(phi, PHI, h),
            )  # fmt: skip

        def one_activation(key: Array, x: Array, y: Array, phi: Array) -> Mapping[str, Array]:
            net = network(phi)
            unit = exact_offset(net, key, x, beta=1.0, logit_scale=1.0)
            kernel = as_matrix(tangent_kernel(net.apply, unit.start, x))
            direction = initial_logits(net, unit, x)

            def velocity(z: Array) -> Array:
                return (kernel @ losses.residual(z, y).reshape(-1)).reshape(z.shape)

            def at(s: Array) -> Mapping[str, Array]:
                start = s * direction
                tau = jnp.linalg.norm(start) / jnp.linalg.norm(velocity(start))
                dt = tau / RESOLUTION

                def step(z: Array, _: None) -> tuple[Array, Array]:
                    k1 = velocity(z)
                    k2 = velocity(z + dt / 2 * k1)
                    k3 = velocity(z + dt / 2 * k2)
                    k4 = velocity(z + dt * k3)
                    return z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), losses.accuracy(z, y)

                accuracy = jax.lax.scan(step, start, length=steps + 1)[1]
                reached = jnp.argmax(accuracy >= level)
                known = (accuracy[0] < level) & (jnp.max(accuracy) >= level)
                time = jnp.where(known, reached / RESOLUTION * tau, -1.0)
                return {"accuracy": accuracy, "tau_z": tau, "reached": time}

            return jax.lax.map(at, scale)

        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            return jax.lax.map(lambda phi: one_activation(*seed, phi), jnp.arange(len(PHI)))

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def spreads(dataset: xr.Dataset) -> xr.Dataset:
    """Standard deviation over the logit scales of the log of the time, raw and in units of tau_z."""
    raw = np.log(dataset["reached"].where(dataset["reached"] > 0))
    rescaled = raw - np.log(dataset["tau_z"])
    over = {"dim": "logit_scale", "skipna": False}
    found = {"spread_raw": raw.std(**over).drop_attrs(), "spread_rescaled": rescaled.std(**over).drop_attrs()}
    words = "spread of the log of the time to an accuracy"
    return xr.Dataset(
        {
            **found,
            "smaller": found["spread_rescaled"].assign_attrs(long_name=f"{words} over tau_z"),
            "larger": (found["spread_raw"] / 10).assign_attrs(long_name=f"a tenth of the {words}"),
            "bound": 1e-12 + 0 * found["spread_raw"],
        }
    )


def _grid(points: int, width: int, seeds: int) -> Grid:
    return Grid(
        inner={
            "activation": ("erf", "scaled_relu"),
            "logit_scale": (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2),
            "time": tuple(float(t) for t in np.linspace(0, 3, 61)),
        },
        settings={"points": points, "width": width, "level": 0.6},
        seeds=seeds,
    )


STUDY = Study(
    name="temperature.time_to_accuracy",
    title="Accuracy along linearised training from initial logits of many sizes",
    measure=measure,
    variables={
        "accuracy": Variable(("seed", "activation", "logit_scale", "time"), "1", "share of points that are right"),
        "tau_z": Variable(("seed", "activation", "logit_scale"), "1/eta_tilde", "early learning timescale"),
        "reached": Variable(
            ("seed", "activation", "logit_scale"), "1/eta_tilde", "time to 60 % accuracy; -1 where it is not reached"
        ),
    },
    grids={"quick": _grid(16, 64, 10), "full": _grid(100, 1024, 24), "paper": _grid(256, 2048, 24)},
    checks=(
        Check(
            law="temperature.time_to_accuracy",
            observe=spreads,
            margin=Margin(1.0, "dtype", "rounding of a logarithm; the ratio 1/10 itself was declared before"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
