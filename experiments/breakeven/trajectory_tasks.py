"""The networks and tasks whose training trajectories are measured (breakeven, section 7.3)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from numerics.convolution import simple_cnn
from numerics.data import Data
from numerics.inputs import flatten
from numerics.models import Network, dense


@dataclass(frozen=True)
class Task:
    """A network with the labels that it has to learn.

    Parameters
    ----------
    network
        (shape of one input, classes) -> network in float32.
    random_labels
        Share of the labels that are replaced by uniform draws.
    scale
        Inputs -> inputs as the network sees them.
    rate
        Learning rate of factor 1.
    flow
        Learning rate times steps over (1 - momentum), the same for all runs.
    natural_rate, natural_flow
        Full-batch run that shows how sharp the task gets when nothing holds it back.
    """

    network: Callable[[tuple[int, ...], int], Network]
    random_labels: float
    scale: Callable[[np.ndarray], np.ndarray]
    rate: float
    flow: float
    natural_rate: float
    natural_flow: float


def standardised(x: np.ndarray) -> np.ndarray:
    """One mean and one deviation for all entries."""
    return (x - x.mean()) / x.std()


def unit_range(x: np.ndarray) -> np.ndarray:
    """Entries over the largest one: the range [0, 1]."""
    return x / x.max()


def _image(shape: tuple[int, ...]) -> tuple[int, int, int]:
    if len(shape) == 1:
        side = round(shape[0] ** 0.5)
        return side, side, 1
    height, width, *rest = shape
    return height, width, rest[0] if rest else 1


def _layers(*widths: int, activation: Callable[[Any], Any], gain: float) -> Callable[..., Network]:
    def network(shape: tuple[int, ...], classes: int) -> Network:
        sizes = (int(np.prod(shape)), *widths, classes)
        return dense(sizes=sizes, activation=activation, gain=gain, dtype=jnp.float32)

    return network


def _convolutions(blocks: tuple[tuple[int, ...], ...], hidden: int) -> Callable[..., Network]:
    def network(shape: tuple[int, ...], classes: int) -> Network:
        return simple_cnn(
            image=_image(shape), blocks=blocks, hidden=hidden, classes=classes, gain=1.0, dtype=jnp.float32
        )

    return network


TASKS: Mapping[str, Task] = {
    "MLP-rand": Task(
        _layers(32, 32, 32, 32, activation=jnp.tanh, gain=1.0), 1.0, standardised, 0.1, 160.0, 0.005, 60.0
    ),
    "SimpleCNN-tiny": Task(_convolutions(((8, 8), (16, 16)), 32), 0.5, standardised, 0.04, 80.0, 0.01, 10.0),
    "SimpleCNN": Task(_convolutions(((32, 32), (64, 64)), 128), 0.0, unit_range, 0.02, 30.0, 0.005, 5.0),
    "MLP 300-100": Task(
        _layers(300, 100, activation=jax.nn.relu, gain=2**0.5), 0.0, unit_range, 0.05, 60.0, 0.02, 20.0
    ),
}
"""By the name that a grid's axis `network` gives; the last two are for sets of larger images (`--data`)."""


@cache
def network_of(name: str, shape: tuple[int, ...], classes: int) -> Network:
    """The network of a task for inputs of a shape: the same object each time, so that it is compiled once."""
    return TASKS[name].network(shape, classes)


def labelled(name: str, data: Data, points: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The first rows of the training set, and one-hot labels of which a share is random.

    Raises
    ------
    ValueError
        If the set has fewer rows.
    """
    if data.x_train.shape[0] < points:
        raise ValueError(
            f"trajectories: {data.name} has {data.x_train.shape[0]} training rows; {points} are needed; pass more"
        )
    task = TASKS[name]
    x = task.scale(flatten(data.x_train[:points]))
    replaced = random.random(points) < task.random_labels
    labels = np.where(replaced, random.integers(data.classes, size=points), data.y_train[:points])
    return x.astype(np.float32), np.eye(data.classes, dtype=np.float32)[labels]
