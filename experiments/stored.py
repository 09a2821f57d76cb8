"""Reading a study's store: where it lies, what it says of itself, and its Dataset."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import xarray as xr

_ATTRIBUTES = {
    "components": dict, "seeds": int, "first_seed": int, "seed_set": int, "versions": dict,
    "failures": dict, "ready": bool,
}  # fmt: skip
"""What a run reads of a store's attributes, by kind; a file without them is no store of ours."""


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
        raise ValueError(f"store: there is no store at {path}; run assay verify first")
    with readable(path), xr.open_zarr(path, chunks=None, consolidated=False) as stored:
        return stored.load()


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say in one sentence that a store's files are damaged, whatever the libraries below make of them."""
    try:
        yield
    except (KeyError, TypeError, RuntimeError, ValueError, EOFError) as error:
        raise ValueError(
            f"store: {path} is damaged and cannot be read ({type(error).__name__}); measure it again "
            "by assay verify --fresh, or pass another --out"
        ) from error
