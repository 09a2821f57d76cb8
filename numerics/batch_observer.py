"""What is measured at a point of a trajectory where no example stands alone, or where gradients are too long.

Under batch normalisation the gradient of one example is undefined (breakeven, section 9, item 5), and a large
network has no room for those of all examples. Here the only gradients are those of mini-batches: K^M and all
that follows from their Gram matrix. Memory: (L + fresh) * size numbers and one Lanczos basis.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.doors import positive_integer
from numerics.gram_space import gram_matrix, noise_spectrum, projection_ratios
from numerics.lanczos import lanczos, start_vector
from numerics.sampling import subsets
from numerics.trajectory import MIX, Warm

BatchLoss = Callable[[Float[Array, "size"], Any], Float[Array, ""]]
"""(flat parameters, a batch with a leading axis) -> mean loss of the batch, as a step of training sees it."""
DIRECTIONS = 5
"""Leading eigenvectors of K^M that a fresh gradient is projected on (breakeven:D9)."""


def batch_observer(
    loss: BatchLoss, *, lanczos_steps: int, gram_batches: int, gram_size: int, fresh: int
) -> Callable[..., tuple[dict[str, Array], Warm]]:
    """Build `observe(theta, data, key, warm) -> (named numbers, warm)`; one compilation for each set of shapes.

    Parameters
    ----------
    loss
        Mean loss of a batch; its rows may depend on each other.
    lanczos_steps
        Products with the Hessian of the loss of all points, taken as one batch.
    gram_batches, gram_size
        L and M of K^M (breakeven:D7), drawn anew at each point.
    fresh
        Further batches of M points for the projection ratio.

    Returns
    -------
    observe
        ``loss``, ``gradient_norm`` (all points as one batch); ``lambda_H``, ``lambda_H_residual`` (largest
        algebraic eigenvalue); ``lambda_KM``, ``lambda_KM_smallest`` (the (L-1)-th largest), ``trace_KM``, each
        times M L / (L - 1); ``projection_ratio``, ``projection_ratio_smallest``: mean and least of
        ||g_B|| / ||g_5|| over the fresh batches.

    Raises
    ------
    ValueError
        If `gram_batches` is below 2, or another number below 1.

    Examples
    --------
    The loss of a batch is half of its mean square around its own mean, times theta^2: no row stands alone.

    >>> loss = lambda theta, x: jnp.var(x) * theta[0] ** 2 / 2 + theta[1] ** 2 / 2
    >>> observe = batch_observer(loss, lanczos_steps=2, gram_batches=2, gram_size=2, fresh=1)
    >>> warm = Warm(jnp.ones(2), jnp.zeros(2))
    >>> found, _ = observe(jnp.ones(2), jnp.array([1.0, 3.0]), jax.random.key(0), warm)
    >>> [round(float(found[name]), 5) for name in ("loss", "lambda_H", "lambda_KM")]
    [1.0, 1.0, 0.0]
    """
    positive_integer("batch_observer", "gram_batches", gram_batches)
    for name, value in (("gram_size", gram_size), ("fresh", fresh)):
        positive_integer("batch_observer", name, value)
    if gram_batches < 2:
        raise ValueError(f"batch_observer: gram_batches={gram_batches} has no spread; pass at least 2")
    sample, slope = subsets(gram_size), jax.grad(loss)
    scale = gram_size * gram_batches / (gram_batches - 1)

    @jax.jit
    def observe(theta: Array, data: Any, key: PRNGKeyArray, warm: Warm) -> tuple[dict[str, Array], Warm]:
        rows = jax.lax.map(lambda batch: slope(theta, sample(key, batch, data)), jnp.arange(gram_batches + fresh))
        gram = gram_matrix(rows)
        unit = jnp.eye(gram_batches + fresh, dtype=gram.dtype)
        spectrum = noise_spectrum(gram, unit[:gram_batches], vectors=min(DIRECTIONS, gram_batches))
        ratios = projection_ratios(gram, spectrum.combinations, unit[gram_batches:])

        value, gradient = jax.value_and_grad(loss)(theta, data)
        _, product = jax.linearize(jax.grad(lambda vector: loss(vector, data)), theta)
        fixed = start_vector(theta.shape[0], theta.dtype)
        start = MIX[0] * warm.top + MIX[1] * warm.bottom + MIX[2] * fixed / jnp.sqrt(jnp.sum(fixed**2))
        pairs = lanczos(product, start, lanczos_steps)
        found = {
            "loss": value,
            "gradient_norm": jnp.sqrt(jnp.sum(gradient**2)),
            "lambda_H": pairs.top.values[0],
            "lambda_H_residual": pairs.top.residuals[0],
            "lambda_KM": scale * spectrum.values[0],
            "lambda_KM_smallest": scale * spectrum.values[gram_batches - 2],
            "trace_KM": scale * spectrum.trace,
            "projection_ratio": jnp.mean(ratios),
            "projection_ratio_smallest": jnp.min(ratios),
        }
        return found, Warm(pairs.top.vectors[0], pairs.bottom.vectors[0])

    return observe
