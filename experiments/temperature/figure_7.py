"""Figure 7 of the paper: tau_z / ||Z0|| beside the infinite-width drive, and its ratio between both ends."""

from __future__ import annotations  # figures are listed without matplotlib, which takes a while to import

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.figures import Datasets, Figure
from experiments.pictures import style
from experiments.temperature.saturation import CURVES, ENDS

if TYPE_CHECKING:
    from matplotlib.axis import Axis

NAMES = {"erf": "erf", "scaled_relu": "relu"}


def draw(axes: np.ndarray, datasets: Datasets) -> None:
    """Curves over the logit scale, both sides against each other, and the ratios beside their closed form."""
    over_scale, against, ratios = axes.flat
    curves = datasets[CURVES.name]
    widest = curves.sel(width=curves["width"].max())
    for place, (label, found) in enumerate(systems(widest)):
        look = {"color": style.GREYS[place], "marker": style.MARKERS[place], "markersize": 4, "linewidth": 1}
        measured, wide = geometric(1 / found["speed"]), geometric(1 / found["infinite_drive"])
        over_scale.plot(found["logit_scale"], measured, label=label, linestyle="none", **look)
        over_scale.plot(found["logit_scale"], wide, color=style.GREYS[place], linestyle=style.LINES[place], linewidth=1)
        each = {
            "color": style.GREYS[place],
            "marker": style.MARKERS[place],
            "markersize": 2.5,
            "linestyle": "none",
            "alpha": 0.6,
        }
        against.plot(np.ravel(1 / found["infinite_drive"]), np.ravel(1 / found["speed"]), **each)
    style.logarithmic(over_scale, "x")
    over_scale.set_yscale("log")
    style.label(over_scale, "rms of Z0", "tau_z / ||Z0||")
    over_scale.legend(fontsize=style.SIZE - 2, frameon=False)
    ends = [float((1 / widest["infinite_drive"]).min()), float((1 / widest["infinite_drive"]).max())]
    against.plot(ends, ends, color=style.INK, linewidth=0.7)
    against.set(xscale="log", yscale="log")
    for axis in (over_scale.yaxis, against.xaxis, against.yaxis):
        few_ticks(axis)
    style.label(against, "||Theta (Y - softmax Z0)||^-1, infinite width", "tau_z / ||Z0||")
    for place, (label, measured, error, closed) in enumerate(small_over_large(datasets[ENDS.name])):
        ratios.errorbar(place, measured, yerr=error, color=style.GREYS[place], marker=style.MARKERS[place], capsize=3)
        ratios.plot([place - 0.3, place + 0.3], [closed, closed], color=style.INK, linewidth=1.2)
        ratios.annotate(
            label, (place, measured), (0, 9), textcoords="offset points", ha="center", fontsize=style.SIZE - 2
        )
    ratios.set(xticks=[], xlim=(-0.8, 3.8), ylim=(0, 1.15 * ratios.get_ylim()[1]))
    style.label(ratios, "bars: closed form", "ratio, small over large logits")


def few_ticks(axis: Axis) -> None:
    """A logarithmic axis of little more than one decade: 1, 2 and 5 of each power of ten, as plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def systems(dataset: xr.Dataset) -> Iterator[tuple[str, xr.Dataset]]:
    """Each network on its own labels and on shuffled ones."""
    for activation, name in NAMES.items():
        for labels in ("real", "shuffled"):
            yield f"{name}, {labels} labels", dataset.sel(activation=activation, labels=labels)


def geometric(values: xr.DataArray) -> xr.DataArray:
    """Geometric mean over seeds."""
    logs = values.copy(data=np.log(values.values)).mean("seed")
    return logs.copy(data=np.exp(logs.values))


def small_over_large(dataset: xr.Dataset) -> Iterator[tuple[str, float, float, float]]:
    """Of each system the ratio, its standard error, and what kernel and correlations predict."""
    for label, found in systems(dataset.sel(system="labels_unknown")):
        squared = (found["speed_large"] ** 2).mean("start") / found["speed_small"] ** 2
        closed = 1 + found["drive_same"] / found["drive_uniform"]
        mean, error = float(squared.mean()), float(squared.std(ddof=1)) / squared.size**0.5
        yield label, mean**0.5, error / (2 * mean**0.5), float(closed.mean()) ** 0.5


def found(datasets: Datasets) -> str:
    """Correlation of both sides, and the ratios beside their closed form."""
    curves = datasets[CURVES.name]
    widest = curves.sel(width=curves["width"].max())
    speed, wide = (np.log(np.ravel(widest[name])) for name in ("speed", "infinite_drive"))
    related = float(np.mean((speed - speed.mean()) * (wide - wide.mean())) / (speed.std() * wide.std()))
    listed = "; ".join(
        f"{label} {got:.2f} ({closed:.2f})" for label, got, _, closed in small_over_large(datasets[ENDS.name])
    )
    return (
        f"At width {int(curves['width'].max())} both sides correlate with r = {related:.3f} (logarithms, over seeds, "
        f"scales and systems). Ratios measured (closed form): {listed}. Relu exceeds erf and shuffling raises both, as "
        "the paper says of its ratio, which must be that of small over large logits."
    )


FIGURES = (
    Figure(
        name="temperature.figure_7",
        title="tau_z / ||Z0|| follows the infinite-width drive; its ratio has a closed form",
        place="figure 7",
        claim="tau_z/||Z0|| is highly correlated with ||Theta (Y - softmax Z0)||^-1 in the kernel of infinite width; "
        "the ratio between large and small ||Z0|| depends on the nonlinearity and on the labels, relu above erf, and a "
        "full analysis of it is beyond the paper's scope.",
        studies=(CURVES.name, ENDS.name),
        panels=(1, 3),
        draw=draw,
        found=found,
    ),
)
