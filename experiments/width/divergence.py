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


def pseudo_values(statistic: Callable[[NDArray[np.intp]], Any], seeds: int) -> NDArray[np.float64]:
    """N T - (N - 1) T without seed i, for each seed: nearly independent, with T's mean less its first-order bias.

    Examples
    --------
    >>> data = np.array([1.0, 2.0, 6.0])
    >>> pseudo_values(lambda kept: data[kept].mean(), 3).tolist()  # those of a mean are the data
    [1.0, 2.0, 6.0]
    """
    everything = np.arange(seeds)
    whole = np.asarray(statistic(everything))
    without = np.stack([np.asarray(statistic(np.delete(everything, seed))) for seed in range(seeds)])
    return seeds * whole - (seeds - 1) * without


def excesses(
    models: Mapping[str, Logits], reference: Logits, first: str, *, averaged: bool, chosen: slice = slice(None)
) -> dict[str, Excess]:
    """Logarithm of every other model's divergence over that of ``first``; intervals hold all at once at 99 %.

    ``averaged`` takes the mean over steps first; otherwise each of the ``chosen`` steps has a ratio of its own. Equal
    numbers of seeds give all models one sampling floor, which pulls ratios towards 1 and never past it.
    """
    seeds = reference.shape[0]
    others = [name for name in models if name != first]

    def statistic(kept: NDArray[np.intp]) -> NDArray[np.float64]:
        each = np.stack([divergence(models[name][kept], reference[kept]) for name in (first, *others)])
        sizes = np.log(each.mean(axis=-1, keepdims=True) if averaged else each[:, chosen])
        return sizes[1:] - sizes[0]

    values = pseudo_values(statistic, seeds).reshape(seeds, -1)
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
    others = [name for name in models if name != first]

    def statistic(kept: NDArray[np.intp]) -> NDArray[np.float64]:
        own, *each = (divergence(models[name][kept], reference[kept])[chosen] for name in (first, *others))
        return np.stack([np.cumsum(np.log(one / own)) for one in each]) / own.size

    return pseudo_values(statistic, reference.shape[0])


def supported(found: Excess) -> NDArray[np.float64]:
    """The end of the interval that is closer to 0: positive or negative where the sign is settled, else NaN.

    Examples
    --------
    >>> supported(Excess(*(np.array(part) for part in ([2.0, 0.1], [1.0, -0.2], [3.0, 0.4])))).tolist()
    [1.0, nan]
    """
    return np.where(found.low > 0, found.low, np.where(found.high < 0, found.high, np.nan))
