"""The gated recurrent network against its equations, and batch normalisation against its invariances."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.activations import ACTIVATIONS
from numerics.normalised import normalised, normalised_mlp
from numerics.recurrent import gru


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_gru_follows_its_equations_element_by_element():
    network = gru(inputs=3, hidden=4, classes=2)
    params = network.init(jax.random.key(1))
    params = jax.tree.map(lambda a: a + 0.1, params)
    x = np.random.default_rng(0).standard_normal((5, 6, 3))
    (weights, bias), memory = (jax.tree.map(np.asarray, part) for part in params.body)
    h = np.zeros((5, 4))
    for step in range(6):
        given, kept = x[:, step] @ weights + bias, h @ memory
        r, u = sigmoid(given[:, :4] + kept[:, :4]), sigmoid(given[:, 4:8] + kept[:, 4:8])
        h = u * h + (1 - u) * np.tanh(given[:, 8:] + r * kept[:, 8:])
    readout, last = (np.asarray(a) for a in params.readout)
    np.testing.assert_allclose(network.apply(params, jnp.asarray(x)), h @ readout + last, rtol=1e-12, atol=1e-14)


def test_gru_knows_the_order_of_a_sequence_and_a_sum_would_not():
    network = gru(inputs=1, hidden=4, classes=2)
    params = network.init(jax.random.key(2))
    x = jnp.array([[[1.0], [2.0], [-1.0]]])
    assert not jnp.allclose(network.apply(params, x), network.apply(params, x[:, ::-1]), atol=1e-3)


def test_normalised_features_have_mean_zero_and_variance_one():
    x = jnp.asarray(np.random.default_rng(0).standard_normal((50, 3)) * 7 + 3)
    made = normalised(x, jnp.ones(3), jnp.zeros(3))
    np.testing.assert_allclose(made.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(made.var(axis=0), 1, rtol=1e-5)


@pytest.mark.parametrize("part", ["body", "readout"])
def test_a_batch_normalised_network_is_blind_to_the_size_of_its_body_only(part):
    network = normalised_mlp(inputs=4, width=8, depth=2, classes=3, activation=ACTIVATIONS["relu"])
    params = network.init(jax.random.key(3))
    x = jnp.asarray(np.random.default_rng(1).standard_normal((20, 4)))
    if part == "body":
        other = params._replace(body=tuple((2 * w, *rest) for w, *rest in params.body))
    else:
        other = params._replace(readout=jax.tree.map(lambda a: 2 * a, params.readout))
    same = bool(jnp.allclose(network.apply(params, x), network.apply(other, x), rtol=1e-3, atol=1e-3))
    assert same is (part == "body")


def test_rows_of_a_batch_normalised_network_do_not_stand_alone():
    network = normalised_mlp(inputs=4, width=8, depth=1, classes=3, activation=ACTIVATIONS["relu"])
    params = network.init(jax.random.key(4))
    x = jnp.asarray(np.random.default_rng(2).standard_normal((6, 4)))
    assert not jnp.allclose(network.apply(params, x)[:3], network.apply(params, x[:3]), atol=1e-3)


@pytest.mark.parametrize("build", [gru, normalised_mlp])
def test_sizes_are_positive(build):
    sizes = {"inputs": 0, "classes": 2}
    rest = {"hidden": 2} if build is gru else {"width": 2, "depth": 1, "activation": ACTIVATIONS["relu"]}
    with pytest.raises(ValueError, match="inputs"):
        build(**sizes, **rest)
