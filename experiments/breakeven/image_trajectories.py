"""Trajectories of the paper's SimpleCNN and MLP on images: CIFAR-10 or Fashion-MNIST by `--data PATH`.

Without a file they run on the digits, which is a smaller task than the paper's. Labels are clean here: whether
2/eta binds at all is for the flags to say.
"""

from collections.abc import Callable

import xarray as xr

from experiments.breakeven.trajectories import grid
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_runs import VARIABLES, measure
from experiments.breakeven.trajectory_summary import STATISTICS, admitted, against, chosen, described, largest, needed
from experiments.study import Study
from numerics.data import digits

RATES = tuple((factor, 32, 0.0, False) for factor in (0.5, 1.0, 2.0, 4.0))
NETWORKS = {"simple_cnn": "SimpleCNN", "mlp": "MLP 300-100"}
LEAST = {"lambda_h": 1.3, "lambda_km": 1.3, "ratio_km": 1.2}


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
        title=f"Hessian and gradient covariance along SGD over learning rates: {network} on images",
        measure=measure,
        variables=VARIABLES,
        grids={
            "quick": grid(network, RATES[::3], 3, 1, probes=1),
            "full": grid(network, RATES, 13, 10, probes=2),
            "paper": grid(network, RATES, 61, 10),
        },
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
