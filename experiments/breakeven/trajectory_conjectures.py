"""Conjectures 1 and 2 weighed on the stored trajectories, one check for each statistic, view and control."""

import math
from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.trajectories import CONVOLUTIONAL, CONVOLUTIONAL_RATES, STUDY
from experiments.breakeven.trajectory_summary import (
    VIEWS,
    admitted,
    chosen,
    described,
    maximum,
    needed,
    observed_along,
)
from experiments.study import PROFILES, Check, Margin, Study

LEAST_FACTOR: Mapping[str, float] = {
    "lambda_h": 1.3, "lambda_k": 1.3, "lambda_km": 1.3, "trace_k": 1.5, "ratio_k": 1.2, "ratio_km": 1.2,
}  # fmt: skip
"""Factor between the ends of the grid below which a change counts as none (breakeven:V11)."""
CONTROLS = {"rate": ("learning_rate", "eta"), "batch_size": ("batch_size", "S")}
SYSTEMS: Mapping[str, Mapping[str, Study]] = {
    "": {"learning_rate": STUDY, "batch_size": STUDY},
    "_convolutional": {"learning_rate": CONVOLUTIONAL_RATES, "batch_size": CONVOLUTIONAL},
}
"""By the ending of a law's name, the study of each control."""


def sweep(data: xr.Dataset, study: Study, control: str) -> xr.Dataset:
    """The runs over one control, the other at its base, that converge and bind."""
    runs = described(data, study)
    base = float(study.grids["full"].settings["rate_factor"][-1])  # the last runs are those over batch sizes
    rates = sorted(set(runs["learning_rate"].values.tolist()))
    if control == "learning_rate":
        found = chosen(runs, control, batch_size=32, momentum=0.0, decays=False)
    else:
        factor = study.grids["full"].settings["rate_factor"]
        middle = min(rates, key=lambda rate: abs(rate / max(rates) - base / max(factor)))
        found = chosen(runs, control, learning_rate=middle, momentum=0.0, decays=False)
    return admitted(found)


def maxima(study: Study, name: str, view: str, control: str, symbol: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the maximum along the control."""
    return lambda data: observed_along(control, symbol, sweep(needed(data, name), study, control), name, maximum(view))


def trend(law: str, observe: Callable[[xr.Dataset], xr.Dataset], factor: float, *, only_full: bool = False) -> Check:
    """Check of a trend in a logarithm between the ends of a grid; quick only shows it, or leaves it out."""
    effect = math.log(factor)
    margin = Margin(0.4 * effect, "physics", f"less than half of the least effect, the logarithm of {factor}")
    return _one_way(law, observe, margin, effect, only_full)


def trend_of_counts(law: str, observe: Callable[[xr.Dataset], xr.Dataset], *, only_full: bool = False) -> Check:
    """The same for a number of things: between the ends of a grid it changes by one at least."""
    return _one_way(law, observe, Margin(0.4, "physics", "less than half of the least effect, one"), 1.0, only_full)


def _one_way(
    law: str, observe: Callable[[xr.Dataset], xr.Dataset], margin: Margin, effect: float, only_full: bool
) -> Check:
    return Check(
        law=f"breakeven.{law}",
        observe=observe,
        margin=margin,
        profiles=("full", "paper") if only_full else PROFILES,
        observed=() if only_full else ("quick",),
        minimum_effect=effect,
    )


def in_every_seed(
    law: str, observe: Callable[[xr.Dataset], xr.Dataset], because: str, quick: bool = False, *, only_full: bool = False
) -> Check:
    """Check of an inequality that is said of each seed by itself; quick only shows it, unless it judges it too."""
    return Check(
        law=f"breakeven.{law}",
        observe=observe,
        margin=Margin(1.0, "dtype", because),
        profiles=("full", "paper") if only_full else PROFILES,
        observed=() if quick or only_full else ("quick",),
    )


CHECKS = tuple(
    (
        studied[control].name,
        trend(
            f"max_{name}_{view}_over_{words}{suffix}",
            maxima(studied[control], name, view, control, symbol),
            LEAST_FACTOR[name],
            only_full=bool(suffix),
        ),
    )
    for suffix, studied in SYSTEMS.items()
    for words, (control, symbol) in CONTROLS.items()
    for name in LEAST_FACTOR
    for view in VIEWS
)
