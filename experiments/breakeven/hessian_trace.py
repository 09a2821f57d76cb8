"""The Hessian's half of Conjecture 2: its trace over learning rate and batch size.

lambda*_H, the other quantity of that half, is no measure of conditioning (breakeven:G9).
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.extended_runs import VARIABLES, grid, measure
from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    STATISTICS,
    VIEWS,
    admitted,
    against,
    at_loss,
    chosen,
    described,
    largest,
    needed,
)
from experiments.breakeven.wide_trajectories import FIXED, LOWEST, SIZE
from experiments.study import Study
from numerics.data import digits

NAME = "trace_h"
LEAST = LEAST_FACTOR["trace_k"]
RUNS = (
    *((LOWEST * factor, SIZE, 0.0, False) for factor in (1.0, 2.0, 4.0, 8.0)),
    *((LOWEST, size, 0.0, False) for size in (8, 64, 256)),
)
"""Those of ``breakeven.wide_trajectories``, by whose reasons all are expected to converge and bind; other seeds."""

STUDY = Study(
    name="breakeven.hessian_trace",
    title="Trace of the Hessian along SGD over learning rate and batch size, tanh network",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid(
            "MLP-rand", (*RUNS[:4:3], *RUNS[4::2]), 3, 1, flow=1.0, natural=(0.01, 0.5), gram_size=32, probes=4
        ),
        "full": grid("MLP-rand", RUNS, 21, 10, flow=160.0, natural=(0.005, 60.0), gram_size=32, probes=64),
        "paper": grid("MLP-rand", RUNS, 161, 20, flow=160.0, natural=(0.001, 60.0), gram_size=32, probes=256),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)


def along(control: str, symbol: str, find: Callable[[xr.Dataset], xr.DataArray]) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: logarithm of what is found in the runs that converge and bind, along a control, and at the start."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = admitted(chosen(described(needed(data, NAME), STUDY), control, **FIXED[control]))
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
