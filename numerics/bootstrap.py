"""Bootstrap intervals where they can be trusted: studentised, or from at least 100 seeds."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from numerics.intervals import Interval
from numerics.samples import Floats, check_level, count_of_seeds, finite


def studentised_bootstrap(
    samples: ArrayLike,
    statistic: Callable[[Floats], Floats],
    generator: np.random.Generator,
    level: float = 0.99,
    resamples: int = 2000,
) -> Interval:
    r"""Bootstrap-t interval of a smooth statistic of independent seeds.

    Formula: :math:`[\hat\theta - q_{high}\,\hat s,\ \hat\theta - q_{low}\,\hat s]` with q the quantiles of
    :math:`(\theta^* - \hat\theta)/s^*` over resamples and s the jackknife standard error of each.

    Parameters
    ----------
    samples : shape (n,) or (n, features), n >= 4 independent seeds
    statistic : takes an array (..., n) or (..., n, features) and returns (...); smooth (a mean, a log of a
        mean, a ratio of means), not a median or an extreme
    generator : the source of the resamples
    resamples : at least 50 / (1 - level), so that the tail holds 25 of them

    Accuracy
        Planted means: at 10 seeds a 95 % interval covers 94 % of gamma(4), 92 % of exponential and 91 % of lognormal
        samples (a t interval 84 %), a 99 % interval about 97 %: ten seeds hold no more of a tail than that. At 24
        seeds a 99 % interval covers 98 to 99 %; a 95 % one of Student's with 3 degrees of freedom 90 %.

    Cost
        resamples * n evaluations of the statistic on n - 1 seeds.

    Errors
        ValueError for fewer than 4 seeds, too few resamples, or samples that are not finite.

    Examples
    --------
    >>> constant = studentised_bootstrap(np.ones(5), lambda x: x.mean(axis=-1), np.random.default_rng(0),
    ...                                  level=0.9, resamples=500)
    >>> float(constant.low), float(constant.high)
    (1.0, 1.0)
    """
    who = "studentised_bootstrap"
    values = finite(who, "samples", samples)
    check_level(who, level)
    n = count_of_seeds(who, values, 0, least=4)
    if resamples * (1 - level) < 50 * (1 - 1e-9):
        raise ValueError(
            f"{who}: {resamples} resamples leave fewer than 25 in each tail at level {level}; "
            f"pass at least {int(np.ceil(50 / (1 - level)))}"
        )
    estimate = np.asarray(statistic(values), dtype=np.float64)
    error = _jackknife_error(values[None], statistic, n)[0]
    features = values.shape[1:]
    pivots = []
    rows = max(1, int(4_000_000 // (n * n * int(np.prod(features, dtype=int)))))
    for start in range(0, resamples, rows):
        drawn = values[generator.integers(n, size=(min(rows, resamples - start), n))]
        drawn_error = _jackknife_error(drawn, statistic, n)
        with np.errstate(divide="ignore", invalid="ignore"):
            pivots.append((np.asarray(statistic(drawn)) - estimate) / drawn_error)
    pivot = np.concatenate(pivots)
    pivot = np.where(np.isnan(pivot), 0.0, pivot)
    below, above = np.quantile(pivot, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    zero = error == 0.0
    low = estimate if zero else estimate - above * error
    high = estimate if zero else estimate - below * error
    return Interval(
        estimate, np.asarray(low), np.asarray(high), np.asarray(error), np.asarray(float(n - 1)), level, n
    )


def percentile_bootstrap(
    samples: ArrayLike,
    statistic: Callable[[Floats], Floats],
    generator: np.random.Generator,
    level: float = 0.99,
    resamples: int = 5000,
) -> Interval:
    """Percentile interval of any statistic of at least 100 independent seeds.

    Refuses fewer: a 95 % percentile interval of 5 seeds covers 83 %, of 24 seeds 93 %. The
    ``standard_error`` is the standard deviation over resamples. Parameters as for
    :func:`studentised_bootstrap`; the statistic need not be smooth.

    Errors
        ValueError for fewer than 100 seeds, too few resamples, or samples that are not finite.

    Examples
    --------
    >>> percentile_bootstrap(np.arange(5.0), lambda x: x.mean(axis=-1), np.random.default_rng(0))
    Traceback (most recent call last):
    ValueError: percentile_bootstrap: 5 seeds; needs at least 100; use interval or studentised_bootstrap
    """
    who = "percentile_bootstrap"
    values = finite(who, "samples", samples)
    check_level(who, level)
    n = values.shape[0] if values.ndim else 0
    if n < 100:
        raise ValueError(f"{who}: {n} seeds; needs at least 100; use interval or studentised_bootstrap")
    if resamples * (1 - level) < 50 * (1 - 1e-9):
        raise ValueError(
            f"{who}: {resamples} resamples leave fewer than 25 in each tail at level {level}; "
            f"pass at least {int(np.ceil(50 / (1 - level)))}"
        )
    rows = max(1, int(4_000_000 // values.size))
    drawn = np.concatenate(
        [
            np.asarray(statistic(values[generator.integers(n, size=(min(rows, resamples - start), n))]))
            for start in range(0, resamples, rows)
        ]
    )
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    estimate = np.asarray(statistic(values), dtype=np.float64)
    return Interval(
        estimate, np.asarray(low), np.asarray(high), drawn.std(ddof=1), np.asarray(float(n - 1)), level, n
    )


def _jackknife_error(rows: Floats, statistic: Callable[[Floats], Floats], n: int) -> Floats:
    """Jackknife standard error of each row of shape (resamples, n, ...)."""
    others = np.array([[j for j in range(n) if j != i] for i in range(n)])
    left_out = np.asarray(statistic(rows[:, others]), dtype=np.float64)
    return np.sqrt((n - 1) / n * ((left_out - left_out.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
