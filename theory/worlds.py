"""Random exact instances in which every claim is tried before it is proved."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Rational


@dataclass(frozen=True)
class World:
    """Exact values of the primitive things of a derivation.

    Parameters
    ----------
    values
        For a Symbol: an int, Fraction or SymPy number (integer sizes and free indices too). For an IndexedBase: a
        nested list, whose indices count from 1, or a mapping from index tuples, or a Lambda of the indices. For
        an undefined function: a Lambda. Defined heads, and symbols that a Root or Crossing introduces, get no
        value here: they are evaluated through their definitions.

    Examples
    --------
    >>> from sympy import IndexedBase, Symbol
    >>> h, N = IndexedBase("h"), Symbol("N")
    >>> World({N: 2, h: [1, 3]}).values[N]
    2
    """

    values: Mapping[Any, Any]


Worlds = Callable[[random.Random], World]


def rational(source: random.Random, low: int = 1, high: int = 9) -> Rational:
    """A random rational in [low, high] with a denominator of at most 7.

    Examples
    --------
    >>> import random
    >>> 1 <= rational(random.Random(0)) <= 9
    True
    """
    denominator = source.randint(1, 7)
    return Rational(source.randint(low * denominator, high * denominator), denominator)


def table(source: random.Random, *shape: int, low: int = -9, high: int = 9) -> list[Any]:
    """A nested list of random rationals, for an IndexedBase; indices count from 1.

    Examples
    --------
    >>> import random
    >>> len(table(random.Random(0), 3, 2))
    3
    """
    if not shape:
        raise ValueError("table: no shape given; allowed are one or more positive integers; pass the sizes")
    if len(shape) == 1:
        return [rational(source, low, high) for _ in range(shape[0])]
    return [table(source, *shape[1:], low=low, high=high) for _ in range(shape[0])]
