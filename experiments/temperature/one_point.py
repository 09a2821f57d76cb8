"""One point, two classes, a kernel theta: gradient flow on the loss itself, and its rest under weight decay."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array
from scipy.special import lambertw

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.chunks import map_replicates
from numerics.timescales import descent

TIMES = (0.01, 0.1, 1.0, 10.0, 100.0, 300.0)
"""eta~ theta t; the exponential in the closed form overflows float64 beyond 350."""

CONTROLS = (0.1, 1.0, 10.0, 100.0, 1e3, 1e4)
"""beta^2 theta / lam."""

LOSSES = (losses.cross_entropy, losses.squared_error)
SYSTEMS = ("cross_entropy", "mean_squared")
SUBSTEPS, NEWTON = 400, 60


def measure(
    replicates: Replicates, data: None, system: str, clock: np.ndarray, control: np.ndarray
) -> Mapping[str, Any]:
    """The gap along the flow and at rest, and the rate at which a nudge of the rest dies."""
    random = [generator.uniform(size=4) for generator in replicates.generators()]
    powers = np.stack(random) * np.array([2.0, 2.0, 2.0, 4.0]) - np.array([1.0, 1.0, 1.0, 2.0])
    beta, theta, eta = (10.0 ** powers[:, place] for place in range(3))
    gap0 = powers[:, 3]
    columns = [jnp.asarray(column) for column in (beta, theta, eta, gap0)]
    run = compiled()
    found = run(SYSTEMS.index(system), jnp.asarray(clock), jnp.asarray(control), *columns)
    return {**found, "beta": beta, "theta": theta, "eta": eta, "gap0": gap0}


@cache
def compiled() -> Callable[..., Any]:
    """All seeds, one after another, in one compilation for both losses."""

    def run(kind: Array, clock: Array, control: Array, *columns: Array) -> Mapping[str, Array]:
        y = jnp.array([[1.0, 0.0]])

        def one_seed(seed: tuple[Array, ...]) -> Mapping[str, Array]:
            beta, theta, eta, gap0 = seed
            start = jnp.array([[0.5, -0.5]]) * gap0 / (beta * jnp.sqrt(theta))

            def loss(w: Array, lam: Array) -> Array:
                bare = jax.lax.switch(kind, LOSSES, jnp.sqrt(theta) * w, y, beta)
                return jnp.sum(bare) + lam * jnp.sum(w**2) / 2

            def gap(w: Array) -> Array:
                return beta * jnp.sqrt(theta) * (w[0, 0] - w[0, 1])

            velocity = descent(lambda w: loss(w, jnp.zeros(())), eta)

            def stretch(carry: tuple[Array, Array], moment: Array) -> tuple[tuple[Array, Array], Array]:
                w, before = carry
                width = (moment - before) / SUBSTEPS

                def step(_: int, at: Array) -> Array:
                    one = velocity(at)
                    two = velocity(at + width / 2 * one)
                    three = velocity(at + width / 2 * two)
                    four = velocity(at + width * three)
                    return at + width / 6 * (one + 2 * two + 2 * three + four)

                moved = jax.lax.fori_loop(0, SUBSTEPS, step, w)
                return (moved, moment), gap(moved)

            moments = clock / (eta * beta**2 * theta)
            _, along = jax.lax.scan(stretch, (start, jnp.zeros(())), moments)

            def resting(c: Array) -> tuple[Array, Array, Array]:
                lam = beta**2 * theta / c
                held = lambda w: loss(w, lam)  # noqa: E731

                def newton(_: int, w: Array) -> Array:
                    slope = jax.grad(held)(w).reshape(-1)
                    return w - jnp.linalg.solve(jax.hessian(held)(w).reshape(2, 2), slope).reshape(w.shape)

                rest = jax.lax.fori_loop(0, NEWTON, newton, jnp.zeros((1, 2)))
                way = jnp.array([[1.0, -1.0]])
                turned = jax.jvp(descent(held, eta), (rest,), (way,))[1]
                wrong = losses.softmax(jnp.sqrt(theta) * rest, beta)[0, 1]
                return gap(rest), -jnp.sum(turned * way) / 2, wrong

            u, rate, wrong = jax.lax.map(resting, control)
            return {"gap": along, "u": u, "rate": rate, "wrong": wrong}

        return map_replicates(one_seed, columns)

    return jax.jit(run)


def trajectory(dataset: xr.Dataset) -> xr.Dataset:
    """The gap along the flow, with what sets the clock."""
    eta_tilde = dataset["eta"] * dataset["beta"] ** 2
    time = dataset["clock"] / (eta_tilde * dataset["theta"])
    gap0 = dataset["gap0"]
    return xr.Dataset(
        {
            "measured": dataset["gap"],
            "C": 2 * dataset["clock"] + gap0 + np.exp(gap0),
            "gap0": gap0,
            "time": time,
            "theta": dataset["theta"],
            "eta_tilde": eta_tilde,
        }
    )


def decay(dataset: xr.Dataset) -> xr.DataArray:
    """Weight decay at each control."""
    return dataset["beta"] ** 2 * dataset["theta"] / dataset["control"]


def rest(dataset: xr.Dataset) -> xr.Dataset:
    """Both sides of the equation of the rest."""
    u = dataset["u"]
    right = 2 * dataset["beta"] ** 2 * dataset["theta"] / decay(dataset)
    return xr.Dataset(
        {
            "left": u * (1 + np.exp(u)),
            "right": right,
            "bound": 1e-11 * right * (1 + u),
            "u": u,
            "beta": dataset["beta"],
            "theta": dataset["theta"],
            "lam": decay(dataset),
        }
    )


def excess(dataset: xr.Dataset) -> xr.Dataset:
    """What Lambert's function exceeds the gap at rest by, relative to it."""
    u = dataset["u"]
    found = np.real(lambertw(2 * dataset["control"])) / u - 1
    return xr.Dataset(
        {
            "smaller": abs(found * (1 + u) - np.exp(-u)),
            "larger": np.exp(-2 * u),
            "bound": 1e-13 * (1 + u),
            "u": u,
            "excess": found,
        }
    )


def relaxation(dataset: xr.Dataset) -> xr.Dataset:
    """The rate at which a nudge of the gap dies."""
    return xr.Dataset({"measured": dataset["rate"], "u": dataset["u"], "eta": dataset["eta"], "lam": decay(dataset)})


def grid(seeds: int) -> Grid:
    """Seeds draw temperature, kernel and rate over two decades each, and the gap at the start."""
    return Grid(axes={"system": SYSTEMS}, inner={"clock": TIMES, "control": CONTROLS}, seeds=seeds)


OWN = {"system": "cross_entropy"}
SQUARED = CounterSystem("mean-squared loss", {"system": "mean_squared"}, "its residual is Y - Z, not Y - softmax(Z)")

STUDY = Study(
    name="temperature.one_point",
    title="One point of two classes, along the flow and at rest",
    measure=measure,
    variables={
        "gap": Variable(("seed", "clock"), "1", "scaled logit of the correct class minus the other's"),
        "u": Variable(("seed", "control"), "1", "the same at rest under weight decay"),
        "rate": Variable(("seed", "control"), "1/step", "rate at which a nudge of the rest dies"),
        "wrong": Variable(("seed", "control"), "1", "probability of the wrong class at rest"),
        "beta": Variable(("seed",), "1", "inverse temperature"),
        "theta": Variable(("seed",), "1", "tangent kernel"),
        "eta": Variable(("seed",), "1/step", "learning rate"),
        "gap0": Variable(("seed",), "1", "gap at the start"),
    },
    grids={"quick": grid(12), "full": grid(100)},
    checks=(
        Check(
            law="temperature.one_point_trajectory",
            observe=trajectory,
            margin=Margin(1e-4, "dtype", "error of 400 Runge-Kutta steps in each decade of time"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
        Check(
            law="temperature.one_point_fixed_point",
            observe=rest,
            margin=Margin(1.0, "dtype", "each instance carries a bound for the rounding of Newton's method"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
        Check(
            law="temperature.large_logit_error",
            observe=excess,
            margin=Margin(1.0, "dtype", "each instance carries a bound for the rounding of the gap at rest"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
        Check(
            law="temperature.one_point_relaxation",
            observe=relaxation,
            margin=Margin(1e-8, "dtype", "rounding of second derivatives in float64"),
            select=OWN,
            counter_systems=(SQUARED,),
        ),
    ),
    reduction="sum",
)
