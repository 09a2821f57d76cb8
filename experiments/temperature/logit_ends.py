"""tau_z at both ends of the logit scale: its slope, and the constants that it tends to."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr

from experiments.study import Check, CounterSystem, Margin
from experiments.temperature.early_learning import OWN, STUDY, times

SMALL = slice(None, 1e-3)
LARGE = slice(1e2, None)
FAR_APART = (1.0, 1e4)
AT_ONE = {**OWN, "beta": 1.0}
SQUARED = {"system": "mean_squared", "activation": "erf", "beta": 1.0}
SELF_TAUGHT = {"system": "self_training", "activation": "erf", "beta": 1.0}


def small(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_z where the logits are small."""
    return xr.Dataset({"measured": _scaled(dataset).sel(logit_scale=SMALL)})


def large(dataset: xr.Dataset) -> xr.Dataset:
    """eta~ tau_z where the logits are large."""
    return xr.Dataset({"measured": _scaled(dataset).sel(logit_scale=LARGE)})


def small_constant(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of eta~ tau_z / ||Z0|| from the inverse drive of a uniform softmax."""
    return _distance(dataset.sel(logit_scale=SMALL), dataset["uniform_drive"])


def large_constant(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of eta~ tau_z / ||Z0|| from the inverse drive of a one-hot softmax.

    Two scales only: in between, how fast the error falls hangs on the least gap of all points, by chance.
    """
    return _distance(dataset.sel(logit_scale=list(FAR_APART)), dataset["winner_drive"])


def _scaled(dataset: xr.Dataset) -> xr.DataArray:
    found = times(dataset)
    return found["eta_tilde"] * found["tau_z"]


def _distance(dataset: xr.Dataset, drive: xr.DataArray) -> xr.Dataset:
    """Relative distances, never below what the gradient steps can tell."""
    found = times(dataset)
    measured = found["eta_tilde"] * found["tau_z"] / found["norm_Z0"]
    error = abs(measured * drive - 1)
    return xr.Dataset(
        {
            "error": np.maximum(error, found["relative_error"]),
            "measured": measured,
            "norm_uniform": dataset["uniform_drive"],
            "norm_winner": dataset["winner_drive"],
            "norm_labels": dataset["label_drive"],
        }
    )


def slope_check(
    law: str, observe: Callable[[xr.Dataset], xr.Dataset], because: str, select: Mapping[str, Any], other: CounterSystem
) -> tuple[str, Check]:
    """A check of the slope at one end of the logit scale, on the study of early learning."""
    margin = Margin(0.02, "physics", because)
    return STUDY.name, Check(law=law, observe=observe, margin=margin, select=select, counter_systems=(other,))


SELF_TRAINING = CounterSystem("self-training", SELF_TAUGHT, "its residual vanishes with the logits, so the slope is 0")

CHECKS = (
    slope_check(
        "temperature.tau_z_small_logits",
        small,
        "rivals are 1 away; a tighter margin costs nothing here",
        AT_ONE,
        SELF_TRAINING,
    ),
    slope_check(
        "temperature.tau_z_large_logits",
        large,
        "rivals are 1 away; points with small gaps bend the slope by 0.005",
        AT_ONE,
        CounterSystem("mean-squared loss", SQUARED, "its residual grows with Z, so the slope is 0"),
    ),
    (
        STUDY.name,
        Check(
            law="temperature.small_logit_constant",
            observe=small_constant,
            margin=Margin(0.1, "physics", "the error must fall by a factor 10 from rms 10^-3 to rms 10^-5"),
            select=AT_ONE,
            counter_systems=(
                CounterSystem("mean-squared loss", SQUARED, "tends to the inverse size of Theta Y instead"),
            ),
        ),
    ),
    (
        STUDY.name,
        Check(
            law="temperature.large_logit_constant",
            observe=large_constant,
            margin=Margin(
                0.1,
                "physics",
                "from rms 1 to rms 10^4 the error falls by more than 10^3 (few points have gaps below 10^-4), and "
                "not at all where the limit is another one: a fifth of half that distance",
            ),
            select=AT_ONE,
            counter_systems=(CounterSystem("mean-squared loss", SQUARED, "tends to no constant but 0"),),
        ),
    ),
)
