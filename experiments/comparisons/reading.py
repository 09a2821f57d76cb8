"""What a comparison reads of an observation: its variables, as columns of samples over seeds, with their labels."""

import itertools
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

SEED = "seed"


def columns(array: xr.DataArray, kept: tuple[str, ...]) -> tuple[NDArray[Any], list[str], dict[str, int]]:
    """Values with the kept dimensions first and all others flattened into one last axis, labelled.

    Returns
    -------
    values : shape (*kept sizes, columns)
    labels : one for each column
    others : sizes of the flattened dimensions
    """
    others = [str(dim) for dim in array.dims if dim not in kept]
    ordered = array.transpose(*kept, *others)
    sizes = {dim: array.sizes[dim] for dim in others}
    values = ordered.values.reshape(*(array.sizes[dim] for dim in kept), -1)
    return values, labels_of(array, others), sizes


def flattened(array: xr.DataArray, sizes: dict[str, int]) -> NDArray[np.float64]:
    """Values broadcast to the flattened dimensions that :func:`columns` gave."""
    extra = [str(dim) for dim in array.dims if dim not in sizes]
    if extra:
        raise ValueError(f"compare: what the claim predicts depends on {', '.join(extra)}; it must not; sort it out")
    values = array.transpose(*(dim for dim in sizes if dim in array.dims)).values
    shape = [size if dim in array.dims else 1 for dim, size in sizes.items()]
    return np.broadcast_to(values.reshape(shape), tuple(sizes.values())).reshape(-1)


def labels_of(array: xr.DataArray, dims: list[str]) -> list[str]:
    """Text of the coordinates at each combination of positions along the dimensions."""
    names = []
    for dim in dims:
        along = [name for name, held in array.coords.items() if held.dims == (dim,)]
        if dim in array.coords:
            along = [dim]
        words = [[f"{name}={_text(value)}" for value in array.coords[name].values] for name in along]
        if words:
            names.append([", ".join(group) for group in zip(*words, strict=True)])
        else:
            names.append([f"{dim} {index}" for index in range(array.sizes[dim])])
    return [", ".join(group) for group in itertools.product(*names)]


def seeded(array: xr.DataArray) -> xr.DataArray:
    """The array with a seed dimension, of one seed where it had none."""
    return array if SEED in array.dims else array.expand_dims(SEED)


def need(observation: xr.Dataset, name: str, kind: str) -> xr.DataArray:
    """Variable or coordinate of the observation.

    Raises
    ------
    ValueError
        If it is not there.
    """
    if name not in observation.variables:
        have = ", ".join(str(key) for key in observation.variables)
        raise ValueError(f"compare: a {kind} needs {name}; the observation has {have}; let observe give it")
    return observation[name]


def uncertainty(observation: xr.Dataset) -> xr.DataArray:
    """The variable ``bound`` of what was measured without chance.

    Raises
    ------
    ValueError
        If some of it is negative: an interval would be turned inside out.
    """
    bound = observation["bound"].astype(np.float64)
    if bool((bound < 0).any()):
        raise ValueError(
            f"compare: bound {float(bound.min()):.3g} is negative; the uncertainty of a number is at least 0"
        )
    return bound


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
