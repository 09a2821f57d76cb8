"""The Hessian's half of Conjecture 2: its trace over learning rate and batch size.

lambda*_H, the other quantity of that half, is no measure of conditioning (breakeven:G9).
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import VIEWS, at_loss, maximum, needed, observed_along
from experiments.breakeven.wide_trajectories import STUDY, weighed

NAME = "trace_h"
LEAST = LEAST_FACTOR["trace_k"]


def along(
    control: str, symbol: str, find: Callable[[xr.Dataset, str], xr.DataArray]
) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe what is found of the trace in the runs that converge and bind, along a control."""
    return lambda data: observed_along(control, symbol, weighed(needed(data, NAME), control), NAME, find)


CHECKS = tuple(
    (STUDY.name, trend(law, along(control, symbol, find), LEAST, only_full=True))
    for words, (control, symbol) in CONTROLS.items()
    for law, find in (
        *((f"max_{NAME}_{view}_over_{words}", maximum(view)) for view in VIEWS),
        (f"{NAME}_at_equal_loss_over_{words}", at_loss),
    )
)
