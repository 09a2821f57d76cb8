"""The main job, without a printed word: prove, measure, compare, and keep the verdicts.

:func:`verify` is a generator of events that a command line shows as it pleases; the last one is
:class:`Finished`. Stopped at any moment it continues where it was, because the stores and the cache hold
all state.
"""

import contextlib
import functools
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xarray as xr

from experiments import verdict
from experiments.executors import connected, dask_cluster, in_process, spawn_pool
from experiments.fingerprint import changed_since, changed_sources
from experiments.proofs import Proved, cache_folder, cached_proof, prove
from experiments.proving import Proving, proving
from experiments.records import keep_verdicts, last_verdicts, put_aside_if_damaged
from experiments.registry import check_of, studies
from experiments.run import Cell, Executor, Measuring, run
from experiments.stored import assemble, read_attributes, store_path
from experiments.study import PROFILES, Check, Profile, Study
from experiments.verdict import Budget, Result, budget, judge, unmeasured
from theory.law import Law
from theory.registry import select

__all__ = [
    "Cell", "Event", "Finished", "Judged", "Measuring", "Proved", "Proving", "Told", "cache_folder",
    "cached_proof", "last_verdicts", "observation", "prove", "stored_result", "verify",
]  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A law has its verdict."""

    result: Result


@dataclass(frozen=True)
class Told:
    """Something that the user should know, in one sentence."""

    sentence: str


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


Event = Proving | Proved | Measuring | Cell | Judged | Told | Finished


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
) -> Generator[Event, None, None]:
    """Prove, measure and judge the named laws (or topics; all for an empty tuple), yielding events.

    Writes ``out/STUDY.zarr`` and ``out/verdicts.json``. Close the generator to stop early
    (``contextlib.closing``): a cell in flight is put back and locks are released.

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
        seeds that have not been used before. Without it a store of more seeds than its grid declares is judged as it
        stands, which is told, and one of fewer is set aside for a new set of the declared number.
    fresh
        Replace the stores of the studies concerned.
    data
        File that replaces the default data of the studies that take data.
    dask
        Address of a Dask scheduler; None measures in this process, or in ``workers`` spawned ones.
    cache
        Folder of proof states; see :func:`cache_folder`.

    Raises
    ------
    ValueError
        One sentence for a user's mistake: an unknown law or profile, an unwritable folder, a store from
        another version, a store that another run holds, bad data, a silent scheduler. All but stores are looked at
        before anything is measured.
    """
    start = time.perf_counter()
    laws = select(names)
    if profile not in PROFILES:
        raise ValueError(f"verify: profile {profile} is not known; choose one of {', '.join(PROFILES)}")
    executor = _executor(dask, workers)
    plan = _plan(laws, profile)
    needed = {study.name: study for study, _, note in plan.values() if study is not None and not note}
    loaded = _load(tuple(needed.values()), data)
    if data is not None and not any(study.takes_data for study in needed.values()):
        yield from _told(f"--data {data} is used by none of the chosen studies: they take no data from a file")
    yield from _told(put_aside_if_damaged(out))
    results: dict[str, Result] = {}
    places = {name: place for place, name in enumerate(needed)}

    def turn(law: Law) -> int:
        study, _, note = plan[law.name]
        return len(places) if study is None or note else places[study.name]

    with proving(sorted(laws, key=turn), cache) as proofs:  # no judgement waits for proofs that come after it
        yield from proofs.now()
        for study in needed.values():
            held = loaded[study.name]
            _require_unchanged(study)
            running = run(study, profile, out, seeds=seeds, fresh=fresh, data=held, executor=executor)
            with contextlib.closing(running) as events:
                for event in events:
                    yield event
                    if isinstance(event, Measuring) and seeds is None:
                        yield from _told(_more_seeds(event, study.grids[profile].seeds, profile))
                    yield from proofs.news()
            dataset = assemble(store_path(out, study.name))
            for law in laws:
                owner, check, note = plan[law.name]
                if owner is study and check is not None and not note:
                    yield from proofs.of(law.name)
                    results[law.name] = judge(law, study, check, dataset, proofs[law.name].state)
                    yield from _told(keep_verdicts(out, [results[law.name].record()], profile))
                    yield Judged(results[law.name])
        for law in laws:
            study, _, note = plan[law.name]
            if law.name not in results:
                yield from proofs.of(law.name)
                where = study.name if study is not None else ""
                results[law.name] = unmeasured(law, proofs[law.name].state, note, where)
                yield Judged(results[law.name])
    ordered = tuple(results[law.name] for law in laws)
    yield from _told(keep_verdicts(out, [result.record() for result in ordered], profile))
    seconds = time.perf_counter() - start
    yield Finished(ordered, budget(ordered), seconds, verdict.exit_status(ordered))


def _told(sentence: str) -> Iterator[Told]:
    if sentence:
        yield Told(f"verify: {sentence}")


def _more_seeds(held: Measuring, declared: int, profile: Profile) -> str:
    """One sentence where a store holds more seeds than its study declares; empty elsewhere."""
    if held.seeds <= declared:
        return ""
    return (
        f"{held.store} holds {held.seeds} seeds, more than the {declared} that the profile {profile} declares, and is "
        "judged with all of them"
    )


def observation(law: str, out: Path) -> xr.Dataset:
    """The observation that a law was judged on, rebuilt from its stored study (for plots).

    Raises
    ------
    ValueError
        If the law has no study, the study no store, or the store is of another version.
    """
    _, check, dataset = _stored(law, out)
    return verdict.observe(check, dataset)


def stored_result(law: str, out: Path, cache: Path | None = None) -> Result:
    """The law's result, judged again from its stored study without measuring anything.

    Raises
    ------
    ValueError
        As :func:`observation` does.
    """
    (stated,) = select((law,))
    study, check, dataset = _stored(law, out)
    return judge(stated, study, check, dataset, cached_proof(stated, cache))


def _plan(laws: tuple[Law, ...], profile: Profile) -> dict[str, tuple[Study | None, Check | None, str]]:
    """For each law its study and check, and a note where it cannot be measured in this profile."""
    plan: dict[str, tuple[Study | None, Check | None, str]] = {}
    for law in laws:
        if not any(check.law == law.name for study in studies().values() for check in study.checks):
            plan[law.name] = None, None, "no study checks this law"
            continue
        study, check = check_of(law.name)
        note = ""
        if profile not in check.profiles:
            note = f"judged in the profile {' or '.join(check.profiles)} only"
        elif profile not in study.grids:
            note = f"study {study.name} has no profile {profile}; it has {', '.join(study.grids)}"
        plan[law.name] = study, check, note
    return plan


def _require_unchanged(study: Study) -> None:
    """Refuse to measure with code that is not the one whose hash the store would keep."""
    changed = changed_sources(study)
    if changed:
        raise ValueError(
            f"verify: {changed[0]} changed after this run had begun, so {study.name} would be measured with what is no "
            "longer there; run it again"
        )


def _load(chosen: tuple[Study, ...], path: Path | None) -> dict[str, Any]:
    """Data of each study: the file where one is given and the study takes it, else its own."""
    given = None
    if path is not None:
        from numerics.data_files import load

        try:
            given = load(path)
        except OSError as error:
            raise ValueError(str(error) or f"verify: {path} cannot be read; pass another --data") from error
        except ValueError as error:
            if "allow_pickle" not in str(error.__cause__):
                raise
            raise ValueError(
                f"verify: {path} holds Python objects, which are never unpickled; write arrays of numbers to an .npz, "
                "or labelled texts to a .jsonl.gz"
            ) from error
    loaded: dict[Any, Any] = {}
    found: dict[str, Any] = {}
    for study in chosen:
        if given is not None and study.takes_data:
            found[study.name] = given
        elif study.data is not None:
            if study.data not in loaded:
                loaded[study.data] = study.data()
            found[study.name] = loaded[study.data]
        else:
            found[study.name] = None
    return found


def _executor(dask: str | None, workers: int) -> Executor:
    if dask is not None:
        connected(dask).close()  # a mistake is told before anything is proved or measured
        return functools.partial(dask_cluster, address=dask)
    return functools.partial(spawn_pool, workers=workers) if workers != 1 else in_process


def _stored(law: str, out: Path) -> tuple[Study, Check, xr.Dataset]:
    study, check = check_of(law)
    return study, check, stored_dataset(study, out, law)


def stored_dataset(study: Study, out: Path, law: str) -> xr.Dataset:
    """A study's stored data, for one of its laws.

    Raises
    ------
    ValueError
        If the study has no store, or the store is of another version; the sentence names the law.
    """
    path = store_path(out, study.name)
    attributes = read_attributes(path)
    if attributes is None:
        return assemble(path)  # which says what is wrong
    stale = changed_since(study, attributes)
    if stale:
        raise ValueError(
            f"store: {path} was made with another {' and '.join(stale)}; run assay verify --fresh "
            f"{law}, or pass another "
            "--out"
        )
    return assemble(path)
