"""Bands, boundaries and partitions: edges, behaviours, and what lies where."""

import numpy as np
import pytest
import xarray as xr
from comparing import AGREES, DISAGREES, NOISE, UNDECIDED, margin, q, seen, verdict, x, y
from sympy import Integer, Rational, Symbol, nan

from experiments.compare import compare
from experiments.comparison import Verdict
from theory.claims import Band, Boundary, Partition, Regime


def edges(lower: float = -1.5, upper: float = -0.25, scatter: float = 0.01) -> xr.Dataset:
    points = np.array([-2.0, -1.0, -0.27, 0.0])
    inside = np.tile([False, True, True, False], (12, 1))
    return xr.Dataset(
        {
            "lower": ("seed", lower + scatter * NOISE[:, 0]),
            "upper": ("seed", upper + scatter * NOISE[:, 1]),
            "inside": (("seed", "point"), inside),
        },
        coords={"q": ("point", points)},
    )


BAND = Band(seen, q, Rational(-3, 2), Rational(-1, 4))


def test_band_needs_both_edges_and_the_behaviour() -> None:
    found = compare(BAND, edges(), margin(0.05))
    assert found.verdict is AGREES and [part.label for part in found.parts] == [
        "lower edge",
        "upper edge",
        "behaviour",
    ]
    assert verdict(BAND, edges(lower=-1.3), 0.05) is DISAGREES
    assert verdict(BAND, edges(upper=-0.1), 0.05) is DISAGREES
    assert verdict(Band(seen, q, Rational(-3, 2), None), edges(upper=5.0).drop_vars("inside"), 0.05) is AGREES


def test_behaviour_counts_away_from_the_edges_only() -> None:
    data = edges()
    data["inside"][:, 2] = False  # 0.02 inside the upper edge, within the margin
    assert verdict(BAND, data, 0.05) is AGREES
    data["inside"][:, 1] = False
    part = compare(BAND, data, margin(0.05)).worst
    assert part.label == "behaviour" and part.verdict is DISAGREES and part.estimate == 1.0
    data["inside"][:6, 1] = True
    assert verdict(BAND, data, 0.05) is UNDECIDED


def test_behaviour_needs_points_on_every_side() -> None:
    data = edges().isel(point=[0, 1, 2])
    part = compare(BAND, data, margin(0.05)).worst
    assert part.verdict is UNDECIDED and "no point above the upper edge" in part.note


def test_band_edges_as_ratios() -> None:
    eta = Symbol("eta")
    claim = Band(seen, x, None, 2 / eta)
    etas = np.array([0.01, 1.0])
    data = xr.Dataset({"upper": (("seed", "eta"), 2 / etas * (1 + 0.01 * NOISE[:, :2]))}, coords={"eta": etas})
    assert compare(claim, data, margin(0.05, relative=True)).verdict is AGREES
    assert compare(claim, data, margin(0.05)).verdict is UNDECIDED
    assert compare(claim, data * 1.2, margin(0.05, relative=True)).verdict is DISAGREES


def test_a_band_without_seeds_is_exact() -> None:
    data = edges().isel(seed=0).drop_vars(["lower", "upper"])
    part = compare(BAND, data, margin(0.05)).worst
    assert part.verdict is AGREES and part.level is None
    data["inside"][0] = True
    assert verdict(BAND, data, 0.05) is DISAGREES


def plane(shift: float = 0.0, rows: int = 41) -> xr.Dataset:
    xs, heights = np.meshgrid(np.linspace(0.2, 1, 9), np.linspace(-0.5, 1.5, rows))
    xs, heights = xs.ravel(), heights.ravel()
    offset = shift + 0.01 * NOISE[:, :1]
    return xr.Dataset(
        {"behaves": (("seed", "point"), heights <= xs**2 + offset)},
        coords={"x": ("point", xs), "y": ("point", heights)},
    )


def test_boundary_weighs_the_curve_and_the_points() -> None:
    found = compare(Boundary(seen, x, y, x**2), plane(), margin(0.1))
    curve, misplaced = found.parts
    assert found.verdict is AGREES and curve.estimate == pytest.approx(0, abs=0.03)
    assert misplaced.estimate == 0 and 0 < curve.resolution < 0.05
    assert verdict(Boundary(seen, x, y, x**2), plane(0.3)) is DISAGREES
    assert verdict(Boundary(seen, x, y, 1 - x), plane()) is DISAGREES
    assert verdict(Boundary(seen, x, y, x**2), plane(rows=3)) is UNDECIDED


def misplaced(share: float, seeds: int) -> Verdict:
    """Verdict where in some of 12 seeds a share of the points lies on the wrong side, side by side; the curve holds."""
    data = plane()
    rest = np.abs(data["y"] - data["x"] ** 2).values > 0.1
    wrong = np.flatnonzero(rest)[: int(share * rest.sum())]
    data["behaves"][:seeds, wrong] = ~data["behaves"][:seeds, wrong]
    found = compare(Boundary(seen, x, y, x**2), data, margin(0.1))
    assert found.parts[0].verdict is AGREES
    return found.parts[1].verdict


def test_misplaced_points_are_counted_by_the_seed() -> None:
    """Points of one seed know of each other: one seed in twelve that goes wrong says nothing sure of all seeds, and a
    tenth of the points in every seed is too much, however evenly.
    """
    assert misplaced(0.04, 12) is AGREES
    assert misplaced(0.1, 12) is DISAGREES
    assert misplaced(0.1, 1) is UNDECIDED
    part = compare(Boundary(seen, x, y, x**2), plane(), margin(0.1)).parts[1]
    assert part.high == pytest.approx(1 - 0.0025 ** (1 / 12)) and part.margin == 0.5


def test_a_plane_on_one_side_only_is_undecided() -> None:
    data = plane()
    data["behaves"] = data["behaves"] | True
    part = compare(Boundary(seen, x, y, x**2 + 9), data, margin(0.1)).parts[0]
    assert part.verdict is UNDECIDED and "do not reach both sides" in part.note


LOW, HIGH = (
    Regime("low", q < Rational(1, 3), (Integer(0), q)),
    Regime("high", q >= Rational(1, 3), (Integer(1), nan)),
)
PARTITION = Partition((LOW, HIGH))


def regimes(middle: float = 0.0) -> xr.Dataset:
    values = np.zeros((12, 2, 2))
    values[:, 0, 0], values[:, 0, 1] = middle, -1.0
    values[:, 1, 0], values[:, 1, 1] = 1.0, np.nan
    values[:, :, 0] += 0.01 * NOISE[:, :2]
    return xr.Dataset(
        {"signature": (("seed", "regime", "feature"), values)},
        coords={"regime": ["low", "high"], "q": ("regime", [-1, 1 / 3])},
    )


def test_partition_puts_each_into_its_own_and_no_other() -> None:
    found = compare(PARTITION, regimes(), margin(0.1))
    assert found.verdict is AGREES
    assert [part.label for part in found.parts] == [
        "low: feature 0",
        "low: feature 1",
        "high: feature 0",
        "nearest other regime",
    ]
    assert found.parts[-1].estimate == pytest.approx(10, rel=0.1)
    assert verdict(PARTITION, regimes(0.5)) is DISAGREES
    swapped = Partition((Regime("low", LOW.condition, HIGH.signature), Regime("high", HIGH.condition, LOW.signature)))
    assert verdict(swapped, regimes()) is DISAGREES


def test_partition_with_a_wrong_list_disagrees() -> None:
    shifted = Partition((Regime("low", q < 1, LOW.signature), Regime("high", q >= 1, HIGH.signature)))
    found = compare(shifted, regimes(), margin(0.1))
    assert found.verdict is DISAGREES and "high lies in low by its coordinates" in found.worst.note
    gap = Partition((LOW, Regime("high", q > 1, HIGH.signature)))
    assert "lies in no regime" in compare(gap, regimes(), margin(0.1)).worst.note
    overlap = Partition((LOW, Regime("high", q >= -2, HIGH.signature)))
    assert verdict(overlap, regimes()) is DISAGREES
    assert verdict(Partition((LOW,)), regimes().drop_vars("q").assign_coords(q=("regime", [-1.0, 0.5]))) is DISAGREES


def test_partition_with_a_regime_that_was_not_measured_is_undecided() -> None:
    assert verdict(PARTITION, regimes().isel(regime=[0])) is UNDECIDED


def test_two_regimes_with_one_signature_are_not_told_apart() -> None:
    alike = Partition((LOW, Regime("high", HIGH.condition, (Rational(1, 20), nan))))
    data = regimes()
    data["signature"][:, 1, 0] = 0.05 + 0.001 * NOISE[:, 0]
    part = compare(alike, data, margin(0.1)).parts[-1]
    assert part.label == "nearest other regime" and part.verdict is DISAGREES
