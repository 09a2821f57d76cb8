"""Gradient covariance: exact small cases, Gram against dense, chunks, derivatives along a line."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jax.flatten_util import ravel_pytree
from jaxtyping import jaxtyped

from numerics.gradients import (
    alignment,
    along_direction,
    covariance_spectrum,
    per_example_gradients,
    row_spectrum,
    smallest_nonzero,
)
from numerics.losses import cross_entropy
from numerics.models import dense

NETWORK = dense(sizes=(3, 4, 3), activation=jnp.tanh)
PARAMS = jax.jit(NETWORK.init)(jax.random.key(0))
DATA = (jnp.asarray(np.random.default_rng(0).normal(size=(7, 3))), jnp.eye(3)[np.arange(7) % 3])
FLAT, UNRAVEL = ravel_pytree(PARAMS)
E = jnp.asarray(np.random.default_rng(1).normal(size=FLAT.shape))


def loss(params, point):
    return cross_entropy(NETWORK.apply(params, point[0][None]), point[1][None])[0]


@pytest.fixture(scope="module")
def rows():
    """Per-example gradients by a route of their own: the Jacobian of the vector of losses."""

    def losses(vector):
        return cross_entropy(NETWORK.apply(UNRAVEL(vector), DATA[0]), DATA[1])

    return np.asarray(jax.jit(jax.jacrev(losses))(FLAT))


def test_per_example_gradients_are_the_jacobian_of_the_losses(rows):
    for chunk in (None, 3):
        ours = jax.jit(lambda p, c=chunk: per_example_gradients(loss, p, DATA, chunk=c))(PARAMS)
        np.testing.assert_allclose(ours, rows, atol=1e-13)
    assert np.max(np.abs(rows[0] - rows[1])) > 1e-3


def test_spectrum_is_that_of_the_dense_population_covariance(rows):
    found = jax.jit(lambda p: covariance_spectrum(loss, p, DATA, vectors=2))(PARAMS)
    dense_values, dense_vectors = np.linalg.eigh(np.cov(rows.T, ddof=0))
    np.testing.assert_allclose(found.values[:6], dense_values[::-1][:6], rtol=1e-9)
    np.testing.assert_allclose(found.values[6], 0, atol=1e-14)
    np.testing.assert_allclose(found.trace, np.trace(np.cov(rows.T, ddof=0)), rtol=1e-12)
    np.testing.assert_allclose(found.mean, rows.mean(0), atol=1e-14)
    overlaps = np.abs(np.asarray(found.vectors) @ dense_vectors[:, [-1, -2]])
    np.testing.assert_allclose(overlaps, np.eye(2), atol=1e-7)
    sample = np.linalg.eigvalsh(np.cov(rows.T, ddof=1))[-1]
    assert abs(found.values[0] / sample - 1) > 0.1, "the sample form (ddof 1) is another number"


def test_trace_and_top_obey_the_bounds_of_the_trace_law(rows):
    found = row_spectrum(jnp.asarray(rows))
    np.testing.assert_allclose(jnp.sum(found.values), found.trace, rtol=1e-12)
    np.testing.assert_allclose(found.trace, np.mean(np.sum((rows - rows.mean(0)) ** 2, axis=1)), rtol=1e-12)
    assert found.values[0] <= found.trace <= 6 * found.values[0]
    second_moment = np.linalg.eigvalsh(rows.T @ rows / 7)[-1]
    square = np.sum(rows.mean(0) ** 2)
    assert found.values[0] <= second_moment <= found.values[0] + square
    assert second_moment > found.values[0] * 1.001, "K is not the uncentred second moment"


def test_chunked_equals_unchunked(rows):
    """Seven points in chunks of 3 leave a short last one."""
    found = jax.jit(lambda p: covariance_spectrum(loss, p, DATA, vectors=2, chunk=3))(PARAMS)
    whole = row_spectrum(jnp.asarray(rows), vectors=2)
    np.testing.assert_allclose(found.values, whole.values, atol=1e-13)
    np.testing.assert_allclose(found.trace, whole.trace, rtol=1e-12)
    np.testing.assert_allclose(found.mean, whole.mean, atol=1e-14)
    np.testing.assert_allclose(np.abs(np.sum(found.vectors * whole.vectors, axis=1)), 1, rtol=1e-9)
    assert np.max(np.abs(row_spectrum(jnp.asarray(rows[:6])).values[:6] - whole.values[:6])) > 1e-4


def test_memory_of_a_chunked_spectrum_is_that_of_chunks_and_the_gram():
    """A thousand parameters more cost some chunks of them, not a row for each of the 64 points."""

    def bytes_at(size, chunk):
        data = jnp.ones((64, size))
        run = jax.jit(lambda w, d: covariance_spectrum(lambda w, x: jnp.sum((w * x) ** 2), w, d, chunk=chunk).values)
        return run.lower(jnp.ones(size), data).compile().memory_analysis().temp_size_in_bytes

    growth = {chunk: (bytes_at(2000, chunk) - bytes_at(1000, chunk)) / 8000 for chunk in (2, None)}
    assert growth[2] < 20 < 64 <= growth[None], "numbers held for each parameter"


@settings(max_examples=15)
@example(0)
@given(st.integers(0, 10**6))
def test_planted_spectrum_is_recovered(seed):
    """Rows sqrt(n) times an orthonormal frame orthogonal to 1, scaled: the spectrum is the squared scales."""
    rng = np.random.default_rng(seed)
    scales = np.array([3.0, 1.0, 0.2])
    frame, _ = np.linalg.qr(np.column_stack([np.ones(8), rng.normal(size=(8, 3))]))
    directions, _ = np.linalg.qr(rng.normal(size=(5, 3)))
    planted = 8**0.5 * frame[:, 1:] * scales @ directions.T + rng.normal(size=5)
    found = row_spectrum(jnp.asarray(planted), vectors=3)
    np.testing.assert_allclose(found.values[:3], scales**2, rtol=1e-10)
    np.testing.assert_allclose(found.values[3:], 0, atol=1e-12)
    np.testing.assert_allclose(np.abs(found.vectors @ directions), np.eye(3), atol=1e-9)
    np.testing.assert_allclose(smallest_nonzero(found.values), 0.04, rtol=1e-10)


def test_equal_gradients_have_no_spread_and_no_direction():
    found = row_spectrum(jnp.ones((4, 3)), vectors=2)
    assert np.max(np.abs(found.values)) < 1e-15
    assert np.all(found.vectors == 0)
    assert float(found.trace) == 0


def test_float32_gradients_are_accumulated_in_float64():
    """lambda^* = 6e-8 lambda_1 survives in a float64 Gram, and is lost in a float32 one."""
    e = 2.0**-12  # 1 +- e are exact in float32, 2 + 2 e^2 is not
    planted = np.array([[1 + e, 1 - e], [1 - e, 1 + e], [-1 - e, e - 1], [e - 1, -1 - e]], np.float32)
    found = row_spectrum(jnp.asarray(planted))
    assert found.values.dtype == jnp.float64
    np.testing.assert_allclose(found.values[:2], [2, 2 * e**2], rtol=1e-7)
    narrow = np.linalg.eigvalsh(planted @ planted.T / np.float32(4))
    assert narrow.dtype == np.float32
    assert abs(narrow[-2] / (2 * e**2) - 1) > 0.1


def test_slopes_and_curvatures_along_a_direction_are_those_of_dense_derivatives(rows):
    def second(point):
        return jax.hessian(lambda v: loss(UNRAVEL(v), point))(FLAT)

    hessians = np.asarray(jax.jit(jax.vmap(second))(DATA))
    for chunk in (None, 3):
        found = jax.jit(lambda p, c=chunk: along_direction(loss, p, DATA, E, chunk=c))(PARAMS)
        np.testing.assert_allclose(found.slopes, rows @ np.asarray(E), atol=1e-12)
        np.testing.assert_allclose(found.curvatures, np.einsum("p,npq,q->n", E, hessians, E), atol=1e-11)
    assert np.std(found.curvatures) > 1e-3


def test_variance_of_slopes_is_the_quadratic_form_of_the_covariance(rows):
    found = jax.jit(lambda p: along_direction(loss, p, DATA, E))(PARAMS)
    covariance = np.cov(rows.T, ddof=0)
    np.testing.assert_allclose(np.var(found.slopes), E @ covariance @ E, rtol=1e-10)


def test_curvature_of_a_quadratic_is_exact():
    """L_i = h_i w^2 / 2 along e = 2: q_i = 4 h_i whatever w."""
    h = jnp.array([1.0, -3.0, 5.0])
    found = along_direction(lambda w, h: h * w**2 / 2, jnp.array(7.0), h, jnp.array([2.0]))
    np.testing.assert_allclose(found.curvatures, 4 * h, rtol=1e-14)
    np.testing.assert_allclose(found.slopes, 14 * h, rtol=1e-14)


def test_alignment_is_the_cosine_without_its_sign():
    assert float(alignment(jnp.array([3.0, 0.0]), jnp.array([-2.0, 0.0]))) == pytest.approx(1.0)
    assert float(alignment(jnp.array([3.0, 0.0]), jnp.array([0.0, 1.0]))) == 0
    assert float(alignment(jnp.zeros(2), jnp.array([0.0, 1.0]))) == 0
    assert float(alignment(jnp.array([1e-200, 0.0]), jnp.array([1e-200, 1e-200]))) == pytest.approx(0.5**0.5)


def test_smallest_nonzero_respects_the_tolerance():
    values = jnp.array([1.0, 1e-3, 1e-12, -1e-18])
    assert float(smallest_nonzero(values)) == 1e-12
    assert float(smallest_nonzero(values, 1e-6)) == 1e-3


def test_bad_arguments_are_refused():
    with pytest.raises(
        ValueError, match=r"^covariance_spectrum: vectors=8 exceeds batch=7; pass vectors <= 7"
    ):
        covariance_spectrum(loss, PARAMS, DATA, vectors=8)
    with pytest.raises(ValueError, match=r"^along_direction: direction has shape \(3,\); .*; pass shape"):
        along_direction(loss, PARAMS, DATA, jnp.ones(3))
    with pytest.raises(ValueError, match=r"chunk=0 is below 1; pass chunk >= 1"):
        per_example_gradients(loss, PARAMS, DATA, chunk=0)


def test_annotations_hold_and_a_wrong_shape_breaks_them():
    typed = jaxtyped(typechecker=beartype)(row_spectrum)
    typed(jnp.ones((3, 2)))
    with pytest.raises((BeartypeCallHintParamViolation, TypeError)):
        typed(jnp.ones(3))
