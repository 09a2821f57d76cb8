"""Lanczos on the operators that break it elsewhere, always with an honest residual."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jaxtyping import jaxtyped
from scipy.sparse.linalg import eigsh

from numerics.lanczos import lanczos, start_vector

DTYPES = (jnp.float32, jnp.float64)


def rotated(values, seed=0):
    """A symmetric matrix with these eigenvalues and random eigenvectors, in float64."""
    values = np.asarray(values, dtype=float)
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(values.size, values.size)))
    matrix = (q * values) @ q.T
    return (matrix + matrix.T) / 2


OPERATORS = {
    "identity": (np.eye(25), 25),
    "zero": (np.zeros((25, 25)), 25),
    "rank 2, more steps": (rotated([3.0, -1.0] + [0.0] * 23), 25),
    "indefinite, lowest is -2 highest": (rotated(np.linspace(-2.0, 1.0, 25)), 25),
    "two-valued, n = 200": (rotated([1.0] * 60 + [-0.5] * 140), 12),
    "clustered top": (rotated([1.0, 1.0 - 1e-6, 1.0 - 2e-6, *np.linspace(-0.3, 0.3, 22)]), 25),
    "size 1": (np.array([[-4.0]]), 1),
}


def solve(matrix, steps, dtype, top=2, bottom=2):
    top, bottom = min(top, steps), min(bottom, steps)
    return _solve(jnp.asarray(matrix, dtype), start_vector(len(matrix), dtype), steps, top, bottom)


@partial(jax.jit, static_argnums=(2, 3, 4))
def _solve(matrix, start, steps, top, bottom):
    return lanczos(lambda v: matrix @ v, start, steps, top=top, bottom=bottom)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATORS)
def test_hard_operators_at_three_scales(name, dtype):
    """Both ends right, residuals true, and everything scales with the operator."""
    plain, steps = OPERATORS[name]
    for scale in (1.0, 1e-8, 1e8):
        matrix = np.asarray(jnp.asarray(plain * scale, dtype), dtype=float)  # what the operator really is
        exact = np.linalg.eigvalsh(matrix)
        size = max(np.max(np.abs(exact)), np.finfo(float).tiny)
        found = solve(matrix, steps, dtype)
        assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(found))
        for pairs, target in ((found.top, exact[::-1]), (found.bottom, exact)):
            values = np.asarray(pairs.values, dtype=float)
            vectors = np.asarray(pairs.vectors, dtype=float)
            residuals = np.asarray(pairs.residuals, dtype=float)
            true = np.linalg.norm(vectors @ matrix - values[:, None] * vectors, axis=1)
            rounding = 4 * np.finfo(dtype).eps * size
            np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=10 * np.finfo(dtype).eps)
            assert np.all(residuals >= true - rounding)
            nearest = np.min(np.abs(values[:, None] - exact[None, :]), axis=1)
            assert np.all(nearest <= residuals)
            extreme = values[0] if target is not exact else values[-1]
            assert abs(extreme - target[0]) <= residuals.max() + rounding
            assert residuals.max() <= 100 * np.finfo(dtype).eps * size or name == "clustered top"


def test_repeated_eigenvalues_are_found_as_often_as_steps_allow():
    found = solve(np.eye(25), 8, jnp.float64)
    np.testing.assert_allclose(found.ritz, 1, rtol=1e-14)
    np.testing.assert_allclose(found.top.vectors @ found.top.vectors.T, np.eye(2), atol=1e-13)
    two = solve(OPERATORS["two-valued, n = 200"][0], 12, jnp.float64)
    np.testing.assert_allclose(two.top.values, 1.0, rtol=1e-12)
    np.testing.assert_allclose(two.bottom.values, -0.5, rtol=1e-12)


def test_top_is_the_largest_algebraic_and_not_the_largest_in_modulus():
    matrix = OPERATORS["indefinite, lowest is -2 highest"][0]
    found = solve(matrix, 25, jnp.float64)
    np.testing.assert_allclose([found.top.values[0], found.bottom.values[-1]], [1.0, -2.0], rtol=1e-12)
    modulus = eigsh(matrix, k=1, which="LM", return_eigenvectors=False, v0=np.ones(25))[0]
    assert modulus == pytest.approx(-2.0), "what a search by modulus would have returned"


def test_scipy_finds_the_same_on_a_random_matrix():
    matrix = rotated(np.random.default_rng(1).normal(size=120))
    found = solve(matrix, 80, jnp.float64)
    for which, ours in (("LA", found.top.values), ("SA", found.bottom.values)):
        theirs = np.sort(eigsh(matrix, k=2, which=which, return_eigenvectors=False, v0=np.ones(120)))
        np.testing.assert_allclose(ours[::-1], theirs, rtol=1e-9)


def test_too_few_steps_show_in_the_residual():
    """Partner: eight steps on a spread spectrum are far from converged, and the residual says so."""
    matrix = rotated(np.linspace(-1.0, 1.0, 25))
    early, late = solve(matrix, 8, jnp.float64), solve(matrix, 25, jnp.float64)
    assert early.top.residuals[0] > 1e-3
    assert abs(early.top.values[0] - 1.0) > 1e-3
    nearest = np.min(np.abs(np.linspace(-1.0, 1.0, 25) - float(early.top.values[0])))
    assert nearest <= early.top.residuals[0], "what the residual promises: some eigenvalue is that near"
    assert late.top.residuals[0] < 1e-12


@settings(max_examples=15)
@example(0, 0.0)
@given(st.integers(0, 10**6), st.floats(-20, 20))
def test_residual_bounds_the_error_for_drawn_spectra(seed, log_scale):
    rng = np.random.default_rng(seed)
    matrix = rotated(rng.standard_cauchy(size=25), seed) * 10.0**log_scale
    found = solve(matrix, 8, jnp.float64)
    exact = np.linalg.eigvalsh(matrix)
    for pairs in (found.top, found.bottom):
        error = np.min(np.abs(np.asarray(pairs.values)[:, None] - exact[None, :]), axis=1)
        assert np.all(error <= np.asarray(pairs.residuals))


def test_start_vector_is_one_draw_in_every_dtype_and_may_be_zero_or_unscaled():
    assert np.array_equal(start_vector(7, jnp.float32), start_vector(7, jnp.float64).astype(jnp.float32))
    matrix = jnp.asarray(rotated(np.linspace(-1.0, 1.0, 25)))
    for start in (jnp.zeros(25), 1e-200 * start_vector(25), 1e200 * start_vector(25)):
        np.testing.assert_allclose(_solve(matrix, start, 25, 2, 2).top.values[0], 1.0, rtol=1e-12)


def test_a_nan_operator_gives_nan_and_does_not_raise():
    found = solve(np.full((25, 25), np.nan), 8, jnp.float64)
    assert np.all(np.isnan(found.top.values))


def test_jit_changes_nothing_and_the_loop_traces_the_product_once():
    matrix, calls = jnp.asarray(rotated(np.linspace(-1.0, 1.0, 12))), []

    def product(v):
        calls.append(1)
        return matrix @ v

    plain = lanczos(product, start_vector(12), 5)
    assert len(calls) <= 2
    compiled = jax.jit(lambda s: lanczos(product, s, 5))(start_vector(12))
    np.testing.assert_allclose(compiled.ritz, plain.ritz, atol=1e-13)
    np.testing.assert_allclose(compiled.top.values, plain.top.values, rtol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"steps": 40}, r"^lanczos: steps=40 exceeds size=25; pass steps <= 25"),
        ({"steps": 0}, r"^lanczos: steps=0 is below 1; pass steps >= 1"),
        ({"steps": True}, r"^lanczos: steps=True is not an integer"),
        ({"steps": 4, "top": 5}, r"^lanczos: top=5 exceeds steps=4; pass top <= 4"),
        ({"steps": 4, "bottom": -1}, r"^lanczos: bottom=-1 is below 1"),
    ],
)
def test_bad_arguments_are_refused_before_tracing_and_inside_jit(arguments, message):
    def run(start):
        return lanczos(lambda v: v, start, **arguments)

    with pytest.raises(ValueError, match=message):
        run(jnp.ones(25))
    with pytest.raises(ValueError, match=message):
        jax.jit(run)(jnp.ones(25))


def test_no_pairs_at_one_end_is_allowed():
    found = jax.eval_shape(lambda s: lanczos(lambda v: v, s, 2, top=1, bottom=0), jnp.ones(3))
    assert found.bottom.values.shape == (0,)
    assert found.top.values.shape == (1,)


def test_annotations_hold_and_a_wrong_shape_breaks_them():
    typed = jaxtyped(typechecker=beartype)(lanczos)
    jax.eval_shape(lambda s: typed(lambda v: v, s, 2), jnp.ones(3))
    with pytest.raises((BeartypeCallHintParamViolation, TypeError)):
        typed(lambda v: v, jnp.ones((3, 1)), 2)
