"""Run a study in child processes that die at the n-th file they write; then continue; then compare.

Usage: python killed.py FOLDER EVERY; takes every EVERY-th write and prints one JSON object. Children are
forked from this process, which has started no thread and no JAX backend, so that each costs a fraction of
a second.
"""

import dataclasses
import itertools
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import planted  # noqa: E402
from zarr.storage import _local  # noqa: E402

from experiments import fingerprint, provenance, skeleton  # noqa: E402
from experiments.run import run  # noqa: E402
from experiments.stored import assemble, store_path  # noqa: E402

HOW = ("before", "torn", "after")
GRID = dataclasses.replace(planted.GRID, axes={"beta": (0.5, 1.0), "system": ("own",)}, seeds=4, block=2)


def measure(replicates: Any, **rest: Any) -> dict[str, Any]:
    """The planted measurement without JAX."""
    draws = np.array([generator.standard_normal(5) for generator in replicates.generators()])
    return {
        "time": draws[:, 0],
        "trace": draws[:, :1] * rest["step"],
        "spectrum": draws[:, :3],
        "hits": np.arange(len(draws)),
        "stable": draws[:, 0] > 0,
    }


STUDY = dataclasses.replace(planted.STUDY, grids={"quick": GRID}, measure=measure)


def child(work: Callable[[], None]) -> int:
    """Exit status of a forked process (negative: the signal that killed it)."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def dying_run(out: Path, last: int, how: str) -> None:
    """Die at write number ``last``; ``how`` is before it, with half of it in a temporary file, or after
    it.
    """
    plain, numbers, seen = _local._put, itertools.count(1), []

    def put(path: Path, value: Any, exclusive: bool = False) -> int:
        count = next(numbers)  # files are written from several threads
        seen.append(count)
        if count == last and how == "torn":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".half.partial").write_bytes(bytes(value.as_buffer_like())[::2])
        if count == last and how != "after":
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            return plain(path, value, exclusive)
        finally:  # a write that was refused, since the file stands, is an end as well
            if count == last:
                os.kill(os.getpid(), signal.SIGKILL)

    _local._put = put
    for _ in run(STUDY, "quick", out):
        pass
    (out / "writes").write_text(str(max(seen)))


def continued(out: Path, reference: Path) -> None:
    """Continue a run that was killed; fail unless it ends as the one that was not."""
    for _ in run(STUDY, "quick", out):
        pass
    one, two = (assemble(store_path(place, STUDY.name)).drop_vars("wall_seconds") for place in (out, reference))
    if not one.identical(two.assign_attrs(one.attrs)) or not (one["status"] == 2).all():
        raise SystemExit(1)
    if list(out.glob("*.lock*")) or list(out.rglob("*.partial")):
        raise SystemExit(1)


def main(folder: Path, every: int) -> dict[str, Any]:
    """Kill, continue and compare at every ``every``-th write."""
    # Neither JAX's devices nor the laws are wanted here: each child would pay for them.
    skeleton.machine = lambda: "whatever"
    provenance.laws = dict
    fingerprint.law_source = lambda law: law
    reference = folder / "reference"
    if child(lambda: dying_run(reference, -1, "never")):
        raise SystemExit("the reference run failed")
    writes = int((reference / "writes").read_text())
    report: dict[str, Any] = {"writes": writes, "tried": 0, "killed": 0, "torn": 0, "different": []}
    for number, last in enumerate(range(1, writes + 1, every)):
        out, how = folder / f"at {last}", HOW[number % 3]
        report["tried"] += 1
        ended = child(lambda out=out, last=last, how=how: dying_run(out, last, how))
        report["killed"] += ended == -signal.SIGKILL
        report["torn"] += bool(list(out.rglob("*.half.partial")))
        if child(lambda out=out: continued(out, reference)):
            report["different"].append([last, how])
        else:
            shutil.rmtree(out)
    return report


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]))))
