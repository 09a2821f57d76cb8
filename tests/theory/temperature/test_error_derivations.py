"""Orders of errors that are derived: their steps, their mutants, and each error at small controls by another route."""

import math

import mpmath
import pytest

from theory.proof.mutation import survivors
from theory.temperature import error_orders, exponential_rates, remaining_orders

LAWS = (*error_orders.LAWS, *remaining_orders.LAWS)
DERIVED = {law.name.removeprefix("temperature."): law for law in LAWS if law.derivation}
RATE = next(law for law in exponential_rates.LAWS if law.derivation)


SLOW = {
    *("frozen_eigenvector_order", "frozen_condition_number_order", "conditioning_growth_order"),
    *("logarithmic_growth_order", "averaged_saturation_order", "momentum_tau_z_order"),
}
"""The first three rest on the longest derivation of the topic, the others take a few seconds each."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in DERIVED])
def test_every_step_is_proved_and_every_premise_used(name):
    proof = DERIVED[name].derivation.check()
    assert proof.sound, str(proof)
    assert not proof.unreached


@pytest.mark.slow
@pytest.mark.parametrize("name", DERIVED)
def test_no_mutant_survives(name):
    assert survivors(DERIVED[name].derivation) == ()


def test_the_decay_of_a_damped_start_is_proved_and_found():
    proof = RATE.derivation.check()
    assert proof.sound, str(proof)
    assert not proof.unreached
    rate, moments = 0.7, (3.0, 4.0)
    lacks = [t - rate * (rate * t - 1 + math.exp(-rate * t)) / rate**2 - 1 / rate for t in moments]
    assert math.log(lacks[0] / lacks[1]) == pytest.approx(rate, rel=1e-9)
    for rival in RATE.rivals:
        assert abs(float(rival.claim.value.subs(RATE.claim.value, rate)) - rate) > 0.3


@pytest.mark.slow
def test_no_mutant_of_that_decay_survives():
    assert survivors(RATE.derivation) == ()


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


def weak_decay(x):
    """What holds the gap -ln x is twice the wrong class's probability over it."""
    gap = -math.log(x)
    return gap / 2 * (2 * x / (1 + x) / gap) / x - 1


def logarithmic_growth(clock):
    with mpmath.workdps(30):
        gap = clock - mpmath.lambertw(mpmath.exp(clock)).real
        return (mpmath.log(clock) - gap) / mpmath.log(clock)


def deviation(t_hat):
    """One logit whose pace is 1 + 2 t and whose bend is 1 + t: TNL is 1/2."""
    return (t_hat * (1 + t_hat) / (1 + 2 * t_hat)) / t_hat - 1


def effective_rate(ratio):
    """Steps of heavy ball on a curvature, with 1/20 of damping, long after the start."""
    damping = 0.05
    place, velocity = 1.0, 0.0
    for _ in range(1500):
        velocity = (1 - damping) * velocity - ratio * damping**2 * place
        place, before = place + velocity, place
    return velocity / (-ratio * damping * before) - 1


def early_time(drag):
    with mpmath.workdps(30):
        spent = mpmath.findroot(lambda t: t - 1 + mpmath.exp(-t) - mpmath.mpf(drag) ** 2 / 2, drag)
        return spent / drag - 1


def averaged_saturation(scale):
    """Two classes: half the mean of 1/cosh^2 of their gap."""
    slope = scale / mpmath.sqrt(2)
    return mpmath.quad(lambda x: mpmath.sech(x) ** 2 * mpmath.npdf(x / slope) / slope, [-30, 0, 30]) / 2


def growth(beta):
    """Two points of three classes, spread 3 - 1/2."""
    with mpmath.workdps(900):
        found = []
        for gaps in ((0, 0.5, 2), (0, 1, 3)):
            weights = [mpmath.exp(-beta * gap) for gap in gaps]
            p = mpmath.matrix([one / sum(weights) for one in weights])
            found += sorted(mpmath.eigsy(mpmath.diag(p) - p * p.T, eigvals_only=True))[1:]
        return mpmath.log(max(found) / min(found)) / beta - 2.5


def second_scheme(h):
    """Momentum of damping 1 under the gradient -1, in canonical units, for the time 2, in which it goes 1 + e^-2."""
    place, velocity, far = 0.0, 0.0, 1 + math.exp(-2)
    for _ in range(round(2 / h)):
        velocity = (1 - h) * velocity + h
        place += h * velocity
    return (place - far) / far


BY_HAND = {
    "second_scheme_order": second_scheme,
    "weak_decay_order": weak_decay,
    "logarithmic_growth_order": logarithmic_growth,
    "deviation_order": deviation,
    "momentum_effective_rate_order": effective_rate,
    "momentum_tau_z_order": early_time,
    "averaged_saturation_order": averaged_saturation,
    "conditioning_growth_order": growth,
    "frozen_eigenvector_order": eigenvector,
    "frozen_condition_number_order": condition_number,
    "confident_softmax_order": confident_softmax,
    "jacobian_at_small_logits": jacobian,
    "early_displacement_order": early_displacement,
    "small_logit_constant_order": small_logits,
}


PLACES = {
    "logarithmic_growth_order": (2e6, 1e6),
    "averaged_saturation_order": (200.0, 100.0),
    "conditioning_growth_order": (200, 100),
}
"""Controls that grow, twice as large before as after."""


@pytest.mark.parametrize("name", BY_HAND)
def test_the_order_is_that_of_a_case_worked_by_hand(name):
    near, nearer = (abs(BY_HAND[name](control)) for control in PLACES.get(name, (2e-3, 1e-3)))
    slope = math.log2(near / nearer)
    assert slope == pytest.approx(float(DERIVED[name].claim.exponent), abs=0.01)
    for rival in DERIVED[name].rivals:
        assert abs(slope - float(rival.claim.exponent)) > 0.4


def test_all_that_are_derived_are_worked_by_hand():
    assert set(DERIVED) == set(BY_HAND)
