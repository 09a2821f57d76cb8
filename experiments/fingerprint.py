"""What a store belongs to: hashes of the study, its laws, the numerics it uses, its grid, data, and number
types.

What a change of sources makes anew:

* what ``measure`` rests on (its module and what that uses of ``experiments`` and ``numerics``), the grid, the data,
  or a law's own module: the store is refused, so everything;
* what a law's module uses of ``theory``: its proof and its verdict (:mod:`experiments.proofs` and
  :mod:`experiments.records` hash all of it); the data stay, for no measurement rests on theory, which a test holds;
* what observes or compares: the verdict, from the same data.

A verdict shown by ``plot``, ``report`` or ``verify`` is always judged from the data with the sources of the moment.
"""

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

import experiments
from experiments.registry import check_of, stated_in
from experiments.sources import changed_at, file_of, law_source, modules_used, text_hash
from experiments.study import Grid, Study

LAW = "law "
GENERATOR = ("jax_default_prng_impl", "jax_threefry_partitionable")


@dataclass(frozen=True)
class Fingerprint:
    """Hashes by component; two stores may be mixed only if all common ones are equal.

    ``data_name`` is what the data are called: it is told, and does not count.
    """

    components: Mapping[str, str]
    data_name: str = ""

    @property
    def digest(self) -> str:
        """One hash of all components."""
        return text_hash(json.dumps(dict(sorted(self.components.items()))))

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

    return Fingerprint(
        {
            **source_components(study),
            "grid": text_hash(grid_text(grid)),
            "data": data_hash(data),
            "dtype": study.precision,
            "random numbers": ", ".join(str(getattr(jax.config, name)) for name in GENERATOR),
        },
        data_name=str(getattr(data, "name", "")),
    )


def source_components(study: Study) -> dict[str, str]:
    """Hashes of the sources that a study rests on: its own, the numerics that it uses, and its laws'."""
    laws = {f"{LAW}{check.law}": law_source(check.law) for check in study.checks}
    return {
        "study source": _sources(study.measure, ("experiments.",)),
        "numerics": _sources(study.measure, ("numerics.",)),
        **laws,
    }


def changed_since(study: Study, attributes: Mapping[str, Any]) -> tuple[str, ...]:
    """What a study's store, given by its attributes, was made with that is another now, its data apart."""
    now = source_components(study)
    if (grid := study.grids.get(attributes["profile"])) is not None:
        now["grid"] = text_hash(grid_text(grid))
    stored = {name: mark for name, mark in attributes["components"].items() if name in now}
    return Fingerprint(now).changes(stored)


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
    if isinstance(own := getattr(data, "sha256", None), str):
        return own[:16]
    digest = hashlib.sha256()
    _feed(digest.update, data)
    return digest.hexdigest()[:16]


MACHINERY = tuple(
    f"experiments.{name}" for name in ("study", "registry", "comparison", "compare", "bridge", "plot", "pictures")
)
"""Modules that a study may import without its measurement resting on them."""


def judged_in(law: str) -> tuple[str, ...]:
    """Names of the modules that a verdict on a law rests on, those that compare excepted: its check's, its study's,
    and those of what measures and observes.
    """
    found = list(stated_in(law))
    if found:
        study, check = check_of(law)
        found += [_function(work).__module__ for work in (study.measure, check.observe)]
    return tuple(dict.fromkeys(found))


def changed_sources(study: Study) -> tuple[str, ...]:
    """Files that the study's measurement rests on and that changed after this process began to load its sources."""
    used = {**_files(study.measure, ("experiments.",)), **_files(study.measure, ("numerics.",))}
    return tuple(str(place) for place in used.values() if changed_at(place) > experiments.STARTED)


def _sources(measure: Callable[..., Any], prefixes: tuple[str, ...]) -> str:
    """Hash of the sources that ``measure`` rests on, of the study's own side or of the numerics."""
    function = _function(measure)
    if file_of(function.__module__) is None:
        return text_hash("") if prefixes == ("numerics.",) else text_hash(_source(function))
    files = _files(measure, prefixes)
    return text_hash(*(f"{name}\n{place.read_text(encoding='utf-8')}" for name, place in files.items()))


def _files(measure: Callable[..., Any], prefixes: tuple[str, ...]) -> dict[str, Path]:
    """Source files that ``measure`` rests on, by module, of the study's own side or of the numerics."""
    module = _function(measure).__module__
    if file_of(module) is None:
        return {}
    used = modules_used(module, ("numerics.", "experiments."))
    if prefixes == ("numerics.",):
        keys = modules_used("numerics.keys", prefixes)
        found = {name: place for name, place in used.items() if name.startswith("numerics.")} | keys
    else:
        found = {name: place for name, place in used.items() if not name.startswith(("numerics.", *MACHINERY))}
    return dict(sorted(found.items()))


def _function(measure: Callable[..., Any]) -> Any:
    return inspect.unwrap(getattr(measure, "func", measure))


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
