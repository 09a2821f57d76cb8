"""Conjectures 1 and 2 on images for every statistic by itself (breakeven:C1, C2): raw and smoothed maxima over the
learning rate; measured, not derived.

Three smoothed maxima over the learning rate are in ``theory.breakeven.trajectory_conjectures``. K itself is out of
reach for networks of this size: K^M stands for it.
"""

from theory.breakeven.trajectory_conjectures import IMAGES, SAID, VIEWS
from theory.breakeven.trajectory_statistics import LAMBDA_H, LAMBDA_KM, RATIO_KM, Statistic, one_way
from theory.definitions.breakeven import eta
from theory.law import Law

TRACE_KM = Statistic("trace_km", "Tr KM", "trace of K^M of 25 batches, scaled", "gradient^2")
WITH_RATE = {LAMBDA_H: -1, LAMBDA_KM: -1, TRACE_KM: -1, RATIO_KM: 1}
"""Which way each statistic is said to go with the learning rate."""


def _law(statistic: Statistic, view: str, network: str) -> Law:
    direction = WITH_RATE[statistic]
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_{view}_over_rate_{network}",
        f"On images {SAID[eta]} makes the {view} maximum of {statistic.symbol} {moves} ({IMAGES[network]}).",
        statistic,
        eta,
        direction,
        place="Conjectures 1 and 2, Section 4.2",
        ids=("breakeven:C1", "breakeven:C2", "breakeven:V17"),
        sentence=f"The maximum over training of the {statistic.meaning} is {moves} for {SAID[eta]}.",
        regime=f"{IMAGES[network]}, on the images that are given; {VIEWS[view]}; runs that converge and whose 2/eta "
        "the task exceeds.",
        view=f"{view} max",
    )


def _stands_already(statistic: Statistic, view: str) -> bool:
    """Whether ``trajectory_conjectures`` states it."""
    return statistic is not TRACE_KM and view == "smoothed"


LAWS = tuple(
    _law(statistic, view, network)
    for network in IMAGES
    for statistic in WITH_RATE
    for view in VIEWS
    if not _stands_already(statistic, view)
)
