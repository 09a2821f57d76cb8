"""Limit: the distance to the limit against the control, with the predicted rate where there is one."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.curves import fan, geometric_centre, with_intervals
from experiments.pictures.scene import Scene, series


def draw(axes: Axes, scene: Scene) -> None:
    """Errors with intervals on doubly logarithmic axes; a line of the predicted rate through the middle."""
    control = scene.control
    if "error" in scene.observation:
        error = scene.observation["error"]
    else:
        error = abs(scene.observation["measured"] - scene.predicted["value"])
    curves = series(error, control, scene.predicted.get("rate"))
    margin = scene.comparison.margin.value
    for index, curve in enumerate(curves[: style.MOST_SERIES]):
        centre = geometric_centre(curve)
        if centre is not None and curve.predicted is not None:
            rate = float(curve.predicted[0])
            fan(axes, curve.x, centre, (rate - margin, rate, rate + margin), index)
    with_intervals(axes, curves, scene.level, positive=True)
    if any(np.any(np.abs(curve.mean) > 0) for curve in curves):
        style.logarithmic(axes, "y")
    style.logarithmic(axes, "x")
    style.label(axes, scene.axis_name(control), scene.axis_name("error", "distance to the limit"))
    style.legend(axes, len(curves))
