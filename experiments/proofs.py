"""The states of the laws' proofs, kept in a cache by the hash of every source that a proof rests on."""

import functools
import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from experiments.files import write_text
from experiments.sources import changed_since_start, source_hash
from theory.registry import module_of

if TYPE_CHECKING:  # states of proofs are read without SymPy
    from theory.law import Law
    from theory.proof.derivation import Proof

ProofState = Literal["PROVED", "REFUTED", "UNDECIDED", "VACUOUS", "unchecked", "none"]
"""State of a law's proof; ``none`` where the law is no theorem and has no derivation."""


@dataclass(frozen=True)
class Proved:
    """A derivation has been checked: its state, and whether the cache knew it.

    ``failures`` are ``(step, state, reason)`` of the steps that are not PROVED.
    """

    law: str
    state: ProofState
    cached: bool
    seconds: float
    failures: tuple[tuple[str, str, str], ...] = ()


def cache_folder() -> Path:
    """Folder of proof states: the variable ``ASSAY_CACHE``, else ``assay`` in the user's cache folder."""
    named = os.environ.get("ASSAY_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "assay"


def kept_proof(law: str, module: str, cache: Path | None = None) -> ProofState:
    """State of the proof of a registered law, by its name and that of its module, as :func:`cached_proof` says it of
    a law that has a derivation; no law is loaded for it.
    """
    known = _read_file(law, _file(law, module, cache))
    return known.state if known is not None else "unchecked"


def cached_proof(law: "Law", cache: Path | None = None) -> ProofState:
    """State of a law's proof if it was checked with the present sources, else ``"unchecked"``; checks
    nothing.
    """
    if law.derivation is None:
        return "none"
    known = _read(law, cache)
    return known.state if known is not None else "unchecked"


def prove(law: "Law", cache: Path | None = None) -> Proved:
    """Check a law's derivation, or read the answer from the cache.

    A check that breaks down is UNDECIDED, with the reason, and is not kept.
    """
    if law.derivation is None:
        return Proved(law.name, "none", True, 0.0)
    known = _read(law, cache)
    if known is not None:
        return known
    start = time.perf_counter()
    try:
        proof = law.derivation.check()
    except Exception as error:
        return Proved(law.name, "UNDECIDED", False, time.perf_counter() - start, (("", "UNDECIDED", breakdown(error)),))
    return keep(law, proof, time.perf_counter() - start, cache)


def breakdown(error: Exception) -> str:
    """Why a check broke down, on one line: an author's worlds or steps may raise anything."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"


def keep(law: "Law", proof: "Proof", seconds: float, cache: Path | None = None) -> Proved:
    """Put the verdict on a law's derivation into the cache, unless a source changed since this process started: then
    what was checked is not what would be read.
    """
    failures = [(step.name, step.state.name, step.reason) for step in proof.steps if step.state.name != "PROVED"]
    failures += [(premise, "VACUOUS", "no step uses this premise") for premise in proof.idle]
    found = Proved(law.name, proof.state.name, False, seconds, tuple(failures))
    _write(law, cache, found)
    return found


def _place(law: "Law", cache: Path | None) -> Path | None:
    """File of a law's proof state; None for a law outside the registry, whose sources are not known."""
    try:
        module = module_of(law.name)
    except ValueError:
        return None
    if not any(law is known for known in module.LAWS):
        return None
    return _file(law.name, module.__name__, cache)


def _file(law: str, module: str, cache: Path | None) -> Path:
    mark = source_hash(module, ("theory.",))
    return (cache or cache_folder()) / "proofs" / f"{law}-{mark}-sympy-{_sympy()}.json"


@functools.cache
def _sympy() -> str:
    """SymPy's version, read from its metadata once: every proof's file has it in its name."""
    return version("sympy")


def _read(law: "Law", cache: Path | None) -> Proved | None:
    place = _place(law, cache)
    return _read_file(law.name, place) if place is not None else None


def _read_file(law: str, place: Path) -> Proved | None:
    try:
        held = json.loads(place.read_text(encoding="utf-8"))
        failures = tuple((str(step), str(state), str(reason)) for step, state, reason in held["failures"])
        return Proved(law, held["state"], True, 0.0, failures)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(law: "Law", cache: Path | None, proved: Proved) -> None:
    place = _place(law, cache)
    if place is not None and not changed_since_start(module_of(law.name).__name__, ("theory.",)):
        text = json.dumps({"state": proved.state, "failures": proved.failures, "wall_seconds": proved.seconds})
        with suppress(OSError):  # a cache that cannot be written costs time, nothing else
            write_text(place, text)
