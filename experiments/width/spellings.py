"""The same runs in three spellings: hat units by the theory's own step, original units and powers outside and
inside the weights by gradient descent on the loss. Also the rates that a hat step amounts to, and gradients' sizes.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array, Float

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics.activations import leaky_softplus
from numerics.losses import logistic, logistic_gradient
from numerics.width_model import Neurons, Sample, Scaling, output, scaling, step

SPELLINGS: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = MappingProxyType(
    {
        "NTK": ((-0.5, 0.0, 0.0), (0.0, 0.0, 0.5, 0.0, 0.0)),
        "mean-field": ((-1.0, 1.0, 1.0), (0.0, 0.0, 1.0, 0.0, -1.0)),
        "mean-field, maximal updates": ((-1.0, 1.0, 1.0), (-0.5, 0.5, 0.5, 0.5, 0.0)),
        "sym-default": ((-0.5, 0.5, 0.5), (0.0, 0.0, 0.5, 0.0, -0.5)),
        "default": ((-0.5, 1.0, 0.0), (0.0, 0.0, 0.0, 0.5, 0.0)),
        "intermediate": ((-0.75, 0.5, 0.5), (0.0, 0.0, 0.75, 0.0, -0.5)),
    }
)
"""Families: (q_sigma, q_a, q_w) and (a_1, b_1, a_2, b_2, c), typed in from the literature on either side."""

INPUTS, BATCH = 3, 6
RATE_A, RATE_W = 0.3, 0.5
DISPLACED = 1e-8
"""By how much of itself each weight of a second start differs: how a run answers tells how it carries rounding on."""


class Layers(NamedTuple):
    """Weights of a network f = outer_2 sum v2 phi(outer_1 v1 . x)."""

    v1: Float[Array, "width inputs"]
    v2: Float[Array, "width"]


class Powers(NamedTuple):
    """What stands outside the weights, and the learning rates of either layer."""

    outer_1: Array
    outer_2: Array
    rate_1: Array
    rate_2: Array


def measure(
    *, replicates: Replicates, data: None, family: np.ndarray, width: int, reference: int, steps: int
) -> Mapping[str, np.ndarray]:
    """Logits on the training inputs before every step, in each spelling."""
    del data
    found = [_seed(generator, [str(name) for name in family], width, reference, steps)
             for generator in replicates.generators()]  # fmt: skip
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


def _seed(
    random: np.random.Generator, families: list[str], width: int, reference: int, steps: int
) -> dict[str, np.ndarray]:
    x = jnp.asarray(random.normal(size=(BATCH, INPUTS)))
    y = jnp.asarray(random.choice((-1.0, 1.0), size=BATCH))
    start = Neurons(jnp.asarray(random.normal(size=width)), jnp.asarray(random.normal(size=(width, INPUTS))))
    places = jnp.asarray([SPELLINGS[name][0] for name in families])
    abc = jnp.asarray([SPELLINGS[name][1] for name in families])
    by_hat, by_other = partial(_hat_runs, steps=steps), partial(_plain_runs, steps=steps)
    rates = _scalings(places, width)
    (wide, lost_wide), (narrow, lost_narrow) = (_rates_at(random, places, size) for size in (width, reference))
    one = jnp.ones(len(families))
    original = Powers(one, one, rates.power_w * RATE_W, rates.power_a * RATE_A * rates.sigma**2)
    d = float(width)
    powers = Powers(d ** -abc[:, 0], d ** -abc[:, 2], RATE_W * d ** -abc[:, 4], RATE_A * d ** -abc[:, 4])
    sizes = d ** -abc[:, 1], d ** -abc[:, 3]
    found = {
        "hat": by_hat(start, rates, x, y),
        "hat_over_sigma": by_hat(start, rates._replace(rate_a=RATE_A * rates.sigma), x, y),
        "hat_without_size": by_hat(start, rates._replace(rate_a=RATE_A * d ** (-2 * abc[:, 3])), x, y),
        "original": by_other(start, one, rates.sigma, original, x, y),
        "abc": by_other(start, *sizes, powers, x, y),
        "rate": wide / narrow,
        "lost": lost_wide + lost_narrow,
        "gradient": jnp.abs(_wrong_gradients(random)),
        "ratio": jnp.array(width / reference),
        "neurons": jnp.array(d),
    }
    beside = jax.tree.map(lambda leaf: leaf * (1 + DISPLACED * random.normal(size=leaf.shape)), start)
    found["displaced"] = by_hat(beside, rates, x, y)
    return {name: np.asarray(values) for name, values in found.items()}


@partial(jax.jit, static_argnames="steps")
def _hat_runs(start: Neurons, rates: Scaling, x: Array, y: Array, steps: int) -> Array:
    def run(at: Scaling) -> Array:
        def one(neurons: Neurons, _: None) -> tuple[Neurons, Array]:
            logits = output(neurons, at.sigma, leaky_softplus, x)
            sample = Sample(x, logistic_gradient(logits, y))
            return step(neurons, at, leaky_softplus, sample, sample), logits

        return jax.lax.scan(one, start, None, steps)[1]

    return jax.vmap(run)(rates)


@partial(jax.jit, static_argnames="steps")
def _plain_runs(start: Neurons, size_1: Array, size_2: Array, powers: Powers, x: Array, y: Array, steps: int) -> Array:
    def run(of_1: Array, of_2: Array, at: Powers) -> Array:
        def logits(layers: Layers) -> Array:
            hidden = leaky_softplus(at.outer_1 * jnp.matmul(x, layers.v1.T, precision=jax.lax.Precision.HIGHEST))
            return at.outer_2 * jnp.matmul(hidden, layers.v2, precision=jax.lax.Precision.HIGHEST)

        def loss(layers: Layers) -> Array:
            return jnp.mean(logistic(logits(layers), y))

        def one(layers: Layers, _: None) -> tuple[Layers, Array]:
            slope = jax.grad(loss)(layers)
            moved = Layers(layers.v1 - at.rate_1 * slope.v1, layers.v2 - at.rate_2 * slope.v2)
            return moved, logits(layers)

        return jax.lax.scan(one, Layers(of_1 * start.w, of_2 * start.a), None, steps)[1]

    return jax.vmap(run)(size_1, size_2, powers)


@jax.jit
def _rates_of_a_step(neurons: Neurons, x: Array, rates: Scaling) -> tuple[Array, Array]:
    """Learning rates in original units that one hat step of a sample amounts to, and the size of a weight over its
    move, both of shape (families, layers).
    """
    gradient = jnp.array([-0.6])

    def of_family(at: Scaling) -> tuple[Array, Array]:
        after = step(neurons, at, leaky_softplus, Sample(x, gradient), Sample(x, gradient))
        slope = jax.grad(lambda layers: output(layers, 1.0, leaky_softplus, x)[0])
        original = slope(Neurons(at.sigma * neurons.a, neurons.w))
        moves = jnp.stack([(after.a - neurons.a)[0], (after.w - neurons.w)[0, 0]])
        by_gradient = -jnp.stack([at.sigma, 1.0]) / (gradient[0] * jnp.stack([original.a[0], original.w[0, 0]]))
        return moves * by_gradient, jnp.abs(jnp.stack([after.a[0], after.w[0, 0]]) / moves)

    return jax.vmap(of_family)(rates)


def _rates_at(random: np.random.Generator, places: Array, width: int) -> tuple[Array, Array]:
    neurons = Neurons(jnp.asarray(random.normal(size=width)), jnp.asarray(random.normal(size=(width, INPUTS))))
    return _rates_of_a_step(neurons, jnp.asarray(random.normal(size=(1, INPUTS))), _scalings(places, width))


def _scalings(places: Array, width: int) -> Scaling:
    def at(q: Array) -> Scaling:
        return scaling(width, q_sigma=q[0], q_a=q[1], q_w=q[2], rate_a=RATE_A, rate_w=RATE_W)

    return jax.vmap(at)(places)


def _wrong_gradients(random: np.random.Generator) -> Array:
    """Gradients of misclassified samples, with logits from vanishing to diverging."""
    logits = jnp.asarray(np.sign(random.normal(size=24)) * np.geomspace(1e-9, 30.0, 24))
    return logistic_gradient(logits, -jnp.sign(logits))


EPSILON = float(np.finfo(np.float64).eps)


def _bound(data: xr.Dataset) -> xr.DataArray:
    """Rounding of sums over neurons, step after step, in units of the largest logit of a run.

    Each step's rounding is carried on as a run carries on a displaced start: where it grows, as it does for some steps
    of large rates, so does the bound.
    """
    size = abs(data["hat"]).max(("step", "point"))
    answer = abs(data["displaced"] - data["hat"]).max("point", skipna=False)
    growth = answer / answer.rename(step="made")
    made = xr.DataArray(np.arange(data.sizes["step"]), dims="made")
    before = made <= xr.DataArray(np.arange(data.sizes["step"]), dims="step")
    carried = xr.where(before, np.maximum(growth, 1), 1).sum("made", skipna=False)
    return size * EPSILON * carried * np.sqrt(data["neurons"].isel(seed=0, drop=True))


def _compared(spelling: str, rival: str, wrong: str) -> Callable[[xr.Dataset], xr.Dataset]:
    def observe(data: xr.Dataset) -> xr.Dataset:
        sides = {"left": data[spelling], "right": data["hat"], f"right[{rival}]": data[wrong]}
        return xr.Dataset({**sides, "bound": _bound(data)})

    return observe


def factors(data: xr.Dataset) -> xr.Dataset:
    """Ratios of learning rates in original units, beside the exponents of each family.

    A move is the difference of two weights: it keeps the digits that the weight does not take.
    """
    q_sigma, q_a, q_w = np.transpose([SPELLINGS[str(name)][0] for name in data["family"].values])
    made = xr.Dataset({"left": data["rate"], "bound": abs(data["rate"]) * (100 + data["lost"]) * EPSILON})
    along = {"q_sigma": ("family", q_sigma), "q_a": ("family", q_a), "q_w": ("family", q_w)}
    return made.assign_coords({"layer": ("layer", [0.0, 1.0]), "rho": float(data["ratio"][0]), **along})


def gradients(data: xr.Dataset) -> xr.Dataset:
    """Sizes of the gradients of misclassified samples."""
    return xr.Dataset({"larger": data["gradient"], "bound": abs(data["gradient"]) * 4 * EPSILON})


_ROUNDING = Margin(1.0, "dtype", "one rounding bound: float64 sums over neurons at every step")

STUDY = Study(
    name="width.spellings",
    title="One network in hat units, in original units, and with powers of the width outside and inside its weights",
    measure=measure,
    variables={
        name: Variable(("seed", "family", "step", "point"), "1", long_name)
        for name, long_name in (
            ("hat", "logits in hat units"),
            ("hat_over_sigma", "logits in hat units, rates divided once by sigma"),
            ("hat_without_size", "logits in hat units, the readout's rate without its size"),
            ("original", "logits in original units"),
            ("abc", "logits in the abc spelling"),
            ("displaced", "logits in hat units from a displaced start"),
        )
    }
    | {
        "rate": Variable(("seed", "family", "layer"), "1", "learning rate in original units over the reference's"),
        "lost": Variable(("seed", "family", "layer"), "1", "size of a weight over its move, of both networks"),
        "gradient": Variable(("seed", "sample"), "1", "size of the gradient of a misclassified sample"),
        "ratio": Variable(("seed",), "1", "width over the reference's width"),
        "neurons": Variable(("seed",), "1", "width"),
    },
    grids={
        "quick": Grid(
            inner={"family": tuple(SPELLINGS)}, settings={"width": 64, "reference": 16, "steps": 30}, seeds=3
        ),
        "full": Grid(
            inner={"family": tuple(SPELLINGS)}, settings={"width": 1024, "reference": 128, "steps": 200}, seeds=10
        ),
    },
    checks=(
        Check(
            law="width.hat_units",
            observe=_compared("original", "rates over sigma", "hat_over_sigma"),
            margin=_ROUNDING,
        ),
        Check(
            law="width.abc_units",
            observe=_compared("abc", "rate of the readout without its size", "hat_without_size"),
            margin=_ROUNDING,
        ),
        Check(
            law="width.learning_rates",
            observe=factors,
            margin=Margin(1.0, "dtype", "one rounding bound of a quotient of two moves"),
        ),
        Check(
            law="width.gradient_size",
            observe=gradients,
            margin=Margin(1.0, "dtype", "one rounding bound of a logistic function"),
        ),
    ),
    reduction="mean",
)
