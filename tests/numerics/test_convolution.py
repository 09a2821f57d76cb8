"""The small convnet: two routes to a convolution, pooling, shapes, refusals."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.convolution import max_pool, shifted_convolution, simple_cnn, xla_convolution

KEY = jax.random.key(0)
SMALL = {"image": (4, 4, 1), "blocks": ((2, 2),), "hidden": 3, "classes": 2}


def test_shifted_slices_and_xla_agree_with_the_sum_written_out():
    x = jnp.asarray(np.random.default_rng(0).normal(size=(2, 4, 6, 3)))
    weights = jnp.asarray(np.random.default_rng(1).normal(size=(27, 5)))
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    expected = np.einsum("bhwcij,ijco->bhwo", windows, np.asarray(weights).reshape(3, 3, 3, 5))
    np.testing.assert_allclose(shifted_convolution(x, weights), expected, atol=1e-12)
    np.testing.assert_allclose(xla_convolution(x, weights), expected, atol=1e-12)
    assert np.max(np.abs(shifted_convolution(x[:, ::-1], weights)[:, ::-1] - expected)) > 0.1


def test_max_pool_takes_the_largest_of_each_block():
    x = jnp.arange(16.0).reshape(1, 4, 4, 1)
    assert max_pool(x)[0, :, :, 0].tolist() == [[5.0, 7.0], [13.0, 15.0]]


def test_networks_with_either_convolution_agree_and_so_do_their_gradients():
    ours, theirs = simple_cnn(**SMALL), simple_cnn(**SMALL, convolution=xla_convolution)
    params = jax.jit(ours.init)(KEY)
    x = jnp.asarray(np.random.default_rng(0).normal(size=(3, 16)))

    def both(network):
        return jax.jit(jax.value_and_grad(lambda p: jnp.sum(network.apply(p, x) ** 2)))(params)

    for left, right in zip(jax.tree.leaves(both(ours)), jax.tree.leaves(both(theirs)), strict=True):
        np.testing.assert_allclose(left, right, atol=1e-10)
    assert all(np.any(leaf != 0) for leaf in jax.tree.leaves(both(ours)[1])), "every layer learns"


def test_the_default_is_the_network_of_the_catalogue_and_rows_are_independent():
    abstract = jax.eval_shape(simple_cnn().init, KEY)
    shapes = [leaf.shape for leaf in jax.tree.leaves(abstract) if leaf.ndim == 2]
    assert shapes == [(9, 8), (72, 8), (72, 16), (144, 16), (64, 32), (32, 10)]
    network = simple_cnn(**SMALL)
    params, x = jax.jit(network.init)(KEY), np.random.default_rng(0).normal(size=(3, 16))
    other = np.concatenate([np.zeros((1, 16)), x[1:]])
    apply = jax.jit(network.apply)
    np.testing.assert_allclose(apply(params, x)[1], apply(params, other)[1], rtol=1e-12)
    assert np.max(np.abs(apply(params, x)[0] - apply(params, other)[0])) > 1e-3


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"^simple_cnn: image=\(6, 8, 1\) cannot be halved 2 times; pass"):
        simple_cnn(image=(6, 8, 1))
    with pytest.raises(ValueError, match=r"^simple_cnn: hidden=0 is below 1"):
        simple_cnn(hidden=0)
    with pytest.raises(ValueError, match=r"^simple_cnn: blocks=-1 is below 1"):
        simple_cnn(blocks=((8, -1),))
