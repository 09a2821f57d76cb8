"""One-step growth and its thresholds: the closed forms against steps over every batch, in exact numbers."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Rational, diff, sqrt

from theory.breakeven.ceiling import CEILING
from theory.breakeven.curvature_edge import FIXED_RATIO_LAW, FIXED_VARIANCE, PAPER_LAW
from theory.breakeven.curvature_edge_prediction import PREDICTORS
from theory.breakeven.enumeration import growth, mean, variance
from theory.breakeven.second_moment import SECOND_MOMENT
from theory.breakeven.step_size_edge import STEP_SIZE_EDGE
from theory.definitions.breakeven import N, S, alpha, eta, kappa, lam, psi, s2, w

SENSITIVITY = {predictor.name: predictor for predictor in PREDICTORS}["breakeven.sensitivity"]

positive = st.fractions(Rational(1, 9), 4, max_denominator=9)
curvatures = st.lists(st.fractions(0, 6, max_denominator=5), min_size=2, max_size=6)


def exact(values):
    """SymPy rationals, with the first raised so that the mean is positive."""
    made = [Rational(value.numerator, value.denominator) for value in values]
    return [made[0] + 1, *made[1:]]


def at(values, size, replacement, rate):
    """Inputs of the laws for a list of curvatures."""
    inputs = {N: len(values), S: size, w: int(not replacement), eta: rate}
    return inputs | {lam: mean(values), s2: variance(values)}


@given(curvatures, st.integers(1, 4), st.booleans(), positive)
@example([Rational(0), Rational(3)], 1, True, Rational(1, 4))
def test_growth_is_what_a_step_over_every_batch_gives(values, size, replacement, rate):
    values, rate = exact(values), Rational(rate.numerator, rate.denominator)
    size = size if replacement else min(size, len(values))
    predicted = SECOND_MOMENT.claim.value.subs(at(values, size, replacement, rate))
    assert predicted == growth(values, size, rate, replacement)


def test_rivals_of_the_second_moment_differ_from_a_step_over_every_batch():
    values = exact([1, 2, 5, 5])
    truth = growth(values, 2, Rational(1, 3))
    for rival in SECOND_MOMENT.rivals:
        assert rival.claim.value.subs(at(values, 2, False, Rational(1, 3))) != truth, rival.name


@given(curvatures, st.integers(1, 4), st.booleans())
def test_at_the_largest_stable_rate_the_growth_is_exactly_one(values, size, replacement):
    values = exact(values)
    size = size if replacement else min(size, len(values))
    edge = STEP_SIZE_EDGE.claim.upper.subs(at(values, size, replacement, 1))
    assert growth(values, size, edge, replacement) == 1
    assert growth(values, size, edge * Rational(99, 100), replacement) < 1
    assert growth(values, size, edge * Rational(101, 100), replacement) > 1


@given(st.integers(2, 9), st.integers(1, 9), positive, positive, st.booleans())
def test_the_curvature_edges_are_where_the_growth_is_one(examples, size, rate, ratio, replacement):
    rate, ratio = (Rational(x.numerator, x.denominator) for x in (rate, ratio))
    batch = {N: examples, S: min(size, examples), w: int(not replacement), eta: rate}
    factor = SECOND_MOMENT.claim.value.subs(batch)

    edge = FIXED_RATIO_LAW.claim.curve.subs(batch | {kappa: ratio})
    assert factor.subs({lam: edge, s2: ratio * edge**2}) == 1

    distance = 2 + ratio
    edge = PAPER_LAW.claim.value.subs(batch | {alpha: ratio / rate, psi: distance})
    assert factor.subs({lam: edge, s2: ratio / rate * edge / distance**2}) == 1

    spread = Rational(3, 4) / rate**2
    for edge in (FIXED_VARIANCE.claim.lower, FIXED_VARIANCE.claim.upper):
        assert factor.subs({lam: edge.subs(batch | {s2: spread}), s2: spread}).expand() == 1


@given(st.integers(2, 40), st.integers(1, 40), positive, positive)
def test_every_edge_lies_below_the_full_batch_threshold(examples, size, rate, ratio):
    rate, ratio = (Rational(x.numerator, x.denominator) for x in (rate, ratio))
    batch = {N: examples, S: min(size, examples), w: 1, eta: rate}
    ceiling = CEILING.claim.larger.subs(eta, rate)
    closed = FIXED_RATIO_LAW.claim.curve.subs(batch | {kappa: ratio})
    assert closed <= ceiling
    assert (closed == ceiling) == (examples == min(size, examples))
    assert PAPER_LAW.claim.value.subs(batch | {alpha: ratio, psi: 1}) <= ceiling


@given(st.integers(2, 400), st.integers(1, 400), positive, positive)
def test_the_slopes_are_the_derivatives_and_have_their_signs(examples, size, rate, ratio):
    rate, ratio = (Rational(x.numerator, x.denominator) for x in (rate, ratio))
    size = min(size, examples)
    point = {N: examples, S: size, w: 1, eta: rate, kappa: ratio}
    edge = FIXED_RATIO_LAW.claim.curve
    found = SENSITIVITY.evaluate(closure="fixed_ratio", eta=rate, N=Rational(examples), S=Rational(size), kappa=ratio)
    assert found["d_eta"] == diff(edge, eta).subs(point) < 0
    assert found["d_S"] == diff(edge, S).subs(point).simplify() > 0


def test_the_fixed_variance_edges_close_in_as_the_rate_grows():
    point = {N: 9, S: 2, w: 1, s2: Rational(1, 10), eta: Rational(2)}
    lower, upper = FIXED_VARIANCE.claim.lower, FIXED_VARIANCE.claim.upper
    root = sqrt(1 - Rational(7, 160) * 4)
    assert (diff(upper, eta).subs(point) + (1 + root) / (4 * root)).simplify() == 0
    assert (diff(lower, eta).subs(point) - (1 - root) / (4 * root)).simplify() == 0


@pytest.mark.parametrize("distance", [Rational(1, 2), Rational(1), Rational(7)])
def test_a_larger_distance_raises_the_paper_threshold(distance):
    slope = diff(PAPER_LAW.claim.value, psi).subs({N: 5, S: 2, w: 1, alpha: 3, eta: 1, psi: distance})
    assert slope == 2 * Rational(3, 8) * 3 / distance**3
