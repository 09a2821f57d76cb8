"""What a number that agrees does not show: a quantity that turns back between two levels, a power law that bends."""

import numpy as np
from numpy.typing import NDArray

from experiments.comparisons.parts import shared
from numerics.intervals import interval
from numerics.slopes import slopes


def turning(rising: NDArray[np.float64], levels: NDArray[np.float64], level: float) -> str:
    """Between which neighbouring levels what should rise surely falls, in every interval at once; empty if nowhere.

    Parameters
    ----------
    rising : shape (seeds, levels)
    levels : shape (levels,)
        Their names, in the order of the samples.

    Examples
    --------
    >>> turning(np.tile([0.0, 3.0, 1.0, 4.0], (10, 1)), np.array([1.0, 2.0, 4.0, 8.0]), 0.99)
    'against the claim from 2 to 4'
    """
    if len(rising) < 2 or not np.isfinite(rising).all():
        return ""
    steps = interval(np.diff(rising, axis=1), shared(level, rising.shape[1] - 1))
    back = [f"from {levels[k]:.6g} to {levels[k + 1]:.6g}" for k in np.flatnonzero(steps.high < 0)]
    return f"against the claim {' and '.join(back)}" if back else ""


def bending(values: NDArray[np.float64], levels: NDArray[np.float64], margin: float, level: float) -> str:
    """Whether the exponents of the lower and of the upper half surely differ by more than two margins; both in words.

    Two exponents within the margin of one another's mean differ by two margins at most.

    Parameters
    ----------
    values : shape (seeds, levels)
    levels : shape (levels,)
        Positive. A middle level belongs to both halves.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0, 8.0])
    >>> bending(np.tile(x**2 / (1 + x), (10, 1)), x, 0.1, 0.99), bending(np.tile(x**2, (10, 1)), x, 0.1, 0.99)
    ('it bends: exponent 1.42 over the lower half of the levels, 1.15 over the upper', '')
    """
    order = np.argsort(levels, kind="stable")
    x, y = levels[order], values[:, order]
    half = (len(x) + 1) // 2
    halves = (slice(None, half), slice(len(x) - half, None))
    if len(y) < 2 or not (np.isfinite(y) & (y > 0)).all() or any(np.unique(x[part]).size < 2 for part in halves):
        return ""
    low, high = (slopes(x[part], y[:, part]) for part in halves)
    gap = interval(high - low, level)
    if max(float(gap.low), -float(gap.high)) <= 2 * margin:
        return ""
    return f"it bends: exponent {low.mean():.3g} over the lower half of the levels, {high.mean():.3g} over the upper"
