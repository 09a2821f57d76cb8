"""Data by path: what is written is what is read, and damaged files are refused in one sentence."""

import gzip
import io
import json
import os
import zipfile

import numpy as np
import pytest
from small_data import one_sentence, small, write

from numerics.data import Data, take
from numerics.data_files import find_data_sets, images, load, texts
from numerics.tokens import tokenise, vocabulary, words


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


def npy(values):
    """Bytes of an array as .npy."""
    stream = io.BytesIO()
    np.save(stream, values)
    return stream.getvalue()


def header(shape, text=None):
    """Bytes of a .npy file of unsigned bytes that ends behind its header, which may be any text."""
    if text is not None:
        return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return stream.getvalue()


def packed(members, flag=0):
    """A zip of members; `flag` 1 says that they are encrypted."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, contents in members.items():
            archive.writestr(name, contents)
    whole = bytearray(stream.getvalue())
    whole[whole.find(b"PK\x03\x04") + 6] |= flag
    whole[whole.find(b"PK\x01\x02") + 8] |= flag
    return bytes(whole)


HOSTILE = {
    "no array": ({"y_train.npy": b"hello"}, 0),
    "terabytes": ({"x_train.npy": header((10**12, 3))}, 0),
    "more than can be addressed": ({"x_train.npy": header((2**62, 2**62))}, 0),
    "negative": ({"x_train.npy": header((-1, 3))}, 0),
    "nothing behind the header": ({"x_train.npy": header((6, 2, 2))}, 0),
    "a header that is no Python": ({"x_train.npy": header((), b"{garbage(((     ")}, 0),
    "encrypted": ({}, 1),
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_hostile_archives_are_refused_in_one_sentence(tmp_path, name):
    """Whatever reading them raises; the same archive without the change is read."""
    changes, flag = HOSTILE[name]
    good = {f"{part}.npy": npy(values) for part, values in small().items()}
    (tmp_path / "good.npz").write_bytes(packed(good))
    assert images(tmp_path / "good.npz").classes == 3
    (tmp_path / "bad.npz").write_bytes(packed(good | changes, flag))
    with pytest.raises(ValueError, match="cannot be read as") as caught:
        images(tmp_path / "bad.npz")
    one_sentence(caught, "bad.npz")


@pytest.mark.parametrize("label", [6, 255, 10**12, 2**63 + 5])
def test_a_label_beyond_the_number_of_rows_is_refused(tmp_path, label):
    """Six rows cannot tell of a seventh class: such a label is a mark or a slip, not a class; a number may be given."""
    labels = np.array([0, 1, 2, 0, 1, label], dtype=np.uint64)
    path = write(tmp_path / "far.npz", y_train=labels)
    with pytest.raises(ValueError, match="number the classes from 0") as caught:
        images(path)
    one_sentence(caught, "far", str(label))
    if label == 255:
        assert images(path, classes=256).classes == 256
    assert images(write(tmp_path / "near.npz", y_train=labels % 5)).classes <= 6
    line = {"split": "train", "label": label, "text": "a"}
    with pytest.raises(ValueError, match="number the classes from 0"):
        texts(write_texts(tmp_path / "far.jsonl.gz", [*LINES, line]))


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
        ("[" * 100_000, "line 4 is not JSON"),
        ("", "line 4 is not JSON"),
        ('{"split": "train", "label": NaN, "text": "a"}', "label nan"),
        ({"split": "train", "label": 1.0, "text": "a"}, "label 1.0"),
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
    for call, name in (
        (lambda: vocabulary([], 0), "size=0"),
        (lambda: vocabulary([], True), "size=True"),
        (lambda: tokenise([], (), 0), "length=0"),
        (lambda: tokenise([], (), 2.5), "length=2.5"),
    ):
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
