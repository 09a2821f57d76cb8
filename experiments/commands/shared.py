"""What several verbs share: the results' folder, JSON on stdout, plain columns."""

import argparse
import errno
import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory import registry

if TYPE_CHECKING:
    from theory.law import Law

RESULTS = "assay-results"
LAWS_OR_TOPICS = f"names of 'assay laws', or topics: {', '.join(registry.TOPICS)} (default: all)"

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
"""What a system says where a file cannot be written."""


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add ``--out DIR``."""
    parser.add_argument(
        "--out",
        type=a_path,
        default=Path(RESULTS),
        metavar="DIR",
        help=f"folder of the results (default: {RESULTS})",
    )


def a_path(text: str) -> Path:
    """A path that names something, for argparse."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r} names nothing; write a path, such as {RESULTS}")
    return Path(text)


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def chosen(verb: str, names: Sequence[str]) -> "tuple[Law, ...]":
    """Laws of a list of names and topics, all for an empty one; a mistake is told before anything slow is imported.

    Raises
    ------
    ValueError
        For an unknown name, with the nearest known one; for a paper's figure, with what draws it.
    """
    refuse_figures(verb, names)
    return registry.select(tuple(names))


def refuse_figures(verb: str, names: Iterable[str]) -> None:
    """Say of a paper's figure, where a law is needed, what draws it."""
    for name in names:
        if name.partition(".")[2].startswith("figure"):
            from experiments.figures import figures

            if name in figures():
                raise ValueError(f"{verb}: {name} is a figure, not a law; 'assay plot {name}' draws it")


def require_writable(verb: str, out: Path) -> None:
    """Refuse a results folder that cannot be made or written; nothing is made here.

    Raises
    ------
    ValueError
        With one sentence.
    """
    there = out.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir():
        raise ValueError(f"{verb}: {there} is no folder, so {out} cannot be made; pass another --out")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(f"{verb}: {there} cannot be written; pass another --out")


@contextmanager
def writing(verb: str, out: Path, kept: str = "") -> Iterator[None]:
    """Say in one sentence that a results folder cannot be written (a full disk, say) where the block finds it so."""
    try:
        yield
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        raise ValueError(
            f"{verb}: {out} cannot be written ({error.strerror or error}); make room there or pass another --out{kept}"
        ) from error


def print_json(value: Any) -> None:
    """Print one JSON object; numbers that JSON lacks (NaN, infinities) become null."""
    escaped = not unicode(getattr(sys.stdout, "encoding", None))
    json.dump(finite(value), sys.stdout, indent=2, ensure_ascii=escaped, allow_nan=False)
    sys.stdout.write("\n")


def unicode(encoding: str | None) -> bool:
    """Whether an encoding has every character; a stream without one keeps text as it is.

    Examples
    --------
    >>> unicode("UTF-8"), unicode("ascii"), unicode(None)
    (True, False, True)
    """
    return encoding is None or encoding.lower().replace("-", "").replace("_", "").startswith("utf")


def finite(value: Any) -> Any:
    """Copy of a JSON-like value with null for every number that is not finite.

    Examples
    --------
    >>> finite({"low": float("-inf"), "n": [1, 2.5]})
    {'low': None, 'n': [1, 2.5]}
    """
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def columns(rows: Iterable[Sequence[str]], indent: str = "") -> str:
    """Rows as aligned columns.

    Examples
    --------
    >>> print(columns([("a", "bb"), ("ccc", "d")]))
    a    bb
    ccc  d
    """
    table = [tuple(row) for row in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))] if table else []
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table)
    return "\n".join((indent + line).rstrip() for line in lines)
