"""A data set: four arrays, checked once, with a name and a hash of their contents.

Other ways to get one: :mod:`numerics.synthetic` (known structure), :mod:`numerics.data_files` (by path),
:mod:`numerics.downloads` (CIFAR-10, Fashion-MNIST, IMDB). :mod:`numerics.inputs` and :mod:`numerics.rotation`
prepare the inputs.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.doors import positive_integer
from numerics.keys import generator
from numerics.undisturbed import undisturbed


@dataclass(frozen=True, eq=False)
class Data:
    """Training and test inputs with class labels.

    Parameters
    ----------
    x_train, x_test : shapes (n, ...) and (m, ...) with equal rest: unsigned bytes (images), 32-bit integers
        (tokens) or finite floats. Kept as read-only views of the caller's arrays.
    y_train, y_test : integers in 0 .. classes - 1, shapes (n,) and (m,); kept as int64
    classes : the number of classes, at least 2
    name : what the set is called in plots and stores

    Attributes
    ----------
    sha256 : hash of dtype, shape and bytes of the four arrays and of ``classes``; equal contents have equal
    hashes
        whatever file they came from

    Errors
        ValueError for another dtype, another number of labels than inputs, inputs of different shapes or
        dtypes, no rows, an entry that is not finite, or a label out of range.

    Examples
    --------
    >>> data = Data(np.zeros((3, 2)), [0, 1, 1], np.ones((1, 2)), [0], classes=2, name="small")
    >>> data.x_train.shape, data.y_test.tolist(), data.sha256[:8]
    ((3, 2), [0], 'f3e57be6')
    """

    x_train: NDArray
    y_train: NDArray[np.int64]
    x_test: NDArray
    y_test: NDArray[np.int64]
    classes: int
    name: str

    def __init__(
        self,
        x_train: ArrayLike,
        y_train: ArrayLike,
        x_test: ArrayLike,
        y_test: ArrayLike,
        classes: int,
        name: str,
    ) -> None:
        if positive_integer(name, "classes", classes) < 2:
            raise ValueError(f"{name}: classes={classes}; at least 2 are needed; pass their number")
        checked: dict[str, NDArray] = {}
        for split, x, y in (("train", x_train, y_train), ("test", x_test, y_test)):
            checked[f"x_{split}"] = _checked_inputs(name, f"x_{split}", x)
            rows = checked[f"x_{split}"].shape[0]
            checked[f"y_{split}"] = _checked_labels(name, f"y_{split}", y, classes, rows)
        if checked["x_train"].shape[1:] != checked["x_test"].shape[1:]:
            raise ValueError(
                f"{name}: x_train has rows of shape {checked['x_train'].shape[1:]} and x_test of "
                f"{checked['x_test'].shape[1:]}; the two must be equal; check the file"
            )
        if checked["x_train"].dtype != checked["x_test"].dtype:
            raise ValueError(
                f"{name}: x_train has dtype {checked['x_train'].dtype} and x_test {checked['x_test'].dtype}; "
                "the two must be equal; bring both to one scale"
            )
        for part, values in checked.items():
            object.__setattr__(self, part, values)
        object.__setattr__(self, "classes", int(classes))
        object.__setattr__(self, "name", name)

    @cached_property
    def sha256(self) -> str:
        """Hash of the contents."""
        digest = hashlib.sha256(f"classes={self.classes}".encode())
        for values in (self.x_train, self.y_train, self.x_test, self.y_test):
            little = values.astype(values.dtype.newbyteorder("<"), copy=False)
            digest.update(f"|{little.dtype.str}{little.shape}|".encode())
            digest.update(np.ascontiguousarray(little).data)
        return digest.hexdigest()


def digits(train: int = 1000) -> Data:
    """The 8 x 8 handwritten digits that scikit-learn ships: 1797 rows, 10 classes, no download.

    Parameters
    ----------
    train : how many rows are for training; the rest are for testing. The order is one fixed random
    permutation,
        so that a smaller ``train`` is a prefix of a larger one.

    Returns
    -------
    Data with inputs of shape (n, 64), float64, values 0 .. 16 as shipped (not scaled)

    Errors
        ValueError unless 1 <= train <= 1796.

    Examples
    --------
    >>> data = digits()
    >>> data.x_train.shape, data.x_test.shape, float(data.x_train.max())
    ((1000, 64), (797, 64), 16.0)
    """
    with undisturbed():
        from sklearn.datasets import load_digits  # 1 s to import: only where it is used

        x, y = load_digits(return_X_y=True)
    if isinstance(train, bool) or not 1 <= train < len(y):
        raise ValueError(f"digits: train={train} is not in 1 .. {len(y) - 1}; pass such a number of rows")
    order = generator("numerics.data.digits", {}, 0).permutation(len(y))
    x, y = x[order], y[order]
    return Data(x[:train], y[:train], x[train:], y[train:], classes=10, name="digits")


def take(
    data: Data, train: int | None = None, test: int | None = None, classes: tuple[int, ...] | None = None
) -> Data:
    """Keep the first rows, of some classes only.

    Parameters
    ----------
    train, test : how many rows of each split to keep after the classes were chosen; None keeps all
    classes : the classes to keep, at least two; class ``classes[i]`` becomes class i. None keeps all.

    Errors
        ValueError for a class that does not exist or is named twice, or for more rows than there are.

    Examples
    --------
    >>> pair = take(digits(), train=100, classes=(3, 8))
    >>> pair.x_train.shape, pair.classes, sorted(set(pair.y_train.tolist()))
    ((100, 64), 2, [0, 1])
    """
    chosen = tuple(range(data.classes)) if classes is None else tuple(classes)
    if len(chosen) < 2 or len(set(chosen)) < len(chosen) or not set(chosen) <= set(range(data.classes)):
        raise ValueError(
            f"take: classes={chosen}; at least two different ones of 0 .. {data.classes - 1} are allowed; "
            "pass such a tuple"
        )
    renamed = np.full(data.classes, -1)
    renamed[list(chosen)] = np.arange(len(chosen))
    parts = []
    for split, x, y, wanted in (
        ("train", data.x_train, data.y_train, train),
        ("test", data.x_test, data.y_test, test),
    ):
        rows = np.flatnonzero(renamed[y] >= 0)
        if wanted is not None and not 1 <= wanted <= rows.size:
            raise ValueError(
                f"take: {split}={wanted} is not in 1 .. {rows.size}, the rows of {data.name}; pass fewer"
            )
        rows = rows[:wanted]
        parts += [x[rows], renamed[y[rows]]]
    return Data(*parts, classes=len(chosen), name=data.name)


def _checked_inputs(name: str, part: str, values: ArrayLike) -> NDArray:
    array = np.asarray(values)
    if array.ndim < 2 or array.size == 0:
        raise ValueError(
            f"{name}: {part} has shape {array.shape}; at least one row of one entry is needed; check it"
        )
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype not in (np.uint8, np.int32, np.float32, np.float64):
        raise ValueError(
            f"{name}: {part} has dtype {array.dtype}; uint8, int32, float32, float64 are allowed; change it"
        )
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        bad = int(np.count_nonzero(~np.isfinite(array)))
        raise ValueError(
            f"{name}: {part} holds {bad} entries that are NaN or infinite; finite ones are allowed; clean it"
        )
    return _read_only(array)


def _checked_labels(name: str, part: str, values: ArrayLike, classes: int, rows: int) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name}: {part} has shape {array.shape} and dtype {array.dtype}; one integer a row is allowed; "
            "convert it to class numbers"
        )
    if array.size != rows:
        raise ValueError(
            f"{name}: {part} has {array.size} labels for {rows} rows; one a row is needed; check the file"
        )
    bad = array[(array < 0) | (array >= classes)]
    if bad.size:
        raise ValueError(
            f"{name}: {part} holds the label {bad[0]}; labels 0 .. {classes - 1} are allowed; check it"
        )
    return _read_only(array.astype(np.int64))


def _read_only(array: NDArray) -> NDArray:
    view = array.view()
    view.flags.writeable = False
    return view
