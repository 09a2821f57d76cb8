"""What is measured along a trajectory: against dense matrices, direct differences, and steps by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from numerics.gram_space import gram_matrix, noise_spectrum, projection_ratios, subset_weights
from numerics.losses import cross_entropy
from numerics.models import dense
from numerics.trajectory import advancer, begin, cold, observer

NETWORK = dense(sizes=(3, 4, 3), activation=jnp.tanh)
RANDOM = np.random.default_rng(0)
DATA = (jnp.asarray(RANDOM.normal(size=(9, 3))), jnp.eye(3)[np.arange(9) % 3])
THETA, UNRAVEL = ravel_pytree(NETWORK.init(jax.random.key(0)))
RATE, SIZE = 0.3, 4


def losses(theta, batch):
    return cross_entropy(NETWORK.apply(UNRAVEL(theta), batch[0]), batch[1])


def mean_loss(theta):
    return jnp.mean(losses(theta, DATA))


@pytest.fixture(scope="module")
def dense_parts():
    """Gradients of the examples, the Hessian, and each example's Hessian, by routes of their own."""
    gradients = np.asarray(jax.jacrev(lambda t: losses(t, DATA))(THETA))
    hessians = np.asarray(jax.jacfwd(jax.jacrev(lambda t: losses(t, DATA)))(THETA))
    return gradients, hessians.mean(axis=0), hessians


@pytest.fixture(scope="module")
def observed():
    observe = observer(losses, lanczos_steps=THETA.size, gram_batches=5, gram_size=2, probes=6)
    return observe(THETA, DATA, jax.random.key(3), RATE, SIZE, cold(THETA.size, THETA.dtype))[0]


@pytest.fixture(scope="module")
def few():
    """An observer of five Hessian products, compiled once for all who use it."""
    return observer(losses, lanczos_steps=5, gram_batches=3, gram_size=2, probes=2, growth_batches=3)


def test_extreme_eigenvalues_are_those_of_the_dense_hessian(observed, dense_parts):
    values, vectors = np.linalg.eigh(dense_parts[1])
    np.testing.assert_allclose(observed["lambda_H"], values[-1], rtol=1e-12)
    np.testing.assert_allclose(observed["lambda_H_lowest"], values[0], rtol=1e-10)
    assert float(observed["lambda_H_residual"]) < 1e-12
    top = vectors[:, -1]
    along = np.einsum("nij,i,j->n", dense_parts[2], top, top)
    np.testing.assert_allclose(observed["curvature_mean"], along.mean(), rtol=1e-10)
    np.testing.assert_allclose(observed["curvature_variance"], along.var(), rtol=1e-9)
    assert abs(observed["curvature_variance"] - along.var(ddof=1)) > 0.01 * along.var()


def test_the_spectrum_of_k_is_that_of_the_dense_covariance(observed, dense_parts):
    covariance = np.cov(dense_parts[0].T, ddof=0)
    values, vectors = np.linalg.eigh(covariance)
    np.testing.assert_allclose(observed["lambda_K"], values[-1], rtol=1e-10)
    np.testing.assert_allclose(observed["trace_K"], np.trace(covariance), rtol=1e-10)
    np.testing.assert_allclose(observed["lambda_K_smallest"], values[-8], rtol=1e-8)  # N - 1 = 8 are not zero
    top = np.linalg.eigh(dense_parts[1])[1][:, -1]
    np.testing.assert_allclose(observed["alignment"], abs(top @ vectors[:, -1]), rtol=1e-8)
    np.testing.assert_allclose(observed["variance_along"], top @ covariance @ top, rtol=1e-10)


def test_gram_space_and_parameter_space_agree_on_batches(dense_parts):
    gradients = dense_parts[0]
    gram = gram_matrix(jnp.asarray(gradients))
    weights = subset_weights(jax.random.key(1), 6, 9, 2)
    batch = np.asarray(weights) @ gradients
    covariance = np.cov(batch.T, ddof=0)
    found = noise_spectrum(gram, weights, vectors=2)
    np.testing.assert_allclose(found.values[:5], np.linalg.eigvalsh(covariance)[::-1][:5], rtol=1e-10)
    np.testing.assert_allclose(found.values[5], 0, atol=1e-12)
    directions = np.asarray(found.combinations) @ gradients
    np.testing.assert_allclose(directions @ directions.T, np.eye(2), atol=1e-10)
    fresh = subset_weights(jax.random.key(2), 4, 9, 3)
    vectors = np.asarray(fresh) @ gradients
    expected = np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors @ directions.T, axis=1)
    np.testing.assert_allclose(projection_ratios(gram, found.combinations, fresh), expected, rtol=1e-10)
    assert np.all(expected >= 1)
    inside = projection_ratios(gram, found.combinations, found.combinations[:1])
    np.testing.assert_allclose(inside, 1, rtol=1e-12)


def test_subsets_have_their_size_and_no_repeats():
    weights = np.asarray(subset_weights(jax.random.key(0), 50, 9, 4))
    assert set(np.unique(weights)) == {0.0, 0.25}
    np.testing.assert_array_equal((weights > 0).sum(axis=1), 4)
    assert 0.3 < (weights > 0).mean() < 0.6 and len({tuple(row) for row in weights}) > 30
    with pytest.raises(ValueError, match="size=10 exceeds points=9"):
        subset_weights(jax.random.key(0), 1, 9, 10)


def test_a_full_batch_leaves_no_noise(dense_parts, few):
    """S = N: the growth is (1 - eta lam)^2, and probes see the loss change of a full step."""
    found, _ = few(THETA, DATA, jax.random.key(0), RATE, 9, cold(THETA.size, THETA.dtype))
    np.testing.assert_allclose(found["growth"], (1 - RATE * found["curvature_mean"]) ** 2, rtol=1e-12)
    gradient, hessian = dense_parts[0].mean(axis=0), dense_parts[1]
    change = mean_loss(THETA - RATE * gradient) - mean_loss(THETA)
    np.testing.assert_allclose(found["loss_change"], change, rtol=1e-10)
    second = -RATE * gradient @ gradient + RATE**2 * gradient @ hessian @ gradient / 2
    np.testing.assert_allclose(found["quadratic_change"], second, rtol=1e-10)
    sharpness = gradient @ hessian @ gradient / (gradient @ gradient)
    np.testing.assert_allclose(found["batch_sharpness"], sharpness, rtol=1e-10)
    noisy, _ = few(THETA, DATA, jax.random.key(0), RATE, 1, cold(THETA.size, THETA.dtype))
    assert abs(noisy["growth"] - found["growth"]) > 1e-6


def test_a_warm_start_finds_at_once_what_a_cold_one_misses(few):
    first, warm = few(THETA, DATA, jax.random.key(0), RATE, 9, cold(THETA.size, THETA.dtype))
    again, _ = few(THETA, DATA, jax.random.key(0), RATE, 9, warm)
    exact = np.linalg.eigvalsh(np.asarray(jax.hessian(mean_loss)(THETA)))
    assert abs(again["lambda_H"] - exact[-1]) < 0.3 * abs(first["lambda_H"] - exact[-1])
    assert abs(again["lambda_H_lowest"] - exact[0]) < 0.3 * abs(first["lambda_H_lowest"] - exact[0])
    for found in (first, again):
        assert abs(found["lambda_H"] - exact[-1]) <= found["lambda_H_residual"]


def test_steps_are_those_of_heavy_ball_by_hand():
    advance = advancer(losses, None)
    walk, cosine = advance(begin(THETA), DATA, jax.random.key(0), RATE, 0.5, 3)
    theta, velocity, last, cosines = THETA, jnp.zeros_like(THETA), None, []
    for _ in range(3):
        gradient = jax.grad(mean_loss)(theta)
        velocity = 0.5 * velocity + gradient
        theta = theta - RATE * velocity
        if last is not None:
            cosines.append(gradient @ last / (jnp.linalg.norm(gradient) * jnp.linalg.norm(last)))
        last = gradient
    np.testing.assert_allclose(walk.theta, theta, rtol=1e-12)
    np.testing.assert_allclose(cosine, np.mean(cosines), rtol=1e-12)


def test_a_walk_may_be_cut_anywhere_and_rates_share_one_compilation():
    advance = advancer(losses, 2)
    key = jax.random.key(1)
    whole, _ = advance(begin(THETA), DATA, key, RATE, 0.0, 6)
    part, _ = advance(begin(THETA), DATA, key, RATE, 0.0, 2)
    rest, _ = advance(part, DATA, key, RATE, 0.0, 6)
    np.testing.assert_array_equal(whole.theta, rest.theta)
    other, _ = advance(begin(THETA), DATA, key, 2 * RATE, 0.9, 6)
    assert not np.allclose(whole.theta, other.theta)
    assert advance._cache_size() == 1
