"""Runs of a few steps of one-hidden-layer networks at three-exponent scalings: every quantity before every step.

A seed is a small group of networks and a draw of inputs. Samples are always misclassified, by the sign of the finite
network's own logit; under sign descent, which asks for signs of gradients only, labels stay 1.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments.study import Grid, Replicates, Study, Variable
from experiments.width.run_points import PLACES, QUICK
from numerics.activations import leaky_softplus
from numerics.losses import logistic_gradient
from numerics.width_model import Kernels, Neurons, Sample, Scaling, draw_neurons, kernels, output, scaling, step

COMPONENTS, OBSERVED = 4, 3
DEFAULT = PLACES["default"]
FIRST = ("logits", "logits_linear", "kernels", "increments")


class Run(NamedTuple):
    """A place as numbers of the width: rates, factors of the initial weights, and whether signs are followed."""

    rates: Scaling
    of_a: Float[Array, ""]
    of_w: Float[Array, ""]
    signs: Float[Array, ""]


class Inputs(NamedTuple):
    """Unit vectors: where logits and kernels are looked at, and the sample of either layer in every step."""

    observed: Float[Array, "batch inputs"]
    for_a: Float[Array, "step inputs"]
    for_w: Float[Array, "step inputs"]


def measure(
    *, replicates: Replicates, data: None, width: int, place: np.ndarray, step: np.ndarray, factor: int, first: int,
    rate: float, draw: int,
) -> Mapping[str, np.ndarray]:  # fmt: skip
    """Root mean squares over networks, inputs and pairs of inputs, before every step at every place.

    A seed trains ``factor`` times the networks of each place; ``first`` networks at default scaling are looked at
    before their first step only. ``draw`` tells one set of seeds from another.
    """
    del data
    places = [PLACES[str(name)] for name in place]
    jobs = np.repeat(np.arange(len(places)), [factor * one.networks for one in places])
    found = _groups(
        jax.vmap(lambda key: jax.random.fold_in(key, draw))(replicates.keys()),
        _inputs_of(replicates.ids, len(step), draw),
        tuple(jnp.asarray(row) for row in np.array([one[:6] for one in places])[jobs].T),
        jnp.asarray((jobs[None, :] == np.arange(len(places))[:, None]) / np.bincount(jobs)[:, None]),
        rate,
        width=int(width),
        first=first,
    )
    return {name: np.asarray(values) for name, values in found.items()}


def _inputs_of(seeds: tuple[int, ...], steps: int, draw: int = 0) -> Inputs:
    """Unit vectors of each seed: drawn for it alone, the same at every width and place."""
    size = (OBSERVED + 2 * steps, COMPONENTS)
    drawn = np.stack([np.random.default_rng([21, draw, seed]).normal(size=size) for seed in seeds])
    unit = jnp.asarray(drawn / np.linalg.norm(drawn, axis=-1, keepdims=True))
    return Inputs(*jnp.split(unit, (OBSERVED, OBSERVED + steps), axis=1))


@partial(jax.jit, static_argnames=("width", "first"))
def _groups(
    keys: Array, inputs: Inputs, jobs: tuple[Array, ...], shares: Array, rate: Any, *, width: int, first: int
) -> dict[str, Array]:
    every = _runs(jobs, rate, width)
    default = _runs(tuple(jnp.asarray(value) for value in DEFAULT[:6]), rate, width)

    def group(of_seed: tuple[Array, Inputs]) -> dict[str, Array]:
        key, given = of_seed

        def network(job: tuple[Array, Run]) -> dict[str, Array]:
            one, at = job
            return _squares(draw_neurons(one, width=width, inputs=COMPONENTS), at, given)

        def fresh(one: Array) -> dict[str, Array]:
            start = draw_neurons(one, width=width, inputs=COMPONENTS)
            return _advanced(start, default, given.observed, (given.for_a[0], given.for_w[0]))[1]

        squares = jax.lax.map(network, (jax.random.split(key, len(shares.T)), every))
        means = {name: jnp.tensordot(shares, values, 1) for name, values in squares.items()}
        once = jax.lax.map(fresh, jax.random.split(jax.random.fold_in(key, 1), first))
        means |= {f"first_{name}": jnp.mean(once[name], axis=0) for name in FIRST}
        return {name: jnp.sqrt(values) for name, values in means.items()}

    return jax.lax.map(group, (keys, inputs))


def _runs(place: tuple[Array, ...], rate: Any, width: int) -> Run:
    q_sigma, q_a, q_w, alpha, omega, signs = place
    at = partial(scaling, width, rate_a=rate, rate_w=rate)
    rates = (jax.vmap(at) if q_sigma.ndim else at)(q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    return Run(rates, float(width) ** alpha, float(width) ** omega, signs)


def _squares(start: Neurons, at: Run, given: Inputs) -> dict[str, Array]:
    """Mean squares before every step of one run, shape (steps,) or (steps, parts)."""
    first = Neurons(at.of_a * start.a, at.of_w * start.w)
    advance = partial(_advanced, at=at, observed=given.observed)
    return jax.lax.scan(lambda now, xs: advance(now, samples=xs), first, (given.for_a, given.for_w))[1]


def _advanced(now: Neurons, at: Run, observed: Array, samples: tuple[Array, Array]) -> tuple[Neurons, dict[str, Array]]:
    """The neurons after a step, and mean squares before it."""
    of_a, of_w = (_sample(now, at, x) for x in samples)
    after = _moved(now, at, of_a, of_w)
    logits, increments = _linear(now, at.rates, observed, (of_a, of_w))
    found = output(now, at.rates.sigma, leaky_softplus, observed)
    change = output(after, at.rates.sigma, leaky_softplus, observed) - found
    seen = kernels(now, at.rates, leaky_softplus, observed, observed)
    return after, {
        "weights": jnp.stack([_square(now.a), _square(now.w)]),
        "moves": jnp.stack([_square(after.a - now.a), _square(after.w - now.w)]),
        "logits": _square(found),
        "change": _square(change),
        "logits_linear": logits,
        "kernels": jnp.stack([_square(seen.a), _square(seen.w)]),
        "increments": increments,
    }


def _sample(now: Neurons, at: Run, x: Float[Array, "inputs"]) -> Sample:
    """A sample with its gradient: misclassified, or of label 1 where only signs count."""
    logit = output(now, at.rates.sigma, leaky_softplus, x[None, :])
    wrong = logistic_gradient(logit, -jnp.sign(logit))
    return Sample(x[None, :], jnp.where(at.signs > 0, -jnp.ones_like(wrong), wrong))


def _moved(now: Neurons, at: Run, of_a: Sample, of_w: Sample) -> Neurons:
    """One step of gradient descent, or of the same size in the direction of its signs."""
    after = step(now, at.rates, leaky_softplus, of_a, of_w)
    signs = Neurons(
        now.a + at.rates.power_a * jnp.sign(after.a - now.a), now.w + at.rates.power_w * jnp.sign(after.w - now.w)
    )
    return jax.tree.map(lambda one, other: jnp.where(at.signs > 0, other, one), after, signs)


def _linear(now: Neurons, rates: Scaling, observed: Array, samples: tuple[Sample, Sample]) -> tuple[Array, Array]:
    """Mean squares of first-order changes, by directional derivatives through the step: logits, then kernels."""

    def after(rate_a: Array, rate_w: Array) -> tuple[Array, Kernels]:
        moved = step(now, rates._replace(rate_a=rate_a, rate_w=rate_w), leaky_softplus, *samples)
        return (
            output(moved, rates.sigma, leaky_softplus, observed),
            kernels(moved, rates, leaky_softplus, observed, observed),
        )

    none, unit = jnp.zeros_like(rates.sigma), jnp.ones_like(rates.sigma)
    _, (logits_a, by_a) = jax.jvp(after, (none, none), (unit, none))
    _, (logits_w, by_w) = jax.jvp(after, (none, none), (none, unit))
    return (
        jnp.stack([_square(logits_a), _square(logits_w)]),
        jnp.stack([_square(by_w.a), _square(by_w.w), _square(by_a.w)]),
    )


def _square(values: Array) -> Array:
    return jnp.mean(values**2)


STEPS = (0, 1, 2, 3, 4)
DRAW = 1
"""Which draw of seeds this is; the one before had too few networks at some places, and is not used again."""


def _grid(powers: tuple[int, ...], factor: int, seeds: int, places: tuple[str, ...] = tuple(PLACES)) -> Grid:
    return Grid(
        axes={"width": tuple(2**power for power in powers)},
        inner={"place": places, "step": STEPS},
        settings={"factor": factor, "first": 32 * factor, "rate": 4.0, "draw": DRAW},
        seeds=seeds,
    )


def _variable(long_name: str, *parts: str) -> Variable:
    return Variable(("seed", "place", "step", *parts), "1", f"{long_name}, root mean square before each step")


def _first(long_name: str, *parts: str) -> Variable:
    return Variable(("seed", *parts), "1", f"{long_name} at default scaling, root mean square before the first step")


STUDY = Study(
    name="width.runs",
    title="Five steps of networks of growing width at scalings of three exponents, and along signs of gradients",
    measure=measure,
    variables={
        "weights": _variable("weights of either layer", "layer"),
        "moves": _variable("moves of either layer's weights", "layer"),
        "logits": _variable("logits"),
        "change": _variable("whole change of the logits"),
        "logits_linear": _variable("first-order change of the logits by either layer", "layer"),
        "kernels": _variable("kernels", "kernel"),
        "increments": _variable("first-order changes of kernels", "increment"),
        "first_logits": _first("logits"),
        "first_logits_linear": _first("first-order change of the logits by either layer", "layer"),
        "first_kernels": _first("kernels", "kernel"),
        "first_increments": _first("first-order changes of kernels", "increment"),
    },
    grids={
        "quick": _grid((8, 10, 12), 1, 28, QUICK),
        "full": _grid((8, 10, 12, 14), 2, 160),
        "paper": _grid((8, 10, 12, 14, 16), 4, 160),
    },
    checks=(),
)
