"""Panels that several figures share: the largest values of statistics along a control, and words for them."""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.breakeven.trajectory_summary import BATCH, RATE, STATISTICS, largest
from experiments.pictures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES: Mapping[str, str] = {
    "lambda_h": "lambda_H",
    "lambda_k": "lambda_K",
    "lambda_km": "lambda_KM",
    "trace_k": "Tr K",
    "trace_km": "Tr KM",
    "ratio_k": "lambda*_K / lambda_K",
    "ratio_km": "lambda*_KM / lambda_KM",
    "spread_km": "Tr KM / lambda_KM",
    "trace_h": "Tr H",
    "projection": "||g|| / ||g_5||",
}
"""How pictures and tables call each statistic."""
SYMBOLS: Mapping[str, str] = {RATE: "eta", BATCH: "S", "momentum": "beta"}
MOST_ACROSS = 5
"""Levels whose numbers stand side by side under the narrowest of the panels; more are turned."""


def points(panel: Axes, runs: xr.Dataset, control: str, name: str) -> None:
    """Mean and standard error over seeds of the largest values of a statistic, along a control."""
    for index, view in enumerate(("smoothed", "raw")):
        values = largest(STATISTICS[name](runs), view).transpose("run", "seed").values
        error = values.std(axis=1, ddof=1) / values.shape[1] ** 0.5 if values.shape[1] > 1 else None
        places = np.arange(values.shape[0])
        panel.errorbar(places, values.mean(axis=1), yerr=error, label=view, **style.marks(index))
    levels = [f"{value:.3g}" for value in runs[control].values]
    panel.set_xticks(np.arange(len(levels)), levels, rotation=60 if len(levels) > MOST_ACROSS else 0)
    style.label(panel, SYMBOLS[control], f"max {NAMES[name]}")
    style.legend(panel)


def row_of_points(row: np.ndarray, runs: xr.Dataset, control: str, names: Iterable[str]) -> None:
    """One panel a statistic; a word where no run is part of the profile."""
    for panel, name in zip(row.flat, names, strict=True):
        if runs.sizes["run"]:
            points(panel, runs, control, name)
        else:
            panel.text(0.5, 0.5, "not run in this profile", ha="center", fontsize=style.SIZE)


def factor(runs: xr.Dataset, name: str) -> float:
    """Smoothed maximum at the last level over that at the first, geometric mean over seeds."""
    top = np.log(largest(STATISTICS[name](runs), "smoothed").transpose("run", "seed").values).mean(axis=1)
    return float(np.exp(top[-1] - top[0]))


def said_factors(runs: xr.Dataset, names: Iterable[str]) -> str:
    """The factors in words, and which runs were left out."""
    if not runs.sizes["run"]:
        return "these runs are no part of this profile"
    words = ", ".join(f"{NAMES[name]} x{factor(runs, name):.2f}" for name in names)
    return f"{words}; left out: {runs.attrs['excluded'] or 'nothing'}"


def beside(panel: Axes, both: Mapping[str, tuple[float, float]], who: tuple[str, str], of: str) -> None:
    """The paper's factors and ours, one line a quantity, on a logarithmic axis."""
    for index, name in enumerate(who):
        panel.plot(
            [pair[index] for pair in both.values()], np.arange(len(both)), label=name, color=style.GREYS[index],
            marker=style.MARKERS[index], markersize=7, linestyle="none",
        )  # fmt: skip
    panel.axvline(1.0, color=style.SOFT, linewidth=0.7)
    style.logarithmic(panel, "x")
    panel.set_yticks(np.arange(len(both)), list(both))
    style.label(panel, of, "")
    style.legend(panel)


def said_beside(both: Mapping[str, tuple[float, float]]) -> str:
    """The same in words."""
    return "; ".join(f"{name} x{paper:.2f} and x{ours:.2f}" for name, (paper, ours) in both.items())
