"""Tasks with known structure, drawn from a study's own generator: no download, any size."""

import numpy as np

from numerics.data import Data
from numerics.doors import positive_integer
from numerics.inputs import on_sphere
from numerics.keys import generator
from numerics.samples import Floats

UPPER_QUARTILE = 0.6744897501960817  # of the standard normal law


def sphere_inputs(rows: int, features: int, random: np.random.Generator) -> Floats:
    r"""Gaussian directions with :math:`\|x\|^2 = d` exactly (to rounding): shape (rows, features).

    Examples
    --------
    >>> x = sphere_inputs(3, 20, np.random.default_rng(0))
    >>> (x**2).sum(axis=1).round(12).tolist()
    [20.0, 20.0, 20.0]
    """
    positive_integer("sphere_inputs", "rows", rows)
    positive_integer("sphere_inputs", "features", features)
    return on_sphere(random.standard_normal((rows, features)))


def random_labels(
    train: int = 128, test: int = 128, features: int = 64, classes: int = 10, replicate: int = 0
) -> Data:
    """Inputs on the sphere with labels that have nothing to do with them: nothing to learn but by heart.

    Examples
    --------
    >>> data = random_labels(train=8, test=4, features=5, classes=3)
    >>> data.x_train.shape, data.classes
    ((8, 5), 3)
    """
    sizes = {"train": train, "test": test, "features": features, "classes": classes}
    for name, size in sizes.items():
        positive_integer("random_labels", name, size)
    random = generator("numerics.synthetic.random_labels", sizes, replicate)
    x = sphere_inputs(train + test, features, random)
    y = random.integers(classes, size=train + test)
    return Data(x[:train], y[:train], x[train:], y[train:], classes, "random_labels")


def stripe(train: int = 600, test: int = 2000, features: int = 20, replicate: int = 0) -> Data:
    """A task on which feature learning pays: the class depends on one coordinate, and not monotonically.

    x ~ N(0, I). The quartiles of the first coordinate cut four stripes of equal weight, labelled 0, 1, 2,
    0: three classes of weights 1/2, 1/4, 1/4.

    Source
        temperature:F5.

    Examples
    --------
    >>> data = stripe()
    >>> data.x_train.shape, data.x_test.shape, data.classes
    ((600, 20), (2000, 20), 3)
    """
    sizes = {"train": train, "test": test, "features": features}
    for name, size in sizes.items():
        positive_integer("stripe", name, size)
    random = generator("numerics.synthetic.stripe", sizes, replicate)
    x = random.standard_normal((train + test, features))
    y = np.digitize(x[:, 0], [-UPPER_QUARTILE, 0.0, UPPER_QUARTILE]) % 3
    return Data(x[:train], y[:train], x[train:], y[train:], 3, "stripe")


def sentiment(train: int = 600, test: int = 2000, length: int = 16, replicate: int = 0) -> Data:
    """Short sequences whose class is the sign of a sum, where some words negate the next one.

    22 words: 0-5 count +1, 6-11 count -1, 12-18 nothing, 19-21 turn the sign of the word after them. Words
    are uniform; sequences of sum zero are drawn again; class 1 is a positive sum.

    Returns
    -------
    Data with inputs of shape (n, length), int32

    Source
        temperature:F6.

    Examples
    --------
    >>> data = sentiment(train=10, test=5)
    >>> data.x_train.shape, int(data.x_train.max()) <= 21, data.classes
    ((10, 16), True, 2)
    """
    sizes = {"train": train, "test": test, "length": length}
    for name, size in sizes.items():
        positive_integer("sentiment", name, size)
    random = generator("numerics.synthetic.sentiment", sizes, replicate)
    kept: list[np.ndarray] = []
    while sum(len(rows) for rows in kept) < train + test:
        rows = random.integers(22, size=(train + test, length), dtype=np.int32)
        kept.append(rows[_mood(rows) != 0])
    x = np.concatenate(kept)[: train + test]
    y = (_mood(x) > 0).astype(np.int64)
    return Data(x[:train], y[:train], x[train:], y[train:], 2, "sentiment")


def _mood(rows: np.ndarray) -> np.ndarray:
    value = np.where(rows < 6, 1, np.where(rows < 12, -1, 0))
    turned = np.zeros(rows.shape, dtype=bool)
    turned[:, 1:] = rows[:, :-1] >= 19
    return np.where(turned, -value, value).sum(axis=1)
