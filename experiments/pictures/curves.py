"""Curves with intervals, shared by the kinds of claim that follow a control."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures.scene import Series
from experiments.pictures.style import BAND, MOST_SERIES, SOFT, marks, predicted_line


def with_intervals(axes: Axes, curves: Sequence[Series], level: float, positive: bool = False) -> None:
    """Means over seeds with their t intervals, one marker a curve; curves beyond the eighth are grey dots.

    Parameters
    ----------
    positive
        Draw absolute values, and cut interval ends at a small positive number, for logarithmic axes.
    """
    for index, curve in enumerate(curves):
        mean, reach = (np.abs(curve.mean) if positive else curve.mean), curve.reach(level)
        if positive:
            reach = np.stack([np.minimum(reach[0], mean * (1 - 1e-3)), reach[1]])
        good = np.isfinite(mean) & (mean > 0 if positive else True)
        if index >= MOST_SERIES:
            more = f"{len(curves) - MOST_SERIES} more" if index == MOST_SERIES else None
            axes.plot(curve.x[good], mean[good], ".", color=SOFT, markersize=2.5, alpha=0.6, label=more)
            continue
        axes.errorbar(
            curve.x[good],
            mean[good],
            yerr=reach[:, good],
            label=curve.label or "measured",
            zorder=3,
            **marks(index),
        )


def fan(
    axes: Axes, x: np.ndarray, centre: tuple[float, float], exponents: tuple[float, float, float], index: int
) -> None:
    """Predicted power through ``centre``, and the band between the lowest and highest allowed exponents."""
    low, middle, high = exponents
    grid = np.geomspace(x.min(), x.max(), 60)
    relative = grid / centre[0]
    axes.fill_between(grid, centre[1] * relative**low, centre[1] * relative**high, color=BAND, linewidth=0, zorder=0)
    axes.plot(grid, centre[1] * relative**middle, label="predicted" if index == 0 else None, **predicted_line(index))


def geometric_centre(curve: Series) -> tuple[float, float] | None:
    """Point through which a power law with a free prefactor is drawn: geometric means of x and |mean|."""
    mean = np.abs(curve.mean)
    good = np.isfinite(mean) & (mean > 0) & (curve.x > 0)
    if not good.any():
        return None
    return float(np.exp(np.log(curve.x[good]).mean())), float(np.exp(np.log(mean[good]).mean()))
