"""Data sets: what they hold, where they come from, and what is refused at the door."""

import numpy as np
import pytest
from small_data import one_sentence, small

from numerics.data import Data, digits, take
from numerics.synthetic import random_labels, sentiment, sphere_inputs, stripe
from numerics.undisturbed import undisturbed


def test_digits_are_whole_and_split_once():
    """All 1797 rows, each once; a smaller split is a prefix of a larger one; all classes in both parts."""
    with undisturbed():
        from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    data = digits()
    both = np.concatenate([data.x_train, data.x_test])
    assert sorted(map(tuple, both.tolist())) == sorted(map(tuple, x.tolist()))
    labels = np.concatenate([data.y_train, data.y_test])
    assert np.array_equal(np.bincount(labels), np.bincount(y))
    fewer = digits(train=200)
    assert np.array_equal(fewer.x_train, data.x_train[:200]) and fewer.sha256 != data.sha256
    assert set(data.y_train[:200].tolist()) == set(range(10))
    assert digits().sha256 == data.sha256
    for bad in (0, 1797, True):
        with pytest.raises(ValueError, match="digits: train=") as caught:
            digits(bad)
        one_sentence(caught, str(bad))


def test_the_hash_is_of_the_contents_only():
    """Memory order, byte order and name do not matter; any entry, shape, dtype or number of classes does."""
    parts = small()
    first = Data(**parts, classes=3, name="a")
    fortran = Data(**{**parts, "x_train": np.asfortranarray(parts["x_train"])}, classes=3, name="b")
    assert first.sha256 == fortran.sha256
    floats = {**parts, "x_train": parts["x_train"] / 2.0, "x_test": parts["x_test"] / 2.0}
    swapped = {**floats, "x_train": floats["x_train"].astype(">f8")}
    assert Data(**floats, classes=3, name="a").sha256 == Data(**swapped, classes=3, name="a").sha256
    changed = parts["x_test"].copy()
    changed[1, 1, 1] += 1
    reshaped = {**parts, "x_train": parts["x_train"].reshape(6, 4), "x_test": parts["x_test"].reshape(2, 4)}
    others = [
        Data(**{**parts, "x_test": changed}, classes=3, name="a"),
        Data(**parts, classes=4, name="a"),
        Data(**reshaped, classes=3, name="a"),
        Data(**floats, classes=3, name="a"),
        Data(**{**parts, "y_test": [0, 2]}, classes=3, name="a"),
    ]
    assert len({first.sha256, *(other.sha256 for other in others)}) == 6


def test_a_data_set_cannot_be_changed_through_its_views():
    """Fields and arrays are read-only."""
    data = Data(**small(), classes=3, name="a")
    with pytest.raises(ValueError, match="read-only"):
        data.x_train[0, 0, 0] = 1
    with pytest.raises(AttributeError):
        data.name = "b"


@pytest.mark.parametrize(
    ("changes", "classes", "words_"),
    [
        ({"x_train": np.full((6, 2, 2), np.nan)}, 3, ["x_train", "24 entries", "NaN"]),
        ({"x_test": np.full((2, 2, 2), np.inf)}, 3, ["x_test", "infinite"]),
        ({"x_train": np.zeros((6, 2, 2), dtype=np.int64)}, 3, ["x_train", "int64"]),
        ({"x_train": np.zeros((6, 2, 2), dtype=complex)}, 3, ["complex128"]),
        ({"x_train": np.zeros(6, dtype=np.uint8)}, 3, ["x_train", "(6,)"]),
        ({"x_train": np.zeros((0, 2, 2), dtype=np.uint8), "y_train": np.zeros(0, int)}, 3, ["(0, 2, 2)"]),
        ({"x_train": np.zeros((5, 2, 2), dtype=np.uint8)}, 3, ["y_train has 6 labels for 5 rows"]),
        ({"x_test": np.zeros((2, 3, 2), dtype=np.uint8)}, 3, ["(2, 2)", "(3, 2)"]),
        ({"y_test": np.array([0, 3])}, 3, ["y_test", "label 3", "0 .. 2"]),
        ({"y_test": np.array([0, -1])}, 3, ["y_test", "label -1"]),
        ({"y_test": np.array([0.0, 1.0])}, 3, ["y_test", "float64"]),
        ({"y_test": np.array([[0], [1]])}, 3, ["y_test", "(2, 1)"]),
        ({"y_train": np.array([True] * 6)}, 3, ["y_train", "bool"]),
        ({"x_test": np.zeros((2, 2, 2))}, 3, ["uint8", "float64"]),
        ({}, 1, ["classes=1"]),
        ({}, 2.5, ["classes=2.5"]),
        ({}, True, ["classes=True"]),
    ],
)
def test_bad_contents_are_refused_in_one_sentence(changes, classes, words_):
    """Dtype, shape, NaN, number of labels, label out of range."""
    with pytest.raises(ValueError) as caught:
        Data(**small(**changes), classes=classes, name="mine")
    one_sentence(caught, "mine", *words_)


def test_take_renames_classes_and_keeps_rows():
    """Rows of the chosen classes, in order, with their own inputs."""
    data = Data(**small(), classes=3, name="a")
    pair = take(data, train=3, classes=(2, 0))
    assert pair.y_train.tolist() == [1, 0, 1] and pair.y_test.tolist() == [0, 1] and pair.classes == 2
    assert np.array_equal(pair.x_train, data.x_train[[0, 2, 3]])
    assert take(data).sha256 == data.sha256
    for bad in ({"classes": (0, 0)}, {"classes": (0, 3)}, {"classes": (1,)}, {"train": 7}, {"test": 0}):
        with pytest.raises(ValueError, match=r"^take: ") as caught:
            take(data, **bad)
        one_sentence(caught)


def test_stripe_has_its_structure():
    """Labels follow from the first coordinate alone; classes weigh 1/2, 1/4, 1/4; replicates differ."""
    data = stripe(train=4000, test=10)
    x, y = data.x_train, data.y_train
    edges = np.array([-0.6745, 0.0, 0.6745])
    clear = np.abs(x[:, :1] - edges).min(axis=1) > 1e-3
    assert np.array_equal(y[clear], np.searchsorted(edges, x[clear, 0]) % 3)
    share = np.bincount(y) / len(y)
    np.testing.assert_allclose(share, [0.5, 0.25, 0.25], atol=4 * 0.5 / np.sqrt(4000))
    assert abs(np.corrcoef(x[:, 1], y)[0, 1]) < 4 / np.sqrt(4000)
    assert stripe(replicate=1).sha256 != stripe().sha256 == stripe().sha256


def test_random_labels_carry_nothing():
    """Inputs lie on the sphere; no coordinate is correlated with the label."""
    data = random_labels(train=3000, test=10, features=8, classes=3)
    np.testing.assert_allclose((data.x_train**2).sum(axis=1), 8.0, rtol=1e-12)
    correlations = [np.corrcoef(data.x_train[:, i], data.y_train)[0, 1] for i in range(8)]
    assert np.abs(correlations).max() < 4.5 / np.sqrt(3000)
    assert np.abs(sphere_inputs(2, 5, np.random.default_rng(0))).max() <= np.sqrt(5)


def test_sentiment_follows_its_rule():
    """Recount every sequence word by word."""
    data = sentiment(train=200, test=50)
    for row, label in zip(data.x_train, data.y_train, strict=True):
        total, sign = 0, 1
        for word in row.tolist():
            total += sign * (1 if word < 6 else -1 if word < 12 else 0)
            sign = -1 if word >= 19 else 1
        assert total != 0 and label == (total > 0)
    with pytest.raises(ValueError, match="length=0"):
        sentiment(length=0)
