"""Boundary: a plane of points that showed the property or did not, and the predicted curve between them."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import SEED, Scene, coordinate


def draw(axes: Axes, scene: Scene) -> None:
    """Filled circles where most seeds showed the property, crosses where few did.

    Where other inputs than x move the curve, y is divided by the curve, so that the prediction is 1.
    """
    behaves = scene.observation["behaves"].astype(np.float64)
    seen = behaves.mean(SEED) if SEED in behaves.dims else behaves
    names = [str(getattr(scene.law.claim, axis)) for axis in ("x", "y")]
    x, y = (coordinate(scene.observation, name).broadcast_like(seen).values.ravel() for name in names)
    share = seen.values.ravel()
    line = scene.predicted["curve"].broadcast_like(seen).values.ravel().astype(np.float64)
    reach = np.asarray(scene.reach(line))
    y_name = scene.axis_name(names[1])
    if moved(x, line):
        y, reach, line, y_name = (
            y / line,
            reach / np.abs(line),
            np.ones_like(line),
            f"{y_name}, over the curve",
        )
    seen_at, not_at = share >= 0.5, share < 0.5
    axes.plot(x[seen_at], y[seen_at], "o", color=style.INK, markersize=4.4, label="property seen")
    axes.plot(x[not_at], y[not_at], "x", color=style.SOFT, markersize=4.4, label="not seen")
    style.scale(axes, "x", x)
    style.scale(axes, "y", y)
    order = np.argsort(x, kind="stable")
    low, high = (line - reach)[order], (line + reach)[order]
    axes.fill_between(x[order], low, high, color=style.BAND, linewidth=0, zorder=0)
    axes.plot(x[order], line[order], label="predicted curve", **style.predicted_line(0))
    style.label(axes, scene.axis_name(names[0]), y_name)
    style.legend(axes)


def moved(x: np.ndarray, line: np.ndarray) -> bool:
    """Whether the curve takes several values at one x.

    Examples
    --------
    >>> moved(np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 4.0]))
    False
    >>> moved(np.array([1.0, 1.0, 2.0]), np.array([3.0, 5.0, 4.0]))
    True
    """
    return any(np.ptp(line[x == value]) > 1e-9 * np.abs(line).max() for value in np.unique(x))
