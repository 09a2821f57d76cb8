"""Trajectories of the paper's SimpleCNN and MLP on images: CIFAR-10 or Fashion-MNIST by `--data PATH`.

Without a file they run on the digits, which is a smaller task than the paper's. Labels are clean here: whether
2/eta binds at all is for the flags to say. The full profile is cut to what a workstation does in a quarter of an
hour: 256 images, for the convolutional network of half the side, and an early part of training; the paper profile
keeps the images whole.
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.batch_runs import VARIABLES, measure
from experiments.breakeven.normalised_trajectories import grid
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_summary import STATISTICS, admitted, against, chosen, described, largest, needed
from experiments.study import Grid, Profile, Study
from numerics.data import digits

FACTORS = (1.0, 2.0, 4.0, 8.0)
NETWORKS = {"simple_cnn": "SimpleCNN", "mlp": "MLP 300-100"}
LEAST = {"lambda_h": 1.3, "lambda_km": 1.3, "ratio_km": 1.2}
LOWEST = {"simple_cnn": 0.02, "mlp": 0.02}
FLOW = {"simple_cnn": 8.0, "mlp": 8.0}


def _grid(name: str, profile: Profile) -> Grid:
    network, flow = NETWORKS[name], FLOW[name]
    runs = tuple((LOWEST[name] * factor, 32, False) for factor in FACTORS)
    if profile == "quick":
        return grid(network, runs[::3], 3, 1, flow=flow, natural=(0.01, 0.1))
    block = 2 if name == "simple_cnn" and profile == "full" else 1
    if profile == "full":
        return grid(network, runs, 9, 10, flow=flow, natural=(0.02, 2.0), block=block)
    return grid(network, runs, 41, 10, flow=4 * flow, natural=(0.01, flow))


def _study(name: str, network: str) -> Study:
    def observe(statistic: str) -> Callable[[xr.Dataset], xr.Dataset]:
        def observed(data: xr.Dataset) -> xr.Dataset:
            runs = admitted(chosen(described(needed(data, statistic), study), "learning_rate", batch_size=32))
            curve = STATISTICS[statistic](runs)
            found = against("learning_rate", largest(curve, "smoothed"), "eta", curve.isel(record=0))
            return found.assign_attrs(excluded=runs.attrs["excluded"])

        return observed

    study = Study(
        name=f"breakeven.{name}_trajectories",
        title=f"Hessian and mini-batch gradient covariance along SGD over learning rates: {network} on images",
        measure=measure,
        variables=VARIABLES,
        grids={profile: _grid(name, profile) for profile in ("quick", "full", "paper")},
        checks=tuple(
            trend(f"max_{statistic}_over_rate_{name}", observe(statistic), factor, only_full=True)
            for statistic, factor in LEAST.items()
        ),
        precision="float64",
        reduction="mean",
        data=digits,
        takes_data=True,
    )
    return study


STUDIES = tuple(_study(name, network) for name, network in NETWORKS.items())
