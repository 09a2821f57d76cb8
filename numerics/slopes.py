"""Exponents and prefactors: per-seed slopes, slopes of averages over seeds, ratios to a prediction."""

import numpy as np
from numpy.typing import ArrayLike

from numerics.intervals import Interval, from_standard_error
from numerics.samples import Floats, check_level, finite


def slopes(
    x: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None, correction: float | None = None
) -> Floats:
    r"""Least-squares slope of log y on log x, one for each seed.

    Formula: the b that minimises :math:`\sum_i w_i(\log y_i - a - b\log x_i - c\,x_i^{-p})^2`; the term in
    c is there when ``correction`` = p is given: the first finite-size correction of
    :math:`y = A x^b (1 + c x^{-p})`.

    Parameters
    ----------
    x : positive, shape (m,): the control's levels, at least 2 different ones (3 with a correction)
    y : positive, shape (..., m): the last axis runs over the levels, the others over seeds
    weights : positive, shape (m,); inverse variances of log y, up to a factor
    correction : the power p > 0 of the correction, or None

    Returns
    -------
    array of shape (...), to be handed to :func:`numerics.intervals.interval`

    Accuracy
        Exact on a pure power law. A correction costs variance: the standard error grows by the factor
        :math:`1/\sqrt{1-R^2}`, R the correlation of log x and :math:`x^{-p}` over the levels.

    Errors
        ValueError for values that are not positive and finite, wrong shapes, or too few different levels.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0])
    >>> slopes(x, np.stack([3 * x**2, x**-0.5])).round(12).tolist()
    [2.0, -0.5]
    >>> round(float(slopes(2.0 ** np.arange(5), 2.0 ** np.arange(5) * np.exp(0.3 / 2.0 ** np.arange(5)),
    ...                    correction=1.0)), 12)
    1.0
    """
    levels = positive("slopes", "x", x)
    values = positive("slopes", "y", y)
    _check_levels("slopes", levels, values)
    weight = np.ones_like(levels) if weights is None else positive("slopes", "weights", weights)
    if weight.shape != levels.shape:
        raise ValueError(
            f"slopes: weights have shape {weight.shape} and x {levels.shape}; pass one weight for each level"
        )
    return np.log(values) @ _slope_coefficients("slopes", levels, weight, correction)


def rms_slope(x: ArrayLike, samples: ArrayLike, level: float = 0.99) -> Interval:
    r"""Slope of the log of the root mean square over seeds, for quantities of mean zero (sums under a CLT).

    Formula: :math:`b = \sum_i c_i \log \mathrm{rms}_i`, c the least-squares coefficients. The standard
    error is the jackknife's over seeds times :math:`\sqrt{n/(n-1)}`. To leading order it is
    :math:`\{\sum_i c_i^2 (\kappa_i - 1)/(4 n)\}^{1/2}`, :math:`\kappa_i` the kurtosis of the samples at
    level i (see :func:`rms_slope_error`), and it keeps the correlation between levels that share a seed.

    Parameters
    ----------
    x : positive, shape (m,), the levels
    samples : shape (n, ..., m), seeds first and levels last; no level may be all zero

    Accuracy
        For Gaussian and moderately heavy samples (Student with 6 degrees of freedom, Laplace) at 10, 24 and
        64 seeds the 95 % interval covers 94 to 96.5 %, whether or not the levels share their seeds. The
        factor :math:`\sqrt{n/(n-1)}` was chosen for that: without it the coverage at 10 seeds is down to
        93.4 %. At 99 % it covers 98 to 99.2 % of Gaussian samples, of products of two Gaussians (kurtosis 9) and
        of Student's with 3 degrees of freedom; of cubes of Gaussians (kurtosis 36) 97.7 to 98.2 %.

    Source
        width catalogue, section 1, for the leading standard error; B. Efron, "The Jackknife" (1982).

    Errors
        ValueError for fewer than three seeds, samples that are not finite, or a level whose samples are all
        zero.

    Examples
    --------
    >>> rows = np.array([[1.0, 2.0], [-1.0, -2.0], [1.0, 2.0]])
    >>> float(rms_slope([1.0, 2.0], rows).estimate)
    1.0
    """
    values = finite("rms_slope", "samples", samples)
    return _slope_of_averages("rms_slope", x, values**2, 0.5, level, heavy=True)


def mean_slope(x: ArrayLike, samples: ArrayLike, level: float = 0.99) -> Interval:
    """Slope of the log of the mean over seeds, for positive quantities that obey a law of large numbers.

    Unlike the mean of :func:`slopes`, it follows E[y] even where the spread of log y changes with the level.
    Parameters and errors as for :func:`rms_slope`; the samples must not be negative. The error is the
    plain jackknife's: of gamma samples with skewness 1 to 2.8 a 99 % interval of 10 to 64 seeds covers 98.8 to 99.1 %.

    Examples
    --------
    >>> round(float(mean_slope([1.0, 4.0], [[1.0, 3.0], [3.0, 5.0], [2.0, 4.0]]).estimate), 12)   # 2 -> 4
    0.5
    """
    values = finite("mean_slope", "samples", samples)
    if np.any(values < 0):
        raise ValueError(
            f"mean_slope: {int(np.count_nonzero(values < 0))} samples are negative; values >= 0 are allowed; "
            "use rms_slope for quantities of mean zero"
        )
    return _slope_of_averages("mean_slope", x, values, 1.0, level, heavy=False)


def rms_slope_error(x: ArrayLike, seeds: int, kurtosis: float = 3.0) -> float:
    r"""Planned standard error of :func:`rms_slope` for independent levels: what a study budgets.

    Formula: :math:`\sqrt{(\kappa - 1)/(4n)}\big/\sqrt{\sum_i (\log x_i - \overline{\log x})^2}`; kurtosis 3
    is Gaussian.

    Source
        width catalogue, section 1.

    Examples
    --------
    >>> round(rms_slope_error(2.0 ** np.arange(8, 14), seeds=64), 4)
    0.0305
    """
    levels = positive("rms_slope_error", "x", x)
    if seeds < 2 or not kurtosis > 1:
        raise ValueError(
            f"rms_slope_error: seeds={seeds}, kurtosis={kurtosis}; needs seeds >= 2 and kurtosis > 1"
        )
    coefficients = _slope_coefficients("rms_slope_error", levels, np.ones_like(levels), None)
    return float(np.sqrt((kurtosis - 1) / (4 * seeds) * (coefficients @ coefficients)))


def ratios(measured: ArrayLike, predicted: ArrayLike) -> Floats:
    """Measured over predicted, entry by entry (broadcast); hand it to :func:`numerics.intervals.interval`.

    Errors
        ValueError where a prediction is zero, an entry is not finite, or the shapes do not broadcast.

    Examples
    --------
    >>> ratios([[1.0, 2.0], [3.0, 6.0]], [1.0, 2.0]).tolist()
    [[1.0, 1.0], [3.0, 3.0]]
    """
    top, bottom = finite("ratios", "measured", measured), finite("ratios", "predicted", predicted)
    if np.any(bottom == 0):
        raise ValueError(
            f"ratios: {int(np.count_nonzero(bottom == 0))} of {bottom.size} predictions are zero; "
            "a ratio needs nonzero ones; compare the difference instead"
        )
    try:
        return top / bottom
    except ValueError as error:
        raise ValueError(
            f"ratios: shapes {top.shape} and {bottom.shape} do not broadcast; pass shapes that do"
        ) from error


def positive(who: str, name: str, values: ArrayLike) -> Floats:
    """Return ``values`` as float64; raise a ValueError that names the caller if any is not positive.

    Examples
    --------
    >>> positive("slopes", "x", [2]).tolist()
    [2.0]
    """
    array = finite(who, name, values)
    if np.any(array <= 0):
        raise ValueError(
            f"{who}: {int(np.count_nonzero(array <= 0))} of {array.size} entries of {name} are not positive; "
            "a logarithm needs positive ones; leave them out or pass absolute values"
        )
    return array


def _check_levels(who: str, levels: Floats, values: Floats) -> None:
    if levels.ndim != 1 or values.ndim < 1 or values.shape[-1] != levels.size:
        raise ValueError(
            f"{who}: x has shape {levels.shape} and the values {values.shape}; "
            "x must be one-dimensional and as long as their last axis; move the levels last"
        )


def _slope_coefficients(who: str, levels: Floats, weights: Floats, correction: float | None) -> Floats:
    """Return c with slope = log y @ c."""
    if correction is not None and not correction > 0:
        raise ValueError(f"{who}: correction={correction} is not a positive power; pass p > 0 or None")
    log_x = np.log(levels)
    columns = [np.ones_like(log_x), log_x - log_x.mean()]
    if correction is not None:
        shrinking = (levels / levels.min()) ** -correction
        columns.append(shrinking - shrinking.mean())
    design = np.stack(columns, axis=1)
    if np.unique(levels).size < design.shape[1]:
        raise ValueError(
            f"{who}: {np.unique(levels).size} different levels; needs at least {design.shape[1]}; add levels"
        )
    root = np.sqrt(weights / weights.max())
    return np.linalg.pinv(design * root[:, None])[1] * root


def _slope_of_averages(
    who: str, x: ArrayLike, values: Floats, power: float, level: float, heavy: bool
) -> Interval:
    """Jackknife the slope of power * log(mean over seeds of values); ``heavy`` widens for squares' tails."""
    levels = positive(who, "x", x)
    _check_levels(who, levels, values)
    check_level(who, level)
    n = values.shape[0] if values.ndim > 1 else 0
    if n < 3:
        raise ValueError(
            f"{who}: {n} seeds along axis 0 of shape {values.shape}; needs at least 3; "
            "put seeds first and levels last, and run more seeds"
        )
    total = values.sum(axis=0)
    left_out = total - values
    if np.any(left_out <= 1e-14 * total):
        raise ValueError(
            f"{who}: at some level all samples but at most one are zero; "
            "the logarithm of their average needs more; leave that level out"
        )
    coefficients = _slope_coefficients(who, levels, np.ones_like(levels), None)
    estimate = power * np.log(total / n) @ coefficients
    partial = power * np.log(left_out / (n - 1)) @ coefficients
    variance = (n - 1) / n * ((partial - partial.mean(axis=0)) ** 2).sum(axis=0)
    widening = n / (n - 1) if heavy else 1.0
    return from_standard_error(estimate, np.sqrt(variance * widening), n - 1, level, n)
