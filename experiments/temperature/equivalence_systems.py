"""The networks of which two trainings should be one, and those that are bent so that they are not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jaxtyping import Array

from numerics.activations import ACTIVATIONS
from numerics.convolution import simple_cnn
from numerics.models import Network, mlp
from numerics.normalised import normalised_mlp
from numerics.recurrent import gru

ODD = 0.5
"""How far the counter-systems are bent: logits by a tanh, activations by a shift."""

Build = Callable[[int, int, Array], Network]


@dataclass(frozen=True)
class System:
    """A network, the shape of its inputs, how far it is bent, and what takes the temperature's place.

    ``degree`` is 0 where the readout alone is rescaled, and bent are the logits; else it is the degree of
    homogeneity, and bent are the activations.
    """

    build: Build
    shape: tuple[int, ...]
    degree: int = 0
    odd: float = 0.0


def erf_network(width: int, channels: int, odd: Array) -> Network:
    """A network of bounded units."""
    return mlp(inputs=64, width=width, depth=2, classes=10, activation=ACTIVATIONS["erf"])


def convolutional(width: int, channels: int, odd: Array) -> Network:
    """Two convolutions with max-pools, and a dense layer."""
    return simple_cnn(blocks=((channels,), (2 * channels,)), hidden=width)


def batch_normalised(width: int, channels: int, odd: Array) -> Network:
    """Two batch-normalised layers."""
    return normalised_mlp(inputs=64, width=width, depth=2, classes=10, activation=ACTIVATIONS["relu"])


def recurrent(width: int, channels: int, odd: Array) -> Network:
    """A gated recurrent unit that reads an image row by row."""
    return gru(inputs=8, hidden=width, classes=10)


def relu_network(width: int, channels: int, odd: Array) -> Network:
    """Homogeneous of degree 3, unless its units are shifted."""
    relu = ACTIVATIONS["scaled_relu"]
    return mlp(inputs=64, width=width, depth=2, classes=10, activation=lambda h: relu(h + odd))


SYSTEMS: Mapping[str, System] = {
    "mlp": System(erf_network, (64,)),
    "convnet": System(convolutional, (8, 8, 1)),
    "normalised": System(batch_normalised, (64,)),
    "recurrent": System(recurrent, (8, 8)),
    "bent_logits": System(erf_network, (64,), odd=ODD),
    "homogeneous": System(relu_network, (64,), degree=3),
    "shifted": System(relu_network, (64,), degree=3, odd=ODD),
}
