"""The quick grid of a study, measured without a store."""

from itertools import product

import numpy as np
import xarray as xr

from experiments.study import Replicates


def quick(study):
    """One Dataset of all cells, as the store would assemble it."""
    grid = study.grids["quick"]
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    data = study.data() if study.data else None
    cells = []
    for values in product(*grid.axes.values()):
        cell = dict(zip(grid.axes, values, strict=True))
        replicates = Replicates(study.name, cell, tuple(range(grid.seeds)))
        found = study.measure(replicates=replicates, data=data, **cell, **inner, **grid.settings)
        arrays = {name: (study.variables[name].dims, np.asarray(array)) for name, array in found.items()}
        cells.append(xr.Dataset(arrays, coords=inner).expand_dims({k: [v] for k, v in cell.items()}))
    return xr.combine_by_coords(cells) if grid.axes else cells[0]
