"""Preparing inputs is exact: statistics of the training set alone, rotations that change no inner product."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.inputs import centre, flatten, on_sphere, scale, standardise
from numerics.rotation import principal, rotate_to_rank
from numerics.undisturbed import undisturbed


def draws(seed, *shapes):
    """Gaussian arrays of several shapes."""
    rng = np.random.default_rng(seed)
    return [rng.normal(2.0, 3.0, size=shape) for shape in shapes]


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1e-200, 1.0, 1e200]))
@example(seed=0, size=1.0)
def test_rows_on_the_sphere(seed, size):
    """Norms are exact whatever the scale, and directions are kept."""
    (x,) = draws(seed, (4, 7))
    y = on_sphere(size * x)
    np.testing.assert_allclose((y**2).sum(axis=1), 7.0, rtol=1e-14)
    np.testing.assert_allclose(y * np.linalg.norm(x, axis=1, keepdims=True) / np.sqrt(7), x, rtol=1e-13)


@given(seed=st.integers(0, 2**32 - 1))
def test_statistics_are_the_training_sets(seed):
    """Training inputs have the property exactly; the test inputs get the same map, not their own."""
    train, test = draws(seed, (9, 5), (4, 5))
    a, b = centre(train, test)
    np.testing.assert_allclose(a.mean(axis=0), 0, atol=1e-13)
    np.testing.assert_allclose(b - test, (a - train)[:1].repeat(4, axis=0), atol=1e-13)
    assert np.abs(b.mean(axis=0)).max() > 1e-3
    a, b = scale(train, test)
    assert (a**2).sum(axis=1).mean() == pytest.approx(5.0, rel=1e-13)
    np.testing.assert_allclose(b / test, (a / train)[0, 0], rtol=1e-12)
    a, b = standardise(train, test)
    assert a.mean() == pytest.approx(0.0, abs=1e-13) and a.std() == pytest.approx(1.0, rel=1e-13)
    np.testing.assert_allclose(b, (test - train.mean()) / train.std(), rtol=1e-12)


def test_flatten_keeps_values_and_order():
    """C order, float64."""
    x = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    assert flatten(x).dtype == np.float64
    np.testing.assert_array_equal(flatten(x), np.arange(24.0).reshape(2, 12))


@given(seed=st.integers(0, 2**32 - 1), shape=st.sampled_from([(5, 12, 3), (12, 5, 4), (6, 6, 0), (1, 4, 9)]))
@example(seed=0, shape=(5, 12, 3))
def test_rotation_is_exact(seed, shape):
    """Inner products, pre-activations and one step on the first layer are the same in fewer coordinates."""
    n, d, m = shape
    train, test = draws(seed, (n, d), (m, d))
    train[-1] = train[0]  # a duplicate lowers the rank
    turned = rotate_to_rank(train, test)
    assert turned.train_rank == np.linalg.matrix_rank(train) == min(max(n - 1, 1), d)
    both, original = np.concatenate([turned.train, turned.test]), np.concatenate([train, test])
    assert turned.train.shape[1] == np.linalg.matrix_rank(original)
    size = np.abs(original @ original.T).max()
    np.testing.assert_allclose(both @ both.T, original @ original.T, atol=1e-13 * size)
    np.testing.assert_allclose(turned.basis.T @ turned.basis, np.eye(both.shape[1]), atol=1e-13)
    np.testing.assert_allclose(both @ turned.basis.T, original, atol=1e-13 * np.sqrt(size))
    weights, error = draws(seed + 1, (d, 3), (n, 3))
    step = train.T @ error  # the gradient of the first layer
    reduced = turned.train.T @ error
    np.testing.assert_allclose(turned.basis.T @ step, reduced, atol=1e-12 * np.abs(step).max())
    np.testing.assert_allclose(turned.basis @ reduced, step, atol=1e-12 * np.abs(step).max())
    np.testing.assert_array_equal(reduced[turned.train_rank :], 0.0)
    np.testing.assert_allclose(both @ (turned.basis.T @ weights), original @ weights, atol=1e-11)


def test_rotation_ignores_rounding_and_sees_real_directions():
    """A direction of relative size 1e-17 is rounding; one of 1e-9 is real."""
    train = np.outer(np.arange(1.0, 4.0), np.ones(6))
    for size, rank in ((1e-17, 1), (1e-9, 2)):
        bent = train.copy()
        bent[0, 0] += size * 6
        assert rotate_to_rank(bent, bent).train_rank == rank


def test_principal_directions_agree_with_scikit_learn():
    """Another route, up to signs; more components than the rank are refused."""
    with undisturbed():
        from sklearn.decomposition import PCA

    train, test = draws(5, (40, 6), (7, 6))
    ours, theirs = principal(train, test, 3), PCA(3).fit(train)
    np.testing.assert_allclose(np.abs(ours[0]), np.abs(theirs.transform(train)), atol=1e-10)
    np.testing.assert_allclose(np.abs(ours[1]), np.abs(theirs.transform(test)), atol=1e-10)
    with pytest.raises(ValueError, match=r"components=7 is not in 1 \.\. 6"):
        principal(train, test, 7)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: on_sphere([[1.0, 2.0], [0.0, 0.0]]), "1 rows are zero, the first is row 1"),
        (lambda: flatten([1.0, 2.0]), r"shape \(2,\)"),
        (lambda: flatten([[np.nan]]), "1 of 1 entries of x are not finite"),
        (lambda: centre(np.ones((2, 3)), np.ones((2, 4))), r"\(2, 3\) and x_test \(2, 4\)"),
        (lambda: scale(np.zeros((2, 3)), np.ones((2, 3))), "all training inputs are zero"),
        (lambda: standardise(np.ones((2, 3)), np.ones((2, 3))), "all training entries are equal"),
        (lambda: rotate_to_rank(np.ones((2, 3, 1)), np.ones((2, 3, 1))), "flatten both"),
        (lambda: rotate_to_rank(np.zeros((2, 3)), np.ones((2, 3))), "all training inputs are zero"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, words):
    """One line that names what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
