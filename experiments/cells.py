"""The cells of a grid: each point of its axes, times each block of seeds; and the states that they go
through.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.study import Grid

TODO, RUNNING, DONE, DIVERGED, FAILED, ABSENT = range(6)
STATUSES = ("todo", "running", "done", "diverged", "failed", "absent")
SEED = "seed"


@dataclass(frozen=True)
class CellPlace:
    """One cell: a point of the axes and a block of seeds."""

    index: int
    values: Mapping[str, Any]
    position: tuple[int, ...]
    seeds: slice
    ids: tuple[int, ...]

    @property
    def region(self) -> tuple[int | slice, ...]:
        """Where it lies in an array whose first dimensions are the axes and ``seed``."""
        return (*self.position, self.seeds)


def cells(grid: Grid, seeds: int, first_seed: int) -> Iterator[CellPlace]:
    """All cells of a grid in order, those left out by ``keep`` excepted.

    Examples
    --------
    >>> [(cell.values, cell.ids) for cell in cells(Grid({"beta": (1, 2)}, block=2), 3, 10)][1:]
    [({'beta': 1}, (12,)), ({'beta': 2}, (10, 11)), ({'beta': 2}, (12,))]
    """
    block = grid.block or seeds
    index = 0
    for position in itertools.product(*(range(len(values)) for values in grid.axes.values())):
        point = {name: grid.axes[name][at] for name, at in zip(grid.axes, position, strict=True)}
        if grid.keep is not None and not grid.keep(point):
            continue
        for start in range(0, seeds, block):
            stop = min(start + block, seeds)
            ids = tuple(range(first_seed + start, first_seed + stop))
            yield CellPlace(index, point, position, slice(start, stop), ids)
            index += 1


def cell_text(cell: CellPlace) -> str:
    """Name of a cell in words: its coordinates and seeds."""
    point = ", ".join(f"{name}={value}" for name, value in cell.values.items())
    first, last = min(cell.ids), max(cell.ids)
    seeds = f"seeds {first} to {last}" if first < last else f"seed {first}"
    return f"{point}, {seeds}" if point else seeds
