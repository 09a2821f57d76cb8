"""Trends and limits: which way, how far, and how fast."""

import numpy as np
import pytest
import xarray as xr
from comparing import AGREES, DISAGREES, NOISE, UNDECIDED, beta, margin, quantity, verdict, width, x
from sympy import Integer, Rational, oo

from experiments.compare import compare
from experiments.comparison import Verdict
from theory.claims import Limit, Trend


def rising(effect: float = 4.0, levels: int = 5) -> xr.Dataset:
    draws = np.random.default_rng(3).standard_normal((12, levels))
    steps = np.arange(float(levels))
    values = effect * steps / (levels - 1) + 0.2 * draws
    return xr.Dataset({"measured": (("seed", "x"), values[:, ::-1])}, coords={"x": steps[::-1]})


def test_trend_has_a_direction_and_a_size() -> None:
    up, down = Trend(quantity, x, 1), Trend(quantity, x, -1)
    found = compare(up, rising(), margin(1.0), minimum_effect=2.0)
    assert found.verdict is AGREES and found.worst.estimate == pytest.approx(4.0, abs=0.3)
    assert "Page's test" in found.worst.note and found.worst.side == "above"
    assert verdict(down, rising(), 1.0, minimum_effect=0.0) is DISAGREES
    assert verdict(up, rising(1.0), 1.0, minimum_effect=2.0) is DISAGREES
    assert verdict(up, rising(0.0) * 0, 1.0) is DISAGREES  # a constant moves no way
    assert verdict(up, rising(0.05), 1.0) is UNDECIDED
    (few,) = compare(up, rising(levels=3), margin(1.0)).parts
    assert few.verdict is UNDECIDED and few.estimate == pytest.approx(4.0, abs=0.3) and "3 levels" in few.note
    with pytest.raises(ValueError, match="at least 2 different levels"):
        verdict(up, rising().isel(x=[0]))


def test_a_trend_without_chance_goes_its_way_at_every_step() -> None:
    levels = {"beta": ("beta", [1.0, 2.0, 3.0, 4.0])}
    claim = Trend(quantity, beta, 1)

    def found(*values: float) -> Verdict:
        data = xr.Dataset({"measured": (("seed", "beta"), [values, values]), "bound": 1e-9}, coords=levels)
        return compare(claim, data, margin(0.1), minimum_effect=0.5).verdict

    assert found(1.0, 1.2, 1.6, 2.0) is AGREES
    assert found(1.0, 1.6, 1.2, 2.0) is UNDECIDED
    assert found(1.0, 1.01, 1.02, 1.03) is DISAGREES
    assert found(2.0, 1.6, 1.2, 1.0) is DISAGREES


def errors(rate: float = -1.0, floor: float = 0.0) -> xr.Dataset:
    widths = 2.0 ** np.arange(4, 8)
    values = (widths**rate + floor) * np.exp(0.05 * NOISE)
    return xr.Dataset({"error": (("seed", "width"), values)}, coords={"width": widths})


def test_limit_with_a_rate() -> None:
    claim = Limit(quantity, width, oo, Integer(0), Integer(-1))
    assert verdict(claim, errors(), 0.2) is AGREES
    assert verdict(claim, errors(-0.5), 0.2) is DISAGREES


def test_limit_without_a_rate_must_fall_and_get_small() -> None:
    claim = Limit(quantity, width, oo, Integer(0))
    found = compare(claim, errors(), margin(0.3))
    assert found.verdict is AGREES and [part.label for part in found.parts] == [
        "slope",
        "last error over first",
    ]
    assert verdict(claim, errors(0.5), 0.3) is DISAGREES
    assert verdict(claim, errors(-1, floor=0.5), 0.3) is DISAGREES


def test_limit_at_a_point_measures_the_distance_to_it() -> None:
    gaps = np.array([0.4, 0.2, 0.1, 0.05])
    data = xr.Dataset({"error": (("seed", "x"), gaps**2 * np.exp(0.02 * NOISE))}, coords={"x": 1 + gaps})
    assert verdict(Limit(quantity, x, Integer(1), Integer(0), Integer(2)), data, 0.2) is AGREES
    assert verdict(Limit(quantity, x, Integer(0), Integer(0), Integer(2)), data, 0.2) is DISAGREES
    with pytest.raises(ValueError, match="reaches the limit point"):
        verdict(Limit(quantity, x, Rational(7, 5), Integer(0), Integer(2)), data, 0.2)


def test_a_rival_limit_is_measured_against_its_own_value() -> None:
    law, rival = (
        Limit(quantity, width, oo, Integer(2), Integer(-1)),
        Limit(quantity, width, oo, Integer(3), Integer(-1)),
    )
    data = errors()
    data["measured"] = 2 + data["error"]
    assert verdict(law, data, 0.2) is AGREES
    assert verdict(rival, data, 0.2, against=law) is DISAGREES
    with pytest.raises(ValueError, match="needs measured"):
        verdict(rival, errors(), 0.2, against=law)
