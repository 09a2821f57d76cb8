"""One-hidden-layer networks of growing width at many scalings: two real steps each, and what they change.

A seed is a small group of networks and a draw of inputs: what is stored is the root mean square over its
networks, inputs and pairs of inputs. Samples are always misclassified, by the sign of the finite network's
own logit, as the theory's regime has it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.study import Grid, Replicates, Study, Variable
from experiments.width.points import REPRESENTATIVES
from numerics.activations import leaky_softplus
from numerics.losses import logistic_gradient
from numerics.width_model import (
    Kernels,
    Neurons,
    Sample,
    Scaling,
    draw_neurons,
    kernels,
    output,
    scaling,
    step,
)

COMPONENTS, OBSERVED = 4, 6
DRAW = 1
"""Which draw of seeds this is; the one before had too few for the error budget, and its numbers are not used again."""

BIAS = 1.0

STARTS = {"symmetric": 0.0, "biased": BIAS}


class Inputs(NamedTuple):
    """Unit vectors: where logits and kernels are looked at, and the samples of either layer in the two
    steps.
    """

    observed: Float[Array, "batch inputs"]
    for_a: Float[Array, "step inputs"]
    for_w: Float[Array, "step inputs"]


def inputs(seed: int, draw: int = DRAW) -> Inputs:
    """Unit vectors of one seed: drawn for it alone, the same at every width and scaling."""
    drawn = np.random.default_rng([20, draw, seed]).normal(size=(OBSERVED + 4, COMPONENTS))
    unit = jnp.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    return Inputs(unit[:OBSERVED], unit[OBSERVED : OBSERVED + 2], unit[OBSERVED + 2 :])


def inputs_of(seeds: tuple[int, ...], draw: int = DRAW) -> Inputs:
    """The inputs of several seeds, along a first axis."""
    return Inputs(*(jnp.stack(vectors) for vectors in zip(*(inputs(seed, draw) for seed in seeds), strict=True)))


def misclassified(neurons: Neurons, rates: Scaling, x: Float[Array, "inputs"]) -> Sample:
    """A sample whose label the network gets wrong, with the true gradient of the logistic loss."""
    logit = output(neurons, rates.sigma, leaky_softplus, x[None, :])
    return Sample(x[None, :], logistic_gradient(logit, -jnp.sign(logit)))


def measure(
    *,
    replicates: Replicates,
    data: None,
    width: int,
    point: np.ndarray,
    start: np.ndarray,
    networks: int,
    trained: int,
    rate: float,
    rate_full: float,
    draw: int,
) -> Mapping[str, np.ndarray]:
    """Root mean squares at each point of the plane of scalings, for groups of ``networks`` networks.

    ``trained`` of them take steps, which is done at every scaling apart; initial sums serve all scalings at
    once.
    """
    del data
    places = [REPRESENTATIVES[str(name)] for name in point]
    q_sigma, q = (jnp.asarray([place[axis] for place in places]) for axis in (0, 1))
    biases = jnp.asarray([STARTS[str(name)] for name in start])
    found = _groups(
        jax.vmap(lambda key: jax.random.fold_in(key, draw))(replicates.keys()),
        inputs_of(replicates.ids, draw),
        q_sigma,
        q,
        biases,
        rate,
        rate_full,
        width=int(width),
        networks=networks,
        trained=trained,
    )
    return {name: np.asarray(values) for name, values in found.items()}


@partial(jax.jit, static_argnames=("width", "networks", "trained"))
def _groups(
    keys: Array, every: Inputs, q_sigma: Array, q: Array, biases: Array, rate: Any, rate_full: Any, *,
    width: int, networks: int, trained: int,
) -> dict[str, Array]:  # fmt: skip
    at = jax.vmap(partial(scaling, width, rate_a=rate, rate_w=rate))(q_sigma=q_sigma, q_a=q, q_w=q)

    def drawn(key: Array) -> Neurons:
        return draw_neurons(key, width=width, inputs=COMPONENTS)

    def group(of_seed: tuple[Array, Inputs]) -> dict[str, Array]:
        key, given = of_seed
        each = jax.random.split(key, networks)
        squares = jax.lax.map(lambda k: _initial(drawn(k), at, given), each)
        squares |= jax.lax.map(lambda k: _changes(drawn(k), at, biases, rate_full, given), each[:trained])
        return {name: jnp.sqrt(jnp.mean(values, axis=0)) for name, values in squares.items()}

    return jax.lax.map(group, (keys, every))


def _initial(neurons: Neurons, at: Scaling, given: Inputs) -> dict[str, Array]:
    """Mean squares over inputs at every scaling; powers of the width are numbers, sums over neurons are
    shared.
    """

    def start(rates: Scaling) -> tuple[Array, Array]:
        found = kernels(neurons, rates, leaky_softplus, given.observed, given.observed)
        logits = output(neurons, rates.sigma, leaky_softplus, given.observed)
        return _square(logits), jnp.stack([_square(found.a), _square(found.w)])

    logits, kernels_ = jax.vmap(start)(at)
    return {"logits": logits, "kernels": kernels_}


def _changes(neurons: Neurons, at: Scaling, biases: Array, rate_full: Any, given: Inputs) -> dict[str, Array]:
    """Mean squares of what steps change, at every scaling; those at the start for biased output weights
    too.
    """
    first = jax.vmap(lambda bias: _first_increments(Neurons(neurons.a + bias, neurons.w), at, given))(biases)
    later = jax.lax.map(partial(_after_a_step, neurons, rate_full, given), at)
    return {"increments_first": jnp.moveaxis(first, 0, 1), **later}


def _first_increments(neurons: Neurons, at: Scaling, given: Inputs) -> Array:
    """Mean squares of the first step's increments at every scaling, shape (points, increments).

    Increments are linear in the gradients and the rates' powers, and cubic in sigma: the sums over neurons
    are taken once.
    """
    one = jnp.ones(())
    unit = Scaling(one, one, one, one, one)
    x_a, x_w = given.for_a[:1], given.for_w[:1]
    raw = _linear(neurons, unit, given, (Sample(x_a, jnp.ones(1)), Sample(x_w, jnp.ones(1)))).kernels
    gradient_a, gradient_w = (
        jax.vmap(lambda rates, x=x: misclassified(neurons, rates, x).gradient[0])(at) for x in (x_a[0], x_w[0])
    )
    cubed = at.sigma**3
    factors = (
        at.power_a * at.power_w * cubed * gradient_w,
        at.power_w * at.power_w * cubed * gradient_w,
        at.power_w * at.power_a * cubed * gradient_a,
    )
    return jnp.stack([square * factor**2 for square, factor in zip(raw, factors, strict=True)], axis=1)


def _after_a_step(neurons: Neurons, rate_full: Any, given: Inputs, rates: Scaling) -> dict[str, Array]:
    """Mean squares at one scaling: a first step at either rate, and the first-order part of a second one."""
    samples = misclassified(neurons, rates, given.for_a[0]), misclassified(neurons, rates, given.for_w[0])
    after = step(neurons, rates, leaky_softplus, *samples)
    following = misclassified(after, rates, given.for_a[1]), misclassified(after, rates, given.for_w[1])
    linear = _linear(after, rates, given, following)
    large = rates._replace(rate_a=rate_full, rate_w=rate_full)
    return {
        "logits_linear": linear.logits,
        "increments_later": linear.kernels,
        "kernels_full": _full_changes(neurons, large, given, samples),
    }


def _full_changes(neurons: Neurons, rates: Scaling, given: Inputs, samples: tuple[Sample, Sample]) -> Array:
    before = kernels(neurons, rates, leaky_softplus, given.observed, given.observed)
    after = kernels(
        step(neurons, rates, leaky_softplus, *samples), rates, leaky_softplus, given.observed, given.observed
    )
    return jnp.stack([_square(after.a - before.a), _square(after.w - before.w)])


class Linear(NamedTuple):
    """Derivatives at zero learning rate of what one step changes: logits by either layer, and the kernels'
    three.
    """

    logits: Array
    kernels: Array


def _linear(neurons: Neurons, rates: Scaling, given: Inputs, samples: tuple[Sample, Sample]) -> Linear:
    """Mean squares of the first-order part of a step, by directional derivatives through the step itself."""

    def after(rate_a: Array, rate_w: Array) -> tuple[Array, Kernels]:
        moved = step(neurons, rates._replace(rate_a=rate_a, rate_w=rate_w), leaky_softplus, *samples)
        return (
            output(moved, rates.sigma, leaky_softplus, given.observed),
            kernels(moved, rates, leaky_softplus, given.observed, given.observed),
        )

    none, unit = jnp.zeros_like(rates.sigma), jnp.ones_like(rates.sigma)
    _, (logits_a, by_a) = jax.jvp(after, (none, none), (unit, none))
    _, (logits_w, by_w) = jax.jvp(after, (none, none), (none, unit))
    return Linear(
        jnp.stack([_square(logits_a), _square(logits_w)]),
        jnp.stack([_square(by_w.a), _square(by_w.w), _square(by_a.w)]),
    )


def _square(values: Array) -> Array:
    return jnp.mean(values**2)


_SETTINGS = {"rate": 2.0, "rate_full": 32.0, "draw": DRAW}


def _grid(powers: tuple[int, ...], networks: int, trained: int, seeds: int) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        inner={"point": tuple(REPRESENTATIVES), "start": tuple(STARTS)},
        settings={**_SETTINGS, "networks": networks, "trained": trained},
        seeds=seeds,
    )


STUDY = Study(
    name="width.scaling",
    title="Logits, kernels and their changes in two steps of one-hidden-layer networks, widths 256 to 8192; initial "
    "values and first increments are one sum over neurons at all scalings, times exact powers of the width",
    measure=measure,
    variables={
        "logits": Variable(("seed", "point"), "1", "initial logits, root mean square"),
        "kernels": Variable(
            ("seed", "point", "kernel"), "1", "initial tangent kernels of either layer, root mean square"
        ),
        "increments_first": Variable(
            ("seed", "point", "start", "increment"),
            "1",
            "first-order change of kernels in the first step, root mean square",
        ),
        "increments_later": Variable(
            ("seed", "point", "increment"),
            "1",
            "first-order change of kernels in the second step, root mean square",
        ),
        "kernels_full": Variable(
            ("seed", "point", "kernel"), "1", "whole change of kernels in the first step, root mean square"
        ),
        "logits_linear": Variable(
            ("seed", "point", "layer"), "1", "first-order change of logits in the second step by either layer"
        ),
    },
    grids={
        "quick": _grid((8, 10, 12, 13), 16, 8, 52),
        "full": _grid((8, 9, 10, 11, 12, 13, 14, 15), 48, 16, 48),
        "paper": _grid((8, 9, 10, 11, 12, 13, 14, 15, 16), 96, 32, 96),
    },
    checks=(),
    reduction="mean",
)
