"""Band: where the property was seen along the control, the measured edges, and the predicted band."""

import itertools
from collections.abc import Iterator

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from experiments.pictures import style
from experiments.pictures.scene import SEED, Scene, Series, coordinate, number, series

EDGES = ("lower", "upper")


def draw(axes: Axes, scene: Scene) -> None:
    """Fraction of seeds that showed the property; edges with intervals below it.

    Where the predicted edges differ from curve to curve, the control is divided by the curve's upper edge (by
    its lower edge where there is no upper one), so that all predictions coincide.
    """
    edges = {name: scene.predicted[name] for name in EDGES if name in scene.predicted}
    unit = _unit(edges)
    for name, edge in edges.items():
        position = float((edge / unit).values.ravel()[0])
        reach = float((scene.reach(edge) / unit).values.ravel()[0])
        axes.axvspan(position - reach, position + reach, color=style.BAND, linewidth=0, zorder=0)
        looks = style.predicted_line(0 if name == "upper" else 1)
        axes.axvline(position, label=f"predicted {name} edge", **looks)
    for index, curve in enumerate(_inside(scene, unit)):
        looks = style.marks(index)
        axes.plot(curve.x, curve.mean, label=curve.label or "seen", **{**_plain(looks), "linestyle": "none"})
    rows = 0
    for name in EDGES:
        if name in scene.observation:
            rows += _edge_rows(axes, scene, name, unit, rows)
    axes.set_ylim(-0.16 - 0.09 * rows, 1.5)
    axes.set_yticks([0.0, 0.5, 1.0])
    suffix = (
        ""
        if float(np.ptp(unit.values)) == 0 and float(unit.values.ravel()[0]) == 1.0
        else " / predicted edge"
    )
    style.label(axes, scene.axis_name(_control(scene)) + suffix, "fraction of seeds with the property")
    style.legend(axes)


def _control(scene: Scene) -> str:
    return str(getattr(scene.law.claim, "control", "control"))


def _unit(edges: dict[str, xr.DataArray]) -> xr.DataArray:
    edge = edges.get("upper", edges.get("lower"))
    if edge is None or edge.size == 1 or float(np.ptp(edge.values)) == 0.0:
        return xr.DataArray(1.0)
    return edge


def _plain(looks: dict) -> dict:
    return {name: value for name, value in looks.items() if name not in ("capsize", "elinewidth")}


def _inside(scene: Scene, unit: xr.DataArray) -> Iterator[Series]:
    if "inside" not in scene.observation:
        return
    inside = scene.observation["inside"].astype(np.float64)
    control = _control(scene)
    if not (set(unit.dims) or set(coordinate(scene.observation, control).dims) - {"point"}):
        yield from itertools.islice(series(inside, control), style.MOST_SERIES)
        return
    relative = (coordinate(scene.observation, control) / unit).broadcast_like(
        inside.isel({SEED: 0}, drop=True)
    )
    others = [str(dim) for dim in relative.dims if dim != "point"]
    for index in itertools.islice(
        itertools.product(*(range(inside.sizes[d]) for d in others)), style.MOST_SERIES
    ):
        where = dict(zip(others, index, strict=True))
        part = inside.isel(where).assign_coords({"relative": ("point", relative.isel(where).values)})
        yield Series(_named(part, where), *_ordered(part))


def _named(part: xr.DataArray, where: dict[str, int]) -> str:
    return ", ".join(
        f"{d} = {number(part[d].values[()] if d in part.coords else i)}" for d, i in where.items()
    )


def _ordered(part: xr.DataArray) -> tuple[np.ndarray, np.ndarray]:
    x = part["relative"].values.astype(np.float64)
    order = np.argsort(x, kind="stable")
    return x[order], part.transpose(SEED, "point").values[:, order]


def _edge_rows(axes: Axes, scene: Scene, name: str, unit: xr.DataArray, start: int) -> int:
    curves = series(scene.observation[name] / unit, None)[: style.MOST_SERIES]
    for index, curve in enumerate(curves):
        looks = style.marks(index)
        axes.errorbar(curve.mean, [-0.12 - 0.09 * (start + index)], xerr=curve.reach(scene.level), **looks)
    return len(curves)
