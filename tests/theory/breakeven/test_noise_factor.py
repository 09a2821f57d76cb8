"""The batch-noise factor against every batch of small sets, in symbols and in rationals."""

from itertools import combinations, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Integer, Rational, diff, expand, limit, oo, symbols

from theory.breakeven.enumeration import batch_means, variance
from theory.breakeven.noise_factor import BATCH_VARIANCE_LAW, NOISE_FACTOR_LAW
from theory.definitions.breakeven import N, S, noise, s2, w

SCHEMES = {1: combinations, 0: lambda values, size: product(values, repeat=size)}


def gap(examples, size, scheme, factor):
    """Variance over all batches of symbolic examples minus the factor times the population variance."""
    values = symbols(f"h:{examples}")
    centre = sum(values) / Integer(examples)
    means = [sum(one) / Integer(size) for one in SCHEMES[scheme](values, size)]
    over_batches = sum((mean - centre) ** 2 for mean in means) / Integer(len(means))
    population = sum((value - centre) ** 2 for value in values) / Integer(examples)
    return expand(over_batches - factor * population)


@pytest.mark.parametrize("examples", [3, 4, 5, 6])
def test_all_subsets_of_symbols_give_the_factor(examples):
    for size in range(1, examples + 1):
        assert gap(examples, size, 1, noise(examples, size, 1)) == 0


@pytest.mark.parametrize(("examples", "size"), [(2, 1), (2, 3), (3, 2), (4, 2)])
def test_all_tuples_of_symbols_give_the_factor(examples, size):
    assert gap(examples, size, 0, noise(examples, size, 0)) == 0


@pytest.mark.parametrize("rival", NOISE_FACTOR_LAW.rivals, ids=lambda rival: rival.name)
def test_the_rivals_fail_on_subsets_of_symbols(rival):
    assert gap(5, 3, 1, rival.claim.value.subs({N: 5, S: 3, w: 1})) != 0


@given(
    st.lists(st.fractions(-5, 5, max_denominator=7), min_size=2, max_size=7),
    st.integers(1, 7),
    st.booleans(),
)
@example([Rational(0), Rational(1)], 2, False)
def test_the_law_agrees_with_listing_every_batch(values, size, replacement):
    exact = [Rational(value.numerator, value.denominator) for value in values]
    size = min(size, 4 if replacement else len(exact))
    at = {N: len(exact), S: size, w: int(not replacement), s2: variance(exact)}
    predicted = BATCH_VARIANCE_LAW.claim.right.subs(at)
    assert variance(batch_means(exact, size, replacement)) == predicted


def test_ends_and_slopes():
    assert noise(N, N, 1) == 0 or noise(N, N, 1).simplify() == 0
    assert noise(N, 1, 1) == 1
    assert limit(noise(N, S, 1), N, oo) == 1 / S
    assert (diff(noise(N, S, 1), S) + N / (S**2 * (N - 1))).simplify() == 0
    assert (diff(noise(N, S, 1), N) - (S - 1) / (S * (N - 1) ** 2)).simplify() == 0


def test_the_printed_factor_is_the_derived_one():
    assert (noise(N, S, 1) - (N - S) / (S * (N - 1))).simplify() == 0
    assert (noise(N, S, 0) - (N - S) / (S * (N - 1))).simplify() != 0
