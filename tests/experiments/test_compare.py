"""Each kind of claim: what agrees, what must disagree, and what stays undecided, with exact numbers."""

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Eq, Function, Integer, Rational, Symbol, nan, oo
from sympy.abc import a, b

from experiments.compare import compare, for_rival
from experiments.comparison import Comparison, Verdict
from experiments.comparisons.parts import sampled, shared
from experiments.study import Margin
from numerics.intervals import interval
from theory.claims import (
    Band,
    Bound,
    Boundary,
    Formula,
    Identity,
    Limit,
    Partition,
    PowerLaw,
    Regime,
    Trend,
)

AGREES, DISAGREES, UNDECIDED = Verdict.AGREES, Verdict.DISAGREES, Verdict.UNDECIDED
beta, width, q, x, y = (Symbol(name) for name in ("beta", "width", "q", "x", "y"))
quantity = Function("quantity")(beta)
seen: Any = Eq(Symbol("seen"), 1)
RNG = np.random.default_rng(7)
NOISE = RNG.standard_normal((12, 4))


def margin(value: float, relative: bool = False) -> Margin:
    return Margin(value, "physics", "planted", relative)


def verdict(claim: object, data: xr.Dataset, size: float = 0.1, **options: object) -> Verdict:
    return compare(claim, data, margin(size), **options).verdict  # pyright: ignore[reportArgumentType]


def times(ratio: float = 1.0, seeds: int = 12, scatter: float = 0.01) -> xr.Dataset:
    betas = np.array([0.5, 1.0, 2.0])
    values = ratio * 3 / betas * (1 + scatter * NOISE[:seeds, :3])
    return xr.Dataset({"measured": (("seed", "beta"), values)}, coords={"beta": betas})


# Formula


def test_formula_weighs_the_ratio_at_each_coordinate() -> None:
    found = compare(Formula(quantity, 3 / beta), times(), margin(0.1), law="l", study="s")
    assert (found.law, found.study, found.kind, found.verdict) == ("l", "s", "Formula", AGREES)
    assert [part.label for part in found.parts] == ["beta=0.5", "beta=1", "beta=2"]
    expected = interval(1 + 0.01 * NOISE[:, 0], shared(0.99, 3))
    part = found.parts[0]
    assert (part.low, part.high) == pytest.approx((float(expected.low), float(expected.high)))
    assert part.level == pytest.approx(1 - 0.01 / 3) and part.n == 12 and part.predicted == 1.0
    assert (
        part.contains
        and part.false_disagrees < 1e-9
        and part.detectable is not None
        and 0.1 < part.detectable < 0.15
    )


def test_formula_disagrees_and_straddles() -> None:
    assert verdict(Formula(quantity, 3 / beta), times(1.3)) is DISAGREES
    assert verdict(Formula(quantity, 3 / beta), times(1.1, scatter=0.05)) is UNDECIDED
    assert verdict(Formula(quantity, 3 / beta**2), times()) is DISAGREES


def test_nine_seeds_decide_nothing_and_ten_do() -> None:
    part = compare(Formula(quantity, 3 / beta), times(seeds=9), margin(0.1)).worst
    assert part.verdict is UNDECIDED and "9 seeds; a statistical verdict needs at least 10" in part.note
    assert verdict(Formula(quantity, 3 / beta), times(seeds=10)) is AGREES
    assert verdict(Formula(quantity, 3 / beta), times(9.0, seeds=9)) is UNDECIDED


def test_a_deterministic_run_is_exact_with_a_bound_only() -> None:
    data = xr.Dataset({"measured": 1.5, "bound": 0.03}, coords={"beta": 2.0})
    part = compare(Formula(quantity, 3 / beta), data, margin(0.1)).worst
    assert part.verdict is AGREES and part.level is None
    assert (part.low, part.high) == pytest.approx((0.98, 1.02))
    assert verdict(Formula(quantity, 3 / beta), data.drop_vars("bound")) is UNDECIDED
    assert verdict(Formula(quantity, 4 / beta), data) is DISAGREES


def test_seeds_without_chance_are_systems_and_their_interval_spans_them_all() -> None:
    data = xr.Dataset({"measured": ("seed", [1.5, 1.5, 1.56]), "bound": 0.03}, coords={"beta": 2.0})
    part = compare(Formula(quantity, 3 / beta), data, margin(0.1)).worst
    assert part.verdict is AGREES and part.level is None and part.n == 3
    assert (part.low, part.high) == pytest.approx((0.98, 1.06))
    assert verdict(Formula(quantity, 3 / beta), data.assign(measured=("seed", [1.5, 1.5, 1.9]))) is DISAGREES
    assert verdict(Formula(quantity, 3 / beta), data.assign(measured=("seed", [1.5, 1.5, 1.66]))) is UNDECIDED
    assert verdict(Formula(quantity, 3 / beta), data.assign(measured=("seed", [1.5, 1.5, nan]))) is UNDECIDED


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


def test_seeds_needed_are_those_that_decide() -> None:
    part = compare(Formula(quantity, 3 / beta), times(scatter=0.2), margin(0.1)).worst
    assert part.verdict is UNDECIDED and part.seeds_needed is not None and part.seeds_needed > 12
    draws = 1 + 0.2 * np.random.default_rng(0).standard_normal((2 * part.seeds_needed, 1))
    assert sampled([""], draws, 1.0, 0.1, 0.99)[0].verdict is AGREES


def test_missing_numbers_are_never_dropped() -> None:
    data = times()
    data["measured"][3, 1] = np.nan
    found = compare(Formula(quantity, 3 / beta), data, margin(0.1))
    assert [part.verdict for part in found.parts] == [AGREES, UNDECIDED, AGREES]
    assert "1 of 12 seeds gave no finite number" in found.worst.note
    data["measured"][:, 1] = np.inf
    found = compare(Formula(quantity, 3 / beta), data, margin(0.1))
    assert found.verdict is DISAGREES and found.worst.note == "infinite in every seed"


def test_no_prediction_decides_nothing() -> None:
    assert verdict(Formula(quantity, (-1 - beta) ** Rational(1, 2)), times()) is UNDECIDED


def test_an_observation_without_what_is_needed_is_one_sentence() -> None:
    with pytest.raises(ValueError, match="a Formula needs measured; the observation has beta"):
        verdict(Formula(quantity, 3 / beta), xr.Dataset(coords={"beta": 1.0}))
    with pytest.raises(ValueError, match="needs alpha"):
        verdict(Formula(quantity, Symbol("alpha")), times())
    with pytest.raises(ValueError, match="declare a positive one"):
        verdict(Formula(quantity, 3 / beta), times(), size=0.0)


# PowerLaw


def kernels(slope: float = -0.5) -> xr.Dataset:
    widths = 2.0 ** np.arange(5, 9)
    values = np.array([1.0, 50.0])[:, None] * widths**slope * np.exp(0.05 * NOISE[:, None, :])
    signs = np.array([1.0, -1.0])[:, None]
    return xr.Dataset(
        {"measured": (("seed", "layer", "width"), signs * values)},
        coords={"width": widths, "q": ("layer", [0.25, 0.25])},
    )


def test_power_law_exponent_without_the_prefactor() -> None:
    found = compare(PowerLaw(quantity, width, -2 * q), kernels(), margin(0.2))
    assert found.verdict is AGREES and len(found.parts) == 2
    assert found.parts[0].predicted == -0.5 and found.parts[0].label == "q=0.25"
    logs = np.log(np.abs(kernels()["measured"].values[:, 1]))
    per_seed = [np.polyfit(np.log(2.0 ** np.arange(5, 9)), row, 1)[0] for row in logs]
    assert found.parts[1].estimate == pytest.approx(np.mean(per_seed), rel=1e-12)
    assert verdict(PowerLaw(quantity, width, Integer(-1)), kernels(), 0.2) is DISAGREES


def test_power_law_needs_numbers_with_a_logarithm_and_levels() -> None:
    data = kernels()
    data["measured"][0, 0, 0] = 0.0
    found = compare(PowerLaw(quantity, width, -2 * q), data, margin(0.2))
    assert found.verdict is UNDECIDED and found.parts[1].verdict is AGREES
    with pytest.raises(ValueError, match="at least 2 levels"):
        verdict(PowerLaw(quantity, width, -2 * q), data.isel(width=[0]))
    with pytest.raises(ValueError, match="depends on width"):
        verdict(PowerLaw(quantity, width, width), data)


# Identity and Bound


def pair(gap: float) -> xr.Dataset:
    """Two sides that differ most at the second point, by ``gap`` rounding bounds."""
    right = gap * 1e-16 * np.array([0.0, -1.0, 0.5])
    data = xr.Dataset(
        {"left": ("point", [0.0] * 3), "right": ("point", right), "bound": ("point", [1e-16] * 3)}
    )
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
    data["right"][1] = 1e-300
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
    data = xr.Dataset(
        {"smaller": smaller, "larger": smaller + np.array([0.5, 3.0]), "bound": 1e-12 + 0 * smaller}
    )
    part = compare(Bound(a, b), data, margin(1.0)).worst
    assert part.verdict is AGREES and part.estimate == pytest.approx(-0.5e12) and part.side == "below"
    assert part.note == "slack from 0.5 to 3; largest bound / largest side 2e-13"
    assert part.contains and part.deviation == 0
    data["larger"][1] = 2 - 2e-12
    assert verdict(Bound(a, b), data, 1.0) is DISAGREES


# Band


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
    data = xr.Dataset(
        {"upper": (("seed", "eta"), 2 / etas * (1 + 0.01 * NOISE[:, :2]))}, coords={"eta": etas}
    )
    assert compare(claim, data, margin(0.05, relative=True)).verdict is AGREES
    assert compare(claim, data, margin(0.05)).verdict is UNDECIDED
    assert compare(claim, data * 1.2, margin(0.05, relative=True)).verdict is DISAGREES


def test_a_band_without_seeds_is_exact() -> None:
    data = edges().isel(seed=0).drop_vars(["lower", "upper"])
    part = compare(BAND, data, margin(0.05)).worst
    assert part.verdict is AGREES and part.level is None
    data["inside"][0] = True
    assert verdict(BAND, data, 0.05) is DISAGREES


# Boundary


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


def test_a_plane_on_one_side_only_is_undecided() -> None:
    data = plane()
    data["behaves"] = data["behaves"] | True
    part = compare(Boundary(seen, x, y, x**2 + 9), data, margin(0.1)).parts[0]
    assert part.verdict is UNDECIDED and "do not reach both sides" in part.note


# Trend


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


# Partition

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
    swapped = Partition(
        (Regime("low", LOW.condition, HIGH.signature), Regime("high", HIGH.condition, LOW.signature))
    )
    assert verdict(swapped, regimes()) is DISAGREES


def test_partition_with_a_wrong_list_disagrees() -> None:
    shifted = Partition((Regime("low", q < 1, LOW.signature), Regime("high", q >= 1, HIGH.signature)))
    found = compare(shifted, regimes(), margin(0.1))
    assert found.verdict is DISAGREES and "high lies in low by its coordinates" in found.worst.note
    gap = Partition((LOW, Regime("high", q > 1, HIGH.signature)))
    assert "lies in no regime" in compare(gap, regimes(), margin(0.1)).worst.note
    overlap = Partition((LOW, Regime("high", q >= -2, HIGH.signature)))
    assert verdict(overlap, regimes()) is DISAGREES
    assert (
        verdict(Partition((LOW,)), regimes().drop_vars("q").assign_coords(q=("regime", [-1.0, 0.5])))
        is DISAGREES
    )


def test_partition_with_a_regime_that_was_not_measured_is_undecided() -> None:
    assert verdict(PARTITION, regimes().isel(regime=[0])) is UNDECIDED


def test_two_regimes_with_one_signature_are_not_told_apart() -> None:
    alike = Partition((LOW, Regime("high", HIGH.condition, (Rational(1, 20), nan))))
    data = regimes()
    data["signature"][:, 1, 0] = 0.05 + 0.001 * NOISE[:, 0]
    part = compare(alike, data, margin(0.1)).parts[-1]
    assert part.label == "nearest other regime" and part.verdict is DISAGREES


# Limit


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


# What all share


@settings(max_examples=30)
@given(st.floats(-3, 3), st.floats(0.001, 0.2), st.integers(10, 40))
def test_verdict_is_that_of_the_printed_interval(deviation: float, scatter: float, seeds: int) -> None:
    draws = 1 + deviation * 0.1 + scatter * np.random.default_rng(seeds).standard_normal((seeds, 1))
    part = sampled([""], draws, 1.0, 0.1, 0.99)[0]
    inside, outside = part.low >= 0.9 and part.high <= 1.1, part.low > 1.1 or part.high < 0.9
    assert part.verdict is (AGREES if inside else DISAGREES if outside else UNDECIDED)
    assert part.contains == (part.low <= 1 <= part.high)
    assert part.standard_error == pytest.approx(draws.std(ddof=1) / math.sqrt(seeds))


def test_one_bad_part_decides() -> None:
    bad, good = sampled(["bad", "good"], np.tile([2.0, 1.0], (10, 1)), 1.0, 0.1, 0.99)
    found = Comparison("l", "s", "Formula", (good, bad), margin(0.1))
    assert found.verdict is DISAGREES and found.worst is bad
    assert Comparison("l", "s", "Formula", (good,), margin(0.1)).verdict is AGREES
