"""Claims about momentum and decaying learning rates weighed on the stored trajectories."""

from collections.abc import Callable, Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.momentum_trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_summary import admitted, chosen, described, maximum, needed, observed_along
from experiments.study import Check, CounterSystem, Margin

LEAST: Mapping[str, float] = {"lambda_h": 1.3, "lambda_k": 1.3, "ratio_km": 1.2}
Fixed = Mapping[str, float | bool]

FAMILIES: Mapping[str, tuple[str, str, Fixed]] = {
    "over_momentum": ("momentum", "beta", {"batch_size": 16, "learning_rate": 0.025, "decays": False}),
    "over_rate_with_momentum": ("learning_rate", "eta", {"batch_size": 32, "momentum": 0.9, "decays": False}),
    "over_rate_with_decay": ("learning_rate", "eta", {"batch_size": 32, "momentum": 0.0, "decays": True}),
}
"""Ending of the laws' names: the control, its symbol, and what is held fixed."""
WITHOUT_NOISE: Fixed = {"batch_size": 256, "learning_rate": 0.05, "decays": False}


def family(data: xr.Dataset, control: str, fixed: Fixed) -> xr.Dataset:
    """The runs over a control that converge and bind."""
    return admitted(chosen(described(data, STUDY), control, **fixed))


def maxima(name: str, control: str, symbol: str, fixed: Fixed) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe the smoothed maximum along the control."""
    return lambda data: observed_along(
        control, symbol, family(needed(data, name), control, fixed), name, maximum("smoothed")
    )


def least_cosine(data: xr.Dataset) -> xr.Dataset:
    """Least mean cosine of consecutive gradients over tenths of training, in every seed."""
    one = data["cosine"].isel(network=0) if "network" in data["cosine"].dims else data["cosine"]
    after = one.transpose("seed", "record").values[:, 1:]
    tenths = [part.mean(axis=1) for part in np.array_split(after, min(10, after.shape[1]), axis=1)]
    least = np.min(tenths, axis=0)
    lost = ~np.isfinite(one.values).all(axis=-1).reshape(-1)
    return xr.Dataset(
        {
            name: ("seed", np.where(lost, np.nan, values))
            for name, values in {
                "smaller": least,
                "larger": np.full(least.size, -0.5),
                "cosine": least,
                "bound": np.full(least.size, 1e-3),
            }.items()
        }
    )


CHECKS = (
    *(
        (
            STUDY.name,
            trend(f"max_{name}_{ending}", maxima(name, control, symbol, fixed), LEAST[name]),
        )
        for ending, (control, symbol, fixed) in FAMILIES.items()
        for name in LEAST
    ),
    (
        STUDY.name,
        trend("max_lambda_h_over_momentum_without_noise", maxima("lambda_h", "momentum", "beta", WITHOUT_NOISE), 1.1),
    ),
    (
        STUDY.name,
        Check(
            law="breakeven.descent_turns_back_at_its_edge",
            observe=least_cosine,
            margin=Margin(1.0, "dtype", "1e-3, more than float32 rounding of a cosine"),
            select={"run": 0},
            counter_systems=(CounterSystem("edge out of reach", {"run": 1}, "2/eta lies above what the task reaches"),),
            observed=("quick",),
        ),
    ),
)
