"""Band: where the property was seen along the control, the measured edges, and the predicted band."""

import itertools
from collections.abc import Hashable, Mapping

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from experiments.pictures import style
from experiments.pictures.scene import SEED, Scene, Series, coordinate, number

EDGES = ("lower", "upper")
ROW = 0.09
"""Height of one curve's row of edges, where the property's share runs from 0 to 1."""

Where = Mapping[Hashable, int]


def draw(axes: Axes, scene: Scene) -> None:
    """Share of seeds that showed the property; below it, each curve's measured and predicted edges in a row.

    Where the predicted edges differ from curve to curve, the control is divided by the curve's upper edge (by
    its lower edge where there is no upper one), so that these predictions coincide.
    """
    predicted = {name: scene.predicted[name] for name in EDGES if name in scene.predicted}
    main = predicted.get("upper", predicted.get("lower"))
    differs = main is not None and main.size > 1 and float(np.ptp(main.values)) > 0.0
    curves = _combinations(scene, predicted)
    for index, where in enumerate(curves):
        unit = float(_at(main, where)) if differs and main is not None else 1.0
        row = -0.14 - ROW * index
        label = ", ".join(f"{dim} = {_level(scene, str(dim), i)}" for dim, i in where.items()) or "seen"
        _share(axes, scene, where, unit, index, label)
        for name, edge in predicted.items():
            middle, reach = float(_at(edge, where)) / unit, float(_at(scene.reach(edge), where)) / unit
            axes.fill_between(
                [middle - reach, middle + reach], row - 0.4 * ROW, row + 0.4 * ROW, color=style.BAND, lw=0
            )
            ends = [row - 0.4 * ROW, row + 0.4 * ROW]
            axes.plot([middle, middle], ends, **style.predicted_line(0))
            if name in scene.observation:
                measured = _samples(_at(scene.observation[name], where))[:, None] / unit
                curve = Series("", np.zeros(1), measured)
                axes.errorbar(curve.mean, [row], xerr=curve.reach(scene.level), **style.marks(index))
    for name, edge in predicted.items():
        if not differs or edge is main:
            position = 1.0 if differs else float(edge.values.ravel()[0])
            looks = style.predicted_line(0 if name == "upper" else 1)
            axes.axvline(position, label=f"predicted {name} edge", **looks)
    entries = len(curves) + len(predicted)
    axes.set_ylim(-0.2 - ROW * len(curves), 1.15 + 0.13 * ((entries + 1) // 2))
    axes.set_yticks([0.0, 0.5, 1.0])
    control = str(getattr(scene.law.claim, "control", "control"))
    style.label(
        axes,
        f"{scene.axis_name(control, unit=False)}, over the predicted edge" if differs else scene.axis_name(control),
        "share of seeds with the property (rows below: edges)",
    )
    style.legend(axes, entries, columns=2)


def _combinations(scene: Scene, predicted: Mapping[str, xr.DataArray]) -> list[Where]:
    """Indices of the first curves along every dimension other than seed and point."""
    arrays = [*predicted.values()]
    arrays += [scene.observation[name] for name in (*EDGES, "inside") if name in scene.observation]
    sizes: dict[Hashable, int] = {}
    for array in arrays:
        sizes |= {dim: size for dim, size in array.sizes.items() if dim not in (SEED, "point")}
    every = itertools.product(*(range(size) for size in sizes.values()))
    return [dict(zip(sizes, index, strict=True)) for index in itertools.islice(every, style.MOST_SERIES)]


def _at(array: xr.DataArray, where: Where) -> xr.DataArray:
    return array.isel({dim: index for dim, index in where.items() if dim in array.dims})


def _level(scene: Scene, dim: str, index: int) -> str:
    return number(scene.observation[dim].values[index] if dim in scene.observation.coords else index)


def _samples(array: xr.DataArray) -> NDArray[np.float64]:
    """Values over seeds, shape (seeds, ...)."""
    if SEED not in array.dims:
        array = array.expand_dims(SEED)
    return array.transpose(SEED, ...).values.astype(np.float64)


def _share(axes: Axes, scene: Scene, where: Where, unit: float, index: int, label: str) -> None:
    looks = {name: value for name, value in style.marks(index).items() if name not in ("capsize", "elinewidth")}
    if "inside" not in scene.observation:
        axes.plot([], [], label=label, **looks)
        return
    control = str(getattr(scene.law.claim, "control", "control"))
    x = _at(coordinate(scene.observation, control), where).values.astype(np.float64) / unit
    seen = _samples(_at(scene.observation["inside"], where)).mean(axis=0)
    axes.plot(np.broadcast_to(x, seen.shape), seen, label=label, **looks)
