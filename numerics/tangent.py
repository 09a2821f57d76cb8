"""Empirical tangent kernels Theta = J J^T, products with them, and what happens to the logits along a flow.

J = dz/dtheta. A kernel has indices (m, n, i, j): points m, n and classes i, j, of the logits as they are
given (temperature, section 0: the unscaled ones). Two kinds of function are taken: `apply(params, x)`, whose
row m depends on x_m only, where blocks of J are formed; and `logits(params)` with the inputs bound, where
nothing larger than the logits and one vector of parameters is ever held.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from numerics.chunks import concatenate_over_chunks

Parameters = PyTree[Float[Array, "..."]]
Logits = Callable[[Parameters], Float[Array, "batch class_"]]
Apply = Callable[[Parameters, Float[Array, "batch ..."]], Float[Array, "batch class_"]]


def tangent_kernel(
    apply: Apply,
    params: Parameters,
    x: Float[Array, "batch ..."],
    other: Float[Array, "batch2 ..."] | None = None,
    *,
    chunk: int | None = None,
) -> Float[Array, "batch batch2 class_ class_"]:
    """The full kernel Theta[m, n, i, j] = sum_p dz_i(x_m)/dtheta_p dz_j(x'_n)/dtheta_p.

    Parameters
    ----------
    apply, params
        Network whose rows are independent, and where it is evaluated.
    x, other
        Inputs of the rows and of the columns; `other=None` means `x`.
    chunk
        Points whose Jacobians are held at once (chunk * class_ * parameters numbers, twice); None means all.
        Chunked equals unchunked to rounding; the Jacobians of `other` are computed once per chunk of `x`.

    Cost: batch * class_ backward passes of one point, and (batch * class_)^2 * parameters multiplications.

    Raises
    ------
    ValueError
        If `chunk` is below 1.

    Examples
    --------
    z = x W is linear: Theta[m, n, i, j] = (x_m . x_n) delta_ij.

    >>> x = jnp.array([[1.0, 2.0], [0.0, 1.0]])
    >>> tangent_kernel(lambda w, x: x @ w, jnp.zeros((2, 1)), x)[:, :, 0, 0].tolist()
    [[5.0, 2.0], [2.0, 1.0]]
    """
    return _contracted(apply, params, x, other, chunk, "mip,njp->nmij")


def tangent_kernel_class_mean(
    apply: Apply,
    params: Parameters,
    x: Float[Array, "batch ..."],
    other: Float[Array, "batch2 ..."] | None = None,
    *,
    chunk: int | None = None,
) -> Float[Array, "batch batch2"]:
    """The mean over classes (1/K) sum_i Theta[m, n, i, i]: Theta_x where Theta = I_K (x) Theta_x.

    Parameters and errors as for `tangent_kernel`; a factor K fewer multiplications and numbers.

    Examples
    --------
    >>> x = jnp.array([[1.0, 2.0], [0.0, 1.0]])
    >>> tangent_kernel_class_mean(lambda w, x: x @ w, jnp.zeros((2, 3)), x).tolist()
    [[5.0, 2.0], [2.0, 1.0]]
    """
    classes = jax.eval_shape(apply, params, x).shape[-1]
    return _contracted(apply, params, x, other, chunk, "mip,nip->nm") / classes


def as_matrix(
    kernel: Float[Array, "batch batch2 class_ class_"],
) -> Float[Array, "rows columns"]:
    """The kernel as a matrix that acts on logits flattened row by row: entry (m K + i, n K + j).

    Examples
    --------
    >>> as_matrix(jnp.arange(4.0).reshape(1, 1, 2, 2)).tolist()
    [[0.0, 1.0], [2.0, 3.0]]
    """
    rows, columns, classes, _ = kernel.shape
    return kernel.transpose(0, 2, 1, 3).reshape(rows * classes, columns * classes)


class Linearisation(NamedTuple):
    """The network linearised once at a point of parameter space.

    Attributes
    ----------
    logits
        z there.
    push
        u -> J u, tangent vectors of parameters to changes of the logits.
    pull
        r -> J^T r, cotangents of the logits to parameters. push(pull(r)) is Theta r.
    """

    logits: Float[Array, "batch class_"]
    push: Callable[[Parameters], Float[Array, "batch class_"]]
    pull: Callable[[Float[Array, "batch class_"]], Parameters]


def linearise(logits: Logits, params: Parameters) -> Linearisation:
    """Linearise once, for any number of products.

    Examples
    --------
    >>> x = jnp.array([[1.0, 2.0]])
    >>> line = linearise(lambda w: x @ w, jnp.zeros((2, 1)))
    >>> line.push(line.pull(jnp.array([[2.0]]))).tolist()
    [[10.0]]
    """
    z, push = jax.linearize(logits, params)
    transposed = jax.linear_transpose(push, params)
    return Linearisation(z, push, lambda r: transposed(r)[0])


def tangent_product(
    logits: Logits, params: Parameters, r: Float[Array, "batch class_"]
) -> Float[Array, "batch class_"]:
    """Theta r without Theta: one reverse and one forward product.

    Examples
    --------
    >>> x = jnp.array([[1.0, 2.0]])
    >>> tangent_product(lambda w: x @ w, jnp.zeros((2, 1)), jnp.array([[2.0]])).tolist()
    [[10.0]]
    """
    _, vjp = jax.vjp(logits, params)
    return jax.jvp(logits, (params,), vjp(r))[1]


def tangent_increment(
    logits: Logits, params: Parameters, r: Float[Array, "batch class_"], u: Parameters
) -> Float[Array, "batch class_"]:
    """D_u[Theta r] with r frozen: how Theta r changes as the parameters move along u.

    Forward over (forward over reverse), about six forward passes; dTheta/dtheta is never formed, and no
    difference of nearby numbers is taken (temperature, pitfalls P1 and P2).

    Examples
    --------
    z = a w x: Theta = (a^2 + w^2) x^2, so its increment along u = (1, 0) is 2 a x^2.

    >>> f = lambda p: (p[0] * p[1] * 3.0).reshape(1, 1)
    >>> p, u = (jnp.array(2.0), jnp.array(5.0)), (jnp.array(1.0), jnp.array(0.0))
    >>> tangent_increment(f, p, jnp.ones((1, 1)), u).tolist()
    [[36.0]]
    """
    return jax.jvp(lambda p: tangent_product(logits, p, r), (params,), (u,))[1]


def flow_derivatives(
    observable: Callable[[Parameters], Any], velocity: Callable[[Parameters], Parameters], params: Parameters
) -> tuple[Any, Any, Any]:
    """Value, first and second time derivative of an observable along d theta / dt = velocity(theta).

    Two nested jvps along the true flow: nothing is assumed of the observable or of the flow. For a gradient
    flow pass `lambda p: tree.map(lambda g: -eta * g, grad(loss)(p))`, the loss with its own beta inside.

    Examples
    --------
    Along theta' = theta, theta^2 has derivatives 2 theta^2 and 4 theta^2.

    >>> [v.item() for v in flow_derivatives(lambda p: p**2, lambda p: p, jnp.array(3.0))]
    [9.0, 18.0, 36.0]
    """

    def rate(p: Parameters) -> tuple[Any, Any]:
        return jax.jvp(observable, (p,), (velocity(p),))

    (value, first), (_, second) = jax.jvp(rate, (params,), (velocity(params),))
    return value, first, second


def _contracted(
    apply: Apply, params: Parameters, x: Array, other: Array | None, chunk: int | None, indices: str
) -> Array:
    """Sum over the leaves of params of the contraction `indices` (column points first) of two Jacobians."""

    def jacobian(points: Array) -> list[Array]:
        one = jax.vmap(jax.jacrev(lambda p, point: apply(p, point[None])[0]), in_axes=(None, 0))
        return [leaf.reshape(*leaf.shape[:2], -1) for leaf in jax.tree.leaves(one(params, points))]

    def block(rows: list[Array], columns: Array) -> Array:
        pairs = zip(rows, jacobian(columns), strict=True)
        return sum(jnp.einsum(indices, a, b, precision=jax.lax.Precision.HIGHEST) for a, b in pairs)  # type: ignore

    def row_block(points: Array) -> Array:
        rows = jacobian(points)
        columns_first = concatenate_over_chunks(
            lambda columns: block(rows, columns), x if other is None else other, chunk
        )
        return jnp.swapaxes(columns_first, 0, 1)

    return concatenate_over_chunks(row_block, x, chunk)
