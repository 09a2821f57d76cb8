"""When the maxima come, and how many eigenvalues stand out there, weighed on the stored trajectories."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.trajectory_conjectures import SYSTEMS, in_every_seed, sweep, trend_of_counts
from experiments.breakeven.trajectory_summary import RATE, STATISTICS, WINDOW, plain, smoothed, whole

LATEST = 0.75
SPECTRA: Mapping[str, tuple[str, str]] = {
    "outliers_h": ("lambda_H", "spectrum_H"),
    "outliers_k": ("lambda_K", "spectrum_K"),
}
"""For each count the curve whose largest record is looked at, and the spectrum there."""
SHARE = 1 / 3
"""An eigenvalue stands out if it exceeds this share of the largest one of the highest rate, each at its maximum."""


def accuracy_at_maximum(suffix: str, name: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: training accuracy at the middle of the window in which a curve is largest, mean over rates."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = sweep(data, SYSTEMS[suffix][RATE], RATE)
        found = plain(smaller=accuracy_there(runs, name).mean("run", skipna=False))
        one = xr.ones_like(found["smaller"])
        return found.assign(accuracy_at_maximum=found["smaller"], larger=LATEST * one, bound=1e-6 * one)

    return observe


def accuracy_there(runs: xr.Dataset, name: str) -> xr.DataArray:
    """Training accuracy where the smoothed curve is largest, by seed and run."""
    curve = STATISTICS[name](runs)
    middle = smoothed(curve).fillna(0.0).argmax("record") + WINDOW // 2
    return whole(runs["accuracy"].isel(record=middle), curve, runs["accuracy"])


def outliers(runs: xr.Dataset, name: str) -> xr.DataArray:
    """How many eigenvalues stand out at the largest record of each run, by seed and run."""
    peak, _ = SPECTRA[name]
    return _above(runs, name, runs[peak].fillna(0.0).argmax("record"))


def _above(runs: xr.Dataset, name: str, record: xr.DataArray) -> xr.DataArray:
    peak, spectrum = SPECTRA[name]
    level = SHARE * runs[peak].max("record").isel(run=-1)
    count = (runs[spectrum].isel(record=record) > level).sum("eigen").astype(float)
    lost = runs[spectrum].isnull().any(("record", "eigen"))
    return whole(count.where(~lost & level.notnull()), runs[peak])


def counted(suffix: str, name: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: the count over learning rates at each run's maximum, and at the common start."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        runs = sweep(data, SYSTEMS[suffix][RATE], RATE)
        start = _above(runs, name, xr.zeros_like(runs["lambda_H"].isel(record=0), dtype=int))
        rate = {"eta": ("run", runs["learning_rate"].values.astype(float))}

        def arranged(array: xr.DataArray) -> xr.DataArray:
            return xr.DataArray(array.transpose("seed", "run").values, dims=("seed", "run"), coords=rate)

        return xr.Dataset(
            {"measured": arranged(outliers(runs, name)), "measured[at the start]": arranged(start)}
        ).assign_attrs(excluded=runs.attrs["excluded"])

    return observe


CHECKS = tuple(
    pair
    for suffix, studied in SYSTEMS.items()
    for pair in (
        *(
            (
                studied[RATE].name,
                in_every_seed(
                    f"max_{name}_is_early{suffix}",
                    accuracy_at_maximum(suffix, name),
                    "1e-6, rounding of a share of points",
                    only_full=bool(suffix),
                ),
            )
            for name in ("lambda_h", "lambda_k")
        ),
        *(
            (
                studied[RATE].name,
                trend_of_counts(f"{name}_over_rate{suffix}", counted(suffix, name), only_full=bool(suffix)),
            )
            for name in SPECTRA
        ),
    )
)
