"""Exact edges of SGD on small quadratics in several dimensions, over all batches (breakeven:V6)."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from scipy.linalg import eigh

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.quadratics import crossing
from numerics.stability import batch_matrices, edge
from numerics.subsets import every_subset

POPULATION = 6


def measure(*, replicates: Replicates, data: None, batch_size: np.ndarray, dimension: int) -> Mapping[str, np.ndarray]:
    """Learning rates at which the second moments, the top direction and the worst vector begin to grow.

    The examples have Hessians of rank two, plus a little of the identity.
    """
    del data
    found: dict[str, list] = {name: [] for name in VARIABLES}
    for random in replicates.generators():
        hessians = _hessians(random, dimension)
        values, vectors = np.linalg.eigh(hessians.mean(axis=0))
        top = vectors[:, -1]
        exact, along, worst, means, noises = [], [], [], [], []
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
        found["exact"].append(exact)
        found["along"].append(along)
        found["worst"].append(worst)
        found["curvature"].append(means)
        found["noise"].append([one for one, _ in noises])
        found["spread"].append([one for _, one in noises])
        found["hessian"].append(hessians)
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


VARIABLES = {
    "exact": Variable(("seed", "batch_size"), "1", "learning rate at which the second moments begin to grow"),
    "along": Variable(("seed", "batch_size"), "1", "learning rate at which the top direction alone begins to grow"),
    "worst": Variable(("seed", "batch_size"), "1", "learning rate at which some vector grows in one step"),
    "curvature": Variable(("seed", "batch_size"), "1", "mean curvature along the top direction"),
    "noise": Variable(("seed", "batch_size"), "1", "variance of batch means over the population variance there"),
    "spread": Variable(("seed", "batch_size"), "1", "population variance of the curvature along the top direction"),
    "hessian": Variable(("seed", "example", "row", "column"), "1", "Hessians of the examples"),
}


def _grid(seeds: int, dimension: int) -> Grid:
    return Grid(inner={"batch_size": (1, 2, 4)}, settings={"dimension": dimension}, seeds=seeds)


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
    ),
)
