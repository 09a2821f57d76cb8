"""Conjectures 1 and 2 on the convolutional network as breakeven:V11 states them; measured, not derived."""

from sympy import Symbol

from theory.breakeven.trajectory_conjectures import FALLING, NETWORKS, RISING, SAID, WORDS
from theory.breakeven.trajectory_statistics import Statistic, one_way
from theory.definitions.breakeven import eta
from theory.law import Law

NETWORK = NETWORKS["_convolutional"]


def _law(statistic: Statistic, with_rate: int, conjecture: str, control: Symbol) -> Law:
    direction = with_rate if control == eta else -with_rate
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_over_{WORDS[control]}_as_stated",
        f"{conjecture}, {statistic.symbol} at 61 records: {SAID[control]} makes its maximum {moves} ({NETWORK}).",
        statistic,
        control,
        direction,
        place=conjecture,
        ids=(f"breakeven:{'C1' if conjecture == 'Conjecture 1' else 'C2'}", "breakeven:V11"),
        sentence=f"The maximum over training of the {statistic.meaning} is {moves} for {SAID[control]}.",
        regime=f"Digits, {NETWORK}; 61 records to flow time 120; the largest value of a moving average over five of "
        "them; seeds in which all runs converge and have 2/eta below what the task reaches.",
        view="averaged max",
    )


LAWS = tuple(
    _law(statistic, direction, conjecture, control)
    for control in WORDS
    for direction, group in ((-1, FALLING), (1, RISING))
    for statistic, conjecture in group.items()
)
