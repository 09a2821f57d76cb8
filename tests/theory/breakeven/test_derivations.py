"""Every derivation of the topic is sound, and no changed premise or step goes unnoticed."""

from dataclasses import replace

import pytest
from sympy import Rational

from theory.breakeven.break_even_order import CROSSINGS
from theory.breakeven.gradient_noise import SECOND_MOMENTS, SQUARES, UNBIASED_GRADIENT
from theory.breakeven.noise_factor import BATCH_VARIANCE_LAW
from theory.breakeven.second_moment import ONE_STEP_DERIVATION, SCATTERED, UNBIASED
from theory.definitions.breakeven import MEAN_COUNT
from theory.proof.mutation import survivors
from theory.proof.premises import Define
from theory.registry import select

HEAVY = {
    "breakeven.ceiling", "breakeven.compounding", "breakeven.coupled_stability", "breakeven.curvature_edge_paper",
    "breakeven.momentum_bounded", "breakeven.momentum_edge", "breakeven.one_direction_is_necessary",
    "breakeven.second_moments_never_grow", "breakeven.stationary_distance", "breakeven.step_size_edge",
    "breakeven.theorem_1", "breakeven.second_moments_grow", "breakeven.curvature_edge_fixed_ratio",
}  # fmt: skip
"""Laws whose mutants take more than three seconds."""

LAWS = [law for law in select(("breakeven",)) if law.derivation is not None]
EACH = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
EACH_OR_SLOW = pytest.mark.parametrize(
    "law", [pytest.param(law, id=law.name, marks=[pytest.mark.slow] * (law.name in HEAVY)) for law in LAWS]
)
LEMMAS = pytest.mark.parametrize(
    "lemma",
    [
        pytest.param(ONE_STEP_DERIVATION, id="one step"),
        pytest.param(UNBIASED, id="mean over batches"),
        pytest.param(SCATTERED, id="mean square over batches"),
        *(pytest.param(one, id=f"crossing {place}", marks=pytest.mark.slow) for place, one in enumerate(CROSSINGS, 1)),
        pytest.param(UNBIASED_GRADIENT, id="unbiased gradient"),
        pytest.param(SQUARES, id="second moment of each coordinate"),
        pytest.param(SECOND_MOMENTS, id="second moments", marks=pytest.mark.slow),
    ],
)

LINKS = {"it is the edge", "it is the slope of the edge"}
"""Steps that the last one does not rest on: they show that what is differentiated, or solved for a
root, is the edge or its slope."""


@EACH
def test_every_step_is_proved_and_every_premise_used(law):
    proof = law.derivation.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= LINKS


@EACH_OR_SLOW
def test_no_mutant_survives(law):
    assert survivors(law.derivation) == ()


def test_a_wrong_count_is_refuted():
    derivation = BATCH_VARIANCE_LAW.derivation
    wrong = Define("mean count", MEAN_COUNT.head, MEAN_COUNT.body * Rational(2))
    premises = tuple(wrong if premise is MEAN_COUNT else premise for premise in derivation.premises)
    assert not replace(derivation, premises=premises).check(first_failure=True).sound


@LEMMAS
def test_the_lemmas_that_laws_import_have_no_surviving_mutant(lemma):
    assert lemma.check().sound
    assert survivors(lemma) == ()


def test_conventions_are_few_and_written():
    derivations = [ONE_STEP_DERIVATION, *(law.derivation for law in LAWS)]
    written = {
        premise.name: premise.convention
        for derivation in derivations
        for premise in derivation.premises
        if premise.convention
    }
    squared = {"deviation", "step", "gradient step", "size after a step", "excess after a step"}
    cancelling = {"inner products", "inner products of batches", "loss", "change", "energy gained"}
    one_sided, signed = {"second run's full-batch edge"}, {"weights"}
    assert set(written) == squared | cancelling | one_sided | signed
    assert all("sign" in written[name] for name in signed)
    assert all("all the more" in written[name] for name in one_sided)
    assert all("square" in written[name] for name in squared)
    assert all("again" in written[name] or "no" in written[name] for name in cancelling)
