"""Training points on the sphere: angles as in the data, one length, one-hot labels, a new draw for each seed."""

import numpy as np
import pytest

from numerics.data import Data, digits
from numerics.training_points import training_points

SMALL = Data(
    np.random.default_rng(0).integers(0, 255, (40, 4, 4, 3)).astype(np.uint8),
    np.arange(40) % 3,
    np.zeros((1, 4, 4, 3), dtype=np.uint8),
    [0],
    classes=3,
    name="small",
)


def generators(*seeds):
    return [np.random.default_rng(seed) for seed in seeds]


def test_angles_are_those_of_the_centred_images():
    inputs, labels = training_points(SMALL, generators(5), 8)
    chosen = np.random.default_rng(5).choice(40, size=8, replace=False)
    rows = SMALL.x_train.reshape(40, -1).astype(float)
    centred = (rows - rows.mean(axis=0))[chosen]
    expected = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    np.testing.assert_allclose(inputs[0] @ inputs[0].T / 8, expected @ expected.T, atol=1e-12)
    assert labels[0].argmax(axis=1).tolist() == SMALL.y_train[chosen].tolist()


def test_lengths_labels_and_shapes():
    inputs, labels = training_points(digits(), generators(0, 1), 70)
    assert inputs.shape == (2, 70, 64)
    np.testing.assert_allclose((inputs**2).sum(axis=-1), 64.0)
    assert labels.shape == (2, 70, 10)
    assert np.unique(labels).tolist() == [0.0, 1.0]
    np.testing.assert_array_equal(labels.sum(axis=-1), 1.0)


def test_each_seed_draws_its_own_points_and_the_same_seed_the_same():
    first, _ = training_points(SMALL, generators(1, 2), 6)
    again, _ = training_points(SMALL, generators(1), 6)
    np.testing.assert_array_equal(first[0], again[0])
    assert np.abs(first[0] - first[1]).max() > 0.1


def test_equal_images_stay_equal():
    doubled = Data(np.concatenate([SMALL.x_train[:2]] * 2), [0, 1, 0, 1], SMALL.x_test, [0], classes=2, name="doubled")
    inputs, _ = training_points(doubled, generators(0), 4)
    gram = inputs[0] @ inputs[0].T / inputs.shape[-1]
    assert np.linalg.matrix_rank(gram, tol=1e-8) == 1, "two images about their mean are opposites"
    np.testing.assert_allclose(np.abs(gram), 1.0, atol=1e-9)


def test_more_points_than_rows_are_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"points=41 is not in 1 \.\. 40, the rows of small; pass fewer"):
        training_points(SMALL, generators(0), 41)
