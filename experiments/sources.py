"""Hashes of source files: a module and those that it uses. Nothing heavy is imported here."""

import ast
import hashlib
import importlib.util
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterator
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
    """Hash of the module that states a law and of all that it uses, the machinery of proofs excepted.

    The module is looked up in the registry, which loads every law; of the law's name where no module does.
    """
    try:
        return module_statement(module_of(law).__name__)
    except ValueError:
        return text_hash(law)


def module_statement(module: str) -> str:
    """What :func:`statement_source` is of the laws of a module; no law is loaded for it."""
    files = modules_used(module, ("theory.",))
    return _joint_hash({name: place for name, place in files.items() if not name.startswith("theory.proof")})


def modules_used(start: str, prefixes: tuple[str, ...]) -> dict[str, Path]:
    """Files of the modules that a module imports, directly or not, among those whose names start with a
    prefix.

    Imports are read from the source, so nothing is imported, and imports inside functions count.
    """
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        place = file_of(name) if name not in found else None
        if place is not None:
            found[name] = place
            waiting += _uses(place, place.stat().st_mtime_ns, prefixes)
    return found


IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([^\n]+))", re.M)
"""An import statement; a line of a text that reads like one counts too, which hashes a file more, never one less."""

COMMENT = re.compile(r"#[^\n]*")
UNUSUAL = re.compile(
    r"^[ \t]*from[ \t]*\."  # relative
    r"|^[ \t]*(?:from|import)\b.*(?:\\$|;)"  # goes on in the next line, or does not end with the line
    r"|[;:][ \t]*(?:from[ \t]+[\w.]+[ \t]+import\b|import[ \t])"  # does not begin the line
)
BRACKET = re.compile(r"import[ \t]*\([^)]*#[^)\n]*\)")
"""A bracket in a comment among the names that are imported."""


def _unusual(text: str) -> bool:
    """Whether the expressions above would miss an import, or something reads like one that they would miss."""
    lines = (line for line in text.splitlines() if "import" in line or line.lstrip().startswith("from"))
    return any(UNUSUAL.search(line) for line in lines) or BRACKET.search(text) is not None


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
    text = _source(place, changed)
    if _unusual(text):
        return tuple(_parsed_imports(text, place))
    for parent, names, plain in IMPORT.findall(text):
        words = [part.split() for part in COMMENT.sub("", names or plain).strip("()").split(",")]
        aliases = [part[0] for part in words if part]
        found += [parent, *(f"{parent}.{alias}" for alias in aliases)] if parent else aliases
    return tuple(found)


def _parsed_imports(text: str, place: Path) -> Iterator[str]:
    """Names that Python's own parser finds; relative ones are told from the package that the file lies in."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = _package(place)
            inside = above[: len(above) - node.level + 1] if node.level else ()
            parent = ".".join((*inside, *([node.module] if node.module else [])))
            yield from (parent, *(f"{parent}.{alias.name}" for alias in node.names))


def _package(place: Path) -> tuple[str, ...]:
    """Names of the packages that a file lies in, from the outermost on."""
    folder = place.parent
    return (*_package(folder), folder.name) if (folder / "__init__.py").exists() else ()


@cache
def _uses(place: Path, changed: int, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    names = dict.fromkeys(name for name in _imports(place, changed) if name.startswith(prefixes))
    return tuple(name for name in names if file_of(name) is not None)


@cache
def _code(place: Path, changed: int) -> str:
    """A source file's lines without what only a reader sees."""
    text = _source(place, changed)
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            if not lines[first][: node.col_offset].strip():
                lines[first:last] = [""] * (last - first)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and lines[token.start[0] - 1]:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
    return "\n".join(line.rstrip() for line in lines if line.strip())


@cache
def _mark(place: Path, changed: int) -> str:
    return text_hash(_source(place, changed))


def source_hash(start: str | tuple[str, ...], prefixes: tuple[str, ...]) -> str:
    """Hash of the sources of a module, or of several, and of those that they use among the prefixes."""
    return _joint_hash(_used_by_all(start, prefixes))


def code_hash(start: str, prefixes: tuple[str, ...]) -> str:
    """Like :func:`source_hash`, of the code alone: comments, docstrings and empty lines are no part of it."""
    files = modules_used(start, prefixes)
    return text_hash(*(f"{name}\n{_code(files[name], files[name].stat().st_mtime_ns)}" for name in sorted(files)))


def changed_since_start(start: str | tuple[str, ...], prefixes: tuple[str, ...]) -> bool:
    """Whether a file behind :func:`source_hash` changed after this process began to load its sources: the hash is
    then not that of what runs here.
    """
    files = _used_by_all(start, prefixes).values()
    return any(changed_at(place) > experiments.STARTED for place in files)


def _used_by_all(start: str | tuple[str, ...], prefixes: tuple[str, ...]) -> dict[str, Path]:
    starts = (start,) if isinstance(start, str) else start
    return {name: place for each in starts for name, place in modules_used(each, prefixes).items()}


def _joint_hash(files: dict[str, Path]) -> str:
    return text_hash(*(f"{name} {_mark(files[name], files[name].stat().st_mtime_ns)}" for name in sorted(files)))


def changed_at(place: Path) -> int:
    """When a file changed last, or came to its place, in nanoseconds."""
    stat = place.stat()
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


@cache
def file_of(module: str) -> Path | None:
    """Source file of a module, without importing it or what holds it."""
    place = getattr(sys.modules.get(module), "__file__", None)
    if place is not None:
        return Path(place) if place.endswith(".py") and Path(place).exists() else None
    top, *inner = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if not inner:
        return Path(spec.origin) if spec.origin and spec.origin.endswith(".py") else None
    folders = [Path(folder, *inner) for folder in spec.submodule_search_locations or ()]
    files = [place for folder in folders for place in (folder / "__init__.py", folder.with_name(f"{folder.name}.py"))]
    return next((place for place in files if place.is_file()), None)


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
