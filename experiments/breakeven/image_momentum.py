"""Momentum and decaying rates on images: the MLP, every statistic, raw and smoothed maxima, and at one loss."""

from collections.abc import Callable, Mapping

import xarray as xr

from experiments.breakeven.extended_runs import VARIABLES, grid, measure
from experiments.breakeven.image_claims import LEAST as ON_IMAGES
from experiments.breakeven.image_loss_claims import LEVELS
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
from experiments.study import Study
from numerics.data import digits

NETWORK = "mlp"
LEAST: Mapping[str, float] = {**ON_IMAGES, "trace_h": LEAST_FACTOR["trace_k"]}
SIZE, RATE, HEAVY = 32, 0.03, 0.9
MOMENTA = tuple((RATE, SIZE, momentum, False) for momentum in (0.0, 0.25, 0.5, 0.75))
RATES = tuple((rate, SIZE, HEAVY, False) for rate in (0.003, 0.0048, 0.0075, 0.012))
DECAYING = tuple((rate, SIZE, 0.0, True) for rate in (RATE, 0.048, 0.075, 0.12))
RUNS = (*MOMENTA, *RATES, *DECAYING)
"""Rate over 1 - momentum is 0.03 to 0.12 in each family, as over rates alone, where all converge and bind."""

FAMILIES: Mapping[str, tuple[str, str, Mapping[str, float | bool]]] = {
    "over_momentum": ("momentum", "beta", {"learning_rate": RATE, "decays": False}),
    "over_rate_with_momentum": ("learning_rate", "eta", {"momentum": HEAVY, "decays": False}),
    "over_rate_with_decay": ("learning_rate", "eta", {"momentum": 0.0, "decays": True}),
}
"""By the middle of the laws' names: the control, its symbol, and what is held fixed."""
EARLY = ("over_momentum", "over_rate_with_momentum")
"""Families whose runs differ from the start on: a rate that decays half-way passes the level before."""

STUDY = Study(
    name="breakeven.mlp_momentum_trajectories",
    title="Hessian and mini-batch gradient covariance over momentum and with decaying rates: MLP 300-100 on images",
    measure=measure,
    variables=VARIABLES,
    grids={
        "quick": grid("MLP 300-100", RUNS[::3], 3, 1, flow=0.4, natural=(0.04, 0.1), gram_size=32, probes=2),
        "full": grid("MLP 300-100", RUNS, 17, 10, flow=64.0, natural=(0.004, 10.0), gram_size=32, probes=8),
        "paper": grid("MLP 300-100", RUNS, 81, 10, flow=96.0, natural=(0.002, 20.0), gram_size=32, probes=32),
    },
    checks=(),
    precision="float64",
    reduction="mean",
    data=digits,
    takes_data=True,
)


def family(data: xr.Dataset, ending: str) -> xr.Dataset:
    """The runs of a family that converge and bind."""
    control, _, fixed = FAMILIES[ending]
    return admitted(chosen(described(data, STUDY), control, **fixed))


def weighed(name: str, ending: str, find: Callable[[xr.Dataset], xr.DataArray]) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe: logarithm of what is found in a family's runs, along its control, and at the start."""

    def observe(data: xr.Dataset) -> xr.Dataset:
        control, symbol, _ = FAMILIES[ending]
        runs = family(needed(data, name), ending)
        found = against(control, find(runs), symbol, STATISTICS[name](runs).isel(record=0))
        return found.assign_attrs(excluded=runs.attrs["excluded"])

    return observe


def maximum(name: str, view: str) -> Callable[[xr.Dataset], xr.DataArray]:
    """Find the largest value over training."""
    return lambda runs: largest(STATISTICS[name](runs), view)


def matched(name: str) -> Callable[[xr.Dataset], xr.DataArray]:
    """Find the smoothed value where the smoothed loss first falls to the network's level."""
    return lambda runs: at_loss(runs, name, LEVELS[NETWORK])


CHECKS = tuple(
    (STUDY.name, trend(f"{law}_{ending}_{NETWORK}", weighed(name, ending, find), LEAST[name], only_full=True))
    for ending in FAMILIES
    for name in LEAST
    for law, find in (
        *((f"max_{name}_{view}", maximum(name, view)) for view in VIEWS),
        *([(f"{name}_at_equal_loss", matched(name))] if ending in EARLY else []),
    )
)
