"""Conjectures 1 and 2 weighed on images for every statistic: raw and smoothed maxima over learning rates."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.image_trajectories import LEAST as STAND_ALREADY
from experiments.breakeven.image_trajectories import NETWORKS, SIZE, STUDIES
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    RATE,
    VIEWS,
    admitted,
    chosen,
    described,
    maximum,
    needed,
    observed_along,
)
from experiments.study import Study

STUDY_OF: Mapping[str, Study] = dict(zip(NETWORKS, STUDIES, strict=True))
LEAST: Mapping[str, float] = {**STAND_ALREADY, "trace_km": LEAST_FACTOR["trace_k"]}


def weighed(data: xr.Dataset, network: str) -> xr.Dataset:
    """The runs over learning rates that converge and bind."""
    return admitted(chosen(described(data, STUDY_OF[network]), RATE, batch_size=SIZE))


def maxima(network: str, name: str, view: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the maximum along the learning rate."""
    return lambda data: observed_along(RATE, "eta", weighed(needed(data, name), network), name, maximum(view))


def law_of(network: str, name: str, view: str) -> str:
    """Name of the law on a statistic, of those that stood already too."""
    stands = name in STAND_ALREADY and view == "smoothed"
    return f"max_{name}_over_rate_{network}" if stands else f"max_{name}_{view}_over_rate_{network}"


CHECKS = tuple(
    (study.name, trend(law_of(network, name, view), maxima(network, name, view), LEAST[name], only_full=True))
    for network, study in STUDY_OF.items()
    for name in LEAST
    for view in VIEWS
    if name not in STAND_ALREADY or view != "smoothed"
)
