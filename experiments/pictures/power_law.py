"""PowerLaw: a doubly logarithmic picture; the slope is predicted, the height is free."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.curves import fan, geometric_centre, with_intervals
from experiments.pictures.scene import Scene, series


def draw(axes: Axes, scene: Scene) -> None:
    """Means with intervals; lines of the predicted exponent, fans of exponent +- margin."""
    control = scene.control
    curves = series(scene.observation["measured"], control, scene.predicted.get("exponent"))
    margin = scene.comparison.margin.value
    for index, curve in enumerate(curves[: style.MOST_SERIES]):
        centre = geometric_centre(curve)
        if centre is None or curve.predicted is None:
            continue
        exponent = float(curve.predicted[0])
        fan(axes, curve.x, centre, (exponent - margin, exponent, exponent + margin), index)
    with_intervals(axes, curves, scene.level, positive=True)
    if any(np.any(np.abs(curve.mean) > 0) for curve in curves):
        style.logarithmic(axes, "y")
    style.logarithmic(axes, "x")
    style.label(axes, scene.axis_name(control), scene.axis_name("measured"))
    style.legend(axes, len(curves))
