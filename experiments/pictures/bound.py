"""Bound: the smaller side against the larger; nothing may lie above the diagonal."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import Scene


def draw(axes: Axes, scene: Scene) -> None:
    """Scatter below the diagonal; the distance to it is the slack."""
    smaller, larger = xr.broadcast(scene.side("smaller"), scene.side("larger"))
    x, y = (side.values.astype(np.float64).ravel() for side in (larger, smaller))
    known = np.isfinite(x) & np.isfinite(y)  # a point without a number has no place
    x, y = (x[known], y[known]) if known.any() else (np.zeros(1), np.zeros(1))
    both = np.concatenate([x, y])
    logarithmic = bool(np.all(both > 0) and both.max() >= 30 * both.min())
    pad = (both.max() - both.min() or 1.0) * 0.06
    low, high = (both.min() / 1.5, both.max() * 1.5) if logarithmic else (both.min() - pad, both.max() + pad)
    grid = np.geomspace(low, high, 50) if logarithmic else np.linspace(low, high, 50)
    axes.fill_between(
        grid, grid, high, facecolor="white", edgecolor=style.BAND, hatch="///", linewidth=0, label="excluded"
    )
    axes.plot(grid, grid, color=style.PREDICTED, linewidth=1.4, label="predicted edge")
    axes.plot(x, y, "o", color=style.INK, markersize=3.4, markerfacecolor="white", label="measured")
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    if logarithmic:
        style.logarithmic(axes, "x")
        style.logarithmic(axes, "y")
    style.label(
        axes,
        scene.axis_name("larger", _written(scene, "larger")),
        scene.axis_name("smaller", _written(scene, "smaller")),
    )
    style.legend(axes)


def _written(scene: Scene, side: str) -> str:
    """What a side is: the law's own words for one symbol, else the expression if it is short."""
    expression = getattr(scene.law.claim, side)
    meaning = next((known.meaning for known in scene.law.quantities if known.symbol == expression), str(expression))
    return meaning if meaning != str(expression) or len(meaning) <= 40 else f"{side} side"
