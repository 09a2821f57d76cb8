"""The flags that admit a run (breakeven:V12, V13): whether it converges, whether 2/eta binds, and how far lambda_H
exceeds it.

The natural sharpness is that of full-batch descent with a small rate from the same start. It is a lower bound, since
that rate has an edge of its own: a run that is left out may bind all the same, one that is admitted does.
"""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from experiments.breakeven.trajectories import CONVOLUTIONAL, CONVOLUTIONAL_RATES, STUDY
from experiments.breakeven.trajectory_summary import BATCH, RATE, binding, converged, described
from experiments.figures import Datasets, Figure
from experiments.pictures import style
from experiments.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_FLAGS = {"converge": converged, "bind": binding}


def overshoot(runs: xr.Dataset) -> np.ndarray:
    """Largest lambda_H over 2/eta by run, geometric mean over seeds."""
    top = runs["lambda_H"].max("record") * runs[RATE] / 2
    return np.exp(np.log(top.transpose("seed", "run").values).mean(axis=0))


def names(runs: xr.Dataset) -> list[str]:
    """The settings of each run in words."""
    return [f"{rate:.3g}, {int(size)}" for rate, size in zip(runs[RATE].values, runs[BATCH].values, strict=True)]


def drawn_from(study: Study) -> Callable[[np.ndarray, Datasets], None]:
    """The share of seeds that each flag admits, and how far lambda_H exceeds 2/eta, by run."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        runs = described(datasets[study.name], study)
        flags, beyond = axes.flat
        for index, (word, flag) in enumerate(_FLAGS.items()):
            _points(flags, flag(runs).mean("seed").values, runs, word, index)
        style.label(flags, "eta, S", "share of the seeds")
        style.legend(flags)
        _points(beyond, overshoot(runs), runs, "", 0)
        beyond.axhline(1.0, color=style.PREDICTED, linewidth=1.0)
        style.label(beyond, "eta, S", "largest lambda_H over 2/eta")

    return draw


def _points(panel: Axes, values: np.ndarray, runs: xr.Dataset, word: str, index: int) -> None:
    places = np.arange(runs.sizes["run"])
    look = {"color": style.GREYS[index], "marker": style.MARKERS[index], "markersize": 5 + 4 * index}
    panel.plot(places, values, markerfacecolor="none" if index else None, linestyle="none", label=word, **look)
    panel.set_xticks(places, names(runs), rotation=60, fontsize=style.SIZE)


def said_of(study: Study) -> Callable[[Datasets], str]:
    """Exclusions by run, the natural sharpness, and the overshoot."""

    def found(datasets: Datasets) -> str:
        runs = described(datasets[study.name], study)
        failed = {word: (~flag(runs)).sum("seed").values for word, flag in _FLAGS.items()}
        seeds, natural = runs.sizes["seed"], runs["natural_lambda_H"]
        words = "; ".join(
            f"{name}: {' and '.join(f'{count[place]} do not {word}' for word, count in failed.items() if count[place])}"
            for place, name in enumerate(names(runs))
            if any(count[place] for count in failed.values())
        )
        beyond = ", ".join(f"{value:.2f}" for value in overshoot(runs))
        return (
            f"Of {seeds} seeds, by eta and S: {words or 'all converge and bind'}. The natural lambda_H is at least "
            f"{float(natural.min()):.3g} to {float(natural.max()):.3g}, by seed. The largest lambda_H over 2/eta, by "
            f"run: {beyond}."
        )

    return found


def figure_of(name: str, words: str, study: Study) -> Figure:
    """The flags of a study's runs."""
    return Figure(
        name=f"breakeven.{name}",
        title=f"Which runs converge and bind, and how far lambda_H exceeds 2/eta: {words}",
        place="Conjectures 1 and 2",
        claim="The conjectures are for settings at which training converges; lambda_H is held below 2/eta.",
        studies=(study.name,),
        draw=drawn_from(study),
        found=said_of(study),
        panels=(1, 2),
    )


FIGURES = (
    figure_of("figure_flags", "tanh network", STUDY),
    figure_of("figure_flags_convolutional", "convolutional network, over a wide range", CONVOLUTIONAL),
    figure_of("figure_flags_convolutional_rates", "convolutional network, over learning rates", CONVOLUTIONAL_RATES),
)
