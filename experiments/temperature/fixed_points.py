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
ROWS = POINTS * max(CLASSES.values())
STEPS = 8
FORMS = ("corrected", "no_projection", "one_beta", "uniform")
"""Eq 16 with beta^2 and the projection, with beta^2 alone, with the projection alone; eq 17."""


def measure(
    replicates: Replicates, data: None, system: str, epsilon: np.ndarray, form: np.ndarray, beta: float
) -> Mapping[str, Any]:
    """Scaled logits at rest, from logits that start at 0, with the model and its labels; rows past its own are 0.

    ``form`` is what an observation compares them with.
    """
    classes = CLASSES[system]
    own, seeds = POINTS * classes, len(replicates.ids)
    jacobians, labels = np.zeros((seeds, ROWS, PARAMETERS)), np.zeros((seeds, ROWS))
    for seed, random in enumerate(replicates.generators()):
        drawn = random.standard_normal((own, PARAMETERS))
        jacobians[seed, :own] = drawn / np.sqrt(np.linalg.norm(drawn @ drawn.T, 2))
        labels[seed, :own] = np.eye(classes)[random.integers(0, classes, POINTS)].reshape(-1)
    models = jnp.asarray(jacobians[:, :own]), jnp.asarray(labels[:, :own].reshape(seeds, POINTS, classes))
    rest = np.zeros((seeds, epsilon.size, ROWS))
    rest[..., :own] = np.asarray(compiled(classes)(jnp.asarray(epsilon), beta, *models)).reshape(*rest.shape[:2], own)
    return {"rest": rest, "jacobian": jacobians, "label": labels, "beta": np.full(seeds, beta)}


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
    """Relative distance of a linear form of the softmax from where Newton's method ends."""
    classes, form = CLASSES[str(dataset["system"].item())], str(dataset["form"].item())
    own = dataset.isel(row=slice(0, POINTS * classes))
    rest = own["rest"].transpose("seed", "epsilon", "row").values
    models = (own[name].transpose("seed", "row", ...).values for name in ("jacobian", "label"))
    found = []
    for rows, jacobian, label, beta in zip(rest, *models, own["beta"].values, strict=True):
        at = zip(own["epsilon"].values, rows, strict=True)
        found.append([relative(row, approximation(form, jacobian, label, classes, e, beta)) for e, row in at])
    return xr.Dataset({"measured": (("seed", "epsilon"), np.array(found))}, coords={"epsilon": own["epsilon"]})


def relative(rest: np.ndarray, value: np.ndarray) -> float:
    """Norm of a difference over the norm of the rest; no number where one was lost."""
    return float(np.linalg.norm(value - rest) / np.linalg.norm(rest))


def approximation(
    form: str, jacobian: np.ndarray, label: np.ndarray, classes: int, epsilon: float, beta: float
) -> np.ndarray:
    """Solution of the linear equation that replaces the softmax: matrices, no series.

    Raises
    ------
    ValueError
        For a form that is none of ``FORMS``.
    """
    if form not in FORMS:
        raise ValueError(f"approximation: form is {form!r}; allowed are {', '.join(FORMS)}; choose one of these")
    kernel = jacobian @ jacobian.T
    source = epsilon * kernel @ (label - 1 / classes)
    if form == "uniform":
        return source
    off_mean = np.kron(np.eye(len(label) // classes), np.eye(classes) - 1 / classes)
    bent = {
        "corrected": epsilon * kernel @ off_mean,
        "no_projection": epsilon * kernel,
        "one_beta": epsilon / beta * kernel @ off_mean,
    }
    return np.linalg.solve(np.eye(len(kernel)) + bent[form] / classes, source)


OWN = {"system": "three_classes", "form": "corrected"}
INNER = {"epsilon": EPSILON, "form": FORMS}

STUDY = Study(
    name="temperature.fixed_points",
    title="Linear models at rest under weight decay",
    measure=measure,
    variables={
        "rest": Variable(("seed", "epsilon", "row"), "1", "scaled logits at rest"),
        "jacobian": Variable(("seed", "row", "parameter"), "1", "Jacobian of the logits, its kernel of unit norm"),
        "label": Variable(("seed", "row"), "1", "one-hot labels"),
        "beta": Variable(("seed",), "1", "inverse temperature"),
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
