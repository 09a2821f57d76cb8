"""Mean-square stability of random linear steps: the step of the second moments, and how fast it grows.

A step x' = A_B x with a random matrix A_B moves E x x^T to E A_B E x x^T A_B^T: on flattened matrices the mean over
batches of the Kronecker product of A_B with itself.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int

from numerics.quadratics import crossing

MatrixFamily = Callable[[float], Float[np.ndarray, "batch row column"]]
"""Control (a learning rate, a curvature) -> the matrix of each batch's step."""


def second_moment_step(steps: Float[np.ndarray, "*axes batch row column"]) -> Float[np.ndarray, "*axes pair pair_"]:
    """Mean over batches of the Kronecker product of each matrix with itself.

    Examples
    --------
    >>> second_moment_step(np.array([[[2.0]], [[0.0]]])).tolist()
    [[2.0]]
    """
    size = steps.shape[-1]
    mean = np.einsum("...bij,...bkl->...ikjl", steps, steps) / steps.shape[-3]
    return mean.reshape(*steps.shape[:-3], size**2, size**2)


def mean_square_radius(steps: Float[np.ndarray, "*axes batch row column"]) -> Float[np.ndarray, "*axes"]:
    """Largest size of an eigenvalue of the step of the second moments: at most 1 where they stay bounded.

    Examples
    --------
    A step of 1 - 0.5 and one of 1 - 1.5 have the mean square 1/4.

    >>> float(mean_square_radius(np.array([[[0.5]], [[-0.5]]])))
    0.25
    """
    return np.abs(np.linalg.eigvals(second_moment_step(steps))).max(axis=-1)


def edge(family: MatrixFamily, stable: float, unstable: float) -> float:
    """Control at which the mean square begins to grow, between a stable and an unstable one; NaN if they are not.

    Examples
    --------
    >>> round(edge(lambda rate: np.array([[[1 - rate]]]), 1.0, 3.0), 9)
    2.0
    """
    return crossing(lambda control: float(mean_square_radius(family(control))), stable, unstable)


def batch_matrices(
    matrices: Float[np.ndarray, "population row column"], batches: Int[np.ndarray, "batch position"]
) -> Float[np.ndarray, "batch row column"]:
    """Mean matrix over the examples of each batch.

    Examples
    --------
    >>> batch_matrices(np.array([[[1.0]], [[3.0]]]), np.array([[0, 1]])).tolist()
    [[[2.0]]]
    """
    return matrices[batches].mean(axis=1)


def heavy_ball_steps(
    curvatures: Float[np.ndarray, "*axes batch"], rate: float, momentum: float
) -> Float[np.ndarray, "*axes batch 2 2"]:
    """Matrix of v' = momentum v + h x, x' = x - rate v' on (x, v), for each batch's curvature h.

    Examples
    --------
    >>> heavy_ball_steps(np.array([2.0]), 0.5, 0.0).tolist()
    [[[0.0, -0.0], [2.0, 0.0]]]
    """
    made = np.empty((*curvatures.shape, 2, 2))
    made[..., 1, 0], made[..., 1, 1] = curvatures, momentum
    made[..., 0, 0], made[..., 0, 1] = 1.0 - rate * curvatures, -rate * momentum
    return made


def averaged_steps(
    curvatures: Float[np.ndarray, "*axes batch"], rate: float, share: float
) -> Float[np.ndarray, "*axes batch 2 2"]:
    """Matrix of m' = share m + (1 - share) h x, x' = x - rate m' on (x, m).

    Examples
    --------
    >>> averaged_steps(np.array([2.0]), 0.5, 0.0).tolist()
    [[[0.0, -0.0], [2.0, 0.0]]]
    """
    return heavy_ball_steps((1.0 - share) * curvatures, rate, share)
