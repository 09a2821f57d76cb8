"""The misprints that concern these laws, and that each witness turns on the misprint alone."""

from sympy import Rational

from theory.breakeven import enumeration
from theory.breakeven.second_moment import ONE_STEP_VALUE
from theory.definitions.breakeven import N, S, eta, lam, s2, w
from theory.registry import errata


def test_the_three_misprints_stand():
    for name in ("X1", "X2", "X3"):
        assert all(evidence.stands() for evidence in errata()[f"breakeven:{name}"].evidence)


def test_where_deviation_and_variance_coincide_the_slip_shows_nothing():
    """A population of variance 1 cannot tell s from s^2: the witness needs another."""
    curvatures = [Rational(1), Rational(3)]
    at = {eta: Rational(1, 4), lam: 2, N: 2, S: 1, w: 1}
    assert enumeration.variance(curvatures) == 1
    assert ONE_STEP_VALUE.subs(at).subs(s2, 1) == enumeration.growth(curvatures, 1, Rational(1, 4))


def test_the_witness_values_are_those_of_a_step_by_hand():
    (x1,) = errata()["breakeven:X1"].evidence
    assert x1.exhibit() == (Rational(5, 4), Rational(1, 2), Rational(1, 2))
    (x3,) = errata()["breakeven:X3"].evidence
    assert x3.exhibit() == (49, 1, 1)
