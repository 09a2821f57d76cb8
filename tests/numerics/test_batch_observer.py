"""What mini-batches tell of a point: against dense matrices and the gradients of the same batches, one by one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from numerics.batch_observer import batch_observer
from numerics.losses import cross_entropy
from numerics.normalised import normalised_mlp
from numerics.sampling import subsets
from numerics.trajectory import Warm

L, M, FRESH = 5, 4, 3
NETWORK = normalised_mlp(inputs=3, width=4, depth=1, classes=3, activation=jnp.tanh)
RANDOM = np.random.default_rng(0)
DATA = (jnp.asarray(RANDOM.normal(size=(9, 3))), jnp.eye(3)[np.arange(9) % 3])
THETA, UNRAVEL = ravel_pytree(NETWORK.init(jax.random.key(0)))
KEY = jax.random.key(5)


def loss(theta, batch):
    return jnp.mean(cross_entropy(NETWORK.apply(UNRAVEL(theta), batch[0]), batch[1]))


@pytest.fixture(scope="module")
def found():
    observe = batch_observer(loss, lanczos_steps=THETA.size, gram_batches=L, gram_size=M, fresh=FRESH)
    return observe(THETA, DATA, KEY, Warm(jnp.ones(THETA.size), jnp.zeros(THETA.size)))[0]


@pytest.fixture(scope="module")
def gradients():
    sample = subsets(M)
    return np.stack([jax.grad(loss)(THETA, sample(KEY, j, DATA)) for j in range(L + FRESH)])


def test_the_sharpness_is_that_of_the_dense_hessian_of_all_points_as_one_batch(found):
    values = np.linalg.eigvalsh(jax.hessian(loss)(THETA, DATA))
    np.testing.assert_allclose(found["lambda_H"], values[-1], rtol=1e-10)
    assert float(found["lambda_H_residual"]) < 1e-10
    np.testing.assert_allclose(found["loss"], loss(THETA, DATA), rtol=1e-12)


def test_the_spectrum_is_that_of_the_batches_gradients(found, gradients):
    values = np.linalg.eigvalsh(np.cov(gradients[:L].T, bias=True))[::-1]
    scale = M * L / (L - 1)
    np.testing.assert_allclose(found["lambda_KM"], scale * values[0], rtol=1e-10)
    np.testing.assert_allclose(found["lambda_KM_smallest"], scale * values[L - 2], rtol=1e-8)
    np.testing.assert_allclose(found["trace_KM"], scale * values.sum(), rtol=1e-10)
    assert values[L - 1] < 1e-12 * values[0] < values[L - 2], "one zero is structural"


def test_the_projection_ratio_is_of_batches_that_gave_no_direction(found, gradients):
    vectors = np.linalg.eigh(np.cov(gradients[:L].T, bias=True))[1][:, ::-1][:, : L - 1]
    fresh = gradients[L:]
    ratios = np.linalg.norm(fresh, axis=1) / np.linalg.norm(fresh @ vectors, axis=1)
    np.testing.assert_allclose(found["projection_ratio"], ratios.mean(), rtol=1e-8)
    np.testing.assert_allclose(found["projection_ratio_smallest"], ratios.min(), rtol=1e-8)
    own = gradients[:L] - gradients[:L].mean(axis=0)
    inside = np.linalg.norm(own, axis=1) / np.linalg.norm(own @ vectors, axis=1)
    np.testing.assert_allclose(inside, 1.0, rtol=1e-10)
    assert ratios.min() > 1 + 1e-6


def test_one_batch_has_no_spread():
    with pytest.raises(ValueError, match="gram_batches=1 has no spread"):
        batch_observer(loss, lanczos_steps=2, gram_batches=1, gram_size=2, fresh=1)
