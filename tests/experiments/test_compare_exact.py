"""Identities and bounds: no chance, a rounding bound, and rivals that say something else."""

import numpy as np
import pytest
import xarray as xr
from comparing import AGREES, DISAGREES, UNDECIDED, margin, quantity, verdict
from sympy import Rational, Symbol
from sympy.abc import a, b

from experiments.compare import compare, for_rival
from theory.claims import Bound, Identity


def pair(gap: float) -> xr.Dataset:
    """Two sides that differ most at the second point, by ``gap`` rounding bounds."""
    right = 1 + gap * 1e-6 * np.array([0.0, -1.0, 0.5])
    data = xr.Dataset({"left": ("point", [1.0] * 3), "right": ("point", right), "bound": ("point", [1e-6] * 3)})
    return data.assign_coords(a=("point", [1.0, 2.0, 3.0]))


def test_identity_is_exact_and_bounded() -> None:
    part = compare(Identity(a, b), pair(0.5), margin(1.0)).worst
    assert part.verdict is AGREES and part.level is None and part.estimate == pytest.approx(0.5)
    assert part.n == 3 and "a=2" in part.label
    assert verdict(Identity(a, b), pair(1.5), 1.0) is DISAGREES


def test_identity_with_numbers_missing_is_undecided_unless_it_is_violated() -> None:
    for gap, expected in ((0.5, UNDECIDED), (1.5, DISAGREES)):
        data = pair(gap)
        data["left"][0] = np.nan
        assert verdict(Identity(a, b), data, 1.0) is expected


def test_a_zero_bound_means_equality() -> None:
    data = pair(0.0)
    data["bound"] = 0 * data["bound"]
    assert verdict(Identity(a, b), data, 1.0) is AGREES
    data["right"][1] = 1 + 1e-15
    assert verdict(Identity(a, b), data, 1.0) is DISAGREES
    data["bound"] = data["bound"] - 1
    with pytest.raises(ValueError, match="a rounding bound is at least 0"):
        verdict(Identity(a, b), data, 1.0)


def test_a_rival_of_an_identity_is_evaluated_where_it_differs() -> None:
    law, data = Identity(quantity, a), pair(0.0)
    rival = Identity(quantity, a + Rational(1, 1000))
    data["left"] = data["right"] = ("point", [1.0, 2.0, 3.0])
    assert verdict(law, data, 1.0) is AGREES
    assert verdict(rival, data, 1.0, against=law) is DISAGREES
    with pytest.raises(ValueError, match=r"cannot be evaluated .* or a variable right\[NAME OF THE RIVAL\]"):
        verdict(Identity(quantity, Symbol("c")), data, 1.0, against=law)
    data["right[other]"] = 2 * data["right"]
    assert verdict(Identity(quantity, Symbol("c")), for_rival(data, "other"), 1.0) is DISAGREES
    assert for_rival(data, "another").identical(data)


def test_bound_shows_its_slack_and_its_violation() -> None:
    smaller = xr.DataArray([1.0, 2.0], dims="point")
    data = xr.Dataset({"smaller": smaller, "larger": smaller + np.array([0.5, 3.0]), "bound": 1e-12 + 0 * smaller})
    part = compare(Bound(a, b), data, margin(1.0)).worst
    assert part.verdict is AGREES and part.estimate == pytest.approx(-0.5e12) and part.side == "below"
    assert part.note == "slack from 0.5 to 3; largest bound / largest side 2e-13"
    assert part.contains and part.deviation == 0
    data["larger"][1] = 2 - 2e-12
    assert verdict(Bound(a, b), data, 1.0) is DISAGREES
