"""Outputs keep exact numbers exact, carry 15 correct digits, and say why a value is missing."""

import json
from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Expr, Integer, Rational, S, Symbol, cosh, exp, log, oo, pi, sqrt, true

from theory.predictors import Input, OutsideDomain, Predictor, Undefined
from theory.serving import bind, encode, plain, serve


def ratio(numerator: Expr, denominator: Expr) -> dict:
    """Quotient of two numbers."""
    if denominator == 0:
        raise OutsideDomain("denominator=0 is outside the domain; pass a number other than 0")
    return {"ratio": numerator / denominator}


RATIO = Predictor(
    name="topic.ratio",
    laws=(),
    inputs=(Input("numerator", "above"), Input("denominator", "below", default=Integer(2), required=False)),
    evaluate=ratio,
    summary="a quotient",
)


def test_exact_in_exact_out():
    assert serve(RATIO, {"numerator": Integer(7), "denominator": Integer(9)}) == {
        "ratio": {"exact": "7/9", "value": 7 / 9}
    }


def test_defaults_fill_in():
    assert serve(RATIO, {"numerator": Integer(1)})["ratio"]["exact"] == "1/2"
    assert bind(RATIO, {"numerator": Integer(1)})["denominator"] == 2


@pytest.mark.parametrize(
    ("given_inputs", "named"),
    [
        ({}, "numerator is missing"),
        ({"denominator": Integer(1)}, "numerator is missing"),
        ({"numerator": Integer(1), "nominator": Integer(1)}, "nominator is not known"),
        ({"numerator": Integer(1), "denominator": Integer(0)}, "denominator=0"),
    ],
)
def test_bad_inputs_name_the_predictor_and_the_cause(given_inputs, named):
    with pytest.raises(ValueError, match=named) as caught:
        serve(RATIO, given_inputs)
    assert str(caught.value).startswith("topic.ratio")
    assert "\n" not in str(caught.value)


@given(st.fractions())
def test_rationals_are_nearest_floats(value: Fraction):
    encoded = encode(Rational(value.numerator, value.denominator))
    assert Fraction(encoded["exact"]) == value
    assert encoded["value"] == float(value)
    assert encode(value) == encoded


@given(st.integers(2, 10**6), st.integers(2, 10**6))
@example(2, 8)
def test_irrationals_have_fifteen_digits(a, b):
    encoded = encode(sqrt(Integer(a)) - log(Integer(b)))
    with mpmath.workdps(60):
        truth = mpmath.sqrt(a) - mpmath.log(b)
        assert abs(encoded["value"] - truth) <= 1e-15 * abs(truth)


def test_cancellation_does_not_cost_digits():
    near_zero = encode(exp(pi * sqrt(Integer(163))) - 262537412640768744)
    assert near_zero["exact"] is None
    assert abs(near_zero["value"] + 7.4992740280181431e-13) < 1e-27
    assert abs(encode(cosh(Integer(50)) / exp(Integer(50)))["value"] - 0.5) < 1e-15


def test_values_beyond_float64_are_said_not_rounded():
    for value in (Integer(10) ** 400, Integer(10) ** 5000, Rational(1, 10**320), exp(Integer(-800))):
        encoded = encode(value)
        assert encoded["value"] is None
        assert "float64" in encoded["reason"]
    assert encode(Integer(0)) == {"exact": "0", "value": 0.0}


def test_infinity_and_undefined():
    assert encode(oo)["exact"] == "inf"
    assert encode(-oo)["exact"] == "-inf"
    assert encode(oo)["value"] is None
    assert encode(Undefined("no edge")) == {"exact": None, "value": None, "reason": "no edge"}


def test_structures():
    value = {"signs": [Integer(1), S.Zero], "stable": true, "fate": "inside", "name": None}
    assert encode(value) == {
        "signs": [{"exact": "1", "value": 1.0}, {"exact": "0", "value": 0.0}],
        "stable": True,
        "fate": "inside",
        "name": None,
    }
    assert json.loads(json.dumps(encode(value), allow_nan=False)) == encode(value)


@pytest.mark.parametrize("value", [Symbol("x"), S.NaN, S.ComplexInfinity, sqrt(Integer(-2))])
def test_what_is_no_real_number_is_a_programming_error(value):
    with pytest.raises(TypeError, match="serve"):
        encode(value)


def test_text_for_people():
    assert plain(encode(Rational(7, 9))) == "7/9 = 0.7777777777777778"
    assert plain(encode(Integer(3))) == "3"
    assert plain(encode(True)) == "true"
    assert plain(encode(None)) == "none"
    assert plain(encode(Undefined("no edge"))) == "no edge"
    assert plain(encode({"a": [Rational(1, 2), "b"]})) == "{a: [1/2 = 0.5, b]}"
    assert plain(encode(oo)) == "infinite"
