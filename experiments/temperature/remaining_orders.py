"""Orders of errors that the studies which stand can tell: saturation in the mean, weak decay, tau_nl."""

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.temperature import gaussian_softmax, nonlinear_time, one_point
from experiments.temperature.error_orders import WEAK

AT_ONE = {"system": "one_half", "beta": 1.0, "logit_scale": slice(1e-2, None)}
LATE = ("full", "paper")


def unsaturated(dataset: xr.Dataset) -> xr.Dataset:
    """What the confidence lacks to 1, where most gaps are large."""
    return xr.Dataset({"measured": 1 - dataset["confidence"].sel(logit_scale=slice(10.0, None))})


def weak_decay(dataset: xr.Dataset) -> xr.Dataset:
    """Decay over beta^2 theta e^(-u) / (u / 2) at rest, less 1; u is 2 beta z."""
    resting = dataset.sel(control=WEAK)
    u, pull = resting["u"], resting["beta"] ** 2 * resting["theta"]
    error = abs(u / 2 * one_point.decay(resting) / (pull * np.exp(-u)) - 1)
    shares = np.exp(-u.mean("seed").values)  # a gap at rest hangs on the control alone
    return xr.Dataset({"measured": error.rename(control="x").assign_coords(x=shares)})


CHECKS = (
    (
        gaussian_softmax.STUDY.name,
        Check(
            law="temperature.averaged_saturation_order",
            observe=unsaturated,
            margin=Margin(0.2, "physics", "the nearest rival is 1/2 away; from s = 10 on the slope bends by 0.05"),
            select=gaussian_softmax.OWN,
        ),
    ),
    (
        one_point.STUDY.name,
        Check(
            law="temperature.weak_decay_order",
            observe=weak_decay,
            margin=Margin(0.2, "physics", "rivals are 1 away"),
            select=one_point.OWN,
            profiles=LATE,
        ),
    ),
    (
        nonlinear_time.STUDY.name,
        Check(
            law="temperature.tau_nl_in_logit_scale",
            observe=nonlinear_time.nonlinear,
            margin=Margin(0.1, "physics", "a factor 2.5 over four decades; rivals are 1 away"),
            select=AT_ONE,
            counter_systems=(
                CounterSystem(
                    "both halves trained",
                    {"system": "both_halves", "activation": "erf", "beta": 1.0, "logit_scale": [1e-2, 1.0]},
                    "opposite halves cancel the kernel's change where the initial logits are small",
                ),
            ),
        ),
    ),
)
