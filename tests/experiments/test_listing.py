"""The kept list of laws: the same as the registry's, read without SymPy, and never of other sources."""

import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest

import experiments
from experiments import listing
from experiments.listing import listed
from theory.registry import laws

WITHOUT_SYMPY = """
import sys
from experiments.cli import main
status = main(["laws"])
sys.exit(status or (3 if "sympy" in sys.modules else 0))
"""


def test_a_kept_list_is_that_of_the_registry(tmp_path: Path) -> None:
    """Made from the registry or read from the cache, the list is the same, and it is read the second time."""
    first = listed(tmp_path)
    assert [law.name for law in first] == list(laws())
    (place,) = tmp_path.iterdir()
    held = json.loads(place.read_text())
    held["laws"][0]["status"] = "read from the cache"
    place.write_text(json.dumps(held))
    again = listed(tmp_path)
    assert again[0].status == "read from the cache" and again[1:] == first[1:]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"sources": "others", "laws": []}', '{"laws": 3}'])
def test_a_damaged_list_or_one_of_other_sources_is_made_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "laws.json").write_text(text)
    assert [law.name for law in listed(tmp_path)] == list(laws())
    assert len(json.loads((tmp_path / "laws.json").read_text())["laws"]) == len(laws())


def test_a_damaged_entry_is_made_again(tmp_path: Path) -> None:
    first = listed(tmp_path)
    place = tmp_path / "laws.json"
    held = json.loads(place.read_text())
    del held["laws"][5]["kind"]
    place.write_text(json.dumps(held))
    assert listed(tmp_path) == first


def test_sources_edited_since_the_start_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was loaded may be older than what the hash is of."""
    monkeypatch.setattr(experiments, "STARTED", 0)
    assert [law.name for law in listed(tmp_path)] == list(laws())
    assert list(tmp_path.iterdir()) == []


def test_an_edited_source_gives_another_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed(tmp_path / "cache")
    theory = tmp_path / "theory"
    theory.mkdir()
    (theory / "law.py").write_text("")
    monkeypatch.setattr(listing, "_theory", lambda: theory)
    monkeypatch.setattr(listing, "_of_registry", lambda: iter(()))
    assert listed(tmp_path / "cache") == ()


def test_garbage_is_looked_for_again_after_the_list_is_made() -> None:
    """Also after an error, and not where it was not before."""
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), listing.uncollected():
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()
    with listing.uncollected(), listing.uncollected():
        pass
    assert gc.isenabled()
    gc.disable()
    try:
        with listing.uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_kept_list_is_told_without_sympy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could fail: without a kept list SymPy is loaded and the script ends with status 3."""
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    runs = [
        subprocess.run([sys.executable, "-c", WITHOUT_SYMPY], capture_output=True, text=True, cwd=Path.cwd())
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [3, 0], runs[1].stderr
    assert runs[0].stdout == runs[1].stdout and len(runs[0].stdout) > 1000


@pytest.mark.parametrize("broken", [False, True])
def test_topics_read_beside_are_those_read_here(monkeypatch: pytest.MonkeyPatch, broken: bool) -> None:
    """A process beside this one tells the same laws; where it fails they are read here."""
    here = list(listing._of_registry())
    monkeypatch.delitem(sys.modules, "sympy")
    popen, started = subprocess.Popen, []

    def start(command: list[str], **options: object) -> subprocess.Popen:
        started.append(command)
        failing = [sys.executable, "-c", "raise SystemExit(3)"]
        return popen(failing if broken else command, **options)  # pyright: ignore[reportCallIssue, reportArgumentType]

    monkeypatch.setattr(subprocess, "Popen", start)
    assert list(listing._of_registry()) == here
    assert len(started) == 1


def test_two_laws_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(listing._of_registry())
    refused: list[str] = []
    monkeypatch.setattr(listing, "_of_registry", lambda: iter((one, one)))
    monkeypatch.setattr("theory.registry.laws", lambda: refused.append("asked"))
    listed(tmp_path)
    assert refused == ["asked"]
