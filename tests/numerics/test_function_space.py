"""Training through pre-activations is plain training, to 1e-10 in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.activations import ACTIVATIONS
from numerics.function_space import Rates, Start, inner_products, train

POINTS, TEST, FEATURES, WIDTH, STEPS = 12, 5, 30, 16, 40
RECORDED = (0, 1, 7, STEPS)


def task():
    random = np.random.default_rng(3)
    x, other = random.normal(size=(POINTS, FEATURES)), random.normal(size=(TEST, FEATURES))
    y, y_other = random.choice([-1.0, 1.0], POINTS), random.choice([-1.0, 1.0], TEST)
    a, w = random.normal(size=WIDTH) / 4, random.normal(size=(FEATURES, WIDTH)) / 5
    return x, other, y, y_other, a, w


def plain(rates: Rates, batch: int, activation):
    """Weights themselves, by automatic differentiation of the loss."""
    x, other, y, _, a, w = (jnp.asarray(part) for part in task())

    def output(params, inputs):
        frozen = rates.frozen * activation(inputs @ w) @ a
        return activation(inputs @ params["w"]) @ params["a"] + frozen

    def loss(params, inputs, labels):
        return jnp.mean(jax.nn.softplus(-labels * output(params, inputs)))

    params, seen, kernels = {"a": a, "w": w}, [], []
    for step in range(STEPS + 1):
        if step in RECORDED:
            seen.append(output(params, other))
            slopes = jax.jacobian(lambda p: output(p, other))(params)
            kernels.append(
                rates.output * jnp.sum(slopes["a"] ** 2, axis=1) + rates.inputs * jnp.sum(slopes["w"] ** 2, axis=(1, 2))
            )
        at = slice((step % (POINTS // batch)) * batch, (step % (POINTS // batch)) * batch + batch)
        gradient = jax.grad(loss)(params, x[at], y[at])
        params = {
            "a": params["a"] - rates.output * gradient["a"],
            "w": params["w"] - rates.inputs * gradient["w"],
        }
    return np.array(seen), np.array(kernels)


def through_pre_activations(rates: Rates, batch: int, activation):
    x, other, y, y_other, a, w = task()
    start = Start(jnp.asarray(a), jnp.asarray(x @ w), jnp.asarray(other @ w))
    inner = inner_products(x, other, y, y_other)
    return jax.jit(lambda: train(start, inner, rates, jnp.asarray(RECORDED), batch=batch, activation=activation))()


@pytest.mark.parametrize(
    ("batch", "name", "frozen"), [(12, "leaky_relu", 0.0), (4, "leaky_softplus", 0.0), (3, "leaky_relu", 1.5)]
)
def test_it_is_plain_training(batch, name, frozen):
    rates = Rates(0.3, 0.2, frozen)
    found = through_pre_activations(rates, batch, ACTIVATIONS[name])
    logits, kernels = plain(rates, batch, ACTIVATIONS[name])
    assert np.max(np.abs(found.logits - logits)) < 1e-10 * np.max(np.abs(logits))
    assert np.max(np.abs(found.kernel - kernels)) < 1e-10 * np.max(np.abs(kernels))
    assert np.max(np.abs(logits[-1] - logits[0])) > 0.1, "the run must go somewhere"


def test_another_rate_is_seen():
    logits, _ = plain(Rates(0.3, 0.2), 4, ACTIVATIONS["leaky_relu"])
    found = through_pre_activations(Rates(0.3, 0.21), 4, ACTIVATIONS["leaky_relu"])
    assert np.max(np.abs(found.logits - logits)) > 1e-4


def test_accuracies_count_signs():
    found = through_pre_activations(Rates(0.3, 0.2), 12, ACTIVATIONS["leaky_relu"])
    *_, y_other, _, _ = task()
    assert np.allclose(found.accuracy, np.mean(np.sign(found.logits) == y_other, axis=1))
    assert found.train_accuracy[-1] > found.train_accuracy[0]


def test_a_batch_divides_the_points():
    with pytest.raises(ValueError, match="does not divide"):
        through_pre_activations(Rates(0.3, 0.2), 5, ACTIVATIONS["leaky_relu"])
    with pytest.raises(ValueError, match="rows of one length"):
        inner_products([[1.0]], [[1.0, 2.0]], [1.0], [1.0])
