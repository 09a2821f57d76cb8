"""Limits read off a few signs are what networks of numeric width tend to, and real ones approach."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.activations import leaky_softplus
from numerics.expectations import leaky_softplus as expectation
from numerics.finite_width import Exponents, hybrid, network
from numerics.limits import CORRECTED, DEFAULT, Signs, covariance, evolve, limit_gradient, signs_of
from numerics.population import Factors, Problem, population
from numerics.width_model import draw_neurons

REGIONS = {
    "R01": (-1.0, 0.5), "R02": (-0.5, 0.0), "R03": (0.0, -0.5), "R04": (-1.0, 0.75), "R05": (-0.75, 0.5),
    "R06": (-0.675, 0.525), "R07": (-0.5, 0.25), "R08": (0.0, -0.25), "R09": (-1.5, 1.5), "R10": (-1.0, 1.0),
    "R11": (-0.75, 0.75), "R12": (-0.5, 0.5), "R13": (0.0, 0.0),
}  # fmt: skip
MODELS = {name: (signs_of(s, q), Exponents(s, q, q, 2 * s + q + 1), s + q) for name, (s, q) in REGIONS.items()}
MODELS["default"] = (DEFAULT, Exponents(-0.5, 1.0, 0.0, 1.0), 0.0)
MODELS["IC-MF"] = (CORRECTED, Exponents(-1.0, 1.0, 1.0, 0.0, 1.0), 0.0)
STEADY = jnp.array([step == -0.5 for _, _, step in MODELS.values()])
FACTORS = Factors(1.3, 0.8, 1.1)
KERNELS = expectation(0.1)
CROWD = population(24, 2, 10)


def stacked(place):
    return jax.tree.map(lambda *parts: jnp.asarray(parts), *(model[place] for model in MODELS.values()))


def problem(seed):
    random = np.random.default_rng(seed)
    x, y = random.normal(size=(4, 2)), random.choice([-1.0, 1.0], 4)
    orders = (jnp.asarray(random.integers(0, 4, 4)) for _ in range(2))
    return Problem(jnp.asarray(x), jnp.asarray(y), *orders), jnp.asarray(random.normal(size=4))


@jax.jit
def both(given, normal):
    """Limits, and networks of width 1e24 (1e16 where steps are as small as d^(-1/2), for rounding)."""
    root = jnp.linalg.cholesky(covariance(given.x, KERNELS) + 1e-12 * jnp.eye(4))
    field = FACTORS.sigma * root @ normal
    limits = jax.vmap(lambda s: evolve(s, given, field, FACTORS, CROWD, leaky_softplus, KERNELS))(stacked(0))
    widths = jnp.where(STEADY, 1e16, 1e24)
    networks = jax.vmap(lambda e, d: hybrid(e, d, given, field, FACTORS, CROWD, leaky_softplus))(stacked(1), widths)
    return limits, networks


@pytest.fixture(scope="module")
def found():
    return [jax.tree.map(np.asarray, both(*problem(seed))) for seed in (1, 2, 5, 6)]


@pytest.mark.parametrize("name", MODELS)
def test_networks_of_numeric_width_are_at_their_limit(name, found):
    place = list(MODELS).index(name)
    for limits, networks in found:
        assert np.max(np.abs(limits[place] - networks[place])) < 1e-3


def test_another_limit_is_told_apart(found):
    """All fifteen evolutions differ from one another on some of the problems."""
    names = list(MODELS)
    for first in range(len(names)):
        for second in range(first):
            gaps = [np.max(np.abs(limits[first] - limits[second])) for limits, _ in found]
            assert max(gaps) > 0.01, (names[first], names[second])


def test_a_limit_with_a_wrong_sign_is_far_away(found):
    given, normal = problem(2)
    root = jnp.linalg.cholesky(covariance(given.x, KERNELS) + 1e-12 * jnp.eye(4))
    field = FACTORS.sigma * root @ normal
    wrong = Signs(-1.0, 1.0, 0.0, 1.0)
    limit = jax.jit(evolve, static_argnums=(5, 6))(wrong, given, field, FACTORS, CROWD, leaky_softplus, KERNELS)
    place = list(MODELS).index("R10")
    assert np.max(np.abs(found[1][1][place] - limit)) > 0.1


NAMES = ("R02", "R10", "IC-MF")


def test_real_networks_come_closer_with_their_width():
    chosen = [jax.tree.map(lambda *parts: jnp.asarray(parts), *(MODELS[n][p] for n in NAMES)) for p in (0, 1)]
    given, _ = problem(3)
    crowd = population(10, 2)

    def error(width):
        def one(key):
            neurons = draw_neurons(key, width=width, inputs=2)

            def gap(signs, exponents):
                trained = network(neurons, exponents, given, FACTORS, leaky_softplus)
                limit = evolve(signs, given, trained.field, FACTORS, crowd, leaky_softplus, KERNELS)
                return jnp.max(jnp.abs(trained.logits - limit))

            return jax.vmap(gap)(*chosen)

        found = jax.jit(lambda keys: jax.lax.map(one, keys))(jax.random.split(jax.random.key(0), 16))
        return np.median(np.asarray(found), axis=0)

    fall = error(1024) / error(64)
    assert np.all(fall < 0.5)
    assert np.all(fall > 0.05), "an error of order d^(-1/2) cannot fall so fast"


def test_the_three_gradients_are_limits_of_one():
    u, y, tie = jnp.array([0.7, -0.4, 0.0]), jnp.array([1.0, 1.0, -1.0]), jnp.array([1.0, 1.0, 1.0])
    for sign, power in ((-1.0, -0.5), (0.0, 0.0), (1.0, 0.5)):
        d = 1e12
        logit = u * d**power + tie * d ** (power - 0.1)
        finite = -y * jax.nn.sigmoid(-y * jnp.where((u == 0) | (power > 0), logit, u * d**power))
        if sign <= 0:
            finite = -y * jax.nn.sigmoid(-y * u * d**power)
        assert np.allclose(limit_gradient(sign, u, y, tie), finite, atol=1e-5)


def test_after_no_move_the_field_decides():
    zero, y = jnp.zeros(2), jnp.array([1.0, 1.0])
    assert limit_gradient(1.0, zero, y, jnp.array([-2.0, 2.0])).tolist() == [-1.0, 0.0]
    assert limit_gradient(1.0, zero, y, zero).tolist() == [0.0, 0.0], "the printed rule: nothing ever moves"


def test_a_population_has_the_moments_of_normal_neurons():
    crowd = population(6, 2, 3)
    assert crowd.weight.shape == (3 * 36,)
    assert np.isclose(np.sum(crowd.weight * crowd.w[:, 0] ** 4), 3.0)
    assert np.isclose(np.sum(crowd.weight * crowd.a**2 * crowd.w[:, 1] ** 2), 1.0)
    with pytest.raises(ValueError, match="nodes"):
        population(0, 2)
