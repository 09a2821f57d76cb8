"""The one place that decides how much is computed at once: chunks of data, replicates in turn or abreast."""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, PyTree, Shaped

from numerics.doors import positive_integer

Result = TypeVar("Result")
Data = PyTree[Shaped[Array, "batch ..."]]

IN_TURN = frozenset({"cpu"})
"""Platforms on which replicates run one after the other: a vmapped batch of networks wider than about 16 is
slower there than the same networks in turn."""

MEMORY_BYTES = 2 * 1024**3
"""Budget where the device does not tell how much memory it has."""


def sum_over_chunks(function: Callable[[Any], Result], data: Data, chunk: int | None) -> Result:
    """sum_j function(chunk_j of data) with a short last chunk: equal to function(data) for a sum over points.

    Parameters
    ----------
    function
        Pytree of arrays -> pytree of arrays of a fixed shape, a sum over the leading axis of its argument.
    data
        Arrays with one common leading axis.
    chunk
        Points at once; None means all. Compiles `function` at most twice (full chunks, the last one).

    Raises
    ------
    ValueError
        If `chunk` is below 1 or the leading axes differ.

    Examples
    --------
    >>> float(sum_over_chunks(jnp.sum, jnp.arange(5.0), 2))
    10.0
    """
    size = leading_size("sum_over_chunks", data)
    if chunk is None or positive_integer("sum_over_chunks", "chunk", chunk) >= size:
        return function(data)
    blocks, rest = _split(data, size, chunk)
    first = jax.tree.map(lambda a: a[0], blocks)
    zero = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), jax.eval_shape(function, first))
    result, _ = jax.lax.scan(lambda t, b: (jax.tree.map(jnp.add, t, function(b)), None), zero, blocks)
    return result if rest is None else jax.tree.map(jnp.add, result, function(rest))


def concatenate_over_chunks(function: Callable[[Any], Result], data: Data, chunk: int | None) -> Result:
    """Concatenate function(chunk_j of data) along axis 0, with a short last chunk.

    Equal to function(data) when row i of the output depends on row i of the input only. Parameters and errors
    as for `sum_over_chunks`.

    Examples
    --------
    >>> concatenate_over_chunks(jnp.square, jnp.arange(5.0), 2).tolist()
    [0.0, 1.0, 4.0, 9.0, 16.0]
    """
    size = leading_size("concatenate_over_chunks", data)
    if chunk is None or positive_integer("concatenate_over_chunks", "chunk", chunk) >= size:
        return function(data)
    blocks, rest = _split(data, size, chunk)
    stacked = jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:]), jax.lax.map(function, blocks))
    if rest is None:
        return stacked
    return jax.tree.map(lambda a, b: jnp.concatenate([a, b]), stacked, function(rest))


def map_replicates(
    function: Callable[[Any], Result],
    replicates: Data,
    *,
    platform: str | None = None,
    memory_bytes: int | None = None,
) -> Result:
    """Stack function(replicate) over seeds: in turn on a CPU, vmapped in chunks that fit the memory on a GPU.

    Either way the whole is one compiled loop, `function` is traced with the shapes of one replicate, and the
    results agree to rounding. Call it inside `jax.jit`.

    Parameters
    ----------
    function
        One replicate (a key, say, or a pytree) -> pytree of arrays.
    replicates
        Arrays with one common leading axis, one entry per replicate.
    platform
        Where it will run; None means the default backend.
    memory_bytes
        Budget for the replicates that run side by side; None means half of the device's memory. The need of
        one replicate is estimated from above by the size of everything that `function` computes once.

    Raises
    ------
    ValueError
        If `memory_bytes` is below 1 or the leading axes differ.

    Examples
    --------
    >>> map_replicates(lambda a: a**2, jnp.arange(3.0)).tolist()
    [0.0, 1.0, 4.0]
    >>> map_replicates(lambda a: a**2, jnp.arange(3.0), platform="gpu", memory_bytes=16).tolist()
    [0.0, 1.0, 4.0]
    """
    size = leading_size("map_replicates", replicates)
    if memory_bytes is not None:
        positive_integer("map_replicates", "memory_bytes", memory_bytes)
    if (platform or jax.default_backend()) in IN_TURN:
        return jax.lax.map(function, replicates)
    one = jax.tree.map(lambda a: a[0], replicates)
    side_by_side = (memory_bytes or _device_budget()) // max(computed_bytes(function, one), 1)
    return jax.lax.map(function, replicates, batch_size=min(max(side_by_side, 1), size))


def computed_bytes(function: Callable[..., Any], *arguments: Any) -> int:
    """Bytes of all arrays that one call computes, loop bodies counted once: a bound on its memory.

    Examples
    --------
    >>> computed_bytes(lambda a: a + 1, jnp.zeros(8, jnp.float32))
    32
    """
    return _jaxpr_bytes(jax.make_jaxpr(function)(*arguments).jaxpr)


def leading_size(who: str, data: Data) -> int:
    """Length of the common leading axis.

    Examples
    --------
    >>> leading_size("example", (jnp.zeros((4, 2)), jnp.zeros(4)))
    4
    >>> leading_size("example", (jnp.zeros(3), jnp.zeros(4)))
    Traceback (most recent call last):
    ValueError: example: leading axes have sizes [3, 4]; they must be equal; pass one row per point
    """
    sizes = sorted({leaf.shape[0] if leaf.ndim else 0 for leaf in jax.tree.leaves(data)})
    if len(sizes) != 1 or sizes[0] < 1:
        raise ValueError(f"{who}: leading axes have sizes {sizes}; they must be equal; pass one row per point")
    return sizes[0]


def _split(data: Data, size: int, chunk: int) -> tuple[PyTree, PyTree | None]:
    full = size // chunk * chunk
    blocks = jax.tree.map(lambda a: a[:full].reshape(full // chunk, chunk, *a.shape[1:]), data)
    return blocks, jax.tree.map(lambda a: a[full:], data) if full < size else None


def _device_budget() -> int:
    limit = (jax.local_devices()[0].memory_stats() or {}).get("bytes_limit")
    return limit // 2 if limit else MEMORY_BYTES


def _jaxpr_bytes(jaxpr: Any) -> int:
    count = 0
    for equation in jaxpr.eqns:
        count += sum(_bytes(variable.aval) for variable in equation.outvars)
        for value in jax.tree.leaves(equation.params):
            inner = getattr(value, "jaxpr", value)
            count += _jaxpr_bytes(inner) if hasattr(inner, "eqns") else 0
    return count


def _bytes(aval: Any) -> int:
    itemsize = getattr(getattr(aval, "dtype", None), "itemsize", 0)
    return itemsize * math.prod(getattr(aval, "shape", ()))
