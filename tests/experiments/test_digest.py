"""Verdicts told by claim, and the run that is kept: what it says, and when it is too old to say it."""

import dataclasses
import datetime
import json
from pathlib import Path

import pytest

from experiments import kept_runs
from experiments.digest import Digest, cell, digests, sentences, word_of
from experiments.digest_pages import opening
from experiments.figures import figures
from experiments.fingerprint import grid_text, source_components
from experiments.kept_runs import OTHER_NUMERICS, KeptRun, keep, kept, marks, stale, text_of
from experiments.registry import studies
from experiments.sources import text_hash
from theory.registry import TOPICS, laws

LAW = "breakeven.max_lambda_h_raw_over_rate"
OTHER = "breakeven.max_lambda_k_raw_over_rate"
DIGEST = Digest(
    "breakeven.example", "Curvature falls.", {"over eta": {"lambda_H": LAW, "lambda_K": OTHER}}, factors=True
)
RECORDS = {
    LAW: {"verdict": "agrees", "estimate": 1.0, "low": 0.5, "high": 1.5, "note": "", "left_out": "eta 0.4"},
    OTHER: {"verdict": "disagrees", "estimate": -1.0, "low": -1.5, "high": -0.5, "note": ""},
}
STUDY = {
    "data": "pictures", "seeds": 10, "first_seed": 0, "total_seconds": 12.3, "device": "cpu: cpu",
    "versions": {"jax": "0"},
}  # fmt: skip


def run(**changes) -> KeptRun:
    """A kept run of two laws, up to date."""
    held = {law: {**record, "marks": marks(law)} for law, record in RECORDS.items()}
    figure = {"title": "t", "place": "Figure 0", "claim": "it falls", "found": "it rises <so>"}
    whole = KeptRun("breakeven", "full", "2030-01-02", "abc", {"breakeven.trajectories": STUDY}, held, {"f": figure})
    return dataclasses.replace(whole, **changes)


def test_a_claim_holds_for_some_and_fails_for_others():
    assert sentences(DIGEST, RECORDS) == ("over eta: holds for lambda_H; fails for lambda_K.",)
    assert sentences(DIGEST, {}) == ("over eta: not measured for lambda_H, lambda_K.",)
    observed = {LAW: {"verdict": None, "estimate": 1.0}, OTHER: {"verdict": "undecided"}}
    assert sentences(DIGEST, observed) == ("over eta: undecided for lambda_K; observed only for lambda_H.",)


def test_numbers_are_factors_where_they_are_logarithms_and_exact_ones_are_left_out():
    assert cell(RECORDS[LAW], True) == "agrees x2.72 [1.65, 4.48]"
    assert cell(RECORDS[LAW], False) == "agrees 1 [0.5, 1.5]"
    assert cell({"verdict": "disagrees", "estimate": 4e4, "low": 4e4, "high": 4e4}, False) == "disagrees"
    assert word_of({"verdict": None, "estimate": None}) == "not measured"


def test_every_digest_names_laws_that_exist_and_none_twice():
    assert digests()
    for digest in digests().values():
        named = [law for column in digest.laws.values() for law in column.values()]
        assert set(named) <= set(laws()) and len(set(named)) == len(named)
        assert digest.topic in TOPICS and all(law.startswith(f"{digest.topic}.") for law in named)


def test_the_opening_tells_what_is_at_hand_and_what_was_kept():
    page = opening("breakeven", [DIGEST], {}, {"breakeven.trajectories": "quick"}, run(), {}).content
    assert "Profile quick: breakeven.trajectories." in page and "Not measured." in page
    assert "holds for lambda_H; fails for lambda_K" in page and "2030-01-02" in page
    assert "seeds 0 to 9, 12 s on cpu: cpu, pictures" in page
    assert "it rises &lt;so&gt;" in page and "earlier version" not in page
    assert f"<td>{LAW}</td><td>left out: eta 0.4</td>" in page
    assert opening("width", [DIGEST], {}, {}, None, {}).content == ""
    old = opening("breakeven", [DIGEST], {}, {}, run(), {LAW: "another claim"}).content
    assert "1 of its 2 verdicts rest on an earlier version" in old and "(earlier version)" in old
    below = opening("breakeven", [DIGEST], {}, {}, run(), {LAW: OTHER_NUMERICS}).content
    assert "1 of its 2 verdicts were measured with an earlier text of numerics" in below
    assert "(earlier version)" not in below


def test_a_kept_run_is_stale_as_soon_as_what_it_rests_on_has_changed():
    assert stale(run()) == {}
    for name in ("measurement", "numerics", "claim", "observation", "comparison"):
        changed = {LAW: {**RECORDS[LAW], "marks": {**marks(LAW), name: "0"}}}
        assert stale(run(laws=changed)) == {LAW: f"another {name}"}
        unknown = {LAW: {**RECORDS[LAW], "marks": {key: mark for key, mark in marks(LAW).items() if key != name}}}
        assert stale(run(laws=unknown)) == {LAW: f"another {name}"}
    assert stale(run(laws={"breakeven.gone": {"marks": {}}})) == {"breakeven.gone": "the law is gone"}
    assert marks(LAW)["observation"] == marks(OTHER)["observation"] != marks("breakeven.trace_bound")["observation"]
    assert marks(LAW)["claim"] != marks(OTHER)["claim"]
    assert marks(LAW)["comparison"] == marks(OTHER)["comparison"] != marks("breakeven.trace_bound")["comparison"]


def test_a_kept_run_is_written_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "full_run.json"
    monkeypatch.setattr(kept_runs, "place", lambda topic: path)
    assert kept("breakeven") is None
    path.write_text(text_of(run()), encoding="utf-8")
    assert kept("breakeven") == run()
    path.write_text(json.dumps({"topic": "breakeven"}), encoding="utf-8")
    with pytest.raises(ValueError, match="damaged"):
        kept("breakeven")


def test_data_of_an_earlier_numerics_are_judged_and_marked_and_those_of_another_measurement_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    study = studies()["breakeven.trajectories"]
    now = {**source_components(study), "grid": text_hash(grid_text(study.grids["full"]))}
    stored: dict = {}
    monkeypatch.setattr(kept_runs, "read_attributes", lambda path: {"components": stored})
    monkeypatch.setattr(kept_runs, "assemble", lambda path: "data")
    stored.update(now | {"numerics": "0", f"law {LAW}": "0"})
    assert kept_runs.measured(study, tmp_path) == ("data", "0")
    for changed in ("study source", "grid"):
        stored.update(now | {changed: "0"})
        with pytest.raises(ValueError, match=f"made with another {changed}; measure it again"):
            kept_runs.measured(study, tmp_path)


def test_a_folder_without_the_full_profile_gives_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    told = "holds no study of breakeven in the profile full"
    with pytest.raises(ValueError, match=told):
        keep("breakeven", tmp_path, datetime.date(2030, 1, 2))
    assert kept_runs.main(["breakeven", "--out", str(tmp_path)]) == 2
    assert told in capsys.readouterr().err


def test_studies_that_were_not_measured_anew_stand_as_they_were_kept():
    own, of_two = "breakeven.figure_2", "breakeven.figure_stated_checks"
    assert len(figures()[of_two].studies) > 1
    figure = run().figures["f"]
    other, wide = "breakeven.wide_trajectories", "breakeven.max_lambda_h_raw_over_rate_wide"
    told = {own: figure, of_two: figure, "breakeven.gone": figure}
    record = {"marks": {}, "verdict": "undecided"}
    held = {**run().laws, wide: record, "breakeven.gone": record}
    before = run(studies={"breakeven.trajectories": STUDY, other: STUDY, "breakeven.gone": STUDY}, laws=held,
                 figures=told)  # fmt: skip
    anew = {**RECORDS[LAW], "verdict": "disagrees", "marks": marks(LAW)}
    now = run(date="2031-01-01", commit="def", laws={LAW: anew}, figures={})
    found = kept_runs.merged(before, now)
    assert dict(found.laws) == {wide: record, LAW: anew}
    assert dict(found.studies) == {
        other: {**STUDY, "date": "2030-01-02", "commit": "abc"}, "breakeven.trajectories": STUDY
    }  # fmt: skip
    assert (found.date, found.commit) == ("2031-01-01", "def") and not found.figures
    apart = run(studies={other: STUDY}, laws={wide: anew}, figures={})
    assert list(kept_runs.merged(before, apart).figures) == [own]
    assert kept_runs.merged(None, now) == now
    page = opening("breakeven", [DIGEST], {}, {}, found, {}).content
    assert f"{other}: seeds 0 to 9, 12 s on cpu: cpu, pictures, judged on 2030-01-02 at commit abc" in page
    assert "last judged on 2031-01-01" in page and "Commit def" in page


@pytest.mark.parametrize("topic", TOPICS)
def test_the_runs_in_the_repository_are_of_this_version(topic):
    """Fails where a law, its check or what it measures has changed since: run the topic's full profile again and
    ``python -m experiments.kept_runs TOPIC --out DIR``, or take the laws that are named here out of the file. Of other
    numerics below them the report tells.
    """
    held = kept(topic)
    if held is None:
        pytest.skip(f"no run of {topic} is kept")
    assert {law: why for law, why in stale(held).items() if why != OTHER_NUMERICS} == {}
    assert held.laws and held.studies and held.profile == "full"
    for record in held.laws.values():
        assert record["verdict"] in ("agrees", "disagrees", "undecided", None)
    assert text_of(held) == kept_runs.place(topic).read_text(encoding="utf-8"), "the file was changed by hand"
