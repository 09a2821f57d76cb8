"""Where weight decay brings linear models to rest, by Newton's method on the regularised loss itself."""

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
from numerics.chunks import map_replicates

POINTS, PARAMETERS = 3, 12
EPSILON = (1e-4, 1e-3, 1e-2)
"""beta^2 over the weight decay; kernels have unit norm."""

CLASSES: Mapping[str, int] = {"three_classes": 3, "two_classes": 2}
STEPS = 8
FORMS = ("corrected", "no_projection", "one_beta", "uniform")
"""Eq 16 with beta^2 and the projection, with beta^2 alone, with the projection alone; eq 17."""


def measure(
    replicates: Replicates, data: None, system: str, epsilon: np.ndarray, form: np.ndarray, beta: float
) -> Mapping[str, Any]:
    """Scaled logits at rest, and those of eqs 16 (corrected and as printed) and 17, from logits that start at 0."""
    classes = CLASSES[system]
    jacobians, labels = [], []
    for random in replicates.generators():
        drawn = random.standard_normal((POINTS * classes, PARAMETERS))
        jacobians.append(drawn / np.sqrt(np.linalg.norm(drawn @ drawn.T, 2)))
        labels.append(np.eye(classes)[random.integers(0, classes, POINTS)])
    stacked = jnp.asarray(np.stack(jacobians)), jnp.asarray(np.stack(labels))
    rest = np.asarray(compiled(classes)(jnp.asarray(epsilon), beta, *stacked))
    forms = [approximations(j, y, e, beta) for j, y in zip(jacobians, labels, strict=True) for e in epsilon]
    found = [np.array([each[str(name)] for each in forms]).reshape(rest.shape) for name in form]
    errors = np.stack([relative(rest, value) for value in found], axis=-1)
    return {"error": errors, "size": np.sqrt(np.mean(rest**2, axis=(-1, -2)))}


def relative(rest: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Norm of a difference over the norm of the rest, over points and classes."""
    return np.linalg.norm(value - rest, axis=(-1, -2)) / np.linalg.norm(rest, axis=(-1, -2))


def approximations(jacobian: np.ndarray, y: np.ndarray, epsilon: float, beta: float) -> Mapping[str, np.ndarray]:
    """Solutions of the linear equations that replace the softmax: matrices, no series."""
    classes = y.shape[-1]
    kernel = jacobian @ jacobian.T
    off_mean = np.kron(np.eye(len(y)), np.eye(classes) - 1 / classes)
    source = epsilon * kernel @ (y - 1 / classes).reshape(-1)
    one = np.eye(len(kernel))
    solved = lambda matrix: np.linalg.solve(one + matrix / classes, source).reshape(y.shape)  # noqa: E731
    return {
        "corrected": solved(epsilon * kernel @ off_mean),
        "no_projection": solved(epsilon * kernel),
        "one_beta": solved(epsilon / beta * kernel @ off_mean),
        "uniform": source.reshape(y.shape),
    }


@cache
def compiled(classes: int) -> Callable[..., Any]:
    """All seeds and controls, one after another."""

    def run(epsilons: Array, beta: Array, jacobians: Array, labels: Array) -> Array:
        def one_seed(seed: tuple[Array, Array]) -> Array:
            jacobian, y = seed

            def at(epsilon: Array) -> Array:
                logits = lambda theta: jnp.einsum("rp,p->r", jacobian, theta).reshape(y.shape)  # noqa: E731

                def loss(theta: Array) -> Array:
                    decay = beta**2 / epsilon * jnp.sum(theta**2) / 2
                    return losses.total(losses.cross_entropy)(logits(theta), y, beta) + decay

                def newton(_: int, theta: Array) -> Array:
                    return theta - jnp.linalg.solve(jax.hessian(loss)(theta), jax.grad(loss)(theta))

                return beta * logits(jax.lax.fori_loop(0, STEPS, newton, jnp.zeros(PARAMETERS)))

            return jax.lax.map(at, epsilons)

        return map_replicates(one_seed, (jacobians, labels))

    return jax.jit(run)


def error(dataset: xr.Dataset) -> xr.Dataset:
    """Relative error of a form against what Newton's method finds."""
    return xr.Dataset({"measured": dataset["error"]})


OWN = {"system": "three_classes", "form": "corrected"}
INNER = {"epsilon": EPSILON, "form": FORMS}

STUDY = Study(
    name="temperature.fixed_points",
    title="Linear models at rest under weight decay, and what the linear forms of the softmax make of them",
    measure=measure,
    variables={
        "error": Variable(("seed", "epsilon", "form"), "1", "relative error of the linear forms"),
        "size": Variable(("seed", "epsilon"), "1", "rms of the scaled logits at rest"),
    },
    grids={
        "quick": Grid(axes={"system": tuple(CLASSES)}, inner=INNER, settings={"beta": 3.0}, seeds=20),
        "full": Grid(axes={"system": tuple(CLASSES)}, inner=INNER, settings={"beta": 3.0}, seeds=100),
    },
    checks=(
        Check(
            law="temperature.small_logit_fixed_point",
            observe=error,
            margin=Margin(0.03, "finite size", "the next order bends the slope by epsilon = 0.01 at most"),
            select=OWN,
            counter_systems=(
                CounterSystem(
                    "two classes",
                    {"system": "two_classes", "form": "corrected"},
                    "a softmax of two does not bend: slope 3",
                ),
                CounterSystem(
                    "eq 15 as printed",
                    {"system": "three_classes", "form": "no_projection"},
                    "without the projection off the mean over classes a coupled kernel leaves an error of first order",
                ),
                CounterSystem(
                    "eq 16 as printed",
                    {"system": "three_classes", "form": "one_beta"},
                    "with one beta instead of two the correction is wrong at first order",
                ),
            ),
        ),
        Check(
            law="temperature.uniform_fixed_point",
            observe=error,
            margin=Margin(0.03, "finite size", "the next order bends the slope by epsilon = 0.01 at most"),
            select={"system": "three_classes", "form": "uniform"},
        ),
    ),
    reduction="sum",
)
