"""Inputs of ``predict`` are read exactly, and what cannot be read is refused with one sentence."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Rational, oo

from theory.parsing import parse_assignments, parse_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Integer(3)),
        ("-2", Integer(-2)),
        ("+2", Integer(2)),
        ("1/2", Rational(1, 2)),
        ("-3/4", Rational(-3, 4)),
        ("0.1", Rational(1, 10)),
        (".5", Rational(1, 2)),
        ("2.", Integer(2)),
        ("2e-3", Rational(1, 500)),
        ("1.5E2", Integer(150)),
        ("0.5/0.1", Integer(5)),
        ("inf", oo),
        ("-inf", -oo),
        ("[]", []),
        ("[3, 2,1,0]", [3, 2, 1, 0]),
        ("[[1,1/2],[1/2,1]]", [[1, Rational(1, 2)], [Rational(1, 2), 1]]),
        ("fixed_ratio", "fixed_ratio"),
        ("'a, b'", "a, b"),
        ('["NTK",0.25]', ["NTK", Rational(1, 4)]),
    ],
)
def test_values_are_exact(text, value):
    assert parse_value(text) == value


@pytest.mark.parametrize("text", ["False", "false", "FALSE"])
def test_false_is_false(text):
    assert parse_value(text) is False


@pytest.mark.parametrize("text", ["True", "true"])
def test_true_is_true(text):
    assert parse_value(text) is True


@given(st.fractions())
def test_every_rational_returns(value: Fraction):
    assert parse_value(f"{value.numerator}/{value.denominator}") == Rational(
        value.numerator, value.denominator
    )


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_every_decimal_is_itself(value):
    assert parse_value(str(value)) == Rational(*value.as_integer_ratio())


@given(st.recursive(st.integers(-9, 9), lambda inner: st.lists(inner, max_size=3), max_leaves=9))
def test_nested_lists_return(value):
    assert parse_value(str(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[1 2]",
        "]",
        "1]",
        "1,2",
        "1/0",
        "0/0",
        "1/2/3",
        "1//2",
        "--1",
        "1 2",
        "nan",
        "NaN",
        "sqrt(2)",
        "1e999999999",
        "1e-5000",
        "٣",
        "0x10",
        "1_000",
        "'open",
        "2beta",
        "a=b",
    ],
)
def test_unreadable_values_are_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match=r"value '|value \"") as caught:
        parse_value(text)
    assert "\n" not in str(caught.value)


def test_assignments():
    assert parse_assignments(["a=1/3", "b=[1,2]", "word=paper"]) == {
        "a": Rational(1, 3),
        "b": [1, 2],
        "word": "paper",
    }


@pytest.mark.parametrize("words", [["a"], ["=1"], ["2a=1"], ["a=1", "a=2"], ["a="], ["a=1e99999"]])
def test_bad_assignments_are_refused(words):
    with pytest.raises(ValueError, match="input"):
        parse_assignments(words)
