"""What is measured at one point of a training trajectory, and the steps that lead to the next point.

The loss is the mean over points of a loss per example. At a point theta the observer makes one pass for the
gradients of the examples, whose Gram matrix gives everything about K (see `numerics.gram_space`), a Lanczos
run that starts from the last point's eigenvectors, and nested jvps along a few directions. Memory: the
gradients (batch * size numbers) and one Lanczos basis; nothing grows with the number of products.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from numerics.doors import positive_integer
from numerics.dots import dot
from numerics.gram_space import gram_matrix, noise_spectrum, projection_ratios, subset_weights
from numerics.lanczos import lanczos, start_vector
from numerics.sampling import full_batch, subsets

ExampleLosses = Callable[[Float[Array, "size"], Any], Float[Array, "batch"]]
"""(flat parameters, data with a leading axis) -> loss of each example; row i sees point i only."""

MIX = (0.8, 0.5, 0.3)
"""Shares of the last top vector, the last bottom vector and a fixed random one in the start of Lanczos: a
converged pair is found again at once, and one that has overtaken it still is."""


class Warm(NamedTuple):
    """Eigenvectors of the Hessian at the last measured point."""

    top: Float[Array, "size"]
    bottom: Float[Array, "size"]


class Walk(NamedTuple):
    """Where training stands: parameters, velocity, the last update direction, and updates made."""

    theta: Float[Array, "size"]
    velocity: Float[Array, "size"]
    last: Float[Array, "size"]
    step: Int[Array, ""]


def cold(size: int, dtype: Any) -> Warm:
    """A start of Lanczos without a last point.

    Examples
    --------
    >>> cold(3, jnp.float32).bottom.tolist()
    [0.0, 0.0, 0.0]
    """
    return Warm(start_vector(size, dtype), jnp.zeros(size, dtype))


def begin(theta: Float[Array, "size"]) -> Walk:
    """A walk before its first step.

    Examples
    --------
    >>> int(begin(jnp.ones(2)).step)
    0
    """
    return Walk(theta, jnp.zeros_like(theta), jnp.zeros_like(theta), jnp.zeros((), jnp.int32))


def advancer(losses: ExampleLosses, batch_size: int | None) -> Callable[..., tuple[Walk, Float[Array, ""]]]:
    """Build `advance(walk, data, key, learning_rate, momentum, stop) -> (walk, cosine)`.

    Heavy ball v <- momentum v + gB, theta <- theta - learning_rate v on fresh subsets of `batch_size` points
    (None: all points). `cosine` is the mean over the steps taken of the cosine between consecutive
    mini-batch gradients (NaN where no step but a walk's first was taken). All arguments are traced: one
    compilation for each batch size.

    Raises
    ------
    ValueError
        If `batch_size` is below 1.

    Examples
    --------
    On theta^2 / 2 with rate 3/2 gradient descent jumps over the minimum: 8, -4, 2, cosines -1.

    >>> advance = advancer(lambda theta, x: jnp.sum(theta**2) * x / 2, None)
    >>> walk, cosine = advance(begin(jnp.array([8.0])), jnp.ones(1), jax.random.key(0), 1.5, 0.0, 2)
    >>> walk.theta.tolist(), float(cosine)
    ([2.0], -1.0)
    """
    sample = full_batch if batch_size is None else subsets(positive_integer("advancer", "batch_size", batch_size))
    slope = jax.grad(lambda theta, batch: jnp.mean(losses(theta, batch)))

    @jax.jit
    def advance(
        walk: Walk, data: Any, key: PRNGKeyArray, learning_rate: Any, momentum: Any, stop: Any
    ) -> tuple[Walk, Array]:
        dtype = walk.theta.dtype
        rate, kept = (jnp.asarray(value).astype(dtype) for value in (learning_rate, momentum))
        stop = jnp.asarray(stop).astype(jnp.int32)

        def update(step: Array, carry: tuple[Walk, Array]) -> tuple[Walk, Array]:
            now, total = carry
            gradient = slope(now.theta, sample(key, step, data))
            velocity = kept * now.velocity + gradient
            total = total + jnp.where(now.step > 0, _cosine(gradient, now.last), 0)
            return Walk(now.theta - rate * velocity, velocity, gradient, step + 1), total

        pairs = (stop - jnp.maximum(walk.step, 1)).astype(dtype)
        walk, total = jax.lax.fori_loop(walk.step, stop, update, (walk, jnp.zeros((), dtype)))
        return walk, jnp.where(pairs > 0, total / pairs, jnp.nan)

    return advance


def observer(
    losses: ExampleLosses,
    *,
    lanczos_steps: int,
    gram_batches: int,
    gram_size: int,
    probes: int,
    leading: int = 20,
    growth_batches: int = 64,
) -> Callable[..., tuple[dict[str, Array], Warm]]:
    """Build `observe(theta, data, key, learning_rate, batch_size, warm) -> (named numbers, warm)`.

    All arguments are traced, `batch_size` too: one compilation for each set of shapes.

    Parameters
    ----------
    losses
        Loss of each example.
    lanczos_steps
        Hessian-vector products at each point.
    gram_batches, gram_size
        L and M of K^M; the batches are drawn anew at each point.
    probes
        Fresh mini-batches for the projection ratio, the loss change and the batch sharpness.
    leading
        How many leading eigenvalues of K, and of K^M and H as far as they go, are returned.
    growth_batches
        Fresh mini-batches for the growth of the second moment along the top direction.

    Returns
    -------
    observe
        Names and meaning of its numbers:

        ``loss``; ``lambda_H``, ``lambda_H_residual``, ``lambda_H_lowest``, ``lambda_H_lowest_residual`` (the
        largest and smallest *algebraic* eigenvalues); ``spectrum_H`` (Ritz values, descending).
        ``lambda_K``, ``lambda_K_smallest`` (smallest eigenvalue above 10 n eps of the largest), ``trace_K``,
        ``spectrum_K``: exact. ``lambda_KM``, ``lambda_KM_smallest`` (the (L-1)-th largest), ``trace_KM``, times
        M L / (L - 1).
        ``alignment``: |<e_H, e_K>|; ``variance_along``: e^T K e. ``curvature_variance``: population variance
        of q_i = e^T H_i e, whose smallest is ``curvature_smallest`` and whose mean is ``curvature_mean``.
        ``slope``: <g, e>. ``growth``: mean over fresh batches of (1 - eta h_B)^2, h_B the batch mean of q_i:
        the left side of Eq. 1, from draws. ``gradient_norm``: ||g||.
        ``projection_ratio``, ``projection_ratio_smallest``: mean and least of ||g_B||/||g_5|| over fresh batches of
        size M. ``loss_change``: mean over probes of L(theta - eta g_B) - L; ``loss_rises``: share of probes in
        which it is positive; ``quadratic_change``, ``quadratic_rises``: the same of
        -eta <g, g_B> + eta^2 g_B^T H g_B / 2.
        ``batch_sharpness``: mean g_B^T H_B g_B over mean ||g_B||^2; ``noise_curvature``: mean g_B^T H g_B.

    Raises
    ------
    ValueError
        By the functions that it calls, before tracing.

    Examples
    --------
    Losses x_i theta_1^2 / 2 + theta_2^2 / 2 with x = 1, 3: Hessian diag(2, 1); gradients at (1, 0) are x_i.

    >>> losses = lambda theta, x: (x * theta[0] ** 2 + theta[1] ** 2) / 2
    >>> observe = observer(losses, lanczos_steps=2, gram_batches=3, gram_size=1, probes=2)
    >>> theta = jnp.array([1.0, 0.0])
    >>> found, _ = observe(theta, jnp.array([1.0, 3.0]), jax.random.key(0), 0.5, 2, cold(2, theta.dtype))
    >>> [round(float(found[name]), 5) for name in ("lambda_H", "lambda_K", "curvature_variance", "growth")]
    [2.0, 1.0, 1.0, 0.0]
    """
    for name, value in (("gram_batches", gram_batches), ("probes", probes), ("growth_batches", growth_batches)):
        positive_integer("observer", name, value)

    @jax.jit
    def observe(
        theta: Array, data: Any, key: PRNGKeyArray, learning_rate: Any, batch_size: Any, warm: Warm
    ) -> tuple[dict[str, Array], Warm]:
        rate = jnp.asarray(learning_rate).astype(theta.dtype)
        each = losses(theta, data)
        points = each.shape[0]
        gradients = _gradients(losses, theta, data)
        mean_gradient = jnp.mean(gradients, axis=0)
        gram = gram_matrix(gradients)
        exact = noise_spectrum(gram, vectors=1)
        keys = jax.random.split(key, 4)
        estimated = noise_spectrum(
            gram,
            subset_weights(keys[0], gram_batches, points, gram_size),
            vectors=min(5, gram_batches),
        )
        scale = gram_size * gram_batches / (gram_batches - 1)
        ratios = projection_ratios(gram, estimated.combinations, subset_weights(keys[1], probes, points, gram_size))

        _, product = jax.linearize(jax.grad(lambda vector: jnp.mean(losses(vector, data))), theta)
        start = MIX[0] * warm.top + MIX[1] * warm.bottom + MIX[2] * _unit(start_vector(theta.shape[0], theta.dtype))
        spectrum = lanczos(product, start, lanczos_steps)
        top = spectrum.top.vectors[0]
        slopes, curvatures = _along(losses, theta, data, top)
        centred = slopes - jnp.mean(slopes)
        weights = subset_weights(keys[2], growth_batches, points, batch_size)
        # (row of weights, curvatures): the mean curvature of each batch
        batch_curvature = dot(weights, curvatures.astype(weights.dtype))
        growth = jnp.mean((1 - learning_rate * batch_curvature) ** 2)
        overlap = dot(exact.combinations[0].astype(theta.dtype), slopes)

        shares = subset_weights(keys[3], probes, points, batch_size).astype(theta.dtype)
        steps = dot(shares, gradients)

        def probe(share_and_step: tuple[Array, Array]) -> tuple[Array, ...]:
            share, step = share_and_step
            first, second = _along(losses, theta, data, step)
            change = jnp.mean(losses(theta - rate * step, data)) - jnp.mean(each)
            full = jnp.mean(second)
            quadratic = -rate * jnp.mean(first) + rate**2 * full / 2
            return change, quadratic, full, dot(share, second), dot(step, step)

        change, quadratic, full, own, square = jax.lax.map(probe, (shares, steps))
        narrow = min(leading, points)
        found = {
            "loss": jnp.mean(each),
            "lambda_H": spectrum.top.values[0],
            "lambda_H_residual": spectrum.top.residuals[0],
            "lambda_H_lowest": spectrum.bottom.values[0],
            "lambda_H_lowest_residual": spectrum.bottom.residuals[0],
            "spectrum_H": _padded(spectrum.ritz[::-1], leading),
            "lambda_K": exact.values[0],
            "lambda_K_smallest": _smallest(exact.values),
            "trace_K": exact.trace,
            "spectrum_K": _padded(exact.values[:narrow], leading),
            "lambda_KM": scale * estimated.values[0],
            "lambda_KM_smallest": scale * estimated.values[max(gram_batches - 2, 0)],
            "trace_KM": scale * estimated.trace,
            "alignment": jnp.abs(overlap),
            "variance_along": jnp.mean(centred**2),
            "curvature_mean": jnp.mean(curvatures),
            "curvature_variance": jnp.var(curvatures),
            "curvature_smallest": jnp.min(curvatures),
            "slope": jnp.mean(slopes),
            "growth": growth,
            "gradient_norm": jnp.sqrt(dot(mean_gradient, mean_gradient)),
            "projection_ratio": jnp.mean(ratios),
            "projection_ratio_smallest": jnp.min(ratios),
            "loss_change": jnp.mean(change),
            "loss_rises": jnp.mean((change > 0).astype(theta.dtype)),
            "quadratic_change": jnp.mean(quadratic),
            "quadratic_rises": jnp.mean((quadratic > 0).astype(theta.dtype)),
            "batch_sharpness": jnp.mean(own) / jnp.mean(square),
            "noise_curvature": jnp.mean(full),
        }
        return found, Warm(top, spectrum.bottom.vectors[0])

    return observe


def _gradients(losses: ExampleLosses, theta: Array, data: Any) -> Array:
    def one(point: Any) -> Array:
        return jax.grad(lambda vector: losses(vector, jax.tree.map(lambda a: a[None], point))[0])(theta)

    return jax.vmap(one)(data)


def _along(losses: ExampleLosses, theta: Array, data: Any, direction: Array) -> tuple[Array, Array]:
    """First and second derivative of every example's loss along a direction: two nested jvps for all at once."""

    def slope(vector: Array) -> Array:
        return jax.jvp(lambda v: losses(v, data), (vector,), (direction,))[1]

    return jax.jvp(slope, (theta,), (direction,))


def _smallest(values: Array) -> Array:
    level = 10 * values.shape[0] * jnp.finfo(values.dtype).eps * values[0]
    return jnp.min(jnp.where(values > level, values, values[0]))


def _padded(values: Array, length: int) -> Array:
    return jnp.pad(values[:length], (0, max(length - values.shape[0], 0)))


def _cosine(a: Array, b: Array) -> Array:
    return dot(a, b) / jnp.sqrt(dot(a, a) * dot(b, b))


def _unit(vector: Array) -> Array:
    return vector / jnp.sqrt(dot(vector, vector))
