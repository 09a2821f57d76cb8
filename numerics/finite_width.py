"""Networks of a width that is a number, and real ones: what is on its way to a limit of infinite width (width:X1-X4).

:func:`hybrid` is a network of any numeric width, 10^24 included: a population of neurons by quadrature, and the
fluctuation of its initial logits as a given field. :func:`network` has its neurons drawn.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from numerics.activations import Activation
from numerics.losses import logistic_gradient
from numerics.population import Factors, Population, Problem, Scalar, mean, moved
from numerics.width_model import Neurons, Sample, output, scaling, step


class Exponents(NamedTuple):
    """Of sigma and of both learning rates in hat units; ``order`` is that of trained logits (B), by which logits are
    divided; ``keeps`` is 1 for the corrected model, whose frozen sum makes up for what scaling takes off.
    """

    q_sigma: Scalar
    q_a: Scalar
    q_w: Scalar
    order: Scalar
    keeps: Scalar = 0.0


def hybrid(
    exponents: Exponents,
    width: Scalar,
    problem: Problem,
    field: Float[Array, "batch"],
    factors: Factors,
    crowd: Population,
    activation: Activation,
) -> Float[Array, "record batch"]:
    """Normalised logits of a network of numeric width: d times the population's mean, and sqrt(d) times the field.

    The true logistic gradient, the true steps in hat units: no limit is taken. The sum over d neurons is its law of
    large numbers and its initial fluctuation (width:X1-X4, hybrid test).

    Accuracy
        Steps of size d^(q_sigma + q) must not be lost in rounding: 10^16 for q_sigma + q = -1/2, 10^24 above.

    Examples
    --------
    phi = identity, width 1: a gains w/2 and w gains a/2, so that the mean of a w goes from 0 to 1.

    >>> from numerics.activations import identity
    >>> from numerics.population import population
    >>> given = Problem(jnp.ones((1, 1)), jnp.ones(1), jnp.array([0]), jnp.array([0]))
    >>> powers, factors = Exponents(0.0, 0.0, 0.0, 0.0), Factors(1.0, 1.0, 1.0)
    >>> hybrid(powers, 1, given, jnp.zeros(1), factors, population(2, 1), identity).round(9).tolist()
    [[0.0], [1.0]]
    """
    d = jnp.asarray(width, dtype=crowd.a.dtype)
    scale = factors.sigma * d**exponents.q_sigma
    frozen = exponents.keeps * (d ** (-exponents.q_sigma - 0.5) - 1.0)
    rates = Factors(scale, factors.rate_a * d**exponents.q_a, factors.rate_w * d**exponents.q_w)
    fluctuation = field / factors.sigma * jnp.sqrt(d)

    before = mean(crowd.weight, crowd.a, crowd.w, problem.x, activation)  # 0, but for rounding

    def logits(a, w):
        change = mean(crowd.weight, a, w, problem.x, activation) - before
        return scale * (d * change + (1.0 + frozen) * fluctuation)

    def advance(carry, step):
        a, w = carry
        at_a, at_w = step
        slope = -problem.y * jax.nn.sigmoid(-problem.y * logits(a, w))
        a, w = moved(a, w, activation, problem.x, (at_a, at_w), slope, rates)
        return (a, w), logits(a, w)

    start = logits(crowd.a, crowd.w)
    _, after = jax.lax.scan(advance, (crowd.a, crowd.w), (problem.order_a, problem.order_w))
    return jnp.concatenate([start[None, :], after]) / d**exponents.order


class Trained(NamedTuple):
    """Normalised logits of a network before every step and after the last, and the field that it started with."""

    logits: Float[Array, "record batch"]
    field: Float[Array, "batch"]


def network(
    neurons: Neurons, exponents: Exponents, problem: Problem, factors: Factors, activation: Activation
) -> Trained:
    """Train a real network on the problem's samples.

    Parameters
    ----------
    neurons
        Its weights in hat units at the start; their number is the width.
    exponents
        Of the scaling; with ``keeps`` the initial sum stays in the logits, times what scaling takes off.

    Returns
    -------
    Trained
        The field is the initial sum over the root of the width, times sigma*: what a limit starts from.

    Examples
    --------
    a = 1, w = 0, phi = identity: only w moves, by 1/2.

    >>> from numerics.activations import identity
    >>> given = Problem(jnp.ones((1, 1)), jnp.ones(1), jnp.array([0]), jnp.array([0]))
    >>> powers, factors = Exponents(0.0, 0.0, 0.0, 0.0), Factors(1.0, 1.0, 1.0)
    >>> network(Neurons(jnp.ones(1), jnp.zeros((1, 1))), powers, given, factors, identity).logits.tolist()
    [[0.0], [0.5]]
    """
    width = neurons.a.shape[0]
    d = jnp.asarray(float(width), dtype=neurons.a.dtype)
    rates = scaling(
        width, q_sigma=exponents.q_sigma, q_a=exponents.q_a, q_w=exponents.q_w, sigma=factors.sigma,
        rate_a=factors.rate_a, rate_w=factors.rate_w, dtype=neurons.a.dtype,
    )  # fmt: skip
    start = output(neurons, rates.sigma, activation, problem.x)
    frozen = exponents.keeps * (d ** (-exponents.q_sigma - 0.5) - 1.0) * start

    def advance(now: Neurons, at: tuple[Array, Array]) -> tuple[Neurons, Array]:
        logit = output(now, rates.sigma, activation, problem.x) + frozen
        slope = logistic_gradient(logit, problem.y)
        samples = (Sample(problem.x[i][None, :], slope[i][None]) for i in at)
        after = step(now, rates, activation, *samples)
        return after, output(after, rates.sigma, activation, problem.x) + frozen

    _, after = jax.lax.scan(advance, neurons, (problem.order_a, problem.order_w))
    logits = jnp.concatenate([(start + frozen)[None, :], after]) / d**exponents.order
    return Trained(logits, start / d ** (exponents.q_sigma + 0.5))
