"""Verdicts on laws: controls that must disagree, what is not measured, exit status, budget, and the
record.
"""

import dataclasses
import json
from pathlib import Path

import planted
import pytest
import xarray as xr
from sympy import Symbol

from experiments.comparison import Comparison, Part, Verdict
from experiments.pictures.sentence import verdict_sentence
from experiments.proofs import ProofState, cached_proof, prove
from experiments.result import Control, Result
from experiments.run import run
from experiments.stored import assemble, store_path
from experiments.study import CounterSystem, Margin
from experiments.verdict import budget, exit_status, faults, judge, observe, summary, unmeasured
from theory.claims import Formula
from theory.law import Law, Rival, Status


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> xr.Dataset:
    out = tmp_path_factory.mktemp("stores")
    list(run(planted.STUDY, "quick", out))
    return assemble(store_path(out, planted.STUDY.name))


def judged(
    data: xr.Dataset, law: Law = planted.TRUE, check: object = planted.CHECK, proof: ProofState = "PROVED"
) -> Result:
    return judge(law, planted.STUDY, check, data, proof)  # pyright: ignore[reportArgumentType]


def test_a_true_law_agrees_and_its_controls_fire(data: xr.Dataset) -> None:
    result = judged(data)
    assert result.verdict is Verdict.AGREES and result.trusted and result.study == "temperature.planted"
    assert [(control.kind, control.fires) for control in result.controls] == [
        ("rival", True), ("rival", True), ("counter-system", True),
    ]  # fmt: skip
    assert exit_status([result]) == 0


def test_a_false_theorem_disagrees_and_ends_with_1(data: xr.Dataset) -> None:
    result = judged(data, planted.FALSE)
    assert result.verdict is Verdict.DISAGREES and exit_status([result]) == 1
    conjecture = dataclasses.replace(planted.FALSE, status=Status.CONJECTURE)
    shown = judged(data, conjecture)
    assert shown.verdict is Verdict.DISAGREES and exit_status([shown]) == 0


@pytest.mark.parametrize("proof", ["REFUTED", "UNDECIDED", "VACUOUS", "unchecked"])
def test_only_proved_passes(data: xr.Dataset, proof: ProofState) -> None:
    assert exit_status([judged(data), judged(data, proof=proof)]) == 1


def test_what_is_only_observed_carries_no_verdict(data: xr.Dataset) -> None:
    check = dataclasses.replace(planted.CHECK, observed=("quick",))
    conjecture = dataclasses.replace(planted.FALSE, status=Status.CONJECTURE, derivation=None)
    shown = judged(data, conjecture, check, proof="none")
    assert shown.verdict is None and shown.observed and shown.comparison is not None
    assert shown.record()["estimate"] is not None and shown.record()["verdict"] is None
    assert "the profile full or paper judges it" in shown.note
    assert exit_status([shown]) == 0 and summary([shown])["observed"] == 1
    assert budget([shown]).parts == 0 and budget([judged(data)]).parts > 0
    assert verdict_sentence(shown.comparison).startswith("Observed")
    judges = dataclasses.replace(planted.CHECK, observed=("full",))
    assert judged(data, planted.FALSE, judges).verdict is Verdict.DISAGREES


def test_only_what_is_no_theorem_may_lack_a_derivation() -> None:
    with pytest.raises(ValueError, match="a theorem needs a derivation"):
        dataclasses.replace(planted.TRUE, status=Status.THEOREM, derivation=None)
    conjecture = dataclasses.replace(planted.TRUE, status=Status.CONJECTURE, derivation=None)
    assert cached_proof(conjecture) == prove(conjecture).state == "none"
    with pytest.raises(ValueError, match="rest on a theorem"):
        _ = conjecture.derived


def test_a_control_that_does_not_fire_makes_the_verdict_untrustworthy(data: xr.Dataset) -> None:
    result = judged(data, planted.TOOTHLESS)
    assert result.verdict is Verdict.AGREES and not result.trusted
    same = CounterSystem("the same", {"system": "own"}, "not another system at all")
    result = judged(data, check=dataclasses.replace(planted.CHECK, counter_systems=(same,)))
    assert not result.trusted and [control.fires for control in result.controls] == [True, True, False]
    assert summary([result, judged(data)]) == {"agrees": 2}


def test_a_control_that_cannot_be_compared_does_not_fire(data: xr.Dataset) -> None:
    strange = Rival("strange", Formula(planted.tau, Symbol("gamma")), "it needs what was not measured")
    result = judged(data, dataclasses.replace(planted.TRUE, rivals=(strange,)))
    assert not result.trusted and "needs gamma" in result.controls[0].note
    missing = CounterSystem("nowhere", {"system": "third"}, "")
    result = judged(data, check=dataclasses.replace(planted.CHECK, counter_systems=(missing,)))
    assert (
        "the selection {'system': 'third'} is not in the data (system ['own', 'other'])"
        in result.controls[-1].note
    )


def test_an_observe_that_breaks_is_a_failure_whatever_the_law_is(data: xr.Dataset) -> None:
    def broken(part: xr.Dataset) -> xr.Dataset:
        return part["no such variable"].to_dataset()

    conjecture = dataclasses.replace(planted.TRUE, status=Status.CONJECTURE)
    for law in (planted.TRUE, conjecture):
        result = judged(data, law, dataclasses.replace(planted.CHECK, observe=broken))
        assert result.verdict is None and "KeyError" in result.note and result.record()["word"] == result.word
        assert exit_status([judged(data), result]) == 1 and summary([result]) == {"measurement failed": 1}
        assert faults([judged(data), result]) == {"measurement failed": ("temperature.planted",)}
    elsewhere = unmeasured(planted.TRUE, "PROVED", "judged in the profile full only")
    assert exit_status([elsewhere]) == 0 and summary([elsewhere]) == {"not measured": 1}


@pytest.mark.parametrize(
    ("state", "words"), [(4, "failed: boom"), (0, "were not run"), (1, "were not finished")]
)
def test_cells_that_are_missing_are_a_failure(data: xr.Dataset, state: int, words: str) -> None:
    part = data.copy(deep=True).assign_attrs(failures={"a cell": "boom"})
    part["status"].loc[{"system": "own", "beta": 1.0, "seed": 3}] = state
    assert f"1 of 36 seeds' cells {words}" in judged(part).note and exit_status([judged(part)]) == 1
    elsewhere = data.copy(deep=True)
    elsewhere["status"].loc[{"system": "other", "beta": 1.0}] = state
    result = judged(elsewhere)
    assert result.verdict is Verdict.AGREES and not result.trusted  # the counter-system is what is missing


def test_points_left_out_and_divergence_do_not_stop_it(data: xr.Dataset) -> None:
    part = data.copy(deep=True)
    part["status"].loc[{"beta": 2.0}] = 3
    part["status"].loc[{"beta": 0.5}] = 5
    assert "measured" in observe(planted.CHECK, part)


def test_the_record_is_plain_json(data: xr.Dataset) -> None:
    record = json.loads(json.dumps(judged(data).record(), allow_nan=False))
    assert {"name", "verdict", "predicted", "estimate", "low", "high", "margin", "n", "proof"} <= set(record)
    assert record["verdict"] == "agrees" and record["predicted"] == 1.0 and record["n"] == 12
    assert record["low"] < record["estimate"] < record["high"] and len(record["parts"]) == 3
    assert [control["fires"] for control in record["controls"]] == [True] * 3
    nothing = json.loads(json.dumps(unmeasured(planted.TRUE, "PROVED", "why").record(), allow_nan=False))
    assert nothing["verdict"] is None and nothing["low"] is None and nothing["note"] == "why"


def result_with(*parts: Part) -> Result:
    comparison = Comparison("l", "s", "Formula", parts, Margin(0.1, "physics", ""))
    return dataclasses.replace(unmeasured(planted.TRUE, "PROVED", ""), comparison=comparison)


def test_budget_of_a_sign_counts_its_distance_from_nothing() -> None:
    """A slope of -2 that is claimed to be negative may scatter more than one that is only just so."""
    steep = Part("slope", -0.1, -2.0, -2.6, -1.4, 0.1, Verdict.AGREES, 12, 0.99, 0.2, side="below")
    shallow = dataclasses.replace(steep, estimate=-0.2, low=-0.8, high=0.4, verdict=Verdict.UNDECIDED)
    upward = dataclasses.replace(steep, side="above", estimate=-0.2)
    good, bad = budget([result_with(steep)]), budget([result_with(shallow)])
    assert good.over_budget == () and good.false_disagrees < 1e-6 < bad.false_disagrees
    assert len(bad.over_budget) == 1 and f"{shallow.seeds_needed} seeds are needed" in bad.over_budget[0]
    assert (steep.room, shallow.room, upward.room) == pytest.approx((2.0, 0.2, 0.1))


def test_budget_adds_up_over_parts_and_names_what_is_over() -> None:
    tight = Part("tight", 1.0, 1.0, 0.99, 1.01, 0.1, Verdict.AGREES, 12, 0.99, 0.005)
    wide = Part("wide", 1.0, 1.0, 0.8, 1.2, 0.1, Verdict.UNDECIDED, 12, 0.99, 0.06)
    exact = Part("exact", 0.0, 0.5, 0.5, 0.5, 1.0, Verdict.AGREES, 40)
    good, bad = (
        budget([result_with(tight, exact)]),
        budget([result_with(tight, wide), result_with(wide, exact)]),
    )
    assert good.kept and good.parts == 2 and good.over_budget == () and good.false_disagrees < 1e-9
    assert bad.false_disagrees == pytest.approx(2 * wide.false_disagrees + tight.false_disagrees)
    assert len(bad.over_budget) == 2 and f"{wide.seeds_needed} seeds are needed" in bad.over_budget[0]
    assert (
        result_with(tight, wide).seeds_needed == wide.seeds_needed and result_with(tight).seeds_needed is None
    )
    scattered = dataclasses.replace(wide, standard_error=0.4)
    assert not budget([result_with(*[scattered] * 30)]).kept


def test_a_control_without_a_comparison_does_not_fire() -> None:
    assert not Control("c", "rival", "", None, "broken").fires


def test_seeds_are_in_the_store_of_the_path(tmp_path: Path) -> None:
    assert store_path(tmp_path, "a.b") == tmp_path / "a.b.zarr"
