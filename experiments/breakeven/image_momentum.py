"""Momentum and decaying rates on images: every statistic, raw and smoothed maxima, and at one loss."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.image_claims import LEAST as ON_IMAGES
from experiments.breakeven.image_loss_claims import LEVELS
from experiments.breakeven.image_momentum_runs import HEAVY, RUNS, STUDY_OF
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, trend
from experiments.breakeven.trajectory_summary import (
    STATISTICS,
    VIEWS,
    admitted,
    against,
    at_loss,
    chosen,
    described,
    largest,
    needed,
)

LEAST: Mapping[str, float] = {**ON_IMAGES, "trace_h": LEAST_FACTOR["trace_k"]}
CONTROLS: Mapping[str, tuple[str, str]] = {
    "over_momentum": ("momentum", "beta"),
    "over_rate_with_momentum": ("learning_rate", "eta"),
    "over_rate_with_decay": ("learning_rate", "eta"),
}
"""By the middle of the laws' names: the control and its symbol."""
EARLY = ("over_momentum", "over_rate_with_momentum")
"""Families whose runs differ from the start on: a rate that decays half-way passes the level before."""


def family(data: xr.Dataset, network: str, ending: str) -> xr.Dataset:
    """The runs of a family that converge and bind."""
    fixed: Mapping[str, Mapping[str, float | bool]] = {
        "over_momentum": {"learning_rate": RUNS[network].rate, "decays": False},
        "over_rate_with_momentum": {"momentum": HEAVY, "decays": False},
        "over_rate_with_decay": {"momentum": 0.0, "decays": True},
    }
    control, _ = CONTROLS[ending]
    return admitted(chosen(described(data, STUDY_OF[network]), control, **fixed[ending]))


def weighed(
    network: str, name: str, ending: str, find: Callable[[xr.Dataset], xr.DataArray]
) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: logarithm of what is found in a family's runs, along its control, and at the start."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        control, symbol = CONTROLS[ending]
        runs = family(needed(data, name), network, ending)
        found = against(control, find(runs), symbol, STATISTICS[name](runs).isel(record=0))
        return found.assign_attrs(excluded=runs.attrs["excluded"])

    return observe


def maximum(name: str, view: str) -> Callable[[xr.Dataset], xr.DataArray]:
    """Find the largest value over training."""
    return lambda runs: largest(STATISTICS[name](runs), view)


def matched(network: str, name: str) -> Callable[[xr.Dataset], xr.DataArray]:
    """Find the smoothed value where the smoothed loss first falls to the network's level."""
    return lambda runs: at_loss(runs, name, LEVELS[network])


CHECKS = tuple(
    (
        study.name,
        trend(f"{law}_{ending}_{network}", weighed(network, name, ending, find), LEAST[name], only_full=True),
    )
    for network, study in STUDY_OF.items()
    for ending in CONTROLS
    for name in LEAST
    for law, find in (
        *((f"max_{name}_{view}", maximum(name, view)) for view in VIEWS),
        *([(f"{name}_at_equal_loss", matched(network, name))] if ending in EARLY else []),
    )
)
