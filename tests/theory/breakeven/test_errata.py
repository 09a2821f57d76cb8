"""The misprints that concern these laws, and that each witness turns on the misprint alone."""

import pytest
from sympy import Rational

from theory.breakeven import enumeration
from theory.breakeven.second_moment import ONE_STEP_VALUE
from theory.definitions.breakeven import N, S, eta, lam, s2, w
from theory.errata import Counterexample, Witness
from theory.registry import errata


@pytest.mark.parametrize("name", ["X1", "X2", "X3"])
def test_each_misprint_has_an_exact_witness_that_stands(name):
    first = errata()[f"breakeven:{name}"].evidence[0]
    assert isinstance(first, Witness | Counterexample)
    assert first.stands()


def test_where_deviation_and_variance_coincide_the_slip_shows_nothing():
    """A population of variance 1 cannot tell s from s^2: the witness needs another."""
    curvatures = [Rational(1), Rational(3)]
    at = {eta: Rational(1, 4), lam: 2, N: 2, S: 1, w: 1}
    assert enumeration.variance(curvatures) == 1
    assert ONE_STEP_VALUE.subs(at).subs(s2, 1) == enumeration.growth(curvatures, 1, Rational(1, 4))


def test_the_witness_values_are_those_of_a_step_by_hand():
    x1, *_ = errata()["breakeven:X1"].evidence
    assert x1.exhibit() == (Rational(5, 4), Rational(1, 2), Rational(1, 2))
    x3, *_ = errata()["breakeven:X3"].evidence
    assert x3.exhibit() == (49, 1, 1)
