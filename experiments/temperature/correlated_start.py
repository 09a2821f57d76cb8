"""Networks of two halves: how large their logits are at the start, and how soon the kernel's change is felt.

One compiled measurement holds both systems: both halves trained, or the first alone. What moves is a mask on the
parameters.
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
from experiments.temperature.reachable_correlations import REACHED, reached
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data, digits
from numerics.halves import Pair, both_halves_logits, correlated, initial_logits, second_half
from numerics.models import Network, mlp
from numerics.tangent import Linearisation, linearise
from numerics.training_points import training_points

ERF = ACTIVATIONS["erf"]

SYSTEMS: Mapping[str, float] = {"both_halves": 1.0, "one_half": 0.0}
"""How much of the second half moves."""


def measure(
    replicates: Replicates,
    data: Data,
    system: str,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    correlation: np.ndarray,
    points: int,
    width: int,
    depth: int,
    readouts: int,
) -> Mapping[str, Any]:
    """Speed and bend of the logits over (beta, logit_scale); sizes over correlations; edges of the correlations."""
    inputs, labels = training_points(data, replicates.generators(), points)
    run = compiled(inputs.shape[-1], data.classes, width, depth, readouts)
    arrays = (jnp.asarray(a) for a in (inputs, labels, beta, logit_scale, correlation))
    keys = replicates.keys()
    found = run(keys, *arrays, SYSTEMS[system])
    network = network_of(inputs.shape[-1], data.classes, width, depth)
    drawn = [correlated(network, key, correlation=0.0) for key in keys]
    ends = [reached(network, pair, jnp.asarray(x), looked_for) for pair, x in zip(drawn, inputs, strict=True)]
    edges = {
        "lowest": [e.lowest for e in ends],
        "highest": [e.highest for e in ends],
        "possible": [e.met for e in ends],
    }
    return {**found, **{name: np.asarray(value, dtype=float) for name, value in edges.items()}}


def looked_for(lowest: float, highest: float) -> tuple[float, ...]:
    """Correlations between and beyond the ends that were reached."""
    return (2 * lowest, -1.1, -0.5, 0.0, 0.5, 1.1, 2 * highest)


@cache
def network_of(inputs: int, classes: int, width: int, depth: int) -> Network:
    """One object for each size, so that what is compiled for it is found again."""
    return mlp(inputs=inputs, width=width, depth=depth, classes=classes, activation=ERF)


@cache
def compiled(inputs: int, classes: int, width: int, depth: int, readouts: int) -> Callable[..., Any]:
    """The measurement of all seeds and systems in one compilation."""
    network = network_of(inputs, classes, width, depth)

    def run(
        keys: Array, x: Array, y: Array, beta: Array, scale: Array, correlation: Array, moves: Array
    ) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, Array, Array]) -> Mapping[str, Array]:
            key, x, y = seed
            drawn = correlated(network, key, correlation=jnp.zeros(()))
            here = network.apply(drawn.start, x)
            size = jnp.sqrt(jnp.mean(here**2))

            def start(b: Array, s: Array) -> tuple[Pair, Array]:
                """The pair with rms Z0 = s as far as it can be had, and the 1 + c that gives it."""
                wanted = (s / (b * size)) ** 2 / 2
                excess = jnp.minimum(wanted, 2.0)
                pair = drawn._replace(kept=excess, mixed=jnp.sqrt(excess * (2 - excess)))
                return pair, wanted

            def at(b: Array, s: Array) -> Mapping[str, Array]:
                pair, wanted = start(b, s)
                halves = (pair.start, second_half(pair))
                line_of = lambda params: linearise(  # noqa: E731
                    lambda p: both_halves_logits(network, pair, p, x), params
                )
                z = initial_logits(network, pair, x)
                slope = jax.grad(lambda z: losses.total(losses.cross_entropy)(z, y, b))(z)

                def masked(params: Any) -> Any:
                    return params[0], jax.tree.map(lambda leaf: moves * leaf, params[1])

                def velocity(line: Linearisation) -> Any:
                    """Steepest descent of the loss, its slope in the logits held; the learning rate is 1."""
                    return masked(line.pull(-slope))

                def rate(params: Any) -> Array:
                    line = line_of(params)
                    return b * line.push(velocity(line))

                moved, bent = jax.jvp(rate, (halves,), (velocity(line_of(halves)),))
                return {
                    "rate": jnp.linalg.norm(moved),
                    "bend": jnp.linalg.norm(bent),
                    "excess": wanted,
                    "start": b * jnp.linalg.norm(z),
                }

            def square(c: Array) -> tuple[Array, Array]:
                def one(k: Array) -> tuple[Array, Array]:
                    first, other = jax.random.normal(k, (2, *drawn.start.readout.shape))
                    pair = Pair(drawn.start._replace(readout=first), other, 1 + c, jnp.sqrt((1 - c) * (1 + c)))
                    alone = network.apply(pair.start, x)
                    return jnp.sum(initial_logits(network, pair, x) ** 2), jnp.sum(alone**2)

                both, alone = jax.lax.map(one, jax.random.split(jax.random.fold_in(key, 2), readouts))
                return jnp.mean(both), jnp.mean(alone)

            squares = jax.lax.map(square, correlation)
            plane = jax.lax.map(lambda b: jax.lax.map(lambda s: at(b, s), scale), beta)
            return {**plane, "square": squares[0], "square_of_one": squares[1]}

        return map_replicates(one_seed, (keys, x, y))

    return jax.jit(run)


def nonlinear_time(dataset: xr.Dataset) -> xr.DataArray:
    """eta~ tau_nl, with eta~ = beta^2: the learning rate is 1."""
    return dataset["beta"] ** 2 * dataset["rate"] / dataset["bend"]


def near_opposite(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_nl where the readouts are nearly opposite; root is proportional to the size of the logits."""
    near = nonlinear_time(dataset).sel(beta=1.0, logit_scale=slice(None, 3e-2))
    return xr.Dataset({"measured": near}).assign_coords(root=("logit_scale", near["logit_scale"].values))


def over_beta(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_nl over the temperature at small logits, which every correlated start reaches."""
    return xr.Dataset({"measured": nonlinear_time(dataset).sel(logit_scale=[1e-2, 3e-2])})


def sizes(dataset: xr.Dataset) -> xr.Dataset:
    """Mean squared norms at beta = 1, over the readouts of each seed."""
    return xr.Dataset({"measured": dataset["square"], "square_z0": dataset["square_of_one"], "beta": 1.0})


def edges(dataset: xr.Dataset) -> xr.Dataset:
    """Least and largest correlation that each network reaches, and which of a few it meets."""
    lowest, highest = (dataset[name].isel(seed=0).item() for name in ("lowest", "highest"))
    return xr.Dataset(
        {"lower": dataset["lowest"], "upper": dataset["highest"], "inside": dataset["possible"], "bound": REACHED}
    ).assign_coords(correlation=("point", list(looked_for(lowest, highest))))


PLANE = ("seed", "beta", "logit_scale")


def _grid(points: int, width: int, depth: int, readouts: int, seeds: int, block: int = 0) -> Grid:
    return Grid(
        axes={"system": tuple(SYSTEMS)},
        inner={
            "beta": (0.1, 1.0, 10.0, 100.0),
            "logit_scale": (1e-3, 3e-3, 1e-2, 3e-2, 1.0, 10.0, 100.0),
            "correlation": (-0.9, -0.5, 0.0, 0.5, 1.0),
        },
        settings={"points": points, "width": width, "depth": depth, "readouts": readouts},
        seeds=seeds,
        block=block,
    )


STUDY = Study(
    name="temperature.correlated_start",
    title="Networks of two halves with correlated readouts at the start of training",
    measure=measure,
    variables={
        "rate": Variable(PLANE, "1/step", "norm of the rate of the scaled logits, at learning rate 1"),
        "bend": Variable(PLANE, "1/step^2", "norm of the part of their second derivative from the kernel's change"),
        "excess": Variable(PLANE, "1", "the 1 + c that gives logits of that size; from 2 on there is none"),
        "start": Variable(PLANE, "1", "norm of the initial scaled logits"),
        "square": Variable(("seed", "correlation"), "1", "mean squared norm of the combined logits"),
        "square_of_one": Variable(("seed", "correlation"), "1", "mean squared norm of one half's logits"),
        "lowest": Variable(("seed",), "1", "least correlation of both halves' logits that is reached"),
        "highest": Variable(("seed",), "1", "largest correlation of both halves' logits that is reached"),
        "possible": Variable(("seed", "point"), "1", "whether a correlation is met"),
    },
    grids={
        "quick": _grid(32, 128, 2, 64, 12),
        "full": _grid(100, 1024, 3, 256, 24, 4),
        "paper": _grid(256, 2048, 4, 256, 24, 2),
    },
    checks=(
        Check(
            law="temperature.both_halves_time",
            observe=near_opposite,
            margin=Margin(0.05, "physics", "rivals are 1 away; logits of rms 0.03 bend the slope by 0.01"),
            select={"system": "both_halves"},
            counter_systems=(
                CounterSystem(
                    "one half trained",
                    {"system": "one_half"},
                    "nothing cancels the kernel's part of the half that moves",
                ),
            ),
        ),
        Check(
            law="temperature.tau_nl_correlated",
            observe=over_beta,
            margin=Margin(0.1, "physics", "a fifth of the distance halfway to the rivals; the direction of Z0 turns"),
            select={"system": "one_half"},
            counter_systems=(
                CounterSystem(
                    "both halves trained",
                    {"system": "both_halves"},
                    "the kernel's part is odd in the output weights and cancels between nearly opposite halves",
                ),
            ),
        ),
        Check(
            law="temperature.correlated_size",
            observe=sizes,
            margin=Margin(0.1, "physics", "a fifth of the distance to the printed form, which is half as large"),
            select={"system": "one_half"},
        ),
        Check(
            law="temperature.correlation_range",
            observe=edges,
            margin=Margin(0.05, "physics", "a tenth of the distance to the nearest rival, which is 1/2 away"),
            select={"system": "one_half"},
        ),
    ),
    reduction="sum",
    data=digits,
    takes_data=True,
)
