"""The softmax Jacobian and condition numbers to the catalogue's bounds at drawn sizes: K 2..12, M 1..8, beta over six
decades, logits over eight (temperature:T19, T21, T22).
"""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
from drawn_sizes import CLASSES, problem, sizes, softmax
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numerics import losses


@cache
def softmax_slope():
    return jax.jit(jax.jacrev(losses.softmax))


@settings(max_examples=40)
@given(**{name: sizes[name] for name in ("classes", "beta", "scale", "seed")})
def test_the_slope_of_a_softmax_is_a_laplacian(classes, beta, scale, seed):
    """Symmetric, rows that sum to 0, weights p_i p_j, and 1 - sum p^2 on the diagonal in all: to 1e-12 (T19)."""
    _, unit, _, _ = problem(1, classes, seed)
    held = np.full(CLASSES, -1e5)
    held[:classes] = scale * unit[0]
    found = np.asarray(softmax_slope()(jnp.asarray(held / beta), jnp.asarray(beta)))[:classes, :classes] / beta
    p = softmax(scale * unit[0])
    most = abs(found).max() + 1e-3  # next to a corner p - p^2 has lost all but the last place of p
    np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-12 * most)
    np.testing.assert_allclose(found.sum(axis=1), 0, rtol=0, atol=1e-12 * most)
    others = ~np.eye(classes, dtype=bool)
    np.testing.assert_allclose(found[others], -np.outer(p, p)[others], rtol=1e-10, atol=1e-290)
    assert abs(np.trace(found) - np.sum(np.outer(p, p)[others])) <= 1e-12 * most
    assert abs(np.trace(found) - 1) > 0.01


@settings(max_examples=40)
@given(classes=sizes["classes"], points=sizes["points"], seed=sizes["seed"], spread=st.floats(0, 4))
def test_condition_numbers_at_a_uniform_softmax_and_of_products(classes, points, seed, spread):
    """kappa+ of P_K (x) Theta_x / K is that of Theta_x, with M zeros (T22); the lemma's bounds (T21)."""
    random = np.random.default_rng(seed)
    turn = np.linalg.qr(random.standard_normal((points, points)))[0]
    kernel = turn * 10.0 ** random.uniform(-spread / 2, spread / 2, points) @ turn.T
    uniform = (np.eye(classes) - 1 / classes) / classes
    values = np.linalg.eigvalsh(np.kron(kernel, uniform))
    zero = abs(values) <= 1e-12 * values.max()
    assert zero.sum() == points
    of_kernel = np.linalg.eigvalsh(kernel)
    found = values[~zero].max() / values[~zero].min()
    allowed = 1e-10 + 1e-13 * of_kernel.max() / of_kernel.min()
    assert abs(found * of_kernel.min() / of_kernel.max() - 1) <= allowed
    blocks = np.zeros((points * classes, points * classes))
    for m in range(points):
        p = softmax(random.standard_normal((1, classes)))[0]
        blocks[m * classes : (m + 1) * classes, m * classes : (m + 1) * classes] = np.diag(p) - np.outer(p, p)
    root = np.kron(turn * np.sqrt(np.linalg.eigvalsh(kernel)), np.eye(classes))
    product = np.linalg.eigvalsh(root.T @ blocks @ root)
    plain = np.linalg.eigvalsh(blocks)
    both, alone = (v[v > 1e-11 * v.max()] for v in (product, plain))
    assume(len(both) == len(alone) == points * (classes - 1))
    kappa_a, kappa_b, kappa_ab = (v.max() / v.min() for v in (of_kernel, alone, both))
    assert kappa_b / kappa_a * (1 - 1e-6) <= kappa_ab <= kappa_a * kappa_b * (1 + 1e-6)
    if points > 1 and kappa_a > 1.5 * kappa_b:
        assert kappa_ab > kappa_a / kappa_b * (1 - 1e-6)
