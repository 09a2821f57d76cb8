"""Files that appear whole or not at all."""

import os
import uuid
from contextlib import suppress
from pathlib import Path


def new_beside(place: Path, content: bytes) -> Path:
    """Write a new file in the folder of ``place``, readable by whom the process's mask allows, and say where it is."""
    path = place.with_name(f"{place.name}.{uuid.uuid4().hex}")
    try:
        with path.open("xb") as file:
            file.write(content)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    return path


def write_bytes(place: Path, content: bytes) -> None:
    """Write a file in one step, so that a reader sees the old content or the new one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    path = new_beside(place, content)
    try:
        os.replace(path, place)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def write_text(place: Path, text: str) -> None:
    """Write a text as :func:`write_bytes` does."""
    write_bytes(place, text.encode())
