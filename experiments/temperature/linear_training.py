"""Models that are linear in their parameters, trained by real gradient steps on the loss with weight decay.

Classes may share features (``coupled``) or not (``block``, a singular kernel). ``free`` is coupled and singular,
without decay; ``curved`` adds a sine to every logit: a model that is not linear.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.chunks import map_replicates

BETAS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 1e3)
SCALES = (1e-4, 1e-2, 1.0, 1e2, 1e4)
POINTS, CLASSES, PARAMETERS = 4, 3, 15
"""Twelve training logits: kernels of fewer than twelve features are singular."""

NEWTON = 12
RATE, DECAY = 0.3, 0.2
"""eta beta^2, and weight decay over beta^2: equal at every temperature."""

ROUNDING = 1e-12


@dataclass(frozen=True)
class System:
    """What the model is.

    Whether classes share features, how many features there are (of all classes, or of each), the weight decay over
    beta^2, and the weight of the sine.
    """

    coupled: bool
    rank: int
    decay: float
    sine: float = 0.0


SYSTEMS: Mapping[str, System] = {
    "block": System(False, 2, DECAY),
    "coupled": System(True, PARAMETERS, DECAY),
    "free": System(True, 6, 0.0),
    "curved": System(True, 6, 0.0, 0.5),
}


def features(random: np.random.Generator, coupled: bool, rank: int) -> np.ndarray:
    """Jacobian of the logits of POINTS training points and one more."""
    rows = (POINTS + 1) * CLASSES
    if coupled:
        seen, read = random.standard_normal((rows, rank)), random.standard_normal((rank, PARAMETERS))
        return seen @ read / np.sqrt(PARAMETERS * rank)
    each = PARAMETERS // CLASSES
    seen = random.standard_normal((POINTS + 1, rank)) @ random.standard_normal((rank, each)) / np.sqrt(each * rank)
    return np.einsum("mf,ij->mijf", seen, np.eye(CLASSES)).reshape(rows, PARAMETERS)


def measure(
    replicates: Replicates, data: None, system: str, beta: np.ndarray, logit_scale: np.ndarray, steps: int, rate: float
) -> Mapping[str, Any]:
    """Trajectories at equal Z0 and equal eta beta^2, and the flow beside their end and at rest."""
    kind = SYSTEMS[system]
    draws = []
    for random in replicates.generators():
        jacobian = features(random, kind.coupled, kind.rank)
        start = random.standard_normal((POINTS + 1, CLASSES))
        labels = np.eye(CLASSES)[random.integers(0, CLASSES, POINTS)]
        draws.append((jacobian, start, labels, random.standard_normal(PARAMETERS)))
    stacked = [jnp.asarray(np.stack(parts)) for parts in zip(*draws, strict=True)]
    found = compiled(steps)(jnp.asarray(beta), jnp.asarray(logit_scale), rate, kind.decay, kind.sine, *stacked)
    return {"jacobian": stacked[0], "initial": stacked[1], **found}


@cache
def compiled(steps: int) -> Callable[..., Any]:
    """All seeds and temperatures, one after another, in one compilation for all systems."""

    def run(betas: Array, scales: Array, rate: Array, decay: Array, sine: Array, *drawn: Array) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, Array, Array, Array]) -> Mapping[str, Array]:
            jacobian, start, y, nudge = seed
            trained = jacobian[: POINTS * CLASSES]

            def one_beta(beta: Array) -> Mapping[str, Array]:
                eta, lam = rate / beta**2, decay * beta**2

                def logits(theta: Array) -> Array:
                    line = jnp.einsum("rp,p->r", jacobian, theta).reshape(start.shape)
                    return start / beta + line + sine * jnp.sin(line)

                def loss(theta: Array) -> Array:
                    bare = losses.total(losses.cross_entropy)(logits(theta)[:POINTS], y, beta)
                    return bare + lam * jnp.sum(theta**2) / 2

                slope = jax.grad(loss)

                def stepped(theta: Array, _: None) -> tuple[Array, Array]:
                    moved = theta - eta * slope(theta)
                    return moved, moved

                first = jnp.zeros(PARAMETERS)
                end, path = jax.lax.scan(stepped, first, None, steps)
                path = jnp.concatenate([first[None], path])

                def newton(_: int, theta: Array) -> Array:
                    curved = jax.hessian(loss)(theta) + jnp.where(lam == 0, beta**2, 0.0) * jnp.eye(PARAMETERS)
                    return theta - jnp.linalg.solve(curved, slope(theta))

                rest = jax.lax.fori_loop(0, NEWTON, newton, end)
                flow = lambda theta: jax.jvp(logits, (theta,), (-eta * slope(theta),))[1][:POINTS]  # noqa: E731
                change = lambda theta: (logits(theta) - logits(first))[:POINTS]  # noqa: E731
                drive = lambda theta: driven(logits, theta, losses.residual(logits(theta)[:POINTS], y, beta))  # noqa: E731
                return {
                    "logits": jax.lax.map(logits, path),
                    "theta": path,
                    "flow": flow(end),
                    "change": change(end),
                    "drive": drive(end),
                    "rest_change": change(rest),
                    "rest_drive": drive(rest),
                    "rest_softmax": losses.softmax(logits(rest)[:POINTS], beta),
                    "nudge": jax.jvp(logits, (rest,), (nudge,))[1][:POINTS],
                    "turn": jax.jvp(flow, (rest,), (nudge,))[1],
                    "curvature": jnp.stack([curving(slope, rest, way) for way in (nudge, unseen(trained, nudge))]),
                    "size": jnp.stack([jnp.sum(way**2) for way in (nudge, unseen(trained, nudge))]),
                    "slope": jax.lax.map(lambda s: slope_in_logits(s * start[:POINTS] / beta, y, beta), scales),
                    "residual": jax.lax.map(lambda s: losses.residual(s * start[:POINTS] / beta, y, beta), scales),
                }

            return jax.lax.map(one_beta, betas)

        return map_replicates(one_seed, drawn)

    return jax.jit(run)


def driven(logits: Callable[[Array], Array], theta: Array, residual: Array) -> Array:
    """J J^T r on the training logits."""
    trained = lambda at: logits(at)[:POINTS]  # noqa: E731
    pulled = jax.vjp(trained, theta)[1](residual)[0]
    return jax.jvp(trained, (theta,), (pulled,))[1]


def curving(slope: Callable[[Array], Array], theta: Array, way: Array) -> Array:
    """Second derivative of the loss along a direction."""
    return jnp.dot(way, jax.jvp(slope, (theta,), (way,))[1])


def unseen(jacobian: Array, way: Array) -> Array:
    """The part of a direction that moves no training logit."""
    _, sizes, rows = jnp.linalg.svd(jacobian, full_matrices=False)
    seen = jnp.where((sizes > 1e-9 * sizes[0])[:, None], rows, 0.0)
    return way - seen.T @ (seen @ way)


def slope_in_logits(z: Array, y: Array, beta: Array) -> Array:
    """Gradient of the summed loss in the raw logits."""
    return jax.grad(lambda at: losses.total(losses.cross_entropy)(at, y, beta))(z)


def gradient(dataset: xr.Dataset) -> xr.Dataset:
    """The slope of the loss by automatic differentiation, and the residual by itself."""
    r, beta = dataset["residual"], dataset["beta"]
    return xr.Dataset({"left": dataset["slope"], "right": -beta * r, "bound": ROUNDING * beta + 0 * r, "r[n, i]": r})


POINT = ("seed", "beta", "point", "class_")
SLOPED = ("seed", "beta", "logit_scale", "point", "class_")

STUDY = Study(
    name="temperature.linear_training",
    title="Models that are linear in their parameters, under real gradient steps",
    measure=measure,
    variables={
        "jacobian": Variable(("seed", "row", "parameter"), "1", "Jacobian of all logits, the last point's not trained"),
        "initial": Variable(("seed", "any_point", "class_"), "1", "scaled logits at the start"),
        "logits": Variable(("seed", "beta", "step", "any_point", "class_"), "1", "raw logits after each step"),
        "theta": Variable(("seed", "beta", "step", "parameter"), "1", "displacement of the parameters"),
        "flow": Variable(POINT, "1/step", "rate of the raw logits after the last step"),
        "change": Variable(POINT, "1", "change of the raw logits till then"),
        "drive": Variable(POINT, "1", "tangent kernel times residual then"),
        "rest_change": Variable(POINT, "1", "change of the raw logits at rest"),
        "rest_drive": Variable(POINT, "1", "tangent kernel times residual at rest"),
        "rest_softmax": Variable(POINT, "1", "probabilities at rest"),
        "nudge": Variable(POINT, "1", "perturbation of the raw logits"),
        "turn": Variable(POINT, "1/step", "change of the flow along it"),
        "curvature": Variable(("seed", "beta", "direction"), "1", "second derivative of the loss along directions"),
        "size": Variable(("seed", "beta", "direction"), "1", "squared lengths of the directions"),
        "slope": Variable(SLOPED, "1", "gradient of the loss in the raw logits"),
        "residual": Variable(SLOPED, "1", "label minus probability"),
    },
    grids={
        "quick": Grid(
            axes={"system": tuple(SYSTEMS)},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"steps": 30, "rate": RATE},
            seeds=10,
        ),
        "full": Grid(
            axes={"system": tuple(SYSTEMS)},
            inner={"beta": BETAS, "logit_scale": SCALES},
            settings={"steps": 300, "rate": RATE},
            seeds=40,
        ),
    },
    checks=(
        Check(
            law="temperature.softmax_gradient",
            observe=gradient,
            margin=Margin(1.0, "dtype", "each instance carries a bound for the rounding of its own sums in float64"),
            select={"system": "coupled"},
        ),
    ),
    reduction="sum",
)
