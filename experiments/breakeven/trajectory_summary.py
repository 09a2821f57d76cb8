"""From stored trajectories to one number per seed and run: maxima raw and smoothed, flags, matched loss."""

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.trajectory_tasks import TASKS
from experiments.study import Study

WINDOW = 3
"""Records that a smoothed curve averages over: WINDOW - 1 steps of the grid in flow time."""
RATE, BATCH = "learning_rate", "batch_size"
SETTINGS = (RATE, BATCH, "momentum")
CONVERGED_ACCURACY, CONVERGED_LOSS = 0.95, 0.15
MATCHED_LOSS = 1.0
"""Training loss at which runs are compared at equal progress in loss; they start at log 10 = 2.3."""

STATISTICS: Mapping[str, Callable[[xr.Dataset], xr.DataArray]] = {
    "lambda_h": lambda data: data["lambda_H"],
    "lambda_k": lambda data: data["lambda_K"],
    "lambda_km": lambda data: data["lambda_KM"],
    "trace_k": lambda data: data["trace_K"],
    "trace_km": lambda data: data["trace_KM"],
    "ratio_k": lambda data: data["lambda_K_smallest"] / data["lambda_K"],
    "ratio_km": lambda data: data["lambda_KM_smallest"] / data["lambda_KM"],
    "spread_km": lambda data: data["trace_KM"] / data["lambda_KM"],
    "trace_h": lambda data: data["trace_H"],
    "projection": lambda data: data["projection_ratio"],
}
"""By the name that laws use."""
READ_BY: Mapping[str, tuple[str, ...]] = {
    "lambda_h": ("lambda_H",),
    "lambda_k": ("lambda_K",),
    "lambda_km": ("lambda_KM",),
    "trace_k": ("trace_K",),
    "trace_km": ("trace_KM",),
    "ratio_k": ("lambda_K_smallest", "lambda_K"),
    "ratio_km": ("lambda_KM_smallest", "lambda_KM"),
    "spread_km": ("trace_KM", "lambda_KM"),
    "trace_h": ("trace_H",),
    "projection": ("projection_ratio",),
}
"""Variables that each of them is computed from."""
FLAGS = ("accuracy", "loss", "natural_lambda_H")
"""Variables that say whether a run converges and binds."""


def needed(data: xr.Dataset, name: str) -> xr.Dataset:
    """The part of a study's data that a statistic and the flags read: what follows is faster on it."""
    return data[[*FLAGS, *READ_BY[name]]]


def described(data: xr.Dataset, study: Study) -> xr.Dataset:
    """The data of a study's one network, with the settings of each run as coordinates along `run`.

    Coordinates: learning_rate, batch_size, momentum, decays, normalised. A grid that gives no rate gives its factor.
    """
    settings = study.grids[data.attrs.get("profile", "quick")].settings
    one = data.isel(network=0) if "network" in data.dims else data
    if "rate" in settings:
        rate = np.asarray(settings["rate"])
    else:
        rate = TASKS[str(one["network"].values)].rate * np.asarray(settings["rate_factor"])
    none = {"momentum": np.zeros(rate.size), **dict.fromkeys(("decays", "normalised"), np.zeros(rate.size, dtype=bool))}
    rest = {name: ("run", np.asarray(settings.get(name, absent))) for name, absent in none.items()}
    own = {"learning_rate": ("run", rate), "batch_size": ("run", np.asarray(settings["batch_size"]))}
    return one.assign_coords({**own, **rest})


def chosen(data: xr.Dataset, along: str, **fixed: float | bool) -> xr.Dataset:
    """Runs with the fixed settings, in the order of the coordinate that varies."""
    keep = np.ones(data.sizes["run"], dtype=bool)
    for name, value in fixed.items():
        keep &= np.isclose(data[name].values.astype(float), float(value))
    places = np.flatnonzero(keep)
    return data.isel(run=places[np.argsort(data[along].values[places], kind="stable")])


def smoothed(curve: xr.DataArray, window: int = WINDOW) -> xr.DataArray:
    """Moving average over `window` records, whole windows only; of one record it is the curve itself.

    Examples
    --------
    >>> smoothed(xr.DataArray([3.0, 0.0, 0.0, 3.0], dims="record")).values.tolist()
    [1.0, 1.0]
    """
    return curve.rolling(record=window).mean().isel(record=slice(window - 1, None))


VIEWS: Mapping[str, Callable[[xr.DataArray], xr.DataArray]] = {"raw": lambda curve: curve, "smoothed": smoothed}


def largest(curve: xr.DataArray, view: str = "raw") -> xr.DataArray:
    """Largest value over the records, of the curve itself or of its moving average; NaN where one is."""
    return VIEWS[view](curve).max("record", skipna=False)


def whole(values: xr.DataArray, *read: xr.DataArray) -> xr.DataArray:
    """The values, NaN where any record of what was read is lost: no comparison, sum or index may hide it."""
    for curve in read:
        values = values.where(curve.notnull().all("record"))
    return values


def converged(data: xr.Dataset) -> xr.DataArray:
    """Whether the run's last record fits the training set: accuracy at least 0.95, or loss below 0.15."""
    last = data.isel(record=-1)
    return (last["accuracy"] >= CONVERGED_ACCURACY) | (last["loss"] < CONVERGED_LOSS)


def binding(data: xr.Dataset) -> xr.DataArray:
    """Whether 2/eta lies below the sharpness that the task reaches when nothing holds it back."""
    rate = data["learning_rate"] / (1 - data["momentum"])
    return 2 / rate < data["natural_lambda_H"]


def admitted(data: xr.Dataset) -> xr.Dataset:
    """The runs that converge and bind in every seed; the two ends, of which no trend is told, where fewer than two do.

    Runs that are left out are named in the attribute `excluded`, with the share of seeds that fails; it says so, too,
    where only the ends are kept because hardly anything would remain.
    """
    good = converged(data) & binding(data)
    share = good.mean("seed").values
    left_out = [
        f"eta {rate:.3g}, S {size}{f', beta {kept:.3g}' if kept else ''}: {1 - part:.0%} of the seeds"
        for rate, size, kept, part in zip(
            *(data[name].values.tolist() for name in SETTINGS), share.tolist(), strict=True
        )
        if part < 1
    ]
    kept = np.flatnonzero(share == 1)
    words = "; ".join(left_out)
    if kept.size > 1 or not left_out:
        return data.isel(run=kept).assign_attrs(excluded=words)
    ends = sorted({0, data.sizes["run"] - 1})
    said = f"all but the ends, since fewer than two runs converge and bind in every seed ({words})"
    return data.isel(run=ends).assign_attrs(excluded=said)


def at_loss(data: xr.Dataset, name: str, level: float = MATCHED_LOSS) -> xr.DataArray:
    """A statistic where the smoothed training loss first falls to a level, linear between records.

    A run that never gets there gives NaN.
    """
    loss, curve = smoothed(data["loss"]), smoothed(STATISTICS[name](data))

    def cross(losses: np.ndarray, values: np.ndarray) -> float:
        below = np.flatnonzero(losses <= level)
        if below.size == 0 or not np.isfinite(losses).all():
            return np.nan
        after = int(below[0])
        if after == 0:
            return float(values[0])
        before = after - 1
        share = (losses[before] - level) / (losses[before] - losses[after])
        return float(values[before] + share * (values[after] - values[before]))

    return xr.apply_ufunc(cross, loss, curve, input_core_dims=[["record"], ["record"]], vectorize=True)


def maximum(view: str) -> Callable[[xr.Dataset, str], xr.DataArray]:
    """What finds a statistic's largest value over training: raw, or smoothed."""
    return lambda runs, name: largest(STATISTICS[name](runs), view)


def plain(**values: xr.DataArray) -> xr.Dataset:
    """The arrays without their coordinates: what a claim reads is given by name."""
    return xr.Dataset({name: value.astype(float).drop_vars(list(value.coords)) for name, value in values.items()})


def against(control: str, values: xr.DataArray, symbol: str, start: xr.DataArray) -> xr.Dataset:
    """Observation of a trend in the logarithm, and of the same at the common start."""

    def arranged(array: xr.DataArray) -> xr.DataArray:
        levels = {symbol: ("run", array[control].values.astype(float))}
        logs = np.log(array.transpose("seed", "run").values)
        return xr.DataArray(logs, dims=("seed", "run"), coords=levels, attrs={"scale": "log"})

    return xr.Dataset({"measured": arranged(values), "measured[at the start]": arranged(start)})


def observed_along(
    control: str, symbol: str, runs: xr.Dataset, name: str, find: Callable[[xr.Dataset, str], xr.DataArray]
) -> xr.Dataset:
    """Observation of a trend in the logarithm of what is found of a statistic in admitted runs, along a control.

    Beside it stands the statistic at the common start; the attribute `excluded` names the runs that are left out.
    """
    found = against(control, find(runs, name), symbol, STATISTICS[name](runs).isel(record=0))
    return found.assign_attrs(excluded=runs.attrs["excluded"])
