"""What momentum does to each statistic at one training loss (breakeven:Q8, Q5); measured, not derived.

A rate that decays half-way passes this loss before it decays, so that nothing of its own could be said of it.
"""

from theory.breakeven.momentum_maxima import DIRECTIONS, SYSTEMS
from theory.breakeven.trajectory_statistics import Statistic, one_way
from theory.law import Law

BEFORE_THE_DECAY = ("over_momentum", "over_rate_with_momentum")
"""Families whose runs differ from the start on."""


def _law(statistic: Statistic, direction: int, ending: str) -> Law:
    control, said, ids = SYSTEMS[ending]
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"{statistic.name}_at_equal_loss_{ending}",
        f"{said} makes {statistic.symbol} at equal training loss {moves}.",
        statistic,
        control,
        direction,
        place="Appendix F",
        ids=(*ids, "breakeven:Q5", "breakeven:G8"),
        sentence=f"{said} makes the {statistic.meaning} {moves} at equal progress of the training loss.",
        regime="Digits, tanh network, random labels; where the smoothed training loss first falls to 1; runs that "
        "converge and whose 2/eta the task exceeds.",
        view="at equal loss",
    )


LAWS = tuple(
    _law(statistic, direction, ending) for ending in BEFORE_THE_DECAY for statistic, direction in DIRECTIONS.items()
)
