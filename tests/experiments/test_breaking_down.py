"""What an author's own code raises is told beside its law or erratum, and hides no other."""

import dataclasses
import json

import pytest
from commanding import LAW, said
from sympy import Integer, Rational

from experiments.commands.progress import line
from experiments.evidence import evidence_record, evidence_text
from experiments.proofs import prove
from theory import registry
from theory.errata import Confirmed, Counterexample, Erratum, Witness
from theory.law import Status
from theory.proof.derivation import Derivation
from theory.registry import laws


def broken(*given):
    """What an author wrote that raises."""
    raise ZeroDivisionError("division by zero")


def law_that_breaks_down():
    """The law, with worlds that raise."""
    law = laws()[LAW]
    return dataclasses.replace(law, derivation=Derivation(law.derived.premises, law.derived.steps, broken))


def test_derive_tells_what_breaks_down_and_goes_on(capsys, monkeypatch):
    other = dataclasses.replace(laws()[LAW], status=Status.CONJECTURE, derivation=None)
    monkeypatch.setattr(registry, "select", lambda names: (law_that_breaks_down(), other))
    status, out, err = said(capsys, "derive")
    assert (status, err) == (1, "")
    assert "UNDECIDED, its check breaks down: ZeroDivisionError: division by zero" in out
    assert "conjecture: it is measured" in out
    status, out, _ = said(capsys, "derive", "--json")
    first, second = json.loads(out)["laws"]
    assert (status, first["proof"], first["steps"], second["proof"]) == (1, "UNDECIDED", [], "none")
    assert first["reason"] == "ZeroDivisionError: division by zero"
    monkeypatch.setenv("ASSAY_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        said(capsys, "derive")


def test_progress_names_a_check_that_breaks_down():
    assert line(prove(law_that_breaks_down())) == (
        f"{LAW}: its check is UNDECIDED: ZeroDivisionError: division by zero"
    )


@pytest.mark.parametrize("kind", [Witness, Confirmed, Counterexample])
def test_evidence_that_breaks_down_does_not_stand(kind):
    assert evidence_record(kind("a point", broken))["stands"] is False
    told = evidence_text(kind("a point.", broken))
    assert told == "a point; THIS EVIDENCE DOES NOT STAND (ZeroDivisionError: division by zero)"


def test_evidence_that_does_not_stand_is_told_loudly():
    assert evidence_text(Counterexample("a point", lambda: (True, False))) == "a point"
    assert evidence_text(Counterexample("a point", lambda: (True, True))) == "a point; THIS EVIDENCE DOES NOT STAND"
    wrong = Confirmed("a point", lambda: (Integer(1), Integer(2)))
    assert evidence_text(wrong) == "a point (printed 1, truth 2); THIS EVIDENCE DOES NOT STAND"
    right = Confirmed("a point", lambda: (Integer(2), Integer(2)))
    assert evidence_text(right) == "a point (printed 2, truth 2): it holds"


def test_one_erratum_hides_no_other(capsys, monkeypatch):
    told = {
        name: Erratum(f"width:{name}", "Eq. 1", f"{name} is wrong.", "a", "b", (Witness("a point", exhibit),))
        for name, exhibit in (("G1", broken), ("G2", lambda: (Integer(1), Rational(1, 2), Rational(1, 2))))
    }
    monkeypatch.setattr(registry, "errata", lambda: told)
    status, out, _ = said(capsys, "errata")
    assert status == 0
    assert "DOES NOT STAND (ZeroDivisionError" in out
    assert "a point (printed 1, derived 1/2, truth 1/2)" in out
    status, out, _ = said(capsys, "errata", "--json")
    assert [one["evidence"][0]["stands"] for one in json.loads(out)["errata"]] == [False, True]
