"""A few training points on the sphere, drawn anew for each seed, in as few coordinates as they span."""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from numerics.data import Data
from numerics.inputs import flatten, on_sphere
from numerics.samples import Floats


def training_points(data: Data, random: Sequence[Generator], points: int) -> tuple[Floats, Floats]:
    r"""For each seed draw rows of the training set without replacement: inputs on the sphere, one-hot labels.

    The training mean is subtracted, each row is scaled to one length, and the rows are rotated to their span:
    angles stay what they were. With :math:`\|x\|^2` equal to the number of coordinates, a first layer with
    standard normal weights that divides by its square root gives the same pre-activations, in law, as one
    that sees all the features at :math:`\|x\|^2 = d`; so does its whole training on these points.

    Parameters
    ----------
    data
        Its training rows are used; images are flattened.
    random
        One generator for each seed; it chooses the rows.
    points
        How many, M.

    Returns
    -------
    inputs : (seeds, M, min(M, d)), each row of squared length min(M, d)
    labels : (seeds, M, K), one-hot

    Raises
    ------
    ValueError
        If there are fewer training rows than points.

    Examples
    --------
    >>> x = np.array([[3.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 5.0], [2.0, 2.0, 2.0]])
    >>> small = Data(x, [0, 1, 1, 0], x, [0, 1, 1, 0], classes=2, name="small")
    >>> inputs, labels = training_points(small, [np.random.default_rng(0)], 2)
    >>> inputs.shape, (inputs**2).sum(axis=-1).round(12).tolist(), labels.sum(axis=-1).tolist()
    ((1, 2, 2), [[2.0, 2.0]], [[1.0, 1.0]])
    """
    rows = len(data.x_train)
    if not 1 <= points <= rows:
        raise ValueError(
            f"training_points: points={points} is not in 1 .. {rows}, the rows of {data.name}; pass fewer"
        )
    mean = data.x_train.reshape(rows, -1).mean(axis=0, dtype=np.float64)
    drawn = [one.choice(rows, size=points, replace=False) for one in random]
    inputs = np.stack([_coordinates(flatten(data.x_train[chosen]) - mean) for chosen in drawn])
    return inputs, np.stack([np.eye(data.classes)[data.y_train[chosen]] for chosen in drawn])


def _coordinates(rows: Floats) -> Floats:
    """The rows in an orthonormal basis of their span, put on the sphere: X^T = Q R, so that X Q = R^T."""
    return on_sphere(np.linalg.qr(rows.T).R.T)
