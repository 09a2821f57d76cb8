"""Everything about gradient noise that needs only the inner products of the examples' gradients.

With P_ij = <g_i, g_j> a batch is a row of weights w (1/S on its points), its gradient is sum_i w_i g_i, and
norms, spectra and projections of batch gradients are quadratic forms in P: one Gram matrix, computed once for
a point of a trajectory, serves K, K^M, traces and projections alike. Keep P in float64 (breakeven, 9.4).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from numerics.doors import positive_integer
from numerics.dots import dot


class NoiseSpectrum(NamedTuple):
    """Spectrum of the covariance of gradient combinations, and its eigenvectors as combinations.

    Attributes
    ----------
    values
        Descending; the structural zero is last (to rounding).
    combinations
        Row k holds the coefficients over examples with which sum_i a_i g_i is the k-th unit eigenvector in
        parameter space; a row of zeros where the eigenvalue vanishes.
    trace
        Of the covariance.
    """

    values: Float[Array, "row"]
    combinations: Float[Array, "eigen batch"]
    trace: Float[Array, ""]


def gram_matrix(gradients: Float[Array, "batch size"]) -> Float[Array, "batch batch"]:
    """P = G G^T, summed in the widest float that is switched on.

    Examples
    --------
    >>> gram_matrix(jnp.array([[1.0, 0.0], [1.0, 1.0]])).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    wide = gradients.astype(jnp.result_type(float))
    return dot(wide, wide.T)


def subset_weights(
    key: PRNGKeyArray, batches: int, points: int, size: int | Int[Array, ""]
) -> Float[Array, "batches batch"]:
    """Weights of independent subsets of `size` different points: 1/size on the chosen ones, 0 elsewhere.

    Parameters
    ----------
    key, batches, points
        Randomness; number of subsets; number of points to choose from.
    size
        May be traced: batches of any size share one compilation.

    Raises
    ------
    ValueError
        If a concrete number is below 1, or a concrete `size` above `points`.

    Examples
    --------
    >>> subset_weights(jax.random.key(0), 3, 4, 4).tolist()[0]
    [0.25, 0.25, 0.25, 0.25]
    """
    positive_integer("subset_weights", "batches", batches)
    positive_integer("subset_weights", "points", points)
    if isinstance(size, int):
        positive_integer("subset_weights", "size", size, most=points, of="points")
    draws = jax.random.uniform(key, (batches, points), dtype=jnp.float32)
    places = jnp.argsort(jnp.argsort(draws, axis=1), axis=1)
    chosen = (places < size).astype(jnp.result_type(float))
    return chosen / jnp.sum(chosen, axis=1, keepdims=True)


def noise_spectrum(
    gram: Float[Array, "batch batch"], weights: Float[Array, "row batch"] | None = None, *, vectors: int = 5
) -> NoiseSpectrum:
    """Spectrum of (1/L) sum_j (gb_j - gbar)(gb_j - gbar)^T for the L combinations gb_j = sum_i w_ji g_i.

    Without weights the combinations are the examples themselves and the matrix is K (breakeven:D2); with the
    weights of mini-batches it is K^M (breakeven:D7), whose smallest nonzero eigenvalue is values[L - 2].

    Raises
    ------
    ValueError
        If `vectors` is not within 1..L.

    Examples
    --------
    Gradients 1 and 3 on a line: variance 1, and (g_2 - g_1)/2 is the unit eigenvector, up to sign.

    >>> found = noise_spectrum(gram_matrix(jnp.array([[1.0], [3.0]])), vectors=1)
    >>> found.values.round(6).tolist(), abs(found.combinations).round(6).tolist()
    ([1.0, 0.0], [[0.5, 0.5]])
    """
    points = gram.shape[0]
    rows = jnp.eye(points, dtype=gram.dtype) if weights is None else weights
    count = rows.shape[0]
    positive_integer("noise_spectrum", "vectors", vectors, most=count, of="rows")
    if weights is None:
        left = gram - jnp.mean(gram, axis=0, keepdims=True)
        covariance = (left - jnp.mean(left, axis=1, keepdims=True)) / count
        centred = rows - 1.0 / count
    else:
        centred = rows - jnp.mean(rows, axis=0, keepdims=True)
        covariance = dot(dot(centred, gram), centred.T) / count
    values, vectors_ = jnp.linalg.eigh((covariance + covariance.T) / 2)
    values, vectors_ = values[::-1], vectors_[:, ::-1].T[:vectors]
    level = count * jnp.finfo(values.dtype).eps * values[0]
    lengths = jnp.sqrt(count * values[:vectors])[:, None]
    found = jnp.where(values[:vectors, None] > level, lengths, jnp.inf)
    return NoiseSpectrum(values, dot(vectors_, centred) / found, jnp.trace(covariance))


def projection_ratios(
    gram: Float[Array, "batch batch"],
    combinations: Float[Array, "eigen batch"],
    fresh: Float[Array, "row batch"],
) -> Float[Array, "row"]:
    """||g|| / ||g_k|| of each fresh combination, g_k its projection on orthonormal combinations; at least 1.

    The batches must not be among those that gave the directions (breakeven, section 9, item 5).

    Examples
    --------
    >>> gram = gram_matrix(jnp.array([[3.0, 4.0], [1.0, 0.0]]))
    >>> projection_ratios(gram, jnp.array([[0.0, 1.0]]), jnp.array([[1.0, 0.0]])).round(5).tolist()
    [1.66667]
    """
    whole = jnp.sum(dot(fresh, gram) * fresh, axis=1)
    inside = jnp.sum(dot(dot(fresh, gram), combinations.T) ** 2, axis=1)
    return jnp.sqrt(whole / inside)
