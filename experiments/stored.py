"""Reading a study's store: where it lies, what it says of itself, and its Dataset."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
import zarr

from experiments.cells import DIVERGED, DONE, SEED

_ATTRIBUTES = {
    "components": dict, "seeds": int, "first_seed": int, "seed_set": int, "versions": dict,
    "failures": dict, "ready": bool, "profile": str, "grid": str,
}  # fmt: skip
"""What a run reads of a store's attributes, by kind; a file without them is no store of ours."""

ALWAYS = ("status", "wall_seconds", SEED)
"""Arrays of every store."""


def store_path(out: Path, study: str) -> Path:
    """Place of a study's store: ``out/STUDY.zarr``."""
    return out / f"{study}.zarr"


def read_attributes(path: Path) -> dict[str, Any] | None:
    """Attributes of a store; None where there is no store of ours."""
    try:
        attributes = json.loads((path / ".zattrs").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ours = isinstance(attributes, dict) and all(
        type(attributes.get(name)) is kind for name, kind in _ATTRIBUTES.items()
    )
    return attributes if ours else None


def assemble(path: Path) -> xr.Dataset:
    """The stored Dataset in memory: cell axes, ``seed``, inner dimensions, ``status`` and ``wall_seconds``.

    Raises
    ------
    ValueError
        If there is no store, or it is damaged.
    """
    if read_attributes(path) is None:
        if (path / ".zgroup").exists():
            raise _damaged(path, "its attributes are gone")
        raise ValueError(f"store: there is no store at {path}; run assay verify first")
    require_arrays(path, _listed(path))
    with readable(path), xr.open_zarr(path, chunks=None, consolidated=False) as stored:
        stored.variables["status"].load()  # first: what a run beside this one marks done meanwhile is not asked for
        dataset = stored.load()
        group = zarr.open_group(path, mode="r", zarr_format=2, use_consolidated=False)
    require_chunks(path, group, dataset["status"].values)
    with readable(path):
        lost = _lost(dataset)
    if lost:
        raise _damaged(path, f"its array {lost} is not as it was written")
    return dataset


def _lost(dataset: xr.Dataset) -> str:
    """An array that is not as it was written, empty where none is: a file that is gone reads as zeros or NaN.

    Coordinates must be the grid's and the seeds', what was measured has the cells' dimensions, and where it is marked
    done it is finite.
    """
    grid, first = json.loads(dataset.attrs["grid"]), dataset.attrs["first_seed"]
    coordinates = {**grid["axes"], **grid["inner"], SEED: range(first, first + dataset.attrs["seeds"])}
    changed = [name for name, values in coordinates.items() if not np.array_equal(dataset[name], list(values))]
    done = dataset["status"] == DONE
    measured = [str(name) for name, array in dataset.items() if array.dtype.kind == "f" and SEED in array.dims]
    axes = dataset["status"].dims
    strange = [str(name) for name, array in dataset.items() if array.dims[: len(axes)] != axes]
    holed = [name for name in measured if bool((done & ~np.isfinite(dataset[name])).any())]
    return next(iter([*changed, *strange, *holed]), "")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say in one sentence that a store's files are damaged, whatever the libraries below make of them."""
    try:
        yield
    except (KeyError, TypeError, RuntimeError, ValueError, EOFError, ArithmeticError) as error:
        raise _damaged(path, type(error).__name__) from error


def require_arrays(path: Path, names: Iterable[str]) -> None:
    """Refuse a store that lacks ``status``, ``wall_seconds``, its seeds or another array that it should hold.

    Raises
    ------
    ValueError
        If one is gone: what is left would be told as if nothing had been lost.
    """
    for name in (*ALWAYS, *names):
        if not (path / name / ".zarray").is_file():
            raise _damaged(path, f"its array {name} is gone")


def require_chunks(path: Path, group: zarr.Group, status: np.ndarray) -> None:
    """Refuse a store in which what its cells' states say was written is not there.

    Zeros would be read in the place of a file that is gone, or NaN. A store of an earlier version, which does not say
    ``all_written``, lacks files of zeros by rights, and none is asked of it.

    Raises
    ------
    ValueError
        If a file is gone, or if the store says that it was never laid out, upon which a run would lay it out anew.
    """
    written = np.argwhere(np.isin(status, (DONE, DIVERGED)))
    if len(written) and not group.attrs["ready"]:
        raise _damaged(path, "its attributes are older than its numbers")
    if not group.attrs.get("all_written"):
        return
    with readable(path):
        names = sorted(place.parent.name for place in path.glob("*/.zarray")) if len(written) else ("status",)
        lost = next((name for name in names if _lacks(path / name, group[name], written)), "")
    if lost:
        raise _damaged(path, f"numbers of its array {lost} are gone")


def _lacks(folder: Path, array: Any, written: np.ndarray) -> bool:
    """Whether an array lacks a file that covers a written cell, or its only one where it has no cells."""
    of_cells = SEED in array.attrs["_ARRAY_DIMENSIONS"] and folder.name not in (SEED, "status")
    chunks = written // array.chunks[: written.shape[1]] if of_cells else np.zeros((1, 0), dtype=int)
    inner = [0] * (array.ndim - chunks.shape[1])
    there = {file.name for file in folder.iterdir()}
    return array.size > 0 and any(".".join(map(str, [*at, *inner])) not in there for at in np.unique(chunks, axis=0))


def _listed(path: Path) -> tuple[str, ...]:
    """Arrays of the store's own list; none where it cannot be read, since the next run writes it anew."""
    try:
        listed = json.loads((path / ".zmetadata").read_text(encoding="utf-8"))["metadata"]
        return tuple(name.removesuffix("/.zarray") for name in listed if name.endswith("/.zarray"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def _damaged(path: Path, why: str) -> ValueError:
    return ValueError(
        f"store: {path} is damaged and cannot be read ({why}); measure it again by assay verify --fresh, or pass "
        "another --out"
    )
