"""Hessian and Gauss-Newton operators: quadratics exactly, matrix-free against dense, batches, memory."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from numerics.chunks import computed_bytes
from numerics.curvature import dense_matrix, extreme_eigenpairs, gauss_newton, hessian, hessian_of_sum
from numerics.losses import cross_entropy, mean, one_hot, softmax, squared_error, total
from numerics.models import dense

NETWORK = dense(sizes=(3, 4, 3), activation=jnp.tanh)
PARAMS = jax.jit(NETWORK.init)(jax.random.key(0))
X = jnp.asarray(np.random.default_rng(0).normal(size=(7, 3)))
Y = jnp.eye(3)[np.arange(7) % 3]


def loss_on(params, data):
    return total(cross_entropy)(NETWORK.apply(params, data[0]), data[1], 2.0)


def loss(params):
    return loss_on(params, (X, Y))


@jax.jit
def exact_hessian(params):
    flat, unravel = ravel_pytree(params)
    return jax.hessian(lambda vector: loss(unravel(vector)))(flat)


def test_hessian_of_a_quadratic_is_its_matrix():
    a = jnp.array([[2.0, 1.0, 0.0], [1.0, -3.0, 0.5], [0.0, 0.5, 1.0]])
    params = {"u": jnp.array([5.0]), "v": jnp.array([1.0, 2.0])}

    def quadratic(p):
        x = jnp.concatenate([p["u"], p["v"]])
        return x @ a @ x / 2

    operator = hessian(quadratic, params)
    np.testing.assert_allclose(dense_matrix(operator), a, atol=1e-14)
    np.testing.assert_allclose(operator.unravel(jnp.arange(3.0))["v"], [1.0, 2.0])
    assert np.max(np.abs(dense_matrix(hessian(lambda p: 2 * quadratic(p), params)) - a)) > 1


def test_matrix_free_hessian_is_the_dense_one():
    matrix = exact_hessian(PARAMS)
    np.testing.assert_allclose(jax.jit(lambda p: dense_matrix(hessian(loss, p)))(PARAMS), matrix, atol=1e-12)
    assert np.max(np.abs(matrix)) > 1e-2


def test_hessian_does_not_depend_on_the_batches():
    """Seven points in chunks of 3 leave a short last one."""

    def matrix(data, chunk):
        return jax.jit(lambda p: dense_matrix(hessian_of_sum(loss_on, p, data, chunk)))(PARAMS)

    split = matrix((X, Y), 3)
    np.testing.assert_allclose(split, exact_hessian(PARAMS), atol=1e-12)
    np.testing.assert_allclose(matrix((X, Y), None), split, atol=1e-12)
    lost = matrix((X[:6], Y[:6]), None)
    assert np.max(np.abs(lost - split)) > 1e-3, "dropping the short chunk is seen"


def test_gauss_newton_is_j_transposed_h_j():
    def logits(p):
        return NETWORK.apply(p, X)

    def build(p):
        return dense_matrix(gauss_newton(logits, lambda z: total(cross_entropy)(z, Y, 2.0), p))

    flat, unravel = ravel_pytree(PARAMS)
    jacobian = np.asarray(jax.jacobian(lambda v: logits(unravel(v)).reshape(-1))(flat)).reshape(7, 3, -1)
    p = np.asarray(softmax(logits(PARAMS), 2.0))
    inner = 4.0 * (np.einsum("mi,ij->mij", p, np.eye(3)) - np.einsum("mi,mj->mij", p, p))
    expected = np.einsum("mip,mij,mjq->pq", jacobian, inner, jacobian)
    built = np.asarray(jax.jit(build)(PARAMS))
    np.testing.assert_allclose(built, expected, atol=1e-12)
    assert np.linalg.eigvalsh(built)[0] > -1e-12
    assert np.max(np.abs(built - exact_hessian(PARAMS))) > 1e-3, "the network's own curvature is left out"


def test_gauss_newton_of_a_linear_model_is_its_hessian():
    w = jnp.ones((3, 2))
    y = one_hot(jnp.arange(7) % 2, 2)
    full = dense_matrix(hessian(lambda w: mean(squared_error)(X @ w, y), w))
    np.testing.assert_allclose(
        dense_matrix(gauss_newton(lambda w: X @ w, lambda z: mean(squared_error)(z, y), w)), full, atol=1e-14
    )
    np.testing.assert_allclose(full, np.kron(X.T @ X / 7, np.eye(2)), atol=1e-14)


@pytest.mark.parametrize(("dtype", "tolerance"), [(jnp.float32, 2e-6), (jnp.float64, 1e-12)])
def test_extreme_eigenvalues_agree_with_lapack(dtype, tolerance):
    params = jax.tree.map(lambda leaf: leaf.astype(dtype), PARAMS)
    x, y = X.astype(dtype), Y.astype(dtype)

    @jax.jit
    def ends(p):
        operator = hessian(lambda q: total(cross_entropy)(NETWORK.apply(q, x), y, 2.0), p)
        return extreme_eigenpairs(operator, operator.size)

    found, exact = ends(params), np.linalg.eigvalsh(exact_hessian(PARAMS))
    assert found.top.values.dtype == dtype
    assert abs(float(found.top.values[0]) - exact[-1]) < tolerance * exact[-1]
    assert abs(float(found.bottom.values[0]) - exact[0]) < 10 * tolerance * exact[-1]
    assert exact[0] < -0.01, "indefinite, so that bottom is not zero by chance"


def test_memory_does_not_grow_with_the_number_of_products():
    """The linearisation is made once; only the basis (2 * steps vectors) depends on the steps."""

    def bytes_at(steps):
        def run(p):
            return extreme_eigenpairs(hessian(loss, p), steps).top.values

        compiled = jax.jit(run).lower(PARAMS).compile().memory_analysis()
        return compiled.temp_size_in_bytes

    size = sum(leaf.size for leaf in jax.tree.leaves(PARAMS))
    growth = (bytes_at(24) - bytes_at(8)) / 16
    assert growth < 8 * (8 * size + 8 * 24), "bytes for each further step: a few vectors, no new tape"
    tape = computed_bytes(lambda p: jax.linearize(jax.grad(loss), p)[0], PARAMS)
    assert tape > growth, "a tape for each product would be seen"


@pytest.mark.parametrize("build", [hessian, gauss_newton], ids=["hessian", "gauss_newton"])
def test_the_network_is_evaluated_once_whatever_the_number_of_products(build):
    """A product calls the loss no more and holds no tanh of the network; one that linearises anew would."""
    calls = []

    def logits(p):
        calls.append(1)
        return NETWORK.apply(p, X)

    def of_logits(z):
        return total(cross_entropy)(z, Y, 2.0)

    if build is hessian:
        operator = hessian(lambda p: of_logits(logits(p)), PARAMS)
    else:
        operator = gauss_newton(logits, of_logits, PARAMS)
    made, v = len(calls), jnp.ones(operator.size)
    text = str(jax.make_jaxpr(operator.product)(v))
    operator.product(v), operator.product(2 * v)
    assert len(calls) == made
    assert "tanh" not in text and "dot_general" in text
    anew = jax.make_jaxpr(lambda v: jax.jvp(jax.grad(lambda p: of_logits(logits(p))), (PARAMS,), (v,))[1])(PARAMS)
    assert "tanh" in str(anew)


def test_memory_of_a_chunked_hessian_does_not_grow_with_the_points():
    """Sixteen times the data cost nothing but their own place: one chunk is held at a time."""

    def bytes_at(points, chunk):
        data = (jnp.ones((points, 3)), jnp.ones((points, 3)) / 3)
        run = jax.jit(lambda p, d, v: hessian_of_sum(loss_on, p, d, chunk).product(v))
        return run.lower(PARAMS, data, jnp.ones(31)).compile().memory_analysis().temp_size_in_bytes

    assert bytes_at(1024, 16) < bytes_at(64, 16) + 1024
    assert bytes_at(1024, None) > 4 * bytes_at(1024, 16)


@pytest.mark.parametrize("chunk", [1, 7, 31, 64])
def test_the_dense_matrix_does_not_depend_on_its_chunk(chunk):
    """Thirty-one unit vectors, seven at once: a short last chunk."""
    operator = hessian(lambda v: jnp.sum(jnp.sin(v)) + v[0] * v[30] * v[14], jnp.arange(31.0))
    expected = jnp.diag(-jnp.sin(jnp.arange(31.0))).at[0, 30].set(14.0).at[30, 0].set(14.0)
    expected = expected.at[0, 14].set(30.0).at[14, 0].set(30.0)
    np.testing.assert_allclose(dense_matrix(operator, chunk=chunk), expected, atol=1e-14)


def test_more_steps_than_parameters_are_refused():
    with pytest.raises(ValueError, match=r"^lanczos: steps=9 exceeds size=2; pass steps <= 2$"):
        extreme_eigenpairs(hessian(lambda x: jnp.sum(x**2), jnp.zeros(2)), 9)
