"""Fewer FLOPs, exactly: rotate inputs to their rank, because first-layer updates live in the inputs' span."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.samples import Floats, finite


@dataclass(frozen=True, eq=False)
class Rotation:
    """Inputs in an orthonormal basis of their span.

    Attributes
    ----------
    train, test : (n, r) and (m, r) coordinates; all inner products are the original ones
    basis : (d, r) with orthonormal columns: x = coordinates @ basis.T; first weights become weights_d^T basis
    train_rank : the first ``train_rank`` columns span the training inputs; training inputs have zeros in
    the others,
        so no gradient step on training inputs ever changes the first-layer weights there
    features : d, the original number of features: a layer that divides by sqrt(fan_in) must go on dividing by
        sqrt(features), not by sqrt(r)
    """

    train: Floats
    test: Floats
    basis: Floats
    train_rank: int
    features: int


def rotate_to_rank(x_train: ArrayLike, x_test: ArrayLike) -> Rotation:
    """Rotate inputs to the span of all of them, the training inputs' span first.

    With Gaussian first-layer weights the rotated weights are Gaussian of the same variance, so a network
    may be drawn directly in the r coordinates; for given weights W (d, width) the first pre-activations are
    equal: x @ W = coordinates @ (basis.T @ W).

    Parameters
    ----------
    x_train, x_test : (n, d) and (m, d), finite

    Accuracy
        Inner products to rounding. Singular values below max(shape) * eps * (the largest) count as zero.

    Cost
        Two singular value decompositions, O(min(n, d)^2 max(n, d)).

    Errors
        ValueError for other shapes, entries that are not finite, or inputs that are all zero.

    Examples
    --------
    >>> rotated = rotate_to_rank([[3.0, 4.0, 0.0], [6.0, 8.0, 0.0]], [[0.0, 0.0, 5.0]])
    >>> rotated.train.shape, rotated.train_rank, np.abs(rotated.train).round(12).tolist()
    ((2, 2), 1, [[5.0, 0.0], [10.0, 0.0]])
    """
    train, test = finite("rotate_to_rank", "x_train", x_train), finite("rotate_to_rank", "x_test", x_test)
    if train.ndim != 2 or test.ndim != 2 or train.shape[1] != test.shape[1] or train.shape[0] < 1:
        raise ValueError(
            f"rotate_to_rank: x_train has shape {train.shape} and x_test {test.shape}; "
            "(n, d) and (m, d) are needed; flatten both"
        )
    if not np.any(train):
        raise ValueError("rotate_to_rank: all training inputs are zero; some must differ; check the data")
    first = _span(train, np.zeros((train.shape[1], 0)))
    basis = np.concatenate([first, _span(test, first)], axis=1) if test.size else first
    rank = first.shape[1]
    coordinates = train @ basis
    coordinates[:, rank:] = 0.0  # they are rounding errors there
    return Rotation(coordinates, test @ basis, basis, rank, train.shape[1])


def principal(x_train: ArrayLike, x_test: ArrayLike, components: int) -> tuple[Floats, Floats]:
    """Project both on the leading principal directions of the centred training inputs (not exact: a change
    of data).

    Errors
        ValueError unless 1 <= components <= rank of the centred training inputs.

    Examples
    --------
    >>> x = np.array([[1.0, 0.1], [-1.0, 0.1], [2.0, -0.1], [-2.0, -0.1]])
    >>> np.abs(principal(x, x[:1], 1)[1]).round(12).tolist()
    [[1.0]]
    """
    train, test = finite("principal", "x_train", x_train), finite("principal", "x_test", x_test)
    mean = train.mean(axis=0)
    rotated = rotate_to_rank(train - mean, test - mean)
    if not 1 <= components <= rotated.train_rank:
        raise ValueError(
            f"principal: components={components} is not in 1 .. {rotated.train_rank}, the rank; pass fewer"
        )
    return rotated.train[:, :components], rotated.test[:, :components]


def _span(rows: Floats, known: Floats) -> Floats:
    """Return an orthonormal basis of the rows' part outside ``known``, largest singular values first."""
    outside = rows
    for _ in range(2):  # twice is enough for orthogonality to rounding
        outside = outside - (outside @ known) @ known.T
    _, values, directions = np.linalg.svd(outside, full_matrices=False)
    tolerance = max(rows.shape) * np.finfo(np.float64).eps * np.linalg.norm(rows, 2)
    directions = directions[values > tolerance].T
    return np.linalg.qr(directions - known @ (known.T @ directions))[0] if known.shape[1] else directions
