"""The two schemes of sampling, by the name that the grids use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from numerics.subsets import Sampler, distinct, every_subset, every_tuple, independent


@dataclass(frozen=True)
class Scheme:
    """How batches are drawn, how all are listed, and the indicator by which the laws know the scheme."""

    draw: Sampler
    every: Callable[[int, int], np.ndarray]
    indicator: int


SCHEMES: Mapping[str, Scheme] = {
    "distinct": Scheme(distinct, every_subset, 1),
    "independent": Scheme(independent, every_tuple, 0),
}


def seen(growth: xr.DataArray) -> xr.DataArray:
    """1 where the distance did not grow, 0 where it grew, NaN where nothing was measured.

    Examples
    --------
    >>> seen(xr.DataArray([0.5, 1.0, np.inf, np.nan])).values.tolist()
    [1.0, 1.0, 0.0, nan]
    """
    return (growth <= 1).astype(np.float64).where(growth.notnull())


def indicators(names: np.ndarray) -> list[int]:
    """1 for the scheme without replacement, 0 for that with replacement.

    Examples
    --------
    >>> indicators(np.array(["independent", "distinct"]))
    [0, 1]
    """
    return [SCHEMES[str(name)].indicator for name in names]
