"""Accuracy from large weights, in a recurrent network and over initial logits, each beside what must not fall.

The same training as in the phase plane, with the rate chosen on the same validation points and on seeds of its own. A
network's tangent plane at the start sees the temperature through eta~ alone and has no features to lose. Initial logits
that all classes share are as large as any and leave the softmax uniform.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, CounterSystem, Grid, Replicates, Study
from experiments.temperature.linearised_plane import at_chosen_rate
from experiments.temperature.phase_plane import (
    BROKEN,
    FALL,
    FLAT,
    SMALL,
    SYSTEMS,
    TRAINED,
    TRAINING,
    VARIABLES,
    rates,
)
from numerics import losses
from numerics.chunks import map_replicates
from numerics.halves import Pair, exact_offset, initial_logits, one_half_logits
from numerics.models import Network
from numerics.sampling import subsets
from numerics.timescales import tangent_plane

Logits = Callable[[Any, Array], Array]


def as_it_is(network: Network, pair: Pair, known: Array) -> Logits:
    """The network, one half of it trained."""
    return lambda params, at: one_half_logits(network, pair, params, at)


def linearised(network: Network, pair: Pair, known: Array) -> Logits:
    """Its tangent plane at the start."""
    return lambda params, at: tangent_plane(lambda p: one_half_logits(network, pair, p, at), pair.start)(params)


def sharing(network: Network, pair: Pair, known: Array) -> Logits:
    """The network from logits of the same rms, of which all classes have those of the first."""
    silent = pair._replace(mixed=jnp.zeros_like(pair.mixed))
    drawn = initial_logits(network, pair, known)
    larger = jnp.sqrt(jnp.mean(drawn**2) / jnp.mean(drawn[:, :1] ** 2))

    def logits(params: Any, at: Array) -> Array:
        return one_half_logits(network, silent, params, at) + larger * initial_logits(network, pair, at)[:, :1]

    return logits


VARIANTS: Mapping[str, Callable[[Network, Pair, Array], Logits]] = {
    "network": as_it_is,
    "linearised": linearised,
    "shared_logits": sharing,
}


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    scaled_rate: np.ndarray,
    architecture: str,
    width: int,
    steps: int,
    batch: int,
) -> Mapping[str, Any]:
    """Accuracies after training, and the rms of the scaled logits at the end."""
    chosen = SYSTEMS[architecture]
    drawn = [chosen.task(replicate) for replicate in replicates.ids]
    x, x_test = (np.stack([getattr(one, name) for one in drawn]) for name in ("x_train", "x_test"))
    y, y_test = (
        np.stack([np.eye(one.classes)[getattr(one, f"y_{part}")] for one in drawn]) for part in ("train", "test")
    )
    run = compiled(chosen.build, width, steps, batch, VARIANTS[system])
    return run(replicates.keys(), *(jnp.asarray(a) for a in (x, y, x_test, y_test, beta, logit_scale, scaled_rate)))


@cache
def compiled(
    build: Callable[[int], Network],
    width: int,
    steps: int,
    batch: int,
    variant: Callable[[Network, Pair, Array], Logits],
) -> Callable[..., Any]:
    """All seeds, temperatures, scales and rates of one system in one compilation."""
    network, sample = build(width), subsets(batch)

    def run(keys: Array, x: Array, y: Array, x_test: Array, y_test: Array, *axes: Array) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, ...]) -> Mapping[str, Array]:
            key, x, y, x_test, y_test = seed
            known = x[:TRAINED], y[:TRAINED]

            def trained(beta: Array, scale: Array, rate: Array) -> Mapping[str, Array]:
                pair = exact_offset(network, key, known[0], beta=beta, logit_scale=scale)
                logits = variant(network, pair, known[0])

                def step(count: Array, params: Any) -> Any:
                    here, labels = sample(key, count, known)
                    loss = lambda p: losses.mean(losses.cross_entropy)(logits(p, here), labels, beta)  # noqa: E731
                    return jax.tree.map(lambda p, g: p - rate / beta * g, params, jax.grad(loss)(params))

                last = jax.lax.fori_loop(0, steps, step, pair.start)
                rms = beta * jnp.sqrt(jnp.mean(logits(last, known[0]) ** 2))
                return {
                    "validation": losses.accuracy(logits(last, x[TRAINED:]), y[TRAINED:]),
                    "test": losses.accuracy(logits(last, x_test), y_test),
                    "final_rms": jnp.where(jnp.isfinite(rms), rms, BROKEN),
                }

            beta, scale, rate = axes
            over = lambda f, values: jax.lax.map(f, values)  # noqa: E731
            return over(lambda b: over(lambda s: over(lambda r: trained(b, s, r), rate), scale), beta)

        return map_replicates(one_seed, (keys, x, y, x_test, y_test))

    return jax.jit(run)


def over(control: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Test accuracy at the rate that validation chose, over its one control."""
    other = {"beta": "logit_scale", "logit_scale": "beta"}[control]
    return lambda dataset: at_chosen_rate(dataset).isel({other: 0}, drop=True)


IN_PLANE = CounterSystem(
    "linearised network",
    {"system": "linearised"},
    "the temperature reaches it through eta~ alone, and it has no features",
)
SHARED = CounterSystem(
    "logits that all classes share",
    {"system": "shared_logits"},
    "a softmax does not see what all classes share: there is no opinion to unlearn, however large the logits",
)


def study(
    name: str,
    title: str,
    architecture: str,
    law: str,
    control: str,
    counter: CounterSystem,
    beta: tuple[float, ...],
    scales: tuple[float, ...],
    tried: tuple[float, ...],
    steps: int,
    seeds: int = 12,
) -> Study:
    """A network and one counter-system over one control, on seeds that no other study has."""
    full = {**TRAINING, "steps": steps, "architecture": architecture}
    axes = {"system": ("network", counter.select["system"])}

    def grid(settings: Mapping[str, Any], count: int, few: bool = False) -> Grid:
        end = 2 if few else None
        inner = {"beta": beta[:end], "logit_scale": scales[:end], "scaled_rate": tried[:end]}
        return Grid(axes, inner, settings, seeds=count, first_seed=300, block=seeds // 2)

    return Study(
        name=f"temperature.{name}",
        title=title,
        measure=measure,
        variables={name: VARIABLES[name] for name in ("validation", "test", "final_rms")},
        grids={
            "quick": grid({**SMALL, "architecture": architecture}, 2, few=True),
            "full": grid(full, seeds),
            "paper": grid({**full, "width": 512, "steps": 4 * steps}, 24),
        },
        checks=(
            Check(
                law=f"temperature.{law}",
                observe=over(control),
                margin=FALL,
                select={"system": "network"},
                counter_systems=(counter,),
                profiles=("full", "paper"),
                minimum_effect=FLAT,
            ),
        ),
        precision="float32",
        reduction="mean",
    )


STUDIES = (
    study(
        "large_weights_plane",
        "Accuracy from large weights, of networks and of their linearisations, over inverse temperature",
        "large_weights",
        "large_weights_with_features_in_beta",
        "beta",
        IN_PLANE,
        (0.01, 0.1, 1.0, 10.0),
        (0.01,),
        rates(-5.5, 7),
        600,
    ),
    study(
        "recurrent_plane",
        "Accuracy of gated recurrent units and of their linearisations over inverse temperature",
        "recurrent",
        "recurrent_accuracy_with_features_in_beta",
        "beta",
        IN_PLANE,
        (0.1, 1.0, 10.0, 100.0),
        (0.01,),
        rates(-5.5, 5),
        500,
        seeds=10,
    ),
    study(
        "shared_logits",
        "Accuracy over initial logits that tell classes apart, and over such as all classes share",
        "plain",
        "accuracy_with_opinion_in_logit_scale",
        "logit_scale",
        SHARED,
        (0.1,),
        (0.01, 1.0, 10.0, 100.0),
        rates(-1.0, 6),
        600,
    ),
)
