"""Hashes of source files: a module and those that it uses. Nothing heavy is imported here."""

import hashlib
import importlib.util
import inspect
import re
import sys
from functools import cache
from pathlib import Path

import experiments
from theory.registry import module_of


def law_source(law: str) -> str:
    """Hash of the module that states a law; of the law's name where no registered module does."""
    try:
        return text_hash(inspect.getsource(module_of(law)))
    except (ValueError, OSError):
        return text_hash(law)


def statement_source(law: str) -> str:
    """Hash of the module that states a law and of all that it uses, the machinery of proofs excepted."""
    try:
        module = module_of(law).__name__
    except ValueError:
        return text_hash(law)
    files = modules_used(module, ("theory.",))
    stated = [name for name in sorted(files) if not name.startswith("theory.proof")]
    return text_hash(*(f"{name} {_mark(files[name], files[name].stat().st_mtime_ns)}" for name in stated))


def modules_used(start: str, prefixes: tuple[str, ...]) -> dict[str, Path]:
    """Files of the modules that a module imports, directly or not, among those whose names start with a
    prefix.

    Imports are read from the source, so nothing is imported, and imports inside functions count.
    """
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        place = file_of(name)
        if name in found or place is None:
            continue
        found[name] = place
        waiting += [each for each in _imports(place, place.stat().st_mtime_ns) if each.startswith(prefixes)]
    return found


IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([^\n]+))", re.M)
"""An import statement; a line of a text that reads like one counts too, which hashes a file more, never one less."""

COMMENT = re.compile(r"#[^\n]*")


@cache
def _source(place: Path, changed: int) -> str:
    """A source file's text, read once for each time that it changed."""
    del changed
    return place.read_text(encoding="utf-8")


@cache
def _imports(place: Path, changed: int) -> tuple[str, ...]:
    """Names that a source file imports anywhere in it; found once for each time that it changed.

    A regular expression finds them in a tenth of the time that a parser takes, and the listing of laws waits for
    this.
    """
    found: list[str] = []
    for parent, names, plain in IMPORT.findall(_source(place, changed)):
        words = [part.split() for part in COMMENT.sub("", names or plain).strip("()").split(",")]
        aliases = [part[0] for part in words if part]
        found += [parent, *(f"{parent}.{alias}" for alias in aliases)] if parent else aliases
    return tuple(found)


@cache
def _mark(place: Path, changed: int) -> str:
    return text_hash(_source(place, changed))


def source_hash(start: str, prefixes: tuple[str, ...]) -> str:
    """Hash of a module's source and of those that it uses among the prefixes."""
    files = modules_used(start, prefixes)
    return text_hash(*(f"{name} {_mark(files[name], files[name].stat().st_mtime_ns)}" for name in sorted(files)))


def changed_since_start(start: str, prefixes: tuple[str, ...]) -> bool:
    """Whether a file behind :func:`source_hash` changed after this process began to load its sources: the hash is
    then not that of what runs here.
    """
    files = modules_used(start, prefixes).values()
    return any(changed_at(place) > experiments.STARTED for place in files)


def changed_at(place: Path) -> int:
    """When a file changed last, or came to its place, in nanoseconds."""
    stat = place.stat()
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


@cache
def file_of(module: str) -> Path | None:
    """Source file of a module, without importing it (a parent package is imported)."""
    loaded = sys.modules.get(module)
    place = getattr(loaded, "__file__", None)
    if place is None:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError, AttributeError):
            return None
        place = spec.origin if spec is not None else None
    return Path(place) if place and place.endswith(".py") and Path(place).exists() else None


def text_hash(*texts: str) -> str:
    """Sixteen hexadecimal digits that stand for some texts.

    Examples
    --------
    >>> text_hash("ab", "c") == text_hash("ab", "c") != text_hash("a", "bc")
    True
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]
