"""Full-batch descent from the starts of another study, which tells how sharp a task gets (breakeven:V12)."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from experiments.breakeven.batch_runs import _averaged as averaged
from experiments.breakeven.trajectory_tasks import labelled, network_of
from experiments.study import Replicates, Variable
from numerics.curvature import extreme_eigenpairs, hessian
from numerics.data import Data
from numerics.losses import cross_entropy
from numerics.models import Network
from numerics.trajectory import advancer, begin

VARIABLES: Mapping[str, Variable] = {
    "start": Variable(("seed",), "1", "lambda_H at the start"),
    "largest": Variable(("seed", "rate"), "1", "largest recorded lambda_H"),
    "residual": Variable(("seed", "rate"), "1", "residual of its eigenpair"),
    "reached": Variable(("seed", "rate"), "1", "flow time, learning rate * steps, at which descent stopped"),
}


def measure(
    *,
    replicates: Replicates,
    data: Data,
    network: str,
    rate: np.ndarray,
    of: str,
    points: int,
    block: int,
    flow: float,
    records: int,
    lanczos_steps: int,
    enough: float | None,
) -> Mapping[str, np.ndarray]:
    """Full-batch descent from the starts of the study `of`, for a flow time or until `enough` is exceeded.

    The loss is the mean cross-entropy, in float32; lambda_H is recorded at equal steps of flow time. Images are
    averaged over blocks of `block` x `block` pixels.
    """
    same = Replicates(of, {"network": network}, replicates.ids)
    small = data if block == 1 else averaged(data, block)
    tools = _tools(network, small.x_train.shape[1:], small.classes, lanczos_steps)
    found: dict[str, list[Any]] = {name: [] for name in VARIABLES}
    for key, random in zip(same.keys(), same.generators(), strict=True):
        x, y = labelled(network, small, points, random)
        train = (jnp.asarray(x), jnp.asarray(y))
        start = tools.start(jax.random.fold_in(key, 0))
        runs = [tools.descend(start, train, each, flow, records, enough) for each in rate.tolist()]
        found["start"].append(runs[0][0])
        for place, name in enumerate(("largest", "residual", "reached"), 1):
            found[name].append([run[place] for run in runs])
    return {name: np.array(values) for name, values in found.items()}


class _Tools:
    """Compiled pieces of one network."""

    def __init__(self, network: Network, lanczos_steps: int) -> None:
        _, unravel = ravel_pytree(network.init(jax.random.key(0)))
        self.start = jax.jit(lambda key: ravel_pytree(network.init(key))[0])

        def losses(theta: Any, batch: Any) -> Any:
            return cross_entropy(network.apply(unravel(theta), batch[0]), batch[1])

        def sharpness(theta: Any, train: Any) -> Any:
            operator = hessian(lambda vector: jnp.mean(losses(vector, train)), theta)
            top = extreme_eigenpairs(operator, lanczos_steps, bottom=0).top
            return top.values[0], top.residuals[0]

        self.advance, self.sharpness = advancer(losses, None), jax.jit(sharpness)

    def descend(
        self, theta: Any, train: Any, rate: float, flow: float, records: int, enough: float | None
    ) -> tuple[float, float, float, float]:
        """lambda_H at the start, the largest one and its residual, and the flow time at the end."""
        walk, found, stop = begin(theta), [], 0
        for stop in np.rint(np.linspace(0, flow / rate, records)).astype(int).tolist():
            walk, _ = self.advance(walk, train, jax.random.key(0), rate, 0.0, stop)
            found.append(tuple(float(value) for value in self.sharpness(walk.theta, train)))
            if enough is not None and found[-1][0] > enough:
                break
        lost = [one for one in found if not np.isfinite(one[0])]  # a run that diverges has no largest value
        return found[0][0], *(lost[0] if lost else max(found)), stop * rate


@cache
def _tools(name: str, shape: tuple[int, ...], classes: int, lanczos_steps: int) -> _Tools:
    return _Tools(network_of(name, shape, classes), lanczos_steps)
