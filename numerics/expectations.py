"""Gaussian expectations of activations: E phi(z) phi(z') and E phi'(z) phi'(z') in closed form.

An *expectation* here is a function of three arrays of one shape, the variances a = E z^2 and b = E z'^2 and
the covariance c = E z z' of a centred Gaussian pair. All are finite, with finite gradients, at zero,
parallel, antiparallel and equal pairs.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


class Expectations(NamedTuple):
    """The pair E phi(z) phi(z') and E phi'(z) phi'(z')."""

    phi_phi: Float[Array, "..."]
    dphi_dphi: Float[Array, "..."]


Expectation = Callable[[Float[Array, "..."], Float[Array, "..."], Float[Array, "..."]], Expectations]


def relu(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
    r"""Half-wave rectifier, phi(z) = max(z, 0).

    Formula: :math:`E\phi\phi' = (\sqrt{ab}\sin\theta + (\pi-\theta)c)/2\pi` and
    :math:`E\dot\phi\dot\phi' = (\pi-\theta)/2\pi`, theta the angle with cos theta = c / sqrt(ab).

    Accuracy
        1e-15 relative for the first. The second has a root at theta = 0 and pi: pairs with
        sin^2 theta < 32 eps are taken as exactly (anti)parallel, which costs at most 1.4e-8 (float64).
        There the derivative of the root, which is infinite, is taken as 0; those of the first are exact.

    Source
        width:X5; Y. Cho and L. Saul (2009).

    Examples
    --------
    >>> one = jnp.ones(())
    >>> [round(float(value), 6) for value in relu(one, one, 0 * one)]      # 1 / 2 pi and 1 / 4
    [0.159155, 0.25]
    """
    angle, sine = _angle(a, b, c)
    away = math.pi - angle
    return Expectations((sine + away * c) / (2 * math.pi), away / (2 * math.pi))


def scaled_relu(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
    """Rectifier phi(z) = sqrt(2) max(z, 0), which keeps the variance: twice :func:`relu`.

    Examples
    --------
    >>> one = jnp.ones(())
    >>> [round(float(value), 5) for value in scaled_relu(one, one, one)]
    [1.0, 1.0]
    """
    return Expectations(*(2.0 * value for value in relu(a, b, c)))


def leaky_relu(slope: float) -> Expectation:
    r"""Leaky rectifier, phi(z) = max(z, 0) + slope min(z, 0).

    Formula: :math:`slope\,c + (1-slope)^2 J_1` and :math:`slope + (1-slope)^2 J_0`, J those of :func:`relu`.

    Source
        width:X5.

    Examples
    --------
    >>> one = jnp.ones(())
    >>> [float(value) for value in leaky_relu(1.0)(one, one, 0.5 * one)]      # the identity
    [0.5, 1.0]
    """

    def expectation(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
        second, first = relu(a, b, c)
        bend = (1.0 - slope) ** 2
        return Expectations(slope * c + bend * second, slope + bend * first)

    return expectation


def erf(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
    r"""Error function, phi = erf.

    Formula: :math:`(2/\pi)\arcsin(2c/\sqrt{(1+2a)(1+2b)})` and :math:`(4/\pi)/\sqrt{(1+2a)(1+2b)-4c^2}`.
    The arc is computed as that of a tangent, which stays smooth for large variances.

    Source
        width:X5; C. K. I. Williams (1997).

    Examples
    --------
    >>> half = 0.5 * jnp.ones(())
    >>> [round(float(value), 5) for value in erf(half, half, half)]      # 1/3 and 4 / (pi sqrt 3)
    [0.33333, 0.73511]
    """
    square = a * b - c * c
    # Rounding may make it negative; the derivative stays that of the formula, also at parallel pairs.
    square = square + jax.lax.stop_gradient(jnp.maximum(square, 0.0) - square)
    root = jnp.sqrt(1.0 + 2.0 * (a + b) + 4.0 * square)
    return Expectations((2.0 / math.pi) * jnp.arctan2(2.0 * c, root), (4.0 / math.pi) / root)


def leaky_softplus(slope: float, nodes: int = 40) -> Expectation:
    r"""Leaky softplus, phi(z) = (1 - slope) log(1 + e^z) + slope z.

    Formula: :math:`slope\,c + (1-slope)^2 E[sp\,sp']` and :math:`slope + (1-slope)^2 E[sig\,sig']` (Stein's
    identity), the two expectations by Gauss-Hermite quadrature.

    Accuracy
        1e-12 with 40 nodes for variances near 1; the nodes needed grow with the variance.

    Source
        width:X5.

    Examples
    --------
    >>> zero = jnp.zeros(())
    >>> value = leaky_softplus(0.1)(zero, zero, zero).phi_phi      # phi(0)^2 = (0.9 log 2)^2
    >>> abs(float(value) - (0.9 * math.log(2)) ** 2) < 1e-6
    True
    """
    smooth = quadrature(jax.nn.softplus, nodes)

    def expectation(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
        second, first = smooth(a, b, c)
        bend = (1.0 - slope) ** 2
        return Expectations(slope * c + bend * second, slope + bend * first)

    return expectation


def quadrature(phi: Callable[[Array], Array], nodes: int = 40) -> Expectation:
    r"""Any smooth elementwise phi, by Gauss-Hermite quadrature with nodes x nodes points.

    Derivatives with respect to a, b, c are those of Price's theorem,
    :math:`\partial_c E fg' = E\dot f\dot g'` and :math:`\partial_a E fg' = \tfrac12 E\ddot f g'`, so they
    exist for degenerate pairs too.

    Parameters
    ----------
    phi : elementwise, twice differentiable (kinks converge like 1 / nodes only)
    nodes : points an axis

    Cost
        nodes^2 evaluations for each entry, and as much memory.

    Examples
    --------
    >>> one = jnp.ones(())
    >>> square = quadrature(lambda z: z**2)      # the closed forms are 1 + 2 c^2 and 4 c
    >>> [round(float(value), 5) for value in square(one, one, 0.5 * one)]
    [1.5, 2.0]
    """
    if isinstance(nodes, bool) or nodes < 1:
        raise ValueError(f"quadrature: nodes={nodes} is below 1; pass at least 1")
    slope = _derivative(phi)

    def expectation(a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]) -> Expectations:
        return Expectations(_expect(phi, phi, nodes, a, b, c), _expect(slope, slope, nodes, a, b, c))

    return expectation


def _angle(
    a: Float[Array, "..."], b: Float[Array, "..."], c: Float[Array, "..."]
) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """Return theta and sqrt(ab) sin theta, with finite derivatives where a root or an arc has none."""
    square = a * b - c * c
    apart = square > 32 * jnp.finfo(square.dtype).eps * a * b
    # Both branches of a where are differentiated: the unused one must be harmless too.
    sine = jnp.where(apart, jnp.sqrt(jnp.where(apart, square, 1.0)), 0.0)
    arc = jnp.arctan2(jnp.where(apart, sine, 1.0), jnp.where(apart, c, 1.0))
    flat = (math.pi / 2) * (1.0 - jnp.sign(c))
    return jnp.where(apart, arc, flat), sine


def _derivative(f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda z: jax.jvp(f, (z,), (jnp.ones_like(z),))[1]


@partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _expect(
    f: Callable[[Array], Array],
    g: Callable[[Array], Array],
    nodes: int,
    a: Float[Array, "..."],
    b: Float[Array, "..."],
    c: Float[Array, "..."],
) -> Float[Array, "..."]:
    """E f(z) g(z') by quadrature over z = sqrt(a) u, z' = (c / sqrt(a)) u + rest v."""
    points, weights = np.polynomial.hermite_e.hermegauss(nodes)
    u = jnp.asarray(points, dtype=a.dtype)
    mass = jnp.asarray(weights / weights.sum(), dtype=a.dtype)
    width = jnp.sqrt(a)
    along = jnp.where(a > 0, c / jnp.where(a > 0, width, 1.0), 0.0)
    rest = jnp.sqrt(jnp.maximum(b - along * along, 0.0))
    left = f(jnp.multiply.outer(width, u))
    both = jnp.multiply.outer(along, u)[..., :, None] + jnp.multiply.outer(rest, u)[..., None, :]
    right = jnp.einsum("...j,j->...", g(both), mass, precision="highest")
    return jnp.einsum("...i,...i,i->...", left, right, mass, precision="highest")


@_expect.defjvp
def _expect_jvp(f, g, nodes, primals, tangents):
    a, b, c = primals
    da, db, dc = tangents
    df, dg = _derivative(f), _derivative(g)
    rate = 0.5 * _expect(_derivative(df), g, nodes, a, b, c) * da
    rate = rate + 0.5 * _expect(f, _derivative(dg), nodes, a, b, c) * db
    return _expect(f, g, nodes, a, b, c), rate + _expect(df, dg, nodes, a, b, c) * dc
