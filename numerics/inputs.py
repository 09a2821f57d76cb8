"""Prepare inputs: flatten, centre, scale, put on the sphere; every statistic is the training set's alone."""

import numpy as np
from numpy.typing import ArrayLike

from numerics.samples import Floats, finite


def flatten(x: ArrayLike) -> Floats:
    """Return rows as float64 vectors: (n, ...) -> (n, d), C order, values unchanged.

    Examples
    --------
    >>> flatten(np.full((2, 2, 2), 255, dtype=np.uint8)).tolist()
    [[255.0, 255.0, 255.0, 255.0], [255.0, 255.0, 255.0, 255.0]]
    """
    values = finite("flatten", "x", x)
    if values.ndim < 2:
        raise ValueError(f"flatten: x has shape {values.shape}; rows of entries are needed; pass (n, ...)")
    return values.reshape(values.shape[0], -1)


def centre(x_train: ArrayLike, x_test: ArrayLike) -> tuple[Floats, Floats]:
    """Subtract the training mean of every feature from both.

    Examples
    --------
    >>> [part.tolist() for part in centre([[1.0, 0.0], [3.0, 4.0]], [[2.0, 2.0]])]
    [[[-1.0, -2.0], [1.0, 2.0]], [[0.0, 0.0]]]
    """
    train, test = _two("centre", x_train, x_test)
    mean = train.mean(axis=0)
    return train - mean, test - mean


def scale(x_train: ArrayLike, x_test: ArrayLike) -> tuple[Floats, Floats]:
    r"""Divide both by one number, so that the training mean of :math:`\|x\|^2` is d, the number of features.

    Examples
    --------
    >>> scale([[2.0, 2.0], [2.0, 2.0]], [[1.0, 0.0]])[0].tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    train, test = _two("scale", x_train, x_test)
    size = float(np.sqrt(np.mean(train**2)))
    if size == 0:
        raise ValueError("scale: all training inputs are zero; some must differ from zero; check the data")
    return train / size, test / size


def standardise(x_train: ArrayLike, x_test: ArrayLike) -> tuple[Floats, Floats]:
    """Subtract one mean and divide by one standard deviation (ddof 0), both over all training entries.

    Examples
    --------
    >>> standardise([[0.0, 2.0]], [[4.0, 1.0]])[1].tolist()
    [[3.0, 0.0]]
    """
    train, test = _two("standardise", x_train, x_test)
    mean, deviation = float(train.mean()), float(train.std())
    if deviation == 0:
        raise ValueError("standardise: all training entries are equal; some must differ; check the data")
    return (train - mean) / deviation, (test - mean) / deviation


def on_sphere(x: ArrayLike) -> Floats:
    r"""Scale each row to :math:`\|x\|^2 = d`, d its length.

    Errors
        ValueError for a row of zeros, which has no direction.

    Examples
    --------
    >>> on_sphere([[3.0, 0.0, 0.0, 0.0]]).tolist()
    [[2.0, 0.0, 0.0, 0.0]]
    """
    values = flatten(x)
    largest = np.abs(values).max(axis=1, keepdims=True)
    zero = np.flatnonzero(largest[:, 0] == 0)
    if zero.size:
        raise ValueError(
            f"on_sphere: {zero.size} rows are zero, the first is row {zero[0]}; drop rows of norm 0"
        )
    values = values / largest  # no square overflows or underflows
    return values * (np.sqrt(values.shape[1]) / np.linalg.norm(values, axis=1, keepdims=True))


def _two(who: str, x_train: ArrayLike, x_test: ArrayLike) -> tuple[Floats, Floats]:
    train, test = finite(who, "x_train", x_train), finite(who, "x_test", x_test)
    if train.ndim < 2 or train.shape[0] < 1 or train.shape[1:] != test.shape[1:]:
        raise ValueError(
            f"{who}: x_train has shape {train.shape} and x_test {test.shape}; rows of one shape are needed; "
            "flatten both"
        )
    return train, test
