"""Condition numbers of products of matrices, at equal logits, and at the fixed points of weight decay."""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics import losses

SIZE, RANK, DRAWS = 5, 3, 20
KERNELS: Mapping[str, tuple[float, float, float]] = {
    "both_support": (1.0, 0.3, 2.0),
    "one_outside": (1.0, 1.5, 4.0),
    "one_far_outside": (1.0, 2.0, 5.0),
}
"""Kernels of two points, labels taken in: Theta_11, Theta_12, Theta_22."""

PULLS = (1.0, 10.0, 100.0, 1e4)
DECADES = (50, 100, 200)
DIGITS = 40
ROUNDING = 1e4 * float(np.finfo(np.float64).eps)

jacobian = jax.jit(jax.jacfwd(losses.softmax))
entropy_slope = jax.jit(jax.grad(losses.cross_entropy))
entropy_curvature = jax.jit(jax.hessian(losses.cross_entropy))


def factors(random: np.random.Generator, system: str) -> tuple[np.ndarray, np.ndarray]:
    """Two factors: symmetric and definite as the lemma asks, or triangular ones with all eigenvalues 1."""
    if system == "symmetric":
        tall, wide = random.normal(size=(SIZE, SIZE)), random.normal(size=(SIZE, RANK))
        return tall @ tall.T + 0.05 * np.eye(SIZE), wide @ wide.T
    slope = random.uniform(1.0, 3.0)
    upper, lower = np.array([[1.0, slope], [0.0, 1.0]]), np.array([[1.0, 0.0], [slope, 1.0]])
    return (upper, lower) if system == "triangular" else (np.linalg.inv(upper), upper @ lower)


def spread(matrix: np.ndarray) -> float:
    """Largest over smallest eigenvalue, exact zeros left out."""
    found = np.abs(np.linalg.eigvals(matrix))
    kept = found[found > 1e-10 * found.max()]
    return float(kept.max() / kept.min())


def measure(
    replicates: Replicates, data: None, system: str, pull: np.ndarray, decades: np.ndarray, kernel: np.ndarray
) -> Mapping[str, Any]:
    """All condition numbers, one set of draws a seed."""
    found: dict[str, list[Any]] = {name: [] for name in STUDY.variables}
    for random in replicates.generators():
        pairs = [factors(random, system) for _ in range(DRAWS)]
        found["kappa_A"].append([spread(one) for one, _ in pairs])
        found["kappa_B"].append([spread(other) for _, other in pairs])
        found["kappa_AB"].append([spread(one @ other) for one, other in pairs])
        points, classes = 4, 3
        root = random.normal(size=(points, points))
        theta = root @ root.T + 0.1 * np.eye(points)
        logits = (0.0 if system == "symmetric" else 2.0) * random.normal(size=(points, classes))
        blocks = np.zeros((points * classes, points * classes))
        for place, row in enumerate(logits):
            own = slice(place * classes, (place + 1) * classes)
            blocks[own, own] = np.asarray(jacobian(jnp.asarray(row)))
        found["kappa_H"].append(spread(np.kron(theta, np.eye(classes)) @ blocks))
        found["kappa_Theta"].append(spread(theta))
        coupling = np.eye(5)
        if system != "symmetric":
            mixed = random.normal(size=(5, 5))
            coupling = coupling + mixed @ mixed.T
        at_fixed_points = [fixed_point(coupling, float(strength)) for strength in pull]
        found["kappa_plus"].append([kappa for kappa, _ in at_fixed_points])
        found["p_correct"].append([share for _, share in at_fixed_points])
        size = random.uniform(0.5, 2.0)
        followed = [two_points(KERNELS[str(name)], size, decades) for name in kernel] if system == "symmetric" else None
        found["kappa_two"].append(followed or np.zeros((kernel.size, decades.size)))
    return {name: np.array(values) for name, values in found.items()}


def fixed_point(coupling: np.ndarray, pull: float) -> tuple[float, float]:
    """Condition number and share of the correct class where the loss with weight decay is least, one point.

    Newton's steps on cross_entropy(Z) + Z^T coupling^-1 Z / (2 pull), each halved until the slope falls.
    """
    inverse = np.linalg.inv(coupling) / pull
    label = jnp.eye(len(coupling))[0]
    z = np.zeros(len(coupling))

    def slope(at: np.ndarray) -> np.ndarray:
        return np.asarray(entropy_slope(jnp.asarray(at), label)) + inverse @ at

    for _ in range(200):
        here = slope(z)
        step = np.linalg.solve(np.asarray(entropy_curvature(jnp.asarray(z), label)) + inverse, here)
        length = 1.0
        while np.linalg.norm(slope(z - length * step)) > np.linalg.norm(here) and length > 1e-10:
            length /= 2
        z = z - length * step
        if np.linalg.norm(step) < 1e-13 * (1 + np.linalg.norm(z)):
            break
    values = np.linalg.eigvalsh(np.asarray(entropy_curvature(jnp.asarray(z), label)))[1:]
    return float(values.max() / values.min()), float(losses.softmax(jnp.asarray(z))[0])


def two_points(kernel: tuple[float, float, float], size: float, decades: np.ndarray) -> list[float]:
    """Ln kappa+ / 100 at the fixed points of two classes for 10^decades, followed from small to large pulls."""
    with mpmath.workdps(DIGITS):
        a, b, c = (mpmath.mpf(entry) * size for entry in kernel)
        margins = mpmath.matrix([1, 1])
        found = []
        for decade in range(0, int(max(decades)) + 1, 5):
            pull = mpmath.mpf(10) ** decade
            for _ in range(100):
                q = [1 / (1 + mpmath.exp(margin)) for margin in margins]
                bent = [value * (1 - value) for value in q]
                gap = mpmath.matrix(
                    [margins[0] - 2 * pull * (a * q[0] + b * q[1]), margins[1] - 2 * pull * (b * q[0] + c * q[1])]
                )
                slopes = mpmath.matrix(
                    [
                        [1 + 2 * pull * a * bent[0], 2 * pull * b * bent[1]],
                        [2 * pull * b * bent[0], 1 + 2 * pull * c * bent[1]],
                    ]
                )
                step = mpmath.lu_solve(slopes, gap)
                longest = max(abs(step[0]), abs(step[1]))
                margins = margins - step * min(1, 2 / longest)
                if longest < mpmath.mpf(10) ** -20:
                    break
            if decade in decades:
                bent = [1 / (1 + mpmath.exp(margin)) / (1 + mpmath.exp(-margin)) for margin in margins]
                trace, determinant = a * bent[0] + c * bent[1], (a * c - b * b) * bent[0] * bent[1]
                largest = (trace + mpmath.sqrt(trace**2 - 4 * determinant)) / 2
                found.append(float(mpmath.log(largest**2 / determinant)))
        return found


def lemma(upper: bool) -> Any:
    """The observation of a bound: the condition number of the product on one side, what bounds it on the other."""
    side = "smaller" if upper else "larger"

    def observe(dataset: xr.Dataset) -> xr.Dataset:
        parts = dataset[["kappa_A", "kappa_B", "kappa_AB"]]
        return parts.assign({side: parts["kappa_AB"], "bound": ROUNDING * parts["kappa_A"] * parts["kappa_B"]})

    return observe


def small_logits(dataset: xr.Dataset) -> xr.Dataset:
    """Condition numbers of Hessian and kernel."""
    return xr.Dataset(
        {
            "left": dataset["kappa_H"],
            "right": dataset["kappa_Theta"],
            "kappa_Theta": dataset["kappa_Theta"],
            "bound": ROUNDING * dataset["kappa_Theta"] ** 2,
        }
    )


def bounded(dataset: xr.Dataset) -> xr.Dataset:
    """Condition number at the fixed point, beside K times the share of the correct class."""
    share = dataset["p_correct"]
    return xr.Dataset(
        {
            "left": dataset["kappa_plus"],
            "right": 5.0 * share,
            "p_correct": share,
            "bound": ROUNDING * dataset["pull"],
        }
    )


def unsupported(dataset: xr.Dataset) -> xr.Dataset:
    """Condition numbers of two points along the pull, as their roots of order 1000 so that floats hold them."""
    decades = dataset["decades"].values
    found = (dataset["kappa_two"] / 1000).rename(decades="pull")
    ratios = [KERNELS[str(name)][1] / KERNELS[str(name)][0] for name in dataset["kernel"].values]
    found = found.assign_coords(pull=np.exp(decades * np.log(10.0) / 1000), kernel_margin=("kernel", ratios))
    return xr.Dataset({"measured": np.exp(found)})


OWN = {"system": "symmetric"}
DRAW = ("seed", "draw")
GRID = Grid(
    axes={"system": ("symmetric", "triangular", "inverse")},
    inner={"pull": PULLS, "decades": DECADES, "kernel": tuple(KERNELS)},
    seeds=10,
)

STUDY = Study(
    name="temperature.fixed_point_conditioning",
    title="Condition numbers of products, at equal logits, and at fixed points",
    measure=measure,
    variables={
        "kappa_A": Variable(DRAW, "1", "condition number of the first factor"),
        "kappa_B": Variable(DRAW, "1", "condition number of the second factor, zeros left out"),
        "kappa_AB": Variable(DRAW, "1", "condition number of the product, zeros left out"),
        "kappa_H": Variable(("seed",), "1", "condition number of kernel times softmax Jacobian"),
        "kappa_Theta": Variable(("seed",), "1", "condition number of the kernel"),
        "kappa_plus": Variable(("seed", "pull"), "1", "condition number of the softmax Jacobian at the fixed point"),
        "p_correct": Variable(("seed", "pull"), "1", "share of the correct class at the fixed point"),
        "kappa_two": Variable(
            ("seed", "kernel", "decades"), "1", "ln kappa+ of two points of two classes; 0 in the other systems"
        ),
    },
    grids={"quick": GRID, "full": GRID, "paper": GRID},
    checks=(
        Check(
            law="temperature.condition_number_upper",
            observe=lemma(upper=True),
            margin=Margin(1.0, "dtype", "eigenvalues of a product in float64"),
            select=OWN,
            counter_systems=(
                CounterSystem(
                    "triangular", {"system": "triangular"}, "factors that are not symmetric, all eigenvalues 1"
                ),
            ),
        ),
        Check(
            law="temperature.condition_number_lower",
            observe=lemma(upper=False),
            margin=Margin(1.0, "dtype", "eigenvalues of a product in float64"),
            select=OWN,
            counter_systems=(
                CounterSystem("inverse", {"system": "inverse"}, "U^-1 times U L is L, whose eigenvalues are all 1"),
            ),
        ),
        Check(
            law="temperature.small_logit_conditioning",
            observe=small_logits,
            margin=Margin(1.0, "dtype", "eigenvalues of a product in float64"),
            select=OWN,
            counter_systems=(CounterSystem("larger logits", {"system": "triangular"}, "logits of size 2"),),
        ),
        Check(
            law="temperature.isotropic_conditioning",
            observe=bounded,
            margin=Margin(1.0, "dtype", "eigenvalues that fall with the pull, in float64"),
            select=OWN,
            counter_systems=(CounterSystem("coupled classes", {"system": "triangular"}, "the kernel couples classes"),),
        ),
        Check(
            law="temperature.non_support_conditioning",
            observe=unsupported,
            margin=Margin(0.05, "physics", "the nearest rival is 1/2 away; logarithms bend slopes by 1 %"),
            select=OWN,
        ),
    ),
)
