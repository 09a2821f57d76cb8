"""The command line on results: verify, plot and report, and every mistake in one sentence with nothing lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from commanding import LAW, ROOT, refused, run, said
from globals_moved import global_state, moved

from experiments import verify
from experiments.cli import main
from experiments.commands.table import console, results_table, undecided_lines
from experiments.registry import study_of
from theory.registry import laws


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Folder in which one law has been verified, with its proof cache."""
    out = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE", str(out / "cache"))
        assert main(["verify", LAW, "--out", str(out)]) == 0
        yield out


def test_verify_keeps_the_list_that_laws_reads(results):
    kept = json.loads((results / "cache" / "laws.json").read_text())
    assert [law["name"] for law in kept["laws"]] == list(laws())


def test_laws_knows_the_last_verdict_and_proof(capsys, results):
    _, out, _ = said(capsys, "laws", "--json", "--out", str(results))
    (law,) = [law for law in json.loads(out)["laws"] if law["name"] == LAW]
    assert (law["verdict"], law["proof"]) == ("agrees", "PROVED")
    _, out, _ = said(capsys, "laws", "--out", str(results))
    assert any(LAW in line and "agrees" in line for line in out.splitlines())
    assert out.splitlines()[-1] == f"{len(laws())} laws"


def test_a_table_is_shown_where_its_signs_are_not_known(results):
    done = run("verify", LAW, "--no-plots", "--out", str(results), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "1 agrees" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_a_folder_whose_name_is_no_text_is_served(results):
    place = results.parent / os.fsdecode(b"no text \xff")
    shutil.copytree(results, place)
    for words in (("verify", LAW, "--no-plots"), ("plot", LAW), ("report",)):
        done = run(*words, "--out", str(place), PYTHONIOENCODING="utf-8")
        assert (done.returncode, "no text \\udcff" in done.stdout) == (0, True), done.stderr
    assert (place / "report.html").read_text(encoding="utf-8")


def test_verify_leaves_stores_verdicts_and_pictures(results):
    assert (results / f"{LAW}.zarr").is_dir()
    assert json.loads((results / "verdicts.json").read_text())["laws"]
    assert (results / "plots" / f"{LAW}.png").read_bytes()[1:4] == b"PNG"


def test_verify_json_is_one_object_and_ends_with_the_same_numbers(capsys, results):
    status, out, _ = said(capsys, "verify", LAW, "--json", "--no-plots", "--out", str(results))
    again = json.loads(out)
    assert status == 0
    assert set(again) == {"laws", "seconds", "budget"}
    (law,) = again["laws"]
    assert {"name", "verdict", "predicted", "estimate", "low", "high", "margin", "n", "proof"} <= set(law)
    (kept,) = json.loads((results / "verdicts.json").read_text())["laws"]
    assert [law[key] for key in ("estimate", "low", "high")] == [kept[key] for key in ("estimate", "low", "high")]


def test_verify_prints_one_table_and_its_budget(capsys, results):
    status, out, err = said(capsys, "verify", LAW, "--no-plots", "--out", str(results))
    assert status == 0
    heading, row = out.splitlines()[:2]
    assert heading.split() == ["law", "kind", "predicted", "estimate", "interval", "margin", "n", "verdict",
                               "controls", "proof"]  # fmt: skip
    assert row.startswith(LAW)
    for word in ("agrees", "3/3 disagree", "PROVED"):
        assert word in row
    assert "chance of any false 'disagrees'" in out
    assert "achieved over planned" in out
    assert str(results) in out
    assert f"{LAW}: agrees" in err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("breakeven.noise_facto",), "did you mean breakeven.noise_factor?"),
        (("brakeven",), "did you mean breakeven?"),
        ((LAW, "--profile", "huge"), "invalid choice: 'huge'"),
        ((LAW, "--seeds", "0"), "whole number of at least 1"),
        ((LAW, "--seeds", "ten"), "whole number of at least 1"),
        ((LAW, "--sedes", "10"), "unrecognized arguments"),
        ((LAW, "--data", "no/such/file.npz"), "no/such/file.npz"),
        ((LAW, "--data", ""), "'' names nothing; write a path"),
        ((LAW, "--dask", ""), "no scheduler answers at ''"),
        ((LAW, "--dask", "nonsense://1:2"), "no scheduler answers at 'nonsense://1:2'"),
        (("",), "law '' is not known"),
        (("xyzzy#",), "'assay laws' lists what is known"),
    ],
)
def test_verify_refuses_in_one_sentence(capsys, tmp_path, words, expected):
    assert expected in refused(capsys, "verify", *words, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["verify", "report", "plot", "doctor", "laws"])
def test_an_empty_folder_name_is_refused(capsys, verb):
    law = (LAW,) if verb in ("plot", "verify") else ()
    assert "'' names nothing; write a path" in refused(capsys, verb, *law, "--out", "")


def test_verify_refuses_an_output_folder_that_cannot_be_written(capsys, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    sentence = refused(capsys, "verify", LAW, "--out", str(tmp_path / "file" / "out"))
    assert str(tmp_path / "file") in sentence
    assert (tmp_path / "file").read_text() == "not a folder"


GOOD = {
    "x_train": np.zeros((20, 4, 4), np.uint8), "y_train": np.arange(20) % 2,
    "x_test": np.zeros((10, 4, 4), np.uint8), "y_test": np.arange(10) % 2,
}  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"x_train": None},
        {"y_train": np.arange(19) % 2},
        {"x_test": np.zeros((10, 3, 4), np.uint8)},
        {"x_train": np.full((20, 4, 4), np.nan)},
        {"y_test": np.full(10, -1)},
    ],
    ids=["missing array", "wrong length", "wrong shape", "NaN", "bad label"],
)
def test_verify_refuses_bad_data(capsys, tmp_path, changes):
    arrays = {name: value for name, value in (GOOD | changes).items() if value is not None}
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)
    refused(capsys, "verify", LAW, "--data", str(path), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out" / f"{LAW}.zarr").exists()


def test_verify_refuses_truncated_data(capsys, tmp_path):
    path = tmp_path / "data.npz"
    np.savez(path, **GOOD)
    path.write_bytes(path.read_bytes()[:200])
    assert "data.npz" in refused(capsys, "verify", LAW, "--data", str(path), "--out", str(tmp_path / "out"))


def test_objects_in_a_data_file_are_refused_in_words_of_ours(capsys, tmp_path):
    path = tmp_path / "text.npz"
    np.savez(path, allow_pickle=True, **GOOD | {"x_train": np.array([None, "a text"], dtype=object)})
    told = refused(capsys, "verify", LAW, "--data", str(path), "--out", str(tmp_path / "out"))
    assert f"{path} holds Python objects, which are never unpickled; write arrays of numbers" in told
    assert "allow_pickle" not in told


def test_data_that_none_of_the_studies_takes_are_told(capsys, results, tmp_path):
    np.savez(tmp_path / "data.npz", **GOOD)
    words = ("verify", LAW, "--no-plots", "--json", "--out", str(results))
    status, out, err = said(capsys, *words, "--data", str(tmp_path / "data.npz"))
    (told,) = [line for line in err.splitlines() if "data.npz" in line]
    assert told.startswith("verify: --data") and "is used by none of the chosen studies" in told
    assert (status, json.loads(out)["laws"][0]["verdict"]) == (0, "agrees")
    assert "--data" not in said(capsys, *words)[2]


def test_ctrl_c_says_what_is_kept_and_how_to_continue(capsys, monkeypatch, tmp_path):
    closed = []

    def interrupted(*_, out, **__):
        try:
            yield verify.Measuring("breakeven.noise_factor", 3, 8, out / "x.zarr")
            raise KeyboardInterrupt
        finally:
            closed.append(True)

    monkeypatch.setattr(verify, "verify", interrupted)
    status, out, err = said(capsys, "verify", LAW, "--out", str(tmp_path))
    assert (status, out, closed) == (130, "", [True])
    assert "3 of 8 cells of breakeven.noise_factor are kept" in err
    assert f"assay verify {LAW} --out {tmp_path}" in err


def test_a_command_that_was_stopped_ends_at_once_with_its_status():
    """Nothing is taken apart while compiled code may still compute: what would run at exit does not."""
    script = (
        "import atexit; from experiments import cli; atexit.register(print, 'taken apart'); "
        "cli.main = lambda: {}; print('told'); cli.command()"
    )
    for status, said_at_exit in ((130, "told\n"), (1, "told\ntaken apart\n"), (0, "told\ntaken apart\n")):
        done = subprocess.run([sys.executable, "-c", script.format(status)], capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode, done.stdout) == (status, said_at_exit)


@pytest.mark.slow
def test_a_real_interrupt_is_followed_by_the_same_numbers(tmp_path):
    whole = run("verify", LAW, "--out", str(tmp_path / "a"), "--json", "--no-plots", ASSAY_CACHE=str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", "verify", LAW, "--out", str(tmp_path / "b"), "--no-plots"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "ASSAY_CACHE": str(tmp_path)},
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("measuring"):
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode in (0, 130)
    again = run("verify", LAW, "--out", str(tmp_path / "b"), "--json", "--no-plots", ASSAY_CACHE=str(tmp_path))
    first, second = json.loads(whole.stdout)["laws"][0], json.loads(again.stdout)["laws"][0]
    assert [first[key] for key in ("estimate", "low", "high")] == [second[key] for key in ("estimate", "low", "high")]


def test_plot_prints_where_the_picture_lies(capsys, results):
    status, out, _ = said(capsys, "plot", LAW, "--format", "svg", "--out", str(results))
    assert status == 0
    assert Path(out.strip()).read_text().lstrip().startswith("<?xml")


def test_plot_refuses_unknown_laws_and_missing_results(capsys, tmp_path):
    assert "did you mean" in refused(capsys, "plot", "breakeven.noise_facto", "--out", str(tmp_path))
    assert "there is no store at" in refused(capsys, "plot", LAW, "--out", str(tmp_path))


def test_a_report_of_nothing_says_why_a_store_cannot_be_told(capsys, results, tmp_path):
    assert "holds no results;" in refused(capsys, "report", "--out", str(tmp_path))
    shutil.copytree(results, tmp_path / "other")
    for attributes in (tmp_path / "other").glob("*.zarr/.zattrs"):
        attributes.write_text(attributes.read_text().replace('"study source": "', '"study source": "x'))
    told = refused(capsys, "report", "--out", str(tmp_path / "other"))
    assert "holds no results that can be told (" in told and "was made with another study source" in told


def test_report_is_written_and_named(capsys, results):
    status, out, _ = said(capsys, "report", "--out", str(results))
    content = Path(out.strip()).read_text()
    assert status == 0
    assert f'id="{LAW}"' in content
    assert content.count("data:image/png;base64,") == len(study_of(LAW).checks)
    assert all(content.count(f'<article id="{law}">') == 1 for law in laws())
    assert len(content) < 5e6


def test_report_without_results_is_refused(capsys, tmp_path):
    assert "no results" in refused(capsys, "report", "--out", str(tmp_path))
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("laws",), ("derive", LAW), ("errata",), ("predict", LAW, "N=10", "S=3", "replacement=False"),
        ("verify", LAW, "--fresh", "--no-plots"), ("plot", LAW),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_a_call_moves_nothing_global(capsys, results, words):
    """Random states, JAX's configuration, the environment, warnings, threads; loading a library is not the call."""
    place = () if words[0] in ("derive", "errata", "predict") else ("--out", str(results))
    assert said(capsys, *words, *place)[0] == 0
    before = global_state()
    assert said(capsys, *words, *place)[0] == 0
    assert moved(before) == set()


def test_undecided_and_untrusted_laws_are_named(capsys):
    from dataclasses import replace

    from observations import claims, margin, observation

    from experiments.compare import compare
    from experiments.comparison import Verdict
    from experiments.result import Control, Result

    right, _ = claims()["Formula"]
    good = compare(right, observation("Formula"), margin("Formula"))
    wide = replace(good.parts[0], low=0.5, high=1.5, standard_error=0.15, verdict=Verdict.UNDECIDED)
    told = Result("width.x", "Formula", "theorem", "s", "width.s", "UNDECIDED", replace(good, parts=(wide,)),
                  (Control("sleepy", "rival", "too close", good),))  # fmt: skip
    first, second = undecided_lines([told])
    assert f"--seeds {wide.seeds_needed}" in first
    assert "sleepy" in second
    console().print(results_table([told]))
    row = capsys.readouterr().out.splitlines()[1]
    assert "undecided" in row
    assert "0/1 disagree" in row
