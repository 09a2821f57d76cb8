"""One Zarr store per study: cells are written whole, then marked; the fingerprint says what they belong to."""

from pathlib import Path

import xarray as xr


def store_path(out: Path, study: str) -> Path:
    """Place of a study's store: ``out/STUDY.zarr``."""
    return out / f"{study}.zarr"


def assemble(path: Path) -> xr.Dataset:
    """The stored Dataset: cell axes, ``seed``, inner dimensions, and ``status``."""
    raise NotImplementedError
