"""Work beside the measuring: proofs told once, wherever they are checked; a killed process costs time only."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import planted
import pytest

from experiments import beside, proving
from experiments.beside import worth_it
from experiments.proofs import Proved, cached_proof
from experiments.proving import Proving
from experiments.proving import proving as proofs_of
from theory.registry import laws

CHEAP = ("breakeven.batch_variance", "breakeven.noise_factor", "breakeven.second_moment")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process however few the jobs."""
    monkeypatch.setattr(proving, "worth_it", lambda jobs: jobs > 0)


def test_a_process_is_worth_its_start_for_many_jobs_and_a_second_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert worth_it(beside.ENOUGH) and not worth_it(beside.ENOUGH - 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert not worth_it(1000)


@pytest.mark.usefixtures("always")
def test_proofs_are_checked_beside_and_told_once(tmp_path: Path) -> None:
    chosen = [laws()[name] for name in CHEAP]
    with proofs_of(chosen, tmp_path) as proofs:
        assert list(proofs.now()) == []
        told = [event for law in chosen for event in proofs.of(law.name)]
        assert list(proofs.news()) == [] and list(proofs.of(CHEAP[0])) == []
    assert [type(event) for event in told] == [Proving, Proved] * 3
    assert [proofs[name].state for name in CHEAP] == ["PROVED"] * 3
    assert [cached_proof(law, tmp_path) for law in chosen] == ["PROVED"] * 3
    with proofs_of(chosen, tmp_path) as again:
        assert all(event.cached for event in again.now() if isinstance(event, Proved))


@pytest.mark.usefixtures("always")
def test_a_law_that_is_not_registered_is_checked_here(tmp_path: Path) -> None:
    with proofs_of([planted.TRUE, laws()[CHEAP[0]]], tmp_path) as proofs:
        here = [event.law for event in proofs.now() if isinstance(event, Proved)]
    assert here == [planted.TRUE.name]


@pytest.mark.usefixtures("always")
def test_a_killed_process_is_made_good_here(tmp_path: Path) -> None:
    with beside.beside() as pool:
        place = pool.submit(os.getpid).result()
        running = {CHEAP[0]: pool.submit(time.sleep, 60)}
        os.kill(place, signal.SIGKILL)
        proofs = proving.Proofs((laws()[CHEAP[0]],), running, tmp_path)
        list(proofs.of(CHEAP[0]))
    assert proofs[CHEAP[0]].state == "PROVED"


def test_left_early_it_stops_at_once() -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), beside.beside() as pool:
        pool.submit(os.getpid).result()
        pool.submit(time.sleep, 60)
        raise KeyboardInterrupt
    assert time.monotonic() - start < 30


ORPHAN = """
import os, sys, time
from experiments.beside import beside
if __name__ == "__main__":
    with beside() as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 600)
        time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_run_leaves_no_process_behind(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN)
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root}
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert there(child)
        parent.send_signal(how)
        parent.wait()
        end = time.monotonic() + 30
        while there(child) and time.monotonic() < end:
            time.sleep(0.1)
        assert not there(child)


def there(process: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
