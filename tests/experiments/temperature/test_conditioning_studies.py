"""Conditioning: spectra against what the laws predict, and the studies with their controls."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quick_grids import quick, shortcomings
from sympy import Integer, Rational

from experiments.registry import check_of
from experiments.temperature import conditioning, fixed_point_conditioning
from theory.registry import select
from theory.temperature.softmax_jacobian_prediction import softmax_jacobian

STUDIES = (conditioning.STUDY, fixed_point_conditioning.STUDY)
OWN = {check.law for study in STUDIES for check in study.checks}


@pytest.fixture(scope="module")
def measured():
    return {study.name: quick(study) for study in STUDIES}


@pytest.mark.parametrize("law", [law for law in select(("temperature",)) if law.name in OWN], ids=lambda law: law.name)
def test_a_law_agrees_and_all_its_controls_disagree(measured, law):
    assert shortcomings(law.name, measured[check_of(law.name)[0].name]) == []


@settings(max_examples=20)
@given(st.lists(st.integers(-6, 6), min_size=4, max_size=4).filter(lambda z: len(set(z)) > 1))
@example([3, 2, 1, 0])
def test_the_measured_spectrum_is_the_predicted_one(logits):
    """80 digits of a dense solver beside the secular equation, and the Jacobian by automatic differentiation."""
    found = softmax_jacobian([Integer(z) for z in logits], Rational(1, 2))
    dense = conditioning.spectrum(np.array(logits) / 2)
    for ours, theirs in zip(found["eigenvalues"][1:], dense, strict=True):
        assert float(ours.evalf(30)) == pytest.approx(float(theirs), rel=1e-14)
    traced = np.trace(np.asarray(conditioning.jacobian(jnp.asarray(np.array(logits) / 2))))
    assert traced == pytest.approx(float(found["trace"]), rel=1e-12)
    assert traced != pytest.approx(1.0, rel=1e-6)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**31))
def test_the_lemma_holds_for_drawn_matrices_and_fails_for_triangular_ones(seed):
    random = np.random.default_rng(seed)
    one, other = fixed_point_conditioning.factors(random, "symmetric")
    kappa = fixed_point_conditioning.spread
    assert kappa(other) / kappa(one) <= kappa(one @ other) * (1 + 1e-9)
    assert kappa(one @ other) <= kappa(one) * kappa(other) * (1 + 1e-9)
    upper, lower = fixed_point_conditioning.factors(random, "triangular")
    assert kappa(upper @ lower) > 1.5 * kappa(upper) * kappa(lower)


@settings(max_examples=10)
@given(pull=st.floats(-2, 4).map(lambda e: 10.0**e), classes=st.integers(3, 8))
@example(pull=1e4, classes=5)
def test_at_isotropic_fixed_points_the_condition_number_is_bounded(pull, classes):
    kappa, share = fixed_point_conditioning.fixed_point(np.eye(classes), pull)
    assert kappa == pytest.approx(classes * share, rel=1e-8)
    assert kappa < classes
    coupled = np.eye(classes) + np.diag(np.arange(classes))
    assert fixed_point_conditioning.fixed_point(coupled, pull)[0] != pytest.approx(classes * share, rel=1e-3)


@settings(max_examples=10)
@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4, unique=True))
@example([3, 2, 1, 0])
def test_the_measured_vectors_are_eigenvectors_of_the_jacobian(logits):
    """Matrix times vector by automatic differentiation; another class's vector does not go with the eigenvalue."""
    z = np.sort(np.array(logits, dtype=float))[::-1]
    values, entries = conditioning.vectors(z)
    matrix = np.asarray(conditioning.jacobian(jnp.asarray(z)))
    descending = [float(value) for value in reversed(values)]
    for own, (value, entry) in enumerate(zip(descending, entries, strict=True), start=1):
        assert entry[own] == 1
        np.testing.assert_allclose(matrix @ entry, value * entry, atol=1e-12)
    assert not np.allclose(matrix @ entries[0], descending[-1] * entries[0], atol=1e-12)
    sums, sizes = conditioning.secular(z)
    assert np.all(np.abs(sums) <= 1e-15 * np.array(sizes))
    shares = np.exp(z - z.max()) / np.sum(np.exp(z - z.max()))
    assert np.all(np.abs([np.sum(shares / (shares - 0.9 * value)) for value in descending]) > 1e-3)
