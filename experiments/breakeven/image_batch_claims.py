"""Conjectures 1 and 2 weighed on images over the batch size, for every statistic, raw and smoothed."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.batch_runs import VARIABLES, measure
from experiments.breakeven.image_claims import LEAST, STUDY_OF
from experiments.breakeven.image_trajectories import BLOCK, FEWER, MLP_RATE, SIZE, enlarged
from experiments.breakeven.normalised_trajectories import grid
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_summary import (
    BATCH,
    STATISTICS,
    VIEWS,
    admitted,
    against,
    chosen,
    described,
    largest,
    needed,
)
from experiments.study import Study

RATE = 0.05
"""Learning rate of the convolutional network."""
RUNS = tuple((RATE, size, False) for size in (8, 16, SIZE, 64))
"""Its batch sizes.

Declared before any run of this study, on seeds of its own, since its name is part of each draw. On two other seeds, of
which only these flags were looked at, the share of fitted images was 0.992 and 1 at a flow time of 36 with batches of
8, and 1 from a flow time of 24 on with 64; the natural sharpness was 116 and 134, where 2/0.05 is 40.
"""

CONVOLUTIONAL = Study(
    name="breakeven.simple_cnn_batch_sizes",
    title="Hessian and mini-batch gradient covariance along SGD over batch sizes: SimpleCNN on images",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid("SimpleCNN", RUNS[::3], 3, 1, flow=0.4, natural=(0.04, 0.1), sizes=FEWER),
        "full": grid("SimpleCNN", RUNS, 7, 10, flow=36.0, natural=(0.03, 10.0), block=BLOCK, sizes=FEWER),
        "paper": grid("SimpleCNN", RUNS, 41, 10, flow=48.0, natural=(0.01, 10.0)),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=enlarged,
    takes_data=True,
)
STUDIES = (CONVOLUTIONAL,)
SIZES: Mapping[str, tuple[Study, float]] = {
    "simple_cnn": (CONVOLUTIONAL, RATE),
    "mlp": (STUDY_OF["mlp"], MLP_RATE),
}
"""By network, the study that holds its runs over batch sizes, and their learning rate."""


def weighed(data: xr.Dataset, network: str) -> xr.Dataset:
    """The runs over batch sizes that converge and bind."""
    study, rate = SIZES[network]
    return admitted(chosen(described(data, study), BATCH, learning_rate=rate))


def maxima(network: str, name: str, view: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: logarithm of the maximum along the batch size, and of the first record."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = weighed(needed(data, name), network)
        curve = STATISTICS[name](runs)
        found = against(BATCH, largest(curve, view), "S", curve.isel(record=0))
        return found.assign_attrs(excluded=runs.attrs["excluded"])

    return observe


def law_of(network: str, name: str, view: str) -> str:
    """Name of the law on a statistic."""
    return f"max_{name}_{view}_over_batch_size_{network}"


CHECKS = tuple(
    (study.name, trend(law_of(network, name, view), maxima(network, name, view), LEAST[name], only_full=True))
    for network, (study, _) in SIZES.items()
    for name in LEAST
    for view in VIEWS
)
