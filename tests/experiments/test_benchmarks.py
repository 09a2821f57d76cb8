"""Benchmarks run, and say of each kernel what it takes beside its limit."""

from types import SimpleNamespace

import numpy as np
import pytest

from experiments.benchmarks import kernels, listing


def test_the_shortest_of_several_turns_is_kept_and_the_first_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(np.cumsum([0, 0, 0, 3, 0, 2, 0, 4, 0, 5]).tolist())
    told = SimpleNamespace(process_time=lambda: next(clock), perf_counter=lambda: next(clock))
    monkeypatch.setattr(kernels, "time", told)
    turns: list[str] = []
    calls = {name: (lambda name=name: turns.append(name)) for name in ("one", "other")}
    assert kernels.shortest(calls, rounds=2) == pytest.approx({"one": 3, "other": 2})
    assert turns == ["one", "other"] * 3


def test_copies_move_what_they_say() -> None:
    copy, moved = kernels.copying(2.0**16, 2.0**20)
    copy()
    assert moved == pytest.approx(2.0**20)


@pytest.mark.slow
def test_every_kernel_is_told_beside_its_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, small in {"POINTS": 32, "STEPS": 2, "LANCZOS": 2}.items():
        monkeypatch.setattr(kernels, name, small)
    monkeypatch.setattr(kernels.shortest, "__defaults__", (1,))
    kernels.main()
    told = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in told if "times its limit" in line] == list(kernels.kernels())
    assert listing.best_seconds("pass", runs=1) < 60
