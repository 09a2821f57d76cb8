"""Mini-batches as index subsets: uniform over all subsets, with and without replacement."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from numerics.subsets import batch_means, distinct, every_subset, every_tuple, independent

SAMPLERS = {"distinct": distinct, "independent": independent}


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 99))
@example(5, 5, 0)
@example(1, 1, 0)
def test_distinct_batches_hold_different_examples_of_the_population(population, size, seed):
    size = min(size, population)
    batches = distinct(np.random.default_rng(seed), 50, population, size)
    assert batches.shape == (50, size)
    assert batches.min() >= 0
    assert batches.max() < population
    assert all(len(set(batch)) == size for batch in batches.tolist())


def chi_square(counts: np.ndarray) -> float:
    """P value of the hypothesis that all cells are equally likely."""
    return float(stats.chisquare(counts).pvalue)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_subset_is_equally_likely(size):
    batches = np.sort(distinct(np.random.default_rng(size), 60_000, 6, size), axis=1)
    places = {subset: number for number, subset in enumerate(combinations(range(6), size))}
    counts = np.bincount([places[tuple(batch)] for batch in batches.tolist()], minlength=comb(6, size))
    assert chi_square(counts) > 1e-4


def test_the_test_of_uniformity_can_fail():
    """Two examples read as one are not uniform."""
    drawn = np.minimum(distinct(np.random.default_rng(0), 60_000, 6, 1)[:, 0], 4)
    assert chi_square(np.bincount(drawn, minlength=5)) < 1e-4


def test_independent_draws_are_uniform_over_pairs():
    pairs = independent(np.random.default_rng(0), 60_000, 5, 2)
    assert chi_square(np.bincount(pairs[:, 0] * 5 + pairs[:, 1], minlength=25)) > 1e-4
    assert (pairs[:, 0] == pairs[:, 1]).mean() == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)
def test_the_same_generator_gives_the_same_batches(sampler):
    first, second = (sampler(np.random.default_rng(7), 10, 8, 3) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, sampler(np.random.default_rng(8), 10, 8, 3))


@pytest.mark.parametrize(("population", "size"), [(3, 1), (5, 2), (6, 6)])
def test_the_lists_are_complete_and_without_repetition(population, size):
    subsets = every_subset(population, size)
    assert subsets.shape == (comb(population, size), size)
    assert len({tuple(batch) for batch in subsets.tolist()}) == len(subsets)
    tuples = every_tuple(population, min(size, 3))
    assert len({tuple(batch) for batch in tuples.tolist()}) == population ** min(size, 3)


def test_batch_means_keep_leading_axes():
    values = np.arange(12.0).reshape(3, 4)
    batches = np.array([[0, 3], [1, 1]])
    assert batch_means(values, batches).tolist() == [[1.5, 1.0], [5.5, 5.0], [9.5, 9.0]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda g: distinct(g, 1, 3, 4), "distinct: size=4 exceeds population=3; pass size <= 3"),
        (lambda g: distinct(g, 0, 3, 2), "distinct: batches=0 is below 1"),
        (lambda g: independent(g, 1, 3, 0), "independent: size=0 is below 1"),
        (lambda g: every_subset(3, 4), "every_subset: size=4 exceeds population=3"),
        (lambda g: every_subset(60, 30), "every_subset: the list would hold"),
        (lambda g: every_tuple(10, 9), "every_tuple: the list would hold 1000000000 batches"),
    ],
)
def test_sizes_are_checked_at_the_door(call, sentence):
    with pytest.raises(ValueError, match=r"^[a-z_]+: ") as refused:
        call(np.random.default_rng(0))
    assert sentence in str(refused.value)
