"""Tangent kernels: linear models exactly, matrix-free against dense, increments against differences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jaxtyping import jaxtyped

from numerics.activations import ACTIVATIONS
from numerics.halves import exact_offset, one_half_logits
from numerics.losses import cross_entropy, residual, softmax, total
from numerics.models import mlp
from numerics.tangent import (
    as_matrix,
    flow_derivatives,
    linearise,
    tangent_increment,
    tangent_kernel,
    tangent_kernel_class_mean,
    tangent_product,
)

NETWORK = mlp(inputs=4, width=6, depth=2, classes=3, activation=ACTIVATIONS["erf"])
PARAMS = jax.jit(NETWORK.init)(jax.random.key(0))
X = jnp.asarray(np.random.default_rng(0).normal(size=(7, 4)))
Y = jnp.eye(3)[np.arange(7) % 3]


def logits(params):
    return NETWORK.apply(params, X)


def test_linear_model_has_the_gram_matrix_of_its_inputs():
    kernel = tangent_kernel(lambda w, x: x @ w, jnp.ones((4, 3)), X, X[:2])
    expected = np.einsum("mn,ij->mnij", np.asarray(X @ X[:2].T), np.eye(3))
    np.testing.assert_allclose(kernel, expected, atol=1e-14)
    assert kernel.shape == (7, 2, 3, 3)


def test_matrix_free_product_is_the_dense_kernel_times_the_vector():
    kernel, r = _KERNEL(PARAMS), residual(logits(PARAMS), Y, 2.0)
    dense = np.einsum("mnij,nj->mi", kernel, r)
    np.testing.assert_allclose(tangent_product(logits, PARAMS, r), dense, rtol=1e-12)
    np.testing.assert_allclose((as_matrix(kernel) @ r.reshape(-1)).reshape(7, 3), dense, rtol=1e-12)
    line = linearise(logits, PARAMS)
    assert "erf" not in str(jax.make_jaxpr(lambda r: line.push(line.pull(r)))(r)), "nothing is evaluated again"
    np.testing.assert_allclose(line.push(line.pull(r)), dense, rtol=1e-12)
    np.testing.assert_allclose(line.logits, logits(PARAMS), rtol=1e-14)
    wrong = np.einsum("mnji,nj->mi", kernel, r)
    assert np.max(np.abs(wrong - dense)) > 1e-3, "the order of the class indices is seen"


def test_kernel_is_symmetric_and_positive_semidefinite():
    matrix = np.asarray(as_matrix(_KERNEL(PARAMS)))
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-12, atol=1e-14)
    assert np.linalg.eigvalsh(matrix)[0] > -1e-12


@pytest.mark.parametrize("function", [tangent_kernel, tangent_kernel_class_mean])
def test_chunked_equals_unchunked(function):
    """Seven rows and five columns in chunks of three: both end in a short chunk."""

    def kernel(split):
        return jax.jit(lambda p: function(NETWORK.apply, p, X, X[:5], chunk=split))(PARAMS)

    whole = kernel(None)
    np.testing.assert_allclose(kernel(3), whole, rtol=1e-12, atol=1e-14)
    assert np.max(np.abs(whole[1:6] - whole[:5])) > 1e-3, "a shifted chunk would be seen"


def test_class_mean_is_the_mean_of_the_diagonal_blocks_and_jit_changes_nothing():
    kernel = _KERNEL(PARAMS)
    expected = np.einsum("mnii->mn", kernel) / 3
    np.testing.assert_allclose(tangent_kernel_class_mean(NETWORK.apply, PARAMS, X), expected, rtol=1e-13)
    compiled = jax.jit(lambda p, x: tangent_kernel_class_mean(NETWORK.apply, p, x))
    np.testing.assert_allclose(compiled(PARAMS, X), expected, rtol=1e-13)
    assert np.max(np.abs(expected - kernel[:, :, 0, 0])) > 1e-3


@settings(max_examples=8)
@example(0)
@given(st.integers(0, 10**6))
def test_increment_is_the_central_difference_of_the_frozen_product(seed):
    rng = np.random.default_rng(seed)
    r = jnp.asarray(rng.normal(size=(7, 3)))
    u = jax.tree.map(lambda leaf: jnp.asarray(rng.normal(size=leaf.shape)), PARAMS)
    h = 1e-5
    plus, minus = (jax.tree.map(lambda p, d, s=s: p + s * h * d, PARAMS, u) for s in (1, -1))
    difference = (_PRODUCT(plus, r) - _PRODUCT(minus, r)) / (2 * h)
    increment = _INCREMENT(PARAMS, r, u)
    np.testing.assert_allclose(increment, difference, rtol=1e-6, atol=1e-7)
    assert np.max(np.abs(2 * increment - difference)) > 1e-3


_KERNEL = jax.jit(lambda p: tangent_kernel(NETWORK.apply, p, X))
_PRODUCT = jax.jit(lambda p, r: tangent_product(logits, p, r))
_INCREMENT = jax.jit(lambda p, r, u: tangent_increment(logits, p, r, u))


def test_increment_of_a_linear_model_is_zero():
    increment = tangent_increment(lambda w: X @ w, jnp.ones((4, 3)), Y, jnp.ones((4, 3)))
    assert np.max(np.abs(increment)) == 0


@pytest.mark.parametrize("beta", [0.01, 1.0, 100.0])
def test_first_derivative_along_the_flow_is_the_kernel_on_the_residual(beta):
    """The rate of z is eta beta Theta r along the flow of the real loss, which carries beta."""
    eta = 0.3

    @jax.jit
    def both(params):
        z, rate, _ = flow_derivatives(logits, _flow(eta, beta, logits), params)
        return rate, tangent_product(logits, params, residual(z, Y, beta))

    rate, product = both(PARAMS)
    np.testing.assert_allclose(rate, eta * beta * product, rtol=1e-10, atol=1e-14)
    assert beta == 1 or np.max(np.abs(rate - eta * product)) > 1e-3 * np.max(np.abs(product))


@pytest.mark.parametrize("beta", [0.01, 1.0, 1e3])
def test_second_derivative_splits_into_a_linear_and_a_kernel_part(beta):
    """Two routes to the part that comes from the changing kernel: a subtraction and `tangent_increment`."""
    eta = 1.0 / beta**2
    pair = exact_offset(NETWORK, jax.random.key(2), X, beta=beta, logit_scale=1.0)

    @jax.jit
    def parts(params):
        def z_of(p):
            return one_half_logits(NETWORK, pair, p, X)

        z, rate, second = flow_derivatives(z_of, _flow(eta, beta, z_of), params)
        r, p = residual(z, Y, beta), softmax(z, beta)
        change = beta * (p * rate - p * jnp.sum(p * rate, axis=-1, keepdims=True))
        linear = -eta * beta * tangent_product(z_of, params, change)
        u = jax.vjp(z_of, params)[1](r)[0]
        return second, linear, (eta * beta) ** 2 * tangent_increment(z_of, params, r, u)

    second, linear, direct = parts(pair.start)
    size = jnp.linalg.norm(direct)
    assert jnp.linalg.norm(second - linear - direct) / size < 1e-11 * max(1.0, beta)
    assert jnp.linalg.norm(linear) / size > 1e-3, "the linear part is not idle"


def test_flow_derivatives_of_a_linear_flow_are_exact():
    """If x' = -A x then x'' = A A x."""
    a = jnp.array([[2.0, 1.0], [0.0, 3.0]])
    x, rate, second = flow_derivatives(lambda p: p, lambda p: -(a @ p), jnp.array([1.0, 2.0]))
    np.testing.assert_allclose(rate, -(a @ x), rtol=1e-15)
    np.testing.assert_allclose(second, a @ a @ x, rtol=1e-15)


@pytest.mark.parametrize("name", list(ACTIVATIONS))
def test_zero_parallel_antiparallel_and_duplicate_inputs_give_finite_kernels_and_gradients(name):
    network = mlp(inputs=4, width=6, depth=1, classes=2, activation=ACTIVATIONS[name])
    params = jax.jit(network.init)(jax.random.key(0))
    x = jnp.array([[0.0] * 4, [0.0] * 4, [1.0] * 4, [1.0] * 4, [2.0] * 4, [-1.0] * 4])

    def summed(x):
        kernel = tangent_kernel_class_mean(network.apply, params, x)
        return jnp.sum(kernel), kernel

    (_, kernel), gradient = jax.jit(jax.value_and_grad(summed, has_aux=True))(x)
    assert np.all(np.isfinite(kernel))
    assert np.all(np.isfinite(gradient))


def test_a_network_that_divides_by_a_norm_has_no_gradient_at_zero():
    """The partner: inputs on the sphere are made once, at the door, and not inside a network."""

    def summed(x):
        units = x / jnp.linalg.norm(x, axis=1, keepdims=True)
        return jnp.sum(tangent_kernel(lambda w, x: x @ w, jnp.ones((4, 2)), units))

    assert not np.all(np.isfinite(jax.grad(summed)(jnp.zeros((2, 4)))))


def test_a_chunk_below_one_is_refused():
    with pytest.raises(ValueError, match="chunk=0 is below 1; pass chunk >= 1"):
        tangent_kernel(NETWORK.apply, PARAMS, X, chunk=0)


def test_annotations_hold_and_a_wrong_shape_breaks_them():
    typed = jaxtyped(typechecker=beartype)(as_matrix)
    typed(jnp.zeros((2, 3, 4, 4)))
    with pytest.raises((BeartypeCallHintParamViolation, TypeError)):
        typed(jnp.zeros((2, 3, 4, 5)))


def _flow(eta, beta, z_of):
    gradient = jax.grad(lambda p: total(cross_entropy)(z_of(p), Y, beta))
    return lambda p: jax.tree.map(lambda g: -eta * g, gradient(p))
