"""Hashes of source files: a module and those that it uses. Nothing heavy is imported here."""

import ast
import hashlib
import importlib.util
import inspect
import sys
from functools import cache
from pathlib import Path

from theory.registry import module_of


def law_source(law: str) -> str:
    """Hash of the module that states a law; of the law's name where no registered module does."""
    try:
        return text_hash(inspect.getsource(module_of(law)))
    except (ValueError, OSError):
        return text_hash(law)


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


@cache
def _imports(place: Path, changed: int) -> tuple[str, ...]:
    """Names that a source file imports anywhere in it; read once for each time that it changed."""
    del changed
    found: list[str] = []
    for node in ast.walk(ast.parse(place.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


def source_hash(start: str, prefixes: tuple[str, ...]) -> str:
    """Hash of a module's source and of those that it uses among the prefixes."""
    files = modules_used(start, prefixes)
    return text_hash(*(f"{name}\n{files[name].read_text(encoding='utf-8')}" for name in sorted(files)))


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
