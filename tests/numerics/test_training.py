"""The trainer: exact trajectories on quadratics, one compilation for a grid, divergence as data."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.chunks import map_replicates
from numerics.losses import cross_entropy, mean, squared_error
from numerics.rules import ADAM, GRADIENT_DESCENT, HEAVY_BALL
from numerics.sampling import draws, subsets
from numerics.training import all_finite, log_spaced_steps, trainer

KEY = jax.random.key(0)
CURVATURE = jnp.array([1.0, 4.0])
NOTHING = jnp.zeros((1, 1))


def quadratic(rule, observe=lambda p, data, s: p):
    return trainer(lambda p, batch, s: CURVATURE * p, rule, observe)


def test_gradient_descent_on_a_quadratic_is_the_power_of_its_factor():
    run = quadratic(GRADIENT_DESCENT)
    start, steps = jnp.array([1.0, -2.0]), (0, 1, 5, 17)
    found = run(start, NOTHING, {"learning_rate": 0.3}, KEY, steps)
    expected = np.asarray(start)[None] * (1 - 0.3 * np.asarray(CURVATURE))[None] ** np.array(steps)[:, None]
    np.testing.assert_allclose(found.observed, expected, rtol=1e-12)
    np.testing.assert_allclose(found.params, expected[-1], rtol=1e-12)
    assert found.finite.all()
    assert int(found.finite_steps) == 17
    assert not np.allclose(found.observed[1:], expected[:-1]), "a record one step late is seen"


def test_heavy_ball_follows_its_second_order_recursion():
    run, numbers = quadratic(HEAVY_BALL), {"learning_rate": 0.2, "momentum": 0.6}
    found = run(jnp.array([1.0, 1.0]), NOTHING, numbers, KEY, tuple(range(9)))
    x = np.asarray(found.observed)
    h = np.asarray(CURVATURE)
    np.testing.assert_allclose(x[2:], (1.6 - 0.2 * h) * x[1:-1] - 0.6 * x[:-2], atol=1e-14)


def test_records_do_not_change_the_run():
    """The same steps cut differently, with mini-batches: the same parameters to the bit."""
    x, y = np.random.default_rng(0).normal(size=(8, 3)), np.eye(2)[np.arange(8) % 2]
    run = trainer(
        jax.grad(lambda w, b, s: mean(cross_entropy)(b[0] @ w, b[1], s["beta"])),
        GRADIENT_DESCENT,
        lambda w, d, s: jnp.sum(w),
        subsets(3),
    )
    numbers = {"learning_rate": 0.5, "beta": 2.0}
    few = run(jnp.zeros((3, 2)), (x, y), numbers, KEY, (12,))
    many = run(jnp.zeros((3, 2)), (x, y), numbers, KEY, (0, 1, 4, 12))
    assert np.array_equal(few.params, many.params)
    other = run(jnp.zeros((3, 2)), (x, y), numbers, jax.random.key(1), (12,))
    assert not np.array_equal(few.params, other.params), "another key draws other batches"


def test_the_trajectory_depends_on_eta_beta_squared_only_in_a_linear_model():
    x, y = np.random.default_rng(0).normal(size=(6, 4)), np.eye(3)[np.arange(6) % 3]
    run = trainer(
        jax.grad(lambda w, b, s: mean(cross_entropy)(b[0] @ w, b[1], s["beta"])),
        GRADIENT_DESCENT,
        lambda w, d, s: s["beta"] * (d[0] @ w),
    )
    scaled = [
        run(jnp.zeros((4, 3)), (x, y), {"learning_rate": 0.5 / b**2, "beta": b}, KEY, (10, 50)).observed
        for b in (0.1, 1.0, 30.0)
    ]
    np.testing.assert_allclose(scaled[0], scaled[1], rtol=1e-11)
    np.testing.assert_allclose(scaled[2], scaled[1], rtol=1e-11)
    assert np.max(np.abs(scaled[0])) > 0.1


def test_one_compilation_serves_a_whole_grid():
    traces = []

    def gradient(p, batch, s):
        traces.append(1)
        return CURVATURE * p

    run = trainer(gradient, HEAVY_BALL, lambda p, d, s: p)
    for rate in (0.1, np.float64(0.2), jnp.asarray(0.3)):
        for momentum in (0, 0.5):
            run(jnp.ones(2), NOTHING, {"learning_rate": rate, "momentum": momentum}, KEY, (0, 3))
    run(jnp.ones(2), NOTHING, {"learning_rate": 0.1, "momentum": 0.9}, jax.random.key(4), (1, 100))
    assert len(traces) == 1
    run(jnp.ones(2), NOTHING, {"learning_rate": 0.1, "momentum": 0.9}, KEY, (1, 2, 3))
    assert len(traces) == 2, "another number of records compiles again: the counter counts"


def test_divergence_is_data():
    run = quadratic(GRADIENT_DESCENT)
    found = run(jnp.array([1.0, 1.0]), NOTHING, {"learning_rate": 1e20}, KEY, (0, 1, 5, 40, 100))
    assert found.finite.tolist() == [True, True, True, False, False]
    assert 5 <= int(found.finite_steps) < 40
    direct = np.array([1.0, 1.0])
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(int(found.finite_steps)):
            direct = (1 - 1e20 * np.asarray(CURVATURE)) * direct
        assert np.all(np.isfinite(direct))
        assert not np.all(np.isfinite((1 - 1e20 * np.asarray(CURVATURE)) * direct))
    sound = run(jnp.array([1.0, 1.0]), NOTHING, {"learning_rate": 0.1}, KEY, (0, 1, 5, 40, 100))
    assert sound.finite.all()


def test_a_start_that_is_not_finite_is_flagged_from_the_first_record():
    found = quadratic(GRADIENT_DESCENT)(
        jnp.array([jnp.nan, 1.0]), NOTHING, {"learning_rate": 0.1}, KEY, (0, 2)
    )
    assert found.finite.tolist() == [False, False]
    assert int(found.finite_steps) == 0


def test_seeds_in_turn_and_side_by_side_agree_with_single_runs():
    x, y = np.random.default_rng(0).normal(size=(6, 3)), np.eye(2)[np.arange(6) % 2]

    def loss(w, data, s):
        return mean(squared_error)(jnp.tanh(data[0] @ w), data[1])

    run = trainer(jax.grad(loss), ADAM, loss, draws(4))
    numbers = {"learning_rate": 0.05, "momentum": 0.9, "second_momentum": 0.99, "epsilon": 1e-8}

    def one(key):
        start = jax.random.uniform(key, (3, 2))
        return run(start, (x, y), numbers, key, (0, 5, 20)).observed

    keys = jax.random.split(KEY, 3)
    single = np.stack([one(k) for k in keys])
    for platform in ("cpu", "gpu"):
        together = jax.jit(lambda k, p=platform: map_replicates(one, k, platform=p))(keys)
        np.testing.assert_allclose(together, single, rtol=1e-10)
    assert len({float(v) for v in single[:, -1]}) == 3
    assert np.all(single[:, -1] < single[:, 0])


@pytest.mark.parametrize("steps", [(), (3, 3), (5, 2), (-1, 2), (0.0, 1.0), ((0, 1),)])
def test_bad_steps_are_refused_before_tracing(steps):
    with pytest.raises(ValueError, match=r"^trainer: steps=.*; pass "):
        quadratic(GRADIENT_DESCENT)(jnp.ones(2), NOTHING, {"learning_rate": 0.1}, KEY, steps)


def test_missing_settings_are_refused_before_tracing():
    with pytest.raises(ValueError, match=r"^heavy_ball: settings has learning_rate; momentum is missing"):
        quadratic(HEAVY_BALL)(jnp.ones(2), NOTHING, {"learning_rate": 0.1}, KEY, (1,))


def test_log_spaced_steps_increase_and_end_where_asked():
    for last, records in ((1, 1), (7, 30), (1000, 8)):
        steps = log_spaced_steps(last, records)
        assert steps[0] == 0
        assert steps[-1] == last
        assert list(steps) == sorted(set(steps))
    with pytest.raises(ValueError, match=r"^log_spaced_steps: last=0"):
        log_spaced_steps(0, 3)


def test_all_finite_sees_every_leaf():
    assert all_finite({"a": jnp.ones(2), "b": jnp.zeros(())})
    assert not all_finite({"a": jnp.ones(2), "b": jnp.array(-jnp.inf)})
