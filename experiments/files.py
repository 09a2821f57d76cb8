"""Files that appear whole or not at all."""

import os
import uuid
from contextlib import suppress
from pathlib import Path


def new_beside(place: Path, text: str) -> Path:
    """Write a new file in the folder of ``place``, readable by whom the process's mask allows, and say where it is."""
    path = place.with_name(f"{place.name}.{uuid.uuid4().hex}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    return path


def write_text(place: Path, text: str) -> None:
    """Write a file in one step, so that a reader sees the old text or the new one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    path = new_beside(place, text)
    try:
        os.replace(path, place)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
