"""Downloads against a real file server on this machine: checksum, cache, corruption, wrong archives."""

import functools
import gzip
import hashlib
import http.server
import io
import tarfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from numerics import downloads
from numerics.downloads import cifar10, fashion_mnist, imdb


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, counts what was asked for, prints nothing; may die halfway, or wait for a second request."""

    def do_GET(self):
        self.server.asked[self.path] += 1
        if self.server.together is not None:
            self.server.together.wait(20)
        if not self.server.dies:
            return super().do_GET()
        contents = (self.server.folder / self.path.lstrip("/")).read_bytes()
        self.send_response(200)
        if self.server.dies == "with its length told":
            self.send_header("Content-Length", str(len(contents)))
        self.end_headers()
        self.wfile.write(contents[: len(contents) // 2])
        self.close_connection = True

    def log_message(self, *args):
        """Keep quiet."""


@pytest.fixture
def running(tmp_path):
    """A file server on a loopback port."""
    folder = tmp_path / "served"
    folder.mkdir()
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=folder)
    ) as running:
        running.asked, running.folder, running.dies, running.together = Counter(), folder, "", None
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def server(running):
    """The server's folder, its address and its counts of requests."""
    return running.folder, address_of(running), running.asked


def address_of(running):
    """Where it answers."""
    return f"http://127.0.0.1:{running.server_port}"


def archive(members):
    """Pack named bytes as .tar.gz."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as packed:
        for name, contents in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(contents)
            packed.addfile(entry, io.BytesIO(contents))
    return stream.getvalue()


def serve(folder, files):
    """Write files and return their checksums."""
    for name, contents in files.items():
        (folder / name).write_bytes(contents)
    return {name: hashlib.sha256(contents).hexdigest() for name, contents in files.items()}


RNG = np.random.default_rng(0)
PIXELS = RNG.integers(256, size=(7, 32, 32, 3), dtype=np.uint8)
LABELS = RNG.integers(10, size=7, dtype=np.uint8)


def cifar_bytes(rows):
    """Write images as CIFAR-10's binary records: label, then planes."""
    return b"".join(bytes([LABELS[i]]) + PIXELS[i].transpose(2, 0, 1).tobytes() for i in rows)


CIFAR = {
    "cifar-10-batches-bin/data_batch_2.bin": cifar_bytes([2, 3, 4]),
    "cifar-10-batches-bin/data_batch_1.bin": cifar_bytes([0, 1]),
    "cifar-10-batches-bin/test_batch.bin": cifar_bytes([5, 6]),
    "cifar-10-batches-bin/readme.html": b"hello",
}


def test_cifar10_is_fetched_once_and_read_exactly(server, tmp_path):
    """Batches in order, channels last; a second call asks the server for nothing and gives the same."""
    folder, address, asked = server
    sums = serve(folder, {"small.tar.gz": archive(CIFAR)})
    first = cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache")
    np.testing.assert_array_equal(first.x_train, PIXELS[:5])
    np.testing.assert_array_equal(first.y_test, LABELS[5:])
    assert asked["/small.tar.gz"] == 1 and first.name == "cifar10" and first.classes == 10
    second = cifar10(base_url=address + "/", sha256=sums, cache=tmp_path / "cache")
    assert asked["/small.tar.gz"] == 1 and second.sha256 == first.sha256
    cifar10(base_url=address, sha256=sums, cache=tmp_path / "other")
    assert asked["/small.tar.gz"] == 2, "another cache must fetch again, or the count means nothing"


def test_a_corrupted_file_is_refused_and_not_kept(server, tmp_path):
    """One flipped byte: one sentence; when the server has the right file again, it is fetched."""
    folder, address, asked = server
    good = archive(CIFAR)
    sums = serve(folder, {"small.tar.gz": good})
    flipped = bytearray(good)
    flipped[len(good) // 2] ^= 1
    (folder / "small.tar.gz").write_bytes(bytes(flipped))
    with pytest.raises(ValueError, match="has not the checksum") as caught:
        cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache")
    assert "\n" not in str(caught.value) and "small.tar.gz" in str(caught.value)
    assert not list((tmp_path / "cache").glob("*"))
    (folder / "small.tar.gz").write_bytes(good)
    assert cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache").x_train.shape[0] == 5
    (tmp_path / "cache" / "small.tar.gz").write_bytes(bytes(flipped))  # damaged in the cache: fetched anew
    assert cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache").x_train.shape[0] == 5
    assert asked["/small.tar.gz"] == 3


@pytest.mark.parametrize(
    ("dies", "error", "words"),
    [
        ("with its length told", OSError, "could not be fetched"),
        ("with no length told", ValueError, "has not the checksum"),
    ],
)
def test_a_server_that_dies_halfway_leaves_nothing(running, tmp_path, dies, error, words):
    """Half a file is an error of one sentence and is not kept; the next try fetches all of it."""
    sums = serve(running.folder, {"small.tar.gz": archive(CIFAR)})
    running.dies = dies
    with pytest.raises(error, match=words) as caught:
        cifar10(base_url=address_of(running), sha256=sums, cache=tmp_path / "cache")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache").glob("*"))
    running.dies = ""
    assert cifar10(base_url=address_of(running), sha256=sums, cache=tmp_path / "cache").x_train.shape[0] == 5
    assert running.asked["/small.tar.gz"] == 2


def test_half_a_file_in_the_cache_is_fetched_anew(server, tmp_path):
    """What a killed download may leave: half the file in its place, and one under a name of no meaning."""
    folder, address, asked = server
    good = archive(CIFAR)
    sums = serve(folder, {"small.tar.gz": good})
    (tmp_path / "cache").mkdir()
    for name in ("small.tar.gz", "tmpabcdef"):
        (tmp_path / "cache" / name).write_bytes(good[: len(good) // 2])
    assert cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache").x_train.shape[0] == 5
    assert asked["/small.tar.gz"] == 1
    assert (tmp_path / "cache" / "small.tar.gz").read_bytes() == good


def test_two_downloads_at_once_both_end_well(running, tmp_path):
    """The server lets both have the file only when both have asked for it; one whole file is left."""
    good = archive(CIFAR)
    sums = serve(running.folder, {"small.tar.gz": good})
    running.together = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        both = pool.map(
            lambda _: cifar10(base_url=address_of(running), sha256=sums, cache=tmp_path / "cache").sha256, range(2)
        )
        assert len(set(both)) == 1
    assert running.asked["/small.tar.gz"] == 2
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["small.tar.gz"]
    assert (tmp_path / "cache" / "small.tar.gz").read_bytes() == good


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (
            archive({"x/data_batch_1.bin": b"1234", "x/test_batch.bin": cifar_bytes([0])}),
            "4 bytes; a multiple",
        ),
        (archive({"x/data_batch_1.bin": cifar_bytes([0])}), "test_batch.bin are needed"),
        (archive(CIFAR)[:-900], "cannot be unpacked"),
        (b"no archive", "cannot be unpacked"),
    ],
)
def test_wrong_archives_are_refused_in_one_sentence(server, tmp_path, contents, words):
    """The checksum is right but the contents are not those of CIFAR-10."""
    folder, address, _ = server
    sums = serve(folder, {"odd.tar.gz": contents})
    with pytest.raises(ValueError, match=words) as caught:
        cifar10(base_url=address, sha256=sums, cache=tmp_path / "cache")
    assert "\n" not in str(caught.value) and "cifar10: " in str(caught.value)


def test_a_missing_file_or_server_is_one_sentence(server, tmp_path):
    """404, a closed port, an address that is none, and a cache that cannot be written."""
    _, address, _ = server
    for base in (address, "http://127.0.0.1:9", "http://", "http://no host"):
        with pytest.raises(OSError, match="could not be fetched") as caught:
            cifar10(base_url=base, cache=tmp_path / "cache")
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="sha256 names 0 files; 1 are needed"):
        cifar10(base_url=address, sha256={}, cache=tmp_path / "cache")
    with pytest.raises(ValueError, match="is not an http address"):
        cifar10(base_url="cs.toronto.edu", cache=tmp_path / "cache")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="writable cache") as caught:
        cifar10(base_url=address, cache=tmp_path / "file" / "below")
    assert "\n" not in str(caught.value)


def idx(values):
    """Write unsigned bytes as IDX."""
    head = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, dtype=">u4").tobytes()
    return gzip.compress(head + values.tobytes())


def test_fashion_mnist(server, tmp_path):
    """Four IDX files, images and labels; a wrong size is refused."""
    folder, address, asked = server
    grey = RNG.integers(256, size=(6, 28, 28), dtype=np.uint8)
    parts = (grey[:4], LABELS[:4], grey[4:], LABELS[4:6])
    names = list(downloads.FASHION_MNIST_SHA256)
    sums = serve(folder, {name: idx(part) for name, part in zip(names, parts, strict=True)})
    data = fashion_mnist(base_url=address, sha256=sums, cache=tmp_path / "cache")
    np.testing.assert_array_equal(data.x_train, grey[:4])
    np.testing.assert_array_equal(data.x_test, grey[4:])
    np.testing.assert_array_equal(data.y_test, LABELS[4:6])
    assert sum(asked.values()) == 4
    broken = gzip.compress(gzip.decompress(idx(grey[:4]))[:-5])
    sums |= serve(folder, {names[0]: broken})
    with pytest.raises(ValueError, match="not an IDX file"):
        fashion_mnist(base_url=address, sha256=sums, cache=tmp_path / "cache")


def test_imdb(server, tmp_path):
    """Labels follow the folders, unlabelled reviews are left out, the order is mixed and fixed."""
    folder, address, _ = server
    members = {}
    for split in ("train", "test"):
        for i in range(20):
            members[f"aclImdb/{split}/pos/{i}_9.txt"] = f"good<br />number{i}".encode()
            members[f"aclImdb/{split}/neg/{i}_2.txt"] = f"bad\x85 number{i}".encode()
        members[f"aclImdb/{split}/unsup/0_0.txt"] = b"unknown"
    sums = serve(folder, {"imdb.tar.gz": archive(members)})
    data = imdb(words=2, length=2, base_url=address, sha256=sums, cache=tmp_path / "cache")
    assert data.x_train.shape == (40, 2) and data.x_test.shape == (40, 2)
    # Words 2 and 3 are "bad" and "good", twenty times each.
    np.testing.assert_array_equal(data.x_train[:, 0], np.where(data.y_train == 1, 3, 2))
    assert 0 < data.y_train[:10].sum() < 10
    turned = {name: members[name] for name in reversed(members)}
    sums = serve(folder, {"turned.tar.gz": archive(turned)})
    again = imdb(words=2, length=2, base_url=address, sha256=sums, cache=tmp_path / "cache")
    assert again.sha256 == data.sha256
    sums = serve(folder, {"empty.tar.gz": archive({"aclImdb/README": b"x"})})
    with pytest.raises(ValueError, match="no reviews"):
        imdb(base_url=address, sha256=sums, cache=tmp_path / "cache")


def test_official_addresses_and_checksums_are_whole():
    """64 hexadecimal digits each, over https where the host offers it."""
    sums = [
        *downloads.CIFAR10_SHA256.values(),
        *downloads.FASHION_MNIST_SHA256.values(),
        *downloads.IMDB_SHA256.values(),
    ]
    assert len(set(sums)) == 6 and all(len(s) == 64 and int(s, 16) for s in sums)
