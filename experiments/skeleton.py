"""How a store is laid out on disk: Zarr format 2, which xarray writes and opens silently."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import zarr

from experiments.cells import ABSENT, SEED, STATUSES, TODO, cells
from experiments.fingerprint import Fingerprint, grid_text
from experiments.provenance import axis_attributes, machine, versions
from experiments.study import Grid, Profile, Study


def create_store(
    path: Path,
    study: Study,
    profile: Profile,
    grid: Grid,
    fingerprint: Fingerprint,
    seeds: int,
    first: int,
    number: int,
) -> None:
    """Build the skeleton beside its place and move it there in one step."""
    partial = path.with_name(path.name + ".partial")
    group: Any = zarr.open_group(partial, mode="w", zarr_format=2)
    lengths = tuple(len(values) for values in grid.axes.values())
    for name, values in {**grid.axes, **grid.inner}.items():
        create_coordinate(group, name, np.array(_plain_axis(values)), axis_attributes(study, name))
    create_coordinate(group, SEED, np.arange(first, first + seeds), axis_attributes(study, SEED))
    dims = (*grid.axes, SEED)
    flags = {"flag_values": list(range(len(STATUSES))), "flag_meanings": " ".join(STATUSES)}
    status = np.full((*lengths, seeds), ABSENT, dtype=np.int8)
    for cell in cells(grid, seeds, first):
        status[cell.region] = TODO
    create_array(
        group,
        "status",
        status.shape,
        status.dtype,
        dims,
        {"units": "1", "long_name": "state of the cell", **flags},
    )
    put(group, "status", ..., status)
    seconds = {"units": "s", "long_name": "the seed's share of its cell's wall time"}
    create_array(group, "wall_seconds", status.shape, np.dtype(np.float64), dims, seconds)
    group.attrs.update(
        {
            "study": study.name,
            "title": study.title,
            "laws": [check.law for check in study.checks],
            "profile": profile,
            "grid": grid_text(grid),
            "fingerprint": fingerprint.digest,
            "components": dict(fingerprint.components),
            "data": fingerprint.data_name,
            "seeds": seeds,
            "first_seed": first,
            "seed_set": number,
            "versions": versions(),
            "device": machine(),
            "dtype": study.precision,
            "reduction": study.reduction,
            "total_seconds": 0.0,
            "failures": {},
            "ready": False,
            "all_written": True,
        }
    )
    zarr.consolidate_metadata(partial, zarr_format=2)
    partial.rename(path)


def create_array(
    group: Any,
    name: str,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    dims: tuple[str, ...],
    attributes: Mapping[str, Any],
    chunks: tuple[int, ...] | None = None,
) -> None:
    """Make an array in a store that xarray opens: dimensions named, unwritten numbers NaN, one chunk unless told."""
    group.create_array(
        name,
        shape=shape,
        dtype=dtype,
        chunks=tuple(max(1, size) for size in (chunks or shape)),
        # xarray would read another fill value as "missing" and turn whole numbers into floats.
        fill_value=np.nan if dtype.kind == "f" else None,
        attributes={**attributes, "_ARRAY_DIMENSIONS": list(dims)},
    )


def create_coordinate(group: Any, name: str, values: np.ndarray, attributes: Mapping[str, Any]) -> None:
    """Make the coordinate of an axis, with its values."""
    create_array(group, name, values.shape, values.dtype, (name,), attributes)
    put(group, name, ..., values)


def put(group: Any, name: str, region: Any, values: Any) -> None:
    """Write a region of an array. Chunks of zeros or NaN only are files too, so that one that is lost can be told."""
    with zarr.config.set({"array.write_empty_chunks": True}):
        group[name][region] = values


def _plain_axis(values: tuple[Any, ...]) -> list[Any]:
    """Numbers stay; anything else is written as text."""
    if all(isinstance(value, (bool, int, float, np.number, np.bool_)) for value in values):
        return [value for value in values]
    return [str(value) for value in values]
