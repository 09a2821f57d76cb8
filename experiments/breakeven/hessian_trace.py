"""The Hessian's half of Conjecture 2: its trace over learning rate and batch size.

lambda*_H, the other quantity of that half, is no measure of conditioning (breakeven:G9).
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    STATISTICS,
    VIEWS,
    against,
    at_loss,
    largest,
    needed,
)
from experiments.breakeven.wide_trajectories import STUDY, weighed

NAME = "trace_h"
LEAST = LEAST_FACTOR["trace_k"]


def along(control: str, symbol: str, find: Callable[[xr.Dataset], xr.DataArray]) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: logarithm of what is found in the runs that converge and bind, along a control, and at the start."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = weighed(needed(data, NAME), control)
        found = against(control, find(runs), symbol, STATISTICS[NAME](runs).isel(record=0))
        return found.assign_attrs(excluded=runs.attrs["excluded"])

    return observe


def maximum(view: str) -> Callable[[xr.Dataset], xr.DataArray]:
    """Find the largest trace over training, raw or smoothed."""
    return lambda runs: largest(STATISTICS[NAME](runs), view)


def matched(runs: xr.Dataset) -> xr.DataArray:
    """The trace where the smoothed loss first falls to 1."""
    return at_loss(runs, NAME)


CHECKS = tuple(
    (STUDY.name, trend(law, along(control, symbol, find), LEAST, only_full=True))
    for words, (control, symbol) in CONTROLS.items()
    for law, find in (
        *((f"max_{NAME}_{view}_over_{words}", maximum(view)) for view in VIEWS),
        (f"{NAME}_at_equal_loss_over_{words}", matched),
    )
)
