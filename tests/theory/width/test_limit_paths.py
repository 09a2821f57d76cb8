"""The induction over steps: its path is that of the numeric evolution, and another one is not derived."""

from collections.abc import Callable
from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
from sympy import Integer, Lambda, Symbol, lambdify, oo, symbols

from numerics.activations import leaky_softplus, value_and_slope
from numerics.expectations import leaky_softplus as expectation
from numerics.limits import CORRECTED, DEFAULT, evolve, signs_of
from numerics.population import Factors, Problem, population
from theory.proof.derivation import Define, Suppose
from theory.proof.evaluation import Evaluation
from theory.proof.steps.step import State
from theory.width import limit_hinge_paths as hinges
from theory.width import limit_paths as paths

Gradient = Callable[[int, int, float], float]
"""Of the step, the point, and its normalised logit."""
X, Y, STEPS = np.array([0.8, -0.5, 1.1]), np.array([1.0, -1.0, 1.0]), 3
FACTORS, FIELD = Factors(1.3, 0.7, 0.9), np.array([0.4, -0.9, 0.2])


def phi_and_slope(z) -> list[np.ndarray]:
    """Leaky softplus and its slope."""
    return [np.asarray(one) for one in value_and_slope(leaky_softplus, jnp.asarray(z))]


def continuous(order: float) -> Gradient:
    """The law's own gradient at logits of this order, 0 or 1."""
    value = lambdify(("y", "p", "u"), paths.gradient(*symbols("y p u")))
    return lambda step, at, logit: float(value(Y[at], order, logit))


def hinge(at: int, logit: float) -> float:
    """Minus the label where it is wrong."""
    return -Y[at] * (Y[at] * logit < 0)


def half_first(step: int, at: int, logit: float) -> float:
    """Half of the label first, then a hinge."""
    return hinge(at, logit) if step else -Y[at] / 2


def of_the_field_first(step: int, at: int, logit: float) -> float:
    """The initial field's gradient first, then a hinge."""
    return hinge(at, logit) if step else continuous(1.0)(0, at, FIELD[at])


def of_theory(gradient: Gradient, share: float, kept: int = 1) -> np.ndarray:
    """Logits after every step at all inputs, neurons moved by the law's own rule, shape (step, point)."""
    goes = lambdify(
        (paths.a, paths.w, paths.eta_a, paths.eta_w, paths.sigma, *symbols("alpha omega g_a g_w x_a x_w")),
        [
            one.xreplace({paths.x_a(paths.k): Symbol("x_a"), paths.x_w(paths.k): Symbol("x_w")})
            for one in paths.moved_by(*symbols("alpha omega"), Integer(1), Integer(kept), *symbols("g_a g_w"))
        ],
        [{"phi": lambda z: phi_and_slope(z)[0], "dphi": lambda z: phi_and_slope(z)[1]}, "numpy"],
    )
    crowd = population(8, 1)
    a, w = np.asarray(crowd.a), np.asarray(crowd.w)[:, 0]
    alpha, omega, seen = np.zeros_like(a), np.zeros_like(a), [np.asarray(share * FIELD)]
    for step in range(STEPS):
        places = step % 3, (step + 1) % 3
        slopes = (gradient(step, at, float(seen[-1][at])) for at in places)
        rates = FACTORS.rate_a, FACTORS.rate_w, FACTORS.sigma
        alpha, omega = goes(a, w, *rates, alpha, omega, *slopes, *(float(X[at]) for at in places))
        mean = np.asarray(crowd.weight) @ ((kept * a + alpha)[:, None] * phi_and_slope((w + omega)[:, None] * X)[0])
        seen.append(np.asarray(FACTORS.sigma * mean + share * FIELD))
    return np.array(seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signs", "gradient", "share", "kept"),
    [
        (signs_of(-1.0, 1.0), continuous(1.0), 0.0, 1),
        (CORRECTED, continuous(1.0), 1.0, 1),
        (signs_of(-1.5, 1.5), continuous(0.0), 0.0, 1),
        (signs_of(-0.75, 0.75), half_first, 0.0, 1),
        (signs_of(-0.5, 0.5), of_the_field_first, 0.0, 1),
        (DEFAULT, of_the_field_first, 0.0, 0),
    ],
    ids=["mean-field", "corrected", "logits that vanish", "R11", "sym-default", "default"],
)
def test_the_path_is_that_of_the_evolution(signs, gradient, share, kept):
    orders = (jnp.arange(STEPS) % 3, (jnp.arange(STEPS) + 1) % 3)
    given = Problem(jnp.asarray(X[:, None]), jnp.asarray(Y), *orders)
    found = evolve(
        signs, given, jnp.asarray(FIELD), FACTORS, population(8, 1), leaky_softplus, expectation(0.1)
    )  # fmt: skip
    assert np.allclose(of_theory(gradient, share, kept), found, rtol=1e-11, atol=1e-13)
    assert np.abs(np.diff(np.asarray(found), axis=0)).max() > 1e-3
    other = half_first if gradient is not half_first else of_the_field_first
    assert not np.allclose(of_theory(other, share, kept), found, rtol=1e-3)


def test_a_rule_of_another_limit_is_not_derived():
    derivation = paths.DERIVATION
    (step,) = (
        p for p in derivation.premises if isinstance(p, Define) and p.name == "output weight: step of the limit's"
    )
    for body in (step.body + paths.eta_a, step.body.xreplace({paths.order: paths.order / 2})):
        changed = tuple(replace(p, body=body) if p is step else p for p in derivation.premises)
        assert replace(derivation, premises=changed).check(first_failure=True).state is not State.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("of", [paths, hinges], ids=["continuous", "hinge"])
def test_without_the_limit_of_a_number_nothing_follows(of):
    for name in of.NEURONS.uses[:4]:
        fewer = replace(of.NEURONS, uses=tuple(used for used in of.NEURONS.uses if used != name))
        assert replace(of.DERIVATION, steps=(fewer,)).check(first_failure=True).state is not State.PROVED


def test_a_first_gradient_without_a_limit_has_no_path():
    fewer = replace(hinges.NEURONS, uses=tuple(name for name in hinges.NEURONS.uses if not name.endswith("tends")))
    assert len(fewer.uses) == len(hinges.NEURONS.uses) - 2
    assert replace(hinges.DERIVATION, steps=(fewer,)).check().state is not State.PROVED


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
