"""Winners of correlated Gaussian vectors: closed forms, symmetry, and draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.argmax import same_argmax


@given(st.floats(-1, 1))
def test_two_and_three_classes_have_closed_forms(c):
    near, far = np.arcsin(c), np.arcsin(c / 2)
    three = 1 / 3 + 3 * (near + far) / (4 * np.pi) + 3 * (near**2 - far**2) / (4 * np.pi**2)
    assert float(same_argmax(np.array(c), 2)) == pytest.approx(0.5 + near / np.pi, abs=1e-11)
    assert float(same_argmax(np.array(c), 3)) == pytest.approx(three, abs=1e-11)


@pytest.mark.parametrize("classes", [2, 5, 30])
def test_the_ends_and_the_middle(classes):
    found = same_argmax(np.array([-1.0, 0.0, 1.0, 1.0 + 1e-12]), classes)
    np.testing.assert_allclose(found, [0, 1 / classes, 1, 1], atol=1e-10)


def test_draws_agree_and_are_not_odd_about_their_middle():
    random, c, classes = np.random.default_rng(3), 0.7, 6
    g, other = random.standard_normal((2, 200_000, classes))
    share = np.mean(np.argmax(g, axis=1) == np.argmax(c * g + np.sqrt(1 - c**2) * other, axis=1))
    predicted = same_argmax(np.array([c, -c]), classes)
    assert share == pytest.approx(predicted[0], abs=4 * np.sqrt(share / 200_000))
    assert predicted[0] + predicted[1] > 2 / classes + 0.1


def test_one_class_of_a_kind_is_refused():
    with pytest.raises(ValueError, match="classes=0"):
        same_argmax(np.zeros(1), 0)
