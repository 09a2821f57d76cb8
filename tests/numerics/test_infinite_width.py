"""Kernels of infinite width: degenerate inputs, known diagonals, rotated inputs, refusals."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.expectations import erf, leaky_relu, relu, scaled_relu
from numerics.infinite_width import mlp_kernels
from numerics.rotation import rotate_to_rank

ALL = {"relu": relu, "scaled_relu": scaled_relu, "leaky_relu": leaky_relu(0.1), "erf": erf}
DEEP = {name: jax.jit(partial(mlp_kernels, activation=f, depth=3)) for name, f in ALL.items()}
DEEP_SLOPE = {name: jax.jit(jax.grad(lambda x, f=f: f(x).ntk.sum())) for name, f in DEEP.items()}


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(["erf", "scaled_relu", "leaky_relu"]))
def test_kernels_of_inputs_with_degenerate_pairs(seed, name):
    """Zero, parallel, opposite and repeated rows: finite values and gradients, a PSD kernel."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, 5))
    x = jnp.asarray(np.stack([first, first, -first, 3 * first, np.zeros(5), second, second + 1e-12]))
    nngp, ntk = DEEP[name](x)
    for kernel in (nngp, ntk):
        np.testing.assert_allclose(kernel, kernel.T, rtol=1e-12)
        assert float(jnp.linalg.eigvalsh(kernel)[0]) > -1e-7 * float(jnp.abs(kernel).max())
        np.testing.assert_allclose(kernel[0], kernel[1], rtol=1e-12)
    across = DEEP[name](x, x + 0.0)
    np.testing.assert_allclose(across.nngp, nngp, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(across.ntk, ntk, rtol=1e-6)
    assert np.all(np.isfinite(DEEP_SLOPE[name](x)))


def test_scaled_relu_keeps_the_diagonal():
    """With sqrt(2) relu the diagonals are |x|^2/d and (L + 1) |x|^2/d; one layer of erf, by hand."""
    x = jnp.asarray(np.random.default_rng(7).normal(size=(4, 6)))
    for depth in (1, 3):
        nngp, ntk = mlp_kernels(x, activation=scaled_relu, depth=depth)
        np.testing.assert_allclose(jnp.diagonal(nngp), (x**2).sum(1) / 6, rtol=1e-13)
        np.testing.assert_allclose(jnp.diagonal(ntk), (depth + 1) * (x**2).sum(1) / 6, rtol=1e-13)
    a, b, c = (x[0] @ x[0]) / 6, (x[1] @ x[1]) / 6, (x[0] @ x[1]) / 6
    second, first = erf(a, b, c)
    nngp, ntk = mlp_kernels(x, activation=erf, depth=1)
    assert float(nngp[0, 1]) == pytest.approx(float(second), rel=1e-13)
    assert float(ntk[0, 1]) == pytest.approx(float(second + first * c), rel=1e-13)


def test_rotated_inputs_have_the_same_kernels():
    """Coordinates in the span, with the original number of features, give the kernels of the inputs."""
    rng = np.random.default_rng(8)
    x, other = rng.normal(size=(5, 40)), rng.normal(size=(3, 40))
    turned = rotate_to_rank(x, other)
    assert turned.train.shape[1] == 8
    expected = mlp_kernels(jnp.asarray(x), jnp.asarray(other), activation=erf, depth=2)
    arguments = jnp.asarray(turned.train), jnp.asarray(turned.test)
    ours = mlp_kernels(*arguments, activation=erf, depth=2, features=turned.features)
    np.testing.assert_allclose(ours.ntk, expected.ntk, rtol=1e-11, atol=1e-14)
    wrong = mlp_kernels(*arguments, activation=erf, depth=2)
    assert float(jnp.abs(wrong.ntk - expected.ntk).max()) > 1e-2


def test_jit_changes_nothing():
    """The same kernels with and without jit."""
    x = jnp.asarray(np.random.default_rng(9).normal(size=(4, 3)))
    for name in ("erf", "relu"):
        plain = mlp_kernels(x, activation=ALL[name], depth=2)
        compiled = jax.jit(lambda x, name=name: mlp_kernels(x, activation=ALL[name], depth=2))(x)
        np.testing.assert_allclose(plain.ntk, compiled.ntk, rtol=1e-13)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: mlp_kernels(x, activation=erf, depth=0), "depth=0"),
        (lambda x: mlp_kernels(x[0], activation=erf, depth=1), r"shapes \(3,\)"),
        (lambda x: mlp_kernels(x, x[:, :2], activation=erf, depth=1), "rows of one length"),
        (lambda x: mlp_kernels(x.astype(int), activation=erf, depth=1), "int64"),
        (lambda x: mlp_kernels(x, x.astype(jnp.float32), activation=erf, depth=1), "float32"),
        (lambda x: mlp_kernels(x, activation=erf, depth=1, features=0), "features=0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, words):
    """One line that names what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call(jnp.ones((2, 3)))
    assert "\n" not in str(caught.value)
