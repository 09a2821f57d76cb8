"""Trajectories over controls as wide apart as breakeven:V10 asks: learning rates 8-fold, batch sizes 32-fold.

In the runs of ``breakeven.trajectories`` the ends fail to converge in some seeds (breakeven:V13), so that what is left
spans 6-fold and 8-fold. Here both ranges start at a lower rate.
"""

from collections.abc import Callable
from dataclasses import replace

import xarray as xr

from experiments.breakeven.extended_runs import VARIABLES, grid, measure
from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    BATCH,
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
from numerics.data import digits

LOWEST = 0.025
"""Learning rate at which 2/eta is 80; also that of the runs over batch sizes."""
SIZE = 32
"""Batch size of the runs over rates."""
RUNS = (
    *((LOWEST * factor, SIZE, 0.0, False) for factor in (1.0, 2.0, 4.0, 8.0)),
    *((LOWEST, size, 0.0, False) for size in (8, 64, 256)),
)
"""Eight-fold in the rate at S = 32, 32-fold in the size at the lowest rate; 256 are all points.

Declared anew on fresh seeds, 10 to 19, after ten seeds with a lowest rate of 0.0375 had been looked at, where one run
of ten at rate 0.3 ended at a share of 0.914: three rates were left, and nothing could be told. By the flags of the ten
seeds of ``breakeven.trajectories`` rates 0.05 to 0.2 converge in all of them at S = 32; the natural sharpness was 104
to 191 there and 113 to 193 here.
"""

STUDY = Study(
    name="breakeven.wide_trajectories",
    title="Sharpness and trace of the Hessian along SGD over an 8-fold range of learning rates and a 32-fold range of "
    "batch sizes, tanh network",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid(
            "MLP-rand", (*RUNS[:4:3], *RUNS[4::2]), 3, 1, flow=1.0, natural=(0.01, 0.5), gram_size=32, probes=4
        ),
        "full": replace(
            grid("MLP-rand", RUNS, 31, 10, flow=160.0, natural=(0.005, 60.0), gram_size=32, probes=32), first_seed=10
        ),
        "paper": grid("MLP-rand", RUNS, 161, 20, flow=160.0, natural=(0.001, 60.0), gram_size=32, probes=256),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)
FIXED = {RATE: {BATCH: SIZE}, BATCH: {RATE: LOWEST}}
"""By control, what the other one is."""


def weighed(data: xr.Dataset, control: str) -> xr.Dataset:
    """The runs over a control that converge and bind."""
    return admitted(chosen(described(data, STUDY), control, **FIXED[control]))


def maxima(view: str, control: str, symbol: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the largest lambda_H along the control."""
    return lambda data: observed_along(
        control, symbol, weighed(needed(data, "lambda_h"), control), "lambda_h", maximum(view)
    )


CHECKS = tuple(
    (
        STUDY.name,
        trend(
            f"max_lambda_h_{view}_over_{words}_wide",
            maxima(view, control, symbol),
            LEAST_FACTOR["lambda_h"],
            only_full=True,
        ),
    )
    for words, (control, symbol) in CONTROLS.items()
    for view in VIEWS
)
