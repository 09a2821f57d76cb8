"""The conjectures' statistics on images at one training loss (breakeven:Q5, G8); measured, not derived."""

from sympy import Symbol

from theory.breakeven.image_claims import WITH_RATE
from theory.breakeven.trajectory_conjectures import IMAGES, SAID, WORDS
from theory.breakeven.trajectory_statistics import Statistic, one_way
from theory.definitions.breakeven import eta
from theory.law import Law

LEVELS = {"simple_cnn": "1", "mlp": "1/2"}
"""Training loss at which the runs of a network are compared."""


def _law(statistic: Statistic, control: Symbol, network: str) -> Law:
    direction = WITH_RATE[statistic] * (1 if control == eta else -1)
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"{statistic.name}_at_equal_loss_over_{WORDS[control]}_{network}",
        f"On images {statistic.symbol} at equal training loss is {moves} for {SAID[control]} ({IMAGES[network]}).",
        statistic,
        control,
        direction,
        place="Figure 1 and Section 4.1",
        ids=("breakeven:Q5", "breakeven:G8", "breakeven:V17"),
        sentence=f"At equal progress of the training loss the {statistic.meaning} is {moves} for {SAID[control]}.",
        regime=f"{IMAGES[network]}, on the images that are given; where the smoothed training loss first falls to "
        f"{LEVELS[network]}; runs that converge and whose 2/eta the task exceeds.",
        view="at equal loss",
    )


LAWS = tuple(_law(statistic, control, network) for network in IMAGES for control in WORDS for statistic in WITH_RATE)
