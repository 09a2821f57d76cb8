"""SGD on one-dimensional quadratics: a step follows the gradient of the loss of its batch."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.quadratics import Quadratics, batch_losses, crossing, descend, gamma_curvatures, growth
from numerics.subsets import distinct, every_subset


def losses(seed: int, population: int = 6) -> Quadratics:
    """Random curvatures, some of them negative, and scattered minima."""
    random = np.random.default_rng(seed)
    return Quadratics(random.standard_normal(population) + 1.0, random.standard_normal(population))


def mean_loss(place, curvatures, minima, batch):
    """The definition: the mean over the batch of (1/2) a (x - m)^2."""
    return jnp.mean(curvatures[batch] * (place - minima[batch]) ** 2 / 2)


@given(st.integers(0, 50), st.floats(-3, 3), st.floats(0.01, 2))
@example(0, 0.0, 1.0)
def test_a_step_follows_the_gradient_of_the_loss_of_its_batch(seed, start, rate):
    system = losses(seed)
    batch = distinct(np.random.default_rng(seed), 1, 6, 3)
    (_,), (after,) = descend(system, start, rate, batch[None])
    slope = jax.grad(mean_loss)(start, jnp.asarray(system.curvatures), jnp.asarray(system.minima), batch[0])
    assert after == pytest.approx(start - rate * float(slope), abs=1e-12)


def test_gradients_of_the_examples_average_to_that_of_the_batch():
    system = losses(3)
    places = np.array([0.5, -2.0])
    batches = every_subset(6, 6)
    stepped = batch_losses(system, np.repeat(batches, 2, axis=0)).step(places, 1.0)
    assert np.allclose(places - stepped, system.gradients(places).mean(axis=-1), atol=1e-14)


def test_a_full_batch_step_multiplies_the_distance_when_the_minima_agree():
    system = Quadratics(gamma_curvatures(5, 2.0, 0.5), np.zeros(5))
    path = descend(system, 3.0, 0.25, np.repeat(every_subset(5, 5)[None], 4, axis=0))
    assert np.allclose(path[:, 0], 3.0 * 0.5 ** np.arange(5), rtol=1e-14)
    assert growth(batch_losses(system, every_subset(5, 5)), 3.0, 0.25) == pytest.approx(0.25, rel=1e-14)


def test_scattered_minima_move_the_minimum_of_the_mean():
    """The partner: with additive noise a step from the common minimum does not stay there."""
    system = Quadratics(np.ones(4), np.array([1.0, 1.0, -1.0, -1.0]))
    path = descend(system, 0.0, 0.5, every_subset(4, 2)[None])
    assert path[1].mean() == 0.0
    assert path[1].var() > 0.05


@given(st.integers(2, 40), st.floats(0.1, 50), st.floats(0.05, 4))
def test_gamma_curvatures_have_the_moments_asked_for(population, mean, ratio):
    values = gamma_curvatures(population, mean, ratio)
    assert values.mean() == pytest.approx(mean, rel=1e-9)
    assert values.var() == pytest.approx(ratio * mean**2, rel=1e-9)
    assert (np.diff(values) > 0).all()


def test_a_crossing_is_found_from_either_side_or_not_at_all():
    assert crossing(lambda x: x**2, 0.5, 3.0) == pytest.approx(1.0, rel=1e-10)
    assert crossing(lambda x: 1 / x, 4.0, 0.25) == pytest.approx(1.0, rel=1e-10)
    assert np.isnan(crossing(lambda x: x**2, 2.0, 3.0))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Quadratics(np.ones(2), np.ones(3)), "Quadratics: curvatures has shape"),
        (lambda: gamma_curvatures(1, 1.0, 1.0), "gamma_curvatures: population=1"),
        (lambda: gamma_curvatures(4, 1.0, 0.0), "gamma_curvatures: population=4, mean=1.0, ratio=0.0"),
    ],
)
def test_bad_systems_are_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match="pass") as refused:
        call()
    assert sentence in str(refused.value)
