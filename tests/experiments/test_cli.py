"""The command line where nothing is measured: shapes of its JSON, exit statuses, and one sentence for a mistake."""

import json
import subprocess
import sys

import pytest
from commanding import LAW, ROOT, refused, run, said

from experiments.cli import VERBS, main, one_sentence
from experiments.commands.shared import columns, finite
from theory.registry import laws


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


def test_laws_loads_nothing_heavy():
    code = (
        "import sys; from experiments.cli import main; main(['laws']); print({m.split('.')[0] for m in sys.modules} & "
        "{'jax', 'xarray', 'scipy', 'matplotlib', 'zarr', 'numerics'})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert out.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("words", [("errata",), ("errata", "--json"), ("derive", LAW, "--json")])
def test_a_terminal_that_knows_ascii_only_is_served(words, capsys):
    done = run(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--json" not in words or json.loads(done.stdout)
    if words == ("errata", "--json"):
        assert json.loads(done.stdout) == json.loads(said(capsys, *words)[1])


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
        (("width",), "width is a topic; those of width with a closed form are width."),
        (("breakeven.ceiling",), "no closed form to evaluate; those of breakeven with a closed form are breakeven."),
    ],
)
def test_predict_refuses_in_one_sentence(capsys, words, expected):
    assert expected in refused(capsys, "predict", *words)


def test_a_topic_has_no_picture_and_its_figures_are_named(capsys, tmp_path):
    told = refused(capsys, "plot", "breakeven", "--out", str(tmp_path))
    assert "breakeven is a topic" in told and "breakeven.figure_4" in told and "width.figure" not in told


@pytest.mark.parametrize("verb", ["verify", "derive", "predict"])
def test_a_figure_is_no_law_and_what_draws_it_is_named(capsys, tmp_path, verb):
    place = ("--out", str(tmp_path / "out")) if verb == "verify" else ()
    told = refused(capsys, verb, "breakeven.figure_4", *place)
    assert "breakeven.figure_4 is a figure, not a law; 'assay plot breakeven.figure_4' draws it" in told
    assert "law breakeven.figure_99 is not known" in refused(capsys, verb, "breakeven.figure_99", *place)


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
