"""Gradients of single examples: the exact spectrum of their covariance K, and derivatives along a line.

K = (1/N) sum_i (g_i - g)(g_i - g)^T, population form (breakeven:D2). Its nonzero eigenvalues are those of the
N x N Gram matrix (1/N) <g_i - g, g_j - g>, which is all that is ever diagonalised. Grams are accumulated in
the widest float that is switched on (float64 under x64), whatever the dtype of the gradients.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

from numerics.chunks import concatenate_over_chunks, leading_size, sum_over_chunks
from numerics.doors import positive_integer
from numerics.dots import dot

Parameters = PyTree[Float[Array, "..."]]
PointLoss = Callable[[Parameters, Any], Float[Array, ""]]


class CovarianceSpectrum(NamedTuple):
    """Spectrum of the covariance (1/n) sum_i (row_i - mean)(row_i - mean)^T of n rows.

    Attributes
    ----------
    values
        All n eigenvalues of the centred Gram matrix, descending: the nonzero spectrum of the covariance, and
        at least one structural zero (to rounding, so it may be slightly negative).
    vectors
        Unit eigenvectors of the leading values; zero where an eigenvalue vanishes.
    mean
        The mean row.
    trace
        Of the covariance: the mean squared distance of the rows from their mean.
    """

    values: Float[Array, "batch"]
    vectors: Float[Array, "eigen size"]
    mean: Float[Array, "size"]
    trace: Float[Array, ""]


def per_example_gradients(
    loss: PointLoss, params: Parameters, data: PyTree, *, chunk: int | None = None
) -> Float[Array, "batch size"]:
    """Gradients g_i of loss(params, point_i), flattened, one row for each point.

    Parameters
    ----------
    loss
        (parameters, one point without its leading axis) -> number.
    params, data
        Where; pytree of arrays with one leading axis.
    chunk
        Points at once; None means all. The result holds batch * size numbers in any case.

    Raises
    ------
    ValueError
        If `chunk` is below 1 or the leading axes differ.

    Examples
    --------
    >>> per_example_gradients(lambda w, x: (w * x) ** 2 / 2, jnp.array(1.0), jnp.array([1.0, 3.0])).tolist()
    [[1.0], [9.0]]
    """
    flat, unravel = ravel_pytree(params)
    one = jax.grad(lambda vector, point: loss(unravel(vector), point))
    return concatenate_over_chunks(lambda points: jax.vmap(one, (None, 0))(flat, points), data, chunk)


def row_spectrum(rows: Float[Array, "batch size"], *, vectors: int = 1) -> CovarianceSpectrum:
    """Spectrum of the population covariance of the rows through their centred Gram matrix.

    For rows g_i this is the spectrum of K. For L mini-batch gradients it is that of K^M (breakeven:D7), whose
    smallest nonzero eigenvalue is `values[L - 2]`.

    Raises
    ------
    ValueError
        If `vectors` is not within 1..batch.

    Examples
    --------
    Rows +-1 on one axis and 0 on the other: covariance diag(1, 0).

    >>> found = row_spectrum(jnp.array([[1.0, 5.0], [-1.0, 5.0]]))
    >>> found.values.round(6).tolist(), abs(found.vectors).round(6).tolist(), found.mean.tolist()
    ([1.0, 0.0], [[1.0, 0.0]], [0.0, 5.0])
    """
    count = rows.shape[0]
    positive_integer("row_spectrum", "vectors", vectors, most=count, of="batch")
    wide = _widen(rows)
    mean = jnp.mean(wide, axis=0)
    centred = wide - mean[None, :]
    values, weights = _descending(dot(centred, centred.T) / count)
    return CovarianceSpectrum(
        values, _unit_rows(dot(weights[:, :vectors].T, centred)), mean, jnp.sum(centred**2) / count
    )


def covariance_spectrum(
    loss: PointLoss, params: Parameters, data: PyTree, *, vectors: int = 1, chunk: int | None = None
) -> CovarianceSpectrum:
    """Exact spectrum of the gradient covariance K over all points.

    With a `chunk` the gradients are recomputed block by block and only the Gram matrix is held: memory
    2 * chunk * size + batch^2 instead of batch * size, for batch / chunk times the gradients.

    Parameters
    ----------
    loss, params, data
        As for `per_example_gradients`.
    vectors
        Number of eigenvectors in parameter space.
    chunk
        Points whose gradients are held at once; None means all. Chunked equals unchunked to rounding.

    Raises
    ------
    ValueError
        If `chunk` is below 1, `vectors` is not within 1..batch, or the leading axes differ.

    Examples
    --------
    Losses w x_i have gradients x_i = 1 and 3: variance 1.

    >>> found = covariance_spectrum(lambda w, x: w * x, jnp.array(0.0), jnp.array([1.0, 3.0]))
    >>> found.values.round(6).tolist()
    [1.0, 0.0]
    """
    count = leading_size("covariance_spectrum", data)
    positive_integer("covariance_spectrum", "vectors", vectors, most=count, of="batch")
    if chunk is None:
        return row_spectrum(per_example_gradients(loss, params, data), vectors=vectors)

    def gradients(points: Any) -> Float[Array, "part size"]:
        return _widen(per_example_gradients(loss, params, points))

    mean = sum_over_chunks(lambda points: jnp.sum(gradients(points), axis=0), data, chunk) / count

    def gram_rows(points: Any) -> Float[Array, "part batch"]:
        rows = gradients(points) - mean[None, :]
        others = concatenate_over_chunks(lambda o: dot(gradients(o) - mean[None, :], rows.T), data, chunk)
        return others.T

    gram = concatenate_over_chunks(gram_rows, data, chunk) / count
    values, weights = _descending(gram)

    def weighted(part: Any) -> Float[Array, "eigen size"]:
        points, share = part
        return dot(share.T, gradients(points) - mean[None, :])

    directions = sum_over_chunks(weighted, (data, weights[:, :vectors]), chunk)
    return CovarianceSpectrum(values, _unit_rows(directions), mean, jnp.trace(gram))


def smallest_nonzero(values: Float[Array, "eigen"], tolerance: float | None = None) -> Float[Array, ""]:
    """The smallest eigenvalue above tolerance * the largest: lambda^* of a positive semidefinite spectrum.

    Parameters
    ----------
    values
        Eigenvalues in any order.
    tolerance
        Relative level below which an eigenvalue counts as zero; None means 10 * n * eps of the dtype. In
        float32 anything below about 1e-6 of the largest is noise (breakeven, section 9, item 4).

    Examples
    --------
    >>> smallest_nonzero(jnp.array([4.0, 2.0, -1e-17])).item()
    2.0
    """
    if tolerance is None:
        tolerance = 10 * values.shape[0] * float(jnp.finfo(values.dtype).eps)
    largest = jnp.max(values)
    return jnp.min(jnp.where(values > tolerance * largest, values, largest))


class LineDerivatives(NamedTuple):
    """Derivatives of each example's loss along a direction e.

    Attributes
    ----------
    slopes
        <g_i, e>; their population variance is e^T K e for a unit vector e.
    curvatures
        q_i = e^T H_i e; their mean is e^T H e.
    """

    slopes: Float[Array, "batch"]
    curvatures: Float[Array, "batch"]


def along_direction(
    loss: PointLoss,
    params: Parameters,
    data: PyTree,
    direction: Float[Array, "size"],
    *,
    chunk: int | None = None,
) -> LineDerivatives:
    """First and second derivative of every example's loss along one direction, by vmapped nested jvps.

    No gradient and no Hessian is formed: it costs about one pass over the examples (breakeven, 7.4).

    Parameters
    ----------
    loss, params, data, chunk
        As for `per_example_gradients`.
    direction
        Flat vector in the order of `ravel_pytree(params)`; not normalised here.

    Raises
    ------
    ValueError
        If the direction has not one entry per parameter, `chunk` is below 1, or the leading axes differ.

    Examples
    --------
    >>> loss = lambda w, x: (w * x) ** 2 / 2
    >>> found = along_direction(loss, jnp.array(1.0), jnp.array([1.0, 3.0]), jnp.ones(1))
    >>> found.slopes.tolist(), found.curvatures.tolist()
    ([1.0, 9.0], [1.0, 9.0])
    """
    flat, unravel = ravel_pytree(params)
    if direction.shape != flat.shape:
        raise ValueError(
            f"along_direction: direction has shape {direction.shape}; "
            f"one entry per parameter is needed; pass shape {flat.shape}"
        )
    direction = direction.astype(flat.dtype)

    def one(point: Any) -> LineDerivatives:
        def slope(vector: Array) -> Array:
            return jax.jvp(lambda v: loss(unravel(v), point), (vector,), (direction,))[1]

        return LineDerivatives(*jax.jvp(slope, (flat,), (direction,)))

    return concatenate_over_chunks(jax.vmap(one), data, chunk)


def alignment(first: Float[Array, "size"], second: Float[Array, "size"]) -> Float[Array, ""]:
    """|<a, b>| / (||a|| ||b||): 1 for directions equal up to sign, 0 if either vector is zero.

    Examples
    --------
    >>> round(float(alignment(jnp.array([1.0, 0.0]), jnp.array([-3.0, 4.0]))), 5)
    0.6
    """
    a, b = (_unit_rows(_widen(v)[None, :])[0] for v in (first, second))
    return jnp.abs(dot(a, b))


def _widen(rows: Array) -> Array:
    wide = jnp.dtype(jnp.result_type(float))
    return rows.astype(wide) if wide.itemsize > rows.dtype.itemsize else rows


def _descending(gram: Array) -> tuple[Array, Array]:
    values, weights = jnp.linalg.eigh((gram + gram.T) / 2)
    return values[::-1], weights[:, ::-1]


def _unit_rows(rows: Array) -> Array:
    """Rows over their norms; a row that vanishes (exactly, or beside the others' scale) becomes zero."""
    largest = jnp.max(jnp.abs(rows))
    rows = rows / jnp.where(largest > 0, largest, 1)  # no square overflows or underflows
    norms = jnp.sqrt(jnp.sum(rows**2, axis=1, keepdims=True))
    level = jnp.finfo(rows.dtype).eps * float(max(rows.shape)) * jnp.max(norms)
    return jnp.where(norms > level, rows / jnp.where(norms > 0, norms, 1), 0)
