"""Data sets: what they hold, where they come from, and what is refused at the door."""

import gzip
import json
import os

import numpy as np
import pytest

from numerics.data import Data, digits, take
from numerics.data_files import find_data_sets, images, load, texts
from numerics.synthetic import random_labels, sentiment, sphere_inputs, stripe
from numerics.tokens import tokenise, vocabulary, words


def small(**changes):
    """Build a small good set, or one with some parts replaced."""
    parts = {
        "x_train": np.arange(24, dtype=np.uint8).reshape(6, 2, 2),
        "y_train": np.array([0, 1, 2, 0, 1, 2], dtype=np.uint8),
        "x_test": np.arange(8, dtype=np.uint8).reshape(2, 2, 2),
        "y_test": np.array([2, 0], dtype=np.uint8),
    }
    return {**parts, **changes}


def write(path, **changes):
    """Write the small set as .npz; a part replaced by None is left out."""
    np.savez(path, **{name: part for name, part in small(**changes).items() if part is not None})
    return path


def one_sentence(caught, *names):
    """Check that a message is one line that names what it must."""
    message = str(caught.value)
    assert "\n" not in message and message.count("; ") >= 1, message
    for name in names:
        assert name in message, message


def test_digits_are_whole_and_split_once():
    """All 1797 rows, each once; a smaller split is a prefix of a larger one; all classes in both parts."""
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
        ({}, 1, ["classes=1"]),
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


def test_npz_round_trip(tmp_path):
    """What was written is what is read; extra arrays are ignored; the number of classes can be given."""
    path = write(tmp_path / "mine.npz", name_train=np.array([b"a"]))
    data = load(path)
    expected = Data(**small(), classes=3, name="mine")
    assert data.sha256 == expected.sha256 and data.name == "mine" and data.x_train.dtype == np.uint8
    assert images(path, classes=10).classes == 10
    assert load(str(path)).sha256 == data.sha256


def test_npz_errors_are_one_sentence(tmp_path):
    """Missing, truncated, corrupted, of another kind, without an array, pickled, NaN, wrong labels."""
    with pytest.raises(FileNotFoundError) as caught:
        images(tmp_path / "none.npz")
    one_sentence(caught, "none.npz")
    with pytest.raises(FileNotFoundError) as caught:
        images(tmp_path)
    one_sentence(caught)
    rng = np.random.default_rng(0)
    good = write(tmp_path / "good.npz", x_train=rng.integers(256, size=(6, 20, 20), dtype=np.uint8),
                 x_test=rng.integers(256, size=(2, 20, 20), dtype=np.uint8)).read_bytes()  # fmt: skip
    assert images(tmp_path / "good.npz").x_train.shape == (6, 20, 20)
    flipped = bytearray(good)
    flipped[300] ^= 255
    broken = {
        "short": good[: len(good) // 2],
        "shorter": good[:10],
        "empty": b"",
        "flipped": bytes(flipped),
        "text": b"not an archive",
    }
    for name, contents in broken.items():
        (tmp_path / f"{name}.npz").write_bytes(contents)
        with pytest.raises(ValueError) as caught:
            images(tmp_path / f"{name}.npz")
        one_sentence(caught, f"{name}.npz", "cannot be read")
    with (tmp_path / "single.npz").open("wb") as stream:
        np.save(stream, np.zeros(3))
    write(tmp_path / "pickled.npz", x_train=np.array([[{}]] * 6, dtype=object))
    for name in ("single", "pickled"):
        with pytest.raises(ValueError) as caught:
            images(tmp_path / f"{name}.npz")
        one_sentence(caught, name)
    for changes, words_ in (
        ({"y_test": None, "x_test": None}, ["lacks x_test, y_test"]),
        ({"x_train": np.full((6, 2, 2), np.nan)}, ["NaN"]),
        ({"y_test": np.array([0, 9])}, ["label 9"]),
        ({"y_train": np.array([], dtype=np.int64)}, ["0 labels for 6 rows"]),
        ({"x_test": np.zeros((2, 4), dtype=np.uint8)}, ["rows of shape"]),
    ):
        with pytest.raises(ValueError) as caught:
            images(write(tmp_path / "bad.npz", **changes))
        one_sentence(caught, *words_)


LINES = [
    {"split": "train", "label": 1, "text": "Good, good film!<br /><br />Good.", "id": 3},
    {"split": "train", "label": 0, "text": "bad film\x85 BAD"},
    {"split": "test", "label": 0, "text": "a bad, bad sequel"},
]


def write_texts(path, lines):
    """Write lines as .jsonl.gz."""
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return path


def test_texts_by_path(tmp_path):
    """The vocabulary is the training split's; unknown words are 1, padding is 0 and in front."""
    data = load(write_texts(tmp_path / "films.jsonl.gz", LINES))
    assert data.name == "films" and data.classes == 2 and data.x_train.dtype == np.int32
    data = texts(tmp_path / "films.jsonl.gz", words=2, length=4)
    # Three "good", then two "bad" and two "film": the tie goes to the alphabet.
    assert data.x_train.tolist() == [[2, 2, 1, 2], [0, 3, 1, 3]]
    assert data.x_test.tolist() == [[1, 3, 3, 1]]
    assert data.y_train.tolist() == [1, 0]


def test_text_errors_are_one_sentence(tmp_path):
    """Missing, truncated, not gzip, not JSON, without a key, wrong label or split."""
    with pytest.raises(FileNotFoundError) as caught:
        texts(tmp_path / "none.jsonl.gz")
    one_sentence(caught, "none.jsonl.gz")
    long = [{"split": "train", "label": i % 2, "text": f"{i} {i * i} {i**3}"} for i in range(500)] + LINES
    whole = write_texts(tmp_path / "long.jsonl.gz", long).read_bytes()
    assert texts(tmp_path / "long.jsonl.gz").x_train.shape == (502, 64)
    for name, contents in (("short", whole[: len(whole) // 2]), ("plain", b"{}"), ("empty", b"")):
        (tmp_path / f"{name}.jsonl.gz").write_bytes(contents)
        with pytest.raises(ValueError) as caught:
            texts(tmp_path / f"{name}.jsonl.gz")
        one_sentence(caught, name)
    for line, word in (
        ("{", "line 4 is not JSON"),
        ("[1]", "line 4 lacks"),
        ({"split": "train", "label": 1}, "line 4 lacks"),
        ({"split": "dev", "label": 1, "text": "a"}, "'dev'"),
        ({"split": "train", "label": "1", "text": "a"}, "label '1'"),
        ({"split": "train", "label": True, "text": "a"}, "label True"),
        ({"split": "train", "label": -1, "text": "a"}, "label -1"),
        ({"split": "train", "label": 1, "text": 5}, "no string"),
    ):
        with pytest.raises(ValueError) as caught:
            texts(write_texts(tmp_path / "bad.jsonl.gz", [*LINES, line]))
        one_sentence(caught, "bad.jsonl.gz", word)
    with pytest.raises(ValueError) as caught:
        texts(write_texts(tmp_path / "half.jsonl.gz", LINES[:2]))
    one_sentence(caught, "split test")
    with pytest.raises(ValueError) as caught:
        texts(write_texts(tmp_path / "far.jsonl.gz", [*LINES, {"split": "test", "label": 7, "text": "x"}]))
    one_sentence(caught, "label 7")


def test_tokens():
    """Words, ties, truncation at the end, padding in front, an empty text."""
    assert words("Don't<br />stop—the_rock 'n' roll 7") == ["don't", "stop", "the", "rock", "n", "roll", "7"]
    assert vocabulary(["b c a", "c"], 10) == ("c", "a", "b")
    assert tokenise(["", "a q a a a"], ("a",), 3).tolist() == [[0, 0, 0], [2, 1, 2]]
    for call, name in ((lambda: vocabulary([], 0), "size=0"), (lambda: tokenise([], (), 0), "length=0")):
        with pytest.raises(ValueError) as caught:
            call()
        one_sentence(caught, name)


def test_find_data_sets(tmp_path, monkeypatch):
    """The folder that ASSAY_DATA names; nothing where it is not set; an error where it does not exist."""
    write(tmp_path / "b.npz")
    write_texts(tmp_path / "a.jsonl.gz", LINES)
    (tmp_path / "notes.md").write_text("x")
    (tmp_path / "c.npz").mkdir()
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    assert list(find_data_sets()) == ["a", "b"]
    assert {name: load(path).name for name, path in find_data_sets().items()} == {"a": "a", "b": "b"}
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError, match="ASSAY_DATA=") as caught:
        find_data_sets()
    one_sentence(caught, "nowhere")
    monkeypatch.delenv("ASSAY_DATA")
    assert find_data_sets() == {}


EXPECTED = {
    "cifar10_subset": ((10000, 32, 32, 3), (5200, 32, 32, 3), 10),
    "fashion_mnist_subset": ((15000, 28, 28), (10000, 28, 28), 10),
    "imdb_subset": ((6000, 64), (4000, 64), 2),
}


@pytest.mark.parametrize("name", list(EXPECTED))
def test_real_sets(name):
    """The real subsets load whole, with all their classes."""
    folder = os.environ.get("ASSAY_DATA")
    if not folder or name not in find_data_sets():
        pytest.skip(f"ASSAY_DATA names no folder that holds {name}")
    data = load(find_data_sets()[name])
    train, test, classes = EXPECTED[name]
    assert (data.x_train.shape, data.x_test.shape, data.classes) == (train, test, classes)
    assert len(set(data.y_train.tolist())) == classes
    if name == "cifar10_subset":
        pair = take(data, classes=(0, 1))
        assert (len(pair.y_train), len(pair.y_test)) == (2000, 2000)
        np.testing.assert_allclose(
            data.x_train.mean(axis=(0, 1, 2)) / 255, [0.4912, 0.4810, 0.4455], atol=1e-4
        )
    if name == "imdb_subset":
        assert 0.5 < np.mean(data.x_train > 1) < 0.95 and data.x_train.max() == 1001


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


def test_loaders_leave_global_state_alone():
    """Neither NumPy's global generator nor thread settings move."""
    np.random.seed(3)
    before = np.random.get_state()[1].copy(), dict(os.environ)
    digits(), stripe(), sentiment(), random_labels()
    assert np.array_equal(before[0], np.random.get_state()[1]) and before[1] == dict(os.environ)
