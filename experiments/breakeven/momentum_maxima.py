"""Momentum and decaying rates weighed on the stored trajectories for every statistic: raw and smoothed maxima, over all
of training and up to a common loss.
"""

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.momentum_claims import FAMILIES, WITHOUT_NOISE, Fixed, family
from experiments.breakeven.momentum_claims import LEAST as STAND_ALREADY
from experiments.breakeven.momentum_trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    CONVERGED_LOSS,
    STATISTICS,
    VIEWS,
    maximum,
    needed,
    observed_along,
)

Find = Callable[[xr.Dataset, str], xr.DataArray]
LEAST_EDGE = 1.1
"""Least factor of lambda_H without noise, where the edge rises by 1.5 (breakeven:G10)."""


def to_equal_loss(view: str) -> Find:
    """What finds a statistic's largest value up to where the loss, in the same view, first falls to the common level.

    The last one that counts is that at the level itself, linear between records; of a run that ends above it all
    records count. A lost number gives NaN.
    """

    def find(runs: xr.Dataset, name: str) -> xr.DataArray:
        loss, curve = VIEWS[view](runs["loss"]), VIEWS[view](STATISTICS[name](runs))
        return xr.apply_ufunc(_up_to, loss, curve, input_core_dims=[["record"], ["record"]], vectorize=True)

    return find


def _up_to(losses: np.ndarray, values: np.ndarray, level: float = CONVERGED_LOSS) -> float:
    if not (np.isfinite(losses).all() and np.isfinite(values).all()):
        return np.nan
    below = np.flatnonzero(losses <= level)
    if below.size == 0:
        return float(values.max())
    after = int(below[0])
    if after == 0:
        return float(values[0])
    share = (losses[after - 1] - level) / (losses[after - 1] - losses[after])
    return float(max(values[:after].max(), values[after - 1] + share * (values[after] - values[after - 1])))


PERIODS: Mapping[str, Callable[[str], Find]] = {"": maximum, "to_equal_loss_": to_equal_loss}
"""By what stands in a law's name before its family."""


def maxima(find: Find, name: str, control: str, symbol: str, fixed: Fixed) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the maximum along the control."""
    return lambda data: observed_along(control, symbol, family(needed(data, name), control, fixed), name, find)


def law_of(name: str, view: str, period: str, ending: str) -> str:
    """Name of the law on a statistic, of those that stood already too."""
    stands = not period and view == "smoothed" and (name in STAND_ALREADY or ending not in FAMILIES)
    return f"max_{name}_{ending}" if stands else f"max_{name}_{view}_{period}{ending}"


_ALREADY = {law_of(name, "smoothed", "", ending) for name in STAND_ALREADY for ending in FAMILIES}

CHECKS = (
    *(
        (
            STUDY.name,
            trend(law, maxima(find(view), name, *FAMILIES[ending]), LEAST_FACTOR[name], only_full=True),
        )
        for ending in FAMILIES
        for period, find in PERIODS.items()
        for name in LEAST_FACTOR
        for view in VIEWS
        if (law := law_of(name, view, period, ending)) not in _ALREADY
    ),
    *(
        (
            STUDY.name,
            trend(
                f"max_lambda_h_{view}_{period}over_momentum_without_noise",
                maxima(find(view), "lambda_h", "momentum", "beta", WITHOUT_NOISE),
                LEAST_EDGE,
                only_full=True,
            ),
        )
        for period, find in PERIODS.items()
        for view in VIEWS
        if period or view != "smoothed"
    ),
)
