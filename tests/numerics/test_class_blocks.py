"""The kernel between classes through Gram matrices, against Jacobians."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.activations import ACTIVATIONS
from numerics.class_blocks import class_blocks
from numerics.models import mlp
from numerics.tangent import tangent_kernel


@pytest.mark.parametrize("depth", [1, 2])
def test_gram_matrices_and_jacobians_agree(depth):
    network = mlp(inputs=3, width=7, depth=depth, classes=2, activation=ACTIVATIONS["erf"])
    params = network.init(jax.random.key(depth))
    x = jax.random.normal(jax.random.key(9), (4, 3))
    ours = class_blocks([np.asarray(w) for w in (*params.body, params.readout)], np.asarray(x))
    theirs = np.asarray(tangent_kernel(network.apply, params, jnp.asarray(x)))
    np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-13)
    assert abs(ours[0, 1, 0, 1]) > 1e-4, "something lies between the classes"


def test_a_network_without_hidden_layers_is_refused():
    with pytest.raises(ValueError, match="layers=0"):
        class_blocks([np.ones((2, 2))], np.ones((1, 2)))
