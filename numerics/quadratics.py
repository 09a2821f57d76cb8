"""Stochastic gradient descent on one-dimensional quadratic losses, one loss an example.

L_i(x) = (1/2) a_i (x - m_i)^2 with curvature a_i and minimum m_i. With equal minima every example
interpolates and the noise of a batch is multiplicative; with different ones the minimum is noisy too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import brentq
from scipy.stats import gamma

from numerics.doors import positive_integer, same_shape
from numerics.subsets import batch_means


@dataclass(frozen=True)
class Quadratics:
    """Curvatures and minima of the examples, each of shape (population,).

    Examples
    --------
    The mean loss of curvatures 1 and 3 with minima 0 and 4 is least at 3.

    >>> losses = Quadratics(np.array([1.0, 3.0]), np.array([0.0, 4.0]))
    >>> losses.gradients(np.array([3.0])).mean()
    np.float64(0.0)
    """

    curvatures: Float[np.ndarray, "population"]
    minima: Float[np.ndarray, "population"]

    def __post_init__(self) -> None:
        """Refuse arrays of different length."""
        same_shape("Quadratics", ("curvatures", "minima"), self.curvatures.shape, self.minima.shape)

    def gradients(self, places: Float[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes population"]:
        """Derivative of each example's loss at each place."""
        return self.curvatures * (places[..., None] - self.minima)


def gamma_curvatures(population: int, mean: float, ratio: float) -> Float[np.ndarray, "population"]:
    """Positive curvatures: the mid quantiles of a gamma distribution, scaled to a mean and a ratio exactly.

    The shape is 1/ratio, `ratio` the variance over the squared mean. The quantiles are then moved and scaled
    so that their own mean is `mean` and their own population variance `ratio * mean**2`; with a large ratio a
    few of them may turn negative, as curvatures of single examples do.

    Raises
    ------
    ValueError
        If `population` is below 2, or `ratio` or `mean` is not positive.

    Examples
    --------
    >>> a = gamma_curvatures(64, 10.0, 0.5)
    >>> round(a.mean(), 9), round(a.var(), 9)
    (np.float64(10.0), np.float64(50.0))
    """
    positive_integer("gamma_curvatures", "population", population)
    if population < 2 or not (ratio > 0 and mean > 0):
        raise ValueError(
            f"gamma_curvatures: population={population}, mean={mean}, ratio={ratio}; "
            "pass population >= 2 and positive numbers"
        )
    quantiles = gamma(1.0 / ratio).ppf((np.arange(population) + 0.5) / population)
    standard = (quantiles - quantiles.mean()) / quantiles.std()
    return mean * (1.0 + np.sqrt(ratio) * standard)


class BatchLosses(NamedTuple):
    """Mean losses of mini-batches: quadratics again, with gradient ``slopes * x - pulls``."""

    slopes: Float[np.ndarray, "*axes batch"]
    pulls: Float[np.ndarray, "*axes batch"]

    def step(self, places: Float[np.ndarray, "*axes batch"], rate: float) -> Float[np.ndarray, "*axes batch"]:
        """One step of gradient descent, each place on its own batch."""
        return places - rate * (self.slopes * places - self.pulls)


def batch_losses(losses: Quadratics, batches: Int[np.ndarray, "batch position"]) -> BatchLosses:
    """Mean losses over the examples of each batch.

    Examples
    --------
    >>> losses = Quadratics(np.array([1.0, 3.0]), np.array([0.0, 4.0]))
    >>> [part.tolist() for part in batch_losses(losses, np.array([[0, 1], [1, 1]]))]
    [[2.0, 3.0], [6.0, 12.0]]
    """
    return BatchLosses(
        batch_means(losses.curvatures, batches), batch_means(losses.curvatures * losses.minima, batches)
    )


def descend(
    losses: Quadratics, start: float, rate: float, batches: Int[np.ndarray, "step replica position"]
) -> Float[np.ndarray, "step_ replica"]:
    """Places visited by stochastic gradient descent: step t takes the mean gradient over its own batch.

    Parameters
    ----------
    losses, start, rate
        Losses, the common starting place, the learning rate.
    batches
        For each step, one batch per replica.

    Returns
    -------
    Places before the first step and after each, shape (steps + 1, replicas).

    Examples
    --------
    One loss of curvature 1: each step halves the distance at rate 1/2.

    >>> losses = Quadratics(np.array([1.0]), np.array([0.0]))
    >>> descend(losses, 8.0, 0.5, np.zeros((2, 1, 1), dtype=int))[:, 0].tolist()
    [8.0, 4.0, 2.0]
    """
    path = [np.full(batches.shape[1], float(start))]
    for batch in batches:
        path.append(batch_losses(losses, batch).step(path[-1], rate))
    return np.stack(path)


def growth(batches: BatchLosses, start: float, rate: float) -> float:
    """Mean squared place after one step over the squared place before it, over the batches given.

    Examples
    --------
    >>> growth(BatchLosses(np.array([3.0, 1.0]), np.zeros(2)), 2.0, 1.0)
    2.0
    """
    places = batches.step(np.full(batches.slopes.shape, float(start)), rate)
    return float(np.mean(places**2) / start**2)


def crossing(factor: Callable[[float], float], stable: float, unstable: float) -> float:
    """Where a growth factor passes 1 between a point at which it is below 1 and one at which it is above.

    Brent's method to a relative tolerance of 1e-12; NaN if the two points do not lie on either side.

    Examples
    --------
    >>> round(crossing(lambda rate: (1 - rate) ** 2, 1.0, 3.0), 9)
    2.0
    """
    if not factor(stable) < 1 < factor(unstable):
        return float("nan")
    found = brentq(lambda place: factor(place) - 1, stable, unstable, xtol=1e-14, rtol=1e-12)  # pyright: ignore
    return float(found)  # pyright: ignore[reportArgumentType]
