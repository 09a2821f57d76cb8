"""The paper's further claims about trajectories weighed on the stored ones."""

from collections.abc import Callable

import numpy as np
import xarray as xr

from experiments.breakeven.trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import CONTROLS, LEAST_FACTOR, SYSTEMS, in_every_seed, sweep, trend
from experiments.breakeven.trajectory_summary import (
    BATCH,
    RATE,
    against,
    at_loss,
    chosen,
    described,
    largest,
    needed,
    observed_along,
    plain,
    smoothed,
    whole,
)
from experiments.study import Check, Margin

PHASES = (0.0, 1 / 3, 2 / 3, 1.0)


def at_equal_loss(suffix: str, name: str, control: str, symbol: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe a statistic at one training loss, along a control."""
    study = SYSTEMS[suffix][control]
    return lambda data: observed_along(control, symbol, sweep(needed(data, name), study, control), name, at_loss)


def batch_noise(data: xr.Dataset) -> xr.Dataset:
    """Logarithm of the smoothed maximum of E||g_B - g||^2, over batch sizes."""
    runs = sweep(data, STUDY, BATCH)
    points = STUDY.grids["full"].settings["points"]
    size = runs[BATCH].astype(float)
    noise = runs["trace_K"] * (points - size) / (size * (points - 1))
    start = runs["trace_K"].isel(record=0)  # of one example at the start: no batch enters
    return against(BATCH, largest(noise, "smoothed"), "S", start)


def on_the_way(curve: xr.DataArray, peak: xr.DataArray, phase: float) -> xr.DataArray:
    """Values of a curve at a part of the way to the peak's largest record, linear between records."""

    def read(values: np.ndarray, guide: np.ndarray) -> float:
        top = int(np.argmax(guide))
        return float(np.interp(phase * top, np.arange(values.size), values))

    found = xr.apply_ufunc(read, curve, peak, input_core_dims=[["record"], ["record"]], vectorize=True)
    return whole(found, curve, peak)


def _phases(curve: xr.DataArray, peak: xr.DataArray, scale: Callable[[xr.DataArray], xr.DataArray]) -> xr.Dataset:
    along = xr.concat([on_the_way(curve, peak, phase) for phase in PHASES], "point").mean("run", skipna=False)
    start = along.isel(point=0).expand_dims(point=len(PHASES))
    found = xr.Dataset({"measured": scale(along), "measured[at the start]": scale(start)})
    return found.drop_vars(list(found.coords)).assign_coords(phase=("point", list(PHASES)))


def early_growth(data: xr.Dataset) -> xr.Dataset:
    """Logarithm of lambda_K at parts of the way to the maximum of the smoothed lambda_H, mean over rates."""
    runs = sweep(data, STUDY, RATE)
    return _phases(smoothed(runs["lambda_K"]), smoothed(runs["lambda_H"]), np.log)


def rises(data: xr.Dataset) -> xr.Dataset:
    """Share of steps that raise the loss at parts of the way to the maximum of the smoothed lambda_K."""
    runs = sweep(data, STUDY, RATE)
    return _phases(smoothed(runs["loss_rises"]), smoothed(runs["lambda_K"]), lambda values: values)


def after_break_even(data: xr.Dataset) -> xr.Dataset:
    """lambda_H at the first record at which the left side of Eq. 1 is at least 1, and its largest after it.

    Seeds and rates that never get there, or only at the last record, say nothing: both numbers are the largest
    lambda_H there.
    """
    runs = sweep(data, STUDY, RATE)
    curve, growth = runs["lambda_H"], runs["growth"]
    record = xr.DataArray(np.arange(runs.sizes["record"]), dims="record")
    first = record.where(growth >= 1).min("record")
    largest_ever = curve.max("record")
    says = first < runs.sizes["record"] - 1
    after = curve.where(record > first).max("record").where(says, largest_ever)
    at = curve.where(record == first).max("record").where(says, largest_ever)
    after, at = whole(after, curve, growth), whole(at, curve, growth)
    slack = runs["lambda_H_residual"].max("record", skipna=False)
    return plain(smaller=after, larger=at, bound=slack, lambda_after=after, lambda_at=at)


def sharp_growth(data: xr.Dataset) -> xr.Dataset:
    """Median of the left side of Eq. 1 where lambda_H is at least half of its maximum, at the lowest rate."""
    run = sweep(data, STUDY, RATE).isel(run=0)
    curve, growth = run["lambda_H"], run["growth"]
    middle = whole(growth.where(curve >= curve.max("record") / 2).median("record"), curve, growth)
    return plain(smaller=middle, growth=middle, larger=xr.ones_like(middle), bound=1e-6 * xr.ones_like(middle))


def small_batches(data: xr.Dataset) -> xr.Dataset:
    """Smoothed maxima of lambda_H with batches of 8, beside the learning rate."""
    run = chosen(described(data, STUDY), BATCH, batch_size=8, momentum=0.0, decays=False).isel(run=0)
    top = largest(run["lambda_H"], "smoothed")
    found = plain(smaller=top, sharpness=top, bound=run["lambda_H_residual"].max("record", skipna=False))
    return found.assign_coords(eta=float(run["learning_rate"]))


def rises_to_second_order(data: xr.Dataset) -> xr.Dataset:
    """Shares of steps that raise the loss, and that do to second order, over records with growth below 1."""
    runs = sweep(data, STUDY, RATE).isel(run=slice(0, 2), record=slice(1, None))
    stable = (runs["growth"] < 1).where(runs["growth"].notnull())
    count = stable.sum(("run", "record"), skipna=False)

    def share(counted: xr.DataArray) -> xr.DataArray:
        return (counted * stable).sum(("run", "record"), skipna=False) / count

    return plain(
        measured=share(runs["loss_rises"]),
        second_order=share(runs["quadratic_rises"]),
        unstable=share((runs["growth"] >= 1).astype(float)),
    )


def top_directions(data: xr.Dataset) -> xr.Dataset:
    """Mean |<e_H, e_K>| over records up to the maximum of lambda_H, and over learning rates."""
    runs = sweep(data, STUDY, RATE)
    curve = runs["lambda_H"]
    peak = whole(curve.fillna(0.0).argmax("record").astype(float), curve)
    record = xr.DataArray(np.arange(runs.sizes["record"]), dims="record")
    before = runs["alignment"].where(record <= peak).mean("record")
    return plain(measured=whole(before, curve, runs["alignment"]).mean("run", skipna=False))


def projection(data: xr.Dataset) -> xr.Dataset:
    """Least projection ratios of all records."""
    ratio = described(data, STUDY)["projection_ratio_smallest"]
    one = xr.ones_like(ratio)
    return plain(smaller=one.where(ratio.notnull()), larger=ratio, projection_ratio=ratio, bound=1e-6 * one)


CHECKS = (
    *(
        (
            studied[control].name,
            trend(
                f"{name}_at_equal_loss_over_{words}{suffix}",
                at_equal_loss(suffix, name, control, symbol),
                factor,
                only_full=bool(suffix),
            ),
        )
        for suffix, studied in SYSTEMS.items()
        for words, (control, symbol) in CONTROLS.items()
        for name, factor in LEAST_FACTOR.items()
    ),
    (STUDY.name, trend("max_batch_noise_over_batch_size", batch_noise, 1.5)),
    (STUDY.name, trend("lambda_k_grows_with_lambda_h", early_growth, 1.5)),
    (
        STUDY.name,
        Check(
            law="breakeven.loss_rises_towards_the_maximum",
            observe=rises,
            margin=Margin(0.04, "physics", "less than half of the least effect, a share of 0.1"),
            observed=("quick",),
            minimum_effect=0.1,
        ),
    ),
    (STUDY.name, in_every_seed("no_return_above_break_even", after_break_even, "one residual of the eigenpair")),
    (STUDY.name, in_every_seed("eq1_below_one", sharp_growth, "1e-6, rounding of a mean of float32 numbers")),
    (
        STUDY.name,
        in_every_seed("small_batches_stay_below_the_edge", small_batches, "one residual of the eigenpair"),
    ),
    (
        STUDY.name,
        Check(
            law="breakeven.loss_rises_like_its_second_order",
            observe=rises_to_second_order,
            margin=Margin(0.2, "physics", "less than half of the distance to shares that differ by a factor of 2"),
            observed=("quick",),
        ),
    ),
    (
        STUDY.name,
        Check(
            law="breakeven.top_directions_coincide",
            observe=top_directions,
            margin=Margin(0.2, "physics", "less than half of the distance to orthogonal directions"),
            observed=("quick",),
        ),
    ),
    (
        STUDY.name,
        in_every_seed(
            "projection_ratio_at_least_one", projection, "rounding of a quotient of float64 forms, 1e-6", True
        ),
    ),
)
