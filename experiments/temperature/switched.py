"""A network and a loss that traced numbers choose, so that all systems of a study share one compilation."""

from collections.abc import Callable

import jax
from jaxtyping import Array

from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.models import Network, mlp

ACTIVATION_NAMES = ("erf", "scaled_relu")


def entropy(z: Array, y: Array, beta: Array) -> Array:
    """Entropy of the predictions: training on the network's own opinion, whatever the labels say."""
    return losses.cross_entropy(z, losses.softmax(z, beta), beta)


LOSSES = (losses.cross_entropy, losses.squared_error, entropy)


def switched_network(inputs: int, classes: int, width: int, depth: int, activation: Array) -> Network:
    """A multilayer perceptron whose activation is the one with this place in ``ACTIVATION_NAMES``."""
    choices = tuple(ACTIVATIONS[name] for name in ACTIVATION_NAMES)
    return mlp(
        inputs=inputs,
        width=width,
        depth=depth,
        classes=classes,
        activation=lambda h: jax.lax.switch(activation, choices, h),
    )


def switched_loss(place: Array) -> Callable[..., Array]:
    """The loss with this place in ``LOSSES``, as a function of logits, labels and inverse temperature."""
    return lambda z, y, beta: jax.lax.switch(place, LOSSES, z, y, beta)
