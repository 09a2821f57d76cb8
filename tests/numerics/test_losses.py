"""Losses: exact values, stability on huge logits, shift invariance, reductions, independence of batching."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.chunks import sum_over_chunks
from numerics.losses import (
    accuracy,
    cross_entropy,
    logistic,
    logistic_gradient,
    mean,
    one_hot,
    residual,
    smooth_labels,
    softmax,
    squared_error,
    total,
)

Z = jnp.array([[0.3, -1.0, 2.0], [1.0, 1.0, -4.0]])
Y = jnp.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def test_cross_entropy_is_minus_the_log_probability():
    p = np.exp(2 * np.asarray(Z)) / np.exp(2 * np.asarray(Z)).sum(1, keepdims=True)
    np.testing.assert_allclose(cross_entropy(Z, Y, 2.0), -np.log(p[[0, 1], [0, 2]]), rtol=1e-14)
    assert np.all(np.abs(cross_entropy(Z, Y, 2.0) - np.log(p[[0, 1], [0, 2]])) > 1), "the sign matters"


@settings(max_examples=25)
@example(0, 1e3)
@given(st.integers(0, 10**6), st.floats(1e-3, 1e3))
def test_gradient_is_minus_beta_times_the_residual(seed, beta):
    z = jnp.asarray(np.random.default_rng(seed).normal(size=(4, 3)))
    y = smooth_labels(one_hot(jnp.array([0, 1, 2, 0]), 3), 0.1)
    gradient = jax.grad(total(cross_entropy))(z, y, beta)
    np.testing.assert_allclose(gradient, -beta * residual(z, y, beta), rtol=1e-12, atol=1e-12 * beta)
    np.testing.assert_allclose(residual(z, y, beta).sum(-1), 0, atol=1e-14)
    assert np.max(np.abs(gradient + residual(z, y, beta))) > 1e-6 or abs(beta - 1) < 1e-3


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_no_nan_for_scaled_logits_up_to_1e10_with_ties(dtype):
    z = jnp.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 0.0, 0.0]], dtype)
    y = jnp.array([[0.0, 1.0, 0.0]] * 4, dtype)

    @jax.jit
    def everything(beta):
        naive = jnp.exp(beta.astype(dtype) * z)
        return [
            jax.value_and_grad(total(cross_entropy))(z, y, beta),
            jax.value_and_grad(total(squared_error))(z, y, beta),
            jax.hessian(total(cross_entropy))(z, y, beta),
            residual(z, y, beta),
        ], naive / naive.sum(-1, keepdims=True)

    for beta in (1e-10, 1.0, 1e10):
        ours, naive = everything(jnp.asarray(beta))
        assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(ours))
        assert np.all(np.isfinite(naive)) == (beta < 1e10), "the naive form fails where it should"


def test_ties_share_the_probability():
    assert softmax(jnp.array([[1e10, 1e10, 0.0, -1e10]])).tolist() == [[0.5, 0.5, 0.0, 0.0]]
    assert softmax(jnp.array([[1.0, 1.0, 0.0]]), 1e10).tolist() == [[0.5, 0.5, 0.0]]


@settings(max_examples=25)
@example(2.0**20)
@given(st.integers(-(2**20), 2**20).map(float))
def test_adding_a_constant_changes_nothing(shift):
    z = jnp.array([[0.5, -1.0, 2.0], [1.0, 1.0, -4.0]])  # dyadic: the shifted logits are exact
    assert np.array_equal(softmax(z + shift, 3.0), softmax(z, 3.0))
    assert np.array_equal(cross_entropy(z + shift, Y, 3.0), cross_entropy(z, Y, 3.0))
    assert np.array_equal(residual(z + shift, Y, 3.0), residual(z, Y, 3.0))
    assert not np.array_equal(squared_error(z + 1.0, Y, 3.0), squared_error(z, Y, 3.0))


def test_the_shift_comes_before_the_factor():
    """Two float32 logits of 2^23 differ by 1: the difference survives a factor of 0.1, and would not after it."""
    z, shifted = jnp.array([[0.0, 1.0]], jnp.float32), jnp.array([[2.0**23, 2.0**23 + 1]], jnp.float32)
    y = jnp.array([[1.0, 0.0]], jnp.float32)
    for function in (lambda z: softmax(z, 0.1), lambda z: cross_entropy(z, y, 0.1), lambda z: residual(z, y, 0.1)):
        assert np.array_equal(function(shifted), function(z))
    assert not np.array_equal(jax.nn.softmax(jnp.float32(0.1) * shifted), softmax(z, 0.1))


def test_residual_of_a_correct_class_keeps_its_relative_accuracy():
    gap = 200.0
    r = residual(jnp.array([[gap, 0.0, -3.0]]), jnp.array([[1.0, 0.0, 0.0]]))
    with mpmath.workdps(120):
        e = [mpmath.exp(v) for v in (gap, 0, -3)]
        exact = float((e[1] + e[2]) / sum(e))
    np.testing.assert_allclose(r[0, 0], exact, rtol=1e-13)
    assert 1.0 - float(softmax(jnp.array([[gap, 0.0, -3.0]]))[0, 0]) == 0.0, "the plain difference is lost"


@pytest.mark.parametrize("f", [-1e10, -200.0, 0.0, 3.0, 1e10])
@pytest.mark.parametrize("y", [-1.0, 1.0])
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_logistic_loss_and_gradient_are_finite_and_agree(f, y, dtype):
    f, y = jnp.array([f], dtype), jnp.array([y], dtype)
    np.testing.assert_allclose(jax.grad(total(logistic))(f, y), logistic_gradient(f, y), rtol=1e-6)
    assert np.all(np.isfinite(logistic(f, y)))
    assert np.all(np.abs(logistic_gradient(f, y)) <= 1)


def test_the_literal_logistic_form_fails_where_ours_does_not():
    literal = jax.grad(lambda f: jnp.log(1 + jnp.exp(-f)))
    assert np.isnan(literal(jnp.float32(-200.0)))
    assert logistic_gradient(jnp.float32([-200.0]), jnp.float32([1.0]))[0] == -1


def test_sum_and_mean_differ_by_the_number_of_points():
    for loss in (cross_entropy, squared_error):
        np.testing.assert_allclose(total(loss)(Z, Y), 2 * mean(loss)(Z, Y), rtol=1e-15)
        assert not np.allclose(total(loss)(Z, Y), mean(loss)(Z, Y))


def test_loss_gradient_and_hessian_do_not_depend_on_the_batches():
    """Seven points: chunks of 3 leave a short last batch."""
    chunk = 3
    x = jnp.asarray(np.random.default_rng(0).normal(size=(7, 2)))
    y = one_hot(jnp.arange(7) % 3, 3)
    w = jnp.asarray(np.random.default_rng(1).normal(size=(2, 3)))

    def loss(w, split):
        return sum_over_chunks(lambda d: total(cross_entropy)(d[0] @ w, d[1], 2.0), (x, y), split)

    def everything(split):
        routes = (lambda f: f, jax.grad, jax.hessian)
        return jax.jit(lambda w: [route(lambda w: loss(w, split))(w) for route in routes])(w)

    for parts, whole in zip(everything(chunk), everything(None), strict=True):
        np.testing.assert_allclose(parts, whole, rtol=1e-12, atol=1e-13)
    starts = range(0, 7, chunk)
    each = [mean(cross_entropy)(x[i : i + chunk] @ w, y[i : i + chunk], 2.0) for i in starts]
    assert abs(np.mean(each) - loss(w, None) / 7) > 1e-6, "a mean of batch means is not the mean"


def test_label_smoothing_keeps_the_sum_and_zero_is_none():
    np.testing.assert_allclose(smooth_labels(Y, 0.3).sum(-1), 1, rtol=1e-15)
    assert np.array_equal(smooth_labels(Y, 0.0), Y)
    np.testing.assert_allclose(smooth_labels(Y, 0.3)[0], [0.8, 0.1, 0.1], rtol=1e-15)


def test_accuracy_counts_rows():
    assert float(accuracy(Z, jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]))) == 0.5


@pytest.mark.parametrize(
    "loss", [cross_entropy, squared_error, residual, logistic, logistic_gradient, accuracy]
)
def test_shapes_that_differ_are_refused_in_one_sentence(loss):
    with pytest.raises(ValueError, match=f"^{loss.__name__}: .* must be equal; pass y like"):
        loss(Z, Y[:, :1])


def test_jit_changes_nothing():
    for loss in (cross_entropy, residual, squared_error):
        np.testing.assert_allclose(jax.jit(loss)(Z, Y, 2.0), loss(Z, Y, 2.0), rtol=1e-14)
