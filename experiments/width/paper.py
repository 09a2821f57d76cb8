"""The paper's experiment: a reference network of width 128 and what scaling makes of it (width, section 5)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from experiments.study import Grid, Replicates, Study, Variable
from experiments.width.families import FAMILIES, Family, scaled
from experiments.width.paper_task import Task, task
from numerics.chunks import map_replicates
from numerics.data import digits
from numerics.function_space import Inner, Rates, Seen, draw, inner_products, train

REFERENCE = "reference"
REFERENCE_WIDTH = 128
MODELS = (REFERENCE, *FAMILIES)
KERNEL_POINTS = 10
"""Test points whose kernel diagonals are averaged, as in the paper."""


def measure(
    *,
    replicates: Replicates,
    data: Any,
    model: str,
    setup: str,
    step: np.ndarray,
    width: int,
    test: int,
    kept: int,
) -> Mapping[str, np.ndarray]:
    """Train one network a seed; what the paper shows is recorded before the steps asked for.

    ``setup`` reads ``points/batch``. The reference has width 128 whatever ``width`` says.
    """
    points, batch = (int(part) for part in setup.split("/"))
    given = task(data, points, test)
    own = REFERENCE_WIDTH if model == REFERENCE else width
    family = Family(0.0, 0.0, 0.0) if model == REFERENCE else FAMILIES[model]
    found = _runs(replicates.keys(), *_arrays(given), _factors(given, family, own), step, width=own, batch=batch)
    logits, kernel = np.asarray(found.logits), np.asarray(found.kernel)
    return {
        "logits": logits[..., :kept],
        "accuracy": np.asarray(found.accuracy),
        "train_accuracy": np.asarray(found.train_accuracy),
        "kernel": kernel[..., :KERNEL_POINTS].mean(axis=-1),
        "size": np.abs(logits).mean(axis=-1),
        "ratio": np.abs(logits / kernel)[..., :KERNEL_POINTS].mean(axis=-1),
    }


def _arrays(given: Task) -> tuple[Inner, jax.Array, jax.Array]:
    inner = inner_products(given.x_train, given.x_test, given.y_train, given.y_test, dtype=jnp.float32)
    return inner, jnp.asarray(given.x_train, jnp.float32), jnp.asarray(given.x_test, jnp.float32)


def _factors(given: Task, family: Family, width: int) -> dict[str, Any]:
    """Scales and learning rates of a family at a width, in the original units."""
    by = scaled(family, width / REFERENCE_WIDTH)
    plain = {
        "scale_output": by.scale / np.sqrt(3 * REFERENCE_WIDTH),
        "scale_inputs": given.scale_inputs,
        "output": by.output * given.rate_output,
        "inputs": by.inputs * given.rate_inputs,
        "frozen": by.frozen,
    }
    return {name: jnp.asarray(value, jnp.float32) for name, value in plain.items()}


@partial(jax.jit, static_argnames=("width", "batch"))
def _runs(
    keys: Any, inner: Inner, x_train: Any, x_test: Any, factors: Any, step: Any, *, width: int, batch: int
) -> Seen:
    def one(key: Any) -> Seen:
        start = draw(
            key, x_train, x_test, width=width, scale_output=factors["scale_output"],
            scale_inputs=factors["scale_inputs"],
        )  # fmt: skip
        return train(start, inner, Rates(factors["output"], factors["inputs"], factors["frozen"]), step, batch=batch)

    return map_replicates(one, keys)


_DIMS = ("seed", "step")
VARIABLES = {
    "logits": Variable((*_DIMS, "test_point"), "1", "logit at a test point"),
    "accuracy": Variable(_DIMS, "1", "test accuracy"),
    "train_accuracy": Variable(_DIMS, "1", "accuracy at the training points"),
    "kernel": Variable(_DIMS, "1", "mean diagonal of the tangent kernel, learning rates included"),
    "size": Variable(_DIMS, "1", "mean size of the test logits"),
    "ratio": Variable(_DIMS, "1", "mean size of logit over kernel diagonal"),
}


def log_steps(last: int, records: int) -> tuple[int, ...]:
    """0, 1 and steps up to the last, evenly spaced in the logarithm."""
    spaced = np.unique(np.rint(np.geomspace(1, last, records)).astype(int))
    return (0, *(int(step) for step in spaced))


def grid(
    setups: tuple[str, ...], steps: tuple[int, ...], *, width: int, test: int, kept: int, seeds: int,
    first_seed: int = 2000, block: int = 1,
) -> Grid:  # fmt: skip
    """A grid of the experiment; a block of one seed a cell lets a long one be stopped and continued.

    A step of a wide network costs little more than its one product of (batch, points) with (points, width), for
    which BLAS takes 44 ms at 1024, 1024 and 2048 on one core, the whole step 47 ms: a grid's time is its products'.
    """
    return Grid(
        axes={"model": MODELS, "setup": setups},
        inner={"step": steps},
        settings={"width": width, "test": test, "kept": kept},
        seeds=seeds,
        first_seed=first_seed,
        block=block,
    )


def study(name: str, title: str, grids: Mapping[Any, Grid]) -> Study:
    """One study of the experiment; its checks are added where its laws are read off."""
    return Study(
        name=name,
        title=title,
        measure=measure,
        variables=VARIABLES,
        grids=grids,
        checks=(),
        precision="float32",
        reduction="mean",
        data=digits,
        takes_data=True,
    )


PAPER = study(
    "width.paper",
    "A reference network of width 128 and its scaled versions: logits, kernels and accuracy along training",
    {
        "quick": grid(
            ("128/16",), log_steps(500, 14), width=1024, test=300, kept=200, seeds=40, first_seed=3000, block=0
        ),
        "full": grid(("1024/1024",), log_steps(2000, 20), width=2048, test=2000, kept=500, seeds=10),
        "paper": grid(("1024/1024",), log_steps(2000, 20), width=65536, test=2000, kept=2000, seeds=10),
    },
)
WIDE = study(
    "width.paper_wide",
    "The same for fewer steps of versions that are wider still: 64 times as wide as the reference",
    {
        "quick": grid(
            ("128/16",), log_steps(200, 10), width=4096, test=100, kept=100, seeds=16, first_seed=3000, block=0
        ),
        "full": grid(("1024/1024",), log_steps(500, 16), width=8192, test=2000, kept=500, seeds=10),
    },
)
SETUPS = study(
    "width.paper_setups",
    "The same with other batch sizes and numbers of training points, read points/batch",
    {
        "quick": grid(
            ("128/128", "64/16"), log_steps(60, 8), width=512, test=100, kept=100, seeds=48, first_seed=3000, block=0
        ),
        "full": grid(
            ("1024/1024", "1024/256", "1024/64", "2000/500"), log_steps(2000, 16), width=1024, test=2000, kept=500,
            seeds=10,
        ),
        "paper": grid(
            ("1024/1024", "1024/256", "1024/64", "8192/512"), log_steps(2000, 16), width=65536, test=2000, kept=2000,
            seeds=10,
        ),
    },
)  # fmt: skip
"""The paper's largest setup has 8192 points in batches of 512; the full profile has fewer, a quarter of them a batch,
because a subset of the images with 2000 points of the two classes will do for it."""
STUDIES = (PAPER, WIDE, SETUPS)
