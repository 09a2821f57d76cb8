"""The misprints that concern these laws, and that each witness turns on the misprint alone."""

from itertools import combinations

import pytest
from sympy import Integer, Rational, sqrt

from theory.breakeven import enumeration
from theory.breakeven.gaps import RATE, excursion, first_unstable
from theory.breakeven.second_moment import ONE_STEP_VALUE
from theory.breakeven.uncoupled import growth_at, obeys, rising
from theory.definitions.breakeven import N, S, eta, lam, s2, w
from theory.errata import Counterexample, Reading, Witness
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


ALL = [f"X{number}" for number in range(1, 14)] + [f"G{number}" for number in (1, 2, 3, 4, 6, 9)]


@pytest.mark.parametrize("name", ALL)
def test_each_misprint_and_gap_has_evidence_that_stands(name):
    evidence = errata()[f"breakeven:{name}"].evidence
    assert all(one.stands() for one in evidence if isinstance(one, Witness | Counterexample))
    if all(isinstance(one, Reading) for one in evidence):
        assert name in {"X7", "X9", "X12"}, "only slips of notation rest on a reading"


def test_the_uncoupled_runs_break_even_at_the_numbers_of_the_catalogue():
    first = rising(Rational(1, 5), Integer(10), Rational(99, 10))[-1][0]
    second = rising(Rational(1, 10), Integer(10), Rational(3, 10))[-1][0]
    assert (round(float(first), 3), round(float(second), 3)) == (9.990, 8.889)
    assert growth_at((first, Rational(99, 10)), Rational(1, 5)) == 1


def test_on_one_distance_function_the_same_runs_are_in_order():
    """The coupling alone makes the difference: with the second run's distances the first breaks even first."""
    rate, distance = Rational(1, 5), Rational(3, 10)
    coupled = 2 / rate - 1 / distance**2
    assert coupled < rising(Rational(1, 10), Integer(10), distance)[-1][0]


def test_the_excursion_obeys_the_assumptions_and_breaks_even_higher_the_second_time():
    path = excursion()
    crossings = [point for point in path if growth_at(point, RATE) == 1]
    assert [round(float(curvature), 1) for curvature, _ in crossings] == [18.7, 20.0]
    assert all(curvature < 2 / RATE for curvature, _ in crossings)
    assert obeys(path, RATE)
    assert not obeys([path[0], (path[1][0], path[0][1] + 1)], RATE)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_smaller_eigenvalue_of_k_goes_with_batches_farther_from_the_mean(size):
    """K = diag(2, 0) and diag(3/2, 3/2), by gradients of mean zero and all batches of them."""
    one, other = sqrt(2), sqrt(3)
    before, after = [(one, 0), (one, 0), (-one, 0), (-one, 0)], [(other, 0), (-other, 0), (0, other), (0, -other)]

    def covariance(rows):
        return [[sum(row[i] * row[j] for row in rows) / Integer(len(rows)) for j in (0, 1)] for i in (0, 1)]

    def distance(rows):
        batches = list(combinations(rows, size))
        return sum(sum(sum(part) ** 2 for part in zip(*batch, strict=True)) for batch in batches) / len(batches)

    assert covariance(before) == [[2, 0], [0, 0]]
    assert covariance(after) == [[Rational(3, 2), 0], [0, Rational(3, 2)]]
    assert distance(after) / distance(before) == Rational(3, 2)


def test_discrete_strides_overshoot_as_the_catalogue_says():
    assert first_unstable(Rational(1, 5), Integer(4)) == 13
    assert first_unstable(Rational(19, 100), Integer(1)) == 11
    assert first_unstable(Rational(1, 5), Integer(1)) <= first_unstable(Rational(19, 100), Integer(1))
