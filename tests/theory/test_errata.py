"""Evidence stands only where the printed form fails and the derived one holds."""

import pytest
from sympy import Float, Integer, Rational, Symbol, nan, oo, sqrt, true, zoo

from theory.errata import Confirmed, Counterexample, Erratum, Measurement, Reading, Witness

X = Symbol("x")

@pytest.mark.parametrize(
    ("printed", "derived", "truth", "stands"),
    [(1, 2, 2, True), (2, 2, 2, False), (1, 3, 2, False), (2, 1, 2, False)],
)
def test_a_witness_needs_a_wrong_print_and_a_right_derivation(printed, derived, truth, stands):
    witness = Witness("a point", lambda: (Integer(printed), Integer(derived), Integer(truth)))
    assert witness.stands() is stands


@pytest.mark.parametrize(
    ("printed", "truth", "stands"),
    [
        (sqrt(3 + 2 * sqrt(2)), 1 + sqrt(2), False),
        (Float("0.5"), Rational(1, 2), False),
        (X * (X + 1), X**2 + X, False),
        (X * (X + 1), X**2 + 1, True),
        (sqrt(2), Rational(99, 70), True),
        (oo, Integer(2), True),
        (zoo, Integer(2), True),
        (nan, Integer(2), True),
        (true, Integer(1), True),
    ],
)
def test_a_value_written_in_another_way_is_no_other_value(printed, truth, stands):
    assert Witness("a point", lambda: (printed, truth, truth)).stands() is stands


@pytest.mark.parametrize(
    ("hypotheses", "conclusion", "stands"),
    [(True, False, True), (True, True, False), (False, False, False), (False, True, False)],
)
def test_a_counterexample_keeps_the_hypotheses_and_breaks_the_conclusion(hypotheses, conclusion, stands):
    assert Counterexample("an instance", lambda: (hypotheses, conclusion)).stands() is stands


def test_an_erratum_needs_evidence():
    with pytest.raises(ValueError, match="erratum width:G1: no evidence"):
        Erratum("width:G1", "Eq. 1", "It is wrong.", "a", "b", ())


def test_kinds_are_told_apart():
    kinds = {Witness.kind, Counterexample.kind, Confirmed.kind, Measurement.kind, Reading.kind}
    assert kinds == {"witness", "counterexample", "confirmed", "measurement", "reading"}


@pytest.mark.parametrize(("printed", "truth", "stands"), [(2, 2, True), (1, 2, False)])
def test_what_is_confirmed_must_hold(printed, truth, stands):
    assert Confirmed("a point", lambda: (Integer(printed), Integer(truth))).stands() is stands
