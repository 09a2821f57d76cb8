"""Train from one start at many settings and measure the same things at the same flow times.

All runs of a cell share the start, the labels, the order of the batches and the draws of the estimators: they
are paired. The checks and grids that use this live in other modules, so that adding one leaves what was
measured alone.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from experiments.breakeven.trajectory_tasks import TASKS, labelled, network_of
from experiments.study import Replicates, Variable
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import Data
from numerics.inputs import flatten
from numerics.losses import accuracy, cross_entropy
from numerics.trajectory import advancer, begin, cold, observer

DECAY = 0.1
"""Factor of the learning rate in the second half of a run that decays."""
FEATURES = 16
"""Coordinates kept of the test predictions."""
EMBEDDED_POINTS = 100
NATURAL_RECORDS = 16

ALONG = ("seed", "run", "record")
VARIABLES: Mapping[str, Variable] = {
    "loss": Variable(ALONG, "1", "training loss"),
    "accuracy": Variable(ALONG, "1", "training accuracy"),
    "test_accuracy": Variable(ALONG, "1", "test accuracy"),
    "cosine": Variable(ALONG, "1", "mean cosine of consecutive mini-batch gradients since the last record"),
    "lambda_H": Variable(ALONG, "1", "largest eigenvalue of the Hessian"),
    "lambda_H_residual": Variable(ALONG, "1", "residual of its eigenpair"),
    "lambda_H_lowest": Variable(ALONG, "1", "smallest (most negative) eigenvalue of the Hessian"),
    "lambda_H_lowest_residual": Variable(ALONG, "1", "residual of its eigenpair"),
    "spectrum_H": Variable((*ALONG, "eigen"), "1", "Ritz values of the Hessian, descending"),
    "lambda_K": Variable(ALONG, "1", "largest eigenvalue of the gradient covariance K, exact"),
    "lambda_K_smallest": Variable(ALONG, "1", "smallest nonzero eigenvalue of K, exact"),
    "trace_K": Variable(ALONG, "1", "trace of K, exact"),
    "spectrum_K": Variable((*ALONG, "eigen"), "1", "leading eigenvalues of K, descending"),
    "lambda_KM": Variable(ALONG, "1", "largest eigenvalue of K^M times M L/(L-1)"),
    "lambda_KM_smallest": Variable(ALONG, "1", "smallest nonzero eigenvalue of K^M times M L/(L-1)"),
    "trace_KM": Variable(ALONG, "1", "trace of K^M times M L/(L-1)"),
    "alignment": Variable(ALONG, "1", "|<e_H, e_K>|"),
    "variance_along": Variable(ALONG, "1", "e_H^T K e_H"),
    "curvature_mean": Variable(ALONG, "1", "mean of q_i = e_H^T H_i e_H"),
    "curvature_variance": Variable(ALONG, "1", "population variance of q_i"),
    "curvature_smallest": Variable(ALONG, "1", "smallest q_i"),
    "slope": Variable(ALONG, "1", "<g, e_H>"),
    "growth": Variable(ALONG, "1", "left side of Eq. 1 from draws of batches"),
    "gradient_norm": Variable(ALONG, "1", "norm of the full gradient"),
    "projection_ratio": Variable(ALONG, "1", "mean of ||g|| / ||g_5|| over fresh batches"),
    "projection_ratio_smallest": Variable(ALONG, "1", "least of ||g|| / ||g_5|| over fresh batches"),
    "loss_change": Variable(ALONG, "1", "mean change of the loss in one step"),
    "loss_rises": Variable(ALONG, "1", "share of fresh batches whose step raises the loss"),
    "quadratic_change": Variable(ALONG, "1", "mean change of the loss in one step, to second order"),
    "quadratic_rises": Variable(ALONG, "1", "share of batches whose step raises the loss to second order"),
    "batch_sharpness": Variable(ALONG, "1", "E[gB^T HB gB] / E||gB||^2"),
    "noise_curvature": Variable(ALONG, "1", "E[gB^T H gB]"),
    "embedding": Variable((*ALONG, "feature"), "1", "fixed random projection of the test predictions"),
    "natural_lambda_H": Variable(("seed",), "1", "largest lambda_H of a full-batch run with a small learning rate"),
}


def measure(
    *,
    replicates: Replicates,
    data: Data,
    network: str,
    run: np.ndarray,
    rate_factor: tuple[float, ...],
    batch_size: tuple[int, ...],
    momentum: tuple[float, ...],
    decays: tuple[bool, ...],
    points: int,
    records: int,
    lanczos_steps: int,
    gram_batches: int,
    gram_size: int,
    probes: int,
) -> Mapping[str, np.ndarray]:
    """Every run from the same start; records at equal steps of flow time, the start included.

    The loss is the mean cross-entropy; parameters and training are float32, Gram matrices float64. Flow time
    is learning rate * steps / (1 - momentum).
    """
    task, found = TASKS[network], []
    tools = _tools(network, data.x_train.shape[1:], data.classes, lanczos_steps, gram_batches, gram_size, probes)
    test = jnp.asarray(task.scale(flatten(data.x_test[:EMBEDDED_POINTS])), jnp.float32)
    test = (test, jnp.asarray(np.eye(data.classes)[data.y_test[:EMBEDDED_POINTS]], jnp.float32))
    for key, random in zip(replicates.keys(), replicates.generators(), strict=True):
        x, y = labelled(network, data, points, random)
        train = (jnp.asarray(x), jnp.asarray(y))
        theta = tools.start(jax.random.fold_in(key, 0))
        each = []
        for index in range(run.size):
            size = batch_size[index] if batch_size[index] < points else None
            rate, kept = task.rate * rate_factor[index], momentum[index]
            settings = (rate, kept, min(batch_size[index], points), decays[index])
            each.append(_follow(tools, tools.advance(size), theta, train, test, key, settings, task.flow, records))
        one = {name: np.stack([np.asarray(arrays[name]) for arrays in each]) for name in each[0]}
        one["natural_lambda_H"] = _natural(tools, theta, train, key, task.natural_rate, task.natural_flow)
        found.append(one)
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


class _Tools:
    """Compiled pieces of one network; advance is compiled once for each batch size."""

    def __init__(self, network: Any, shape: tuple[int, ...], settings: tuple[int, ...]) -> None:
        lanczos_steps, gram_batches, gram_size, probes = settings
        example = network.init(jax.random.key(0))
        _, unravel = ravel_pytree(example)
        self.start = jax.jit(lambda key: ravel_pytree(network.init(key))[0])

        def losses(theta: Any, batch: Any) -> Any:
            return cross_entropy(network.apply(unravel(theta), batch[0]), batch[1])

        def seen(theta: Any, train: Any, test: Any) -> Any:
            logits, labels = network.apply(unravel(theta), test[0]), test[1]
            predictions = jax.nn.softmax(logits).reshape(-1)
            basis = jax.random.normal(jax.random.key(16), (FEATURES, predictions.size), jnp.float32)
            embedding = jnp.matmul(basis, predictions, precision=jax.lax.Precision.HIGHEST) / FEATURES**0.5
            fit = accuracy(network.apply(unravel(theta), train[0]), train[1])
            return {"accuracy": fit, "test_accuracy": accuracy(logits, labels), "embedding": embedding}

        def sharpness(theta: Any, train: Any) -> Any:
            operator = hessian(lambda vector: jnp.mean(losses(vector, train)), theta)
            return extreme_eigenpairs(operator, lanczos_steps, bottom=0).top.values[0]

        self.observe = observer(
            losses,
            lanczos_steps=lanczos_steps,
            gram_batches=gram_batches,
            gram_size=gram_size,
            probes=probes,
        )
        self.see, self.sharpness = jax.jit(seen), jax.jit(sharpness)
        self.advance: Callable[[int | None], Any] = cache(lambda size: advancer(losses, size))


@cache
def _tools(network: str, shape: tuple[int, ...], classes: int, *settings: int) -> _Tools:
    return _Tools(network_of(network, shape, classes), shape, settings)


def _follow(
    tools: _Tools,
    advance: Any,
    theta: Any,
    train: Any,
    test: Any,
    key: Any,
    settings: tuple[float, float, int, bool],
    flow: float,
    records: int,
) -> dict[str, np.ndarray]:
    rate, momentum, size, decays = settings
    last = flow * (1 - momentum) / rate
    walk, warm = begin(theta), cold(theta.shape[0], theta.dtype)
    batches, draws = jax.random.fold_in(key, 1), jax.random.fold_in(key, 2)
    found = []
    for record, stop in enumerate(np.rint(np.linspace(0, last, records)).astype(int)):
        now = rate * DECAY if decays and record > records // 2 else rate
        walk, cosine = advance(walk, train, batches, now, momentum, int(stop))
        numbers, warm = tools.observe(walk.theta, train, jax.random.fold_in(draws, record), now, size, warm)
        undefined = jnp.zeros_like(cosine) if int(stop) < 2 or record == 0 else cosine
        found.append({**numbers, **tools.see(walk.theta, train, test), "cosine": undefined})
    return {name: np.stack([np.asarray(one[name]) for one in found]) for name in found[0]}


def _natural(tools: _Tools, theta: Any, train: Any, key: Any, rate: float, flow: float) -> np.ndarray:
    advance, walk = tools.advance(None), begin(theta)
    values = []
    for stop in np.rint(np.linspace(0, flow / rate, NATURAL_RECORDS)).astype(int):
        walk, _ = advance(walk, train, key, rate, 0.0, int(stop))
        values.append(np.asarray(tools.sharpness(walk.theta, train)))
    return np.max(values)
