"""Does a quantity rise with a control? Tests against ordered alternatives, with an effect size."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from numerics.intervals import Interval, from_standard_error, interval
from numerics.samples import Floats, check_level, finite

EXACT_LEVELS, EXACT_SEEDS, EXACT_SAMPLES = 8, 64, 200


@dataclass(frozen=True, eq=False)
class Trend:
    """What a test against an ordered alternative found.

    ``p_value`` is one-sided: small when the quantity rises with the levels. ``effect`` is the fitted rise
    from the first level to the last (least-squares line over the level numbers), in the quantity's own units.
    ``correlation`` in [-1, 1] is free of units: the mean of Spearman's coefficient over seeds (paired), or
    Somers' d, the share of rising pairs minus that of falling ones (unpaired).
    """

    statistic: float
    p_value: float
    exact: bool
    effect: Interval
    correlation: float


def page(samples: ArrayLike, level: float = 0.99) -> Trend:
    r"""Page's L test: every seed was measured at every level of the control (paired).

    Formula: :math:`L = \sum_s \sum_j j R_{sj}` with R the ranks (mid-ranks for ties) inside seed s. Null
    law: in every seed the order is a uniformly random permutation. Exact up to 8 levels and 64 seeds, ties
    included; beyond, a normal approximation with the exact mean and variance. For a falling quantity pass
    ``-samples``; for effects in relative units pass logarithms.

    Parameters
    ----------
    samples : shape (n, k), n >= 2 independent seeds by k >= 4 levels in the control's order
    level : of the effect's t interval

    Cost
        k 2^k for the null law of one seed and n convolutions; milliseconds.

    Source
        E. B. Page, "Ordered hypotheses for multiple treatments", J. Am. Stat. Assoc. 58 (1963).

    Errors
        ValueError for fewer than 4 levels or 2 seeds, or samples that are not finite.

    Examples
    --------
    >>> result = page([[1, 2, 3, 4], [2, 3, 4, 5]])         # the one best of (4!)^2 arrangements
    >>> result.statistic, round(1 / result.p_value, 9), float(result.effect.estimate)
    (60.0, 576.0, 3.0)
    """
    values = finite("page", "samples", samples)
    check_level("page", level)
    if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 4:
        raise ValueError(
            f"page: samples have shape {values.shape}; needs (seeds >= 2, levels >= 4); run more of them"
        )
    n, k = values.shape
    doubled = np.rint(2 * stats.rankdata(values, axis=1)).astype(int)  # mid-ranks are halves
    weights = np.arange(1, k + 1)
    total = int((doubled @ weights).sum())
    exact = k <= EXACT_LEVELS and n <= EXACT_SEEDS
    if exact:
        p_value = _upper_tail([_row_law(tuple(sorted(row))) for row in doubled.tolist()], total)
    else:
        centred = doubled - doubled.mean(axis=1, keepdims=True)
        variance = (centred**2).sum() * ((weights - weights.mean()) ** 2).sum() / (k - 1)
        p_value = _normal_tail(total - n * (k + 1) * weights.sum(), variance)
    centred_ranks = doubled - (k + 1)
    spread = np.sqrt((centred_ranks**2).sum(axis=1) * ((2 * weights - (k + 1)) ** 2).sum())
    inner = centred_ranks @ (2 * weights - (k + 1))
    correlation = np.divide(inner, spread, out=np.zeros(n), where=spread > 0).mean()
    rise = interval(values @ _rise_coefficients(k), level)
    return Trend(total / 2, p_value, exact, rise, float(correlation))


def jonckheere(groups: Sequence[ArrayLike], level: float = 0.99) -> Trend:
    r"""Jonckheere-Terpstra test: the levels were measured on different seeds (unpaired).

    Formula: :math:`J = \sum_{i<j}\sum_{a,b} \{1[y_{jb} > y_{ia}] + \tfrac12 1[y_{jb} = y_{ia}]\}`. Null
    law: all samples are exchangeable. Exact without ties up to 200 samples (a product of Gaussian
    binomials); otherwise a normal approximation with the variance corrected for ties. The effect's interval
    is Welch's.

    Parameters
    ----------
    groups : at least 4 one-dimensional arrays in the control's order, each of at least 2 seeds

    Source
        A. R. Jonckheere, Biometrika 41 (1954); M. Hollander and D. A. Wolfe, "Nonparametric Statistical
        Methods".

    Errors
        ValueError for fewer than 4 groups, a group of fewer than 2 seeds, or samples that are not finite.

    Examples
    --------
    >>> result = jonckheere([[1, 2], [3, 4], [5, 6], [7, 8]])       # the one best of 8! / 2!^4 arrangements
    >>> result.statistic, round(1 / result.p_value, 9), result.correlation
    (24.0, 2520.0, 1.0)
    """
    check_level("jonckheere", level)
    values = [finite("jonckheere", f"groups[{i}]", group) for i, group in enumerate(groups)]
    sizes = [group.size for group in values]
    if len(values) < 4 or any(group.ndim != 1 for group in values) or min(sizes) < 2:
        raise ValueError(
            f"jonckheere: groups have shapes {[group.shape for group in values]}; "
            "needs at least 4 of shape (seeds >= 2,); run more seeds or levels"
        )
    statistic, pairs = 0.0, 0
    for i, lower in enumerate(values):
        for upper in values[i + 1 :]:
            difference = upper[:, None] - lower[None, :]
            statistic += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
            pairs += difference.size
    merged, ties = np.unique(np.concatenate(values), return_counts=True)
    exact = merged.size == sum(sizes) and sum(sizes) <= EXACT_SAMPLES
    if exact:
        earlier = np.cumsum(sizes)[:-1]
        laws = [_mann_whitney_law(int(m), n) for m, n in zip(earlier, sizes[1:], strict=True)]
        p_value = _upper_tail(laws, round(statistic))
    else:
        p_value = _normal_tail(
            statistic - pairs / 2, _tied_variance(np.array(sizes, dtype=float), ties.astype(float))
        )
    coefficients = _rise_coefficients(len(values))
    parts = np.array(
        [c**2 * group.var(ddof=1) / group.size for c, group in zip(coefficients, values, strict=True)]
    )
    variance = parts.sum()
    weights = parts / variance if variance > 0 else np.zeros_like(parts)
    shares = weights**2 / (np.array(sizes) - 1)
    freedom = 1 / shares.sum() if variance > 0 else float(min(sizes) - 1)
    rise = sum(c * group.mean() for c, group in zip(coefficients, values, strict=True))
    effect = from_standard_error(rise, np.sqrt(variance), freedom, level, sum(sizes))
    return Trend(statistic, p_value, exact, effect, 2 * statistic / pairs - 1)


def _rise_coefficients(k: int) -> Floats:
    """Return c with c @ y = (k - 1) times the least-squares slope of y on 0..k-1."""
    centred = np.arange(k) - (k - 1) / 2
    return (k - 1) * centred / (centred @ centred)


def _normal_tail(excess: float, variance: float) -> float:
    return float(stats.norm.sf(excess / np.sqrt(variance))) if variance > 0 else 1.0


def _upper_tail(laws: Sequence[tuple[int, Floats]], total: int) -> float:
    """Return P(sum of independent integers >= total); a law is (smallest value, probabilities)."""
    smallest, law = 0, np.ones(1)
    for start, probabilities in laws:
        smallest += start
        law = np.convolve(law, probabilities)
    return float(min(1.0, law[max(0, total - smallest) :].sum()))


@lru_cache(maxsize=256)
def _row_law(ranks: tuple[int, ...]) -> tuple[int, Floats]:
    """Return the law of sum_j j * ranks[permutation(j)]; one position at a time over subsets of the ranks."""
    k = len(ranks)
    size = sum((j + 1) * rank for j, rank in enumerate(sorted(ranks))) + 1
    counts = {0: np.ones(1)}
    for position in range(1, k + 1):
        following: dict[int, Floats] = {}
        for used, ways in counts.items():
            for i, rank in enumerate(ranks):
                if used >> i & 1:
                    continue
                target = following.setdefault(used | 1 << i, np.zeros(size))
                target[position * rank : position * rank + ways.size] += ways[: size - position * rank]
        counts = {used: np.trim_zeros(ways, "b") for used, ways in following.items()}
    law = counts[(1 << k) - 1]
    start = int(np.flatnonzero(law)[0])
    return start, law[start:] / law.sum()


@lru_cache(maxsize=256)
def _mann_whitney_law(m: int, n: int) -> tuple[int, Floats]:
    """Return the null law of the number of pairs in order: the coefficients of a Gaussian binomial."""
    size = m * n + 1
    counts = [1] + [0] * (size - 1)  # Python integers: the division below is exact
    for i in range(1, n + 1):
        for power in range(size - 1, m + i - 1, -1):
            counts[power] -= counts[power - m - i]
        for power in range(i, size):
            counts[power] += counts[power - i]
    total = sum(counts)
    return 0, np.array([count / total for count in counts])


def _tied_variance(sizes: Floats, ties: Floats) -> float:
    """Return the null variance of J with ties (Hollander and Wolfe, on the Jonckheere-Terpstra test)."""
    n = float(sizes.sum())

    def cubic(x: Floats) -> float:
        return float((x * (x - 1.0) * (2.0 * x + 5.0)).sum())

    def falling(x: Floats, order: int) -> float:
        return float(np.prod([x - float(i) for i in range(order)], axis=0).sum())

    variance = (n * (n - 1) * (2 * n + 5) - cubic(sizes) - cubic(ties)) / 72
    variance += falling(sizes, 3) * falling(ties, 3) / (36 * n * (n - 1) * (n - 2))
    return variance + falling(sizes, 2) * falling(ties, 2) / (8 * n * (n - 1))
