"""The closed-form kernel beside wide networks is the one that they have on average."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.width.constant_kernels import POINTS, _wide
from experiments.width.families import FAMILIES, scaled
from experiments.width.paper import REFERENCE_WIDTH
from experiments.width.paper_task import task
from numerics.data import digits
from numerics.function_space import Rates, draw, inner_products, train

WIDTH, SEEN = 20000, 8


@pytest.fixture(scope="module")
def diagonals():
    """At a few training points: of one wide network, and in closed form with and without the input weights."""
    given = task(digits(), POINTS, 10)
    given = given._replace(x_test=given.x_train[:SEEN], y_test=given.y_train[:SEEN])
    by = scaled(FAMILIES["NTK"], WIDTH / REFERENCE_WIDTH)
    rates = Rates(by.output * given.rate_output, by.inputs * given.rate_inputs)
    scale = by.scale / np.sqrt(3 * REFERENCE_WIDTH)
    wide = _wide(given, np.concatenate([given.x_train, given.x_test]), rates, scale, WIDTH)
    start = draw(
        jax.random.key(3), jnp.asarray(given.x_train), jnp.asarray(given.x_test), width=WIDTH, scale_output=scale,
        scale_inputs=given.scale_inputs,
    )  # fmt: skip
    inner = inner_products(given.x_train, given.x_test, given.y_train, given.y_test)
    own = train(start, inner, rates, jnp.asarray([0]), batch=POINTS).kernel[0]
    closed = (np.diagonal(np.asarray(part)[POINTS:, :SEEN]) for part in (wide.kernel, wide.features))
    return np.asarray(own), *closed


def test_a_wide_network_has_it(diagonals):
    own, whole, _ = diagonals
    assert np.allclose(own, whole, rtol=0.05)


def test_the_output_weights_alone_do_not(diagonals):
    own, whole, features = diagonals
    assert np.all(features < 0.5 * whole)
    assert not np.allclose(own, features, rtol=0.05)
