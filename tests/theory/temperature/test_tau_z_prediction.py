"""The closed form of tau_z: exact where it can be, right to 15 digits elsewhere, null where nothing moves."""

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, exp, sqrt

from theory.predictors import OutsideDomain, Undefined
from theory.serving import encode
from theory.temperature.tau_z_prediction import early_time

ONE, ZERO = Integer(1), Integer(0)


def tau(Z0, Y, Theta_x):
    """The predicted value, from plain Python numbers and rationals."""
    rows = [[[Rational(entry) for entry in row] for row in matrix] for matrix in (Z0, Y, Theta_x)]
    return early_time(*rows)["tau"]


def by_definition(Z0, Y, Theta_x, digits=60):
    """||Z0|| / ||Theta_x (Y - softmax Z0)||, as it is written."""
    with mpmath.workdps(digits):
        real = lambda x: mpmath.mpf(int(Rational(x).p)) / int(Rational(x).q)  # noqa: E731
        logits = [[real(z) for z in row] for row in Z0]
        rows = []
        for row, label in zip(logits, Y, strict=True):
            total = mpmath.fsum(mpmath.exp(z) for z in row)
            rows.append([real(y) - mpmath.exp(z) / total for z, y in zip(row, label, strict=True)])
        drive = [
            mpmath.fsum(real(w) * row[k] for w, row in zip(weights, rows, strict=True))
            for weights in Theta_x
            for k in range(len(Y[0]))
        ]
        start = mpmath.fsum(z**2 for row in logits for z in row)
        return mpmath.sqrt(start) / mpmath.sqrt(mpmath.fsum(d**2 for d in drive))


entries = st.fractions(min_value=-20, max_value=20, max_denominator=9)
SHAPES = [(1, 2), (2, 3), (3, 6), (5, 2), (4, 4)]


@st.composite
def problems(draw):
    """Logits, one-hot labels and a Gram matrix."""
    points, classes = draw(st.sampled_from(SHAPES))
    row = st.lists(entries, min_size=classes, max_size=classes)
    logits = draw(st.lists(row, min_size=points, max_size=points))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=points, max_size=points))
    feature = st.lists(st.integers(-4, 4), min_size=points, max_size=points)
    features = draw(st.lists(feature, min_size=points, max_size=points))
    kernel = [[sum(f * g for f, g in zip(a, b, strict=True)) + 5 * (a is b) for b in features] for a in features]
    one_hot = [[int(k == label) for k in range(classes)] for label in labels]
    return logits, one_hot, kernel


@settings(max_examples=40)
@given(problems())
def test_agrees_with_the_definition(problem):
    found = encode(tau(*problem))
    if all(z == 0 for row in problem[0] for z in row):
        assert found["value"] == 0
    else:
        assert found["value"] == pytest.approx(float(by_definition(*problem)), rel=1e-14)


@given(problems(), st.integers(1, 9))
def test_a_larger_kernel_is_faster_in_proportion(problem, factor):
    logits, labels, kernel = problem
    assert encode(tau(logits, labels, [[factor * w for w in row] for row in kernel]))["value"] == pytest.approx(
        encode(tau(logits, labels, kernel))["value"] / factor, rel=1e-13
    )


def test_equal_logits_are_exact():
    assert tau([[1, 1]], [[1, 0]], [[2]]) == 1
    assert tau([[1, 1, 1]], [[1, 0, 0]], [[1]]) == 3 * sqrt(2) / 2
    assert tau([[0, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]) == 0


def test_one_point_two_classes_in_closed_form():
    """Here r = (1 - p)(1, -1) with 1 - p = 1/(1 + e^2): tau = sqrt(4 + 0) (1 + e^2) / sqrt 2."""
    assert float(tau([[2, 0]], [[1, 0]], [[1]])) == pytest.approx(float(2 * (1 + exp(2)) / sqrt(2)), rel=1e-15)


def test_a_saturated_point_is_slow_not_null():
    assert encode(tau([[500, 0]], [[1, 0]], [[1]]))["value"] == pytest.approx(4.962447876322036e219, rel=1e-14)
    beyond = encode(tau([[1000, 0]], [[1, 0]], [[1]]))
    assert beyond["value"] is None
    assert "float64" in beyond["reason"]


@pytest.mark.parametrize(
    "problem",
    [
        ([[1, 2]], [[1, 0]], [[0]]),
        ([[3]], [[1]], [[2]]),
        ([[1, 0], [2, 1]], [[1, 0], [1, 0]], [[1, -1], [-1, 1]]),
        ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 1], [1, 1]]),
    ],
    ids=["no kernel", "one class", "equal residuals cancel", "mirrored residuals cancel"],
)
def test_null_where_the_residual_vanishes(problem):
    assert isinstance(tau(*problem), Undefined)


@pytest.mark.parametrize(
    "problem",
    [
        ([[1, 0], [2, Rational(10**40 + 1, 10**40)]], [[1, 0], [1, 0]], [[1, -1], [-1, 1]]),
        ([[60, 0], [61, 0]], [[1, 0], [1, 0]], [[1, -1], [-1, 1]]),
    ],
    ids=["nearly equal residuals", "two tiny residuals"],
)
def test_a_residual_that_nearly_vanishes_is_not_null(problem):
    """The partner of the test above: cancellation of forty digits is still a number, and the right one."""
    found = tau(*problem)
    assert not isinstance(found, Undefined)
    assert float(found) == pytest.approx(float(by_definition(*problem, digits=120)), rel=1e-14)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (([[1, 0]], [[1, 0], [0, 1]], [[1]]), "one row a point"),
        (([[1, 0]], [[1, 0]], [[1, 0], [0, 1]]), "one row a point"),
        (([[1, 0]], [[1, 1]], [[1]]), "one-hot"),
        (([[1, 0]], [[0, 0]], [[1]]), "one-hot"),
        (([[1, 0]], [[Rational(1, 2), Rational(1, 2)]], [[1]]), "one-hot"),
        (([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 2], [3, 1]]), "symmetric"),
        (([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 2], [2, 1]]), "positive semidefinite"),
        (([[1, 0], [0]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]), "different lengths"),
        (([[1, 0]], [[1, 0]], [[-1]]), "positive semidefinite"),
    ],
)
def test_the_domain_is_refused_in_one_sentence(problem, said):
    with pytest.raises(OutsideDomain, match=said) as refused:
        tau(*problem)
    assert "\n" not in str(refused.value)


@given(problems())
@example(([[0, 0]], [[1, 0]], [[1]]))
def test_every_gram_matrix_is_taken_for_a_kernel(problem):
    assert not isinstance(tau(*problem), Undefined)
