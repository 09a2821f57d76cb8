"""Measure a study: the cells that its store still lacks, on any executor, one written cell at a time."""

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.cells import CellPlace
from experiments.executors import Execute, Outcome, Task, in_process
from experiments.fingerprint import fingerprint
from experiments.lock import locked
from experiments.store import Store, open_store
from experiments.study import Grid, Profile, Replicates, Study


@dataclass(frozen=True)
class Measuring:
    """A study starts or continues: ``done`` of ``total`` cells stand in the store already.

    ``seeds`` are the store's. ``earlier_seeds`` counts replicates that were drawn before with another number of
    seeds: they are kept beside the store, unless it was to be replaced, and never pooled with the new ones.
    """

    study: str
    done: int
    total: int
    store: Path
    earlier_seeds: int = 0
    seeds: int = 0


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


Executor = Callable[[Any], AbstractContextManager[Execute]]


def run(
    study: Study,
    profile: Profile,
    out: Path,
    *,
    seeds: int | None = None,
    fresh: bool = False,
    data: Any = None,
    executor: Executor = in_process,
) -> Generator[Measuring | Cell, None, None]:
    """Measure what the store lacks, yielding one event at the start and one for each cell.

    Stopped (closed, Ctrl-C, killed) at any moment it can be run again and ends with the same numbers: random
    numbers depend on (study, cell, replicate) alone.

    Parameters
    ----------
    study, profile
        What to measure, on which grid.
    out
        Folder of the stores.
    seeds
        Number of replicates instead of the grid's (or of the store's, where that holds more).
    fresh
        Replace the store.
    data
        What ``measure`` gets as ``data``.
    executor
        Takes the data, gives a context manager of an ``Execute``; see :mod:`experiments.executors`.

    Raises
    ------
    ValueError
        As :func:`experiments.store.open_store` and :func:`experiments.lock.locked` do.
    """
    if profile not in study.grids:
        raise ValueError(f"run: {study.name} has no profile {profile}; it has {', '.join(study.grids)}")
    if seeds is not None and seeds < 1:
        raise ValueError(f"run: seeds={seeds}; at least 1 is allowed; pass the number of replicates")
    grid = study.grids[profile]
    mark = fingerprint(study, grid, data)
    with locked(out / f"{study.name}.zarr"):
        store = open_store(out, study, profile, mark, seeds=seeds, fresh=fresh)
        try:
            yield from _measure(store, study, grid, data, executor)
        finally:
            store.close()


def _measure(
    store: Store, study: Study, grid: Grid, data: Any, executor: Executor
) -> Iterator[Measuring | Cell]:
    pending, total = store.pending(), len(store.cells)
    done = total - len(pending)
    yield Measuring(study.name, done, total, store.path, store.first_seed - grid.first_seed, store.seeds)
    if not pending:
        return
    places = {cell.index: cell for cell in pending}

    def starting() -> Iterator[Task]:
        for cell in pending:
            store.start(cell)
            yield _task(study, grid, cell)

    with executor(data) as execute:
        for task, outcome in execute(starting()):
            cell = places[task.index]
            status, message = _keep(store, cell, outcome)
            done += 1
            yield Cell(study.name, dict(cell.values), status, message, done, total, outcome.seconds)


def _task(study: Study, grid: Grid, cell: CellPlace) -> Task:
    import numpy as np

    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    arguments = {**cell.values, **inner, **grid.settings}
    replicates = Replicates(study.name, cell.values, cell.ids)
    return Task(cell.index, study.measure, replicates, arguments, study.precision)


def _keep(store: Store, cell: CellPlace, outcome: Outcome) -> tuple[str, str]:
    """Write an outcome to the store: its status and message."""
    message = outcome.message
    if outcome.arrays is not None:
        try:
            return store.write(cell, outcome.arrays, outcome.seconds), ""
        except ValueError as error:
            message = str(error)
    store.fail(cell, message)
    return "failed", message
