"""Accuracy over inverse temperature and initial logits (fig 5), and over inverse temperature alone (fig 6).

Tasks on which features matter, plain SGD with the mean loss from the exact-offset start, one half trained. Every run
of a range of learning rates is kept; which one counts is chosen on validation points, which no test sees.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jaxtyping import Array

from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.chunks import map_replicates
from numerics.data import Data
from numerics.halves import exact_offset, one_half_logits
from numerics.models import Network, mlp
from numerics.normalised import normalised_mlp
from numerics.recurrent import gru
from numerics.sampling import subsets
from numerics.synthetic import sentiment, stripe

TRAINED, HELD_OUT = 600, 400
"""Points to train on, and points on which the learning rate is chosen."""
EARLY = 20
"""Steps after which early learning is looked at, as in the paper."""


def stripes(replicate: int) -> Data:
    """Four stripes of three classes, in 20 dimensions of which one counts."""
    return stripe(train=TRAINED + HELD_OUT, replicate=replicate)


def sentences(replicate: int) -> Data:
    """Sixteen words in one-hot code, some of which negate the next."""
    drawn = sentiment(train=TRAINED + HELD_OUT, replicate=replicate)
    one_hot = np.eye(22)
    return replace(drawn, x_train=one_hot[drawn.x_train], x_test=one_hot[drawn.x_test])


def plain(width: int) -> Network:
    """One hidden layer of rectified units."""
    return mlp(inputs=20, width=width, depth=1, classes=3, activation=ACTIVATIONS["scaled_relu"])


def large_weights(width: int) -> Network:
    """The same from weights three times as large."""
    network = plain(width)
    return replace(network, init=lambda key: jax.tree.map(lambda weights: 3 * weights, network.init(key)))


def normalised(width: int) -> Network:
    """The same with batch normalisation."""
    return normalised_mlp(inputs=20, width=width, depth=1, classes=3, activation=ACTIVATIONS["scaled_relu"])


def recurrent(width: int) -> Network:
    """A gated recurrent unit over words."""
    return gru(inputs=22, hidden=width // 4, classes=2)


@dataclass(frozen=True)
class System:
    """A network of a given width, and the task that it learns."""

    build: Callable[[int], Network]
    task: Callable[[int], Data]


SYSTEMS: Mapping[str, System] = {
    "plain": System(plain, stripes),
    "large_weights": System(large_weights, stripes),
    "normalised": System(normalised, stripes),
    "recurrent": System(recurrent, sentences),
}


def measure(
    replicates: Replicates,
    data: None,
    system: str,
    beta: np.ndarray,
    logit_scale: np.ndarray,
    scaled_rate: np.ndarray,
    width: int,
    steps: int,
    batch: int,
) -> Mapping[str, Any]:
    """Accuracies after training, accuracy early on, and the rms of the scaled logits at the end."""
    chosen = SYSTEMS[system]
    drawn = [chosen.task(replicate) for replicate in replicates.ids]
    x, y, x_test, y_test = (
        np.stack([part(one) for one in drawn])
        for part in (
            lambda one: one.x_train,
            lambda one: np.eye(one.classes)[one.y_train],
            lambda one: one.x_test,
            lambda one: np.eye(one.classes)[one.y_test],
        )
    )
    run = compiled(chosen.build, width, steps, batch)
    return run(replicates.keys(), *(jnp.asarray(a) for a in (x, y, x_test, y_test, beta, logit_scale, scaled_rate)))


@cache
def compiled(build: Callable[[int], Network], width: int, steps: int, batch: int) -> Callable[..., Any]:
    """All seeds, temperatures, scales and rates of one system in one compilation."""
    network = build(width)
    sample = subsets(batch)

    def run(keys: Array, x: Array, y: Array, x_test: Array, y_test: Array, *axes: Array) -> Mapping[str, Array]:
        def one_seed(seed: tuple[Array, ...]) -> Mapping[str, Array]:
            key, x, y, x_test, y_test = seed
            known = x[:TRAINED], y[:TRAINED]

            def trained(beta: Array, scale: Array, rate: Array) -> Mapping[str, Array]:
                pair = exact_offset(network, key, known[0], beta=beta, logit_scale=scale)

                def logits(params: Any, at: Array) -> Array:
                    return one_half_logits(network, pair, params, at)

                def step(count: Array, params: Any) -> Any:
                    here, labels = sample(key, count, known)
                    loss = lambda p: losses.mean(losses.cross_entropy)(logits(p, here), labels, beta)  # noqa: E731
                    return jax.tree.map(lambda p, g: p - rate / beta * g, params, jax.grad(loss)(params))

                start = pair.start
                early = jax.lax.fori_loop(0, EARLY, step, start)
                last = jax.lax.fori_loop(EARLY, steps, step, early)
                rms = beta * jnp.sqrt(jnp.mean(logits(last, known[0]) ** 2))
                return {
                    "validation": losses.accuracy(logits(last, x[TRAINED:]), y[TRAINED:]),
                    "test": losses.accuracy(logits(last, x_test), y_test),
                    "early": losses.accuracy(logits(early, x_test), y_test),
                    "final_rms": jnp.where(jnp.isfinite(rms), rms, BROKEN),
                }

            beta, scale, rate = axes
            over = lambda f, values: jax.lax.map(f, values)  # noqa: E731
            return over(lambda b: over(lambda s: over(lambda r: trained(b, s, r), rate), scale), beta)

        return map_replicates(one_seed, (keys, x, y, x_test, y_test))

    return jax.jit(run)


def at_best(dataset: xr.Dataset) -> xr.Dataset:
    """Everything at the learning rate with the best accuracy on the validation points; a run that broke has none.

    Where a number was lost at some rate, none can be said to be the best, and there is no number.
    """
    lost = (dataset["validation"].isnull() | dataset["final_rms"].isnull()).any("scaled_rate")
    best = dataset["validation"].where(dataset["final_rms"] < BROKEN, 0.0).argmax("scaled_rate")
    return dataset[["test", "early", "final_rms"]].isel(scaled_rate=best).where(~lost).assign(place=best)


def falling(**where: Any) -> Callable[[xr.Dataset], xr.Dataset]:
    """Test accuracy at the rate that validation chose, on a part of the plane."""

    def observe(dataset: xr.Dataset) -> xr.Dataset:
        return xr.Dataset({"measured": at_best(dataset)["test"].sel(where, drop=True)})

    return observe


BETAS = (0.01, 0.1, 1.0, 10.0, 100.0)
FALL = Margin(0.05, "physics", "a quarter of the 0.2 between lazy and feature learning on the stripe task")
BROKEN = float(np.finfo(np.float32).max)
"""Final rms of a run that broke: its learning rate was too large, which is a result and no lost number."""
FLAT = 0.02
"""The least fall that counts: what accuracies differ by where nothing is said to change."""
ALL = ("seed", "beta", "logit_scale", "scaled_rate")
VARIABLES = {
    "validation": Variable(ALL, "1", "accuracy on the points that choose the learning rate"),
    "test": Variable(ALL, "1", "accuracy on the test points"),
    "early": Variable(ALL, "1", "the same after 20 steps"),
    "final_rms": Variable(ALL, "1", "rms of the scaled training logits at the end, the largest number if it broke"),
}
TRAINING = {"width": 128, "steps": 600, "batch": 64}
SMALL = {"width": 16, "steps": 25, "batch": 16}


def rates(lowest: float, number: int) -> tuple[float, ...]:
    """Learning rates times beta, a factor 2^1.5 apart, from a power of 2 on."""
    return tuple(float(2 ** (lowest + 1.5 * k)) for k in range(number))


def _grids(
    systems: tuple[str, ...], scales: tuple[float, ...], tried: tuple[float, ...], steps: int
) -> Mapping[Any, Grid]:
    inner = {"beta": BETAS, "logit_scale": scales, "scaled_rate": tried}
    few = {"beta": (0.1, 10.0), "logit_scale": scales[:1], "scaled_rate": tried[:2]}
    full = {**TRAINING, "steps": steps}
    axes = {"system": systems}
    return {
        "quick": Grid(axes, few, SMALL, seeds=2),
        "full": Grid(axes, inner, full, seeds=10, block=5),
        "paper": Grid(axes, inner, {**full, "width": 512, "steps": 4 * steps}, seeds=24, block=2),
    }


def _check(law: str, system: str, **where: Any) -> Check:
    return Check(
        law=law, observe=falling(**where), margin=FALL, select={"system": system}, profiles=("full", "paper"),
        minimum_effect=FLAT,
    )  # fmt: skip


def _study(name: str, title: str, grids: Mapping[Any, Grid], *checks: Check) -> Study:
    return Study(name, title, measure, VARIABLES, grids, checks, precision="float32", reduction="mean")


PLANE = _study(
    "temperature.phase_plane",
    "Accuracy on the stripe task over inverse temperature and initial logits",
    _grids(("plain",), (0.01, 0.1, 1.0, 10.0, 100.0), rates(-1.0, 6), 600),
    _check("temperature.accuracy_in_beta", "plain", beta=list(BETAS[:4]), logit_scale=[0.01, 0.1]),
    _check("temperature.accuracy_in_logit_scale", "plain", beta=[0.1], logit_scale=[0.01, 1.0, 10.0, 100.0]),
)
ARCHITECTURES = _study(
    "temperature.architectures",
    "Accuracy on the stripe task over inverse temperature, from large weights and with batch normalisation",
    _grids(("large_weights", "normalised"), (0.01,), rates(-5.5, 7), 600),
    _check("temperature.large_weights_in_beta", "large_weights", logit_scale=0.01),
)
RECURRENT = _study(
    "temperature.recurrent_accuracy",
    "Accuracy of a gated recurrent unit on negated words over inverse temperature",
    _grids(("recurrent",), (0.01,), rates(-5.5, 5), 500),
    _check("temperature.recurrent_accuracy_in_beta", "recurrent", beta=list(BETAS[1:]), logit_scale=0.01),
)
STUDIES = (PLANE, ARCHITECTURES, RECURRENT)
