"""The full public sets, fetched once into a cache and checked by SHA-256: CIFAR-10, Fashion-MNIST, IMDB."""

import gzip
import os
import re
import tarfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from numerics.data import Data
from numerics.keys import generator
from numerics.tokens import tokenise, vocabulary
from numerics.undisturbed import undisturbed

T = TypeVar("T")

CIFAR10_URL = "https://www.cs.toronto.edu/~kriz"
CIFAR10_SHA256 = {
    "cifar-10-binary.tar.gz": "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
}
FASHION_MNIST_URL = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com"
FASHION_MNIST_SHA256 = {
    "train-images-idx3-ubyte.gz": "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
    "train-labels-idx1-ubyte.gz": "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
    "t10k-images-idx3-ubyte.gz": "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
    "t10k-labels-idx1-ubyte.gz": "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
}
IMDB_URL = "https://ai.stanford.edu/~amaas/data/sentiment"
IMDB_SHA256 = {"aclImdb_v1.tar.gz": "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe"}


def cifar10(
    base_url: str = CIFAR10_URL,
    sha256: Mapping[str, str] = CIFAR10_SHA256,
    cache: str | os.PathLike[str] | None = None,
) -> Data:
    """CIFAR-10: 50000 training and 10000 test images of shape (32, 32, 3), unsigned bytes, 10 classes.

    The binary version is read, so nothing is unpickled. The official order is kept.

    Parameters
    ----------
    base_url : folder of the files; another one for a mirror
    sha256 : file name -> checksum
    cache : folder that keeps the files; None is the user's cache folder for ``assay``

    Errors
        OSError where a file cannot be fetched, ValueError where its checksum or its contents are wrong; one
        sentence each, and nothing wrong is kept in the cache.

    Source
        A. Krizhevsky, "Learning Multiple Layers of Features from Tiny Images" (2009).
    """
    (file,) = _files("cifar10", sha256, 1)
    members = _tar_members(
        "cifar10", _fetch("cifar10", base_url, file, sha256[file], cache), re.compile(r".*_batch(_\d)?\.bin$")
    )
    batches = {Path(name).name: _cifar_batch(name, contents) for name, contents in members.items()}
    train = [batches[name] for name in sorted(batches) if name.startswith("data_batch")]
    test = [batches[name] for name in sorted(batches) if name.startswith("test_batch")]
    if not train or not test:
        raise ValueError(
            f"cifar10: {file} holds {sorted(batches)}; data_batch_*.bin and test_batch.bin are needed; "
            "fetch it again"
        )
    x_train, y_train = (np.concatenate(parts) for parts in zip(*train, strict=True))
    x_test, y_test = (np.concatenate(parts) for parts in zip(*test, strict=True))
    return Data(x_train, y_train, x_test, y_test, 10, "cifar10")


def fashion_mnist(
    base_url: str = FASHION_MNIST_URL,
    sha256: Mapping[str, str] = FASHION_MNIST_SHA256,
    cache: str | os.PathLike[str] | None = None,
) -> Data:
    """Fashion-MNIST: 60000 training and 10000 test images of shape (28, 28), unsigned bytes, 10 classes.

    Parameters and errors as for :func:`cifar10`.

    Source
        H. Xiao, K. Rasul, R. Vollgraf, arXiv:1708.07747 (2017).
    """
    x_train, y_train, x_test, y_test = (
        _idx(file, _fetch("fashion_mnist", base_url, file, sha256[file], cache))
        for file in _files("fashion_mnist", sha256, 4)
    )
    return Data(x_train, y_train, x_test, y_test, 10, "fashion_mnist")


def imdb(
    words: int = 1000,
    length: int = 64,
    base_url: str = IMDB_URL,
    sha256: Mapping[str, str] = IMDB_SHA256,
    cache: str | os.PathLike[str] | None = None,
) -> Data:
    """IMDB reviews: 25000 training and 25000 test texts as rows of tokens, 2 classes (1 is positive).

    Each split is in one fixed random order, because the archive sorts by class.

    Parameters
    ----------
    words, length : as for :func:`numerics.data_files.texts`
    base_url, sha256, cache : as for :func:`cifar10`

    Source
        A. L. Maas et al., "Learning Word Vectors for Sentiment Analysis", ACL-HLT (2011).
    """
    (file,) = _files("imdb", sha256, 1)
    pattern = re.compile(r".*/(train|test)/(neg|pos)/(\d+)_\d+\.txt$")
    members = _tar_members("imdb", _fetch("imdb", base_url, file, sha256[file], cache), pattern)
    reviews: dict[str, list[tuple[int, int, str]]] = {"train": [], "test": []}
    for name, contents in members.items():
        match = pattern.match(name)
        if match is not None:
            label, number = int(match[2] == "pos"), int(match[3])
            reviews[match[1]].append((label, number, contents.decode("utf-8", "replace")))
    if not reviews["train"] or not reviews["test"]:
        raise ValueError(f"imdb: {file} has no reviews of train or of test; both are needed; fetch it again")
    rows = {}
    for split, found in reviews.items():
        order = generator("numerics.downloads.imdb", {"split": split}, 0).permutation(len(found))
        found.sort()
        rows[split] = [found[i] for i in order]
    known = vocabulary((text for _, _, text in rows["train"]), words)
    parts = []
    for split in ("train", "test"):
        parts += [
            tokenise([text for _, _, text in rows[split]], known, length),
            np.array([label for label, _, _ in rows[split]]),
        ]
    return Data(*parts, classes=2, name="imdb")


def _files(who: str, sha256: Mapping[str, str], count: int) -> tuple[str, ...]:
    if len(sha256) != count:
        raise ValueError(f"{who}: sha256 names {len(sha256)} files; {count} are needed; pass a checksum for each")
    return tuple(sha256)


def _fetch(who: str, base_url: str, file: str, checksum: str, cache: str | os.PathLike[str] | None) -> Path:
    """Return the path of the checked file, from the cache or else from the server.

    A file is written beside its place and moved there when its checksum is right, so that neither a server that
    dies nor two downloads at once leave a part of one.
    """
    with undisturbed():
        import pooch
        import requests  # noqa: F401 - pooch's HTTP client, which would move warning filters when it is first used

    if not base_url.startswith(("http://", "https://")):
        raise ValueError(f"{who}: base_url={base_url} is not an http address; pass one that is")
    url = f"{base_url.rstrip('/')}/{file}"
    place = pooch.os_cache("assay") if cache is None else Path(cache)
    try:
        return Path(
            pooch.retrieve(url, known_hash=f"sha256:{checksum}", fname=file, path=place, progressbar=False)
        )
    except OSError as error:  # before ValueError: an address that is none is both to the HTTP client
        raise OSError(
            f"{who}: {url} could not be fetched into {place} ({type(error).__name__}); a server that "
            "answers and a writable cache are needed; pass base_url= of a mirror or cache= of a folder"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{who}: {url} has not the checksum sha256:{checksum}; a file that has it is needed; "
            "fetch it again, or pass base_url= of a mirror"
        ) from error


def _unpacked(who: str, path: Path, read: Callable[[], T]) -> T:
    try:
        return read()
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise ValueError(
            f"{who}: {path} cannot be unpacked ({type(error).__name__}); a whole archive is needed; "
            "fetch it again"
        ) from error


def _tar_members(who: str, path: Path, pattern: re.Pattern[str]) -> dict[str, bytes]:
    """Read the members whose names match; nothing is written to disk."""

    def read() -> dict[str, bytes]:
        members = {}
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                stream = archive.extractfile(member) if pattern.match(member.name) else None
                if stream is not None:
                    members[member.name] = stream.read()
        return members

    return _unpacked(who, path, read)


def _cifar_batch(name: str, contents: bytes) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    record = 1 + 3 * 32 * 32  # a label, then the red, green and blue planes
    if not contents or len(contents) % record:
        raise ValueError(
            f"cifar10: {name} has {len(contents)} bytes; a multiple of {record} is needed; fetch it again"
        )
    rows = np.frombuffer(contents, dtype=np.uint8).reshape(-1, record)
    return rows[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), rows[:, 0]


def _idx(file: str, path: Path) -> NDArray[np.uint8]:
    def read() -> bytes:
        with gzip.open(path) as stream:
            return stream.read()

    contents = _unpacked("fashion_mnist", path, read)
    axes = contents[3] if len(contents) > 3 else 0
    shape = tuple(int(size) for size in np.frombuffer(contents[4 : 4 + 4 * axes], dtype=">u4"))
    values = contents[4 + 4 * axes :]
    if contents[:3] != b"\x00\x00\x08" or len(shape) != axes or int(np.prod(shape)) != len(values):
        raise ValueError(
            f"fashion_mnist: {file} holds {len(contents)} bytes that are not an IDX file; fetch it again"
        )
    return np.frombuffer(values, dtype=np.uint8).reshape(shape)
