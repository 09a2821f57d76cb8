"""The width model: hat against original units, steps against gradients, increments against differences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.activations import leaky_softplus
from numerics.losses import logistic, logistic_gradient
from numerics.width_model import (
    Neurons,
    Sample,
    draw_neurons,
    kernel_increments,
    kernels,
    output,
    scaling,
    step,
)

D, INPUTS = 16, 3
NEURONS = draw_neurons(jax.random.key(0), width=D, inputs=INPUTS)
X = jnp.asarray(np.random.default_rng(0).normal(size=(4, INPUTS)))
Y = jnp.array([1.0, -1.0, 1.0, -1.0])
POINTS = {"ntk": (-0.5, 0.0, 0.0), "mean field": (-1.0, 1.0, 1.0), "default": (-0.5, 1.0, 0.0)}


@pytest.mark.parametrize("name", POINTS)
def test_fifty_steps_in_hat_units_equal_the_original_parametrisation(name):
    """Original units: a = sigma a^, w = w^, eta_a = eta^_a sigma^2; gradient descent on the mean loss."""
    q_sigma, q_a, q_w = POINTS[name]
    s = scaling(D, q_sigma=q_sigma, q_a=q_a, q_w=q_w, sigma=0.7, rate_a=0.3, rate_w=0.2)
    sigma, eta_a, eta_w = 0.7 * 16.0**q_sigma, 0.3 * 16.0**q_a, 0.2 * 16.0**q_w

    def f(a, w):
        return leaky_softplus(X @ w.T) @ a

    @jax.jit
    def both():
        def hat(_, neurons):
            g = Sample(X, logistic_gradient(output(neurons, s.sigma, leaky_softplus, X), Y))
            return step(neurons, s, leaky_softplus, g, g)

        def original(_, aw):
            ga, gw = jax.grad(lambda a, w: jnp.mean(logistic(f(a, w), Y)), (0, 1))(*aw)
            return aw[0] - eta_a * sigma**2 * ga, aw[1] - eta_w * gw

        start = (sigma * NEURONS.a, NEURONS.w)
        return jax.lax.fori_loop(0, 50, hat, NEURONS), jax.lax.fori_loop(0, 50, original, start)

    ours, (a, w) = both()
    np.testing.assert_allclose(sigma * ours.a, a, atol=1e-12)
    np.testing.assert_allclose(ours.w, w, atol=1e-12)
    assert np.max(np.abs(ours.w - NEURONS.w)) > 1e-4


def test_a_step_with_two_samples_is_the_formula():
    s = scaling(D, q_sigma=-0.5, q_a=0.5, q_w=0.25, rate_a=2.0, rate_w=3.0)
    sample_a = Sample(X[:1], jnp.array([-0.4]))
    sample_w = Sample(X[1:2], jnp.array([0.3]))
    moved = step(NEURONS, s, leaky_softplus, sample_a, sample_w)
    z = NEURONS.w @ X[1]
    slope = 0.1 + 0.9 / (1 + np.exp(-np.asarray(z)))
    sigma = 16.0**-0.5
    a = NEURONS.a + 2.0 * 16.0**0.5 * sigma * 0.4 * leaky_softplus(NEURONS.w @ X[0])
    w = NEURONS.w - 3.0 * 16.0**0.25 * sigma * 0.3 * np.outer(NEURONS.a * slope, X[1])
    np.testing.assert_allclose(moved.a, a, rtol=1e-12)
    np.testing.assert_allclose(moved.w, w, rtol=1e-12)
    swapped = step(NEURONS, s, leaky_softplus, sample_w, sample_a)
    assert np.max(np.abs(swapped.a - a)) > 0.01


def test_linear_part_of_a_step_is_minus_the_kernel_times_the_gradient():
    """The derivative of f at zero rate, by jvp through the step, for each channel."""
    s = scaling(D, q_sigma=-0.5, q_a=0.3, q_w=0.2)
    sample, other = Sample(X[:1], jnp.array([-0.4])), Sample(X[1:2], jnp.array([0.3]))

    def f(rate_a, rate_w):
        rates = s._replace(rate_a=rate_a, rate_w=rate_w)
        return output(step(NEURONS, rates, leaky_softplus, sample, other), s.sigma, leaky_softplus, X)

    zero, one = jnp.array(0.0), jnp.array(1.0)
    by_a = jax.jvp(f, (zero, zero), (one, zero))[1]
    by_w = jax.jvp(f, (zero, zero), (zero, one))[1]
    k = kernels(NEURONS, s, leaky_softplus, X, X[:2])
    np.testing.assert_allclose(by_a, 0.4 * k.a[:, 0], rtol=1e-12)
    np.testing.assert_allclose(by_w, -0.3 * k.w[:, 1], rtol=1e-12)
    assert np.max(np.abs(by_a - 0.4 * k.w[:, 0])) > 1e-3


@settings(max_examples=8)
@example(0)
@given(st.integers(0, 10**6))
def test_increments_are_differences_of_kernels_over_a_small_rate(seed):
    neurons = Neurons(*(leaf + 0.01 * seed % 1 for leaf in NEURONS))
    increments, differences = _routes(neurons)
    for exact, difference in zip(increments, differences, strict=True):
        np.testing.assert_allclose(exact, difference, rtol=1e-5, atol=1e-8)
        assert np.max(np.abs(2 * exact - difference)) > 1e-5


@jax.jit
def _routes(neurons):
    s = scaling(D, q_sigma=-0.5, q_a=0.3, q_w=0.2)
    sample, other = Sample(X[:1], jnp.array([-0.4])), Sample(X[1:2], jnp.array([0.3]))

    def at(rate_a, rate_w):
        rates = s._replace(rate_a=jnp.asarray(rate_a), rate_w=jnp.asarray(rate_w))
        return kernels(step(neurons, rates, leaky_softplus, sample, other), s, leaky_softplus, X[:2], X)

    h = 1e-5
    plus, minus, a_plus, a_minus = at(0.0, h), at(0.0, -h), at(h, 0.0), at(-h, 0.0)
    differences = (plus.a - minus.a, plus.w - minus.w, a_plus.w - a_minus.w)
    increments = kernel_increments(neurons, s, leaky_softplus, X[:2], X, sample, other)
    return increments, [d / (2 * h) for d in differences]


def test_frozen_gradients_make_the_linear_increments_odd_in_the_output_weights():
    """Antithetic pairs cancel to rounding; with biased output weights they do not."""
    s = scaling(D, q_sigma=-0.5, q_a=0.3, q_w=0.2)
    sample = Sample(X[:1], jnp.array([-0.5]))
    flipped = NEURONS._replace(a=-NEURONS.a)
    biased = NEURONS._replace(a=NEURONS.a + 1.0), NEURONS._replace(a=-NEURONS.a + 1.0)

    def increments(neurons):
        return kernel_increments(neurons, s, leaky_softplus, X[:1], X, sample, sample)

    run = jax.jit(increments)
    for one, other in zip(run(NEURONS), run(flipped), strict=True):
        np.testing.assert_allclose(one + other, 0, atol=1e-12 * np.max(np.abs(one)))
    for one, other in zip(run(biased[0]), run(biased[1]), strict=True):
        assert np.max(np.abs(one + other)) > 1e-3


def test_integer_widths_with_traced_negative_exponents_are_not_zero():
    for exponent in (jnp.array(-1.0), jnp.array(-1)):
        powers = jax.jit(lambda q: scaling(8, q_sigma=q, q_a=q, q_w=q))(exponent)
        np.testing.assert_allclose([powers.sigma, powers.power_a, powers.power_w], 0.125, rtol=1e-15)
    integer = jax.jit(lambda q: jnp.asarray(8) ** q)(jnp.array(-1))
    assert float(integer) == 0, "the silent zero that the cast avoids"


def test_draws_are_of_unit_scale_and_the_law_of_the_output_weights_can_be_exchanged():
    wide = draw_neurons(jax.random.key(3), width=4000, inputs=2)
    assert abs(float(jnp.mean(wide.a))) < 4 / 4000**0.5
    assert abs(float(jnp.var(wide.w)) - 1) < 4 * (2 / 8000) ** 0.5

    def biased(key, shape, dtype):
        return 1 + jax.random.normal(key, shape, dtype)

    other = draw_neurons(jax.random.key(3), width=4000, inputs=2, output_weights=biased)
    assert np.array_equal(other.w, wide.w)
    assert np.array_equal(other.a, 1 + wide.a)
    with pytest.raises(ValueError, match=r"^draw_neurons: width=0 is below 1"):
        draw_neurons(jax.random.key(3), width=0, inputs=2)
