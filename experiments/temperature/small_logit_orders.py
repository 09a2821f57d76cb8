"""Rates at rest and condition numbers where logits are small, beside those of a uniform softmax (T18, T22)."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from experiments.temperature.fixed_point_conditioning import jacobian, spread
from numerics import losses
from numerics.chunks import map_replicates

POINTS, FEATURES, NEWTON = 3, 4, 8
CLASSES: Mapping[str, int] = {"three_classes": 3, "two_classes": 2}


def measure(
    replicates: Replicates, data: None, system: str, epsilon: np.ndarray, logit_scale: np.ndarray, beta: float
) -> Mapping[str, Any]:
    """Largest rate at rest over the decay, and condition numbers of Hessian and kernel at random logits."""
    classes = CLASSES[system]
    features, labels, kappas, kernels = [], [], [], []
    for random in replicates.generators():
        drawn = random.standard_normal((POINTS, FEATURES))
        features.append(drawn / np.linalg.norm(drawn, 2))
        labels.append(np.eye(classes)[random.integers(0, classes, POINTS)])
        root, logits = random.standard_normal((POINTS, POINTS)), random.standard_normal((POINTS, classes))
        kernel = root @ root.T + 0.1 * np.eye(POINTS)
        kappas.append([spread(hessian(kernel, scale * logits)) for scale in logit_scale])
        kernels.append(spread(kernel))
    stacked = jnp.asarray(np.stack(features)), jnp.asarray(np.stack(labels))
    fastest = compiled(classes)(jnp.asarray(epsilon), beta, *stacked)
    return {"fastest": fastest, "kappa_H": np.array(kappas), "kappa_Theta": np.array(kernels)}


def hessian(kernel: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Kernel times the block-diagonal Jacobian of the softmax."""
    points, classes = logits.shape
    blocks = np.zeros((points, classes, points, classes))
    for place, row in enumerate(logits):
        blocks[place, :, place] = np.asarray(jacobian(jnp.asarray(row)))
    return np.kron(kernel, np.eye(classes)) @ blocks.reshape(points * classes, points * classes)


@cache
def compiled(classes: int) -> Callable[..., Any]:
    """Largest second derivative of the regularised loss where it is least, over the decay."""

    def run(epsilons: Array, beta: Array, features: Array, labels: Array) -> Array:
        def one_seed(seed: tuple[Array, Array]) -> Array:
            x, y = seed

            def at(epsilon: Array) -> Array:
                decay = beta**2 / epsilon

                def loss(theta: Array) -> Array:
                    logits = jnp.einsum("mf,fk->mk", x, theta.reshape(FEATURES, classes))
                    return losses.total(losses.cross_entropy)(logits, y, beta) + decay * jnp.sum(theta**2) / 2

                def newton(_: int, theta: Array) -> Array:
                    return theta - jnp.linalg.solve(jax.hessian(loss)(theta), jax.grad(loss)(theta))

                rest = jax.lax.fori_loop(0, NEWTON, newton, jnp.zeros(FEATURES * classes))
                return jnp.linalg.eigvalsh(jax.hessian(loss)(rest))[-1] / decay

            return jax.lax.map(at, epsilons)

        return map_replicates(one_seed, (features, labels))

    return jax.jit(run)


def relaxation(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of the largest rate over the decay from that of a uniform softmax, the kernel's norm being 1."""
    uniform = 1 + dataset["epsilon"] / CLASSES[str(dataset["system"].item())]
    return xr.Dataset({"measured": abs(dataset["fastest"] - uniform)})


def conditioning(dataset: xr.Dataset) -> xr.Dataset:
    """Relative distance of the Hessian's condition number from the kernel's."""
    return xr.Dataset({"measured": abs(dataset["kappa_H"] / dataset["kappa_Theta"] - 1)})


OWN = {"system": "three_classes"}
TWO = CounterSystem("two classes", {"system": "two_classes"}, "a softmax of two is even: one order more")
GRID = Grid(
    axes={"system": tuple(CLASSES)},
    inner={"epsilon": (1e-3, 3e-3, 1e-2), "logit_scale": (1e-4, 1e-3, 1e-2)},
    settings={"beta": 3.0},
    seeds=20,
)

STUDY = Study(
    name="temperature.small_logit_orders",
    title="Rates at rest and condition numbers where logits are small",
    measure=measure,
    variables={
        "fastest": Variable(("seed", "epsilon"), "1", "largest rate at rest over the decay"),
        "kappa_H": Variable(("seed", "logit_scale"), "1", "condition number of kernel times softmax Jacobian"),
        "kappa_Theta": Variable(("seed",), "1", "condition number of the kernel"),
    },
    grids={"quick": GRID, "full": GRID, "paper": GRID},
    checks=(
        Check(
            law="temperature.small_logit_relaxation_order",
            observe=relaxation,
            margin=Margin(0.2, "physics", "rivals are 1 away; epsilon of 0.01 bends the slope by that"),
            select=OWN,
            counter_systems=(TWO,),
            profiles=("full", "paper"),
        ),
        Check(
            law="temperature.small_logit_conditioning_order",
            observe=conditioning,
            margin=Margin(0.2, "physics", "rivals are 1 away; logits of 0.01 bend the slope by that"),
            select=OWN,
            counter_systems=(TWO,),
            profiles=("full", "paper"),
        ),
    ),
    reduction="sum",
)
