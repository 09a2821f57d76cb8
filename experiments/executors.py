"""Where cells are measured: in this process, in spawned ones, or on a Dask cluster.

An executor is a context manager that gives a function from tasks to (task, outcome) pairs. It pulls a task
from its iterator only when it is about to start it, and holds no state of the run: which cells are done is
known to the store alone.
"""

import contextlib
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, cast

import numpy as np

from experiments.beside import follow_parent
from experiments.study import Replicates


@dataclass(frozen=True, eq=False)
class Task:
    """One cell to measure: everything that ``measure`` gets, the data excepted."""

    index: int
    measure: Callable[..., Mapping[str, Any]]
    replicates: Replicates
    arguments: Mapping[str, Any]
    precision: str


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a cell: arrays, or the message of what was raised."""

    arrays: Mapping[str, np.ndarray] | None
    message: str
    seconds: float


Execute = Callable[[Iterable[Task]], Iterator[tuple[Task, Outcome]]]


def run_task(task: Task, data: Any) -> Outcome:
    """Measure one cell in the study's precision; what it raises becomes a message, Ctrl-C excepted.

    JAX's x64 flag and matrix-product precision are set around the call and restored.
    """
    import jax

    start = time.perf_counter()
    try:
        with jax.enable_x64(task.precision == "float64"), jax.default_matmul_precision("highest"):
            found = task.measure(replicates=task.replicates, data=data, **task.arguments)
            arrays = {name: np.array(value) for name, value in found.items()}
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = " ".join(str(error).split())[:400]
        message = f"{type(error).__name__}: {text} ({os.path.basename(where.filename)}:{where.lineno})"
        return Outcome(None, message, time.perf_counter() - start)
    return Outcome(arrays, "", time.perf_counter() - start)


@contextmanager
def in_process(data: Any) -> Iterator[Execute]:
    """One cell after the other, in this process."""

    def execute(tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        for task in tasks:
            yield task, run_task(task, data)

    yield execute


@contextmanager
def spawn_pool(data: Any, workers: int) -> Iterator[Execute]:
    """``workers`` fresh processes (spawned, so that JAX's threads are never forked); ``measure`` must be
    importable.

    Raises
    ------
    ValueError
        For fewer than 1 worker, or when one is killed.
    """
    if workers < 1:
        raise ValueError(f"spawn_pool: workers={workers}; at least 1 is allowed; pass the number of cores")
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (data,))

    def execute(tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        waiting = iter(tasks)
        running: dict[Any, Task] = {}
        while True:
            while len(running) < workers and (task := next(waiting, None)) is not None:
                running[pool.submit(_run_in_worker, task)] = task
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()

    try:
        yield execute
    except BrokenProcessPool as error:
        raise ValueError(
            f"spawn_pool: one of {workers} processes that measure was killed, for want of memory perhaps; what was "
            "measured is kept; run it again, with fewer --workers if memory is short"
        ) from error
    finally:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()  # a cell in flight is put back to todo; there is nothing to wait for
        pool.shutdown(wait=True, cancel_futures=True)


def connected(address: str) -> Any:
    """A client of the Dask scheduler at ``address``.

    Raises
    ------
    ValueError
        If Dask is not installed or the scheduler does not answer.
    """
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port, normalize_address
    except ImportError as error:
        raise ValueError(f"dask: Dask is not installed ({error}); run pip install 'assay[dask]'") from error
    try:
        if not address.strip():
            raise ValueError("no address is given")  # Dask would start a cluster of its own
        if not address.startswith("inproc:"):  # a client that fails on a bad address lingers for 20 s
            get_address_host_port(normalize_address(address), strict=True)
        return Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        told = " ".join(str(error).split())
        raise ValueError(
            f"dask: no scheduler answers at {address!r} ({told}); start one with dask scheduler"
        ) from error


@contextmanager
def dask_cluster(data: Any, address: str) -> Iterator[Execute]:
    """Workers of a Dask scheduler at ``address``; ``measure`` must be importable there.

    Raises
    ------
    ValueError
        If Dask is not installed or the scheduler does not answer.
    """
    client = connected(address)
    from distributed import as_completed

    def execute(tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        waiting = iter(tasks)
        held = client.scatter(data, broadcast=True, hash=False) if data is not None else None
        running: dict[Any, Task] = {}
        completed: Any = as_completed(loop=client.loop)
        room = max(1, 2 * sum(dict(cast(Any, client.nthreads())).values()))

        def submit() -> None:
            while len(running) < room and (task := next(waiting, None)) is not None:
                future = client.submit(run_task, task, held, pure=False)
                running[future.key] = task
                completed.add(future)

        submit()
        while running:
            future = next(completed)
            task = running.pop(future.key)
            try:
                outcome = future.result()
            except Exception as error:  # a worker that died, or could not import the study
                outcome = Outcome(None, f"{type(error).__name__}: {' '.join(str(error).split())[:400]}", 0.0)
            yield task, outcome
            submit()

    try:
        yield execute
    finally:
        with contextlib.suppress(Exception):
            client.close()


_worker_data: list[Any] = []


def _start_worker(data: Any) -> None:
    follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    _worker_data[:] = [data]


def _run_in_worker(task: Task) -> Outcome:
    return run_task(task, _worker_data[0])
