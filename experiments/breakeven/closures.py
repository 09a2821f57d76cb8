"""How the examples' curvatures move when their mean does: three ways to vary the curvature of a task.

A distance is the projection on the direction that is looked at, from the minimum (breakeven:D4).
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from numerics.quadratics import Quadratics, batch_losses, crossing, gamma_curvatures, growth

Family = Callable[[float], np.ndarray]
"""Mean curvature -> curvatures of the examples."""


def pattern(population: int, variation: float = 1.0) -> np.ndarray:
    """Deviations of mean 0 and variance 1, skewed as positive curvatures are.

    Examples
    --------
    >>> deviations = pattern(16)
    >>> abs(deviations.mean().round(12)), deviations.var().round(12)
    (np.float64(0.0), np.float64(1.0))
    """
    return (gamma_curvatures(population, 1.0, variation) - 1.0) / variation**0.5


def fixed_variance(deviations: np.ndarray, deviation: float) -> Family:
    """The spread of the curvatures does not move with their mean."""
    return lambda mean: mean + deviation * deviations


def fixed_ratio(deviations: np.ndarray, variation: float) -> Family:
    """All curvatures scale together."""
    return lambda mean: mean * (1.0 + variation**0.5 * deviations)


def proportional(deviations: np.ndarray, alpha: float, distance: float) -> Family:
    """At one distance the variance of the examples' gradients is alpha times the mean curvature."""
    return lambda mean: mean + (alpha * mean) ** 0.5 / distance * deviations


def growth_at(mean: float, family: Family, start: float, rate: float, batches: np.ndarray) -> float:
    """Growth of the mean squared distance in one step where the examples share one minimum."""
    curvatures = family(mean)
    losses = Quadratics(curvatures, np.zeros_like(curvatures))
    return growth(batch_losses(losses, batches), start, rate)


def upper_edge(family: Family, start: float, rate: float, batches: np.ndarray) -> float:
    """Largest mean curvature at which one step does not let the distance grow; NaN if none is found.

    The search runs downwards from 8/rate.
    """
    return _first(family, start, rate, batches, 8.0 / rate * 0.8 ** np.arange(48))


def lower_edge(family: Family, start: float, rate: float, batches: np.ndarray) -> float:
    """Smallest such curvature, searched upwards from a flat mean loss; NaN if none is found."""
    return _first(family, start, rate, batches, np.linspace(0.0, 1.0 / rate, 17))


def _first(family: Family, start: float, rate: float, batches: np.ndarray, places: np.ndarray) -> float:
    def factor(mean: float) -> float:
        return growth_at(mean, family, start, rate, batches)

    for outside, inside in pairwise(places):
        if factor(float(inside)) < 1:
            return crossing(factor, float(inside), float(outside))
    return float("nan")
