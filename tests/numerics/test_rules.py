"""Update rules on constant gradients and quadratics, where every step is known."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numerics.models import Layers
from numerics.rules import (
    ADAM,
    AVERAGED_HEAVY_BALL,
    DAMPED_HEAVY_BALL,
    GRADIENT_DESCENT,
    HEAVY_BALL,
    RULES,
    SIGN_DESCENT,
)

EVERYTHING = {
    "learning_rate": 0.1,
    "momentum": 0.9,
    "second_momentum": 0.99,
    "epsilon": 1e-8,
    "damping": 0.3,
}


def walk(rule, gradient, settings, start, steps):
    theta, memory = start, rule.start(start)
    for _ in range(steps):
        theta, memory = rule.step(theta, memory, gradient(theta), settings)
    return theta


@settings(max_examples=20)
@example(0.9, 0.1)
@given(st.floats(0, 0.99), st.floats(1e-3, 1.0))
def test_heavy_ball_on_a_constant_gradient_is_the_geometric_sum(momentum, rate):
    numbers = {"learning_rate": rate, "momentum": momentum}
    theta = walk(HEAVY_BALL, lambda t: jnp.ones_like(t), numbers, jnp.array(0.0), 3)
    np.testing.assert_allclose(theta, -rate * (3 + 2 * momentum + momentum**2), rtol=1e-13)


def test_three_forms_of_heavy_ball_are_related_as_stated():
    gradient, start = (lambda t: 2.0 * t), jnp.array([1.0, -2.0])
    plain = walk(HEAVY_BALL, gradient, {"learning_rate": 0.05, "momentum": 0.7}, start, 6)
    damped = walk(DAMPED_HEAVY_BALL, gradient, {"learning_rate": 0.05, "damping": 0.3}, start, 6)
    averaged = walk(AVERAGED_HEAVY_BALL, gradient, {"learning_rate": 0.05 / 0.3, "momentum": 0.7}, start, 6)
    np.testing.assert_allclose(damped, plain, rtol=1e-13)
    np.testing.assert_allclose(averaged, plain, rtol=1e-13)
    other = walk(AVERAGED_HEAVY_BALL, gradient, {"learning_rate": 0.05, "momentum": 0.7}, start, 6)
    assert np.max(np.abs(other - plain)) > 0.01


def test_no_momentum_is_gradient_descent():
    gradient, start = (lambda t: 3.0 * t), jnp.array(2.0)
    plain = walk(GRADIENT_DESCENT, gradient, {"learning_rate": 0.1}, start, 5)
    np.testing.assert_allclose(plain, 2.0 * 0.7**5, rtol=1e-13)
    for rule, numbers in ((HEAVY_BALL, {"momentum": 0.0}), (DAMPED_HEAVY_BALL, {"damping": 1.0})):
        same = walk(rule, gradient, {"learning_rate": 0.1} | numbers, start, 5)
        np.testing.assert_allclose(same, plain, rtol=1e-13)


def test_adam_without_epsilon_moves_by_the_rate_on_a_constant_gradient_of_any_size():
    numbers = EVERYTHING | {"epsilon": 0.0}
    for size in (1e-6, 1.0, 1e6):
        theta = walk(ADAM, lambda t, size=size: jnp.full_like(t, size), numbers, jnp.array(0.0), 4)
        np.testing.assert_allclose(theta, -0.4, rtol=1e-9)
    damped = walk(ADAM, lambda t: jnp.full_like(t, 1e-6), EVERYTHING | {"epsilon": 1e-6}, jnp.array(0.0), 4)
    np.testing.assert_allclose(damped, -0.2, rtol=1e-9)


def test_adam_agrees_with_the_recurrence_written_out():
    gradients = [1.0, -2.0, 0.5]
    m = v = theta = 0.0
    for t, g in enumerate(gradients, 1):
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        theta -= 0.1 * (m / (1 - 0.9**t)) / ((v / (1 - 0.99**t)) ** 0.5 + 1e-8)
    params = jnp.array(0.0)
    memory = ADAM.start(params)
    for g in gradients:
        params, memory = ADAM.step(params, memory, jnp.array(g), EVERYTHING)
    np.testing.assert_allclose(params, theta, rtol=1e-12)


def test_sign_descent_forgets_the_size():
    theta = walk(SIGN_DESCENT, lambda t: jnp.array([1e-9, -5.0, 0.0]), EVERYTHING, jnp.zeros(3), 2)
    np.testing.assert_allclose(theta, [-0.2, 0.2, 0.0], rtol=1e-14)


def test_a_learning_rate_for_each_part_of_the_network():
    params = Layers((jnp.ones(2), jnp.ones(3)), jnp.ones(1))
    numbers = {"learning_rate": Layers(0.1, 1.0)}
    moved, _ = GRADIENT_DESCENT.step(params, (), params, numbers)
    assert [float(leaf[0]) for leaf in jax.tree.leaves(moved)] == pytest.approx([0.9, 0.9, 0.0])


@pytest.mark.parametrize("name", sorted(RULES))
def test_rules_keep_dtypes_and_work_on_pytrees_under_jit_with_float64_settings(name):
    rule = RULES[name]
    params = {"a": jnp.ones(2, jnp.float32), "b": (jnp.ones((), jnp.float32),)}
    traced = {k: jnp.asarray(v, jnp.float64) for k, v in EVERYTHING.items()}
    compiled = jax.jit(rule.step)(params, rule.start(params), params, traced)
    plain = rule.step(params, rule.start(params), params, EVERYTHING)
    for left, right in zip(jax.tree.leaves(compiled), jax.tree.leaves(plain), strict=True):
        assert left.dtype == right.dtype
        assert left.dtype in (jnp.float32, jnp.int32)
        np.testing.assert_allclose(left, right, rtol=1e-6)
    assert float(compiled[0]["b"][0]) < 1


@pytest.mark.parametrize("name", sorted(RULES))
def test_missing_settings_are_named_in_one_sentence(name):
    rule = RULES[name]
    rule.check(EVERYTHING)
    for needed in rule.needs:
        fewer = {k: v for k, v in EVERYTHING.items() if k != needed}
        with pytest.raises(ValueError, match=f"^{name}: settings has .*; {needed} is missing; pass "):
            rule.check(fewer)
