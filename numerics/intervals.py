"""Intervals over independent seeds: Student's t for a mean, Fieller's for a ratio of two means."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from numerics.samples import Floats, check_level, count_of_seeds, finite


@dataclass(frozen=True, eq=False)
class Interval:
    """A two-sided interval for a mean-like quantity; every field has the shape of the quantity.

    ``n`` counts the independent seeds, ``degrees_of_freedom`` those of the t quantile that was used.
    ``low`` and ``high`` may be infinite where the data bound nothing.
    """

    estimate: Floats
    low: Floats
    high: Floats
    standard_error: Floats
    degrees_of_freedom: Floats
    level: float
    n: int


def interval(samples: ArrayLike, level: float = 0.99, axis: int = 0) -> Interval:
    r"""Two-sided Student t interval of the mean over independent seeds.

    Formula: :math:`\bar y \pm t_{n-1}(\tfrac{1+level}{2})\, s/\sqrt n` with :math:`s^2` the sample variance
    (ddof 1).

    Parameters
    ----------
    samples : real array with the seeds along ``axis``, at least two of them, all finite
    level : chance that the interval holds the mean of Gaussian samples, in (0, 1)
    axis : the seeds' axis; the result has the remaining axes

    Accuracy
        Exact for Gaussian samples; for others the error of the level falls like skewness^2 / n. Found from 20000
        planted data sets, 99 % intervals of 10, 24 and 64 seeds cover: Student with 3 degrees of freedom 99.4,
        99.4, 99.3 %; exponential (skewness 2) 95.3, 96.7, 98.0 %; lognormal of unit log-scatter (skewness 6)
        90.9, 93.1, 95.8 %; a share of 4 % that is seldom seen 34, 63, 93 %. What falls short lies outside on one
        side: the long tail was not drawn. Of such samples take the logarithm, a share of seeds, or more seeds.

    Errors
        ValueError for fewer than two seeds, a sample that is not finite, or a level outside (0, 1).

    Examples
    --------
    >>> result = interval([1.0, 2.0, 3.0], level=0.95)
    >>> float(result.estimate), round(float(result.high), 6)
    (2.0, 4.484138)
    """
    values = finite("interval", "samples", samples)
    check_level("interval", level)
    n = count_of_seeds("interval", values, axis)
    mean = values.mean(axis=axis)
    error = values.std(axis=axis, ddof=1) / np.sqrt(n)
    return from_standard_error(mean, error, n - 1, level, n)


def from_standard_error(
    estimate: ArrayLike, standard_error: ArrayLike, degrees_of_freedom: ArrayLike, level: float, n: int
) -> Interval:
    """Build the interval estimate +- t * standard_error; arrays broadcast, the freedom may be fractional.

    Examples
    --------
    >>> result = from_standard_error(0.0, 1.0, 1, level=0.5, n=2)   # the quartiles of the Cauchy law
    >>> round(float(result.high), 12)
    1.0
    """
    mean, error, freedom = (
        np.array(part, dtype=np.float64)
        for part in np.broadcast_arrays(estimate, standard_error, degrees_of_freedom)
    )
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
    return Interval(mean, mean - reach, mean + reach, error, freedom, level, n)


def ratio_of_means(
    numerator: ArrayLike, denominator: ArrayLike, level: float = 0.99, axis: int = 0
) -> Interval:
    r"""Fieller's interval for E[numerator] / E[denominator], the two measured on the same seeds.

    Formula: the set of :math:`\rho` that the t test of :math:`E[a - \rho b] = 0` does not reject. Exact for
    jointly Gaussian (a, b). Where the test cannot tell E[b] from zero the set is unbounded, and the
    interval is (-inf, inf). For lognormal numerators and denominators of scatter 1/2 a 99 % interval of 10 seeds
    covers 99.4 %. Use it where a law is a ratio of averages; use :func:`numerics.slopes.ratios` and
    :func:`interval` where it is an average of ratios.

    Parameters
    ----------
    numerator, denominator : arrays of one shape, seeds along ``axis``; the same entry is the same seed

    Errors
        ValueError as for :func:`interval`, or where the shapes differ.

    Source
        E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954).

    Examples
    --------
    >>> result = ratio_of_means([20.0, 22.0, 24.0], [10.0, 11.0, 12.0], level=0.9)
    >>> float(result.estimate), round(float(result.low), 9), round(float(result.high), 9)
    (2.0, 2.0, 2.0)
    """
    a, b = (
        finite("ratio_of_means", "numerator", numerator),
        finite("ratio_of_means", "denominator", denominator),
    )
    check_level("ratio_of_means", level)
    if a.shape != b.shape:
        raise ValueError(
            f"ratio_of_means: shapes {a.shape} and {b.shape} differ; pass two arrays of one shape"
        )
    n = count_of_seeds("ratio_of_means", a, axis)
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    mean_a, mean_b = a.mean(axis=0), b.mean(axis=0)
    var_a, var_b = a.var(axis=0, ddof=1) / n, b.var(axis=0, ddof=1) / n
    covariance = ((a - mean_a) * (b - mean_b)).sum(axis=0) / (n - 1) / n
    t2 = stats.t.ppf((1 + level) / 2, n - 1) ** 2
    # The accepted set is p rho^2 - 2 q rho + r <= 0.
    p, q, r = mean_b**2 - t2 * var_b, mean_a * mean_b - t2 * covariance, mean_a**2 - t2 * var_a
    bounded = p > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = mean_a / mean_b
        root = np.sqrt(np.maximum(q**2 - p * r, 0.0))
        low = np.where(bounded, (q - root) / np.where(bounded, p, 1.0), -np.inf)
        high = np.where(bounded, (q + root) / np.where(bounded, p, 1.0), np.inf)
        spread = np.maximum(var_a - 2 * estimate * covariance + estimate**2 * var_b, 0.0)
        error = np.sqrt(spread) / np.abs(mean_b)
    return Interval(estimate, low, high, error, np.full(np.shape(estimate), float(n - 1)), level, n)
