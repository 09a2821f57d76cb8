"""Evidence stands only where the printed form fails and the derived one holds."""

import pytest
from sympy import Integer

from theory.errata import Confirmed, Counterexample, Erratum, Measurement, Reading, Witness


@pytest.mark.parametrize(
    ("printed", "derived", "truth", "stands"),
    [(1, 2, 2, True), (2, 2, 2, False), (1, 3, 2, False), (2, 1, 2, False)],
)
def test_a_witness_needs_a_wrong_print_and_a_right_derivation(printed, derived, truth, stands):
    witness = Witness("a point", lambda: (Integer(printed), Integer(derived), Integer(truth)))
    assert witness.stands() is stands


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
