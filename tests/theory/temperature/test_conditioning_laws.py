"""Conditioning: derivations and their mutants, the spectrum against other routes, slips."""

from itertools import pairwise

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Float, Integer, Rational, S

from theory.predictors import OutsideDomain
from theory.proof.mutation import survivors
from theory.registry import errata, predictors
from theory.temperature import (
    condition_number,
    fixed_point_conditioning,
    frozen_eigenvalues,
    frozen_eigenvectors,
    frozen_path,
    frozen_spectrum,
    softmax_jacobian,
    softmax_secular,
)
from theory.temperature.softmax_jacobian_prediction import conditioning
from theory.temperature.softmax_jacobian_prediction import softmax_jacobian as spectrum

LAWS = {
    law.name.split(".")[1]: law
    for module in (
        condition_number,
        fixed_point_conditioning,
        frozen_eigenvalues,
        frozen_eigenvectors,
        frozen_spectrum,
        softmax_jacobian,
        softmax_secular,
    )
    for law in module.LAWS
    if law.derivation
}
SLOW = {
    "condition_number_lower",
    "condition_number_upper",
    "pseudo_determinant",
    "small_logit_conditioning",
    "frozen_condition_number",
    "frozen_eigenvalues",
    "frozen_eigenvectors",
    "frozen_eigenvector_tail",
    "conditioning_growth",
    "isotropic_conditioning",
    "softmax_secular",
}
FOR_THE_RATE = {
    "first correction",
    "taken by them, over x",
    "added by them, over x",
    "far larger classes do not matter",
    "far smaller classes do not matter",
    "the larger neighbour vanishes",
    "the smaller neighbour vanishes",
    "excess over x in parts",
    "excess over x settles",
    "it is not 0",
    "rate",
}
SEPARATE = {"zero modes", *FOR_THE_RATE}
"""Steps that the last one does not rest on."""

DIGITS = 400


@pytest.mark.parametrize("name", LAWS)
def test_every_step_is_proved_and_every_premise_used(name):
    proof = LAWS[name].derivation.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= SEPARATE


@pytest.mark.parametrize("name", sorted(set(LAWS) - SLOW))
def test_no_mutant_survives(name):
    assert survivors(LAWS[name].derivation) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_no_mutant_survives_in_the_longer_derivations(name):
    assert survivors(LAWS[name].derivation) == ()


beta = st.floats(-3, 3).map(lambda power: Rational(str(round(10.0**power, 9))))
scale = st.floats(-4, 4).map(lambda power: Rational(str(round(10.0**power, 9))))
shape = st.lists(st.integers(-8, 8), min_size=2, max_size=12).filter(lambda z: len(set(z)) > 1)


@settings(max_examples=40)
@given(shape, scale, beta)
@example([3, 2, 1, 0], Rational(1), Rational(20))
@example([1, 0], Rational(1, 10**4), Rational(1, 1000))
@example([8, 8, -8], Rational(10**4), Rational(1000))
def test_the_spectrum_keeps_its_exact_identities(logits, size, inverse):
    """Trace and pseudo-determinant by the shares, however far apart the eigenvalues are; one of them is 0."""
    found = spectrum([size * z for z in logits], inverse)
    values = found["eigenvalues"]
    assert values[0] == 0
    assert len(values) == len(logits)
    with mpmath.workdps(60):
        nonzero = [mpmath.mpmathify(v.evalf(40)) for v in values[1:]]
        ratio = mpmath.fprod(nonzero) / mpmath.mpmathify(found["pseudo_determinant"].evalf(40))
        assert abs(ratio - 1) < 1e-20
        assert abs(mpmath.fsum(nonzero) / mpmath.mpmathify(found["trace"].evalf(40)) - 1) < 1e-20
        assert abs(2 * ratio / len(logits) - 1) > 1e-3 or len(logits) == 2
        shares = sorted(_shares([size * inverse * z for z in logits]))
        for value, below, above in zip(nonzero, shares, shares[1:], strict=False):
            slack = mpmath.mpf(10) ** -25
            assert below * (1 - slack) <= value <= above * (1 + slack)


def _shares(logits):
    top = max(logits)
    weights = [mpmath.exp(mpmath.mpf(int((z - top).p)) / int((z - top).q)) for z in logits]
    return [w / mpmath.fsum(weights) for w in weights]


@settings(max_examples=10)
@given(st.lists(st.integers(-8, 8), min_size=2, max_size=6), st.sampled_from([Rational(1, 3), Rational(5)]))
@example([4, 4, 4], Rational(2))
@example([0, 40, -40], Rational(1))
def test_the_spectrum_is_that_of_the_matrix(logits, inverse):
    """The other route: a dense eigenvalue solver with as many digits as the spread needs."""
    found = spectrum([Rational(z) for z in logits], inverse)["eigenvalues"]
    with mpmath.workdps(DIGITS):
        shares = _shares([inverse * z for z in logits])
        size = len(shares)
        matrix = mpmath.matrix(size, size)
        for i in range(size):
            for j in range(size):
                matrix[i, j] = (shares[i] if i == j else 0) - shares[i] * shares[j]
        dense = sorted(mpmath.eigsy(matrix, eigvals_only=True))
        for ours, theirs in zip(found[1:], dense[1:], strict=True):
            assert abs(mpmath.mpmathify(S(ours).evalf(40)) / theirs - 1) < 1e-20


def test_equal_logits_are_exact():
    found = spectrum([Integer(7)] * 5, Rational(1, 3))
    assert found["eigenvalues"] == [0, *[Rational(1, 5)] * 4]
    assert found["pseudo_determinant"] == Rational(1, 625)
    assert found["trace"] == Rational(4, 5)


@pytest.mark.parametrize(("power", "tolerance"), [(10, 1e-3), (20, 1e-7)])
def test_frozen_eigenvalues_have_the_corrected_prefactor(power, tolerance):
    """Z = (3, 2, 1, 0): ratios 2, 3/2, 4/3 with exp(-beta (z_1 - z_i)); the printed 1 is far."""
    values = spectrum([Integer(z) for z in (3, 2, 1, 0)], Integer(power))["eigenvalues"]
    for place, value in enumerate(reversed(values[1:]), start=2):
        with mpmath.workdps(40):
            ratio = mpmath.mpmathify(value.evalf(40)) * mpmath.exp(power * (place - 1))
            assert float(ratio) == pytest.approx(place / (place - 1), rel=tolerance)
            assert float(ratio) != pytest.approx(1.0, rel=0.1)


@settings(max_examples=25)
@given(st.integers(2, 5).flatmap(lambda size: st.lists(st.integers(0, 6), min_size=size - 1, max_size=size - 1)))
@example([0])
@example([0, 0, 0, 0])
@example([6, 0, 6, 0])
def test_every_frozen_eigenvalue_lies_within_the_bounds_that_are_proved(extra):
    """Two to five classes at gaps of 4 and more: what others add to 1/(c - 1) is between the proved ends."""
    logits = [Rational(0)]
    for more in reversed(extra):
        logits.insert(0, logits[0] + 4 + Rational(more, 2))
    size = len(logits)
    values = spectrum(logits, Integer(1))["eigenvalues"]
    with mpmath.workdps(40):
        shares = _shares(logits)
        ratios = [lower / upper for upper, lower in pairwise(shares)]
        for place in range(2, size + 1):
            further = max(size - place - 1, 0)
            largest = max(ratios)
            if 8 * (further + 2) * largest > 1:
                continue
            value = mpmath.mpmathify(values[size - place + 1].evalf(30)) / shares[place - 1]
            excess = 1 / (value - 1) - (place - 1)
            ends = {frozen_path.i: place, frozen_path.further: further, frozen_path.x: Float(str(largest), 30)}
            low, high = (mpmath.mpmathify(end.subs(ends)) for end in ENDS)
            assert low <= excess <= high
            assert not low <= excess + 7 * largest * size <= high


ENDS = (frozen_eigenvalues.LOWEST, frozen_eigenvalues.HIGHEST)


def test_the_leading_condition_number_is_that_of_the_spectrum():
    logits = [Rational(5), Rational(7, 2), Rational(1), Rational(-2)]
    values = spectrum(logits, Integer(12))["eigenvalues"]
    found = conditioning(logits, Integer(12))["kappa_plus_leading"]
    assert float(values[-1] / values[1] / found.evalf(40)) == pytest.approx(1.0, rel=1e-6)
    assert conditioning([Integer(1), Integer(0)], Integer(3))["kappa_plus_leading"] == 1


@pytest.mark.parametrize(
    ("name", "z", "said"),
    [
        ("softmax_jacobian", [Integer(1)], "two logits"),
        ("softmax_jacobian", [Integer(1), S.Infinity], "z\\[1\\]"),
        ("softmax_jacobian", "word", "two logits"),
        ("conditioning", [Integer(1), Integer(1)], "strictly"),
        ("conditioning", [Integer(0), Integer(1)], "strictly"),
    ],
)
def test_domains_are_refused_in_one_sentence(name, z, said):
    with pytest.raises(OutsideDomain, match=said) as refused:
        predictors()[f"temperature.{name}"].evaluate(z=z, beta=Integer(1))
    assert "\n" not in str(refused.value)
    with pytest.raises(OutsideDomain, match="positive"):
        predictors()[f"temperature.{name}"].evaluate(z=[Integer(1), Integer(0)], beta=Integer(0))


def test_every_slip_on_conditioning_stands():
    for number in range(15, 25):
        found = errata()[f"temperature:E{number}"]
        exact = [e for e in found.evidence if hasattr(e, "stands")]
        assert all(e.stands() for e in exact)
        assert bool(exact) == (number not in (18, 19)), "slips of notation rest on a reading"
