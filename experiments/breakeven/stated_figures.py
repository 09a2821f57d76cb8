"""breakeven:V11 on the runs that it states: ends ordered in four of five seeds, and pooled factors, with intervals."""

from __future__ import annotations  # figures are listed without matplotlib

import numpy as np
import xarray as xr

from experiments.breakeven.maxima_panels import NAMES
from experiments.breakeven.stated_checks import (
    CONTROLS,
    MOST,
    RAW,
    SIGNS,
    Outcome,
    drawn_from,
    ordered,
    said_of,
)
from experiments.breakeven.stated_trajectories import STUDY, WINDOW, converging
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR
from experiments.breakeven.trajectory_summary import STATISTICS, smoothed
from experiments.figures import Datasets, Figure
from numerics.intervals import interval


def checked(control: str, name: str, datasets: Datasets) -> Outcome:
    """One statistic over one control, in the seeds whose runs all converge and bind.

    Beside the pooled factor of averages over five records stand its interval at 99 %, that of raw maxima, that of all
    seeds whose runs converge, whether or not 2/eta binds in them, and how late in training the maxima at both ends lie.
    """
    symbol, turned, _ = CONTROLS[control]
    sign = turned * SIGNS[name]
    said = f"{NAMES[name]} over {symbol}"
    runs = converging(datasets[STUDY.name], control)
    if runs.sizes["seed"] == 0:
        return Outcome("V11", said, 0.0, MOST, "no seed converges and binds", False)
    rises, raw = (_rise(ordered(runs, control, name, sign, window)[0]) for window in (WINDOW, RAW))
    unbound = converging(datasets[STUDY.name], control, bind=False)
    every = _rise(ordered(unbound, control, name, sign, WINDOW)[0])
    factor, least = float(np.exp(rises.mean())), LEAST_FACTOR[name]
    between = interval(rises) if rises.size > 1 else None
    ends = f"[{np.exp(between.low):.2f}, {np.exp(between.high):.2f}] " if between else ""
    first, last = _lateness(runs, name)
    number = f"x{factor:.2f} {ends}of {least}, n {rises.size}"
    low, high = runs[control].values[[0, -1]]
    details = (
        f"raw x{np.exp(raw.mean()):.2f}, x{np.exp(every.mean()):.2f} in all {every.size} that converge; maxima at "
        f"{first:.0%} of training at {symbol} {low:.3g} and {last:.0%} at {high:.3g}"
    )
    return Outcome("V11", said, float(np.mean(rises > 0)), MOST, number, factor >= least, details)


def _rise(logs: np.ndarray) -> np.ndarray:
    return logs[:, -1] - logs[:, 0]


def _lateness(runs: xr.Dataset, name: str) -> tuple[float, float]:
    """Where the maximum lies at the lowest and at the highest level, as the mean share of training over seeds."""
    curve = smoothed(STATISTICS[name](runs), WINDOW)
    middle = curve.fillna(-np.inf).argmax("record") + (WINDOW - 1) / 2
    share = (middle / (runs.sizes["record"] - 1)).mean("seed").values
    return float(share[0]), float(share[-1])


def outcomes(datasets: Datasets) -> tuple[Outcome, ...]:
    """Every statistic that breakeven:V11 names, over either control."""
    return tuple(checked(control, name, datasets) for control in CONTROLS for name in SIGNS if name != "lambda_h")


FIGURES = (
    Figure(
        name="breakeven.figure_stated_checks_as_stated",
        title="Both conjectures on the convolutional network at 61 records, as breakeven:V11 states them",
        place="Conjectures 1 and 2",
        claim="A larger eta or a smaller S lowers lambda_K and Tr K and raises lambda*/lambda.",
        studies=(STUDY.name,),
        draw=drawn_from(outcomes),
        found=said_of(outcomes),
        row_height=4.0,
    ),
)
