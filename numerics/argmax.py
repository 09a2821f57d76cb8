"""How often two correlated Gaussian vectors have their largest entry at the same place."""

from functools import cache

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import ndtr, owens_t

from numerics.doors import positive_integer
from numerics.samples import Floats

NODES = 48
STEP, RANGE = 0.2, 9.0


def same_argmax(correlation: Floats, classes: int) -> Floats:
    r"""P(argmax g = argmax g') for vectors of K entries whose K pairs are independent with correlation c.

    Formula: :math:`K\int\phi_2(a,b;c)\,\Phi_2(a,b;c)^{K-1}`, by the trapezoidal rule in independent normals and
    Owen's T, at Chebyshev points of the angle arcsin(c); in that angle the function is smooth up to both ends.

    Parameters
    ----------
    correlation
        c, any shape; values beyond [-1, 1] by rounding count as the ends.
    classes
        K, at least 2.

    Accuracy
        1e-11 for K up to 100.

    Source
        temperature:T08.

    Examples
    --------
    For two classes it is 1/2 + arcsin(c)/pi.

    >>> same_argmax(np.array([0.5, -1.0]), 2).round(9).tolist()
    [0.666666667, 0.0]
    """
    positive_integer("same_argmax", "classes", classes)
    angle = np.arcsin(np.clip(np.asarray(correlation, dtype=np.float64), -1, 1))
    return np.asarray(chebyshev.chebval(angle * (2 / np.pi), _coefficients(classes)), dtype=np.float64)


@cache
def _coefficients(classes: int) -> Floats:
    places = np.cos(np.pi * (np.arange(NODES + 1) + 0.5) / (NODES + 1))
    values = np.array([_at(float(np.sin(np.pi / 2 * place)), classes) for place in places])
    return np.asarray(chebyshev.chebfit(places, values, NODES), dtype=np.float64)


def _at(c: float, classes: int) -> float:
    """One correlation, away from both ends: b = c a + sqrt(1 - c^2) y with a, y independent."""
    across = np.sqrt((1 - c) * (1 + c))
    places = np.arange(-RANGE, RANGE, STEP) + STEP / 2
    a, y = places[:, None], places[None, :]
    b = c * a + across * y
    other = (across * a - c * y) / b
    below = (ndtr(a) + ndtr(b)) / 2 - owens_t(a, y / a) - owens_t(b, other) - 0.5 * (a * b < 0)
    weight = np.exp(-(a**2 + y**2) / 2) / (2 * np.pi)
    return float(classes * STEP**2 * np.sum(weight * np.maximum(below, 0.0) ** (classes - 1)))
