"""Where random numbers come from: a stable hash of (study, cell, replicate). No addition shifts a draw."""

import hashlib
import json
import math
import numbers
from collections.abc import Mapping
from fractions import Fraction

import jax
import numpy as np
from jaxtyping import Array

KEY_KIND = "threefry2x32"


def key(study: str, cell: Mapping[str, object], replicate: int) -> Array:
    """Return the JAX key of one replicate of one cell of one study.

    Formula: a fixed root key, folded with 4 words of SHA-256 over the canonical text of (study, cell), then
    with the replicate. It depends on nothing else: not on the order of the cell's names, on other cells or
    studies, or on the process.

    Parameters
    ----------
    study : the study's name
    cell : names and values of the grid point; values are strings, booleans, None, real numbers (a float, an
        integer and a fraction of equal value are one value) or lists of these
    replicate : 0, 1, 2, ... below 2^32

    Returns
    -------
    a typed key (``jax.random.key``) of kind ``KEY_KIND``, whatever JAX's default kind is

    Errors
        ValueError for a negative replicate, or a cell value of another kind.

    Examples
    --------
    >>> a, b = key("band", {"width": 256, "q": 0.5}, 0), key("band", {"q": 0.5, "width": 256.0}, 0)
    >>> bool((a == b).all()), bool((a == key("band", {"width": 512, "q": 0.5}, 0)).all())
    (True, False)
    """
    return jax.random.fold_in(_cell_key("key", study, cell), _replicate("key", replicate))


def keys(study: str, cell: Mapping[str, object], replicates: int, start: int = 0) -> Array:
    """Return the keys of replicates start, start + 1, ...; row i is ``key(study, cell, start + i)``.

    Examples
    --------
    >>> rows = keys("width.band", {"width": 256}, 3)
    >>> rows.shape, bool((rows[2] == key("width.band", {"width": 256}, 2)).all())
    ((3,), True)
    """
    if replicates < 1:
        raise ValueError(f"keys: replicates={replicates} is below 1; pass at least 1")
    last = _replicate("keys", start + replicates - 1)
    numbers_ = np.arange(_replicate("keys", start), last + 1, dtype=np.uint32)
    return jax.vmap(jax.random.fold_in, in_axes=(None, 0))(_cell_key("keys", study, cell), numbers_)


def generator(study: str, cell: Mapping[str, object], replicate: int) -> np.random.Generator:
    """Return the NumPy generator (PCG64) of one replicate of one cell of one study; see :func:`key`.

    Examples
    --------
    >>> first, second = (generator("breakeven.noise", {"batch": 4}, i).integers(10**6) for i in (0, 1))
    >>> bool(first == second)
    False
    """
    words = _words("generator", study, cell)
    seed = np.random.SeedSequence([*words, _replicate("generator", replicate)])
    return np.random.Generator(np.random.PCG64(seed))


def _cell_key(who: str, study: str, cell: Mapping[str, object]) -> Array:
    result = jax.random.key(0, impl=KEY_KIND)
    for word in _words(who, study, cell):
        result = jax.random.fold_in(result, np.uint32(word))
    return result


def _words(who: str, study: str, cell: Mapping[str, object]) -> list[int]:
    """Return four 32-bit words of the hash of the canonical text."""
    parts = sorted((_text(who, name), _text(who, value)) for name, value in cell.items())
    text = "\x1e".join([_text(who, study), *(f"{name}\x1f{value}" for name, value in parts)])
    digest = hashlib.sha256(text.encode("ascii")).digest()
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)]


def _text(who: str, value: object) -> str:
    """Write a value so that equal values, and no others, have equal texts."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"bool:{value}"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, numbers.Rational):
        return f"number:{Fraction(int(value.numerator), int(value.denominator))}"
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError(f"{who}: a cell value is NaN, which equals nothing; pass a number")
        return f"number:{value}" if math.isinf(value) else f"number:{Fraction(value)}"
    if isinstance(value, list | tuple):
        return f"list:[{','.join(_text(who, item) for item in value)}]"
    raise ValueError(
        f"{who}: a cell value has type {type(value).__name__}; strings, booleans, None, real numbers and "
        "lists of these are allowed; convert it"
    )


def _replicate(who: str, replicate: int) -> int:
    number = replicate.__index__()
    if isinstance(replicate, bool) or not 0 <= number < 2**32:
        raise ValueError(f"{who}: replicate={replicate} is not in 0 .. 2^32 - 1; pass such an integer")
    return number
