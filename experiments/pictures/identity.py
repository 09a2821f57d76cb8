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
    margin = scene.comparison.margin.value
    axes.axhspan(-margin, margin, color=style.BAND, linewidth=0, zorder=0, label="rounding allowed")
    axes.axhline(0.0, color=style.PREDICTED, linewidth=1.3, zorder=1, label="predicted: no error")
    axes.plot(size, error, "o", color=style.INK, markersize=3.4, markerfacecolor="white", label="measured")
    style.scale(axes, "x", size)
    worst = float(np.nanmax(np.abs(error), initial=margin))
    if worst > 20 * margin:
        axes.set_yscale("symlog", linthresh=margin)
    axes.set_ylim(-1.25 * worst, 1.25 * worst)
    style.label(
        axes, f"size of {scene.axis_name('right', 'the right side')}", "(left - right) / rounding bound"
    )
    style.legend(axes)
