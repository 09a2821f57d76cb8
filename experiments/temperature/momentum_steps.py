"""Real steps of momentum along one direction: slopes, bowls, and losses that carry a temperature."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array
from scipy.linalg import expm

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics.rules import DAMPED_HEAVY_BALL

BOWLS: Mapping[str, float] = {"slope": 0.0, "bowl": 1.0}
"""Curvature of the loss g theta + h theta^2/2, in units of a curvature drawn for each seed."""

GAMMAS: Mapping[str, Callable[..., np.ndarray]] = {
    "tied": lambda beta, eta, damping: beta * np.sqrt(eta) * damping,
    "free": lambda beta, eta, damping: np.full_like(eta, 0.1 * damping),
}
"""The damping of a step: beta sqrt(eta) gamma~, or a number that knows neither eta nor beta."""

LONG, BISECTIONS = 2000, 40
ROUNDING = 1e2 * float(np.finfo(np.float64).eps)


@partial(jax.jit, static_argnames="steps")
def path(
    slope: Array, bowl: Array, eta: Array, gamma: Array, start: Array, velocity: Array, steps: int
) -> tuple[Array, Array]:
    """Places and velocities after each of the steps, for many losses abreast; each comes with its own settings."""
    settings = {"learning_rate": eta, "damping": gamma}

    def loss(theta: Array) -> Array:
        return jnp.sum(slope * theta + bowl * theta**2 / 2)

    def step(state: tuple[Array, Array], _: None) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        state = DAMPED_HEAVY_BALL.step(state[0], state[1], jax.grad(loss)(state[0]), settings)
        return state, state

    return jax.lax.scan(step, (start, velocity), None, length=steps)[1]


def walk(*parts: Any, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """`path` for parts that broadcast against each other: places and velocities of shape (steps, ...)."""
    shape = np.broadcast_shapes(*(np.shape(part) for part in parts))
    flat = [jnp.asarray(np.broadcast_to(part, shape).reshape(-1), dtype=float) for part in parts]
    places, velocities = path(*flat, steps=steps)
    return np.asarray(places).reshape(steps, *shape), np.asarray(velocities).reshape(steps, *shape)


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    gamma: np.ndarray,
    eta: np.ndarray,
    root_eta: np.ndarray,
    beta: np.ndarray,
    tie: np.ndarray,
    reach: np.ndarray,
    first_steps: int,
    damping: float,
    eta_hat: float,
) -> Mapping[str, Any]:
    """Everything that one direction can tell, one loss a seed."""
    draws = np.array([random.uniform(0.5, 2.0, size=2) for random in replicates.generators()])
    slope, curvature = draws[:, 0], draws[:, 1]
    bowl = BOWLS[system] * curvature
    grid = (slope[:, None, None], bowl[:, None, None], eta, gamma[:, None])
    places, velocities = walk(*grid, 0.0, 0.0, steps=LONG)
    _, coasting = walk(0.0, bowl[:, None, None], eta, gamma[:, None], 0.0, 1.0, steps=first_steps)
    ties = lambda beta, rates: [GAMMAS[name](beta, rates, damping) for name in tie]  # noqa: E731
    rate = np.log(np.abs(coasting[0] / coasting[-1])) / (first_steps - 1)
    return {
        "gradient": slope,
        "curvature": curvature,
        "velocity": np.moveaxis(velocities[:first_steps, ..., 0], 0, -1),
        "last_step": places[-1] - places[-2],
        "saturated": saturated(
            slope, bowl, beta, [GAMMAS[name](beta, eta_hat / beta, damping) for name in tie], eta_hat
        ),
        "decay": rate / np.sqrt(eta),
        "gap": gaps(slope, bowl, root_eta, ties(1.0, root_eta**2)),
        "edge": edges(curvature, gamma),
        "stays": ~grows(curvature[:, None, None], gamma[:, None], reach / curvature[:, None, None]),
    }


def saturated(
    slope: np.ndarray, bowl: np.ndarray, beta: np.ndarray, gammas: Sequence[np.ndarray], eta_hat: float
) -> np.ndarray:
    """Length of the last of many steps on a loss of beta theta, at eta = eta_hat/beta and each damping of a step."""
    found = []
    for gamma in gammas:
        losses = (beta * slope[:, None], beta**2 * bowl[:, None])
        places, _ = walk(*losses, eta_hat / beta, gamma, 0.0, 0.0, steps=LONG)
        found.append(np.abs(places[-1] - places[-2]))
    return np.stack(found, axis=1)


def gaps(slope: np.ndarray, bowl: np.ndarray, root_eta: np.ndarray, gammas: Sequence[np.ndarray]) -> np.ndarray:
    """Distance of discrete and continuous place at canonical time 1, both with the damping gamma/sqrt(eta)."""
    counts = np.rint(1 / root_eta).astype(int)
    found = np.empty((slope.size, len(gammas), root_eta.size))
    for tie, gamma in enumerate(gammas):
        places, _ = walk(slope[:, None], bowl[:, None], root_eta**2, gamma, 0.0, 0.0, steps=int(counts.max()))
        for (seed, g), level in product(enumerate(slope), range(root_eta.size)):
            rate = gamma[level] / root_eta[level]
            flow = expm(np.array([[0.0, 1.0, 0.0], [-bowl[seed], -rate, -g], [0.0, 0.0, 0.0]]))
            found[seed, tie, level] = abs(places[counts[level] - 1, seed, level] - flow[0, 2])
    return found


def edges(curvature: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """Learning rate at which the late steps from a displaced place begin to grow, by bisection."""
    low = np.zeros((curvature.size, gamma.size))
    high = np.broadcast_to(8.0 / curvature[:, None], low.shape)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        up = grows(curvature[:, None], gamma, middle)
        low, high = np.where(up, low, middle), np.where(up, middle, high)
    return (low + high) / 2


def grows(curvature: np.ndarray, gamma: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """Whether late steps from a displaced place are larger than earlier ones, or larger than any number."""
    places, velocities = walk(0.0, curvature, eta, gamma, 1.0, 0.0, steps=LONG // 4)
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.sqrt(places**2 + eta * velocities**2 / curvature)
    return ~((size[-1] <= size[LONG // 8]) & np.isfinite(size[-1]))


def velocity(dataset: xr.Dataset) -> xr.Dataset:
    """Velocities of the first steps."""
    found = dataset["velocity"]
    steps = np.arange(1, found.sizes["step"] + 1)
    return xr.Dataset({"left": found, "bound": ROUNDING * abs(found), "gradient": dataset["gradient"]}).assign_coords(
        k=("step", steps)
    )


def last_step(dataset: xr.Dataset) -> xr.Dataset:
    """Displacement in the last of many steps."""
    return xr.Dataset({"measured": dataset["last_step"], "gradient": dataset["gradient"]})


def one(variable: str, *others: str) -> Any:
    """The observation that is one variable as it was measured, with others under their own names."""
    return lambda dataset: xr.Dataset({"measured": dataset[variable], **{name: dataset[name] for name in others}})


def canonical_damping(dataset: xr.Dataset) -> xr.Dataset:
    """Decay of a free velocity, which no seed enters; a step of damping gamma is not yet continuous time."""
    return xr.Dataset({"left": dataset["decay"], "bound": dataset["gamma"] * dataset["decay"]})


def momentum_timescale(dataset: xr.Dataset) -> xr.Dataset:
    """Speed d theta/d(gamma t) at which a slope is gone down in the end, over the slope; no seed enters it."""
    speed = abs(dataset["last_step"]) / (dataset["gamma"] * dataset["gradient"])
    return xr.Dataset({"left": speed, "bound": LONG * ROUNDING * speed})


def stable(dataset: xr.Dataset) -> xr.Dataset:
    """The edge and whether steps stayed small on either side, with learning rates in units of the inverse curvature."""
    found = dataset.rename(reach="point")
    upper, inside = found["edge"] * found["curvature"], found["stays"].astype(float)
    return xr.Dataset({"upper": upper, "inside": inside, "curvature": 1.0}).assign_coords(eta=found["point"])


def by_eta(dataset: xr.Dataset) -> xr.Dataset:
    """The gap, measured at levels of sqrt(eta), along eta."""
    found = dataset["gap"].rename(root_eta="eta")
    return xr.Dataset({"measured": found.assign_coords(eta=dataset["root_eta"].values ** 2)})


INNER = {
    "gamma": (0.05, 0.2, 0.5),
    "eta": (1e-3, 1e-2, 1e-1),
    "root_eta": (0.1, 0.05, 0.02, 0.01, 0.005, 0.002),
    "beta": (10.0, 30.0, 100.0, 300.0, 1000.0),
    "tie": tuple(GAMMAS),
    "reach": (0.5, 1.5, 2.5, 3.3, 4.2, 6.0),
}
SETTINGS = {"first_steps": 30, "damping": 1.0, "eta_hat": 1e-4}
PAIR, ONE = ("seed", "gamma", "eta"), ("seed", "gamma")
SLOPE, BOWL = {"system": "slope"}, {"system": "bowl"}
TIED, FREE = ({"tie": name} for name in GAMMAS)
FEELS = CounterSystem("bowl", BOWL, "the gradient changes along the way")

STUDY = Study(
    name="temperature.momentum_steps",
    title="Steps of momentum along one direction",
    measure=measure,
    variables={
        "gradient": Variable(("seed",), "1", "slope of the loss"),
        "curvature": Variable(("seed",), "1", "curvature of the bowl"),
        "velocity": Variable((*ONE, "step"), "1", "velocity in the first steps"),
        "last_step": Variable(PAIR, "1", "displacement in the last of many steps"),
        "saturated": Variable(("seed", "tie", "beta"), "1", "length of the last step at eta = eta_hat/beta"),
        "decay": Variable(PAIR, "1", "rate at which a free velocity decays, per unit of sqrt(eta) t"),
        "gap": Variable(("seed", "tie", "root_eta"), "1", "distance of discrete and continuous place"),
        "edge": Variable(ONE, "1/step", "learning rate at which late steps begin to grow"),
        "stays": Variable((*ONE, "reach"), "1", "whether late steps do not grow at a rate in units of 1/curvature"),
    },
    grids={
        profile: Grid(axes={"system": tuple(BOWLS)}, inner=INNER, settings=SETTINGS, seeds=12)
        for profile in ("quick", "full", "paper")
    },
    checks=(
        Check(
            law="temperature.momentum_velocity",
            observe=velocity,
            margin=Margin(1.0, "dtype", "thirty steps in float64"),
            select=SLOPE,
            counter_systems=(FEELS,),
        ),
        Check(
            law="temperature.momentum_saturated_step",
            observe=last_step,
            margin=Margin(0.01, "physics", "2000 steps of damping 0.05 leave nothing; rivals differ by 1/gamma"),
            select=SLOPE,
            counter_systems=(FEELS,),
        ),
        Check(
            law="temperature.momentum_second_scheme",
            observe=one("saturated"),
            margin=Margin(0.05, "physics", "rivals are 1/2 away"),
            select={**SLOPE, **TIED},
            counter_systems=(
                CounterSystem("fixed damping", {**SLOPE, **FREE}, "at a fixed damping the step is invariant"),
            ),
        ),
        Check(
            law="temperature.momentum_canonical",
            observe=canonical_damping,
            margin=Margin(1.0, "finite size", "a step of damping gamma decays by gamma (1 + gamma/2 + ...)"),
            select={**SLOPE, "gamma": [0.05]},
            counter_systems=(CounterSystem("bowl", {**BOWL, "gamma": [0.05]}, "a bowl pulls the velocity back"),),
        ),
        Check(
            law="temperature.momentum_timescale",
            observe=momentum_timescale,
            margin=Margin(1.0, "dtype", "the difference of two places after 2000 steps in float64"),
            select=SLOPE,
        ),
        Check(
            law="temperature.momentum_continuous_limit",
            observe=by_eta,
            margin=Margin(0.03, "physics", "rivals are 1/2 away; the next order bends the slope by 0.01"),
            select=TIED,
            counter_systems=(
                CounterSystem("fixed damping", FREE, "the canonical damping grows as eta falls: no common limit"),
            ),
        ),
        Check(
            law="temperature.heavy_ball_edge",
            observe=stable,
            margin=Margin(
                0.01, "physics", "rivals are a factor 1.5 and more away; 500 steps tell 0.005", relative=True
            ),
            select=BOWL,
        ),
    ),
)
