"""Which points a step sees: full batch, fresh subsets, draws with replacement, or reshuffled epochs.

A sampler is `sample(key, step, data) -> batch`: `key` is the key of the run, the same at every step, and
`data` a pytree of arrays with one leading axis. Keys are folded with the step, so a run draws the same
batches however it is cut into records.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, PRNGKeyArray, PyTree, Shaped

from numerics.chunks import leading_size
from numerics.doors import positive_integer

Data = PyTree[Shaped[Array, "batch ..."]]
Batch = PyTree[Shaped[Array, "position ..."]]
Step = int | Int[Array, ""]
Sampler = Callable[[PRNGKeyArray, Any, Any], Any]


def full_batch(key: PRNGKeyArray, step: Step, data: Data) -> Batch:
    """All points at every step.

    Examples
    --------
    >>> full_batch(jax.random.key(0), 3, jnp.arange(4)).tolist()
    [0, 1, 2, 3]
    """
    del key, step
    return data


def subsets(size: int) -> Sampler:
    """A fresh subset of `size` different points at every step, drawn without replacement.

    Raises
    ------
    ValueError
        If `size` is below 1, or (by the sampler) above the number of points.

    Examples
    --------
    >>> sorted(subsets(4)(jax.random.key(0), 3, jnp.arange(4)).tolist())
    [0, 1, 2, 3]
    """
    positive_integer("subsets", "size", size)

    def sample(key: PRNGKeyArray, step: Step, data: Data) -> Batch:
        count = leading_size("subsets", data)
        positive_integer("subsets", "size", size, most=count, of="points")
        chosen = jax.random.permutation(jax.random.fold_in(key, step), count)[:size]
        return _take(data, chosen)

    return sample


def draws(size: int) -> Sampler:
    """`size` independent uniform draws at every step, with replacement.

    Raises
    ------
    ValueError
        If `size` is below 1.

    Examples
    --------
    >>> draws(3)(jax.random.key(0), 3, jnp.array([7])).tolist()
    [7, 7, 7]
    """
    positive_integer("draws", "size", size)

    def sample(key: PRNGKeyArray, step: Step, data: Data) -> Batch:
        count = leading_size("draws", data)
        return _take(data, jax.random.randint(jax.random.fold_in(key, step), (size,), 0, count))

    return sample


def epochs(size: int) -> Sampler:
    """Consecutive slices of a permutation that is drawn anew for every epoch of floor(points / size) steps.

    The points left over at the end of a permutation are not seen in that epoch.

    Raises
    ------
    ValueError
        If `size` is below 1, or (by the sampler) above the number of points.

    Examples
    --------
    >>> key, sample = jax.random.key(0), epochs(2)
    >>> sorted(sample(key, 0, jnp.arange(4)).tolist() + sample(key, 1, jnp.arange(4)).tolist())
    [0, 1, 2, 3]
    """
    positive_integer("epochs", "size", size)

    def sample(key: PRNGKeyArray, step: Step, data: Data) -> Batch:
        count = leading_size("epochs", data)
        positive_integer("epochs", "size", size, most=count, of="points")
        batches = count // size
        order = jax.random.permutation(jax.random.fold_in(key, step // batches), count)
        return _take(data, jax.lax.dynamic_slice_in_dim(order, step % batches * size, size))

    return sample


def _take(data: Data, chosen: Int[Array, "position"]) -> Batch:
    return jax.tree.map(lambda a: jnp.take(a, chosen, axis=0), data)
