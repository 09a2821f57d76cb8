"""What a picture is drawn from, and the series into which an observation falls."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from experiments.comparison import Comparison
from numerics.intervals import interval
from theory.law import Law

SEED = "seed"
LOGARITHM = "log"


@dataclass(frozen=True, eq=False)
class Scene:
    """One law with its data: ``predicted`` holds the claim's expressions at the observation's inputs."""

    law: Law
    comparison: Comparison
    observation: xr.Dataset
    predicted: Mapping[str, xr.DataArray] = field(default_factory=dict)
    controls: tuple[tuple[str, Comparison], ...] = ()

    @property
    def level(self) -> float:
        """Confidence level of the intervals, the one that the comparison used."""
        return next((part.level for part in self.comparison.parts if part.level is not None), 0.99)

    @property
    def control(self) -> str:
        """Name of the claim's control."""
        return str(getattr(self.law.claim, "control", ""))

    def side(self, name: str) -> xr.DataArray:
        """A side of an identity or a bound: measured, or evaluated from the claim where it was not."""
        return self.observation[name] if name in self.observation.variables else self.predicted[name]

    def reach(self, value: xr.DataArray | np.ndarray | float) -> Any:
        """Half-width of the margin's band round a predicted value."""
        margin = self.comparison.margin
        return abs(value) * margin.value if margin.relative else abs(value) * 0 + margin.value

    def axis_name(self, name: str, otherwise: str = "", unit: bool = True) -> str:
        """Meaning and unit of a coordinate, variable or symbol, as an axis label; a ratio of two has no unit.

        An array whose attribute ``scale`` is ``log`` holds natural logarithms of what the law speaks of.
        """
        if not name:
            return otherwise
        meaning, units = otherwise, ""
        if name in self.observation.variables:
            described = self.observation[name].attrs
            meaning = described.get("long_name", meaning)
            units = described.get("units", units)
        spoken = getattr(self.law.claim, "quantity", None) if name == "measured" else None
        for quantity in self.law.quantities:  # the law's own words come first
            if quantity.name == name:
                meaning, units = f"{quantity.meaning} ({name})", quantity.unit
            elif spoken is not None and (quantity.symbol == spoken or quantity.name == type(spoken).__name__):
                meaning, units = quantity.meaning, quantity.unit
        if not meaning:
            meaning = str(spoken) if spoken is not None else name
            meaning = meaning.replace("_", " ") if meaning.isidentifier() else meaning
        logarithm = name in self.observation.variables and self.observation[name].attrs.get("scale") == LOGARITHM
        words = f"log of {meaning}" if logarithm else meaning
        return words if units in ("", "1") or not unit else f"{words} [{units}]"


@dataclass(frozen=True, eq=False)
class Series:
    """One curve: ``samples`` has shape (seeds, points), ``x`` and ``predicted`` have shape (points,)."""

    label: str
    x: NDArray[np.float64]
    samples: NDArray[np.float64]
    predicted: NDArray[np.float64] | None = None

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean over seeds."""
        return self.samples.mean(axis=0)

    def reach(self, level: float) -> NDArray[np.float64]:
        """Distances (2, points) from the mean to the ends of its t interval; zero for a single seed."""
        if len(self.samples) < 2 or not np.all(np.isfinite(self.samples)):
            return np.zeros((2, len(self.x)))
        found = interval(self.samples, level)
        return np.stack([found.estimate - found.low, found.high - found.estimate])


def coordinate(data: xr.DataArray | xr.Dataset, name: str) -> xr.DataArray:
    """Coordinate or variable by name.

    Raises
    ------
    ValueError
        If the observation lacks it.
    """
    if name in data.coords or (isinstance(data, xr.Dataset) and name in data):
        return data[name]
    raise ValueError(f"picture: the observation has no coordinate {name}; let observe give it")


def longest_numeric(data: xr.DataArray) -> str | None:
    """Name of the numeric coordinate with the most levels among the dimensions other than seed, or None."""
    candidates = [
        (data.sizes[str(dim)], str(dim))
        for dim in data.dims
        if dim != SEED and data.sizes[dim] > 1 and dim in data.coords and data[dim].dtype.kind in "iuf"
    ]
    return max(candidates, key=lambda pair: pair[0])[1] if candidates else None


def series(data: xr.DataArray, along: str | None, predicted: xr.DataArray | None = None) -> list[Series]:
    """Split an array into curves along one coordinate: every other dimension but seed is a label.

    Parameters
    ----------
    along
        Name of a one-dimensional coordinate, or None where there is no control: every value is then a
        curve of one point.
    """
    if SEED not in data.dims:
        data = data.expand_dims(SEED)
    dimension = str(coordinate(data, along).dims[0]) if along is not None else None
    labels = [str(dim) for dim in data.dims if dim not in (SEED, dimension)]
    if predicted is not None and SEED in predicted.dims:
        predicted = predicted.mean(SEED)
    expected = predicted.broadcast_like(data.isel({SEED: 0}, drop=True)) if predicted is not None else None
    curves = []
    for index in itertools.product(*(range(data.sizes[dim]) for dim in labels)):
        where = dict(zip(labels, index, strict=True))
        part = data.isel(where)
        samples = part.transpose(SEED, *([dimension] if dimension else [])).values.astype(np.float64)
        x = coordinate(part, along).values.astype(np.float64) if along is not None else np.zeros(1)
        order = np.argsort(x, kind="stable")
        if dimension is None:
            samples = samples[:, None]
        line = None
        if expected is not None:
            line = np.atleast_1d(expected.isel(where).values.astype(np.float64))[order]
        curves.append(Series(_label(part, labels, where), x[order], samples[:, order], line))
    return curves


def _label(part: xr.DataArray, dims: list[str], where: Mapping[str, int]) -> str:
    words = []
    for dim in dims:
        value = part[dim].values[()] if dim in part.coords else where[dim]
        words.append(f"{dim} = {number(value)}")
    return ", ".join(words)


def number(value: object) -> str:
    """Short text of a coordinate's value.

    Examples
    --------
    >>> number(0.25), number(np.int64(16384)), number("disjoint"), number(1e-8)
    ('0.25', '16384', 'disjoint', '1e-08')
    """
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return f"{float(value):.6g}"
    return str(value)
