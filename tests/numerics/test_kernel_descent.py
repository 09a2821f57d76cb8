"""Kernel descent is training of a linear model in its features."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.kernel_descent import kernel_descent

POINTS, TEST, FEATURES, STEPS = 6, 3, 9, 12


def task():
    random = np.random.default_rng(5)
    x = jnp.asarray(random.normal(size=(POINTS + TEST, FEATURES)))
    return x, jnp.asarray(random.choice([-1.0, 1.0], POINTS)), jnp.asarray(random.normal(size=FEATURES))


@pytest.mark.parametrize("batch", [6, 2])
def test_it_trains_a_linear_model(batch):
    x, y, weights = task()
    rate, start = 0.3, x @ weights

    def loss(w, rows):
        return jnp.mean(jax.nn.softplus(-y[rows] * (x[:POINTS] @ w)[rows]))

    for step in range(STEPS):
        first = (step % (POINTS // batch)) * batch
        weights = weights - rate * jax.grad(loss)(weights, slice(first, first + batch))
    kernel = rate * x @ x[:POINTS].T
    found = kernel_descent(kernel, start, y, jnp.asarray([0, STEPS]), batch=batch)
    assert np.allclose(found[0], start)
    assert np.allclose(found[1], x @ weights, atol=1e-12)
    assert not np.allclose(kernel_descent(1.01 * kernel, start, y, jnp.asarray([STEPS]), batch=batch)[0], found[1])


def test_a_batch_divides_the_points():
    x, y, weights = task()
    with pytest.raises(ValueError, match="does not divide"):
        kernel_descent(x @ x[:POINTS].T, x @ weights, y, jnp.asarray([1]), batch=4)
