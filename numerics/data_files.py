"""Data sets by path: .npz of images, .jsonl.gz of texts, and what lies in the folder of ``ASSAY_DATA``."""

import gzip
import json
import os
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from numerics.data import Data
from numerics.tokens import tokenise, vocabulary

ENVIRONMENT_VARIABLE = "ASSAY_DATA"
ARRAYS = ("x_train", "y_train", "x_test", "y_test")


def find_data_sets(folder: str | os.PathLike[str] | None = None) -> dict[str, Path]:
    """List the data files of a folder: name without ending -> path.

    Parameters
    ----------
    folder : where to look; None means the folder that the environment variable ``ASSAY_DATA`` names, and nothing is
        found where that is not set

    Errors
        FileNotFoundError where the named folder does not exist.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "tiny.npz").write_bytes(b""), (Path(folder) / "notes.md").write_bytes(b"")
    ...     list(find_data_sets(folder))
    ['tiny']
    """
    named = os.environ.get(ENVIRONMENT_VARIABLE) if folder is None else folder
    if not named:
        return {}
    place = Path(named)
    if not place.is_dir():
        source = f"{ENVIRONMENT_VARIABLE}={named}" if folder is None else f"{named}"
        raise FileNotFoundError(
            f"find_data_sets: {source} is not a folder; name one that holds .npz or .jsonl.gz files"
        )
    found = {}
    for path in sorted(place.iterdir()):
        for ending in READERS:
            if path.name.endswith(ending) and path.is_file():
                found[path.name.removesuffix(ending)] = path
    return found


def load(path: str | os.PathLike[str]) -> Data:
    """Load a data set by path: ``.npz`` through :func:`images`, ``.jsonl.gz`` through :func:`texts`.

    Errors
        ValueError for another ending; else as those functions.

    Examples
    --------
    >>> load("letters.csv")
    Traceback (most recent call last):
    ValueError: load: letters.csv ends in neither .npz nor .jsonl.gz; pass a file of one of these kinds
    """
    for ending, reader in READERS.items():
        if Path(path).name.endswith(ending):
            return reader(path)
    raise ValueError(
        f"load: {path} ends in neither {' nor '.join(READERS)}; pass a file of one of these kinds"
    )


def images(path: str | os.PathLike[str], classes: int | None = None) -> Data:
    """Load an .npz file with the arrays x_train, y_train, x_test, y_test; others in it are ignored.

    Parameters
    ----------
    path : the file; nothing in it is unpickled
    classes : the number of classes; None takes 1 + the largest training label, at least 2, and refuses one that
        is beyond the number of training rows

    Returns
    -------
    Data named after the file; images stay unsigned bytes, of shape (n, height, width) or (n, height, width,
    channels). Finite float arrays of shape (n, ...) are taken too.

    Errors
        FileNotFoundError where there is no such file; ValueError for a file that is truncated or no .npz, a
        missing array, and all that :class:`numerics.data.Data` refuses. One sentence each.
    """
    place = _existing("images", path)
    try:
        with place.open("rb") as stream:
            archive = np.load(stream, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ValueError("it holds a single array")
            missing = [name for name in ARRAYS if name not in archive.files]
            arrays = [] if missing else [archive[name] for name in ARRAYS]
            if any(not isinstance(array, np.ndarray) for array in arrays):
                raise ValueError("a member is no array")
    except Exception as error:  # a damaged archive raises anything, a request for terabytes among it
        raise ValueError(
            f"images: {place} cannot be read as .npz ({_first_line(error)}); a whole file of arrays "
            "is needed; fetch or write it again"
        ) from error
    if missing:
        raise ValueError(
            f"images: {place} lacks {', '.join(missing)}; the arrays {', '.join(ARRAYS)} are needed; add them"
        )
    x_train, y_train, x_test, y_test = arrays
    name = place.name.removesuffix(".npz")
    integers = y_train.dtype.kind in "iu" and y_train.size > 0
    count = classes if classes is not None else _count_of_classes(name, y_train) if integers else 2
    return Data(x_train, y_train, x_test, y_test, count, name)


def texts(path: str | os.PathLike[str], words: int = 1000, length: int = 64) -> Data:
    """Load a .jsonl.gz file of labelled texts as rows of tokens.

    Each line is a JSON object with "split" ("train" or "test"), "label" (0, 1, ...) and "text"; other keys
    are ignored. The vocabulary is the training texts' (see :mod:`numerics.tokens`), so that nothing leaks
    from the test split.

    Parameters
    ----------
    words : size of the vocabulary; tokens are below words + 2
    length : tokens a row

    Returns
    -------
    Data named after the file; inputs of shape (n, length), int32

    Errors
        FileNotFoundError where there is no such file; ValueError for a file that is truncated or not gzip,
        a line that is not such an object (with its number), or a split without lines. One sentence each.
    """
    place = _existing("texts", path)
    rows: dict[str, list[str]] = {"train": [], "test": []}
    labels: dict[str, list[int]] = {"train": [], "test": []}
    try:
        with gzip.open(place, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                split, label, text = _parse_line(line, number)
                rows[split].append(text)
                labels[split].append(label)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise ValueError(
            f"texts: {place} cannot be read as .jsonl.gz ({_first_line(error)}); lines of split, "
            "label and text are needed; fetch or write it again"
        ) from error
    empty = [split for split in rows if not rows[split]]
    if empty:
        raise ValueError(
            f"texts: {place} has no line of split {' or '.join(empty)}; both splits are needed; add lines"
        )
    known = vocabulary(rows["train"], words)
    name = place.name.removesuffix(".jsonl.gz")
    return Data(
        tokenise(rows["train"], known, length),
        labels["train"],
        tokenise(rows["test"], known, length),
        labels["test"],
        classes=_count_of_classes(name, labels["train"]),
        name=name,
    )


READERS = {".npz": images, ".jsonl.gz": texts}


def _parse_line(line: str, number: int) -> tuple[str, int, str]:
    try:
        entry = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"line {number} is not JSON") from error
    if not isinstance(entry, dict) or not {"split", "label", "text"} <= entry.keys():
        raise ValueError(f"line {number} lacks split, label or text")
    split, label, text = entry["split"], entry["label"], entry["text"]
    if split not in ("train", "test"):
        raise ValueError(f"line {number} has split {split!r}, not train or test")
    if type(label) is not int or label < 0:
        raise ValueError(f"line {number} has label {label!r}, not an integer >= 0")
    if not isinstance(text, str):
        raise ValueError(f"line {number} has a text that is no string")
    return split, label, text


def _count_of_classes(name: str, labels: ArrayLike) -> int:
    """1 + the largest label, at least 2: a class without a row may stand among them, but not most of them."""
    largest, rows = int(np.max(labels)), np.size(labels)
    if largest >= max(rows, 2):
        raise ValueError(
            f"{name}: y_train holds the label {largest} in {rows} rows; labels 0, 1, ... of classes that have rows are "
            "allowed; number the classes from 0"
        )
    return max(2, 1 + largest)


def _existing(who: str, path: str | os.PathLike[str]) -> Path:
    place = Path(path)
    if not place.is_file():
        raise FileNotFoundError(f"{who}: {place} is not a file; a data file is needed; check the path")
    return place


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
