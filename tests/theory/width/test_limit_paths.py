"""The induction over steps: its path is that of the numeric evolution, and another one is not derived."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
from sympy import Integer, Lambda, Symbol, oo

from numerics.activations import leaky_softplus, value_and_slope
from numerics.expectations import leaky_softplus as expectation
from numerics.limits import CORRECTED, evolve, signs_of
from numerics.population import Factors, Problem, population
from theory.proof.derivation import Define, Suppose
from theory.proof.evaluation import Evaluation
from theory.proof.steps.step import State
from theory.width import limit_paths as paths

X, Y, STEPS = np.array([0.8, -0.5, 1.1]), np.array([1.0, -1.0, 1.0]), 3
FACTORS, FIELD = Factors(1.3, 0.7, 0.9), np.array([0.4, -0.9, 0.2])


def of_theory(order: float, share: float) -> np.ndarray:
    """Logits after every step at all inputs, neurons moved by the law's own rule, shape (step, point)."""
    crowd = population(8, 1)
    a, w = np.asarray(crowd.a), np.asarray(crowd.w)[:, 0]
    phi = lambda z: [np.asarray(one) for one in value_and_slope(leaky_softplus, jnp.asarray(z))]  # noqa: E731
    alpha, omega, seen = np.zeros_like(a), np.zeros_like(a), [np.asarray(share * FIELD)]
    for step in range(STEPS):
        at_a, at_w = step % 3, (step + 1) % 3
        g_a, g_w = (
            float(paths.gradient(Integer(int(Y[at])), Symbol("p"), Symbol("u")).subs({"p": order, "u": seen[-1][at]}))
            for at in (at_a, at_w)
        )
        inputs = w + omega
        alpha, omega = (
            alpha - FACTORS.rate_a * FACTORS.sigma * g_a * phi(inputs * X[at_a])[0],
            omega - FACTORS.rate_w * FACTORS.sigma * g_w * (a + alpha) * phi(inputs * X[at_w])[1] * X[at_w],
        )
        mean = np.asarray(crowd.weight) @ ((a + alpha)[:, None] * phi((w + omega)[:, None] * X)[0])
        seen.append(np.asarray(FACTORS.sigma * mean + share * FIELD))
    return np.array(seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signs", "order", "share"),
    [(signs_of(-1.0, 1.0), 1.0, 0.0), (CORRECTED, 1.0, 1.0), (signs_of(-1.5, 1.5), 0.0, 0.0)],
    ids=["mean-field", "corrected", "logits that vanish"],
)
def test_the_path_is_that_of_the_evolution(signs, order, share):
    orders = (jnp.arange(STEPS) % 3, (jnp.arange(STEPS) + 1) % 3)
    given = Problem(jnp.asarray(X[:, None]), jnp.asarray(Y), *orders)
    found = evolve(
        signs, given, jnp.asarray(FIELD), FACTORS, population(8, 1), leaky_softplus, expectation(0.1)
    )  # fmt: skip
    assert np.allclose(of_theory(order, share), found, rtol=1e-11, atol=1e-13)
    assert np.abs(np.diff(np.asarray(found), axis=0)).max() > 1e-3
    assert not np.allclose(of_theory(1.0 - order, share), found, rtol=1e-3)


def test_a_rule_of_another_limit_is_not_derived():
    derivation = paths.DERIVATION
    (step,) = (
        p for p in derivation.premises if isinstance(p, Define) and p.name == "output weight: step of the limit's"
    )
    for body in (step.body + paths.eta_a, step.body.xreplace({paths.order: paths.order / 2})):
        changed = tuple(replace(p, body=body) if p is step else p for p in derivation.premises)
        assert replace(derivation, premises=changed).check(first_failure=True).state is not State.PROVED


def test_without_the_limit_of_a_number_nothing_follows():
    derivation = paths.DERIVATION
    for name in paths.NEURONS.uses[:3]:
        fewer = replace(paths.NEURONS, uses=tuple(used for used in paths.NEURONS.uses if used != name))
        assert replace(derivation, steps=(fewer, derivation.steps[1])).check().state is not State.PROVED


def test_a_gradient_that_jumps_is_not_taken_for_a_continuous_one():
    """What keeps hinges out: the limit of a jump is not the jump of the limit."""
    derivation = paths.DERIVATION
    grows = tuple(
        replace(p, fact=p.fact.xreplace({paths.order: oo}))
        if isinstance(p, Suppose) and p.name == "order of the logits"
        else p
        for p in derivation.premises
    )
    assert replace(derivation, premises=grows).check().state is not State.PROVED


def test_the_world_is_one_of_moving_neurons():
    world = next(paths.DERIVATION.sampled("test"))
    assert isinstance(world, Evaluation)
    at = world.at({paths.n: Integer(2)})
    assert at.value(paths.alpha(paths.n)) != at.value(paths.alpha(0)) == 0
    assert isinstance(world.values[paths.x_a], Lambda)
