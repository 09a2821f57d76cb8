"""Orders of errors that are derived: their steps, their mutants, and each error at small controls by another route."""

import math

import mpmath
import pytest

from theory.proof.mutation import survivors
from theory.temperature.error_orders import LAWS

DERIVED = {law.name.removeprefix("temperature."): law for law in LAWS if law.derivation}


SLOW = {"frozen_eigenvector_order", "frozen_condition_number_order"}
"""They rest on the longest derivation of the topic."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in DERIVED])
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


def frozen(x):
    """Eigenvalues and vectors of the softmax Jacobian of three classes, with neighbours' ratios x and x / 2."""
    shares = [1, x, x**2 / 2]
    p = mpmath.matrix([mpmath.mpf(share) / sum(shares) for share in shares])
    values, vectors = mpmath.eigsy(mpmath.diag(p) - p * p.T)
    return p, values, vectors


def eigenvector(x):
    """Its entry at the largest class over that at its own, the second."""
    with mpmath.workdps(40):
        vectors = frozen(x)[2]
        return vectors[0, 2] / vectors[1, 2] + 1


def condition_number(x):
    with mpmath.workdps(40):
        p, values, _ = frozen(x)
        return values[2] / values[1] * p[2] / p[1] - mpmath.mpf(4) / 3


BY_HAND = {
    "frozen_eigenvector_order": eigenvector,
    "frozen_condition_number_order": condition_number,
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
