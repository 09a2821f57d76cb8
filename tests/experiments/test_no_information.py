"""What tells nothing does not agree: bounds that allow everything, parts that are lost, intervals inside out."""

import numpy as np
import pytest
import xarray as xr
from sympy import Integer, Symbol, sqrt

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.study import Margin
from theory.claims import Band, Bound, Boundary, Formula, Identity, Partition, Regime, Trend

x, y, z = Symbol("x", real=True), Symbol("y", real=True), Symbol("z", real=True)
ONE = Margin(1.0, "dtype", "one bound")
TENTH = Margin(0.1, "physics", "a tenth")


def verdict(claim, margin=ONE, **data) -> Verdict:
    coords = {name: data.pop(name) for name in ("x", "y", "regime") if name in data}
    return compare(claim, xr.Dataset(data, coords=coords), margin).verdict


@pytest.mark.parametrize(("bound", "expected"), [([0.1, 9.0], Verdict.AGREES), ([9.0, 9.0], Verdict.UNDECIDED)])
def test_a_bound_larger_than_the_sides_at_every_point_tells_nothing(bound, expected) -> None:
    sides = {"left": ("point", [2.0, 3.0]), "right": ("point", [2.0, 3.0])}
    assert verdict(Identity(x, y), **sides, bound=("point", bound)) is expected
    sides = {"smaller": ("point", [1.0, 1.0]), "larger": ("point", [2.0, 3.0])}
    assert verdict(Bound(x, y), **sides, bound=("point", bound)) is expected


def test_a_loose_bound_still_sees_what_is_beyond_it() -> None:
    sides = {"left": ("point", [2.0, 30.0]), "right": ("point", [2.0, 3.0])}
    assert verdict(Identity(x, y), **sides, bound=("point", [9.0, 9.0])) is Verdict.DISAGREES


def test_a_side_that_is_0_by_the_claim_has_no_size_to_compare_with() -> None:
    data = {"left": ("point", [1e-17, 0.0]), "bound": 1e-15}
    assert verdict(Identity(x, Integer(0)), **data) is Verdict.AGREES
    assert verdict(Identity(x, y), **data, right=("point", [0.0, 0.0])) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("larger", "expected"), [([np.inf, np.inf], Verdict.UNDECIDED), ([np.inf, 3.0], Verdict.AGREES)]
)
def test_a_bound_by_infinity_tells_nothing(larger, expected) -> None:
    assert verdict(Bound(x, y), smaller=("point", [1.0, 1.0]), larger=("point", larger), bound=1e-9) is expected


def test_complex_numbers_are_refused_at_the_door() -> None:
    with pytest.raises(ValueError, match="left of Identity is complex"):
        verdict(Identity(x, y), left=("point", [1.0 + 5j]), right=("point", [1.0]), bound=1e-9)
    assert verdict(Identity(x, y), left=("point", [1.0]), right=("point", [1.0]), bound=1e-9) is Verdict.AGREES


def test_an_uncertainty_is_not_negative() -> None:
    for claim, name in ((Formula(z, Integer(1)), "measured"), (Band(x < 1, x, None, Integer(1)), "upper")):
        data = {name: ("seed", np.linspace(0.5, 1.5, 3))}
        assert verdict(claim, TENTH, **data, bound=1e-9) is Verdict.DISAGREES
        with pytest.raises(ValueError, match="is negative"):
            verdict(claim, TENTH, **data, bound=-3.0)


def test_an_uncertainty_without_a_number_is_not_left_out() -> None:
    data = {"measured": (("seed", "x"), np.tile(np.arange(5.0), (2, 1))), "x": np.arange(5.0)}
    assert verdict(Trend(z, x, 1), TENTH, **data, bound=("x", [1e-9] * 5)) is Verdict.AGREES
    assert verdict(Trend(z, x, 1), TENTH, **data, bound=("x", [1e-9] * 4 + [np.nan])) is Verdict.UNDECIDED


def test_a_ratio_to_a_curve_that_is_not_positive_has_no_side() -> None:
    places = np.linspace(-2.0, 2.0, 41)
    data = {"behaves": (("seed", "point"), np.tile(places <= 1.0, (10, 1)))}
    data |= {"y": ("point", places), "x": ("point", np.ones(41))}
    relative = Margin(0.2, "physics", "a fifth", relative=True)
    assert verdict(Boundary(y <= x, x, y, x), relative, **data) is Verdict.AGREES
    with pytest.raises(ValueError, match="not positive"):
        verdict(Boundary(y <= x, x, y, -x), relative, **data)


def test_a_regime_whose_signature_has_no_number_is_not_passed_over() -> None:
    drawn = np.random.default_rng(0).normal(0, 1e-3, (12, 2, 1))
    data = {"signature": (("seed", "regime", "feature"), drawn + np.array([[1.0], [3.0]])), "regime": ["low", "high"]}
    for second, expected in ((Integer(3), Verdict.AGREES), (3 * sqrt(x), Verdict.UNDECIDED)):
        claim = Partition((Regime("low", y < 1, (Integer(1),)), Regime("high", y > 1, (second,))))
        assert verdict(claim, TENTH, **data, x=-1.0) is expected
