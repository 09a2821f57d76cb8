"""Every derivation of the topic is sound, and no changed premise or step goes unnoticed."""

from dataclasses import replace

import pytest
from sympy import Rational

from theory.breakeven.noise_factor import BATCH_VARIANCE_LAW
from theory.breakeven.second_moment import ONE_STEP_DERIVATION
from theory.definitions.breakeven import MEAN_COUNT
from theory.proof.mutation import survivors
from theory.proof.premises import Define
from theory.registry import select

LAWS = pytest.mark.parametrize("law", select(("breakeven",)), ids=lambda law: law.name)

LINKS = {"it is the edge"}
"""Steps that the last one does not rest on: they show that what is differentiated is the edge."""


@LAWS
def test_every_step_is_proved_and_every_premise_used(law):
    proof = law.derivation.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= LINKS


@LAWS
def test_no_mutant_survives(law):
    assert survivors(law.derivation) == ()


def test_a_wrong_count_is_refuted():
    derivation = BATCH_VARIANCE_LAW.derivation
    wrong = Define("mean count", MEAN_COUNT.head, MEAN_COUNT.body * Rational(2))
    premises = tuple(wrong if premise is MEAN_COUNT else premise for premise in derivation.premises)
    assert not replace(derivation, premises=premises).check(first_failure=True).sound


def test_the_lemma_that_the_thresholds_import_has_no_surviving_mutant():
    assert ONE_STEP_DERIVATION.check().sound
    assert survivors(ONE_STEP_DERIVATION) == ()


def test_conventions_are_few_and_written():
    derivations = [ONE_STEP_DERIVATION, *(law.derivation for law in select(("breakeven",)))]
    written = {
        premise.name: premise.convention
        for derivation in derivations
        for premise in derivation.premises
        if premise.convention
    }
    assert set(written) == {"deviation", "step", "gradient step"}
    assert all("square" in reason for reason in written.values())
