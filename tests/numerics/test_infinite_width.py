"""Closed-form kernels against quadrature, sampling and neural-tangents; finite everywhere; no TensorFlow."""

import subprocess
import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics import expectations
from numerics.expectations import erf, leaky_relu, leaky_softplus, quadrature, relu, scaled_relu
from numerics.infinite_width import mlp_kernels
from numerics.rotation import rotate_to_rank

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


def run(program):
    """Run a program in a fresh process, warnings as errors, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


AGREEMENT = """
import sys, warnings
import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")
from numerics.expectations import erf, scaled_relu
from numerics.infinite_width import mlp_kernels, neural_tangents

def settings():
    config = jax.config
    return (config.jax_enable_x64, config.jax_numpy_dtype_promotion, config.jax_numpy_rank_promotion,
            list(warnings.filters), hasattr(jax.core, "Jaxpr"), "jax.util" in sys.modules,
            "neural_tangents.experimental" in sys.modules, hasattr(jax.interpreters.ad, "zeros_like_p"))

import jax.interpreters.ad
assert "neural_tangents" not in sys.modules
before = settings()
x = jax.random.normal(jax.random.key(0), (6, 5), dtype=jnp.float64)
x = x.at[1].set(2 * x[0])
other = jax.random.normal(jax.random.key(1), (4, 5), dtype=jnp.float64)
worst = 0.0
for ours, layer in ((erf, lambda nt: nt.stax.Erf()), (scaled_relu, lambda nt: nt.stax.ABRelu(0.0, 2.0**0.5))):
    for depth in (1, 2, 3):
        for second in (None, other) if depth == 2 else (other,):
            with neural_tangents() as nt:
                hidden = [part for _ in range(depth) for part in (nt.stax.Dense(8), layer(nt))]
                kernel = nt.stax.serial(*hidden, nt.stax.Dense(1))[2](x, second, ("nngp", "ntk"))
            mine = mlp_kernels(x, second, activation=ours, depth=depth)
            for name in ("nngp", "ntk"):
                a, b = getattr(mine, name), getattr(kernel, name)
                assert a.dtype == b.dtype == jnp.float64
                worst = max(worst, float(jnp.abs(a - b).max() / jnp.abs(b).max()))
wrong = mlp_kernels(x, None, activation=erf, depth=2).ntk
with neural_tangents() as nt:
    layers = nt.stax.Dense(8), nt.stax.Erf(), nt.stax.Dense(8), nt.stax.Erf(), nt.stax.Dense(1)
    init, apply, _ = nt.stax.serial(*layers)
    _, parameters = init(jax.random.key(2), x.shape)
    empirical = [nt.empirical_ntk_fn(apply, implementation=i)(x, None, parameters) for i in (1, 2)]
    linear = nt.linearize(apply, parameters)(parameters, x)
    logits = apply(parameters, x)
    gap = [float(jnp.abs(a - b).max()) for a, b in (empirical, (linear, logits))]
assert settings() == before, (settings(), before)
print(worst, max(gap), "tensorflow" in sys.modules, "tf2jax" in sys.modules)
"""


def test_neural_tangents_agrees_and_leaves_no_trace():
    """Kernels to 1e-10 for erf and scaled relu, depth 1 to 3; no TensorFlow; all settings as before.

    The process treats warnings as errors, so the package's DeprecationWarnings are caught in the block.
    """
    worst, gap, *loaded = run(AGREEMENT)
    assert float(worst) < 1e-10 and float(gap) < 1e-12
    assert loaded == ["False", "False"]


OUTSIDE = """
import warnings
import jax, jax.numpy as jnp
from numerics.infinite_width import neural_tangents
with neural_tangents() as nt:
    warnings.warn("inside", DeprecationWarning)
try:
    warnings.warn("outside", DeprecationWarning)
except DeprecationWarning:
    print("raised")
"""


def test_warnings_are_ignored_inside_the_block_only():
    """The same warning passes inside and is an error outside."""
    assert run(OUTSIDE) == ["raised"]


BROKEN = """
import sys
sys.modules[{missing!r}] = None
import jax, jax.core
from numerics.infinite_width import neural_tangents
try:
    with neural_tangents():
        pass
except ImportError as error:
    assert "\\n" not in str(error) and {missing!r} in str(error) and "install" in str(error), error
    print("refused", hasattr(jax.core, "Jaxpr"), "jax.util" in sys.modules,
          any(name.startswith("neural_tangents.") for name in sys.modules))
"""


@pytest.mark.parametrize("missing", ["neural_tangents", "frozendict"])
def test_what_is_missing_is_said_in_one_sentence(missing):
    """The package itself, or something it needs; nothing half-loaded stays behind."""
    assert run(BROKEN.format(missing=missing)) == ["refused", "False", "False", "False"]


def test_importing_the_module_does_not_load_the_package():
    """Import has no effects."""
    program = (
        "import sys, numerics.infinite_width\nfor n in ('neural_tangents', 'sympy'): print(n in sys.modules)"
    )
    assert run(program) == ["False", "False"]


def test_closed_forms_live_in_one_table():
    """Each expectation that is public is tested here."""
    public = {"relu", "scaled_relu", "leaky_relu", "erf", "leaky_softplus", "quadrature"}
    written = {
        name
        for name, value in vars(expectations).items()
        if callable(value) and getattr(value, "__module__", "") == expectations.__name__ and name[0] != "_"
    }
    assert written - {"Expectations"} == public
