"""Mini-batches as index subsets that are really drawn, or listed in full.

Batches are an integer array of shape (batch, position): row b names the examples of batch b. The two schemes
of sampling share one signature, so that a study can pass either. (``numerics.sampling`` draws batches of
training data inside a compiled run.)
"""

from collections.abc import Callable
from itertools import combinations, product
from math import comb

import numpy as np
from jaxtyping import Float, Int

from numerics.doors import positive_integer

Sampler = Callable[[np.random.Generator, int, int, int], Int[np.ndarray, "batch position"]]

LARGEST_LIST = 200_000
"""Most batches that the exhaustive lists hold."""


def distinct(
    generator: np.random.Generator, batches: int, population: int, size: int
) -> Int[np.ndarray, "batch position"]:
    """Batches without replacement: each holds `size` different examples, every subset equally likely.

    Floyd's algorithm: place k takes a uniform draw from 0..top with top = population - size + k, or `top`
    itself if the draw is taken already. The set is uniform; the order of the places is not.

    Parameters
    ----------
    generator
        Source of random numbers; it is advanced.
    batches, population, size
        How many batches, N, and S with 1 <= S <= N.

    Raises
    ------
    ValueError
        If a number is below 1, or `size` exceeds `population`.

    Examples
    --------
    >>> batch = distinct(np.random.default_rng(0), 1, 5, 5)
    >>> sorted(batch[0].tolist())
    [0, 1, 2, 3, 4]
    """
    positive_integer("distinct", "batches", batches)
    positive_integer("distinct", "population", population)
    positive_integer("distinct", "size", size, most=population, of="population")
    chosen = np.empty((size, batches), dtype=np.intp)
    for place, top in enumerate(range(population - size, population)):
        wanted = generator.integers(0, top + 1, size=batches)
        taken = (chosen[:place] == wanted).any(axis=0)
        chosen[place] = np.where(taken, top, wanted)
    return chosen.T


def independent(
    generator: np.random.Generator, batches: int, population: int, size: int
) -> Int[np.ndarray, "batch position"]:
    """Batches with replacement: every place holds any of 0..population-1 with equal chance.

    Parameters, errors
        As in :func:`distinct`, save that `size` may exceed `population`.

    Examples
    --------
    >>> independent(np.random.default_rng(0), 2, 1, 3).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    for name, value in (("batches", batches), ("population", population), ("size", size)):
        positive_integer("independent", name, value)
    return generator.integers(0, population, size=(batches, size))


def every_subset(population: int, size: int) -> Int[np.ndarray, "batch position"]:
    """All subsets of `size` different examples, each once.

    Raises
    ------
    ValueError
        If a number is below 1, `size` exceeds `population`, or the list would be longer than `LARGEST_LIST`.

    Examples
    --------
    >>> every_subset(3, 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    positive_integer("every_subset", "population", population)
    positive_integer("every_subset", "size", size, most=population, of="population")
    _short("every_subset", comb(population, size))
    return np.array(list(combinations(range(population), size)), dtype=np.intp)


def every_tuple(population: int, size: int) -> Int[np.ndarray, "batch position"]:
    """All ordered choices of `size` examples with repetition, each once.

    Raises
    ------
    ValueError
        If a number is below 1, or the list would be longer than `LARGEST_LIST`.

    Examples
    --------
    >>> every_tuple(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    positive_integer("every_tuple", "population", population)
    positive_integer("every_tuple", "size", size)
    _short("every_tuple", population**size)
    return np.array(list(product(range(population), repeat=size)), dtype=np.intp)


def batch_means(
    values: Float[np.ndarray, "*axes population"], batches: Int[np.ndarray, "batch position"]
) -> Float[np.ndarray, "*axes batch"]:
    """Mean of `values` over the examples of each batch.

    Examples
    --------
    >>> batch_means(np.array([1.0, 3.0, 8.0]), np.array([[0, 1], [2, 2]])).tolist()
    [2.0, 8.0]
    """
    total = values[..., batches[:, 0]].copy()
    for place in range(1, batches.shape[1]):
        total += values[..., batches[:, place]]
    return total / batches.shape[1]


def _short(who: str, length: int) -> None:
    if length > LARGEST_LIST:
        raise ValueError(
            f"{who}: the list would hold {length} batches; at most {LARGEST_LIST} fit; draw some instead"
        )
