"""Divergence by neighbours: two normal laws, scales that drop out, and what is refused."""

import numpy as np
import pytest

from numerics.neighbours import neighbour_divergence


def normal(mean: float, variance: float) -> float:
    """Divergence of a normal law from the standard one."""
    return (variance + mean**2 - 1 - np.log(variance)) / 2


@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (0.0, 1 / 16), (1.0, 0.25)])
def test_two_normal_laws(mean, variance):
    random = np.random.default_rng(0)
    first, second = random.standard_normal((200, 100)), random.standard_normal((200, 100))
    found = neighbour_divergence(mean + np.sqrt(variance) * first, second)
    error = found.std() / np.sqrt(found.size)
    assert abs(found.mean() - normal(mean, variance)) < 4 * error + 0.02
    assert abs(found.mean() - normal(mean, 2 * variance)) > 10 * error


def test_a_rise_is_nearly_free_of_what_few_draws_lose():
    """48 draws, the first law 4 and 64 times narrower than the other: the difference has no bias to speak of."""
    random = np.random.default_rng(1)
    second = random.standard_normal((2, 48, 2000))
    narrow, wide = (np.sqrt(v) * random.standard_normal((48, 2000)) for v in (1 / 64, 1 / 4))
    rise = neighbour_divergence(narrow, second[0]) - neighbour_divergence(wide, second[1])
    expected = normal(0.0, 1 / 64) - normal(0.0, 1 / 4)
    assert abs(rise.mean() / expected - 1) < 0.03
    assert abs(rise.mean() / (2 * expected) - 1) > 0.3


def test_units_drop_out():
    random = np.random.default_rng(2)
    first, second = random.standard_normal((2, 30, 3))
    np.testing.assert_allclose(
        neighbour_divergence(7 * first - 2, 7 * second - 2), neighbour_divergence(first, second), rtol=1e-9
    )


@pytest.mark.parametrize(("n", "m", "neighbour"), [(3, 9, 3), (9, 2, 3), (9, 9, 0)])
def test_too_few_draws_are_refused(n, m, neighbour):
    with pytest.raises(ValueError, match="draw more"):
        neighbour_divergence(np.zeros(n), np.zeros(m), neighbour)
