"""Gaussian expectations against quadrature and sampling; finite values and gradients at degenerate pairs."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from hypothesis import example, given
from hypothesis import strategies as st

from numerics import expectations
from numerics.expectations import erf, leaky_relu, leaky_softplus, quadrature, relu, scaled_relu

ALL = {
    "relu": relu,
    "scaled_relu": scaled_relu,
    "leaky_relu": leaky_relu(0.1),
    "erf": erf,
    "leaky_softplus": leaky_softplus(0.1),
}


COMPILED = {name: jax.jit(expectation) for name, expectation in ALL.items()}


GRADIENTS = {
    name: [jax.jit(jax.vmap(jax.grad(lambda *args, i=i, f=f: f(*args)[i], (0, 1, 2)))) for i in range(2)]
    for name, f in ALL.items()
}


def functions(name):
    """Return phi and phi' in NumPy, written independently."""
    return {
        "relu": (lambda z: np.maximum(z, 0), lambda z: (z > 0) * 1.0),
        "scaled_relu": (lambda z: np.sqrt(2) * np.maximum(z, 0), lambda z: np.sqrt(2) * (z > 0)),
        "leaky_relu": (lambda z: np.where(z > 0, z, 0.1 * z), lambda z: np.where(z > 0, 1.0, 0.1)),
        "erf": (scipy.special.erf, lambda z: 2 / np.sqrt(np.pi) * np.exp(-(z**2))),
        "leaky_softplus": (
            lambda z: 0.9 * np.logaddexp(0, z) + 0.1 * z,
            lambda z: 0.1 + 0.9 * scipy.special.expit(z),
        ),
    }[name]


def triples(seed, rows=6):
    """Draw variances in [1/3, 1] and covariances that belong to them."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, rows, 3))
    x, y = (z / np.linalg.norm(z, axis=1, keepdims=True) * rng.uniform(0.58, 1, (rows, 1)) for z in (x, y))
    return (x**2).sum(1), (y**2).sum(1), (x * y).sum(1)


@pytest.mark.parametrize("name", ["erf", "leaky_softplus"])
def test_smooth_expectations_agree_with_quadrature(name):
    """A dense Gauss-Hermite rule over phi itself, 80 nodes an axis: 1e-10 (width catalogue, section 6)."""
    phi, slope = functions(name)
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    a, b, c = triples(1)
    ours = ALL[name](*map(jnp.asarray, (a, b, c)))
    for i in range(a.size):
        z = np.sqrt(a[i]) * points[:, None]
        other = c[i] / np.sqrt(a[i]) * points[:, None] + np.sqrt(b[i] - c[i] ** 2 / a[i]) * points[None, :]
        for value, f in zip(ours, (phi, slope), strict=True):
            expected = weights @ (f(z) * f(other)) @ weights
            assert float(value[i]) == pytest.approx(expected, rel=1e-10)
            assert float(value[i]) != pytest.approx(weights @ (f(z) * f(0.9 * other)) @ weights, rel=1e-6)


@pytest.mark.parametrize("name", ["relu", "scaled_relu", "leaky_relu"])
def test_kinked_expectations_agree_with_sampling(name):
    """Two million Gaussian pairs, |z| < 4.5, for a standard error far below any wrong constant."""
    phi, slope = functions(name)
    rng = np.random.default_rng(2)
    u, v = rng.normal(size=(2, 2_000_000))
    for a, b, c in zip(*triples(3, 2), strict=True):
        z, other = np.sqrt(a) * u, c / np.sqrt(a) * u + np.sqrt(b - c * c / a) * v
        for value, f in zip(ALL[name](*map(jnp.asarray, (a, b, c))), (phi, slope), strict=True):
            draws = f(z) * f(other)
            error = draws.std() / np.sqrt(draws.size)
            assert abs(float(value) - draws.mean()) < 4.5 * error
            assert error < 2e-3


@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(list(ALL)))
@example(seed=0, name="erf")
def test_expectations_are_symmetric_and_obey_cauchy_schwarz(seed, name):
    """Exchange of the pair, and |E phi phi'|^2 <= E phi^2 E phi'^2, with equality for equal pairs."""
    a, b, c = map(jnp.asarray, triples(seed))
    forward, backward = COMPILED[name](a, b, c), COMPILED[name](b, a, c)
    for one, two in zip(forward, backward, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-14)
    first, second = COMPILED[name](a, a, a), COMPILED[name](b, b, b)
    for both, left, right in zip(forward, first, second, strict=True):
        assert np.all(np.asarray(both**2) <= np.asarray(left * right) * (1 + 1e-12))


DEGENERATE = {
    "zero and zero": (0.0, 0.0, 0.0),
    "zero and one": (0.0, 1.0, 0.0),
    "one and zero": (1.0, 0.0, 0.0),
    "duplicate": (1.3, 1.3, 1.3),
    "parallel": (1.0, 4.0, 2.0),
    "antiparallel": (1.0, 4.0, -2.0),
    "opposite": (1.3, 1.3, -1.3),
    "past parallel by rounding": (1.0, 1.0, 1.0 + 4e-16),
    "past antiparallel by rounding": (1.0, 1.0, -1.0 - 4e-16),
    "tiny": (1e-300, 1e-300, 1e-300),
    "huge": (1e12, 1e12, 1e12),
    "orthogonal": (1.0, 1.0, 0.0),
}


@pytest.mark.parametrize("dtype", [jnp.float64, jnp.float32])
@pytest.mark.parametrize("name", list(ALL))
def test_degenerate_pairs_have_finite_values_and_gradients(name, dtype):
    """No NaN and no infinity, in both outputs, for all three derivatives, in float64 and float32."""
    a, b, c = (jnp.asarray(column, dtype) for column in zip(*DEGENERATE.values(), strict=True))
    pairs = np.array(list(DEGENERATE))
    for i, value in enumerate(COMPILED[name](a, b, c)):
        assert value.dtype == dtype
        assert not pairs[~np.isfinite(value)].size
        for slope in GRADIENTS[name][i](a, b, c):
            assert not pairs[~np.isfinite(slope)].size


def test_the_plain_formula_has_no_gradient_there():
    """The partner: arccos and square roots without care give NaN or infinity at a duplicate and at zero."""

    def plain(a, b, c):
        angle = jnp.arccos(c / jnp.sqrt(a * b))
        return (jnp.sqrt(a * b) * jnp.sin(angle) + (jnp.pi - angle) * c) / (2 * jnp.pi)

    for pair in ("duplicate", "zero and one"):
        a, b, c = map(jnp.asarray, DEGENERATE[pair])
        assert not np.isfinite(jax.grad(plain, 2)(a, b, c))


@pytest.mark.parametrize(("pair", "share"), [("duplicate", 0.5), ("parallel", 0.5), ("antiparallel", 0.0)])
def test_relu_on_parallel_pairs_is_exact(pair, share):
    """(Anti)parallel pairs: half of c, or nothing; the derivative in c is the share of common sign."""
    a, b, c = map(jnp.asarray, DEGENERATE[pair])
    second, first = relu(a, b, c)
    assert float(second) == pytest.approx(share * float(c), abs=1e-15) and float(first) == share
    assert float(jax.grad(lambda c: relu(a, b, c).phi_phi)(c)) == pytest.approx(share, abs=1e-12)


def test_a_pair_that_is_parallel_but_for_rounding_has_the_slope_of_a_parallel_one():
    """The root's slope there is 1e8 without care; beyond the tolerance it is taken as it is."""
    one = jnp.ones(())
    slopes = [float(GRADIENTS["relu"][1](one[None], one[None], (one - gap)[None])[2][0]) for gap in (0.0, 4e-16, 1e-12)]
    assert slopes[:2] == [0.0, 0.0]
    assert slopes[2] > 1e4


@pytest.mark.parametrize("name", ["erf", "leaky_softplus", "relu"])
def test_gradients_are_right(name):
    """Derivatives against differences, at generic pairs and, where smooth, at zero and equal ones."""
    rows = [tuple(row) for row in np.stack(triples(5, 3), axis=1)]
    if name != "relu":
        rows += [DEGENERATE["duplicate"], (0.0, 1.0, 0.0)]
    at = jnp.asarray(rows)
    for i in range(2):
        slope = jnp.stack(GRADIENTS[name][i](*at.T), axis=1)
        # Differences inward only: outside the cone c^2 <= ab there is no Gaussian pair.
        for direction in ((1.0, 1.0, 0.0), (1.0, 0.5, 0.3)):
            step = 1e-6 * jnp.broadcast_to(jnp.asarray(direction), at.shape)
            at0, at1, at2 = (COMPILED[name](*(at + k * step).T)[i] for k in range(3))
            np.testing.assert_allclose(
                (-3 * at0 + 4 * at1 - at2) / 2e-6, slope @ jnp.asarray(direction), rtol=2e-5, atol=2e-6
            )


def test_quadrature_converges_and_says_so():
    """Polynomials exactly; erf to the closed form; a bad node count is refused."""
    a, b, c = map(jnp.asarray, triples(6))
    second, first = jax.jit(quadrature(lambda z: z**3, 12))(a, b, c)
    np.testing.assert_allclose(second, 9 * a * b * c + 6 * c**3, rtol=1e-12)
    np.testing.assert_allclose(first, 9 * (a * b + 2 * c**2), rtol=1e-12)
    closed = COMPILED["erf"](a, b, c).phi_phi
    errors = [
        float(jnp.abs(jax.jit(quadrature(jax.scipy.special.erf, n))(a, b, c).phi_phi - closed).max())
        for n in (4, 16, 48)
    ]
    assert errors[0] > 30 * errors[1] and errors[1] > 1e-7 and errors[2] < 1e-9
    with pytest.raises(ValueError, match="nodes=0"):
        quadrature(jnp.tanh, 0)


def test_closed_forms_live_in_one_table():
    """Each expectation that is public is tested here."""
    public = {"relu", "scaled_relu", "leaky_relu", "erf", "leaky_softplus", "quadrature"}
    written = {
        name
        for name, value in vars(expectations).items()
        if callable(value) and getattr(value, "__module__", "") == expectations.__name__ and name[0] != "_"
    }
    assert written - {"Expectations"} == public
