"""A study's grid, measured without a store, and what its laws lack there."""

from itertools import product

import numpy as np
import xarray as xr

from experiments.comparison import Verdict
from experiments.registry import check_of
from experiments.study import Grid, Replicates, Study
from experiments.verdict import judge
from theory.registry import laws


def measured(study: Study, grid: Grid) -> xr.Dataset:
    """One Dataset of all cells of a grid, as the store would assemble it."""
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    data = study.data() if study.data else None
    ids = tuple(range(grid.first_seed, grid.first_seed + grid.seeds))
    cells = []
    for values in product(*grid.axes.values()):
        cell = dict(zip(grid.axes, values, strict=True))
        if grid.keep is not None and not grid.keep(cell):
            continue
        found = study.measure(replicates=Replicates(study.name, cell, ids), data=data, **cell, **inner, **grid.settings)
        arrays = {name: (study.variables[name].dims, np.asarray(array)) for name, array in found.items()}
        cells.append(xr.Dataset(arrays, coords=inner).expand_dims({k: [v] for k, v in cell.items()}))
    return xr.combine_by_coords(cells, join="outer") if grid.axes else cells[0]


def quick(study: Study) -> xr.Dataset:
    """The quick grid of a study."""
    return measured(study, study.grids["quick"])


def shortcomings(name: str, dataset: xr.Dataset) -> list[str]:
    """What a law lacks on a Dataset to *agree* with every control caught; it has at least one control."""
    study, check = check_of(name)
    result = judge(laws()[name], study, check, dataset)
    lacking = [] if result.verdict is Verdict.AGREES else [f"{result.verdict}: {result.comparison or result.note}"]
    return (
        lacking + [f"silent: {c.name}" for c in result.controls if not c.fires] + ["no control"] * (not result.controls)
    )
