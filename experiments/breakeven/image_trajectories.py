"""Trajectories of the paper's SimpleCNN and MLP on images: CIFAR-10 or Fashion-MNIST by `--data PATH`.

Without a file they run on the digits, which is a smaller task than the paper's. Labels are clean here: whether
2/eta binds at all is for the flags to say. The full profile is cut to what one core does in half an hour: 256
images, and for the convolutional network 128 images of which each block of 4 x 4 pixels is one. The paper profile
keeps the images whole.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from experiments.breakeven.batch_runs import VARIABLES, measure
from experiments.breakeven.normalised_trajectories import grid
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_summary import RATE, admitted, chosen, described, maximum, needed, observed_along
from experiments.study import Grid, Profile, Study
from numerics.data import Data, digits

BLOCK = 4
"""Pixels along the side of a block that counts as one, in the full profile of the convolutional network."""
FACTORS = (1.0, 2.0, 4.0, 8.0)
LOWEST = 0.02
NETWORKS = {"simple_cnn": "SimpleCNN", "mlp": "MLP 300-100"}
MLP_RATE = 0.03
"""Learning rate of the runs of the MLP over batch sizes, the lowest of those over rates."""
LEAST = {"lambda_h": 1.3, "lambda_km": 1.3, "ratio_km": 1.2}
FEWER: Mapping[str, int] = {"points": 128, "lanczos_steps": 8, "gram_batches": 25, "gram_size": 16, "fresh": 4}
"""Sizes for the convolutional network, whose Hessian is what costs."""
SIZE = 32
"""Of the runs over rates."""
RUNS = tuple((LOWEST * factor, SIZE, False) for factor in FACTORS)
FITTING = tuple((rate, SIZE, False) for rate in (0.035, 0.05, 0.07, 0.1))
"""Learning rates at all of which the convolutional network is expected to fit its images, and 2/eta to bind.

Declared after three seeds of the rates of ``RUNS`` to a flow time of 4 had been looked at, where no run had left the
plateau at the start (loss 2.1 to 2.3). On one other seed the share of fitted images passed 0.95 at a flow time of
18 at rate 0.04, 24 at 0.08 and 34 at 0.12, and not by 36 at 0.16; descent at 0.03 was at lambda_H 119 at a flow
time of 10, where 2/0.035 is 57.
"""
MODERATE = tuple((rate, SIZE, False) for rate in (MLP_RATE, 0.042, 0.06, 0.085, 0.12))
"""Learning rates at all of which the MLP is expected to fit its images, and 2/eta to bind.

Declared after ten seeds of the rates of ``RUNS`` to a flow time of 16 had been looked at, of which 0.02 did not bind
(natural sharpness 59 to 88, by a flow time of 4, where 2/eta is 100) and the others had not converged by then. On six
other seeds, of which only these flags were looked at, the share of fitted images was 1 at a flow time of 48 at rate
0.03, with batches of 8, 32 and 128 alike, and from 0.996 to 1 at a flow time of 64 at rate 0.12; the natural sharpness
was 85 to 103, reached at a flow time of 8 to 10, where 2/0.03 is 67.
"""
MLP_SIZES = tuple((MLP_RATE, size, False) for size in (8, 16, 128))
"""The runs over batch sizes beside that of ``MODERATE``."""

GRIDS: Mapping[str, Mapping[Profile, Grid]] = {
    "simple_cnn": {
        "quick": grid("SimpleCNN", RUNS[::3], 3, 1, flow=0.4, natural=(0.04, 0.1), sizes=FEWER),
        "full": replace(
            grid("SimpleCNN", FITTING, 9, 10, flow=48.0, natural=(0.03, 10.0), block=BLOCK, sizes=FEWER), first_seed=3
        ),
        "paper": grid("SimpleCNN", FITTING, 41, 10, flow=48.0, natural=(0.01, 10.0)),
    },
    "mlp": {
        "quick": grid("MLP 300-100", RUNS[::3], 3, 1, flow=0.4, natural=(0.04, 0.1)),
        "full": replace(
            grid("MLP 300-100", (*MODERATE, *MLP_SIZES), 21, 10, flow=64.0, natural=(0.004, 10.0)), first_seed=10
        ),
        "paper": grid("MLP 300-100", (*MODERATE, *MLP_SIZES), 81, 10, flow=96.0, natural=(0.002, 20.0)),
    },
}


def enlarged() -> Data:
    """The digits with each pixel as a block: images of 32 x 32, from which blocks give the digits back."""
    small = digits()

    def blocks(x: np.ndarray) -> np.ndarray:
        return x.reshape(-1, 8, 8).repeat(BLOCK, axis=1).repeat(BLOCK, axis=2)

    return replace(small, x_train=blocks(small.x_train), x_test=blocks(small.x_test))


DATA: Mapping[str, Callable[[], Data]] = {"simple_cnn": enlarged, "mlp": digits}


def _study(name: str, network: str) -> Study:
    def observe(statistic: str) -> Callable[[xr.Dataset], xr.Dataset]:
        def observed(data: xr.Dataset) -> xr.Dataset:
            runs = admitted(chosen(described(needed(data, statistic), study), RATE, batch_size=SIZE))
            return observed_along(RATE, "eta", runs, statistic, maximum("smoothed"))

        return observed

    study = Study(
        name=f"breakeven.{name}_trajectories",
        title=f"Hessian and mini-batch gradient covariance along SGD over learning rates: {network} on images",
        measure=measure,
        variables=VARIABLES,
        grids=GRIDS[name],
        checks=tuple(
            trend(f"max_{statistic}_over_rate_{name}", observe(statistic), factor, only_full=True)
            for statistic, factor in LEAST.items()
        ),
        precision="float64",
        reduction="mean",
        data=DATA[name],
        takes_data=True,
    )
    return study


STUDIES = tuple(_study(name, network) for name, network in NETWORKS.items())
