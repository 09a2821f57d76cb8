"""The variance of a batch mean, over all batches of small sets and over batches drawn from a larger one."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.sampling import SCHEMES, indicators
from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics.quadratics import gamma_curvatures
from numerics.subsets import batch_means

EPSILON = float(np.finfo(np.float64).eps)


def measure(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    small_batch_size: np.ndarray,
    population: int,
    small_population: int,
    draws: int,
) -> Mapping[str, np.ndarray]:
    """Draw batches of each size from one fixed population, and list every batch of a random small one."""
    del data
    sampling = SCHEMES[scheme]
    values = gamma_curvatures(population, 1.0, 1.0)
    ratio, listed, spread = [], [], []
    for random in replicates.generators():
        drawn = [batch_means(values, sampling.draw(random, draws, population, int(size))) for size in batch_size]
        ratio.append([np.mean((means - values.mean()) ** 2) / values.var() for means in drawn])
        small = random.standard_normal(small_population)
        every = [batch_means(small, sampling.every(small_population, int(size))) for size in small_batch_size]
        listed.append([means.var() for means in every])
        spread.append(small.var())
    return {"ratio": np.array(ratio), "listed": np.array(listed), "spread": np.array(spread)}


def drawn_ratio(data: xr.Dataset) -> xr.Dataset:
    """Measured noise factor of each scheme and batch size."""
    return xr.Dataset({"measured": data["ratio"]}).assign_coords(
        w=("scheme", indicators(data["scheme"].values)),
        S=("batch_size", data["batch_size"].values),
        N=POPULATION,
    )


def listed_variance(data: xr.Dataset) -> xr.Dataset:
    """Variance over all batches of the small sets; the bound is that of sums of up to a thousand terms."""
    spread = data["spread"]
    return xr.Dataset({"left": data["listed"], "s2": spread, "bound": 64 * EPSILON * spread}).assign_coords(
        w=("scheme", indicators(data["scheme"].values)),
        S=("small_batch_size", data["small_batch_size"].values),
        N=SMALL_POPULATION,
    )


POPULATION, SMALL_POPULATION = 16, 6
_SIZES = {"batch_size": (1, 2, 4, 8), "small_batch_size": (1, 2, 3, 4, 5)}
_AXES = {"scheme": tuple(SCHEMES)}


def _grid(draws: int, seeds: int) -> Grid:
    settings = {"population": POPULATION, "small_population": SMALL_POPULATION, "draws": draws}
    return Grid(axes=_AXES, inner=_SIZES, settings=settings, seeds=seeds)


STUDY = Study(
    name="breakeven.noise_factor",
    title="Variance of the mean of a mini-batch over the population variance",
    measure=measure,
    variables={
        "ratio": Variable(("seed", "batch_size"), "1", "variance of drawn batch means over the population variance"),
        "listed": Variable(("seed", "small_batch_size"), "1", "variance of the mean over every batch of a small set"),
        "spread": Variable(("seed",), "1", "population variance of the small set"),
    },
    grids={"quick": _grid(40_000, 16), "full": _grid(400_000, 16), "paper": _grid(1_000_000, 24)},
    checks=(
        Check(
            law="breakeven.noise_factor",
            observe=drawn_ratio,
            margin=Margin(
                0.025,
                "physics",
                "two fifths of the distance 1/16 to the factor that belongs to the variance over N - 1",
            ),
        ),
        Check(
            law="breakeven.batch_variance",
            observe=listed_variance,
            margin=Margin(1.0, "dtype", "one rounding bound of a float64 mean of squares"),
        ),
    ),
)
