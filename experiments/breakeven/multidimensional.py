"""Exact edges of SGD on small quadratics in several dimensions, over all batches (breakeven:V6)."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from scipy.linalg import eigh

from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics.quadratics import crossing
from numerics.stability import batch_matrices, edge
from numerics.subsets import every_subset

POPULATION = 6
RATES = {"at the edge": 1.0, "at twice the edge": 2.0}
"""Learning rates in units of the one at which the second moments begin to grow."""


def measure(
    *,
    replicates: Replicates,
    data: None,
    batch_size: np.ndarray,
    system: np.ndarray,
    step: np.ndarray,
    dimension: int,
) -> Mapping[str, np.ndarray]:
    """Learning rates at which the second moments, the top direction and the worst vector begin to grow; what a step
    does to the norm of a random symmetric matrix at the first of these rates and at twice that, and many steps to the
    identity there.

    The examples have Hessians of rank two, plus a little of the identity.
    """
    del data
    found: dict[str, list] = {name: [] for name in VARIABLES}
    for random in replicates.generators():
        hessians = _hessians(random, dimension)
        values, vectors = np.linalg.eigh(hessians.mean(axis=0))
        top = vectors[:, -1]
        exact, along, worst, means, noises, norms, powers = [], [], [], [], [], [], []
        drawn = random.standard_normal((dimension, dimension))
        for size in batch_size:
            batches = batch_matrices(hessians, every_subset(POPULATION, int(size)))
            slopes = np.einsum("i,bij,j->b", top, batches, top)
            ends = (1e-3 / values[-1], 8.0 / values[-1])
            exact.append(edge(lambda rate, batches=batches: _steps(batches, rate), *ends))
            along.append(crossing(lambda rate, h=slopes: float(np.mean((1 - rate * h) ** 2)), *ends))
            worst.append(crossing(lambda rate, batches=batches: _worst_vector(_steps(batches, rate)), *ends))
            means.append(slopes.mean())
            examples = np.einsum("i,bij,j->b", top, hessians, top)
            noises.append((slopes.var() / examples.var(), examples.var()))
            norms.append([_norms(_steps(batches, RATES[str(name)] * exact[-1]), drawn + drawn.T) for name in system])
            powers.append(_powers(_steps(batches, 2.0 * exact[-1]), step))
        found["exact"].append(exact)
        found["along"].append(along)
        found["worst"].append(worst)
        found["curvature"].append(means)
        found["noise"].append([one for one, _ in noises])
        found["spread"].append([one for _, one in noises])
        found["hessian"].append(hessians)
        found["norm_before"].append([[one for one, _ in row] for row in norms])
        found["norm_after"].append([[one for _, one in row] for row in norms])
        found["norm_in_gains"].append(powers)
    return {name: np.array(values) for name, values in found.items()}


def _hessians(random: np.random.Generator, dimension: int) -> np.ndarray:
    factors = random.standard_normal((POPULATION, dimension, 2))
    return factors @ factors.transpose(0, 2, 1) / 2 + 0.01 * np.eye(dimension)


def _steps(batches: np.ndarray, rate: float) -> np.ndarray:
    """Matrix of a step of SGD for each batch's Hessian."""
    return np.eye(batches.shape[-1]) - rate * batches


def _worst_vector(steps: np.ndarray) -> float:
    """Largest mean squared length after a step of a vector of length 1."""
    return float(np.linalg.eigvalsh(np.mean(steps.transpose(0, 2, 1) @ steps, axis=0))[-1])


def _moved(steps: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Second moments after a step: mean over batches of A X A."""
    return np.mean(steps @ matrix @ steps, axis=0)


def _norms(steps: np.ndarray, matrix: np.ndarray) -> tuple[float, float]:
    """Squared norms of a symmetric matrix before and after a step."""
    return float(np.sum(matrix**2)), float(np.sum(_moved(steps, matrix) ** 2))


def _powers(steps: np.ndarray, numbers: np.ndarray) -> list[float]:
    """Squared norms of the identity after numbers of steps, each in units of its gain in the first step."""
    matrix = np.eye(steps.shape[-1])
    gain = np.sum(matrix * _moved(steps, matrix)) / np.sum(matrix**2)
    found = []
    for number in range(int(numbers.max()) + 1):
        if number in numbers:
            found.append(float(np.sum(matrix**2)))
        matrix = _moved(steps, matrix) / gain
    return found


def exact_edge(data: xr.Dataset) -> xr.Dataset:
    """Measured edges in units of one over the largest ratio of the two operators of the stored Hessians."""
    ratios = xr.DataArray(_ratios(data), dims=data["exact"].dims)
    upper = data["exact"] * ratios
    return xr.Dataset({"upper": upper, "bound": 1e-9 * upper}).assign_coords(mu=1.0)


def _ratios(data: xr.Dataset) -> np.ndarray:
    found = np.empty(data["exact"].shape)
    identity = np.eye(data.sizes["row"])
    for place in np.ndindex(found.shape):
        at = dict(zip(data["exact"].dims, place, strict=True))
        hessians = data["hessian"].isel({name: k for name, k in at.items() if name in data["hessian"].dims}).values
        if not np.isfinite(hessians).all():
            found[place] = np.nan
            continue
        size = int(data["batch_size"].values[at["batch_size"]])
        batches = batch_matrices(hessians, every_subset(POPULATION, size))
        mean = hessians.mean(axis=0)
        linear = (np.kron(mean, identity) + np.kron(identity, mean)) / 2
        square = np.mean([np.kron(one, one) for one in batches], axis=0)
        found[place] = eigh(square, linear, eigvals_only=True)[-1]
    return found


def necessary(data: xr.Dataset) -> xr.Dataset:
    """Exact edges below those along the top direction."""
    found = xr.Dataset({"smaller": data["exact"], "larger": data["along"], "bound": 1e-9 * data["along"]})
    return found.assign(mu=2 / data["exact"], lam=data["curvature"], c=data["noise"], s2=data["spread"])


def sufficient(data: xr.Dataset) -> xr.Dataset:
    """Exact edges above those at which some vector begins to grow in one step."""
    found = xr.Dataset({"smaller": data["worst"], "larger": data["exact"], "bound": 1e-9 * data["exact"]})
    return found.assign(eta_wme=data["worst"], eta_max=data["exact"])


def never_grows(data: xr.Dataset) -> xr.Dataset:
    """Squared norms after a step below those before it."""
    before, after = data["norm_before"], data["norm_after"]
    return _either_way(after, before, 1e-9 * before, "grows")


def grows(data: xr.Dataset) -> xr.Dataset:
    """Squared norms after many steps, in units of the first step's gain, above that at the start."""
    later = data["norm_in_gains"].isel(step=slice(1, None))
    start = data["norm_in_gains"].isel(step=0, drop=True) + 0.0 * later
    return _either_way(start, later, 1e-9 * later, "falls")


def _either_way(smaller: xr.DataArray, larger: xr.DataArray, bound: xr.DataArray, rival: str) -> xr.Dataset:
    turned = {f"smaller[{rival}]": larger, f"larger[{rival}]": smaller}
    return xr.Dataset({"smaller": smaller, "larger": larger, "bound": bound, **turned})


VARIABLES = {
    "exact": Variable(("seed", "batch_size"), "1", "learning rate at which the second moments begin to grow"),
    "along": Variable(("seed", "batch_size"), "1", "learning rate at which the top direction alone begins to grow"),
    "worst": Variable(("seed", "batch_size"), "1", "learning rate at which some vector grows in one step"),
    "curvature": Variable(("seed", "batch_size"), "1", "mean curvature along the top direction"),
    "noise": Variable(("seed", "batch_size"), "1", "variance of batch means over the population variance there"),
    "spread": Variable(("seed", "batch_size"), "1", "population variance of the curvature along the top direction"),
    "norm_before": Variable(("seed", "batch_size", "system"), "1", "squared norm of a random symmetric matrix"),
    "norm_after": Variable(("seed", "batch_size", "system"), "1", "the same after a step of the second moments"),
    "norm_in_gains": Variable(
        ("seed", "batch_size", "step"), "1", "squared norm of the identity after steps, over powers of its first gain"
    ),
    "hessian": Variable(("seed", "example", "row", "column"), "1", "Hessians of the examples"),
}


def _grid(seeds: int, dimension: int) -> Grid:
    inner = {"batch_size": (1, 2, 4), "system": tuple(RATES), "step": (0, 1, 3, 10)}
    return Grid(inner=inner, settings={"dimension": dimension}, seeds=seeds)


STUDY = Study(
    name="breakeven.multidimensional",
    title="Edges of SGD on 6 quadratics in three dimensions, over all batches",
    measure=measure,
    variables=VARIABLES,
    grids=dict(zip(PROFILES, (_grid(50, 3), _grid(200, 4), _grid(400, 4)), strict=True)),
    checks=(
        Check(
            law="breakeven.multidimensional_edge",
            observe=exact_edge,
            margin=Margin(1e-6, "dtype", "far above the rounding of an eigenvalue of a 9 x 9 matrix", relative=True),
        ),
        Check(
            law="breakeven.one_direction_is_necessary",
            observe=necessary,
            margin=Margin(1.0, "dtype", "one tolerance of the root finder, 1e-9 of the edge"),
        ),
        Check(
            law="breakeven.wu_ma_e_is_sufficient",
            observe=sufficient,
            margin=Margin(1.0, "dtype", "one tolerance of the root finder, 1e-9 of the edge"),
        ),
        Check(
            law="breakeven.second_moments_never_grow",
            observe=never_grows,
            margin=Margin(1.0, "dtype", "the rate is the edge within 1e-9 of it"),
            select={"system": "at the edge"},
            counter_systems=(
                CounterSystem(
                    "beyond the edge", {"system": "at twice the edge"}, "at twice the edge some symmetric matrix gains"
                ),
            ),
        ),
        Check(
            law="breakeven.second_moments_grow",
            observe=grows,
            margin=Margin(1.0, "dtype", "1e-9 of the norm, far above the rounding of ten steps"),
        ),
    ),
)
