"""Conjectures 1 and 2 on images over the batch size, for every statistic by itself (breakeven:C1, C2); measured, not
derived.
"""

from theory.breakeven.image_claims import WITH_RATE
from theory.breakeven.trajectory_conjectures import IMAGES, SAID, VIEWS
from theory.breakeven.trajectory_statistics import Statistic, one_way
from theory.definitions.breakeven import S
from theory.law import Law


def _law(statistic: Statistic, view: str, network: str) -> Law:
    direction = -WITH_RATE[statistic]
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_{view}_over_batch_size_{network}",
        f"On images {SAID[S]} makes the {view} maximum of {statistic.symbol} {moves} ({IMAGES[network]}).",
        statistic,
        S,
        direction,
        place="Conjectures 1 and 2, Section 4.2",
        ids=("breakeven:C1", "breakeven:C2", "breakeven:V17"),
        sentence=f"The maximum over training of the {statistic.meaning} is {moves} for {SAID[S]}.",
        regime=f"{IMAGES[network]}, on the images that are given; {VIEWS[view]}; K^M of batches of one size, whatever "
        "that of the steps; runs that converge and whose 2/eta the task exceeds.",
        view=f"{view} max",
    )


LAWS = tuple(_law(statistic, view, network) for network in IMAGES for statistic in WITH_RATE for view in VIEWS)
