"""Formula: the measured quantity over an input, with the predicted curve and the margin round it."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.curves import with_intervals
from experiments.pictures.scene import SEED, Scene, longest_numeric, series


def draw(axes: Axes, scene: Scene) -> None:
    """Means with intervals; each curve's prediction carries its own band of +- margin.

    A prediction that differs from seed to seed is drawn as its mean over seeds, and what a seed measured in proportion:
    the interval is then that of the ratio, which is judged, and not of the seeds' own sizes.
    """
    measured = in_proportion(scene.observation["measured"], scene.predicted["value"])
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


def in_proportion(measured: xr.DataArray, predicted: xr.DataArray) -> xr.DataArray:
    """What was measured over its seed's own prediction, times the mean prediction; as it is where all predict one.

    Examples
    --------
    >>> measured, predicted = (xr.DataArray([one, 4.0], dims="seed") for one in (2.0, 1.0))
    >>> in_proportion(measured, predicted).values.tolist(), in_proportion(measured, predicted[0]).values.tolist()
    ([5.0, 2.5], [2.0, 4.0])
    """
    if SEED not in predicted.dims or SEED not in measured.dims or bool((predicted == 0).any()):
        return measured
    return (measured / predicted * predicted.mean(SEED)).transpose(*measured.dims, ...)
