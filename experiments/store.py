"""One Zarr store per study: cells are written whole, then marked; the fingerprint says what they belong to.

Dimensions of a stored variable: the grid's axes, ``seed``, then the variable's own. ``status`` and
``wall_seconds`` have the axes and ``seed``. A cell's arrays are written before its status, each file by an
atomic rename, so a run that is killed at any moment leaves every cell either as it was or complete. Only
one process writes. Zeros are written as all else is, so that a file that is lost is told.

Seeds: a store holds one set of replicates, numbers ``first_seed`` to ``first_seed + seeds - 1``. A run
that asks for another number of seeds starts a new set behind the old one, in a new store; the old store
moves to ``OUT/earlier`` and is never pooled with the new one. A run that asks for no number wants at least
the grid's: it continues a set of as many or more, and starts a new one behind a smaller one.
"""

import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import zarr

from experiments.cells import (
    DIVERGED,
    DONE,
    FAILED,
    RUNNING,
    SEED,
    STATUSES,
    TODO,
    CellPlace,
    cell_text,
    cells,
)
from experiments.fingerprint import Fingerprint
from experiments.provenance import axis_attributes, versions
from experiments.skeleton import create_array, create_coordinate, create_store, put
from experiments.stored import read_attributes, readable, require_arrays, require_chunks, store_path
from experiments.study import Grid, Profile, Study

ONE_CHUNK = 1 << 18
"""Variables of up to this many bytes are kept in one chunk: fewer files, and rewriting it is cheap."""


class Store:
    """An open store of one study, to which one run writes."""

    def __init__(self, path: Path, study: Study, grid: Grid) -> None:
        self.path, self.study, self.grid = path, study, grid
        with readable(path):
            self.group: Any = zarr.open_group(path, mode="r+", zarr_format=2, use_consolidated=False)
            attributes: dict[str, Any] = dict(self.group.attrs)
            self.seeds, self.first_seed = int(attributes["seeds"]), int(attributes["first_seed"])
        require_arrays(path, (*grid.axes, *grid.inner, *(study.variables if attributes["ready"] else ())))
        with readable(path):
            self.status = np.asarray(self.group["status"][...])
        require_chunks(path, self.group, self.status)
        if not attributes["ready"]:
            self._clear()
        with readable(path):
            self.status[self.status == RUNNING] = TODO
            self._keep_status()

    @property
    def cells(self) -> tuple[CellPlace, ...]:
        """All cells, in the grid's order."""
        return tuple(cells(self.grid, self.seeds, self.first_seed))

    def pending(self) -> tuple[CellPlace, ...]:
        """Cells that are still to be measured; those that failed are tried again."""
        return tuple(cell for cell in self.cells if np.isin(self.status[cell.region], (TODO, FAILED)).any())

    def start(self, cell: CellPlace) -> None:
        """Mark a cell as being measured."""
        self._mark(cell, RUNNING)

    def put_back(self) -> None:
        """Mark every cell that is being measured as not measured."""
        if (self.status == RUNNING).any():
            self.status[self.status == RUNNING] = TODO
            self._keep_status()

    def write(self, cell: CellPlace, arrays: Mapping[str, np.ndarray], seconds: float) -> str:
        """Write a cell whole, then mark it; returns its status.

        Raises
        ------
        ValueError
            If the arrays are not what the study declares; nothing is written then.
        """
        ready = {name: _storable(name, np.asarray(array)) for name, array in arrays.items()}
        self._check(cell, ready)
        if not self.group.attrs["ready"]:
            self._lay_out(ready)
        diverged = np.zeros(len(cell.ids), dtype=bool)
        for name, array in ready.items():
            target: Any = self.group[name]
            if target.shape[len(self.grid.axes) + 1 :] != array.shape[1:]:
                raise ValueError(
                    f"{self.study.name}: {name} has shape {array.shape} in this cell and (seed, "
                    f"{', '.join(map(str, target.shape[len(self.grid.axes) + 1 :]))}) in others; "
                    "return one shape"
                )
            if array.dtype.kind == "f":
                diverged |= ~np.isfinite(array.reshape(len(cell.ids), -1)).all(axis=1)
        for name, array in ready.items():
            put(self.group, name, cell.region, array)
        share = np.full(len(cell.ids), seconds / len(cell.ids))
        put(self.group, "wall_seconds", cell.region, share)
        self._mark(cell, np.where(diverged, DIVERGED, DONE).astype(np.int8))
        self._forget_failure(cell)
        return STATUSES[DIVERGED if diverged.any() else DONE]

    def fail(self, cell: CellPlace, message: str) -> None:
        """Mark a cell as failed and keep the message."""
        failures = {**self.group.attrs["failures"], cell_text(cell): message}
        self.group.attrs["failures"] = failures
        self._mark(cell, FAILED)

    def close(self) -> None:
        """Put back what is in flight, add up the seconds, and consolidate."""
        with readable(self.path):
            self.put_back()
            spent = np.asarray(self.group["wall_seconds"][...])
            self.group.attrs["total_seconds"] = round(float(np.nansum(spent)), 3)
            zarr.consolidate_metadata(self.path, zarr_format=2)

    def _clear(self) -> None:
        """Remove variables that a killed run was laying out: nothing was written to them yet."""
        kept = {*self.grid.axes, *self.grid.inner, SEED, "status", "wall_seconds"}
        for folder in self.path.iterdir():
            if folder.is_dir() and folder.name not in kept:
                shutil.rmtree(folder)

    def _check(self, cell: CellPlace, arrays: Mapping[str, np.ndarray]) -> None:
        who, declared = self.study.name, self.study.variables
        if set(arrays) != set(declared):
            raise ValueError(f"{who}: measure returned {sorted(arrays)}; the study declares {sorted(declared)}")
        sizes = {SEED: len(cell.ids), **{name: len(values) for name, values in self.grid.inner.items()}}
        for name, array in arrays.items():
            dims = declared[name].dims
            if array.ndim != len(dims):
                raise ValueError(f"{who}: {name} has shape {array.shape}; the study declares dimensions {dims}")
            for dim, size in zip(dims, array.shape, strict=True):
                if sizes.setdefault(dim, size) != size:
                    raise ValueError(f"{who}: {name} has {size} entries along {dim}; {sizes[dim]} are expected")

    def _lay_out(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Create the variables' arrays from the shapes of the first measured cell."""
        axes = tuple(self.grid.axes)
        lengths = tuple(len(values) for values in self.grid.axes.values())
        for name, array in arrays.items():
            declared = self.study.variables[name]
            shape = (*lengths, self.seeds, *array.shape[1:])
            whole = math.prod(shape) * array.dtype.itemsize <= ONE_CHUNK
            block = min(self.grid.block or self.seeds, self.seeds)
            chunks = shape if whole else (*(1 for _ in lengths), block, *array.shape[1:])
            create_array(
                self.group, name, shape, array.dtype, (*axes, *declared.dims),
                {"units": declared.units, "long_name": declared.long_name}, chunks,
            )  # fmt: skip
            for dim, size in zip(declared.dims[1:], array.shape[1:], strict=True):
                if dim not in self.group:
                    create_coordinate(self.group, dim, np.arange(size), axis_attributes(self.study, dim))
        self.group.attrs["ready"] = True
        zarr.consolidate_metadata(self.path, zarr_format=2)

    def _mark(self, cell: CellPlace, status: int | np.ndarray) -> None:
        self.status[cell.region] = status
        self._keep_status()

    def _keep_status(self) -> None:
        put(self.group, "status", ..., self.status)

    def _forget_failure(self, cell: CellPlace) -> None:
        failures = dict(self.group.attrs["failures"])
        if failures.pop(cell_text(cell), None) is not None:
            self.group.attrs["failures"] = failures


def open_store(
    out: Path,
    study: Study,
    profile: Profile,
    fingerprint: Fingerprint,
    *,
    seeds: int | None = None,
    fresh: bool = False,
) -> Store:
    """Open a study's store to continue it, or create it; the caller holds its lock.

    Raises
    ------
    ValueError
        If what is there belongs to another version of the study, its laws, its data or its grid, is no
        store, or is damaged.
    """
    path, grid = store_path(out, study.name), study.grids[profile]
    _sweep(path)
    stored = read_attributes(path) if path.exists() else None
    if path.exists() and stored is None and not fresh:
        raise ValueError(f"store: {path} is not a store of Assay; remove it, pass --fresh, or pass another --out")
    changes = _changes(stored, fingerprint, grid) if stored else ()
    if stored and changes and not fresh:
        other = stored.get("profile")
        where = f" (profile {other}, not {profile})" if other != profile else ""
        raise ValueError(
            f"store: {path} was made with another {' and '.join(changes)}{where}; pass --fresh to replace "
            "it, or another --out "
            "to keep it"
        )
    same = stored is not None and not changes
    wanted = seeds or (max(grid.seeds, int(stored["seeds"])) if stored and same and not fresh else grid.seeds)
    first, number = grid.first_seed, 1
    if stored and same and wanted != int(stored["seeds"]):
        first, number = int(stored["first_seed"]) + int(stored["seeds"]), int(stored["seed_set"]) + 1
    elif stored and same:
        first, number = int(stored["first_seed"]), int(stored["seed_set"])
    if path.exists() and fresh:
        _remove(path)
    elif stored and wanted != int(stored["seeds"]):
        earlier = out / "earlier" / f"{study.name}.{stored['seed_set']}.zarr"
        earlier.parent.mkdir(exist_ok=True)
        _remove(earlier)
        path.rename(earlier)
    if not path.exists():
        create_store(path, study, profile, grid, fingerprint, wanted, first, number)
    else:
        _note_resumption(path, study, fingerprint)
    return Store(path, study, grid)


def _changes(stored: Mapping[str, Any], fingerprint: Fingerprint, grid: Grid) -> tuple[str, ...]:
    """What differs from a stored fingerprint; seeds before those that are declared now were looked at already."""
    early = ("first seed",) if int(stored["first_seed"]) < grid.first_seed else ()
    return (*fingerprint.changes(stored["components"]), *early)


def _note_resumption(path: Path, study: Study, fingerprint: Fingerprint) -> None:
    with readable(path):
        group = zarr.open_group(path, mode="r+", zarr_format=2, use_consolidated=False)
    stored: dict[str, Any] = dict(group.attrs)
    components = {**stored["components"], **fingerprint.components}
    update: dict[str, Any] = {"components": components, "laws": [check.law for check in study.checks]}
    update |= {"fingerprint": Fingerprint(components).digest, "data": fingerprint.data_name}
    if versions() != stored["versions"]:
        update["resumed_with"] = versions()
    if any(stored.get(name) != value for name, value in update.items()):
        group.attrs.update(update)


def _storable(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} has dtype {array.dtype}; numbers and booleans can be stored; convert it")
    return array


def _sweep(path: Path) -> None:
    """Remove what a killed run left half made or half removed."""
    for ending in (".partial", ".removed"):
        shutil.rmtree(path.with_name(path.name + ending), ignore_errors=True)
    for leftover in path.rglob("*.partial"):
        leftover.unlink()


def _remove(path: Path) -> None:
    """Remove a store, or whatever lies in its place; of a link the link alone."""
    if path.is_dir() and not path.is_symlink():
        aside = path.with_name(path.name + ".removed")
        shutil.rmtree(aside, ignore_errors=True)
        path.rename(aside)
        shutil.rmtree(aside)
    elif path.exists() or path.is_symlink():
        path.unlink()
