"""The command line: shapes of its JSON, exit statuses, and one sentence for every mistake."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from experiments import verify
from experiments.cli import VERBS, main, one_sentence
from experiments.commands.shared import columns, finite
from experiments.commands.table import console, results_table, undecided_lines
from theory.registry import laws

ROOT = Path(__file__).resolve().parents[2]
LAW = "breakeven.noise_factor"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Folder in which one law has been verified, with its proof cache."""
    out = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE", str(out / "cache"))
        assert main(["verify", LAW, "--out", str(out)]) == 0
        yield out


def said(capsys, *words: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a command line."""
    capsys.readouterr()
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def refused(capsys, *words: str) -> str:
    """The one sentence with which a command line is refused."""
    status, out, err = said(capsys, *words)
    assert status == 2, (out, err)
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.startswith("assay")
    assert "Traceback" not in err
    return err


def run(*words: str, **variables: str) -> subprocess.CompletedProcess:
    """A command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "experiments.cli", *words], capture_output=True, text=True, cwd=ROOT,
        timeout=300, env={**os.environ, "JAX_PLATFORMS": "cpu", **variables},
    )  # fmt: skip


# laws


def test_laws_lists_every_law(capsys, tmp_path):
    status, out, _ = said(capsys, "laws", "--json", "--out", str(tmp_path))
    listed = json.loads(out)["laws"]
    assert status == 0
    assert [law["name"] for law in listed] == list(laws())
    for law in listed:
        assert set(law) == {"name", "kind", "status", "source", "proof", "verdict"}
        assert law["verdict"] is None
        states = {"PROVED", "REFUTED", "UNDECIDED", "VACUOUS", "unchecked"}
        assert law["proof"] in (states if law["status"] == "theorem" else states | {"none"})
        assert ":" in law["source"]


def test_laws_knows_the_last_verdict_and_proof(capsys, results):
    _, out, _ = said(capsys, "laws", "--json", "--out", str(results))
    (law,) = [law for law in json.loads(out)["laws"] if law["name"] == LAW]
    assert (law["verdict"], law["proof"]) == ("agrees", "PROVED")
    _, out, _ = said(capsys, "laws", "--out", str(results))
    assert any(LAW in line and "agrees" in line for line in out.splitlines())
    assert out.splitlines()[-1] == f"{len(laws())} laws"


def test_laws_loads_nothing_heavy():
    code = (
        "import sys; from experiments.cli import main; main(['laws']); print({m.split('.')[0] for m in sys.modules} & "
        "{'jax', 'xarray', 'scipy', 'matplotlib', 'zarr', 'numerics'})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert out.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("words", [("errata",), ("errata", "--json"), ("derive", LAW, "--json")])
def test_a_terminal_that_knows_ascii_only_is_served(words):
    done = run(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--json" not in words or json.loads(done.stdout)
    if words == ("errata", "--json"):
        assert json.loads(done.stdout) == json.loads(run(*words, PYTHONIOENCODING="utf-8").stdout)


def test_a_table_is_shown_where_its_signs_are_not_known(results):
    done = run("verify", LAW, "--no-plots", "--out", str(results), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "1 agrees" in done.stdout


# derive


def test_derive_shows_steps_with_their_states(capsys):
    status, out, _ = said(capsys, "derive", LAW)
    assert status == 0
    for step in laws()[LAW].derivation.steps:
        assert step.name in out
    assert "PROVED" in out.upper()


def test_derive_keeps_what_it_proved(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    other = "breakeven.batch_variance"
    said(capsys, "derive", LAW)
    _, out, _ = said(capsys, "laws", "--json", "--out", str(tmp_path))
    proofs = {law["name"]: law["proof"] for law in json.loads(out)["laws"]}
    assert (proofs[LAW], proofs[other]) == ("PROVED", "unchecked")


def test_derive_json(capsys):
    status, out, _ = said(capsys, "derive", LAW, "--json")
    (law,) = json.loads(out)["laws"]
    assert status == 0
    assert (law["name"], law["proof"]) == (LAW, "PROVED")
    assert [step["state"] for step in law["steps"]] == ["PROVED"] * len(laws()[LAW].derivation.steps)
    assert all(step["conclusion"] and step["latex"] for step in law["steps"])


def test_derive_latex(capsys):
    status, out, _ = said(capsys, "derive", LAW, "--latex")
    assert status == 0
    assert "\\frac" in out


def test_derive_exits_1_where_a_step_is_not_proved(capsys, monkeypatch):
    import dataclasses

    from theory import registry
    from theory.proof.derivation import Derivation

    law = laws()[LAW]
    broken = Derivation(law.derivation.premises, (dataclasses.replace(law.derivation.steps[-1], uses=()),),
                        law.derivation.worlds)  # fmt: skip
    monkeypatch.setattr(registry, "select", lambda names: (dataclasses.replace(law, derivation=broken),))
    assert said(capsys, "derive", LAW)[0] == 1


# predict


def test_predict_json(capsys):
    status, out, _ = said(capsys, "predict", LAW, "N=10", "S=3", "replacement=false", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["law"] == LAW
    assert found["outputs"]["c"] == {"exact": "7/27", "value": 7 / 27}
    assert found["inputs"]["replacement"] is False


def test_predict_for_people(capsys):
    status, out, _ = said(capsys, "predict", LAW, "N=10", "S=3", "replacement=true")
    assert status == 0
    assert "c: 1/3 = 0.3333333333333333" in out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((LAW, "N=10"), "is missing"),
        ((LAW, "N=10", "S=3", "replacement=false", "M=1"), "M is not known"),
        ((LAW, "N=10", "S=11", "replacement=false"), "S"),
        ((LAW, "N=10", "S=1/0", "replacement=false"), "divides by zero"),
        ((LAW, "N=10", "S=x^2", "replacement=false"), "cannot be read"),
        ((LAW, "N=10", "S", "replacement=false"), "name=value"),
        (("breakeven.noise_facto", "N=10"), "did you mean breakeven.noise_factor?"),
    ],
)
def test_predict_refuses_in_one_sentence(capsys, words, expected):
    assert expected in refused(capsys, "predict", *words)


# verify


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


# plot, report, errata


def test_plot_prints_where_the_picture_lies(capsys, results):
    status, out, _ = said(capsys, "plot", LAW, "--format", "svg", "--out", str(results))
    assert status == 0
    assert Path(out.strip()).read_text().lstrip().startswith("<?xml")


def test_plot_refuses_unknown_laws_and_missing_results(capsys, tmp_path):
    assert "did you mean" in refused(capsys, "plot", "breakeven.noise_facto", "--out", str(tmp_path))
    assert "verify" in refused(capsys, "plot", LAW, "--out", str(tmp_path))


def test_report_is_written_and_named(capsys, results):
    status, out, _ = said(capsys, "report", "--out", str(results))
    content = Path(out.strip()).read_text()
    assert status == 0
    assert f'id="{LAW}"' in content
    assert "data:image/png;base64," in content


def test_report_without_results_is_refused(capsys, tmp_path):
    assert "no results" in refused(capsys, "report", "--out", str(tmp_path))
    assert not (tmp_path / "report.html").exists()


def test_errata(capsys):
    status, out, _ = said(capsys, "errata", "--json")
    listed = json.loads(out)["errata"]
    assert status == 0
    for erratum in listed:
        assert {"id", "printed", "derived", "evidence"} <= set(erratum)
        assert all(evidence["stands"] is not False for evidence in erratum["evidence"])
    status, out, _ = said(capsys, "errata")
    assert status == 0
    assert out.splitlines()[-1] == f"{len(listed)} errata"
    assert all(erratum["sentence"] in out for erratum in listed)


# the whole


def test_every_verb_has_help(capsys):
    for verb in VERBS:
        status, out, _ = said(capsys, verb, "--help")
        assert status == 0
        assert out.startswith(f"usage: assay {verb}")


@pytest.mark.parametrize("words", [(), ("verfy",), ("laws", "extra")])
def test_bad_verbs_are_refused(capsys, words):
    refused(capsys, *words)


def test_a_mistake_in_a_process_of_its_own():
    found = run("verify", "no.such.law")
    assert (found.returncode, found.stdout) == (2, "")
    assert len(found.stderr.splitlines()) == 1


def test_tracebacks_can_be_asked_for(monkeypatch):
    monkeypatch.setenv("ASSAY_TRACEBACK", "1")
    with pytest.raises(ValueError, match="is not known"):
        main(["plot", "no.such.law"])


def test_errors_become_one_sentence():
    assert one_sentence(ValueError("a\n  b")) == "a b"
    assert (
        one_sentence(FileNotFoundError(2, "No such file or directory", "x.npz")) == "x.npz: no such file or directory"
    )
    assert one_sentence(ValueError()) == "ValueError"


def test_json_has_no_numbers_that_json_lacks():
    assert finite({"a": [float("nan"), float("inf"), 1.5], "b": None}) == {"a": [None, None, 1.5], "b": None}


def test_columns_of_nothing():
    assert columns([]) == ""


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
