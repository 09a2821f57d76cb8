"""Formulas and power laws: what agrees, what must disagree, and what stays undecided, with exact numbers."""

import numpy as np
import pytest
import xarray as xr
from comparing import AGREES, DISAGREES, NOISE, UNDECIDED, beta, margin, q, quantity, verdict, width
from sympy import Integer, Rational, Symbol, nan

from experiments.compare import compare
from experiments.comparison import Part
from experiments.comparisons.parts import sampled, shared
from numerics.intervals import interval
from theory.claims import Formula, PowerLaw


def times(ratio: float = 1.0, seeds: int = 12, scatter: float = 0.01) -> xr.Dataset:
    betas = np.array([0.5, 1.0, 2.0])
    values = ratio * 3 / betas * (1 + scatter * NOISE[:seeds, :3])
    return xr.Dataset({"measured": (("seed", "beta"), values)}, coords={"beta": betas})


def test_formula_weighs_the_ratio_at_each_coordinate() -> None:
    found = compare(Formula(quantity, 3 / beta), times(), margin(0.1), law="l", study="s")
    assert (found.law, found.study, found.kind, found.verdict) == ("l", "s", "Formula", AGREES)
    assert [part.label for part in found.parts] == ["beta=0.5", "beta=1", "beta=2"]
    expected = interval(1 + 0.01 * NOISE[:, 0], shared(0.99, 3))
    part = found.parts[0]
    assert (part.low, part.high) == pytest.approx((float(expected.low), float(expected.high)))
    assert part.level == pytest.approx(1 - 0.01 / 3) and part.n == 12 and part.predicted == 1.0
    assert (
        part.contains and part.false_disagrees < 1e-9 and part.detectable is not None and 0.1 < part.detectable < 0.15
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


def test_a_bound_of_nothing_makes_no_draw_exact() -> None:
    """Noise whose author says that it has no error has its error all the same: ten seeds and a t interval."""

    def part(values: list[float], bound: float) -> Part:
        data = xr.Dataset({"measured": ("seed", values), "bound": bound}, coords={"beta": 2.0})
        return compare(Formula(quantity, 3 / beta), data, margin(0.1)).worst

    draws = (1.5 * (1 + 0.02 * NOISE[:, 0])).tolist()
    for bound in (0.0, 1e-300):
        assert part(draws[:1], bound).verdict is part(draws[:3], bound).verdict is UNDECIDED
        assert part([1.9, 1.8, 2.0], bound).verdict is UNDECIDED
        plain = compare(
            Formula(quantity, 3 / beta), xr.Dataset({"measured": ("seed", draws)}, coords={"beta": 2.0}), margin(0.1)
        ).worst
        found = part(draws, bound)
        assert found.verdict is AGREES and (found.low, found.high, found.level) == (plain.low, plain.high, 0.99)
    assert part([1.5], 0.0).verdict is AGREES, "the claimed number itself needs no bound"
    few = part(draws[:3], 1e-9)
    assert few.verdict is UNDECIDED and "differ by more than their bounds" in few.note
    assert part(draws, 1e-9).verdict is AGREES and part([1.9, 1.8, 2.0], 1e-9).verdict is DISAGREES


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
