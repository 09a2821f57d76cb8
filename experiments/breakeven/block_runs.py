"""The runs of ``extended_runs`` on images of which each block of pixels is one."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.breakeven.batch_runs import _averaged as averaged
from experiments.breakeven.extended_runs import measure as measure_whole
from experiments.study import Replicates
from numerics.data import Data


def measure(*, replicates: Replicates, data: Data, block: int, **settings: Any) -> Mapping[str, np.ndarray]:
    """As ``extended_runs.measure``, whose settings the others are, on means of `block` x `block` pixels."""
    return measure_whole(replicates=replicates, data=data if block == 1 else averaged(data, block), **settings)
