"""The step of the second moments against walks that are really taken."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.stability import (
    averaged_steps,
    batch_matrices,
    edge,
    heavy_ball_steps,
    mean_square_radius,
    second_moment_step,
)
from numerics.subsets import every_subset


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_the_second_moments_after_a_step_are_those_of_all_batches(size, batches, seed):
    random = np.random.default_rng(seed)
    steps, place = random.standard_normal((batches, size, size)), random.standard_normal(size)
    found = second_moment_step(steps) @ np.outer(place, place).reshape(-1)
    after = steps @ place
    assert found.reshape(size, size) == pytest.approx(after.T @ after / batches, abs=1e-12)


def test_the_mean_step_is_not_the_step_of_the_second_moments():
    steps = np.array([[[0.5]], [[-0.5]]])
    assert mean_square_radius(steps) == pytest.approx(0.25)
    assert mean_square_radius(steps.mean(axis=0)[None]) == pytest.approx(0.0)


def test_heavy_ball_without_momentum_is_a_plain_step():
    assert mean_square_radius(heavy_ball_steps(np.array([3.0]), 0.5, 0.0)) == pytest.approx(0.25)


@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
def test_heavy_ball_moves_as_written(momentum):
    x, v = 1.5, -0.25
    for _ in range(3):
        v_new = momentum * v + 2.0 * x
        moved = heavy_ball_steps(np.array([2.0]), 0.1, momentum)[0] @ np.array([x, v])
        x, v = x - 0.1 * v_new, v_new
        assert moved == pytest.approx([x, v])


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_averaged_gradients_move_as_written(share):
    x, m = 1.5, -0.25
    moved = averaged_steps(np.array([2.0]), 0.1, share)[0] @ np.array([x, m])
    m = share * m + (1 - share) * 2.0 * x
    assert moved == pytest.approx([x - 0.1 * m, m])


def test_an_edge_that_is_not_between_the_ends_is_no_number():
    family = lambda rate: np.array([[[1 - rate]]])  # noqa: E731
    assert edge(family, 0.5, 3.0) == pytest.approx(2.0)
    assert np.isnan(edge(family, 0.5, 1.5))


def test_batches_of_all_examples_have_the_mean_matrix():
    matrices = np.random.default_rng(0).standard_normal((4, 2, 2))
    assert batch_matrices(matrices, every_subset(4, 4))[0] == pytest.approx(matrices.mean(axis=0))
