"""Above the band: what is measured there is what small steps do."""

import jax.numpy as jnp
import numpy as np
import pytest

from experiments.study import Replicates
from experiments.width import above
from experiments.width.above import COMPONENTS, OBSERVED, Q_SIGMA, STEPS, STUDY, Inputs, Q, measure
from numerics.width_model import Neurons, scaling

WIDTH, RATE = 7, 3.0


def phi(z):
    return 0.9 * np.logaddexp(0.0, z) + 0.1 * z


def slope(z):
    return 0.1 + 0.9 / (1 + np.exp(-z))


def output(a, w, x):
    return WIDTH**Q_SIGMA * phi(x @ w.T) @ a


def gradient(a, w, x):
    """Of the logistic loss at a misclassified point."""
    logit = output(a, w, x)
    return np.sign(logit) / (1 + np.exp(-abs(logit)))


def stepped(a, w, x_a, x_w, rate_a, rate_w):
    size = WIDTH**Q_SIGMA * WIDTH**Q
    pull_a = gradient(a, w, x_a) * phi(w @ x_a)
    pull_w = gradient(a, w, x_w) * (a * slope(w @ x_w))[:, None] * x_w[None, :]
    return a - rate_a * size * pull_a, w - rate_w * size * pull_w


def kernel(a, w, x):
    part = slope(x @ w.T) * a
    return WIDTH ** (Q + 2 * Q_SIGMA) * (part @ part.T) * (x @ x.T)


def by_differences(a, w, observed, for_a, for_w):
    """Sizes of the curvature before the second step and of both increments before the third."""
    small = 1e-6
    first = stepped(a, w, for_a[0], for_w[0], RATE, RATE)
    ends = [kernel(*stepped(*first, for_a[1], for_w[1], 0.0, h), observed) for h in (small, -small)]
    curvature = (ends[0] - ends[1]) / (2 * small)
    second = stepped(*first, for_a[1], for_w[1], RATE, RATE)
    increments = [
        (
            output(*stepped(*second, for_a[2], for_w[2], by_a * small, by_w * small), observed)
            - output(*stepped(*second, for_a[2], for_w[2], -by_a * small, -by_w * small), observed)
        )
        / (2 * small)
        for by_a, by_w in ((1, 0), (0, 1))
    ]
    return [np.sqrt(np.mean(part**2)) for part in (curvature, *increments)]


def drawn(seed):
    random = np.random.default_rng(seed)
    parts = [random.normal(size=(rows, COMPONENTS)) for rows in (OBSERVED, STEPS, STEPS)]
    return random.normal(size=WIDTH), random.normal(size=(WIDTH, COMPONENTS)), parts


def test_increments_and_curvature_are_those_of_small_steps():
    rates = scaling(WIDTH, q_sigma=Q_SIGMA, q_a=Q, q_w=Q, rate_a=RATE, rate_w=RATE)
    a, w, parts = drawn(1)
    found = above._sizes(Neurons(jnp.asarray(a), jnp.asarray(w)), rates, Inputs(*(jnp.asarray(p) for p in parts)))
    expected = by_differences(a, w, *parts)
    measured = np.exp([float(found["curvature"]), *np.asarray(found["increments"])])
    assert np.allclose(measured, expected, rtol=1e-6)
    other = drawn(2)
    assert not np.allclose(measured, by_differences(other[0], other[1], *parts), rtol=1e-2)


@pytest.mark.slow
def test_seeds_are_draws_of_their_own():
    grid = STUDY.grids["quick"]
    found = measure(
        replicates=Replicates(STUDY.name, {"width": 32}, (0, 1)), data=None, width=32, **grid.settings | {"networks": 3}
    )
    assert found["increments"].shape == (2, 2)
    assert not np.allclose(found["curvature"][0], found["curvature"][1], rtol=1e-3)
