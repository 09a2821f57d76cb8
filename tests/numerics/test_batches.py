"""Mini-batches drawn on purpose: what the index sets are, and what the batch Gram estimates."""

from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.batches import (
    as_per_example,
    batch_gradients,
    disjoint_batches,
    independent_batches,
    projection_ratio,
    replacement_batches,
)
from numerics.gradients import row_spectrum

KEY = jax.random.key(8)
ROWS = jnp.asarray(np.random.default_rng(0).normal(size=(12, 5)))
SCHEMES = (independent_batches, disjoint_batches, replacement_batches)


def linear(w, batch):
    """Mean over the batch of <row, w>: its gradient is the mean row."""
    return jnp.mean(batch @ w)


def test_batch_gradients_are_means_of_rows():
    indices = jnp.array([[0, 1, 2], [3, 3, 5]])
    found = batch_gradients(linear, jnp.zeros(5), ROWS, indices)
    np.testing.assert_allclose(found, np.asarray(ROWS)[np.asarray(indices)].mean(1), rtol=1e-14)


def test_index_sets_are_what_they_are_called():
    independent = np.asarray(independent_batches(KEY, 12, 40, 4))
    disjoint = np.asarray(disjoint_batches(KEY, 12, 3, 4))
    repeated = np.asarray(replacement_batches(KEY, 12, 40, 4))
    assert all(len(set(row)) == 4 for row in independent)
    assert len(set(independent.reshape(-1))) == 12
    assert len(set(disjoint.reshape(-1))) == 12
    assert any(len(set(row)) < 4 for row in repeated), "with replacement points do repeat"
    assert any(set(a) & set(b) for a, b in combinations(independent, 2)), "independent batches share points"


def test_gram_of_batches_has_the_spectrum_of_their_dense_covariance_and_one_zero():
    gradients = batch_gradients(linear, jnp.zeros(5), ROWS, independent_batches(KEY, 12, 4, 3))
    found = row_spectrum(gradients)
    dense = np.linalg.eigvalsh(np.cov(np.asarray(gradients).T, ddof=0))[::-1]
    np.testing.assert_allclose(found.values[:3], dense[:3], rtol=1e-10)
    np.testing.assert_allclose(found.values[3], 0, atol=1e-15)
    assert found.values[2] > 1e-4, "the (L-1)-th largest is the smallest nonzero one"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_scaled_trace_estimates_the_trace_of_k_with_the_factor_of_its_scheme(scheme):
    """600 draws through the real index sets; the factor comes from exhaustive enumeration, not from a law."""
    population = float(row_spectrum(ROWS).trace)

    @jax.jit
    def estimates(keys):
        def one(key):
            gradients = batch_gradients(linear, jnp.zeros(5), ROWS, scheme(key, 12, 3, 2))
            return as_per_example(row_spectrum(gradients).trace, 2, 3)

        return jax.lax.map(one, keys)

    drawn = np.asarray(estimates(jax.random.split(KEY, 600))) / population
    rows = np.asarray(ROWS)
    pairs = [rows[list(pair)].mean(0) for pair in combinations(range(12), 2)]
    spread = np.mean([np.sum((pair - rows.mean(0)) ** 2) for pair in pairs])
    unbiased = {"replacement_batches": 1.0, "independent_batches": 2 * spread / population}
    expected = unbiased.get(scheme.__name__, 12 / 11)
    error = drawn.std(ddof=1) / 600**0.5
    assert abs(drawn.mean() - expected) < 4 * error
    assert abs(drawn.mean() - expected * 2 / 3) > 8 * error, "without L / (L - 1) it is far off"


def test_projection_ratio_is_one_inside_the_span_and_more_outside():
    basis = jnp.eye(4)[:2]
    assert float(projection_ratio(jnp.array([3.0, 4.0, 0.0, 0.0]), basis)) == pytest.approx(1.0)
    assert float(projection_ratio(jnp.array([1.0, 1.0, 1.0, 1.0]), basis)) == pytest.approx(2**0.5)
    assert float(projection_ratio(jnp.array([0.0, 0.0, 1.0, 0.0]), basis)) == np.inf


def test_bad_numbers_are_refused():
    with pytest.raises(ValueError, match=r"^independent_batches: size=13 exceeds points=12; pass size <= 12"):
        independent_batches(KEY, 12, 3, 13)
    with pytest.raises(
        ValueError, match=r"^disjoint_batches: size=5 exceeds points / batches=4; pass size <= 4"
    ):
        disjoint_batches(KEY, 12, 3, 5)
    for scheme in SCHEMES:
        with pytest.raises(ValueError, match=f"^{scheme.__name__}: batches=0 is below 1"):
            scheme(KEY, 12, 0, 2)
    with pytest.raises(ValueError, match=r"^as_per_example: batches=1 has no spread; pass batches >= 2"):
        as_per_example(jnp.array(1.0), 2, 1)
