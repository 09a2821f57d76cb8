"""Rates from real gradient steps: exact on linear flows, within their own bound on networks, honest at kinks."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.models import mlp
from numerics.tangent import flow_derivatives
from numerics.timescales import descent, rate_by_gradient_steps, tangent_plane

X = jnp.asarray(np.random.default_rng(0).standard_normal((3, 4)))
Y = jnp.eye(3)


def network(activation):
    """Logits of a small network on three points, bound to its inputs."""
    net = mlp(inputs=4, width=16, depth=2, classes=3, activation=ACTIVATIONS[activation])
    return net, lambda params: net.apply(params, X)


@jax.jit
def stepped_and_exact(key, beta):
    net, logits = network("erf")
    start = net.init(key)
    here = logits(start)
    loss = lambda params: losses.total(losses.cross_entropy)(logits(params), Y, beta)  # noqa: E731
    stepped = rate_by_gradient_steps(lambda params: logits(params) - here, loss, start)
    _, exact, _ = flow_derivatives(logits, descent(loss, stepped.learning_rate), start)
    return stepped, exact


@settings(max_examples=10)
@given(st.integers(0, 2**31), st.floats(-3, 3))
def test_the_rate_is_that_of_the_flow_within_the_bound(seed, exponent):
    stepped, exact = stepped_and_exact(jax.random.key(seed), 10.0**exponent)
    gap = float(jnp.linalg.norm(stepped.rate - exact))
    assert gap <= float(stepped.error)
    assert float(stepped.error) <= 1e-8 * float(jnp.linalg.norm(exact))


def test_the_bound_grows_where_the_network_has_kinks():
    """Long steps across the kinks of a relu network are wrong, and the bound says so; short ones are right."""
    net, logits = network("scaled_relu")
    start = net.init(jax.random.key(1))
    here = logits(start)
    loss = lambda params: losses.total(losses.cross_entropy)(logits(params), Y)  # noqa: E731
    relative = {}
    for step in (0.3, 1e-7):
        stepped = rate_by_gradient_steps(lambda p: logits(p) - here, loss, start, relative_step=step)
        _, exact, _ = flow_derivatives(logits, descent(loss, stepped.learning_rate), start)
        assert float(jnp.linalg.norm(stepped.rate - exact)) <= float(stepped.error)
        relative[step] = float(stepped.error / jnp.linalg.norm(exact))
    assert relative[1e-7] < 1e-6 < 1e-3 < relative[0.3]


def test_a_linear_flow_is_exact():
    """With theta' = -theta one step of learning rate a moves theta = (3, 4) by -a theta."""
    start = jnp.array([[3.0, 4.0]])
    stepped = rate_by_gradient_steps(lambda w: w - start, lambda w: jnp.sum(w**2) / 2, start)
    np.testing.assert_allclose(stepped.rate, -stepped.learning_rate * start, rtol=1e-11)
    assert float(stepped.learning_rate) == pytest.approx(1e-4)


def test_the_step_length_does_not_depend_on_the_scale_of_the_loss():
    start = jnp.array([[3.0, 4.0]])
    rates = [rate_by_gradient_steps(lambda w: w - start, lambda w, c=c: c * jnp.sum(w**2), start) for c in (1e-6, 1e6)]
    np.testing.assert_allclose(rates[0].rate, rates[1].rate, rtol=1e-10)
    assert float(rates[0].learning_rate / rates[1].learning_rate) == pytest.approx(1e12)


def test_the_tangent_plane_touches_the_network_and_is_flat():
    net, logits = network("erf")
    start, elsewhere = net.init(jax.random.key(0)), net.init(jax.random.key(1))
    plane = tangent_plane(logits, start)
    np.testing.assert_allclose(plane(start), logits(start), rtol=1e-14)
    along = lambda f, t: f(jax.tree.map(lambda a, b: a + t * (b - a), start, elsewhere))  # noqa: E731
    np.testing.assert_allclose(along(plane, 2.0) - along(plane, 1.0), along(plane, 1.0) - along(plane, 0.0), rtol=1e-9)
    slope = lambda f: jax.jvp(lambda t: along(f, t), (0.0,), (1.0,))[1]  # noqa: E731
    np.testing.assert_allclose(slope(plane), slope(logits), rtol=1e-12)
    assert float(jnp.abs(along(logits, 2.0) - along(plane, 2.0)).max()) > 1e-2
