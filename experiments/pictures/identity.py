"""Identity: the error of each instance in units of its own rounding bound."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import Scene


def draw(axes: Axes, scene: Scene) -> None:
    """Error over rounding bound against the size of the right side."""
    left, right, bound = xr.broadcast(*(scene.side(name) for name in ("left", "right", "bound")))
    gap = (left - right).values.astype(np.float64).ravel()
    allowed = bound.values.astype(np.float64).ravel()
    size = np.abs(right.values.astype(np.float64).ravel())
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(gap == 0.0, 0.0, gap / allowed)
    chosen = enough(error)
    size, error = size[chosen], error[chosen]
    margin = scene.comparison.margin.value
    axes.axhspan(-margin, margin, color=style.BAND, linewidth=0, zorder=0, label="rounding allowed")
    axes.axhline(0.0, color=style.PREDICTED, linewidth=1.3, zorder=1, label="predicted: no error")
    axes.plot(size, error, "o", color=style.INK, markersize=3.4, markerfacecolor="white", label="measured")
    style.scale(axes, "x", size)
    worst = float(np.nanmax(np.abs(error), initial=margin))
    if worst > 20 * margin:
        axes.set_yscale("symlog", linthresh=margin)
    axes.set_ylim(-1.25 * worst, 1.25 * worst)
    style.label(axes, f"size of {scene.axis_name('right', 'the right side')}", "(left - right) / rounding bound")
    style.legend(axes)


def enough(error: np.ndarray, most: int = 3000) -> np.ndarray:
    """Indices of the largest errors and of an even sample of the others, at most ``most`` in all.

    Examples
    --------
    >>> enough(np.array([0.0, -3.0, 1.0, 2.0]), most=2)
    array([0, 1])
    """
    if error.size <= most:
        return np.arange(error.size)
    largest = np.argsort(-np.abs(error))[: most // 2]
    even = np.linspace(0, error.size - 1, most - most // 2).astype(int)
    return np.unique(np.concatenate([largest, even]))[:most]
