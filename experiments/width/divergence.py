"""Divergences between models from networks over seeds; statistics of them as jackknife pseudo-values."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.intervals import interval

Logits = NDArray[np.floating]
"""Shape (seed, step, test point)."""

LEVEL = 0.99


class Excess(NamedTuple):
    """Logarithm of one divergence over another, and the ends of its interval, entry by entry."""

    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def divergence(model: Logits, reference: Logits) -> NDArray[np.float64]:
    """Mean over test points of (v/v* + (m - m*)^2/v* - 1 - ln(v/v*))/2, shape (step,); variances over N - 1.

    Examples
    --------
    >>> one = np.array([[[0.0]], [[2.0]]])
    >>> divergence(one + 2.0, one).tolist()
    [1.0]
    """
    model, reference = np.asarray(model, np.float64), np.asarray(reference, np.float64)
    v, v_ref = model.var(axis=0, ddof=1), reference.var(axis=0, ddof=1)
    gap = model.mean(axis=0) - reference.mean(axis=0)
    return np.mean((v / v_ref + gap**2 / v_ref - 1 - np.log(v / v_ref)) / 2, axis=-1)


def without_each(model: Logits, reference: Logits) -> NDArray[np.float64]:
    """Divergences without one seed of both, shape (seed, step), from the moments of all of them.

    Examples
    --------
    >>> model, reference = np.array([[[0.0]], [[2.0]], [[5.0]]]), np.array([[[1.0]], [[2.0]], [[4.0]]])
    >>> bool(np.isclose(without_each(model, reference)[2, 0], divergence(model[:2], reference[:2])[0]))
    True
    """
    (m, v), (m_ref, v_ref) = (_moments_without_each(np.asarray(one, np.float64)) for one in (model, reference))
    return np.mean((v / v_ref + (m - m_ref) ** 2 / v_ref - 1 - np.log(v / v_ref)) / 2, axis=-1)


def _moments_without_each(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    n = values.shape[0]
    off = values - values.mean(axis=0)
    squares = (off**2).sum(axis=0) - off**2 * n / (n - 1)
    return values.mean(axis=0) - off / (n - 1), squares / (n - 2)


def pseudo_values(whole: NDArray[np.floating] | np.floating, without: NDArray[np.floating]) -> NDArray[np.float64]:
    """N T - (N - 1) T without seed i, for each seed: nearly independent, with T's mean less its first-order bias.

    Examples
    --------
    >>> data = np.array([1.0, 2.0, 6.0])
    >>> pseudo_values(data.mean(), (data.sum() - data) / 2).tolist()  # those of a mean are the data
    [1.0, 2.0, 6.0]
    """
    seeds = without.shape[0]
    return seeds * whole - (seeds - 1) * without


def _sampled(
    models: Mapping[str, Logits], reference: Logits, first: str, statistic: Callable[[NDArray[np.float64]], Any]
) -> NDArray[np.float64]:
    """Pseudo-values of a statistic of divergences (model, step), that of ``first`` first, the others in order."""
    names = (first, *(name for name in models if name != first))
    lost = [name for name in names if not np.isfinite(models[name]).all()] + ["the reference"] * (
        not np.isfinite(reference).all()
    )
    if lost:
        raise ValueError(
            f"divergence: logits of {', '.join(lost)} are not finite in every seed; a law fitted over seeds needs all "
            "of them; measure other seeds or fewer steps"
        )
    whole = np.stack([divergence(models[name], reference) for name in names])
    without = np.stack([without_each(models[name], reference) for name in names], axis=1)
    return pseudo_values(statistic(whole), np.stack([statistic(one) for one in without]))


def excesses(
    models: Mapping[str, Logits], reference: Logits, first: str, *, averaged: bool, chosen: slice = slice(None)
) -> dict[str, Excess]:
    """Logarithm of every other model's divergence over that of ``first``; intervals hold all at once at 99 %.

    ``averaged`` takes the mean over steps first; otherwise each of the ``chosen`` steps has a ratio of its own. Equal
    numbers of seeds give all models one sampling floor, which pulls ratios towards 1 and never past it.
    """
    seeds = reference.shape[0]
    others = [name for name in models if name != first]

    def statistic(each: NDArray[np.float64]) -> NDArray[np.float64]:
        sizes = np.log(each.mean(axis=-1, keepdims=True) if averaged else each[:, chosen])
        return sizes[1:] - sizes[0]

    values = _sampled(models, reference, first, statistic).reshape(seeds, -1)
    found = interval(values, 1 - (1 - LEVEL) / values.shape[1])
    shape = (len(others), -1)
    parts = [np.asarray(part).reshape(shape) for part in (found.estimate, found.low, found.high)]
    return {name: Excess(*(part[place] for part in parts)) for place, name in enumerate(others)}


def gains(
    models: Mapping[str, Logits], reference: Logits, first: str, *, chosen: slice = slice(None)
) -> NDArray[np.float64]:
    """Logarithm of other models' divergence over that of ``first``, summed up to each of the ``chosen`` steps.

    The sum is over the number of those steps: at the last one, the logarithm of the ratio of geometric means. Pseudo-
    values, shape (seed, other model, step); others come in the order of ``models``.
    """

    def statistic(each: NDArray[np.float64]) -> NDArray[np.float64]:
        own, others = each[0, chosen], each[1:, chosen]
        return np.cumsum(np.log(others / own), axis=-1) / own.size

    return _sampled(models, reference, first, statistic)


def supported(found: Excess) -> NDArray[np.float64]:
    """The end of the interval that is closer to 0: positive or negative where the sign is settled, else NaN.

    Examples
    --------
    >>> supported(Excess(*(np.array(part) for part in ([2.0, 0.1], [1.0, -0.2], [3.0, 0.4])))).tolist()
    [1.0, nan]
    """
    return np.where(found.low > 0, found.low, np.where(found.high < 0, found.high, np.nan))
