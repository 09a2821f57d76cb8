"""Networks: exact logits, the law of the start, independence of rows."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jaxtyping import jaxtyped

from numerics.activations import ACTIVATIONS, leaky_softplus
from numerics.models import Layers, dense, mlp

KEY = jax.random.key(3)
SMOOTH = ("erf", "tanh", "leaky_softplus")


def small(activation="erf", depth=2, dtype=float):
    return mlp(inputs=3, width=5, depth=depth, classes=2, activation=ACTIVATIONS[activation], dtype=dtype)


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_activation_is_finite_with_its_gradient_at_zero_and_far_out(name):
    x = jnp.array([-1e6, -1.0, 0.0, 1.0, 1e6])
    assert np.all(np.isfinite(ACTIVATIONS[name](x)))
    assert np.all(np.isfinite(jax.vmap(jax.grad(ACTIVATIONS[name]))(x)))


def test_leaky_softplus_is_the_form_with_two_logarithms():
    z = jnp.linspace(-5.0, 5.0, 11)
    literal = jnp.log(1 + jnp.exp(z)) - 0.1 * jnp.log(1 + jnp.exp(-z))
    np.testing.assert_allclose(leaky_softplus(z, 0.1), literal, atol=1e-14)
    assert np.max(np.abs(leaky_softplus(z, 0.2) - literal)) > 0.1


def test_mlp_is_the_formula_of_the_catalogue():
    network, x = small(), jnp.asarray(np.random.default_rng(0).normal(size=(4, 3)))
    w1, w2 = network.init(KEY).body
    readout = network.init(KEY).readout
    phi = jax.scipy.special.erf
    expected = phi(phi(x @ w1 / 3**0.5) @ w2 / 5**0.5) @ readout / 5**0.5
    np.testing.assert_allclose(network.apply(network.init(KEY), x), expected, rtol=1e-14)
    planted = phi(phi(x @ w1) @ w2 / 5**0.5) @ readout / 5**0.5
    assert np.max(np.abs(network.apply(network.init(KEY), x) - planted)) > 1e-3


@pytest.mark.parametrize("depth", [1, 3])
def test_scaled_relu_network_is_homogeneous_of_degree_depth_plus_one(depth):
    network, x = small("scaled_relu", depth), jnp.asarray(np.random.default_rng(0).normal(size=(4, 3)))
    params = network.init(KEY)
    grown = jax.tree.map(lambda w: 1.5 * w, params)
    z = network.apply(params, x)
    np.testing.assert_allclose(network.apply(grown, x), 1.5 ** (depth + 1) * z, rtol=1e-12)
    assert np.max(np.abs(network.apply(grown, x) - 1.5**depth * z)) > 1e-3


def test_entries_of_the_mlp_are_standard_normal_and_of_dense_have_variance_one_over_fan_in():
    wide = mlp(inputs=50, width=200, depth=1, classes=2, activation=ACTIVATIONS["tanh"])
    weights = np.asarray(wide.init(KEY).body[0])
    count = weights.size
    assert abs(weights.mean()) < 4 / count**0.5
    assert abs(weights.var() - 1) < 4 * (2 / count) ** 0.5
    layer, bias = dense(sizes=(50, 200, 2), activation=ACTIVATIONS["tanh"]).init(KEY).body[0]
    assert abs(50 * np.var(layer) - 1) < 4 * (2 / count) ** 0.5
    assert np.all(bias == 0)


@pytest.mark.parametrize("network", [small(), dense(sizes=(3, 4, 2), activation=jnp.tanh)])
def test_rows_are_independent_and_jit_changes_nothing(network):
    x = jnp.asarray(np.random.default_rng(0).normal(size=(4, 3)))
    params = network.init(KEY)
    together = network.apply(params, x)
    alone = jnp.concatenate([network.apply(params, row[None]) for row in x])
    np.testing.assert_allclose(together, alone, rtol=1e-13)
    np.testing.assert_allclose(jax.jit(network.apply)(params, x), together, rtol=1e-13)


def test_dtype_of_the_parameters_is_the_one_asked_for():
    network = small(dtype=jnp.float32)
    assert {leaf.dtype for leaf in jax.tree.leaves(network.init(KEY))} == {jnp.dtype("float32")}
    assert {leaf.dtype for leaf in jax.tree.leaves(small().init(KEY))} == {jnp.dtype("float64")}


@settings(max_examples=10)
@example(0)
@given(st.integers(0, 10**6))
def test_readout_is_linear(seed):
    network, x = small("tanh"), jnp.array([[1.0, -2.0, 0.5]])
    params = network.init(jax.random.key(seed))
    scaled = Layers(params.body, 3.0 * params.readout)
    np.testing.assert_allclose(network.apply(scaled, x), 3.0 * network.apply(params, x), rtol=1e-12)


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "4"])
@pytest.mark.parametrize("name", ["inputs", "width", "depth", "classes"])
def test_sizes_that_are_not_positive_integers_are_refused_in_one_sentence(name, size):
    sizes = {"inputs": 3, "width": 4, "depth": 1, "classes": 2} | {name: size}
    with pytest.raises(ValueError, match=f"^mlp: {name}=.*; pass .*{name}"):
        mlp(**sizes, activation=jnp.tanh)


def test_dense_refuses_a_network_without_layers():
    with pytest.raises(ValueError, match=r"^dense: sizes="):
        dense(sizes=(3,), activation=jnp.tanh)


def test_annotations_hold_and_a_wrong_shape_breaks_them():
    apply = jaxtyped(typechecker=beartype)(small().apply)
    apply(small().init(KEY), jnp.ones((4, 3)))
    with pytest.raises((BeartypeCallHintParamViolation, TypeError)):
        apply(small().init(KEY), jnp.ones(3))
