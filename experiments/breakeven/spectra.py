"""Top eigenvalues of covariances and of Hessians on subsets, over all subsets of small sets."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.stability import batch_matrices
from numerics.subsets import every_subset

POPULATION, DIMENSION = 8, 5
EPSILON = float(np.finfo(np.float64).eps)


def measure(*, replicates: Replicates, data: None, subset_size: np.ndarray) -> Mapping[str, np.ndarray]:
    """Spectrum of a random covariance; top eigenvalues of the mean Hessian and, averaged, of those on all subsets."""
    del data
    found: dict[str, list] = {name: [] for name in VARIABLES}
    for random in replicates.generators():
        gradients = random.standard_normal((POPULATION, DIMENSION)) * random.uniform(0.1, 3.0, DIMENSION)
        spectrum = np.linalg.eigvalsh(np.cov(gradients.T, bias=True))
        found["trace"].append(spectrum.sum())
        found["top"].append(spectrum[-1])
        found["last"].append(spectrum[0])
        found["rank"].append(min(DIMENSION, POPULATION - 1))
        hessians = random.standard_normal((POPULATION, DIMENSION, DIMENSION))
        hessians = (hessians + hessians.transpose(0, 2, 1)) / 2
        found["whole"].append(np.linalg.eigvalsh(hessians.mean(axis=0))[-1])
        subsets = [batch_matrices(hessians, every_subset(POPULATION, int(size))) for size in subset_size]
        found["subset"].append([np.linalg.eigvalsh(one)[:, -1].mean() for one in subsets])
    return {name: np.array(values) for name, values in found.items()}


def trace_bound(data: xr.Dataset) -> xr.Dataset:
    """Traces below rank times top eigenvalue."""
    found = data[["trace", "top", "rank"]].rename(trace="Tr", top="lam_1")
    larger = data["rank"] * data["top"]
    return found.assign(smaller=data["trace"], larger=larger, bound=64 * EPSILON * larger)


def last_bound(data: xr.Dataset) -> xr.Dataset:
    """Last eigenvalues below what the trace leaves for them."""
    found = data[["trace", "top", "last", "rank"]].rename(trace="Tr", top="lam_1", last="lam_last")
    smaller = (data["rank"] - 1) * data["last"]
    return found.assign(smaller=smaller, larger=data["trace"] - data["top"], bound=64 * EPSILON * data["trace"])


def subset_bias(data: xr.Dataset) -> xr.Dataset:
    """Mean top eigenvalues over all subsets, above that of the whole."""
    found = xr.Dataset({"smaller": data["whole"], "larger": data["subset"], "bound": 64 * EPSILON * data["subset"]})
    return found.assign(lam_full=data["whole"], E_lam=data["subset"])


VARIABLES = {
    "trace": Variable(("seed",), "1", "trace of a covariance"),
    "top": Variable(("seed",), "1", "its largest eigenvalue"),
    "last": Variable(("seed",), "1", "its smallest eigenvalue that is not 0"),
    "rank": Variable(("seed",), "1", "its rank"),
    "whole": Variable(("seed",), "1", "largest eigenvalue of the mean Hessian"),
    "subset": Variable(("seed", "subset_size"), "1", "mean largest eigenvalue over all subsets"),
}


def _grid(seeds: int) -> Grid:
    return Grid(inner={"subset_size": (1, 2, 4)}, seeds=seeds)


_ROUNDING = Margin(1.0, "dtype", "one rounding bound of a float64 eigenvalue")

STUDY = Study(
    name="breakeven.spectra",
    title="Top eigenvalues of random covariances, and of Hessians on all subsets of 8 examples",
    measure=measure,
    variables=VARIABLES,
    grids=dict(zip(PROFILES, (_grid(50), _grid(400), _grid(1000)), strict=True)),
    checks=(
        Check(law="breakeven.trace_bound", observe=trace_bound, margin=_ROUNDING),
        Check(law="breakeven.conditioning_bound", observe=last_bound, margin=_ROUNDING),
        Check(law="breakeven.subset_bias", observe=subset_bias, margin=_ROUNDING),
    ),
)
