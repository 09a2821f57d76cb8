r"""What a one-hidden-layer classifier becomes at infinite width: one evolution, told apart by a few signs.

Normalised logits are f / d^B, B the order of trained logits. Two things decide how they move: which of the
gradient's three limits holds (by the sign of the logits' order, before and after the first step), and whether
neurons move at all (then a measure over neurons evolves; otherwise the kernels are constant). Every limit of the
band, the initialisation-corrected mean-field model and the default scaling are read off these signs by
:func:`evolve` alone (width:X1-X4). :func:`hybrid` is a network of any numeric width, 10^24 included: a population of
neurons by quadrature, and the fluctuation of its initial logits as a given field.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from numerics.activations import Activation, value_and_slope
from numerics.doors import positive_integer
from numerics.dots import dot
from numerics.expectations import Expectation
from numerics.losses import logistic_gradient
from numerics.width_model import Neurons, Sample, output, scaling, step

Scalar = float | Float[Array, ""]


class Signs(NamedTuple):
    """What tells one limit from another; every entry is a number, so that many limits share one compilation.

    Attributes
    ----------
    first, later
        Sign of the order of the logits before the first step and before later ones (A and B).
    starts
        1 where normalised logits start as the field (C = 0), 0 where they start at 0.
    evolves
        1 where neurons move (D = 0), 0 where kernels stay (D < 0).
    spread
        Standard deviation of the output weights at the start in units of trained ones: 1, or 0 for the default scaling.
    keeps
        1 where the field stays in the logits for good (the corrected mean-field model), else 0.
    """

    first: Scalar
    later: Scalar
    starts: Scalar
    evolves: Scalar
    spread: Scalar = 1.0
    keeps: Scalar = 0.0


def signs_of(q_sigma: float, q: float) -> Signs:
    """Signs of a point of the band, from its exponents (width:D4).

    Examples
    --------
    >>> signs_of(-1.0, 1.0)  # mean-field
    Signs(first=-1.0, later=0.0, starts=0.0, evolves=1.0, spread=1.0, keeps=0.0)
    """
    first, later = np.sign(q_sigma + 0.5), np.sign(2 * q_sigma + q + 1)
    return Signs(float(first), float(later), float(q_sigma + q == -0.5), float(q_sigma + q == 0))


CORRECTED = Signs(0.0, 0.0, 0.0, 1.0, keeps=1.0)
DEFAULT = Signs(0.0, 1.0, 0.0, 1.0, spread=0.0)


class Problem(NamedTuple):
    """Inputs, labels of +-1, and which point each layer sees at each step."""

    x: Float[Array, "batch inputs"]
    y: Float[Array, "batch"]
    order_a: Int[Array, "step"]
    order_w: Int[Array, "step"]


class Population(NamedTuple):
    """Neurons as a quadrature over their law at the start: weights, and places in hat units."""

    weight: Float[Array, "neuron"]
    a: Float[Array, "neuron"]
    w: Float[Array, "neuron inputs"]


class Factors(NamedTuple):
    """sigma*, eta_a* and eta_w*."""

    sigma: Scalar
    rate_a: Scalar
    rate_w: Scalar


def population(nodes: int, inputs: int, outputs: int | None = None) -> Population:
    """Gauss-Hermite nodes of standard normal neurons: ``nodes`` for every input weight, ``outputs`` for the output
    weight (None: as many).

    Examples
    --------
    >>> crowd = population(4, 1)
    >>> [round(float(jnp.sum(crowd.weight * crowd.a**k)), 6) for k in (0, 2, 4)]
    [1.0, 1.0, 3.0]
    """
    nodes = positive_integer("population", "nodes", nodes)
    inputs = positive_integer("population", "inputs", inputs)
    counts = (positive_integer("population", "outputs", nodes if outputs is None else outputs), *[nodes] * inputs)
    rules = [np.polynomial.hermite_e.hermegauss(count) for count in counts]
    places = np.stack(np.meshgrid(*(at for at, _ in rules), indexing="ij"), axis=-1).reshape(-1, inputs + 1)
    masses = np.stack(np.meshgrid(*(mass / mass.sum() for _, mass in rules), indexing="ij"), axis=-1)
    weight = np.prod(masses, axis=-1).reshape(-1)
    return Population(jnp.asarray(weight), jnp.asarray(places[:, 0]), jnp.asarray(places[:, 1:]))


def limit_gradient(
    sign: Scalar, logit: Float[Array, "batch"], label: Float[Array, "batch"], tie: Float[Array, "batch"]
) -> Float[Array, "batch"]:
    """Limit of -y / (1 + exp(y d^e u)): -y/2, the logistic gradient, or -y where y u < 0, by the sign of e.

    Where u is exactly 0 the hinge takes the sign of ``tie``, which is what is left of the logit there (width:G4).

    Examples
    --------
    >>> u, y = jnp.array([2.0, -2.0, 0.0]), jnp.ones(3)
    >>> limit_gradient(1.0, u, y, -y).tolist()
    [0.0, -1.0, -1.0]
    """
    decides = jnp.where(logit == 0, tie, logit)
    hinge = jnp.where(label * decides < 0, -label, jnp.zeros_like(label))
    logistic = -label * jax.nn.sigmoid(-label * logit)
    return jnp.where(sign < 0, -label / 2, jnp.where(sign == 0, logistic, hinge))


def covariance(x: Float[Array, "batch inputs"], expectation: Expectation) -> Float[Array, "batch batch"]:
    """E phi(w.x) phi(w.x'): the covariance of the field, in units of sigma*^2.

    Examples
    --------
    Half of a rectifier's square is lost.

    >>> from numerics.expectations import relu
    >>> covariance(jnp.array([[2.0]]), relu).tolist()
    [[2.0]]
    """
    return _expected(x, expectation)[0]


def evolve(
    signs: Signs,
    problem: Problem,
    field: Float[Array, "batch"],
    factors: Factors,
    crowd: Population,
    activation: Activation,
    expectation: Expectation,
) -> Float[Array, "record batch"]:
    """Normalised logits of the limit before every step, and after the last.

    Parameters
    ----------
    signs
        Which limit.
    problem
        Where logits are seen, and the samples.
    field
        The Gaussian field of the initial logits at the inputs, sigma* included.
    factors, crowd
        sigma*, eta*; the law of neurons at the start.
    activation, expectation
        phi, and its two Gaussian expectations (:mod:`numerics.expectations`).

    Source
        width:X1-X4.

    Examples
    --------
    Constant kernels of 1/2 each, and the gradient -1/2: one step at unit rates goes to 1/2.

    >>> from numerics.activations import identity
    >>> from numerics.expectations import relu
    >>> one, zero = jnp.ones(1), jnp.zeros(1)
    >>> given = Problem(jnp.ones((1, 1)), one, jnp.array([0]), jnp.array([0]))
    >>> kernel = Signs(-1.0, -1.0, 0.0, 0.0)
    >>> evolve(kernel, given, zero, Factors(1.0, 1.0, 1.0), population(2, 1), identity, relu).round(9).tolist()
    [[0.0], [0.5]]
    """
    values, slopes = _expected(problem.x, expectation)
    kernel_a = factors.sigma**2 * values
    kernel_w = factors.sigma**2 * slopes * dot(problem.x, problem.x.T)

    def advance(carry, step):
        logits, a, w, still = carry
        count, at_a, at_w = step
        first = count == 0
        decides = jnp.where(first, field, logits + signs.keeps * field)
        slope = limit_gradient(jnp.where(first, signs.first, signs.later), decides, problem.y, field)
        kept = logits - factors.rate_a * slope[at_a] * kernel_a[:, at_a]
        kept = kept - factors.rate_w * slope[at_w] * kernel_w[:, at_w]
        a, w = _moved(a, w, activation, problem.x, (at_a, at_w), slope, factors)
        still = still & (slope[at_a] == 0) & (slope[at_w] == 0)
        moved = jnp.where(still, start, factors.sigma * _mean(crowd.weight, a, w, problem.x, activation))
        logits = jnp.where(signs.evolves == 1, moved, kept)
        return (logits, a, w, still), logits

    start = signs.starts * field
    steps = (jnp.arange(problem.order_a.size), problem.order_a, problem.order_w)
    _, after = jax.lax.scan(advance, (start, signs.spread * crowd.a, crowd.w, jnp.array(True)), steps)
    return jnp.concatenate([start[None, :], after]) + (signs.keeps * field)[None, :]


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

    before = _mean(crowd.weight, crowd.a, crowd.w, problem.x, activation)  # 0, but for rounding

    def logits(a, w):
        mean = _mean(crowd.weight, a, w, problem.x, activation) - before
        return scale * (d * mean + (1.0 + frozen) * fluctuation)

    def advance(carry, step):
        a, w = carry
        at_a, at_w = step
        slope = -problem.y * jax.nn.sigmoid(-problem.y * logits(a, w))
        a, w = _moved(a, w, activation, problem.x, (at_a, at_w), slope, rates)
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


def _moved(a, w, activation, x, at, slope, factors):
    """One step of every neuron (width:D3) with the samples' gradients."""
    at_a, at_w = at
    value, _ = value_and_slope(activation, dot(w, x[at_a]))
    _, steep = value_and_slope(activation, dot(w, x[at_w]))
    after_a = a - factors.rate_a * factors.sigma * slope[at_a] * value
    after_w = w - factors.rate_w * factors.sigma * slope[at_w] * (a * steep)[:, None] * x[at_w][None, :]
    return after_a, after_w


def _mean(weight, a, w, x, activation):
    return dot(activation(dot(x, w.T)), weight * a)


def _expected(x, expectation):
    gram = dot(x, x.T)
    square = jnp.diagonal(gram)
    shape = gram.shape
    return expectation(jnp.broadcast_to(square[:, None], shape), jnp.broadcast_to(square[None, :], shape), gram)
