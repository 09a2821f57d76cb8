"""Orders of errors that are derived: their steps, their mutants, and each error at small controls by another route."""

import math

import pytest

from theory.proof.mutation import survivors
from theory.temperature.error_orders import LAWS

DERIVED = {law.name.removeprefix("temperature."): law for law in LAWS if law.derivation}


@pytest.mark.parametrize("name", DERIVED)
def test_every_step_is_proved_and_every_premise_used(name):
    proof = DERIVED[name].derivation.check()
    assert proof.sound, str(proof)
    assert not proof.unreached


@pytest.mark.slow
@pytest.mark.parametrize("name", DERIVED)
def test_no_mutant_survives(name):
    assert survivors(DERIVED[name].derivation) == ()


def confident_softmax(x):
    return x - 1 / (1 + 1 / x)


def jacobian(scale):
    """Entry (1, 2) of three classes along (1, 0, -3)."""
    weights = [math.exp(scale * u) for u in (1, 0, -3)]
    return -weights[0] * weights[1] / sum(weights) ** 2 + 1 / 9


def early_displacement(time):
    """A logit that goes like the gap of one point, ln(1 + t)."""
    return math.log1p(time) / time - 1


def small_logits(scale):
    """One point of two classes, kernel 1: the drive is (1 - p, p - 1), p = 1/2 at scale 0."""
    p = 1 / (1 + math.exp(-scale))
    return (1 / 2) / (1 - p) - 1


BY_HAND = {
    "confident_softmax_order": confident_softmax,
    "jacobian_at_small_logits": jacobian,
    "early_displacement_order": early_displacement,
    "small_logit_constant_order": small_logits,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_order_is_that_of_a_case_worked_by_hand(name):
    near, nearer = (abs(BY_HAND[name](control)) for control in (2e-3, 1e-3))
    slope = math.log2(near / nearer)
    assert slope == pytest.approx(float(DERIVED[name].claim.exponent), abs=0.01)
    for rival in DERIVED[name].rivals:
        assert abs(slope - float(rival.claim.exponent)) > 0.9


def test_all_that_are_derived_are_worked_by_hand():
    assert set(DERIVED) == set(BY_HAND)
