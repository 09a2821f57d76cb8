"""What a hostile newcomer does: every mistake is one sentence and status 2, and nothing stored is lost."""

import argparse
import contextlib
import dataclasses
import errno
import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.commands.verify import MOST, _stopped
from experiments.fingerprint import Fingerprint
from experiments.store import open_store

LAW = "breakeven.noise_factor"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Folder in which one law has been verified."""
    out = tmp_path_factory.mktemp("measured")
    assert main(["verify", LAW, "--no-plots", "--out", str(out)]) == 0
    return out


@pytest.fixture
def store(measured, tmp_path):
    """A copy of the law's store, to be damaged."""
    shutil.copytree(measured, tmp_path / "out")
    return tmp_path / "out" / f"{LAW}.zarr"


def refused(capsys, *words: str) -> str:
    """The one sentence with which a command line is refused, after lines that tell of progress."""
    capsys.readouterr()
    status = main(list(words))
    out, err = capsys.readouterr()
    assert (status, out) == (2, ""), err
    *told, last = err.splitlines()
    assert all(line.startswith("measuring") for line in told), err
    return last


def garble(store: Path) -> None:
    """Overwrite every chunk."""
    for path in store.rglob("[!.]*"):
        if path.is_file():
            path.write_bytes(b"garbage")


def edit(store: Path, **changes: object) -> None:
    """Change attributes of a store; None removes one."""
    path = store / ".zattrs"
    attributes = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in attributes.items() if value is not None}))


DAMAGES = {
    "garbled chunks": garble,
    "no status": lambda store: shutil.rmtree(store / "status"),
    "no numbers": lambda store: shutil.rmtree(store / "ratio"),
    "no axis": lambda store: shutil.rmtree(store / "scheme"),
    "no file of numbers": lambda store: (store / "ratio" / "0.0.0").unlink(),
    "no file of an axis": lambda store: (store / "scheme" / "0").unlink(),
    "no profile": lambda store: edit(store, profile=None),
    "no group": lambda store: (store / ".zgroup").unlink(),
    "garbled metadata": lambda store: (store / "wall_seconds" / ".zarray").write_text("{"),
    "seeds lost": lambda store: edit(store, seeds=None),
    "components of another kind": lambda store: edit(store, components=[1]),
    "cut attributes": lambda store: (store / ".zattrs").write_text('{"compo'),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_store_is_told_and_measured_again(capsys, measured, store, damage):
    damage(store)
    told = refused(capsys, "verify", LAW, "--no-plots", "--json", "--out", str(store.parent))
    assert str(store) in told
    assert "--fresh" in told
    assert main(["verify", LAW, "--no-plots", "--fresh", "--out", str(store.parent)]) == 0
    numbers = [
        [(law["estimate"], law["low"], law["high"]) for law in json.loads(path.read_text())["laws"]]
        for path in (measured / "verdicts.json", store.parent / "verdicts.json")
    ]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_plot_and_report_tell_of_a_damaged_store(capsys, store, damage):
    damage(store)
    assert "damaged" in refused(capsys, "plot", LAW, "--out", str(store.parent))
    assert "no results" in refused(capsys, "report", "--out", str(store.parent))


@pytest.mark.slow
def test_a_report_tells_once_of_a_damaged_store_beside_a_whole_one(capsys, measured, store):
    assert main(["verify", "breakeven.ceiling", "--no-plots", "--out", str(store.parent)]) == 0
    shutil.rmtree(store / "status")
    capsys.readouterr()
    assert main(["report", "--out", str(store.parent)]) == 0
    out, err = capsys.readouterr()
    (told,) = err.splitlines()
    assert told.startswith(f"report: store: {store} is damaged") and "its array status is gone" in told
    assert told.removeprefix("report: ") in Path(out.strip()).read_text()


def test_a_store_of_another_version_is_refused(capsys, store):
    edit(store, components=json.loads((store / ".zattrs").read_text())["components"] | {"numerics": "beef"})
    told = refused(capsys, "verify", LAW, "--no-plots", "--json", "--out", str(store.parent))
    assert "another numerics" in told
    assert "another numerics" in refused(capsys, "plot", LAW, "--out", str(store.parent))


def test_a_store_of_another_profile_says_which(capsys, store):
    told = refused(capsys, "verify", LAW, "--profile", "full", "--no-plots", "--json", "--out", str(store.parent))
    assert "another grid (profile quick, not full); pass --fresh" in told


def test_a_store_of_another_grid_is_not_drawn(capsys, store):
    edit(store, components=json.loads((store / ".zattrs").read_text())["components"] | {"grid": "beef"})
    assert "another grid" in refused(capsys, "plot", LAW, "--out", str(store.parent))


def test_seeds_before_the_declared_ones_are_not_used_again(store):
    from experiments.registry import study_of

    components = json.loads((store / ".zattrs").read_text())["components"]
    study = study_of(LAW)
    later = dataclasses.replace(study.grids["quick"], first_seed=100)
    anew = dataclasses.replace(study, grids={"quick": later})
    assert open_store(store.parent, study, "quick", Fingerprint(components)).first_seed == 0
    with pytest.raises(ValueError, match=r"made with another first seed; pass --fresh"):
        open_store(store.parent, anew, "quick", Fingerprint(components))
    assert open_store(store.parent, anew, "quick", Fingerprint(components), fresh=True).first_seed == 100


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("[" * 3000, "nested"),
        ("[" * 30 + "]" * 30, "nested"),
        ("1" * 5000, "digits are read"),
        ("0." + "1" * 5000, "digits are read"),
        ("1e999", "exponents up to 400"),
        ("1/0", "divides by zero"),
        ("nan", "cannot be read"),
    ],
    ids=["open brackets", "nested", "long", "long decimal", "large", "1/0", "nan"],
)
def test_predict_refuses_what_it_cannot_read(capsys, value, sentence):
    told = refused(capsys, "predict", LAW, f"N={value}", "S=1", "replacement=true")
    assert told.startswith("assay: input N: ")
    assert sentence in told


def test_predict_gives_up_what_would_never_end(capsys, monkeypatch):
    from experiments.commands import predict

    monkeypatch.setattr(predict, "LONGEST", 1.0)
    told = refused(capsys, "predict", "temperature.homogeneity", "H=1e-19", "beta=4", "eta=3")
    assert "takes more than 1 s" in told
    assert main(["predict", "temperature.homogeneity", "H=2", "beta=4", "eta=3"]) == 0


def test_a_refusal_does_not_repeat_hundreds_of_digits(capsys):
    told = refused(capsys, "predict", "temperature.homogeneity", "H=-1e399", "beta=4", "eta=3")
    assert "H is -100000000000...(400 digits)" in told
    assert len(told) < 200


def test_a_refusal_does_not_repeat_a_list_of_thousands(capsys):
    told = refused(capsys, "predict", LAW, f"N=[{', '.join(['12'] * 3000)}]", "S=1", "replacement=true")
    assert told.startswith(f"assay: {LAW}: N=[12, 12")
    assert "is outside the domain; give an integer" in told
    assert len(told) < 1100


@pytest.mark.parametrize("seeds", ["0", "-1", "", "1.5", str(MOST + 1), "9" * 23])
def test_numbers_of_seeds_that_are_slips_are_refused(capsys, tmp_path, seeds):
    told = refused(capsys, "verify", LAW, f"--seeds={seeds}", "--out", str(tmp_path / "out"))
    assert "whole number" in told
    assert not (tmp_path / "out").exists()


def test_a_stopped_run_says_all_that_continues_it(capsys):
    asked = argparse.Namespace(names=[LAW], profile="full", seeds=40, data=Path("my data.npz"), dask=None,
                               out=Path("there"), workers=2, fresh=True)  # fmt: skip
    assert _stopped(asked, None) == 130
    told = capsys.readouterr().err
    assert f"assay verify {LAW} --profile full --seeds 40 --data 'my data.npz' --out there --workers 2" in told
    assert "--fresh" not in told


@pytest.fixture
def hears_ctrl_c():
    """Python's own handler, which a process that runs tests for another one may lack."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_ctrl_c_that_a_library_swallows_stops_the_run_all_the_same(capsys, monkeypatch, tmp_path):
    from experiments import verify

    def events(*given: object, **named: object):
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        yield verify.Measuring("study", 1, 2, tmp_path)
        raise AssertionError("the run went on")

    monkeypatch.setattr(verify, "verify", events)
    assert main(["verify", LAW, "--out", str(tmp_path)]) == 130
    assert "stopped" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_full_disk_is_told_with_its_place_and_loses_nothing(capsys, measured, store, monkeypatch):
    from experiments.store import Store

    def full(*given: object):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", full)
        told = refused(capsys, "verify", LAW, "--no-plots", "--seeds", "11", "--out", str(store.parent))
    assert f"{store.parent} cannot be written (No space left on device)" in told
    assert "--out" in told
    assert main(["verify", LAW, "--no-plots", "--out", str(store.parent)]) == 0


@pytest.mark.parametrize(
    ("words", "kept"),
    [(("plot", LAW), f"plots/{LAW}.png"), pytest.param(("report",), "report.html", marks=pytest.mark.slow)],
)
def test_a_disk_that_is_full_costs_no_old_picture_and_no_old_report(capsys, store, monkeypatch, words, kept):
    from experiments import files

    def full(place: Path, content: bytes):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert main([*words, "--out", str(store.parent)]) == 0
    before = (store.parent / kept).read_bytes()
    monkeypatch.setattr(files, "new_beside", full)
    told = refused(capsys, *words, "--out", str(store.parent))
    assert told.startswith(f"assay: {words[0]}: {store.parent} cannot be written (No space left on device); make room")
    assert (store.parent / kept).read_bytes() == before
