"""Conjectures 1 and 2 on the convolutional network exactly as breakeven:V11 states them: 61 records to flow time 120.

Learning rates 0.02, 0.05 and 0.12 at S = 32, batch sizes 8, 32 and 128 at 0.05, and of either one level more, since an
interval of a trend asks for four; maxima of averages over five records, which span a fifteenth of training. Twenty
seeds, the levels, and the rule by which seeds count were declared before any number was looked at.
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.stated_runs import VARIABLES, measure
from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    BATCH,
    RATE,
    STATISTICS,
    binding,
    chosen,
    converged,
    described,
    needed,
    observed_along,
    smoothed,
)
from experiments.study import Grid, Study
from numerics.data import digits

WINDOW = 5
"""Records that the moving average takes."""
RUNS = ((0.02, 32), (0.05, 32), (0.08, 32), (0.12, 32), (0.05, 8), (0.05, 16), (0.05, 128))
FIXED = {RATE: {BATCH: 32}, BATCH: {RATE: 0.05}}
"""By control, what the other one is."""


def _grid(records: int, seeds: int, flow: float, natural_flow: float) -> Grid:
    rate, batch_size = zip(*RUNS, strict=True)
    return Grid(
        axes={"network": ("SimpleCNN-tiny",)},
        inner={"run": tuple(range(len(RUNS)))},
        settings={
            "rate": rate,
            "batch_size": batch_size,
            "records": records,
            "flow": flow,
            "natural_rate": 0.01,
            "natural_flow": natural_flow,
            "points": 256,
            "lanczos_steps": 10,
            "gram_batches": 25,
            "gram_size": 16,
            "probes": 2,
        },
        seeds=seeds,
        block=1,
    )


STUDY = Study(
    name="breakeven.stated_trajectories",
    title="Hessian and gradient covariance along SGD at 61 records to flow time 120, convolutional network",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": _grid(6, 1, 1.0, 0.5),
        "full": _grid(61, 20, 120.0, 10.0),
        "paper": _grid(161, 40, 120.0, 10.0),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)


def converging(data: xr.Dataset, control: str, *, bind: bool = True) -> xr.Dataset:
    """The runs over a control, of the seeds in which all of them converge and, if asked, bind.

    A seed whose flags are lost stays, so that what is lost shows. The attribute `excluded` says how many seeds are left
    out, and which run failed in how many.
    """
    runs = chosen(described(data, STUDY), control, **FIXED[control])
    lost = runs["accuracy"].isnull().any("record") | runs["natural_lambda_H"].isnull()
    good = converged(runs) & (binding(runs) | (not bind)) | lost
    kept = good.all("run").values
    failing = [
        f"eta {rate:.3g}, S {size}: {lost}"
        for rate, size, lost in zip(runs[RATE].values, runs[BATCH].values, (~good).sum("seed").values, strict=True)
        if lost
    ]
    words = f"{(~kept).sum()} of {kept.size} seeds ({'; '.join(failing)})" if failing else ""
    return runs.isel(seed=kept).assign_attrs(excluded=words)


def averaged(runs: xr.Dataset, name: str) -> xr.DataArray:
    """The largest value of the statistic's moving average over five records."""
    return smoothed(STATISTICS[name](runs), WINDOW).max("record", skipna=False)


def maxima(name: str, control: str, symbol: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe a statistic's maximum along the control."""
    return lambda data: observed_along(control, symbol, converging(needed(data, name), control), name, averaged)


CHECKS = tuple(
    (
        STUDY.name,
        trend(
            f"max_{name}_over_{words}_as_stated", maxima(name, control, symbol), LEAST_FACTOR[name], only_full=True
        ),
    )
    for words, (control, symbol) in CONTROLS.items()
    for name in LEAST_FACTOR
)
