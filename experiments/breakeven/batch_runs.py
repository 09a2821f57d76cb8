"""Train from one start at many settings, and measure what mini-batches alone can tell, at equal flow times.

For networks with batch normalisation, in which no example has a gradient of its own, and for networks that are too
large for the gradients of all examples. All runs of a cell share the labels, the order of the batches and the draws
of the estimators; runs of one network share the start.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from experiments.breakeven.trajectory_tasks import labelled, network_of
from experiments.study import Replicates, Variable
from numerics.batch_observer import batch_observer
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import Data
from numerics.losses import accuracy, cross_entropy
from numerics.models import Network
from numerics.normalised import normalised_mlp
from numerics.trajectory import advancer, begin, cold

NATURAL_RECORDS = 12
WIDTH, DEPTH = 32, 4
"""Of the normalised network, which is the tanh network of the other trajectories with a normalisation in each layer."""

ALONG = ("seed", "run", "record")
VARIABLES: Mapping[str, Variable] = {
    "loss": Variable(ALONG, "1", "training loss, all points as one batch"),
    "accuracy": Variable(ALONG, "1", "training accuracy"),
    "gradient_norm": Variable(ALONG, "1", "norm of the full gradient"),
    "lambda_H": Variable(ALONG, "1", "largest eigenvalue of the Hessian"),
    "lambda_H_residual": Variable(ALONG, "1", "residual of its eigenpair"),
    "lambda_KM": Variable(ALONG, "1", "largest eigenvalue of K^M times M L/(L-1)"),
    "lambda_KM_smallest": Variable(ALONG, "1", "smallest nonzero eigenvalue of K^M times M L/(L-1)"),
    "trace_KM": Variable(ALONG, "1", "trace of K^M times M L/(L-1)"),
    "projection_ratio": Variable(ALONG, "1", "mean of ||g|| / ||g_5|| over fresh batches"),
    "projection_ratio_smallest": Variable(ALONG, "1", "least of ||g|| / ||g_5|| over fresh batches"),
    "scale_norm": Variable(ALONG, "1", "norm of the last normalisation's scales; 0 where there is none"),
    "natural_lambda_H": Variable(
        ("seed", "run"), "1", "largest lambda_H of a full-batch run of the network with a small learning rate"
    ),
}


def measure(
    *,
    replicates: Replicates,
    data: Data,
    network: str,
    run: np.ndarray,
    rate: tuple[float, ...],
    batch_size: tuple[int, ...],
    normalised: tuple[bool, ...],
    points: int,
    block: int,
    records: int,
    flow: float,
    natural_rate: float,
    natural_flow: float,
    lanczos_steps: int,
    gram_batches: int,
    gram_size: int,
    fresh: int,
) -> Mapping[str, np.ndarray]:
    """Every run for the same flow time, learning rate * steps; records at equal steps of it, the start included.

    The loss is the mean cross-entropy; float32, Gram matrices float64. Images are averaged over blocks of
    `block` x `block` pixels. A normalised network sees the statistics of the batch at hand, in steps and records.
    """
    small = data if block == 1 else _averaged(data, block)
    shape, found = small.x_train.shape[1:], []
    tools = {
        kind: _tools(network, kind, shape, data.classes, lanczos_steps, gram_batches, gram_size, fresh)
        for kind in set(normalised)
    }
    for key, random in zip(replicates.keys(), replicates.generators(), strict=True):
        x, y = labelled(network, small, points, random)
        train = (jnp.asarray(x), jnp.asarray(y))
        starts = {kind: own.start(jax.random.fold_in(key, 0)) for kind, own in tools.items()}
        natural = {kind: own.natural(starts[kind], train, natural_rate, natural_flow) for kind, own in tools.items()}
        each = []
        for index in range(run.size):
            kind = normalised[index]
            stops = np.rint(np.linspace(0, flow / rate[index], records)).astype(int)
            size = batch_size[index] if batch_size[index] < points else None
            arrays = tools[kind].follow(starts[kind], train, key, rate[index], size, stops)
            each.append({**arrays, "natural_lambda_H": natural[kind]})
        found.append({name: np.stack([one[name] for one in each]) for name in each[0]})
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


class _Tools:
    """Compiled pieces of one network; advance is compiled once for each batch size."""

    def __init__(self, network: Network, settings: tuple[int, ...]) -> None:
        lanczos_steps, gram_batches, gram_size, fresh = settings
        example = network.init(jax.random.key(0))
        flat, unravel = ravel_pytree(example)
        self.start = jax.jit(lambda key: ravel_pytree(network.init(key))[0])
        self.cold = cold(flat.shape[0], flat.dtype)

        def losses(theta: Any, batch: Any) -> Any:
            return cross_entropy(network.apply(unravel(theta), batch[0]), batch[1])

        def loss(theta: Any, batch: Any) -> Any:
            return jnp.mean(losses(theta, batch))

        def seen(theta: Any, train: Any) -> Any:
            params = unravel(theta)
            fit = accuracy(network.apply(params, train[0]), train[1])
            last = params.body[-1]
            scales = last[1] if len(last) == 3 else jnp.zeros(1, theta.dtype)
            return {"accuracy": fit, "scale_norm": jnp.sqrt(jnp.sum(scales**2))}

        def sharpness(theta: Any, train: Any) -> Any:
            return extreme_eigenpairs(hessian(lambda v: loss(v, train), theta), lanczos_steps, bottom=0).top.values[0]

        self.observe = batch_observer(
            loss, lanczos_steps=lanczos_steps, gram_batches=gram_batches, gram_size=gram_size, fresh=fresh
        )
        self.see, self.sharpness = jax.jit(seen), jax.jit(sharpness)
        self.advance: Callable[[int | None], Any] = cache(lambda size: advancer(losses, size))

    def follow(
        self, theta: Any, train: Any, key: Any, rate: float, size: int | None, stops: np.ndarray
    ) -> dict[str, np.ndarray]:
        """The records of one run, by name, along a first axis."""
        walk, warm, found = begin(theta), self.cold, []
        batches, draws = jax.random.fold_in(key, 1), jax.random.fold_in(key, 2)
        for record, stop in enumerate(stops.tolist()):
            walk, _ = self.advance(size)(walk, train, batches, rate, 0.0, stop)
            numbers, warm = self.observe(walk.theta, train, jax.random.fold_in(draws, record), warm)
            found.append({**numbers, **self.see(walk.theta, train)})
        return {name: np.stack([np.asarray(one[name]) for one in found]) for name in found[0]}

    def natural(self, theta: Any, train: Any, rate: float, flow: float) -> np.ndarray:
        """Largest sharpness of a full-batch run whose edge is out of reach."""
        walk, values = begin(theta), []
        for stop in np.rint(np.linspace(0, flow / rate, NATURAL_RECORDS)).astype(int).tolist():
            walk, _ = self.advance(None)(walk, train, jax.random.key(0), rate, 0.0, stop)
            values.append(np.asarray(self.sharpness(walk.theta, train)))
        return np.max(values)


@cache
def _tools(name: str, normalised: bool, shape: tuple[int, ...], classes: int, *settings: int) -> _Tools:
    if not normalised:
        return _Tools(network_of(name, shape, classes), settings)
    inputs = int(np.prod(shape))
    return _Tools(
        normalised_mlp(
            inputs=inputs, width=WIDTH, depth=DEPTH, classes=classes, activation=jnp.tanh, dtype=jnp.float32
        ),
        settings,
    )


def _averaged(data: Data, block: int) -> Data:
    """Images of which each block of pixels is one pixel, as floats in the same range."""

    def smaller(x: np.ndarray) -> np.ndarray:
        images = x if x.ndim == 4 else x[..., None]
        count, height, width, channels = images.shape
        if height % block or width % block:
            raise ValueError(
                f"batch_runs: images of {height} x {width} have no blocks of {block}; pass a block that divides both"
            )
        split = images.reshape(count, height // block, block, width // block, block, channels)
        return split.mean(axis=(2, 4)).astype(np.float32)

    return Data(smaller(data.x_train), data.y_train, smaller(data.x_test), data.y_test, data.classes, data.name)
