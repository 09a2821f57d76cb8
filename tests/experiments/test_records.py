"""Kept verdicts: told while nothing changed that they rest on, and never lost without a word."""

import json
import threading
import time
from pathlib import Path

import pytest

import experiments
from experiments import proofs, records, sources
from experiments.cli import main
from experiments.fingerprint import judged_in, source_components
from experiments.records import Damaged, by_version, keep_verdicts, last_verdicts, put_aside_if_damaged
from experiments.registry import check_of, stated_in, studies
from theory.registry import laws

LAW, ADDED = "breakeven.batch_variance", "breakeven.batch_covariance"


@pytest.fixture(autouse=True)
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that were all written before this process began."""
    monkeypatch.setattr(experiments, "STARTED", time.time_ns())


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch):
    """Makes one source read as if another line stood at its end."""
    text, places = sources._source, set()

    def read(place: Path, moment: int) -> str:
        return text(place, moment) + ("\n# changed" if place in places else "")

    def change(module: str) -> None:
        place = sources.file_of(module)
        assert place is not None
        places.add(place)
        sources._mark.cache_clear()

    monkeypatch.setattr(sources, "_source", read)
    sources._mark.cache_clear()
    yield change
    monkeypatch.undo()
    sources._mark.cache_clear()


def test_every_law_that_is_measured_knows_where_it_is_judged() -> None:
    for name in laws():
        study, check = check_of(name)
        assert study.measure.__module__ in judged_in(name) and check.observe.__module__ in judged_in(name)
        assert all(module.startswith(f"experiments.{study.topic}.") for module in judged_in(name))
    assert stated_in("breakeven.no_such_law") == judged_in("breakeven.no_such_law") == ()


@pytest.mark.parametrize(
    "module",
    [
        "theory.definitions.breakeven", "theory.claims", "numerics.subsets", "numerics.intervals",
        "experiments.comparisons.parts", "experiments.verdict",
    ],
)  # fmt: skip
def test_a_verdict_is_of_an_earlier_version_once_what_it_rests_on_has_changed(tmp_path, changed, module) -> None:
    keep_verdicts(tmp_path, [{"name": LAW, "verdict": "agrees"}], "quick")
    assert set(last_verdicts(tmp_path)) == {LAW}
    changed(module)
    current, earlier = by_version(tmp_path)
    assert current == {} and earlier[LAW]["verdict"] == "agrees"
    keep_verdicts(tmp_path, [{"name": LAW, "verdict": "agrees"}], "quick")
    assert set(last_verdicts(tmp_path)) == {LAW}


def test_a_margin_that_changes_makes_a_verdict_one_of_an_earlier_version(tmp_path, changed, capsys) -> None:
    keep_verdicts(tmp_path, [{"name": LAW, "verdict": "agrees", "word": "agrees"}], "quick")
    assert main(["laws", "--out", str(tmp_path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{LAW} ")]
    assert row.split()[-1] == "agrees"
    for module in stated_in(LAW):
        changed(module)
    assert main(["laws", "--out", str(tmp_path)]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{LAW} ")]
    assert row.endswith("of an earlier version")
    assert main(["laws", "--json", "--out", str(tmp_path)]) == 0
    (law,) = [law for law in json.loads(capsys.readouterr().out)["laws"] if law["name"] == LAW]
    assert law["verdict"] is None


@pytest.mark.parametrize("module", ["theory.temperature.best_learning_rate", "numerics.dots", "experiments.report"])
def test_a_verdict_stands_while_something_else_changes(tmp_path, changed, module) -> None:
    keep_verdicts(tmp_path, [{"name": LAW, "verdict": "agrees"}], "quick")
    changed(module)
    assert set(last_verdicts(tmp_path)) == {LAW}


def test_a_theory_helper_makes_proof_and_verdict_anew_and_leaves_the_data(tmp_path, changed) -> None:
    law, study = laws()[LAW], check_of(LAW)[0]
    before = source_components(study)
    assert proofs.prove(law, tmp_path).state == "PROVED" and proofs.cached_proof(law, tmp_path) == "PROVED"
    changed("theory.definitions.breakeven")
    assert proofs.cached_proof(law, tmp_path) == "unchecked"
    assert source_components(study) == before


def test_no_measurement_rests_on_theory() -> None:
    """Else a change of theory would have to make the data anew."""
    for study in studies().values():
        module = getattr(study.measure, "func", study.measure).__module__
        used = sources.modules_used(module, (f"experiments.{study.topic}", "numerics."))
        for name, place in used.items():
            names = sources._imports(place, place.stat().st_mtime_ns)
            assert not any(each.split(".")[0] in ("theory", "sympy") for each in names), name


DAMAGES = {
    "cut": '{"laws": [{"name": "breakeven.batch_va',
    "empty": "",
    "another kind": "[1, 2]",
    "a record without a name": '{"laws": [{"verdict": "agrees"}]}',
    "a record of another kind": '{"laws": [{"name": "a"}, 7]}',
    "no text": b"\xff\xfe\x00",
    "nested": "[" * 100_000,
    "modules of another kind": json.dumps({"laws": [{"name": LAW, "judged_in": 3}]}),
    "a module that is no name": json.dumps({"laws": [{"name": LAW, "judged_in": [3]}]}),
    "a word of another kind": json.dumps({"laws": [{"name": LAW, "word": 3}]}),
    "a number that JSON lacks": json.dumps({"laws": [{"name": "width.other", "estimate": float("nan")}]}),
}


@pytest.mark.parametrize("text", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_put_aside_with_a_word(tmp_path, text) -> None:
    place, whole = tmp_path / "verdicts.json", text if isinstance(text, bytes) else text.encode()
    place.write_bytes(whole)
    with pytest.raises(Damaged, match="damaged"):
        last_verdicts(tmp_path)
    told = keep_verdicts(tmp_path, [{"name": LAW, "verdict": "agrees"}], "quick")
    aside = tmp_path / "verdicts.damaged.json"
    assert str(aside) in told and "\n" not in told and aside.read_bytes() == whole
    assert set(last_verdicts(tmp_path)) == {LAW}
    place.write_bytes(whole + b" ")
    assert "verdicts.damaged.2.json" in put_aside_if_damaged(tmp_path)
    assert aside.read_bytes() == whole and (tmp_path / "verdicts.damaged.2.json").read_bytes() == whole + b" "
    assert put_aside_if_damaged(tmp_path) == ""


def test_what_cannot_be_read_is_refused_and_left_alone(tmp_path) -> None:
    (tmp_path / "verdicts.json").mkdir()
    for work in (last_verdicts, put_aside_if_damaged):
        with pytest.raises(ValueError, match=r"verdicts.json cannot be read \(Is a directory\)"):
            work(tmp_path)
    assert (tmp_path / "verdicts.json").is_dir()


def test_the_command_says_that_it_is_damaged(tmp_path, capsys) -> None:
    (tmp_path / "verdicts.json").write_text("{")
    assert main(["laws", "--json", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["laws"]) == len(laws())
    assert len(err.splitlines()) == 1 and "verdicts.json is damaged" in err and "puts it aside" in err
    assert (tmp_path / "verdicts.json").read_text() == "{"


@pytest.mark.parametrize("alone", [False, True], ids=["locked", "without the lock"])
def test_two_runs_into_one_folder_lose_nothing_of_each_other(tmp_path, monkeypatch, alone) -> None:
    from contextlib import nullcontext

    read = records._read

    def slowly(out: Path) -> dict:
        found = read(out)
        time.sleep(0.2)
        return found

    monkeypatch.setattr(records, "_read", slowly)
    monkeypatch.setattr(records, "_sources", lambda law: {})
    if alone:
        monkeypatch.setattr(records, "locked", lambda *given: nullcontext())
    runs = [
        threading.Thread(target=keep_verdicts, args=(tmp_path, [{"name": name}], "quick")) for name in (LAW, ADDED)
    ]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    assert (len(read(tmp_path)) == 2) is not alone
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.json"]
