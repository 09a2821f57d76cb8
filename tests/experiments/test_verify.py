"""The main job on a planted law: events, files, proofs and their cache, resumption, and refusals."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import planted
import pytest

import experiments.figures  # what takes names from the registry must have taken the true ones before they are replaced
import experiments.fingerprint
import experiments.kept_runs
import experiments.records
import experiments.registry
import experiments.verify
import theory.registry
from experiments import proofs
from experiments.cli import main
from experiments.comparison import Verdict
from experiments.verify import (
    Cell,
    Finished,
    Judged,
    Measuring,
    Proved,
    Proving,
    Told,
    cache_folder,
    cached_proof,
    last_verdicts,
    observation,
    prove,
    stored_result,
    verify,
)
from theory.law import Law


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """One planted law and study in place of the real ones."""
    know(monkeypatch, planted.TRUE)
    for module in (experiments.registry, experiments.verify):
        monkeypatch.setattr(module, "studies", lambda: {planted.STUDY.name: planted.STUDY})
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    yield


def know(monkeypatch: pytest.MonkeyPatch, law: Law) -> None:
    monkeypatch.setattr(theory.registry, "laws", lambda: {law.name: law})


def last(events: Iterator) -> Finished:
    *_, end = events
    assert isinstance(end, Finished)
    return end


def test_events_come_in_order_and_the_verdict_is_kept(tmp_path: Path) -> None:
    events = list(verify(out=tmp_path))
    kinds = [type(event) for event in events]
    assert kinds == [Proving, Proved, Measuring, *[Cell] * 12, Judged, Finished]
    end = events[-1]
    assert isinstance(end, Finished) and end.exit_status == 0 and end.results[0].verdict is Verdict.AGREES
    record = json.loads(json.dumps(end.record(), allow_nan=False))
    assert set(record) == {"laws", "seconds", "budget"} and record["budget"]["kept"]
    kept = json.loads((tmp_path / "verdicts.json").read_text())["laws"][0]
    assert kept["verdict"] == "agrees" and kept["profile"] == "quick"
    assert last_verdicts(tmp_path)["temperature.planted"]["verdict"] == "agrees"
    assert (tmp_path / "temperature.planted.zarr").is_dir()


def test_a_second_run_measures_nothing_and_says_the_same(tmp_path: Path) -> None:
    first, again = last(verify(out=tmp_path)), list(verify(out=tmp_path))
    assert not any(isinstance(event, Cell) for event in again)
    one, two = first.results[0].record(), last(iter(again)).results[0].record()
    assert one == two


def test_stopped_and_continued_it_says_the_same(tmp_path: Path) -> None:
    whole = last(verify(out=tmp_path / "whole")).results[0].record()
    events = verify(out=tmp_path / "parts")
    for event in events:
        if isinstance(event, Cell) and event.done == 5:
            break
    events.close()
    continued = list(verify(out=tmp_path / "parts"))
    assert sum(isinstance(event, Cell) for event in continued) == 7
    assert last(iter(continued)).results[0].record() == whole


def test_a_false_theorem_and_an_unproved_one_end_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, planted.FALSE)
    assert last(verify(out=tmp_path / "a")).exit_status == 1
    know(monkeypatch, planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim, state="UNDECIDED"))
    events = list(verify(out=tmp_path / "b"))
    assert last(iter(events)).exit_status == 1
    (proved,) = (event for event in events if isinstance(event, Proved))
    assert proved.failures == (("only step", "UNDECIDED", "planted"),)


def test_a_measurement_that_fails_on_the_given_data_is_said_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def measure(replicates: object, data: object, **rest: object) -> dict:
        if data is not None:
            raise ZeroDivisionError("no contrast\n in these images")
        return planted.measure(replicates, None, **rest)  # pyright: ignore[reportArgumentType]

    study = dataclasses.replace(planted.STUDY, measure=measure, takes_data=True)
    for module in (experiments.registry, experiments.verify):
        monkeypatch.setattr(module, "studies", lambda: {study.name: study})
    images, labels = np.ones((4, 2, 2), dtype=np.uint8), np.array([0, 1, 0, 1])
    np.savez(tmp_path / "images.npz", x_train=images, y_train=labels, x_test=images, y_test=labels)
    words = ["verify", "--no-plots", "--data", str(tmp_path / "images.npz"), "--out", str(tmp_path / "given")]
    assert main(words) == 1
    told = capsys.readouterr().out.splitlines()
    assert "measurement failed" in told[1] and told[1].startswith("temperature.planted")
    said = "Measurement failed: temperature.planted: 36 of 36 seeds' cells failed: ZeroDivisionError: no contrast in"
    assert any(line.startswith(said) for line in told)
    assert "Exit status 1: measurement failed: temperature.planted." in told
    assert any(line.startswith("1 laws: 1 measurement failed; 1 of 1 derivations PROVED") for line in told)
    assert main([*words, "--json"]) == 1  # the failed cells are tried again, and fail again
    (law,) = json.loads(capsys.readouterr().out)["laws"]
    assert law["word"] == "measurement failed" and law["verdict"] is None and "ZeroDivisionError" in law["note"]
    assert main(["verify", "--no-plots", "--out", str(tmp_path / "own")]) == 0
    assert "Exit status" not in capsys.readouterr().out


def test_damaged_verdicts_are_told_and_kept_aside(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    last(verify(out=tmp_path))
    (tmp_path / "verdicts.json").write_text("half a fi")
    first, *events = verify(out=tmp_path)
    assert isinstance(first, Told) and "damaged" in first.sentence and not any(isinstance(e, Told) for e in events)
    assert (tmp_path / "verdicts.damaged.json").read_text() == "half a fi"
    assert last_verdicts(tmp_path)["temperature.planted"]["verdict"] == "agrees"
    (tmp_path / "verdicts.json").write_text("half a fi")
    assert main(["verify", "--no-plots", "--json", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["laws"] and "verdicts.damaged.2.json" in err


def test_what_theory_says_anew_is_judged_anew_on_the_same_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert last(verify(out=tmp_path)).results[0].verdict is Verdict.AGREES
    know(monkeypatch, planted.FALSE)  # its own module is as it was: a helper has changed
    assert stored_result("temperature.planted", tmp_path).verdict is Verdict.DISAGREES
    events = list(verify(out=tmp_path))
    assert not any(isinstance(event, Cell) for event in events)
    assert last(iter(events)).results[0].verdict is Verdict.DISAGREES


def test_more_seeds_are_new_seeds(tmp_path: Path) -> None:
    last(verify(out=tmp_path))
    events = list(verify(out=tmp_path, seeds=15))
    assert next(event for event in events if isinstance(event, Measuring)).earlier_seeds == 12
    assert last(iter(events)).results[0].record()["n"] == 15
    assert observation("temperature.planted", tmp_path)["seed"].values.tolist() == list(range(12, 27))
    assert not any(isinstance(event, Told) for event in events)


def test_a_plain_run_judges_with_the_declared_number_of_seeds_or_says_that_it_has_more(tmp_path: Path) -> None:
    assert last(verify(out=tmp_path, seeds=8)).results[0].record()["n"] == 8
    plain = list(verify(out=tmp_path))
    assert next(event for event in plain if isinstance(event, Measuring)).earlier_seeds == 8
    assert last(iter(plain)).results[0].record()["n"] == 12 and not any(isinstance(event, Told) for event in plain)
    last(verify(out=tmp_path, seeds=15))
    events = list(verify(out=tmp_path))
    (told,) = (event.sentence for event in events if isinstance(event, Told))
    assert "holds 15 seeds, more than the 12 that the profile quick declares" in told
    assert last(iter(events)).results[0].record()["n"] == 15


def test_a_verdict_from_fewer_seeds_than_declared_says_so(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    words = ["verify", "--no-plots", "--out", str(tmp_path)]
    for more, said in ((["--seeds", "11"], "agrees (11 of 12 declared seeds)"), ([], "agrees")):
        assert main([*words, *more]) == 0
        out, err = capsys.readouterr()
        row = next(line for line in out.splitlines() if line.startswith("temperature.planted"))
        assert f"  {said}  " in row and f"temperature.planted: {said}" in err.splitlines()
        (law,) = json.loads((tmp_path / "verdicts.json").read_text())["laws"]
        assert (law["word"], law["note"]) == ("agrees", said.removeprefix("agrees").strip(" ()"))


def test_what_is_stored_can_be_judged_again(tmp_path: Path) -> None:
    end = last(verify(out=tmp_path))
    assert stored_result("temperature.planted", tmp_path).comparison == end.results[0].comparison
    assert observation("temperature.planted", tmp_path)["measured"].sizes == {"beta": 3, "seed": 12}
    with pytest.raises(ValueError, match="there is no store"):
        observation("temperature.planted", tmp_path / "elsewhere")


def test_another_version_of_the_law_is_refused_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last(verify(out=tmp_path))
    monkeypatch.setattr(experiments.fingerprint, "law_source", lambda law: "changed")
    monkeypatch.setattr(experiments.records, "statement_source", lambda law: "changed")
    with pytest.raises(ValueError, match=r"made with another law temperature.planted; pass --fresh"):
        last(verify(out=tmp_path))
    with pytest.raises(ValueError, match=r"made with another law temperature.planted"):
        stored_result("temperature.planted", tmp_path)
    assert last_verdicts(tmp_path) == {}
    assert last(verify(out=tmp_path, fresh=True)).exit_status == 0


def test_a_profile_in_which_it_is_not_judged(tmp_path: Path) -> None:
    end = last(verify(profile="paper", out=tmp_path))
    assert end.results[0].verdict is None and "has no profile paper" in end.results[0].note
    assert end.exit_status == 0 and end.record()["laws"][0]["verdict"] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"names": ("temperature.plantd",)}, "did you mean temperature.planted"),
        ({"profile": "huge"}, "profile huge is not known; choose one of quick, full, paper"),
        ({"seeds": 0}, "seeds=0; at least 1"),
        ({"data": Path("missing.npz")}, "missing.npz"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, options: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        last(verify(out=tmp_path, **options))
    assert "\n" not in str(caught.value)


def test_data_reach_the_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "images.npz"
    images, labels = np.ones((4, 2, 2), dtype=np.uint8), np.array([0, 1, 0, 1])
    np.savez(file, x_train=images, y_train=labels, x_test=images, y_test=labels)
    seen = []

    def measure(replicates: object, data: object, **rest: object) -> dict:
        seen.append(data)
        return planted.measure(replicates, None, **rest)  # pyright: ignore[reportArgumentType]

    for takes, shape in ((True, (4, 2, 2)), (False, None)):
        study = dataclasses.replace(planted.STUDY, measure=measure, takes_data=takes)
        for module in (experiments.registry, experiments.verify):
            monkeypatch.setattr(module, "studies", lambda study=study: {study.name: study})
        last(verify(out=tmp_path / str(takes), data=file))
        assert (seen[-1].x_train.shape if takes else seen[-1]) == shape
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(ValueError, match=r"images.npz") as caught:
        last(verify(out=tmp_path / "x", data=file))
    assert "\n" not in str(caught.value)


# Proofs


class Module:
    """Stand-in for the module of a law."""

    def __init__(self, law: Law, name: str) -> None:
        self.LAWS, self.__name__ = (law,), name


def test_a_proof_is_checked_once_for_each_state_of_its_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    law = planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim)
    monkeypatch.setattr(proofs, "module_of", lambda name: Module(law, "theory.claims"))
    assert cached_proof(law) == "unchecked"
    assert [prove(law).cached for _ in range(3)] == [False, True, True]
    assert cached_proof(law) == "PROVED" and len(law.derivation.checked) == 1  # pyright: ignore
    monkeypatch.setattr(proofs, "source_hash", lambda *given: "changed")
    assert cached_proof(law) == "unchecked" and not prove(law).cached


def test_an_outcome_other_than_proved_is_kept_with_its_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    law = planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim, state="VACUOUS")
    monkeypatch.setattr(proofs, "module_of", lambda name: Module(law, "theory.claims"))
    first, second = prove(law), prove(law)
    assert first.failures == second.failures == (("only step", "VACUOUS", "planted"),)
    assert second.cached and second.state == "VACUOUS"


def test_a_law_outside_the_registry_is_never_cached() -> None:
    law = planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim)
    assert not prove(law).cached and not prove(law).cached and len(law.derivation.checked) == 2  # pyright: ignore


def test_a_check_that_breaks_is_undecided_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    law = planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim)
    monkeypatch.setattr(proofs, "module_of", lambda name: Module(law, "theory.claims"))
    monkeypatch.setattr(planted.Derivation, "check", lambda self: 1 / 0)
    found = prove(law)
    assert found.state == "UNDECIDED" and "ZeroDivisionError" in found.failures[0][2]
    assert cached_proof(law) == "unchecked"


def test_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("ASSAY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setattr(proofs.sys, "platform", "linux")
    assert cache_folder() == Path("/somewhere/assay")


def test_a_cache_that_cannot_be_used_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    law = planted.law(planted.TRUE.claim, planted.TRUE.rivals[0].claim)
    monkeypatch.setattr(proofs, "module_of", lambda name: Module(law, "theory.claims"))
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert prove(law, blocked).state == "PROVED" and cached_proof(law, blocked) == "unchecked"
    prove(law)
    for place in (tmp_path / "cache" / "proofs").iterdir():
        place.write_text("half a fi")
    assert cached_proof(law) == "unchecked" and prove(law).state == "PROVED"


def test_proofs_are_checked_in_the_order_in_which_they_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A law that nothing measures comes last, whatever its place in the list; the results keep the list's order."""
    idle = dataclasses.replace(planted.TRUE, name="temperature.idle")
    listed = {law.name: law for law in (idle, planted.TRUE)}
    monkeypatch.setattr(theory.registry, "laws", lambda: listed)
    asked, own = [], experiments.verify.proving

    def watched(laws, cache):
        asked.extend(law.name for law in laws)
        return own(laws, cache)

    monkeypatch.setattr(experiments.verify, "proving", watched)
    end = last(verify(out=tmp_path))
    assert asked == [planted.TRUE.name, idle.name]
    assert [result.law for result in end.results] == list(listed)
