"""What a store belongs to: hashes of the study, its laws, the numerics it uses, its grid, data, and number
types.
"""

import ast
import hashlib
import importlib.util
import inspect
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from experiments.study import Grid, Study
from theory.registry import module_of

LAW = "law "
GENERATOR = ("jax_default_prng_impl", "jax_threefry_partitionable")


@dataclass(frozen=True)
class Fingerprint:
    """Hashes by component; two stores may be mixed only if all common ones are equal."""

    components: Mapping[str, str]

    @property
    def digest(self) -> str:
        """One hash of all components."""
        return _hash(json.dumps(dict(sorted(self.components.items()))))

    def changes(self, stored: Mapping[str, str]) -> tuple[str, ...]:
        """Components that differ from a stored fingerprint.

        A law that only one of the two has is no change: a new law on a standing study leaves its data alone.
        """
        names = sorted({*self.components, *stored})
        return tuple(
            name
            for name in names
            if self.components.get(name) != stored.get(name)
            and not (name.startswith(LAW) and (name not in stored or name not in self.components))
        )


def fingerprint(study: Study, grid: Grid, data: Any) -> Fingerprint:
    """Fingerprint of a study on a grid with its data.

    The numbers of seeds and the first seed are no part of it: the store keeps them beside it.
    """
    import jax

    components = {
        "study source": _sources(study.measure, ("experiments.",)),
        "numerics": _sources(study.measure, ("numerics.",)),
        "grid": _hash(grid_text(grid)),
        "data": data_hash(data),
        "dtype": study.precision,
        "random numbers": ", ".join(str(getattr(jax.config, name)) for name in GENERATOR),
    }
    for check in study.checks:
        components[f"{LAW}{check.law}"] = law_source(check.law)
    return Fingerprint(components)


def law_source(law: str) -> str:
    """Hash of the module that states a law; of the law's name where no registered module does."""
    try:
        return _hash(inspect.getsource(module_of(law)))
    except (ValueError, OSError):
        return _hash(law)


def grid_text(grid: Grid) -> str:
    """Text of a grid, seeds excepted; a predicate is given by its source."""
    kept = {
        "axes": {name: list(values) for name, values in grid.axes.items()},
        "inner": {name: list(values) for name, values in grid.inner.items()},
        "settings": dict(grid.settings),
        "block": grid.block,
        "keep": _source(grid.keep) if grid.keep else None,
    }
    return json.dumps(kept, sort_keys=True, default=_plain)


def data_hash(data: Any) -> str:
    """Hash of arrays, texts and numbers in dataclasses, mappings and sequences.

    Examples
    --------
    >>> data_hash({"x": np.zeros(2)}) == data_hash({"x": np.zeros(2)}) != data_hash({"x": np.zeros(3)})
    True
    """
    digest = hashlib.sha256()
    _feed(digest.update, data)
    return digest.hexdigest()[:16]


def modules_used(start: str, prefixes: tuple[str, ...]) -> dict[str, Path]:
    """Files of the modules that a module imports, directly or not, among those whose names start with a
    prefix.

    Imports are read from the source, so nothing is imported, and imports inside functions count.
    """
    found: dict[str, Path] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        place = _file(name)
        if name in found or place is None:
            continue
        found[name] = place
        for node in ast.walk(ast.parse(place.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            waiting += [each for each in names if each.startswith(prefixes)]
    return found


def source_hash(start: str, prefixes: tuple[str, ...]) -> str:
    """Hash of a module's source and of those that it uses among the prefixes."""
    files = modules_used(start, prefixes)
    return _hash(*(f"{name}\n{files[name].read_text(encoding='utf-8')}" for name in sorted(files)))


MACHINERY = ("experiments.study", "experiments.registry", "experiments.comparison", "experiments.compare")


def _sources(measure: Callable[..., Any], prefixes: tuple[str, ...]) -> str:
    """Hash of the sources that ``measure`` rests on, of the study's own side or of the numerics."""
    function = inspect.unwrap(getattr(measure, "func", measure))
    module = getattr(function, "__module__", "")
    numeric = prefixes == ("numerics.",)
    if _file(module) is None:
        return _hash("") if numeric else _hash(_source(function))
    files = modules_used(module, ("numerics.", "experiments."))
    if numeric:
        chosen = {name for name in files if name.startswith("numerics.")} | set(
            modules_used("numerics.keys", prefixes)
        )
    else:
        chosen = {name for name in files if not name.startswith("numerics.") and name not in MACHINERY}
    texts = [
        f"{name}\n{place.read_text(encoding='utf-8')}" for name in sorted(chosen) if (place := _file(name))
    ]
    return _hash(*texts)


@cache
def _file(module: str) -> Path | None:
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


def _source(function: Any) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(getattr(function, "__qualname__", function))


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return _source(value) if callable(value) else str(value)


def _feed(update: Callable[[bytes], None], data: Any) -> None:
    if is_dataclass(data) and not isinstance(data, type):
        data = {field.name: getattr(data, field.name) for field in fields(data)}
    if isinstance(data, Mapping):
        for key in sorted(data, key=str):
            update(f"{key}:".encode())
            _feed(update, data[key])
    elif isinstance(data, (list, tuple)):
        update(f"{len(data)} items".encode())
        for item in data:
            _feed(update, item)
    elif hasattr(data, "__array__"):
        array = np.ascontiguousarray(np.asarray(data))
        update(f"{array.dtype}{array.shape}".encode())
        update(array.tobytes())
    else:
        update(repr(data).encode())


def _hash(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]
