"""Work done in processes of its own: proofs and pictures beside the measuring, or a report's pictures on all cores."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait

ENOUGH = 5
"""Fewer jobs than this are not worth the second that a process takes to start."""


def worth_it(jobs: int) -> bool:
    """Whether another process is worth its start: there are enough jobs, and a core for it."""
    return jobs >= ENOUGH and (os.cpu_count() or 1) > 1


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def beside(processes: int = 1) -> Iterator[ProcessPoolExecutor]:
    """A pool of spawned processes, so that nothing of this one (JAX's threads, say) is forked.

    Left early, it is stopped at once: what it was doing is lost and nothing waits for it. Ctrl-C is the
    parent's to handle.
    """
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start)
    try:
        yield pool
    except BaseException:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def follow_parent() -> None:
    """End this process when the one that started it has ended, however that came about.

    A worker waits for work on a pipe that it holds open itself: once its parent was killed it would wait for ever.
    """
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="follow parent", daemon=True).start()


def _start() -> None:
    follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(1)  # the measuring goes first
