"""Trend: seeds as thin lines, means with intervals over them, an arrow for the predicted direction."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.curves import with_intervals
from experiments.pictures.scene import Scene, series


def draw(axes: Axes, scene: Scene) -> None:
    """Draw seeds and means along the control."""
    control = scene.control
    curves = series(scene.observation["measured"], control)
    for curve in curves[: style.MOST_SERIES]:
        axes.plot(curve.x, curve.samples.T, color=style.BAND, linewidth=0.7, zorder=0)
    with_intervals(axes, curves, scene.level)
    style.scale(axes, "x", curves[0].x)
    style.scale(axes, "y", np.concatenate([curve.samples.ravel() for curve in curves]))
    rises = getattr(scene.law.claim, "direction", 1) > 0
    start, end = ((0.06, 0.78), (0.20, 0.92)) if rises else ((0.06, 0.92), (0.20, 0.78))
    axes.annotate(
        "", xy=end, xytext=start, xycoords="axes fraction",
        arrowprops={"arrowstyle": "-|>", "color": style.PREDICTED, "linewidth": 1.6},
    )  # fmt: skip
    axes.annotate(
        f"predicted: {'rises' if rises else 'falls'}", xy=(0.22, 0.85), xycoords="axes fraction",
        fontsize=style.SIZE, color=style.PREDICTED, va="center",
    )  # fmt: skip
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        axes.set_ylim(low, high * (high / low) ** 0.35)
    else:
        axes.set_ylim(low, high + 0.35 * (high - low))
    style.label(axes, scene.axis_name(control), scene.axis_name("measured"))
    style.legend(axes, len(curves))
