r"""The one-hidden-layer model of the width catalogue in hat units: output, step, kernels, kernel increments.

f(x) = sigma sum_r a_r phi(w_r . x) with a_r, w_r of unit scale at the start (width:D1, D2). Width enters
through powers only: sigma = sigma* d^{q_sigma}, eta_a = eta_a* d^{q_a}, eta_w = eta_w* d^{q_w} (width:D4).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from numerics.activations import Activation, value_and_slope
from numerics.doors import positive_integer
from numerics.dots import dot

Scalar = float | Float[Array, ""]


class Neurons(NamedTuple):
    """The weights in hat units: a (width,) and w (width, inputs)."""

    a: Float[Array, "width"]
    w: Float[Array, "width inputs"]


class Scaling(NamedTuple):
    """What multiplies what at one width.

    Attributes
    ----------
    sigma
        sigma* d^{q_sigma}.
    power_a, power_w
        d^{q_a} and d^{q_w}.
    rate_a, rate_w
        eta_a* and eta_w*; the step sizes are their products with the powers.
    """

    sigma: Float[Array, ""]
    power_a: Float[Array, ""]
    power_w: Float[Array, ""]
    rate_a: Float[Array, ""]
    rate_w: Float[Array, ""]


class Sample(NamedTuple):
    """Inputs of one step and the loss gradient dl/dz at each; single samples have batch 1 (width:D3)."""

    x: Float[Array, "batch inputs"]
    gradient: Float[Array, "batch"]


class Kernels(NamedTuple):
    """The two parts of the tangent kernel (width:D5)."""

    a: Float[Array, "batch batch2"]
    w: Float[Array, "batch batch2"]


class KernelIncrements(NamedTuple):
    """Derivatives at zero rate of a kernel's change in one step: `aw` is K_a's with respect to eta_w*."""

    aw: Float[Array, "batch batch2"]
    ww: Float[Array, "batch batch2"]
    wa: Float[Array, "batch batch2"]


def scaling(
    width: int | Float[Array, ""],
    *,
    q_sigma: Scalar,
    q_a: Scalar,
    q_w: Scalar,
    sigma: Scalar = 1.0,
    rate_a: Scalar = 1.0,
    rate_w: Scalar = 1.0,
    dtype: Any = float,
) -> Scaling:
    """Evaluate the powers at one width; an integer width is cast first, since d ** q of integers would be 0.

    Parameters
    ----------
    width
        d, a number or traced.
    q_sigma, q_a, q_w
        Exponents; the symmetric case has q_a = q_w.
    sigma, rate_a, rate_w
        sigma*, eta_a*, eta_w*.

    Examples
    --------
    Mean-field at d = 4: sigma = 1/4, both step sizes times 4.

    >>> s = scaling(4, q_sigma=-1.0, q_a=1.0, q_w=1.0)
    >>> float(s.sigma), float(s.power_a)
    (0.25, 4.0)
    """
    d, qs, qa, qw, sigma, rate_a, rate_w = (
        jnp.asarray(value).astype(jnp.result_type(dtype))
        for value in (width, q_sigma, q_a, q_w, sigma, rate_a, rate_w)
    )
    return Scaling(sigma * d**qs, d**qa, d**qw, rate_a, rate_w)


def draw_neurons(
    key: PRNGKeyArray,
    *,
    width: int,
    inputs: int,
    output_weights: Callable[..., Float[Array, "width"]] = jax.random.normal,
    dtype: Any = float,
) -> Neurons:
    """Draw w ~ N(0, I) and a from `output_weights(key, (width,), dtype)`, by default N(0, 1).

    A symmetric law of unit variance is what the laws assume; a biased one is their counter-system.

    Raises
    ------
    ValueError
        If a size is below 1.

    Examples
    --------
    >>> draw_neurons(jax.random.key(0), width=5, inputs=2).w.shape
    (5, 2)
    """
    width = positive_integer("draw_neurons", "width", width)
    inputs = positive_integer("draw_neurons", "inputs", inputs)
    key_a, key_w = jax.random.split(key)
    return Neurons(
        output_weights(key_a, (width,), dtype), jax.random.normal(key_w, (width, inputs), dtype=dtype)
    )


def output(
    neurons: Neurons, sigma: Scalar, activation: Activation, x: Float[Array, "batch inputs"]
) -> Float[Array, "batch"]:
    """f(x) = sigma sum_r a_r phi(w_r . x).

    Examples
    --------
    >>> from numerics.activations import identity
    >>> one = Neurons(jnp.array([2.0]), jnp.array([[3.0]]))
    >>> output(one, 0.5, identity, jnp.array([[4.0]])).tolist()
    [12.0]
    """
    return sigma * dot(activation(dot(x, neurons.w.T)), neurons.a)


def step(
    neurons: Neurons, scaling: Scaling, activation: Activation, sample_a: Sample, sample_w: Sample
) -> Neurons:
    """One step of width:D3; a batch stands for the mean over its points.

    Delta a_r = -eta_a sigma mean g phi(w_r . x), Delta w_r = -eta_w sigma mean g a_r phi'(w_r . x) x: the
    gradient of f itself (by vjp), so that phi' is that of whatever phi is passed. The loss gradients `g` are
    numbers here: `numerics.losses.logistic_gradient` gives the true ones, constants freeze them.

    Examples
    --------
    a = 2, w = 3, phi = identity, x = 1, g = -1, all rates 1: a gains w, w gains a.

    >>> from numerics.activations import identity
    >>> one, sample = Neurons(jnp.array([2.0]), jnp.array([[3.0]])), Sample(jnp.ones((1, 1)), -jnp.ones(1))
    >>> rates = scaling(1, q_sigma=0.0, q_a=0.0, q_w=0.0)
    >>> [leaf.tolist() for leaf in step(one, rates, identity, sample, sample)]
    [[5.0], [[5.0]]]
    """

    def pulled(sample: Sample) -> Neurons:
        _, vjp = jax.vjp(lambda n: output(n, scaling.sigma, activation, sample.x), neurons)
        return vjp(sample.gradient / sample.x.shape[0])[0]

    return Neurons(
        neurons.a - scaling.rate_a * scaling.power_a * pulled(sample_a).a,
        neurons.w - scaling.rate_w * scaling.power_w * pulled(sample_w).w,
    )


def kernels(
    neurons: Neurons,
    scaling: Scaling,
    activation: Activation,
    x: Float[Array, "batch inputs"],
    other: Float[Array, "batch2 inputs"],
) -> Kernels:
    """K_a = d^{q_a} sigma^2 sum phi phi', K_w = d^{q_w} sigma^2 sum a^2 phi'(w.x) phi'(w.x') x.x' (width:D5).

    Examples
    --------
    >>> from numerics.activations import identity
    >>> one, x = Neurons(jnp.array([2.0]), jnp.array([[3.0]])), jnp.ones((1, 1))
    >>> [k.tolist() for k in kernels(one, scaling(1, q_sigma=0.0, q_a=0.0, q_w=0.0), identity, x, x)]
    [[[9.0]], [[4.0]]]
    """
    values, slopes = value_and_slope(activation, dot(x, neurons.w.T))
    values2, slopes2 = value_and_slope(activation, dot(other, neurons.w.T))
    k_a = scaling.power_a * scaling.sigma**2 * dot(values, values2.T)
    weighted = slopes * neurons.a[None, :] ** 2
    k_w = scaling.power_w * scaling.sigma**2 * dot(weighted, slopes2.T) * dot(x, other.T)
    return Kernels(k_a, k_w)


def kernel_increments(
    neurons: Neurons,
    scaling: Scaling,
    activation: Activation,
    x: Float[Array, "batch inputs"],
    other: Float[Array, "batch2 inputs"],
    sample_a: Sample,
    sample_w: Sample,
) -> KernelIncrements:
    """Linear part of the one-step change of the kernels, by jvp through the step at zero rates (width:D6).

    Examples
    --------
    a = 2, w = 3, phi = identity, x = 1, g = -1: K_a = w^2 and dw/deta_w = a, so the first is 2 w a = 12.

    >>> from numerics.activations import identity
    >>> one, x = Neurons(jnp.array([2.0]), jnp.array([[3.0]])), jnp.ones((1, 1))
    >>> sample, rates = Sample(x, -jnp.ones(1)), scaling(1, q_sigma=0.0, q_a=0.0, q_w=0.0)
    >>> found = kernel_increments(one, rates, identity, x, x, sample, sample)
    >>> float(found.aw[0, 0]), float(found.ww[0, 0]), float(found.wa[0, 0])
    (12.0, 0.0, 12.0)
    """

    def after(rate_a: Array, rate_w: Array) -> Kernels:
        rates = scaling._replace(rate_a=rate_a, rate_w=rate_w)
        return kernels(step(neurons, rates, activation, sample_a, sample_w), scaling, activation, x, other)

    zero = jnp.zeros_like(scaling.rate_a)
    one = jnp.ones_like(scaling.rate_a)
    _, by_w = jax.jvp(after, (zero, zero), (zero, one))
    _, by_a = jax.jvp(after, (zero, zero), (one, zero))
    return KernelIncrements(by_w.a, by_w.w, by_a.w)
