"""What momentum does to each statistic where the smoothed training loss first falls to 1."""

import xarray as xr

from experiments.breakeven.momentum_claims import FAMILIES
from experiments.breakeven.momentum_maxima import maxima
from experiments.breakeven.momentum_trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import at_loss

EARLY = ("over_momentum", "over_rate_with_momentum")
"""Families whose runs differ from the start on: a rate that decays half-way passes a loss of 1 before."""


def at_equal_loss(runs: xr.Dataset, name: str, view: str) -> xr.DataArray:
    """A smoothed statistic where the smoothed loss first falls to 1."""
    del view
    return at_loss(runs, name)


CHECKS = tuple(
    (
        STUDY.name,
        trend(
            f"{name}_at_equal_loss_{ending}",
            maxima(at_equal_loss, name, "smoothed", *FAMILIES[ending]),
            LEAST_FACTOR[name],
            only_full=True,
        ),
    )
    for ending in EARLY
    for name in LEAST_FACTOR
)
