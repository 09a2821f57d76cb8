"""The flag of breakeven:V12 as it is stated: what full-batch descent at a fifth of 1/lambda_nat says of each run, and
how far the trajectories' lambda_H exceeds 2/eta.
"""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable

import numpy as np
import xarray as xr

from experiments.breakeven.flag_figures import names, overshoot
from experiments.breakeven.image_trajectories import NETWORKS
from experiments.breakeven.image_trajectories import STUDIES as ON_IMAGES
from experiments.breakeven.natural_sharpness import SHARE, STOPPED
from experiments.breakeven.stated_checks import ALL, Outcome, said_of
from experiments.breakeven.trajectories import CONVOLUTIONAL_RATES
from experiments.breakeven.trajectories import STUDY as TANH
from experiments.breakeven.trajectory_summary import RATE, binding, described
from experiments.digest import Digest
from experiments.figures import Datasets, Figure
from experiments.pictures import style
from experiments.study import Study

ALIKE = 1e-3
"""Relative distance of lambda_H at the start below which two starts are one: Lanczos takes different numbers of
products with the Hessian.
"""


def outcomes_of(descent: Study, kept: Study) -> Callable[[Datasets], tuple[Outcome, ...]]:
    """Shares of seeds: one start, a rate that is small enough, and every run that is said to bind does."""

    def outcomes(datasets: Datasets) -> tuple[Outcome, ...]:
        run, runs = _descent(datasets, descent), described(datasets[kept.name], kept)
        natural, rate = run["largest"], float(run["rate"])
        start = runs["lambda_H"].isel(run=0, record=0)
        alike = abs(run["start"] / start - 1) < ALIKE
        small = natural * rate <= SHARE
        said = binding(runs)
        binds = 2 / runs[RATE] < natural
        number = f"eta = {rate:.2g}, lambda_nat at least {float(natural.min()):.3g} to {float(natural.max()):.3g}"
        highest = float((2 / runs[RATE]).max())
        return (
            Outcome("V12", "the start is that of the trajectories", _share(alike), ALL, "", True),
            Outcome("V12", f"eta lambda_nat <= {SHARE:.2g}", _share(small), ALL, number, True),
            Outcome(
                "V12",
                "2/eta < lambda_nat in every run that is flagged as binding",
                _share((binds | ~said).all("run")),
                ALL,
                f"2/eta at most {highest:.3g}",
                True,
            ),
        )

    return outcomes


def _descent(datasets: Datasets, descent: Study) -> xr.Dataset:
    return datasets[descent.name].isel(network=0, rate=0)


def _share(holds: xr.DataArray) -> float:
    return float(np.mean(holds.values))


def drawn_from(descent: Study, kept: Study) -> Callable[[np.ndarray, Datasets], None]:
    """Each seed's natural sharpness by either rate beside 2/eta of all runs, and how far lambda_H exceeds 2/eta."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        run, runs = _descent(datasets, descent), described(datasets[kept.name], kept)
        sharpness, beyond = axes.flat
        seeds = np.arange(run.sizes["seed"])
        flag = runs["natural_lambda_H"]
        flag = flag.isel(run=0) if "run" in flag.dims else flag
        points = {"linestyle": "none", "markersize": 5}
        sharpness.plot(
            seeds, run["largest"], marker=style.MARKERS[0], color=style.GREYS[0], label="small rate, stopped", **points
        )
        sharpness.plot(
            seeds,
            flag,
            marker=style.MARKERS[1],
            color=style.GREYS[1],
            markerfacecolor="none",
            label="flag's rate",
            **points,
        )
        for place, edge in enumerate(sorted(set((2 / runs[RATE]).values.tolist()))):
            sharpness.axhline(edge, color=style.PREDICTED, linewidth=1.0, label=None if place else "2/eta of the runs")
        cap = SHARE / float(run["rate"])
        sharpness.axhline(cap, color=style.GREYS[2], linewidth=1.0, linestyle="dashed", label=f"{SHARE:.2g}/eta")
        style.logarithmic(sharpness, "y")
        style.label(sharpness, "seed", "natural lambda_H")
        style.legend(sharpness)
        places = np.arange(runs.sizes["run"])
        beyond.plot(places, overshoot(runs), marker=style.MARKERS[0], color=style.GREYS[0], **points)
        beyond.axhline(1.0, color=style.PREDICTED, linewidth=1.0)
        beyond.set_xticks(places, names(runs), rotation=60, fontsize=style.SIZE)
        style.label(beyond, "eta, S", "largest lambda_H over 2/eta")

    return draw


def told(descent: Study, kept: Study) -> Callable[[Datasets], str]:
    """What holds, and the overshoot by run."""
    checks = said_of(outcomes_of(descent, kept))

    def found(datasets: Datasets) -> str:
        beyond = overshoot(described(datasets[kept.name], kept))
        return (
            f"{checks(datasets)} The largest lambda_H over 2/eta is {beyond.min():.2f} to {beyond.max():.2f}, by run."
        )

    return found


def _figure(name: str, words: str, descent: Study, kept: Study) -> Figure:
    return Figure(
        name=f"breakeven.figure_flags_as_stated_{name}",
        title=f"Whether 2/eta binds, by descent at a fifth of 1/lambda_nat from the same starts: {words}",
        place="Conjectures 1 and 2",
        claim="The conjectures are for settings at which training converges; lambda_H is held below 2/eta.",
        studies=(descent.name, kept.name),
        draw=drawn_from(descent, kept),
        found=told(descent, kept),
        panels=(1, 2),
    )


_TRAJECTORIES = {study.name: study for study in (TANH, CONVOLUTIONAL_RATES, *ON_IMAGES)}
_WORDS = {
    "tanh": "tanh network",
    "convolutional": "convolutional network",
    **{name: f"{network} on images" for name, network in NETWORKS.items()},
}

FIGURES = tuple(
    _figure(name, _WORDS[name], descent, _TRAJECTORIES[descent.grids["full"].settings["of"]])
    for name, descent in STOPPED.items()
)

DIGESTS = (
    Digest(
        "breakeven.flags",
        "2/eta binds all runs that are compared: full-batch descent at a rate of at most 0.2/lambda_nat gets sharper.",
        {
            "2/eta is exceeded": {_WORDS[name]: f"breakeven.task_exceeds_the_edge_{name}" for name in STOPPED},
            "whichever rate": {_WORDS["tanh"]: "breakeven.natural_sharpness_by_either_rate"},
        },
    ),
)
