"""The catalogue's checks V1-V8 at their stated tolerances, through the predictors and the numerics."""

from math import sqrt

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree
from sympy import Rational, diff, lambdify, symbols
from sympy import sqrt as sqrt_of

from experiments.breakeven.break_even_order import STUDY as ORDER
from experiments.breakeven.sampling import SCHEMES
from experiments.study import Replicates
from numerics.batches import batch_gradients, disjoint_batches, independent_batches, replacement_batches
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import digits
from numerics.gradients import row_spectrum
from numerics.losses import cross_entropy
from numerics.models import dense
from numerics.quadratics import Quadratics, batch_losses, gamma_curvatures, growth
from numerics.stability import batch_matrices, edge, mean_square_radius
from numerics.subsets import batch_means, every_subset, every_tuple
from theory.breakeven.momentum import momentum_edge
from theory.definitions.breakeven import noise
from theory.registry import predictors

EXAMPLES = 64


def evaluate(name, **inputs):
    """Outputs of a predictor, unencoded."""
    predictor = predictors()[f"breakeven.{name}"]
    given = {item.name: inputs.get(item.name, item.default) for item in predictor.inputs}
    return predictor.evaluate(**given)


@pytest.mark.parametrize("size", range(1, 9))
def test_v1_the_noise_factor_over_all_subsets_of_eight(size):
    values = np.random.default_rng(size).standard_normal(8)
    found = batch_means(values, every_subset(8, size)).var() / values.var()
    assert found == pytest.approx(float(noise(8, size, 1)), abs=1e-12)
    if size <= 3:
        found = batch_means(values, every_tuple(8, size)).var() / values.var()
        assert found == pytest.approx(float(noise(8, size, 0)), abs=1e-12)


def test_v2_signs_of_the_slopes_at_a_thousand_points():
    beta, kappa, eta, S, N = symbols("beta kappa eta S N", positive=True)
    share = noise(N, S, 1) * kappa
    ratio_edge = 2 / (eta * (1 + share))
    forms = [diff(ratio_edge, eta), diff(ratio_edge, S), diff(momentum_edge(beta, share, eta), beta)]
    slopes = lambdify((beta, kappa, eta, S, N), [*forms, (1 - beta) ** 2 - share * (1 + beta) ** 2])
    random = np.random.default_rng(0)
    violations = 0
    for _ in range(1000):
        population = int(random.integers(2, 1000))
        point = (random.uniform(0, 1), random.exponential(2.0), random.exponential(0.3), random.uniform(1, population))
        falls, rises, turns, sign = slopes(*point, population)
        violations += not (falls < 0 < rises and np.sign(turns) == np.sign(sign))
    assert violations == 0


def test_v2_signs_of_the_other_two_closures_at_a_thousand_points():
    eta, c, s2, alpha, psi, S, N, kappa, k = symbols("eta c s2 alpha psi S N kappa k", positive=True)
    root = sqrt_of(1 - c * eta**2 * s2)
    upper, lower = (1 + root) / eta, (1 - root) / eta
    paper = 2 / eta - noise(N, S, 1) * alpha / psi**2
    ratio = (S + kappa) / (k * S + kappa)
    slopes = lambdify(
        (eta, c, s2, alpha, psi, S, N, kappa, k),
        [
            diff(upper, eta), diff(lower, eta), diff(upper, c), diff(paper, eta), diff(paper, S), diff(paper, psi),
            ratio,
        ],
    )  # fmt: skip
    random = np.random.default_rng(1)
    violations = 0
    for _ in range(1000):
        population, rate, share = int(random.integers(2, 1000)), random.exponential(0.3), random.uniform(0.01, 1)
        spread = random.uniform(0.01, 0.99) / (share * rate**2)
        size, times = random.uniform(1, population), 1 + random.exponential(5.0)
        rest = (random.exponential(2.0), random.exponential(1.0), size, population, random.exponential(9.0), times)
        falls, rises, noisier, steeper, larger, farther, scaled = slopes(rate, share, spread, *rest)
        violations += not (falls < 0 <= rises and noisier < 0 and steeper < 0 < larger and farther > 0)
        violations += not 1 / times <= scaled <= 1
    assert violations == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [1, 2, 4, 16, EXAMPLES])
def test_v3_the_step_size_edge_from_draws(size, scheme):
    """2 E h/E h^2 over drawn batches, in standard errors by the delta method."""
    curvatures = gamma_curvatures(EXAMPLES, 10.0, 0.67)
    share = float(noise(EXAMPLES, size, SCHEMES[scheme].indicator))
    predicted = 2 * curvatures.mean() / (curvatures.mean() ** 2 + share * curvatures.var())
    draws = SCHEMES[scheme].draw(np.random.default_rng(size), 40_000, EXAMPLES, size)
    means = batch_means(curvatures, draws)
    first, second = means.mean(), np.mean(means**2)
    found = 2 * first / second
    if scheme == "distinct" and size == EXAMPLES:
        assert found == pytest.approx(predicted, rel=1e-12)
        assert found == pytest.approx(2 / curvatures.mean(), rel=1e-12)
        return
    influence = 2 / second * (means - first) - 2 * first / second**2 * (means**2 - second)
    error = influence.std() / sqrt(len(means))
    assert abs(found - predicted) < 4 * error
    assert abs(found - 2 / curvatures.mean()) > 4 * error, "a draw of batches tells gradient descent from SGD"


@pytest.fixture(scope="module")
def pairs():
    """1200 pairs of runs on one distance function each, and as many on two."""
    found = {}
    for distances in ("one", "two"):
        replicates = Replicates(ORDER.name, {"distances": distances}, tuple(range(12)))
        options = {"distances": distances, "share": np.ones(1), "pairs": 100}
        found[distances] = ORDER.measure(replicates=replicates, data=None, **options)
    return found


def test_v4_coupled_runs_are_always_in_order_and_uncoupled_ones_are_not(pairs):
    one, two = pairs["one"], pairs["two"]
    assert one["first"].size == 1200
    assert np.isfinite(one["first"]).all()
    assert (one["first"] <= one["second"] * (1 + 1e-9)).all()
    assert np.mean(two["first"] > two["second"] * (1 + 1e-9)) > 0.03


def random_hessians(random, count, dimension):
    factors = random.standard_normal((count, dimension, max(dimension - 1, 1)))
    return factors @ factors.transpose(0, 2, 1) / dimension


@pytest.mark.parametrize("seed", range(50))
def test_v6_the_sandwich_of_bounds_and_the_radius_at_the_exact_edge(seed):
    random = np.random.default_rng(seed)
    dimension, count = int(random.integers(1, 5)), int(random.integers(3, 17))
    size = int(random.integers(1, 3)) if seed % 2 else count
    hessians = random_hessians(random, count, dimension)
    hessians = np.round(hessians * 64) / 64 + np.eye(dimension)  # exact rationals, positive definite enough
    rows = [[[Rational(int(x * 64), 64) for x in row] for row in one] for one in hessians]
    served = evaluate("multidimensional_edge", H=rows, S=Rational(size))
    exact = float(served["eta_max"].evalf(20))
    batches = batch_matrices(hessians, every_subset(count, size))
    radius = lambda rate: float(mean_square_radius(np.eye(dimension) - rate * batches))  # noqa: E731
    assert radius(exact) == pytest.approx(1.0, abs=1e-8)
    values, vectors = np.linalg.eigh(hessians.mean(axis=0))
    slopes = np.einsum("i,bij,j->b", vectors[:, -1], batches, vectors[:, -1])
    along = 2 * slopes.mean() / np.mean(slopes**2)
    worst = edge_of_worst_vector(batches, 8 / values[-1])
    assert worst <= exact * (1 + 1e-8)
    assert exact <= along * (1 + 1e-8)
    assert along <= 2 / values[-1] * (1 + 1e-8)
    if size < count and dimension > 1:
        assert worst < along * (1 - 1e-6), "in more dimensions the bounds are not the same"


def edge_of_worst_vector(batches, top):
    """Largest rate at which no vector grows in mean square in one step, by bisection."""
    low, high = 0.0, top
    for _ in range(60):
        middle = (low + high) / 2
        steps = np.eye(batches.shape[-1]) - middle * batches
        grows = np.linalg.eigvalsh(np.mean(steps.transpose(0, 2, 1) @ steps, axis=0))[-1] > 1
        low, high = (low, middle) if grows else (middle, high)
    return low


def test_v7_the_gram_matrix_has_the_spectrum_of_the_covariance():
    rows = jax.random.normal(jax.random.key(0), (12, 7), dtype=jnp.float64)
    found = np.sort(np.asarray(row_spectrum(rows).values))[::-1]
    dense = np.sort(np.linalg.eigvalsh(np.cov(np.asarray(rows).T, bias=True)))[::-1]
    assert found[:7] == pytest.approx(dense, abs=1e-10)
    assert found[7:] == pytest.approx(0.0, abs=1e-10)


BATCHES = {"disjoint": disjoint_batches, "independent": independent_batches, "replacement": replacement_batches}


@pytest.mark.parametrize("scheme", BATCHES)
def test_v7_mean_traces_of_gram_matrices_in_three_schemes(scheme):
    points, count, size = 12, 3, 4
    data = jax.random.normal(jax.random.key(1), (points, 3), dtype=jnp.float64)
    loss = lambda w, x: jnp.mean(x @ w)  # noqa: E731

    def one(key):
        indices = BATCHES[scheme](key, points, count, size)
        return row_spectrum(batch_gradients(loss, jnp.zeros(3), data, indices)).values.sum()

    traces = np.asarray(jax.lax.map(one, jax.random.split(jax.random.key(2), 3000)))
    centred = np.asarray(data) - np.asarray(data).mean(axis=0)
    total = Rational(float(np.sum(centred**2) / points))
    expected = lambda which: float(  # noqa: E731
        evaluate("trace", trace_K=total, N=Rational(points), M=Rational(size), L=Rational(count), scheme=which)[
            "expected_trace_gram"
        ]
    )
    error = traces.std() / sqrt(len(traces))
    assert abs(traces.mean() - expected(scheme)) < 4 * error
    others = [expected(which) for which in BATCHES if which != scheme]
    assert all(abs(traces.mean() - other) > 4 * error for other in others)


@pytest.mark.slow
def test_v8_sixteen_products_find_the_top_of_a_trained_hessian_and_forty_its_bottom():
    """682 parameters after 400 steps, against LAPACK: the top is found at once, the bottom is not."""
    images = digits().x_train[:64].reshape(64, -1)
    labels = jnp.asarray(np.eye(10)[np.random.default_rng(0).integers(10, size=64)])
    inputs = jnp.asarray((images - images.mean()) / images.std())
    network = dense(sizes=(64, 8, 8, 10), activation=jnp.tanh, dtype=jnp.float64)
    start, unravel = ravel_pytree(network.init(jax.random.key(0)))

    def loss(theta):
        made = network.apply(unravel_as(theta), inputs.astype(theta.dtype))
        return jnp.mean(cross_entropy(made, labels.astype(theta.dtype)))

    def unravel_as(theta):
        return jax.tree.map(lambda leaf: leaf.astype(theta.dtype), unravel(theta.astype(start.dtype)))

    slope = jax.grad(loss)
    trained = jax.jit(lambda theta: jax.lax.fori_loop(0, 400, lambda _, now: now - 0.3 * slope(now), theta))(start)
    exact = np.linalg.eigvalsh(np.asarray(jax.jit(jax.hessian(loss))(trained)))
    assert exact.size == 682
    for dtype, products, tolerance in ((jnp.float32, 16, 1e-6), (jnp.float64, 16, 1e-12), (jnp.float64, 40, 1e-12)):
        pairs = jax.jit(lambda theta, products=products: extreme_eigenpairs(hessian(loss, theta), products))
        found = pairs(trained.astype(dtype))
        assert abs(float(found.top.values[0]) / exact[-1] - 1) < tolerance
        missed = abs(float(found.bottom.values[0]) / exact[0] - 1)
        assert missed < 0.01 if products == 40 else missed > 0.5


def test_single_runs_are_stable_beyond_the_mean_square_and_beyond_gradient_descent():
    """breakeven:L15: 64 gamma curvatures, S = 1: stable in mean square up to 1.20, in single runs up to 2.4."""
    curvatures = gamma_curvatures(EXAMPLES, 1.0, 0.665)
    losses = Quadratics(curvatures, np.zeros(EXAMPLES))
    single = batch_losses(losses, np.arange(EXAMPLES)[:, None])
    mean_square = edge(lambda rate: (1 - rate * single.slopes)[:, None, None], 0.5, 3.0)
    assert mean_square == pytest.approx(1.20, abs=0.005)
    logs = lambda rate: np.mean(np.log(np.abs(1 - rate * curvatures)))  # noqa: E731
    assert logs(2.1) < 0 < logs(2.9)
    assert growth(single, 1.0, 2.1) > 1


def test_an_epoch_without_repetition_grows_less_than_fresh_batches():
    """breakeven:L16: two complementary batches of four of eight, at the rate at which fresh ones keep the square."""
    curvatures = gamma_curvatures(8, 1.0, 0.665)
    chosen = every_subset(8, 4)
    rest = np.array([[k for k in range(8) if k not in one] for one in chosen])
    h, other = batch_means(curvatures, chosen), batch_means(curvatures, rest)
    rate = 2 * h.mean() / np.mean(h**2)
    assert np.mean((1 - rate * h) ** 2) == pytest.approx(1.0)
    reshuffled = np.mean(((1 - rate * h) * (1 - rate * other)) ** 2)
    assert reshuffled < 0.9
