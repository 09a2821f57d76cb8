"""The paper's binary task: two classes of images, or even and odd digits in a few components (width, section 5)."""

import math
from typing import NamedTuple

import numpy as np

from numerics.data import Data, take
from numerics.inputs import centre, flatten

COMPONENTS = 16
MEAN, DEVIATION = 0.4734, 0.2516
"""Of CIFAR-10's pixels over 255, as the authors' code has them."""

RATE = 0.02
IMAGE_FEATURES = 3072


class Task(NamedTuple):
    """Inputs with labels of +-1, and the reference's scale of the input weights and learning rate of either layer."""

    x_train: np.ndarray
    y_train: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    scale_inputs: float
    rate_output: float
    rate_inputs: float


def task(data: Data, points: int, test: int) -> Task:
    """The first points of either class, alternating, so that every batch is balanced.

    Images keep all their pixels: classes 0 and 1, one mean and one deviation. Anything else becomes even against odd
    classes in 16 principal components with mean square norm 16, and a learning rate of the input weights that keeps
    both layers' shares of the kernel at the images' size (|x|^2 = 3072 there).

    Raises
    ------
    ValueError
        If there are too few points of a class.
    """
    if data.x_train.ndim > 2:
        pair = take(data, classes=(0, 1))
        parts = [(flatten(x) / 255.0 - MEAN) / DEVIATION for x in (pair.x_train, pair.x_test)]
        labels, rate = [pair.y_train, pair.y_test], RATE
    else:
        parts = _components(flatten(data.x_train), flatten(data.x_test))
        labels, rate = [data.y_train % 2, data.y_test % 2], RATE * IMAGE_FEATURES / COMPONENTS
    chosen = [_balanced(y, size) for y, size in zip(labels, (points, test), strict=True)]
    (x, y), (x_test, y_test) = (
        (part[rows], 2.0 * y[rows] - 1.0) for part, y, rows in zip(parts, labels, chosen, strict=True)
    )
    return Task(x, y, x_test, y_test, 1.0 / math.sqrt(3 * x.shape[1]), RATE, rate)


def _components(train: np.ndarray, test: np.ndarray) -> list[np.ndarray]:
    """Principal components of the training inputs, of mean square norm equal to their number."""
    inner, outer = centre(train, test)
    _, _, directions = np.linalg.svd(inner, full_matrices=False)
    size = np.sqrt(np.mean(np.sum((inner @ directions[:COMPONENTS].T) ** 2, axis=1)) / COMPONENTS)
    return [part @ directions[:COMPONENTS].T / size for part in (inner, outer)]


def _balanced(labels: np.ndarray, size: int) -> np.ndarray:
    rows = [np.flatnonzero(labels == kind) for kind in (0, 1)]
    if size % 2 or min(len(of_one) for of_one in rows) < size // 2:
        have = " and ".join(str(len(of_one)) for of_one in rows)
        raise ValueError(f"width.paper: {size} points are wanted, there are {have} of the classes; give an even number")
    return np.stack([of_one[: size // 2] for of_one in rows], axis=1).reshape(-1)
