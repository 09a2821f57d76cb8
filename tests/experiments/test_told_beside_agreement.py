"""What a reader of *agrees* should know: seeds that are alike, a trend that turns back, points that tell nothing."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import xarray as xr
from sympy import Integer, Rational, Symbol, oo

from experiments.commands.table import alike_lines, doubt_lines
from experiments.compare import compare
from experiments.comparison import Comparison, Verdict
from experiments.result import Result
from experiments.study import Margin
from theory.claims import Band, Formula, Identity, Limit, PowerLaw, Trend

x, y, z = Symbol("x", real=True), Symbol("y", real=True), Symbol("z", real=True)
TENTH, ONE = Margin(0.1, "physics", "a tenth"), Margin(1.0, "dtype", "one bound")
SCATTER = 1e-3 * np.random.default_rng(0).standard_normal((12, 4))
X = np.array([1.0, 2.0, 4.0, 8.0])


def compared(claim, margin=TENTH, minimum_effect=0.0, coords=None, **data: Any) -> Comparison:
    return compare(claim, xr.Dataset(data, coords=coords or {}), margin, minimum_effect=minimum_effect)


def result(*comparisons: Comparison) -> list[Result]:
    return [
        Result(f"width.law_{place}", "Formula", "theorem", "", "", "PROVED", one)
        for place, one in enumerate(comparisons)
    ]


def test_seeds_that_are_alike_are_told() -> None:
    found = compared(Formula(z, Integer(1)), measured=(("seed", "part"), np.ones((12, 2))))
    assert found.verdict is Verdict.AGREES
    assert all(part.alike and part.note == "every seed gave the same number" for part in found.parts)
    some = compared(Formula(z, Integer(1)), measured=(("seed", "part"), np.ones((12, 2)) + SCATTER[:, :2] * [0, 1]))
    assert [part.alike for part in some.parts] == [True, False]
    seen = dataclasses.replace(found, observed=True)
    exact = compared(Formula(z, Integer(1)), measured=("seed", np.ones(12)), bound=0.0)
    (line,) = alike_lines(result(some, found, seen, exact))
    assert line.startswith("No scatter: width.law_1: every seed")
    assert alike_lines(result(some, seen, exact)) == []


@pytest.mark.parametrize(("middle", "told"), [(2.0, True), (3.0, False), (6.0, False)])
def test_a_trend_that_turns_back_is_told(middle, told) -> None:
    values = np.array([0.0, 3.0, middle, 9.0]) + SCATTER
    for direction in (1, -1):
        found = compared(
            Trend(z, x, direction), minimum_effect=1.0, measured=(("seed", "x"), direction * values), coords={"x": X}
        )
        (part,) = found.parts
        assert part.verdict is Verdict.AGREES
        assert (part.doubt == "against the claim from 2 to 4") is told
        assert part.note.endswith(part.doubt)
        lines = [f"Look closer: width.law_0: {part.doubt}."] if told else []
        assert doubt_lines(result(found)) == lines


@pytest.mark.parametrize(("bounds", "told"), [([1e-9] * 3 + [9.0], ""), ([1e-9, 9.0, 9.0, 9.0], "1 of 4 points tell")])
def test_points_of_which_few_tell_anything_are_counted(bounds, told) -> None:
    found = compared(Identity(x, y), ONE, left=("point", X), right=("point", X), bound=("point", bounds))
    (part,) = found.parts
    assert part.verdict is Verdict.AGREES
    assert told in part.note and ("points tell" in part.note) is bool(told)


@pytest.mark.parametrize(("bend", "told"), [(0.4, True), (0.1, False)])
def test_a_power_law_that_bends_is_told(bend, told) -> None:
    exponents = np.linspace(0.5 - bend, 0.5 + bend, 3) * np.log(2)
    values = np.exp(np.cumsum([0.0, *exponents]) + SCATTER)
    found = compared(PowerLaw(z, x, Rational(1, 2)), measured=(("seed", "x"), values), coords={"x": X})
    assert found.verdict is Verdict.AGREES
    (part,) = found.parts
    assert part.doubt.startswith("it bends: exponent 0.1") is told
    assert bool(part.doubt) is told
    inverse = compared(Limit(z, x, oo, Integer(0), Rational(-1, 2)), error=(("seed", "x"), 1 / values), coords={"x": X})
    assert inverse.verdict is Verdict.AGREES
    assert bool(inverse.parts[0].doubt) is told


@pytest.mark.parametrize(("point", "order"), [(oo, 1), (Integer(0), -1)])
@pytest.mark.parametrize(("errors", "told"), [([1.0, 0.05, 0.1, 0.05], True), ([1.0, 0.2, 0.1, 0.05], False)])
def test_an_error_that_grows_again_is_told(point, order, errors, told) -> None:
    values = (np.array(errors) * np.exp(SCATTER))[:, ::order]
    found = compared(Limit(z, x, point, Integer(0)), error=(("seed", "x"), values), coords={"x": X})
    assert found.verdict is Verdict.AGREES
    way = "from 2 to 4" if order == 1 else "from 4 to 2"
    assert [part.doubt for part in found.parts] == [f"the error grows {way}" if told else "", ""]


@pytest.mark.parametrize(("margin", "told"), [(1.0, True), (0.99, False)])
def test_a_margin_that_reaches_0_is_told(margin, told) -> None:
    found = compared(Formula(z, Integer(1)), Margin(margin, "physics", "none"), measured=("seed", 1 + SCATTER[:, 0]))
    assert found.verdict is Verdict.AGREES
    assert ("reaches 0" in found.parts[0].doubt) is told


@pytest.mark.parametrize(("beyond", "told"), [(1.2, ""), (3.0, "the upper edge could be 20 margins off")])
@pytest.mark.parametrize("relative", [True, False])
def test_an_edge_between_far_points_is_told(beyond, told, relative) -> None:
    places = np.array([-1.2, -0.8, 0.8, beyond])
    data: Any = {"inside": (("seed", "point"), np.tile(np.abs(places) < 1, (12, 1))), "x": ("point", places)}
    claim, margin = Band(y > 0, x, Integer(-1), Integer(1)), Margin(0.1, "physics", "a tenth", relative=relative)
    found = compared(claim, margin, **data)
    assert found.verdict is Verdict.AGREES
    (part,) = found.parts
    assert part.doubt.startswith(told) and bool(part.doubt) is bool(told)
    edges: Any = {"upper": ("seed", 1 + SCATTER[:, 0])}
    assert not compared(claim, margin, **data, **edges).worst.doubt
    alone = compared(claim, margin, **edges)
    assert alone.verdict is Verdict.UNDECIDED
    assert alone.worst.label == "lower edge"
    assert compared(claim, margin, **edges, lower=("seed", -1 + SCATTER[:, 1])).verdict is Verdict.AGREES


@pytest.mark.parametrize("shape", [(0,), (0, 2), (12, 0)])
def test_an_observation_without_numbers_is_told(shape) -> None:
    dims = ("seed", "part")[: len(shape)]
    with pytest.raises(ValueError, match="the observation of Formula is empty"):
        compared(Formula(z, Integer(1)), measured=(dims, np.ones(shape)))


@pytest.mark.parametrize("margin", [np.inf, np.nan, 0.0, -1.0])
def test_a_margin_is_positive_and_finite(margin) -> None:
    with pytest.raises(ValueError, match="a positive one, and finite"):
        compared(Formula(z, Integer(1)), Margin(margin, "physics", "none"), measured=("seed", 1 + SCATTER[:, 0]))
