"""Extreme eigenpairs of a symmetric operator that is known only through its products with vectors."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from numerics.doors import positive_integer
from numerics.dots import dot

Product = Callable[[Float[Array, "size"]], Float[Array, "size"]]

_START_KEY = 20210
"""Seed of the fixed start vectors; its value has no meaning."""


class EigenPairs(NamedTuple):
    """Approximate eigenpairs, each with its own error bound.

    Attributes
    ----------
    values
        Ritz values, descending.
    vectors
        One unit vector in each row.
    residuals
        ||A v - value v|| for each pair, computed from the products themselves (not from the recurrence), plus
        the rounding floor sqrt(size) eps ||A||. An eigenvalue of A lies within it of the Ritz value.
    """

    values: Float[Array, "eigen"]
    vectors: Float[Array, "eigen size"]
    residuals: Float[Array, "eigen"]


class Spectrum(NamedTuple):
    """Both ends of the spectrum: the largest and the smallest *algebraic* eigenvalues, each descending.

    Attributes
    ----------
    top, bottom
        Eigenpairs; of an indefinite operator the top ones are the largest, not those largest in modulus.
    ritz
        All Ritz values, ascending, one per step.
    """

    top: EigenPairs
    bottom: EigenPairs
    ritz: Float[Array, "step"]


def lanczos(
    product: Product, start: Float[Array, "size"], steps: int, *, top: int = 1, bottom: int = 1
) -> Spectrum:
    """Lanczos iteration with full reorthogonalisation, done twice, and a Rayleigh-Ritz step on its basis.

    The basis V is orthonormal to rounding; W = A V is kept, the projected matrix is (V W^T + W V^T) / 2, and
    the residual of a pair s is ||s W - value s V||. When the Krylov space is exhausted (the new direction is
    below rounding *relative to the scale of A*) the basis is continued with a fixed pseudorandom direction:
    repeated eigenvalues are found as often as steps allow, and the zero operator gives zeros.

    Parameters
    ----------
    product
        v -> A v for symmetric A, any scale, in the dtype of `start`. Called `steps` times by a compiled loop:
        linearise once, outside (see `numerics.curvature`).
    start
        First direction, e.g. `start_vector(size, dtype)`. It need not be a unit vector, and may be zero.
    steps
        Dimension of the basis, at most size. Memory: 2 * steps * size numbers and that of one product.
    top, bottom
        Number of pairs at either end, 0 to steps.

    Accuracy
    --------
    |value - nearest eigenvalue| <= residual. Extreme pairs converge first; about 16 steps give the top of a
    network's Hessian to 1e-6, its lowest eigenvalue needs 40 or more (breakeven, section 8, V8).

    Raises
    ------
    ValueError
        Before tracing, if `steps` is not within 1..size or a number of pairs not within 0..steps.

    Examples
    --------
    >>> a = jnp.diag(jnp.array([3.0, 1.0, -6.0]))
    >>> found = lanczos(lambda v: a @ v, start_vector(3, a.dtype), 3)
    >>> found.top.values.round(4).tolist(), found.bottom.values.round(4).tolist()
    ([3.0], [-6.0])
    >>> lanczos(lambda v: v, jnp.ones(25), 40)
    Traceback (most recent call last):
    ValueError: lanczos: steps=40 exceeds size=25; pass steps <= 25
    """
    size = start.shape[0]
    steps = positive_integer("lanczos", "steps", steps, most=size)
    for name, count in (("top", top), ("bottom", bottom)):
        if count != 0:
            positive_integer("lanczos", name, count, most=steps, of="steps")
    basis, images = _krylov(product, start, steps)
    projected = dot(basis, images.T)
    ritz, rotation = jnp.linalg.eigh((projected + projected.T) / 2)
    floor = _epsilon(start.dtype, size) * jnp.max(jax.vmap(_norm)(images))

    def pairs(first: int, last: int) -> EigenPairs:
        values, combine = ritz[first:last][::-1], rotation[:, first:last].T[::-1]
        vectors = dot(combine, basis)
        residuals = jax.vmap(_norm)(dot(combine, images) - values[:, None] * vectors)
        return EigenPairs(values, vectors, residuals + floor)

    return Spectrum(pairs(steps - top, steps), pairs(0, bottom), ritz)


def start_vector(size: int, dtype: Any = float) -> Float[Array, "size"]:
    """The fixed start direction for operators of this size: one float32 draw, cast, so equal in every dtype.

    Examples
    --------
    >>> start_vector(4, jnp.float32).tolist() == start_vector(4).tolist()
    True
    """
    positive_integer("start_vector", "size", size)
    draw = jax.random.normal(jax.random.key(_START_KEY), (size,), dtype=jnp.float32)
    return draw.astype(jnp.result_type(dtype))


def _krylov(product: Product, start: Array, steps: int) -> tuple[Array, Array]:
    """An orthonormal basis of the Krylov space (continued where it ends) and its image under the operator."""
    size, dtype = start.shape[0], start.dtype
    smallest = _epsilon(dtype, size)

    def fill(step: Array, carry: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
        basis, images, direction, scale = carry
        length = _norm(direction)
        fresh = jax.random.normal(jax.random.fold_in(jax.random.key(_START_KEY), step), (size,), jnp.float32)
        exhausted = ~(length > smallest * scale)
        vector = jnp.where(exhausted, fresh.astype(dtype), direction / jnp.where(exhausted, 1, length))
        for _ in range(2):
            vector = _without(vector, basis)
            vector = vector / _norm(vector)
        image = product(vector)
        basis, images = basis.at[step].set(vector), images.at[step].set(image)
        remainder = _without(_without(image, basis), basis)
        return basis, images, remainder, jnp.maximum(scale, _norm(image))

    nothing = jnp.zeros((steps, size), dtype)
    # The start has no scale of its own: it is exhausted only if it is zero.
    basis, images, _, _ = jax.lax.fori_loop(0, steps, fill, (nothing, nothing, start, jnp.zeros((), dtype)))
    return basis, images


def _without(vector: Array, basis: Array) -> Array:
    return vector - dot(dot(basis, vector), basis)


def _norm(vector: Array) -> Array:
    """Euclidean norm that neither overflows nor underflows: the largest entry is taken out first."""
    largest = jnp.max(jnp.abs(vector))
    safe = jnp.where(largest > 0, largest, 1)
    return largest * jnp.sqrt(jnp.sum((vector / safe) ** 2))


def _epsilon(dtype: Any, size: int) -> float:
    return float(jnp.finfo(dtype).eps) * float(size) ** 0.5
