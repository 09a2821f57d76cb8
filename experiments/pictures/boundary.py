"""Boundary: a plane of points that showed the property or did not, and the predicted curve between them."""

import numpy as np
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import SEED, Scene, coordinate


def draw(axes: Axes, scene: Scene) -> None:
    """Filled circles where most seeds showed the property, crosses where few did."""
    behaves = scene.observation["behaves"].astype(np.float64)
    seen = behaves.mean(SEED) if SEED in behaves.dims else behaves
    names = [str(getattr(scene.law.claim, axis)) for axis in ("x", "y")]
    x, y = (coordinate(scene.observation, name).broadcast_like(seen).values.ravel() for name in names)
    share = seen.values.ravel()
    seen_at, not_at = share >= 0.5, share < 0.5
    axes.plot(x[seen_at], y[seen_at], "o", color=style.INK, markersize=4.8, label="property seen")
    axes.plot(x[not_at], y[not_at], "x", color=style.SOFT, markersize=4.8, label="not seen")
    style.scale(axes, "x", x)
    style.scale(axes, "y", y)
    curve = scene.predicted.get("curve")
    if curve is not None:
        order = np.argsort(x, kind="stable")
        line = curve.broadcast_like(seen).values.ravel()[order]
        reach = scene.reach(line)
        axes.fill_between(x[order], line - reach, line + reach, color=style.BAND, linewidth=0, zorder=0)
        axes.plot(x[order], line, label="predicted curve", **style.predicted_line(0))
    style.label(axes, *(scene.axis_name(name) for name in names))
    style.legend(axes)
