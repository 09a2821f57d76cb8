"""How the nonlinear timescale grows with the width of a network, at the start of training."""

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
from numerics.training_points import training_points

PHI = tuple(ACTIVATIONS[name] for name in ("erf", "scaled_relu"))


def measure(
    replicates: Replicates, data: Data, width: int, activation: np.ndarray, points: int, logit_scale: float
) -> Mapping[str, Any]:
    """Size of the drive over that of its drift along the flow: eta~ tau_nl / beta."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, int(width))
    return {"nonlinear_time": run(replicates.keys(), jnp.asarray(inputs), jnp.asarray(labels), logit_scale)}


@cache
def compiled(inputs: int, classes: int, width: int) -> Callable[..., Any]:
    """All seeds and both activations of one width in one compilation."""

    def run(keys: Array, x: Array, y: Array, scale: Array) -> Array:
        def at(key: Array, x: Array, y: Array, phi: Array) -> Array:
            network = mlp(
                inputs=inputs, width=width, depth=2, classes=classes,
                activation=lambda h: jax.lax.switch(phi, PHI, h),
            )  # fmt: skip
            pair = exact_offset(network, key, x, beta=1.0, logit_scale=scale)

            def logits(params: Any) -> Array:
                return one_half_logits(network, pair, params, x)

            r = losses.residual(logits(pair.start), y)

            def drive(params: Any) -> Array:
                line = linearise(logits, params)
                return line.push(line.pull(r))

            moved, bent = jax.jvp(drive, (pair.start,), (linearise(logits, pair.start).pull(r),))
            return jnp.linalg.norm(moved) / jnp.linalg.norm(bent)

        def one_seed(seed: tuple[Array, Array, Array]) -> Array:
            return jax.lax.map(lambda phi: at(*seed, phi), jnp.arange(len(PHI)))

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def over_width(dataset: xr.Dataset) -> xr.Dataset:
    """The timescale at each width, each activation by itself."""
    return xr.Dataset({"measured": dataset["nonlinear_time"]})


def _grid(widths: tuple[int, ...], points: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": widths},
        inner={"activation": ("erf", "scaled_relu")},
        settings={"points": points, "logit_scale": 1.0},
        seeds=seeds,
        first_seed=1000,  # settings were chosen on the seeds before these
    )


STUDY = Study(
    name="temperature.nonlinear_time_in_width",
    title="The nonlinear timescale over the width",
    measure=measure,
    variables={
        "nonlinear_time": Variable(("seed", "activation"), "1/eta_tilde", "nonlinear timescale eta~ tau_nl / beta")
    },
    grids={
        "quick": _grid((64, 181, 512), 16, 32),
        "full": _grid((64, 256, 1024, 4096), 64, 24),
        "paper": _grid((64, 256, 1024, 4096), 256, 24),
    },
    checks=(
        Check(
            law="temperature.nonlinear_time_in_width",
            observe=over_width,
            margin=Margin(0.2, "physics", "less than half the distance to the root of the width"),
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
