"""Reading a study's store: where it lies, what it says of itself, and its Dataset."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import xarray as xr

from experiments.cells import SEED

_ATTRIBUTES = {
    "components": dict, "seeds": int, "first_seed": int, "seed_set": int, "versions": dict,
    "failures": dict, "ready": bool,
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
        raise ValueError(f"store: there is no store at {path}; run assay verify first")
    require_arrays(path, _listed(path))
    with readable(path), xr.open_zarr(path, chunks=None, consolidated=False) as stored:
        return stored.load()


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say in one sentence that a store's files are damaged, whatever the libraries below make of them."""
    try:
        yield
    except (KeyError, TypeError, RuntimeError, ValueError, EOFError) as error:
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
