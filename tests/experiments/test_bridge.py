"""Expressions at labelled coordinates: exact values, names, dimensions, and refusals."""

from fractions import Fraction

import numpy as np
import pytest
import xarray as xr
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import (
    And,
    Eq,
    Function,
    IndexedBase,
    Integer,
    Max,
    Piecewise,
    Rational,
    Symbol,
    erf,
    log,
    oo,
    sqrt,
    symbols,
)

from experiments.bridge import holds, predict

x, y = symbols("x y")
rationals = st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=12)


@given(rationals, rationals)
@example(Fraction(1, 3), Fraction(2, 7))
def test_value_is_the_exact_one(a: Fraction, b: Fraction) -> None:
    expression = Rational(2, 3) * x ** Rational(-1, 2) / (1 + y) + log(x + y) ** 2
    exact = expression.subs({x: Rational(a), y: Rational(b)})
    found = predict(expression, {"x": float(a), "y": float(b)})
    assert float(found) == pytest.approx(float(exact), rel=1e-14)
    assert float(found) != pytest.approx(float(exact) * 1.0001, rel=1e-14)


def test_dimensions_and_coordinates_follow_the_inputs() -> None:
    data = xr.Dataset(
        {"y": ("seed", [1.0, 2.0, 3.0])},
        coords={"x": ("width", [1.0, 2.0]), "width": [10, 20], "name": ("width", ["a", "b"])},
    )
    found = predict(x * y, data)
    assert dict(found.sizes) == {"width": 2, "seed": 3}
    assert found.transpose("width", "seed").values.tolist() == [[1, 2, 3], [2, 4, 6]]
    assert found.coords["name"].values.tolist() == ["a", "b"]
    assert predict(Integer(3), data).shape == ()


def test_integers_are_floats_before_they_meet_a_negative_power() -> None:
    assert predict(x**-2, {"x": np.array([2, 4])}).values.tolist() == [0.25, 0.0625]


def test_functions_that_numpy_prints_badly() -> None:
    data = {"x": np.array([-1.0, 0.5, 2.0])}
    assert predict(Max(0, x), data).values.tolist() == [0.0, 0.5, 2.0]
    assert predict(Piecewise((x**2, x < 1), (7, True)), data).values.tolist() == [1.0, 0.25, 7.0]
    assert predict(erf(x), data).values == pytest.approx(
        [-0.8427007929497149, 0.5204998778130465, 0.9953222650189527]
    )
    assert predict(And(x > 0, x < 1), data).values.tolist() == [False, True, False]


def test_no_real_value_is_nan_and_warns_nobody() -> None:
    assert np.isnan(predict(sqrt(x), {"x": -1.0}))
    assert np.isinf(predict(1 / x, {"x": 0.0}))


def test_whatever_prints_as_an_input_is_that_input() -> None:
    f, v = Function("f"), IndexedBase("v")
    data = xr.Dataset({"f(x)": ("a", [1.0, 2.0]), "v[0]": 5.0}, coords={"x": 10.0})
    assert predict(f(x) + v[0] + x, data).values.tolist() == [16.0, 17.0]


@pytest.mark.parametrize("inputs", [{}, {"y": 1.0}, xr.Dataset(coords={"z": 1.0})])
def test_a_missing_symbol_is_one_sentence(inputs: object) -> None:
    with pytest.raises(ValueError, match=r"^predict: .* needs x.*; the inputs have .*; add") as caught:
        predict(x + y, inputs)  # pyright: ignore[reportArgumentType]
    assert "\n" not in str(caught.value)


def test_a_text_input_is_refused() -> None:
    with pytest.raises(ValueError, match="numbers are allowed"):
        predict(x, xr.Dataset(coords={"x": ("p", ["a", "b"])}))


def test_conditions_are_decided_exactly() -> None:
    line = Eq(3 * x + y, 0, evaluate=False)
    assert holds(line, {"x": -1 / 3, "y": 1.0})
    assert not holds(line, {"x": -1 / 3 + 1e-9, "y": 1.0})
    with pytest.raises(ValueError, match="needs y"):
        holds(line, {"x": 1.0})
    assert holds(x < oo, {"x": 3})


def test_symbols_meet_by_name_whatever_they_assume() -> None:
    assert float(predict(Symbol("x", positive=True) * Symbol("y", integer=True), {"x": 2.0, "y": 3.0})) == 6.0
