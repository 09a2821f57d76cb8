"""What momentum does to each statistic where the smoothed training loss first falls to 1."""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.momentum_claims import FAMILIES, family
from experiments.breakeven.momentum_trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import at_loss, needed, observed_along

EARLY = ("over_momentum", "over_rate_with_momentum")
"""Families whose runs differ from the start on: a rate that decays half-way passes a loss of 1 before."""


def at_equal_loss(name: str, ending: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe a statistic where the smoothed loss first falls to 1, along a family's control."""
    control, symbol, fixed = FAMILIES[ending]
    return lambda data: observed_along(control, symbol, family(needed(data, name), control, fixed), name, at_loss)


CHECKS = tuple(
    (
        STUDY.name,
        trend(
            f"{name}_at_equal_loss_{ending}",
            at_equal_loss(name, ending),
            LEAST_FACTOR[name],
            only_full=True,
        ),
    )
    for ending in EARLY
    for name in LEAST_FACTOR
)
