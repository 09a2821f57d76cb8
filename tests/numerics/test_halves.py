"""Initialisations in two halves: the scale is exact, the trained half stays, the counter-system does not."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.activations import ACTIVATIONS
from numerics.halves import both_halves_logits, correlated, exact_offset, one_half_logits, second_half
from numerics.losses import residual
from numerics.models import mlp
from numerics.tangent import tangent_increment, tangent_product

NETWORK = mlp(inputs=4, width=12, depth=2, classes=3, activation=ACTIVATIONS["erf"])
KEY = jax.random.key(11)
X = jnp.asarray(np.random.default_rng(0).normal(size=(6, 4)))
Y = jnp.eye(3)[np.arange(6) % 3]


def start(beta, scale):
    return exact_offset(NETWORK, KEY, X, beta=beta, logit_scale=scale)


def test_rms_is_exact_and_the_direction_fixed_over_the_plane_in_one_compilation():
    traces = []

    @jax.jit
    def at(beta, scale):
        traces.append(1)
        pair = start(beta, scale)
        return pair, beta * one_half_logits(NETWORK, pair, pair.start, X), NETWORK.apply(pair.start, X)

    reference, unit, plain = at(1.0, 1.0)
    for beta in (1e-2, 1.0, 1e3):
        for scale in (1e-4, 1.0, 1e4):
            pair, scaled, _ = at(beta, scale)
            np.testing.assert_allclose(np.sqrt(np.mean(np.square(scaled))), scale, rtol=1e-14)
            np.testing.assert_allclose(scaled / scale, unit, rtol=1e-13)
            for ours, theirs in zip(*map(jax.tree.leaves, (pair.start, reference.start)), strict=True):
                assert np.array_equal(ours, theirs)
    assert len(traces) == 1
    assert np.max(np.abs(unit - plain)) > 0.1


def test_the_offset_is_the_network_with_the_readout_minus_w_plus_a_w_prime():
    pair = start(2.0, 0.7)
    moved = jax.tree.map(lambda w: w + 0.1, pair.start)
    literal = NETWORK.apply(moved, X) + NETWORK.apply(second_half(pair), X)
    np.testing.assert_allclose(one_half_logits(NETWORK, pair, moved, X), literal, atol=1e-14)
    both = both_halves_logits(NETWORK, pair, (moved, second_half(pair)), X)
    np.testing.assert_allclose(both, literal, atol=1e-14)
    other = both_halves_logits(NETWORK, pair, (moved, moved), X)
    assert np.max(np.abs(other - literal)) > 0.1


@pytest.mark.parametrize("c", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_correlated_start_is_the_sum_of_two_networks(c):
    pair = correlated(NETWORK, KEY, correlation=c)
    literal = NETWORK.apply(pair.start, X) + NETWORK.apply(second_half(pair), X)
    np.testing.assert_allclose(one_half_logits(NETWORK, pair, pair.start, X), literal, atol=1e-14)
    expected = c * pair.start.readout + (1 - c**2) ** 0.5 * pair.direction
    np.testing.assert_allclose(second_half(pair).readout, expected, atol=1e-14)


def test_correlated_norm_is_proportional_to_one_plus_c():
    """E ||z_c||^2 grows from 0 at c = -1 to 4 ||z||^2 at c = 1; the mean over draws at c = 0 is twice."""

    @jax.jit
    def norms(key, c):
        pair = correlated(NETWORK, key, correlation=c)
        z = one_half_logits(NETWORK, pair, pair.start, X)
        return jnp.sum(z**2), jnp.sum(NETWORK.apply(pair.start, X) ** 2)

    at = {c: np.array([norms(k, c) for k in jax.random.split(KEY, 200)]).T for c in (-1.0, 0.0, 1.0)}
    assert np.max(at[-1.0][0]) == 0
    np.testing.assert_allclose(at[1.0][0], 4.0 * at[1.0][1], rtol=1e-12)
    excess = at[0.0][0] - 2 * at[0.0][1]
    error = excess.std(ddof=1) / 200**0.5
    assert abs(excess.mean()) < 4 * error
    assert np.mean(at[0.0][0] - at[0.0][1]) > 8 * error, "the factor printed without the 2 is far off"


def curvature_ratio(logits, params, beta):
    """Ratio ||Theta r|| / ||D_u Theta r|| with u = J^T r: the nonlinear clock up to beta / eta~."""
    r = residual(logits(params), Y, beta)
    u = jax.vjp(logits, params)[1](r)[0]
    change = jnp.linalg.norm(tangent_increment(logits, params, r, u))
    return jnp.linalg.norm(tangent_product(logits, params, r)) / change


def test_one_trained_half_keeps_the_nonlinear_clock_and_two_halves_change_it():
    """At fixed Z0: one half gives the same ratio for every beta, both halves a ratio that grows like beta."""
    one, both = [], []

    @jax.jit
    def clocks(beta):
        pair = start(beta, 1.0)
        halves = (pair.start, second_half(pair))
        return (
            curvature_ratio(lambda p: one_half_logits(NETWORK, pair, p, X), pair.start, beta),
            curvature_ratio(lambda p: both_halves_logits(NETWORK, pair, p, X), halves, beta),
        )

    for beta in (1e2, 1e4):
        for record, clock in zip((one, both), clocks(beta), strict=True):
            record.append(float(clock))
    np.testing.assert_allclose(one[0], one[1], rtol=1e-8)
    np.testing.assert_allclose(both[1] / both[0], 100.0, rtol=0.05)


@pytest.mark.parametrize("c", [-1.1, 1.5, float("nan")])
def test_a_correlation_that_no_pair_can_have_is_refused(c):
    with pytest.raises(ValueError, match=r"^correlated: correlation=.*; pass \|c\| <= 1"):
        correlated(NETWORK, KEY, correlation=c)
