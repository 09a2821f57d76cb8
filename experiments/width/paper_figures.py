"""The paper's figures 1 (right), 2 and 3 to 7, redrawn from the stored runs of its experiment."""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.bridge import predict
from experiments.figures import Datasets, Figure
from experiments.pictures import style
from experiments.width.divergence import divergence, excesses, supported
from experiments.width.paper import REFERENCE, REFERENCE_WIDTH
from experiments.width.paper_checks import FIRST, LATE, logits_of
from theory.width.kl import FLOOR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = "Golikov 2020"
COLOURS = {
    REFERENCE: style.INK, "IC-MF": "#0072B2", "MF": "#E69F00", "NTK": "#009E73", "sym-default": "#CC79A7",
    "default": "#888888",
}  # fmt: skip
LOOKS = {
    name: {"color": colour, "marker": marker, "linestyle": line}
    for (name, colour), marker, line in zip(
        COLOURS.items(), style.MARKERS, ("-", "-", "--", ":", "-.", (0, (5, 1))), strict=False
    )
}
"""Colour, marker and line of each model: told apart in grey, too."""
NAMES = {
    "accuracy": "test accuracy",
    "kernel": "mean kernel diagonal",
    "size": "mean |logit|",
    "ratio": "mean |logit / kernel|",
}


def curves(axes: Axes, data: xr.Dataset, variable: str, legend: bool = False) -> None:
    """One quantity of every model along training: mean over seeds, and one standard deviation."""
    step = data["step"].values + 1
    for name, colour in COLOURS.items():
        values = data[variable].sel(model=name).transpose("seed", "step").values
        mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
        axes.fill_between(step, mean - spread, mean + spread, color=colour, alpha=0.13, linewidth=0)
        axes.plot(step, mean, **LOOKS[name], markersize=3, linewidth=2.0 if name == REFERENCE else 1.3, label=name)
    axes.set_xscale("log")
    if variable != "accuracy":
        axes.set_yscale("log")
    style.label(axes, "step + 1", NAMES[variable])
    if legend:
        axes.legend(fontsize=style.SIZE - 1.5, frameon=True, framealpha=0.95, edgecolor="none", ncol=2)


def floor(seeds: int) -> float:
    """Expected divergence of two equal laws from so many seeds each."""
    return float(predict(FLOOR, {"n": float(seeds), "m": float(seeds)}))


def divergences(axes: Axes, data: xr.Dataset, *, subtracted: bool, legend: bool = False) -> None:
    """Divergence of every model from the reference along training, with the sampling floor shown or taken off."""
    models, reference = logits_of(data)
    off = floor(reference.shape[0])
    step = data["step"].values + 1
    for name, logits in models.items():
        found = divergence(logits, reference) - (off if subtracted else 0.0)
        axes.plot(step, found, **LOOKS[name], markersize=3.5, linewidth=1.4, label=name)
    if subtracted:
        axes.axhline(0.0, color=style.INK, linewidth=0.8, linestyle=":")
        axes.set_yscale("symlog", linthresh=0.1)
    else:
        axes.axhline(off, color=style.INK, linewidth=0.9, linestyle="--", label="sampling floor")
        axes.set_yscale("log")
    axes.set_xscale("log")
    style.label(axes, "step + 1", "KL to the reference" + (", floor taken off" if subtracted else ""))
    if legend:
        axes.legend(fontsize=style.SIZE - 1.5, frameon=True, framealpha=0.95, edgecolor="none", ncol=2)


def _first(data: xr.Dataset) -> xr.Dataset:
    return data.isel(setup=0, drop=True)


def _figure_one(panels: np.ndarray, datasets: Datasets) -> None:
    data = _first(datasets["width.paper"])
    for place, (axes, name) in enumerate(zip(panels.flat, NAMES, strict=True)):
        curves(axes, data, name, legend=place == 0)


def _grown(data: xr.Dataset) -> dict[str, float]:
    kernel = data["kernel"].mean("seed")
    ratio = kernel.isel(step=-1, drop=True) / kernel.isel(step=0, drop=True)
    return {name: float(ratio.sel(model=name)) for name in COLOURS}


def _found_one(datasets: Datasets) -> str:
    data = _first(datasets["width.paper"])
    grown = ", ".join(f"{name} {factor:.2f}" for name, factor in _grown(data).items())
    start = data["size"].isel(step=0).mean("seed")
    sizes = ", ".join(f"{name} {float(start.sel(model=name) / start.sel(model=REFERENCE)):.2f}" for name in COLOURS)
    last = data["accuracy"].isel(step=-1).mean("seed")
    return (
        f"kernels grow by {grown}; initial logits over the reference's are {sizes}; final accuracies lie within "
        f"{float(last.max() - last.min()):.3f} and do not tell the models apart. Curves are not shifted."
    )


def _figure_two(panels: np.ndarray, datasets: Datasets) -> None:
    data = _first(datasets["width.paper"])
    divergences(panels[0, 0], data, subtracted=False, legend=True)
    divergences(panels[0, 1], data, subtracted=True)


def _found_two(datasets: Datasets) -> str:
    data = _first(datasets["width.paper"])
    models, reference = logits_of(data)
    seeds = reference.shape[0]
    means = {name: divergence(logits, reference).mean() - floor(seeds) for name, logits in models.items()}
    listed = ", ".join(f"{name} {value:.2f}" for name, value in sorted(means.items(), key=lambda item: item[1]))
    ratios = ", ".join(
        f"{name} {np.exp(found.estimate[0]):.2f} [{np.exp(found.low[0]):.2f}, {np.exp(found.high[0]):.2f}]"
        for name, found in excesses(models, reference, FIRST, averaged=True).items()
    )
    steps = data["step"].values
    each = excesses(models, reference, FIRST, averaged=False)
    first = np.all([supported(one) > 0 for one in each.values()], axis=0)
    late = steps >= LATE
    where = ", ".join(str(step) for step in steps[first]) or "none"
    return (
        f"means over the recorded steps, floor {floor(seeds):.3f} taken off: {listed}. Means over {FIRST}'s, "
        f"at 99 % together: {ratios}. The interval puts {FIRST} first "
        f"at steps {where}: at {int(first[late].sum())} of {int(late.sum())} from step {LATE} on, at "
        f"{int(first[~late].sum())} of {int((~late).sum())} before."
    )


def _setups(panels: np.ndarray, datasets: Datasets, draw: Callable[..., None]) -> None:
    data = datasets["width.paper_setups"]
    names = list(data["setup"].values)
    if len(names) <= panels.shape[1]:  # one row of panels takes the room of two
        for axes in panels[0]:
            box, low = axes.get_position(), panels[-1, 0].get_position().y0
            axes.set_position((box.x0, low, box.width, box.y1 - low))
    for place, axes in enumerate(panels.flat):
        if place >= len(names):
            axes.set_axis_off()
            continue
        draw(axes, data.isel(setup=place, drop=True), legend=place == 0)
        axes.set_title(f"{names[place]} (points / batch)", fontsize=style.SIZE)


def _spread(variable: str, datasets: Datasets) -> str:
    data = datasets["width.paper_setups"]
    last = data[variable].isel(step=-1).mean("seed")
    return "at the last step, " + "; ".join(
        f"{setup}: " + ", ".join(f"{name} {float(last.sel(setup=setup, model=name)):.3g}" for name in COLOURS)
        for setup in data["setup"].values
    ) + "."  # fmt: skip


def _orders(datasets: Datasets) -> str:
    data = datasets["width.paper_setups"]
    said = []
    for setup in data["setup"].values:
        models, reference = logits_of(data.sel(setup=setup, drop=True))
        off = floor(reference.shape[0])
        means = {name: divergence(logits, reference).mean() - off for name, logits in models.items()}
        said.append(
            f"{setup}: " + ", ".join(f"{n} {v:.2f}" for n, v in sorted(means.items(), key=lambda item: item[1]))
        )
    return "means over the recorded steps, floor taken off: " + "; ".join(said) + "."


def _of_setups(number: int, variable: str) -> Figure:
    return Figure(
        name=f"width.figure_{number}",
        title=f"{NAMES[variable].capitalize()} for several batch sizes and numbers of training points",
        place=f"{PAPER}, Figure {number}",
        claim="With other batch sizes and other sizes of the training set differences are quantitative and marginal.",
        studies=("width.paper_setups",),
        draw=partial(_setups, draw=lambda axes, data, legend: curves(axes, data, variable, legend)),
        found=partial(_spread, variable),
        panels=(2, 2),
    )


FIGURES = (
    Figure(
        name="width.figure_1_right",
        title=f"A reference network of width {REFERENCE_WIDTH} and its scaled versions: accuracy, kernels, logits",
        place=f"{PAPER}, Figure 1, right",
        claim="The corrected mean-field model has the finite network's initial logits and its evolving kernels; MF, "
        "NTK and sym-default each miss one of these properties.",
        studies=("width.paper",),
        draw=_figure_one,
        found=_found_one,
        panels=(2, 2),
    ),
    Figure(
        name="width.figure_2",
        title="Divergence of the scaled models' logits from the reference's, as sampled and with the sampling floor "
        "taken off",
        place=f"{PAPER}, Figure 2",
        claim="The corrected mean-field model is the closest of all to the finite reference network; NTK is close for "
        "short times and MF for long ones.",
        studies=("width.paper",),
        draw=_figure_two,
        found=_found_two,
        panels=(1, 2),
    ),
    _of_setups(3, "accuracy"),
    _of_setups(4, "kernel"),
    _of_setups(5, "size"),
    _of_setups(6, "ratio"),
    Figure(
        name="width.figure_7",
        title="Divergence from the reference for several batch sizes and numbers of training points",
        place=f"{PAPER}, Figure 7",
        claim="The corrected mean-field model stays the closest for every batch size and size of the training set.",
        studies=("width.paper_setups",),
        draw=partial(_setups, draw=lambda axes, data, legend: divergences(axes, data, subtracted=False, legend=legend)),
        found=_orders,
        panels=(2, 2),
    ),
)
