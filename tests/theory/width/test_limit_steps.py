"""The induction step of the limit models: its gradients and its neurons are those of the numeric evolution."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
from sympy import Integer, lambdify, sign

from numerics.activations import leaky_softplus, value_and_slope
from numerics.expectations import leaky_softplus as expectation
from numerics.limits import evolve, limit_gradient, signs_of
from numerics.population import Factors, Problem, population
from theory.proof.steps.step import State
from theory.width import limit_steps as steps

SEEN = steps.LAYERS["a"]


@pytest.mark.parametrize(("order", "kind"), [(-1.0, steps.half), (0.0, steps.logistic), (1.0, steps.hinge)])
def test_a_gradient_is_that_of_the_evolution(order, kind):
    end = lambdify((SEEN.y, SEEN.logit), kind("a").end)
    for label, logit in ((1.0, -0.7), (-1.0, 0.4)):
        found = limit_gradient(order, jnp.array([logit]), jnp.array([label]), jnp.zeros(1))
        assert np.isclose(float(end(label, logit)), float(found[0]), rtol=1e-14)


def test_a_right_sample_has_none():
    assert steps.right("a").end == 0
    assert limit_gradient(1.0, jnp.array([0.7]), jnp.ones(1), jnp.zeros(1)).tolist() == [0.0]


def test_neurons_move_as_those_of_the_evolution():
    """One mean-field step: the mean over neurons that the theory moves is the evolution's logit."""
    x, y = np.array([[0.8], [-0.5], [1.1]]), np.array([1.0, -1.0, 1.0])
    given = Problem(jnp.asarray(x), jnp.asarray(y), jnp.array([0]), jnp.array([1]))
    factors, crowd = Factors(1.3, 0.7, 0.9), population(8, 1)
    found = evolve(
        signs_of(-1.0, 1.0), given, jnp.zeros(3), factors, crowd, leaky_softplus, expectation(0.1)
    )[1]  # fmt: skip
    own = {
        "phi": lambda z: np.asarray(value_and_slope(leaky_softplus, jnp.asarray(z))[0]),
        "dphi": lambda z: np.asarray(value_and_slope(leaky_softplus, jnp.asarray(z))[1]),
    }
    of_a, of_w = steps.LAYERS.values()
    goes = steps.moved(Integer(0), Integer(0), Integer(1), *(kind.end for kind in map(steps.half, steps.LAYERS)))
    names = (steps.a, steps.w, steps.sigma, steps.eta_a, steps.eta_w, of_a.x, of_a.y, of_w.x, of_w.y)
    alpha, omega = lambdify(names, goes, [own, "numpy"])(
        np.asarray(crowd.a), np.asarray(crowd.w)[:, 0], *factors, x[0, 0], y[0], x[1, 0], y[1]
    )
    value = (crowd.a + alpha)[None, :] * own["phi"](x * (np.asarray(crowd.w)[:, 0] + omega)[None, :])
    assert np.allclose(factors.sigma * value @ np.asarray(crowd.weight), found, rtol=1e-12)
    assert np.abs(np.asarray(found)).min() > 1e-3


@pytest.mark.parametrize("other", ["hinge", "right"])
def test_samples_may_be_of_two_kinds(other):
    mixed = steps.induction(steps.right("a"), getattr(steps, other)("w"))
    assert mixed.check().state is State.PROVED


def test_another_end_is_not_derived():
    own = steps.half("a")
    wrong = own._replace(steps=(own.steps[0], replace(own.steps[1], value=-sign(SEEN.y))), end=-sign(SEEN.y))
    assert steps.induction(wrong, steps.half("w")).check().state is not State.PROVED
