"""Figures 5 and 6 of the temperature paper on small tasks: the phase plane, and architectures over beta."""

from __future__ import annotations  # figures are listed without matplotlib, which takes a while to import

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.figures import Datasets, Figure
from experiments.pictures.style import INK, SIZE, label, legend
from experiments.temperature.early_figures import curve, logs
from experiments.temperature.phase_plane import ARCHITECTURES, EARLY, PLANE, RECURRENT, at_best

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = {"plain": "one hidden layer", "large_weights": "weights three times as large", "normalised": "batch norm"}
PANELS = {"test": "test accuracy", "early": f"test accuracy after {EARLY} steps", "final_rms": "rms of Z at the end"}


def plane(axes: np.ndarray, datasets: Datasets) -> None:
    """Accuracy at the end and early on, and the size of the logits at the end, each a table in greys."""
    best = at_best(datasets[PLANE.name].sel(system="plain")).mean("seed")
    for panel, (name, title) in zip(axes[0], PANELS.items(), strict=True):
        table(panel, best[name], title, logarithmic=name == "final_rms")


def table(panel: Axes, values: xr.DataArray, title: str, logarithmic: bool) -> None:
    """A grey for every point of the plane, with its number; dark is large."""
    from matplotlib.colors import LogNorm, Normalize

    values = values.transpose("logit_scale", "beta")
    low, high = float(values.min()), float(values.max())
    norm = LogNorm(low, high) if logarithmic else Normalize(low, high)
    panel.imshow(values, origin="lower", cmap="Greys", norm=norm, aspect="auto", alpha=0.75)
    for (row, column), value in np.ndenumerate(values.values):
        dark = float(norm(value)) > 0.7
        digits = 2 if not logarithmic else 1 if value < 10 else 0
        panel.text(
            column, row, f"{value:.{digits}f}", ha="center", va="center",
            fontsize=SIZE - 1, color="white" if dark else INK,
        )  # fmt: skip
    panel.set_xticks(range(values.sizes["beta"]), [f"{b:g}" for b in values["beta"].values])
    panel.set_yticks(range(values.sizes["logit_scale"]), [f"{s:g}" for s in values["logit_scale"].values])
    panel.set_title(title, fontsize=SIZE, color=INK)
    label(panel, "beta", "rms of Z0")


def found_plane(datasets: Datasets) -> str:
    """The differences that the figure is about."""
    best = at_best(datasets[PLANE.name].sel(system="plain")).mean("seed")
    test, early, final = best["test"].sel(logit_scale=0.01), best["early"], best["final_rms"].sel(logit_scale=0.01)
    scales = best["test"].sel(beta=0.1)
    small = abs(best["test"].sel(logit_scale=0.01) - best["test"].sel(logit_scale=1.0)).sel(beta=slice(None, 1.0))
    return (
        f"at rms 0.01 test accuracy goes from {float(test.sel(beta=0.01)):.2f} at beta = 0.01 to "
        f"{float(test.sel(beta=10.0)):.2f} at 10 and {float(test.sel(beta=100.0)):.2f} at 100; up to beta = 1 it "
        f"differs by at most {float(small.max()):.3f} between rms 0.01 and 1, and at beta = 0.1 it is "
        f"{float(scales.sel(logit_scale=10.0)):.2f} at rms 10. After {EARLY} steps at beta = 0.1 it is "
        f"{float(early.sel(beta=0.1, logit_scale=0.01)):.2f} at rms 0.01 and "
        f"{float(early.sel(beta=0.1, logit_scale=10.0)):.2f} at rms 10. The final logits' rms is "
        f"{float(final.sel(beta=0.01)):.1f} at beta = 0.01 and {float(final.sel(beta=100.0)):.0f} at 100."
    )


def curves(datasets: Datasets) -> dict[str, xr.DataArray]:
    """Test accuracy over beta of each network on the stripes, every seed."""
    own = at_best(datasets[PLANE.name].sel(system="plain", logit_scale=0.01))["test"]
    others = at_best(datasets[ARCHITECTURES.name].sel(logit_scale=0.01))["test"]
    return {NAMES["plain"]: own} | {
        NAMES[name]: others.sel(system=name) for name in ("large_weights", "normalised")
    }  # fmt: skip


def sequences(datasets: Datasets) -> xr.DataArray:
    """Test accuracy over beta of the recurrent network, every seed."""
    return at_best(datasets[RECURRENT.name].sel(system="recurrent", logit_scale=0.01))["test"]


def architectures(axes: np.ndarray, datasets: Datasets) -> None:
    """Means, the best seed, and the recurrent network."""
    means, best, words = axes[0]
    for place, (name, test) in enumerate(curves(datasets).items()):
        spread = test.std("seed", ddof=1)
        means.errorbar(test["beta"], test.mean("seed"), yerr=spread, capsize=2, label=name, **curve(place))
        best.plot(test["beta"], test.max("seed"), **curve(place))
    test = sequences(datasets)
    words.errorbar(
        test["beta"], test.mean("seed"), yerr=test.std("seed", ddof=1), capsize=2, label="mean, sd of seeds", **curve(0)
    )
    words.plot(test["beta"], test.max("seed"), label="best seed", **curve(1))
    for panel, text in ((means, "test accuracy, mean and sd of seeds"), (best, "test accuracy, best seed")):
        label(panel, "beta", text)
    label(words, "beta", "test accuracy, recurrent network")
    for panel in axes[0]:
        logs(panel, y=False)
    low, high = means.get_ylim()
    means.set_ylim(low - 0.22 * (high - low), high)  # the legend stands below the curves
    legend(means, 3)
    legend(words, 2)


def found_architectures(datasets: Datasets) -> str:
    """Where each does best, and how far its seeds spread at the ends."""
    told = []
    for name, test in {**curves(datasets), "recurrent": sequences(datasets)}.items():
        mean, spread = test.mean("seed"), test.std("seed", ddof=1)
        first, last = mean["beta"].values[[0, -1]]
        best = mean["beta"].values[int(np.argmax(mean.values))]
        told.append(
            f"{name} {float(mean.max()):.2f} at beta = {best:g} "
            f"({float(mean.sel(beta=last)):.2f} at {last:g}; sd {float(spread.sel(beta=first)):.3f} at {first:g}, "
            f"{float(spread.sel(beta=last)):.3f} at {last:g})"
        )
    return f"best means: {'; '.join(told)}."


FIGURES = (
    Figure(
        "temperature.figure_5",
        "Accuracy over inverse temperature and initial logits, on the stripe task at the best learning rate",
        "fig 5",
        "generalization is highly sensitive to beta and little to ||Z0|| unless that is large; learning is slow early "
        "on at small beta and at large ||Z0||; the final size of the logits tends to 1 whatever both are.",
        (PLANE.name,),
        plane,
        found_plane,
        (1, 3),
    ),
    Figure(
        "temperature.figure_6",
        "Accuracy over inverse temperature of several networks, at the best learning rate",
        "fig 6",
        "without batch normalisation the best beta is near 0.01 and mends even large weights, with it near 10; at "
        "small beta means fall while the best seeds stay; a recurrent network is best near 1, its best seed at less.",
        (PLANE.name, ARCHITECTURES.name, RECURRENT.name),
        architectures,
        found_architectures,
        (1, 3),
    ),
)
