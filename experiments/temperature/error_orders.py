"""How fast the errors of the leading orders go away, on the studies of the laws that they belong to."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr
from scipy.special import lambertw

from experiments.study import PROFILES, Check, Margin, Study
from experiments.temperature import class_blocks, conditioning, deviation, early_learning, logit_ends, one_point

EARLY = [1e-4, 1e-3, 1e-2]
WEAK = [100.0, 1e3, 1e4]
"""beta^2 theta / lam at which one point rests confident."""


def displacement(dataset: xr.Dataset) -> xr.Dataset:
    """Relative distance from the straight line at early times, at each temperature."""
    return xr.Dataset({"measured": dataset["bend"].sel(time=EARLY)})


def small_constant(dataset: xr.Dataset) -> xr.Dataset:
    """How far eta~ tau_z / ||Z0|| is from its constant at small logits."""
    return xr.Dataset({"measured": logit_ends.small_constant(dataset)["error"]})


def logarithm(dataset: xr.Dataset) -> xr.Dataset:
    """How far the gap is from ln C, over ln C; C is that of a gap that starts at 0, but for a few per cent."""
    late = dataset.sel(clock=[100.0, 300.0])
    control = 2 * late["clock"] + late["gap0"] + np.exp(late["gap0"])
    found = abs(late["gap"] / np.log(control) - 1).rename(clock="C")
    return xr.Dataset({"measured": found.assign_coords(C=2 * late["clock"].values + 1)})


def sums(dataset: xr.Dataset) -> xr.Dataset:
    """Drift of the sums over classes, over the width."""
    return xr.Dataset({"measured": dataset["sum_drift"].rename(d="width")})


def confident(dataset: xr.Dataset) -> xr.Dataset:
    """How far the wrong class's probability is from the exponential of the gap."""
    resting = dataset.sel(control=WEAK)
    return _over_shares(abs(resting["wrong"] - np.exp(-resting["u"])), resting)


def relaxation(dataset: xr.Dataset) -> xr.Dataset:
    """How far the rate of relaxation is from that with Lambert's function."""
    resting = dataset.sel(control=WEAK)
    rate = resting["rate"] / (resting["eta"] * one_point.decay(resting))
    return _over_shares(abs(rate / (1 + np.real(lambertw(2 * resting["control"]))) - 1), resting)


def _over_shares(error: xr.DataArray, resting: xr.Dataset) -> xr.Dataset:
    shares = np.exp(-resting["u"].mean("seed").values)  # a gap at rest hangs on the control alone
    return xr.Dataset({"measured": error.rename(control="x").assign_coords(x=shares)})


def small_jacobian(dataset: xr.Dataset) -> xr.Dataset:
    """Largest entry of the distance from the Jacobian of a uniform softmax."""
    classes = dataset.sizes["class_"]
    uniform = xr.DataArray((np.eye(classes) - 1 / classes) / classes, dims=("class_", "other"))
    far = abs(dataset["jacobian"].sel(logit_scale=[1e-3, 1e-1]) - uniform)
    return xr.Dataset({"measured": far.max(("class_", "other"), skipna=False)})


def vectors(dataset: xr.Dataset) -> xr.Dataset:
    """Largest entry of the distance of all eigenvectors from their limits."""
    far = [
        look(dataset)["error"].max("pair", skipna=False)
        for look in (conditioning.larger_entries, conditioning.smaller_entries)
    ]
    return xr.Dataset({"measured": xr.concat(far, dim="kind").max("kind", skipna=False)})


def condition_number(dataset: xr.Dataset) -> xr.Dataset:
    """Distance of the scaled condition number from its limit."""
    return xr.Dataset({"measured": conditioning.frozen_condition(dataset)["error"]})


def deviation_rate(dataset: xr.Dataset) -> xr.Dataset:
    """How far the relative deviation is from its first rate, at beta = 1, where eta~ t / beta is eta~ t."""
    own = dataset.sel(beta=1.0, time=EARLY)
    found = abs(2 * own["nonlinear_time"] * own["deviation"] / own["time"] - 1)
    return xr.Dataset({"measured": found.rename(time="t_hat")})


ORDERS: tuple[tuple[str, Study, Callable[[xr.Dataset], xr.Dataset], Mapping[str, Any]], ...] = (
    ("early_displacement_order", deviation.STUDY, displacement, {}),
    ("small_logit_constant_order", early_learning.STUDY, small_constant, logit_ends.AT_ONE),
    ("logarithmic_growth_order", one_point.STUDY, logarithm, one_point.OWN),
    ("conserved_sum_in_width", class_blocks.STUDY, sums, {"system": "independent"}),
    ("confident_softmax_order", one_point.STUDY, confident, one_point.OWN),
    ("one_point_relaxation_order", one_point.STUDY, relaxation, one_point.OWN),
    ("jacobian_at_small_logits", conditioning.STUDY, small_jacobian, conditioning.APART),
    ("frozen_eigenvector_order", conditioning.STUDY, vectors, conditioning.APART),
    ("frozen_condition_number_order", conditioning.STUDY, condition_number, conditioning.APART),
    ("deviation_order", deviation.STUDY, deviation_rate, {}),
)
IN_FULL = ("logarithmic", "relaxation", "jacobian", "frozen")
"""Those not judged in the quick profile, which must stay within three minutes: each is weighed and drawn by itself."""

CHECKS = tuple(
    (
        study.name,
        Check(
            law=f"temperature.{name}",
            observe=observe,
            margin=Margin(0.2, "physics", "rivals are an order away, of the width half an order"),
            select=select,
            profiles=("full", "paper") if any(word in name for word in IN_FULL) else PROFILES,
        ),
    )
    for name, study, observe, select in ORDERS
)
