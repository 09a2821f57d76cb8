"""Train from one start at rates and sizes and for a flow time that the grid gives; measure what `trajectory_runs` does.

There both belong to the task; runs that a check states number by number (breakeven:V11) have their own.
"""

from collections.abc import Mapping

import jax
import jax.numpy as jnp
import numpy as np

from experiments.breakeven.trajectory_runs import EMBEDDED_POINTS, VARIABLES
from experiments.breakeven.trajectory_runs import _follow as follow
from experiments.breakeven.trajectory_runs import _natural as natural
from experiments.breakeven.trajectory_runs import _tools as tools_of
from experiments.breakeven.trajectory_tasks import TASKS, labelled
from experiments.study import Replicates
from numerics.data import Data
from numerics.inputs import flatten

__all__ = ["VARIABLES", "measure"]


def measure(
    *,
    replicates: Replicates,
    data: Data,
    network: str,
    run: np.ndarray,
    rate: tuple[float, ...],
    batch_size: tuple[int, ...],
    points: int,
    records: int,
    flow: float,
    natural_rate: float,
    natural_flow: float,
    lanczos_steps: int,
    gram_batches: int,
    gram_size: int,
    probes: int,
) -> Mapping[str, np.ndarray]:
    """Every run without momentum, from the same start, on the same labels; records at equal steps of flow time.

    The loss is the mean cross-entropy; parameters and training are float32, Gram matrices float64.
    """
    task = TASKS[network]
    tools = tools_of(network, data.x_train.shape[1:], data.classes, lanczos_steps, gram_batches, gram_size, probes)
    images = jnp.asarray(task.scale(flatten(data.x_test[:EMBEDDED_POINTS])), jnp.float32)
    test = (images, jnp.asarray(np.eye(data.classes)[data.y_test[:EMBEDDED_POINTS]], jnp.float32))
    found = []
    for key, random in zip(replicates.keys(), replicates.generators(), strict=True):
        x, y = labelled(network, data, points, random)
        train, start = (jnp.asarray(x), jnp.asarray(y)), tools.start(jax.random.fold_in(key, 0))
        each = [
            follow(
                tools,
                tools.advance(batch_size[index]),
                start,
                train,
                test,
                key,
                (rate[index], 0.0, batch_size[index], False),
                flow,
                records,
            )
            for index in range(run.size)
        ]
        one = {name: np.stack([arrays[name] for arrays in each]) for name in each[0]}
        found.append({**one, "natural_lambda_H": natural(tools, start, train, key, natural_rate, natural_flow)})
    return {name: np.stack([one[name] for one in found]) for name in found[0]}
