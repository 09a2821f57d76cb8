"""One run at a time on a store: a lock file that names its holder, taken over when the holder is dead."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from experiments.files import new_beside


@contextmanager
def locked(store: Path, patience: float = 0.0) -> Iterator[None]:
    """Hold ``STORE.lock`` while the block runs; wait up to ``patience`` seconds for another run that holds it.

    Raises
    ------
    ValueError
        If another run holds it, or if the folder cannot be written.
    """
    lock = store.with_name(store.name + ".lock")
    mine = json.dumps({"pid": os.getpid(), "host": socket.gethostname()})
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        until = time.monotonic() + patience
        while not _linked(lock, mine):
            try:
                _take_over(lock)
            except ValueError:
                if time.monotonic() >= until:
                    raise
                time.sleep(0.02)
    except OSError as error:
        raise ValueError(
            f"store: the folder {lock.parent} cannot be written ({error.strerror or error}); pass "
            "another --out"
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):
            if lock.read_text() == mine:
                lock.unlink()


def _linked(lock: Path, text: str) -> bool:
    """Put the whole file in place in one step, if none is there: a killed run leaves no half-written lock."""
    path = new_beside(lock, text.encode())
    try:
        os.link(path, lock)
    except FileExistsError:
        return False
    finally:
        path.unlink()
    return True


def _take_over(lock: Path) -> None:
    """Remove the lock of a dead process of this machine; refuse otherwise."""
    try:
        text = lock.read_text()
    except FileNotFoundError:
        return
    try:
        holder = json.loads(text)
        pid, host = int(holder["pid"]), str(holder["host"])
    except (ValueError, KeyError, TypeError, OverflowError):
        pid, host = -1, ""
    if pid > 0 and host == socket.gethostname() and not _alive(pid):
        aside = lock.with_name(f"{lock.name}.{os.getpid()}")
        with suppress(FileNotFoundError):
            os.rename(lock, aside)
            if aside.read_text() != text:  # another run took it over in the meantime: give it back
                with suppress(FileExistsError):
                    os.link(aside, lock)
            os.unlink(aside)
        return
    who = f"process {pid} on {host}" if pid > 0 else "an unknown process"
    raise ValueError(
        f"store: {lock.with_suffix('').name} is held by another run ({who}); wait for it to end, pass "
        "another --out, "
        f"or remove {lock} if that run is dead"
    )


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # signal 0 would not be harmless there
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _zombie(pid)


def _zombie(pid: int) -> bool:
    """Whether a process has ended but was not waited for (Linux; false where that cannot be known)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (OSError, IndexError):
        return False
