"""The main job, without a printed word: prove, measure, compare, and keep the verdicts.

:func:`verify` is a generator of events that a command line shows as it pleases; the last one is
:class:`Finished`. Stopped at any moment it continues where it was, because the stores and the cache hold
all state.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xarray as xr

from experiments.study import Profile
from experiments.verdict import Budget, ProofState, Result
from theory.law import Law


@dataclass(frozen=True)
class Proving:
    """A derivation is about to be checked (or read from the cache)."""

    law: str
    index: int
    total: int


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


@dataclass(frozen=True)
class Measuring:
    """A study starts or continues: ``done`` of ``total`` cells stand in the store already.

    ``earlier_seeds`` counts replicates that were drawn before with another number of seeds: they are kept
    beside the store and never pooled with the new ones.
    """

    study: str
    done: int
    total: int
    store: Path
    earlier_seeds: int = 0


@dataclass(frozen=True)
class Cell:
    """A cell was written: its coordinates, how it ended (done, diverged, failed) and what it took."""

    study: str
    coordinates: dict[str, Any]
    status: str
    message: str
    done: int
    total: int
    seconds: float


@dataclass(frozen=True)
class Judged:
    """A law has its verdict."""

    result: Result


@dataclass(frozen=True)
class Finished:
    """The end: all results, in the order of the laws."""

    results: tuple[Result, ...]
    budget: Budget
    seconds: float
    exit_status: int

    def record(self) -> dict[str, Any]:
        """JSON record of ``assay verify --json``: laws, seconds, budget."""
        return {
            "laws": [result.record() for result in self.results],
            "seconds": self.seconds,
            "budget": self.budget.record(),
        }


Event = Proving | Proved | Measuring | Cell | Judged | Finished


def verify(
    names: tuple[str, ...] = (),
    profile: Profile = "quick",
    *,
    out: Path,
    seeds: int | None = None,
    fresh: bool = False,
    data: Path | None = None,
    dask: str | None = None,
    workers: int = 1,
    cache: Path | None = None,
) -> Iterator[Event]:
    """Prove, measure and judge the named laws (or topics; all for an empty tuple), yielding events.

    Writes ``out/STUDY.zarr`` and ``out/verdicts.json``. Raises ValueError with one sentence for a user's
    mistake (an unknown law, an unwritable folder, a store from another version, a store that another run
    holds, bad data), before anything is measured where that can be known.

    Parameters
    ----------
    names
        Laws and topics.
    profile
        Which grids.
    out
        Folder of the stores.
    seeds
        Replicates instead of the grids' own numbers; another number than a store holds starts a new set of
        seeds that have not been used before.
    fresh
        Remove the stores of the studies concerned first.
    data
        File that replaces the default data of the studies that take data.
    dask
        Address of a Dask scheduler; None measures in this process, or in ``workers`` spawned ones.
    cache
        Folder of proof states; see :func:`cache_folder`.
    """
    raise NotImplementedError


def cache_folder() -> Path:
    """Folder of proof states: the variable ``ASSAY_CACHE``, else the user's cache folder."""
    raise NotImplementedError


def cached_proof(law: Law, cache: Path | None = None) -> ProofState:
    """State of a law's proof if it was checked with the present sources, else ``"unchecked"``; checks
    nothing.
    """
    raise NotImplementedError


def prove(law: Law, cache: Path | None = None) -> Proved:
    """Check a law's derivation, or read the answer from the cache."""
    raise NotImplementedError


def last_verdicts(out: Path) -> dict[str, dict[str, Any]]:
    """Records of the last verdict by law, from ``out/verdicts.json``; empty where there is none."""
    raise NotImplementedError


def observation(law: str, out: Path) -> xr.Dataset:
    """The observation that a law was judged on, rebuilt from its stored study (for plots)."""
    raise NotImplementedError


def stored_result(law: str, out: Path, cache: Path | None = None) -> Result:
    """The law's result, judged again from its stored study without measuring anything."""
    raise NotImplementedError
