"""The statistics on images at one training loss, over learning rate and batch size: no maximum over time enters."""

from collections.abc import Callable, Mapping
from functools import partial

import xarray as xr

from experiments.breakeven.image_batch_claims import SIZES
from experiments.breakeven.image_batch_claims import weighed as over_sizes
from experiments.breakeven.image_claims import LEAST, STUDY_OF
from experiments.breakeven.image_claims import weighed as over_rates
from experiments.breakeven.trajectory_conjectures import trend
from experiments.breakeven.trajectory_summary import BATCH, RATE, at_loss, needed, observed_along
from experiments.study import Study

LEVELS: Mapping[str, float] = {"simple_cnn": 1.0, "mlp": 0.5}
"""Training loss at which the runs of a network are compared.

Those of the MLP pass 1 before the second record, on the grid that was looked at before this was declared; at 0.5 they
are a few records on.
"""
RUNS: Mapping[str, tuple[str, str, Callable[[xr.Dataset, str], xr.Dataset]]] = {
    "rate": (RATE, "eta", over_rates),
    "batch_size": (BATCH, "S", over_sizes),
}
"""By the word that laws use: coordinate, symbol, and which runs are weighed."""


def at_equal_loss(network: str, name: str, word: str) -> Callable[[xr.Dataset], xr.Dataset]:
    """Observe a statistic where the smoothed loss first falls to the network's level, along a control.

    Seeds of which a run never gets there give no number.
    """
    control, symbol, weighed = RUNS[word]
    matched = partial(at_loss, level=LEVELS[network])
    return lambda data: observed_along(control, symbol, weighed(needed(data, name), network), name, matched)


def study_of(network: str, word: str) -> Study:
    """The study that holds a network's runs over a control."""
    return STUDY_OF[network] if word == "rate" else SIZES[network][0]


CHECKS = tuple(
    (
        study_of(network, word).name,
        trend(
            f"{name}_at_equal_loss_over_{word}_{network}",
            at_equal_loss(network, name, word),
            LEAST[name],
            only_full=True,
        ),
    )
    for network in LEVELS
    for word in RUNS
    for name in LEAST
)
