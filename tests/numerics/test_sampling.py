"""Samplers: what a batch holds, how often, and that draws do not move."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.sampling import draws, epochs, full_batch, subsets

KEY, POINTS = jax.random.key(5), jnp.arange(6)


@cache
def batches(make, size):
    """The batches of steps 0..2999, drawn once for each sampler."""
    sample = make(size)
    return np.asarray(jax.jit(lambda: jax.lax.map(lambda s: sample(KEY, s, POINTS), jnp.arange(3000)))())


def test_subsets_have_no_repeats_and_every_point_as_often():
    drawn = batches(subsets, 2)
    assert all(len(set(batch)) == 2 for batch in drawn)
    counts = np.bincount(drawn.reshape(-1), minlength=6) / 3000
    assert np.all(np.abs(counts - 1 / 3) < 4 * (2 / 9 / 3000) ** 0.5)


def test_draws_repeat_as_often_as_independent_draws_do():
    drawn = batches(draws, 2)
    assert abs(np.mean(drawn[:, 0] == drawn[:, 1]) - 1 / 6) < 4 * (5 / 36 / 3000) ** 0.5
    assert not np.any(np.diff(batches(subsets, 2)) == 0), "partner: subsets never do"


def test_epochs_see_every_point_once_and_in_a_new_order_each_time():
    drawn = batches(epochs, 2)[:30].reshape(10, 6)
    assert all(sorted(order) == list(range(6)) for order in drawn)
    assert len({tuple(order) for order in drawn}) > 5
    fresh = batches(subsets, 2)[:30].reshape(10, 6)
    assert not all(sorted(order) == list(range(6)) for order in fresh), "partner: fresh subsets do not"


def test_points_left_over_by_an_epoch_change_from_epoch_to_epoch():
    drawn = batches(epochs, 4)[:20]
    assert all(len(set(batch)) == 4 for batch in drawn)
    assert set(drawn.reshape(-1)) == set(range(6))


def test_full_size_subset_is_everything_and_full_batch_is_the_data_itself():
    assert np.array_equal(np.sort(subsets(6)(KEY, 0, POINTS)), POINTS)
    assert full_batch(KEY, 0, POINTS) is POINTS


def test_rows_of_all_arrays_stay_together():
    x, y = subsets(3)(KEY, 2, (POINTS, 10 * POINTS))
    assert np.array_equal(10 * x, y)


def test_a_step_draws_the_same_whatever_came_before():
    for make in (subsets, draws, epochs):
        assert np.array_equal(batches(make, 2)[6], make(2)(KEY, 6, POINTS))
        assert not np.array_equal(batches(make, 2)[:20], batches(make, 2)[1:21])


@pytest.mark.parametrize("make", [subsets, draws, epochs])
def test_bad_sizes_are_refused(make):
    for size in (0, -2, 1.5, True):
        with pytest.raises(ValueError, match=f"^{make.__name__}: size="):
            make(size)
    for too_large in (subsets, epochs):
        with pytest.raises(ValueError, match=r"size=7 exceeds points=6; pass size <= 6"):
            too_large(7)(KEY, 0, POINTS)
