"""Formula: the measured quantity over an input, with the predicted curve and the margin round it."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.curves import with_intervals
from experiments.pictures.scene import Scene, longest_numeric, series


def draw(axes: Axes, scene: Scene) -> None:
    """Means with intervals; each curve's prediction carries its own band of +- margin.

    A prediction that differs from seed to seed is drawn as its mean over seeds.
    """
    measured = scene.observation["measured"]
    along = longest_numeric(measured)
    curves = series(measured, along, scene.predicted["value"])
    if along is None:
        for index, curve in enumerate(curves):
            curve.x[:] = index
    margin = scene.comparison.margin.value
    for index, curve in enumerate(curves[: style.MOST_SERIES]):
        if curve.predicted is None:
            continue
        if len(curve.x) == 1:
            x = np.array([curve.x[0] - 0.3, curve.x[0] + 0.3])
            y = np.repeat(curve.predicted, 2)
        else:
            x, y = curve.x, curve.predicted
        reach = np.abs(y) * margin
        axes.fill_between(x, y - reach, y + reach, color=style.BAND, linewidth=0, zorder=0)
        axes.plot(x, y, label="predicted" if index == 0 else None, **style.predicted_line(index))
    with_intervals(axes, curves, scene.level)
    style.scale(axes, "y", np.concatenate([curve.mean for curve in curves]))
    if along is None:
        style.name_places(axes, [curve.label for curve in curves])
    else:
        style.scale(axes, "x", curves[0].x)
    style.label(axes, scene.axis_name(along or ""), scene.axis_name("measured"))
    style.legend(axes, len(curves))
