"""Train from one start at many settings, with momentum and rates that decay, and measure what mini-batches tell, and
the trace of the Hessian, at equal flow times.

As ``batch_runs``, whose runs have neither; all runs of a cell share the labels, the start, the order of the batches and
the draws of the estimators.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from experiments.breakeven.trajectory_tasks import labelled, network_of
from experiments.study import Grid, Replicates, Variable
from numerics.batch_observer import batch_observer
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import Data
from numerics.losses import accuracy, cross_entropy
from numerics.models import Network
from numerics.traces import stochastic_trace
from numerics.trajectory import advancer, begin, cold

DECAY = 0.1
"""Factor of a rate that decays, half-way."""
NATURAL_RECORDS = 12

ALONG = ("seed", "run", "record")
VARIABLES: Mapping[str, Variable] = {
    "loss": Variable(ALONG, "1", "training loss, all points as one batch"),
    "accuracy": Variable(ALONG, "1", "training accuracy"),
    "gradient_norm": Variable(ALONG, "1", "norm of the full gradient"),
    "lambda_H": Variable(ALONG, "1", "largest eigenvalue of the Hessian"),
    "lambda_H_residual": Variable(ALONG, "1", "residual of its eigenpair"),
    "trace_H": Variable(ALONG, "1", "trace of the Hessian, mean over probes"),
    "trace_H_error": Variable(ALONG, "1", "its standard error over probes"),
    "lambda_KM": Variable(ALONG, "1", "largest eigenvalue of K^M times M L/(L-1)"),
    "lambda_KM_smallest": Variable(ALONG, "1", "smallest nonzero eigenvalue of K^M times M L/(L-1)"),
    "trace_KM": Variable(ALONG, "1", "trace of K^M times M L/(L-1)"),
    "projection_ratio": Variable(ALONG, "1", "mean of ||g|| / ||g_5|| over fresh batches"),
    "projection_ratio_smallest": Variable(ALONG, "1", "least of ||g|| / ||g_5|| over fresh batches"),
    "natural_lambda_H": Variable(("seed",), "1", "largest lambda_H of a full-batch run with a small learning rate"),
}


def measure(
    *,
    replicates: Replicates,
    data: Data,
    network: str,
    run: np.ndarray,
    rate: tuple[float, ...],
    batch_size: tuple[int, ...],
    momentum: tuple[float, ...],
    decays: tuple[bool, ...],
    points: int,
    records: int,
    flow: float,
    natural_rate: float,
    natural_flow: float,
    lanczos_steps: int,
    gram_batches: int,
    gram_size: int,
    fresh: int,
    probes: int,
) -> Mapping[str, np.ndarray]:
    """Every run for the same flow time, learning rate * steps / (1 - momentum); records at equal steps of it.

    The loss is the mean cross-entropy; float32, Gram matrices float64. A rate that decays does so half-way, in steps.
    """
    tools = _tools(network, data.x_train.shape[1:], data.classes, lanczos_steps, gram_batches, gram_size, fresh, probes)
    found = []
    for key, random in zip(replicates.keys(), replicates.generators(), strict=True):
        x, y = labelled(network, data, points, random)
        train = (jnp.asarray(x), jnp.asarray(y))
        start = tools.start(jax.random.fold_in(key, 0))
        each = []
        for index in range(run.size):
            last = flow * (1 - momentum[index]) / rate[index]
            stops = np.rint(np.linspace(0, last, records)).astype(int)
            rates = np.where(decays[index] & (np.arange(records) > records // 2), DECAY * rate[index], rate[index])
            size = batch_size[index] if batch_size[index] < points else None
            each.append(tools.follow(start, train, key, rates, momentum[index], size, stops))
        one = {name: np.stack([arrays[name] for arrays in each]) for name in each[0]}
        found.append({**one, "natural_lambda_H": tools.natural(start, train, natural_rate, natural_flow)})
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


class _Tools:
    """Compiled pieces of one network; advance is compiled once for each batch size."""

    def __init__(self, network: Network, settings: tuple[int, ...]) -> None:
        lanczos_steps, gram_batches, gram_size, fresh, probes = settings
        flat, unravel = ravel_pytree(network.init(jax.random.key(0)))
        self.start = jax.jit(lambda key: ravel_pytree(network.init(key))[0])
        self.cold = cold(flat.shape[0], flat.dtype)

        def losses(theta: Any, batch: Any) -> Any:
            return cross_entropy(network.apply(unravel(theta), batch[0]), batch[1])

        def loss(theta: Any, batch: Any) -> Any:
            return jnp.mean(losses(theta, batch))

        def seen(theta: Any, train: Any, key: Any) -> Any:
            operator = hessian(lambda vector: loss(vector, train), theta)
            trace = stochastic_trace(operator.product, key, operator.size, operator.dtype, probes)
            fit = accuracy(network.apply(unravel(theta), train[0]), train[1])
            return {"accuracy": fit, "trace_H": trace.value, "trace_H_error": trace.error}

        def sharpness(theta: Any, train: Any) -> Any:
            operator = hessian(lambda vector: loss(vector, train), theta)
            return extreme_eigenpairs(operator, lanczos_steps, bottom=0).top.values[0]

        self.observe = batch_observer(
            loss, lanczos_steps=lanczos_steps, gram_batches=gram_batches, gram_size=gram_size, fresh=fresh
        )
        self.see, self.sharpness = jax.jit(seen), jax.jit(sharpness)
        self.advance: Callable[[int | None], Any] = cache(lambda size: advancer(losses, size))

    def follow(
        self, theta: Any, train: Any, key: Any, rates: np.ndarray, momentum: float, size: int | None, stops: np.ndarray
    ) -> dict[str, np.ndarray]:
        """The records of one run, by name, along a first axis; `rates` are those of the steps up to each of `stops`."""
        walk, warm, found = begin(theta), self.cold, []
        batches, draws, signs = (jax.random.fold_in(key, place) for place in (1, 2, 3))
        for record, (stop, rate) in enumerate(zip(stops.tolist(), rates.tolist(), strict=True)):
            walk, _ = self.advance(size)(walk, train, batches, rate, momentum, stop)
            numbers, warm = self.observe(walk.theta, train, jax.random.fold_in(draws, record), warm)
            found.append({**numbers, **self.see(walk.theta, train, jax.random.fold_in(signs, record))})
        return {name: np.stack([np.asarray(one[name]) for one in found]) for name in found[0]}

    def natural(self, theta: Any, train: Any, rate: float, flow: float) -> np.ndarray:
        """Largest sharpness of a full-batch run whose edge is out of reach."""
        walk, values = begin(theta), []
        for stop in np.rint(np.linspace(0, flow / rate, NATURAL_RECORDS)).astype(int).tolist():
            walk, _ = self.advance(None)(walk, train, jax.random.key(0), rate, 0.0, stop)
            values.append(np.asarray(self.sharpness(walk.theta, train)))
        return np.max(values)


@cache
def _tools(name: str, shape: tuple[int, ...], classes: int, *settings: int) -> _Tools:
    return _Tools(network_of(name, shape, classes), settings)


def grid(
    network: str,
    runs: tuple[tuple[float, int, float, bool], ...],
    records: int,
    seeds: int,
    *,
    flow: float,
    natural: tuple[float, float],
    gram_size: int,
    probes: int,
) -> Grid:
    """Grid of runs: (learning rate, batch size, momentum, whether the rate decays half-way); `natural` is the rate and
    flow of the run that shows how sharp the task gets.
    """
    rate, batch_size, momentum, decays = zip(*runs, strict=True)
    return Grid(
        axes={"network": (network,)},
        inner={"run": tuple(range(len(runs)))},
        settings={
            "rate": rate,
            "batch_size": batch_size,
            "momentum": momentum,
            "decays": decays,
            "records": records,
            "flow": flow,
            "natural_rate": natural[0],
            "natural_flow": natural[1],
            "points": 256,
            "lanczos_steps": 12,
            "gram_batches": 25,
            "gram_size": gram_size,
            "fresh": 8,
            "probes": probes,
        },
        seeds=seeds,
        block=1,
    )
