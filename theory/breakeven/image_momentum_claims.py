"""Momentum and decaying rates on images (breakeven:Q8, Q9): every statistic by itself; measured, not derived."""

from theory.breakeven.hessian_trace_claims import TRACE_H
from theory.breakeven.image_claims import WITH_RATE
from theory.breakeven.image_loss_claims import LEVELS
from theory.breakeven.momentum_at_loss import BEFORE_THE_DECAY
from theory.breakeven.momentum_claims import MOMENTUM
from theory.breakeven.trajectory_conjectures import IMAGES, VIEWS
from theory.breakeven.trajectory_statistics import Statistic, momentum, one_way
from theory.definitions.breakeven import eta
from theory.law import Law

DIRECTIONS = {**WITH_RATE, TRACE_H: -1}
SYSTEMS = {
    "over_momentum": (momentum, "more momentum", MOMENTUM),
    "over_rate_with_momentum": (eta, "a larger learning rate, at beta = 0.9,", MOMENTUM),
    "over_rate_with_decay": (eta, "a larger learning rate, divided by 10 half-way,", ("breakeven:Q9",)),
}
"""By the middle of a law's name: the control, what is said of it, and where."""


def _law(
    statistic: Statistic, ending: str, network: str, name: str, view: str, regime: str, more: tuple[str, ...]
) -> Law:
    control, said, ids = SYSTEMS[ending]
    direction = DIRECTIONS[statistic]
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"{name}_{ending}_{network}",
        f"On images {said} makes the {view} of {statistic.symbol} {moves} ({IMAGES[network]}).",
        statistic,
        control,
        direction,
        place="Appendix F" if ids == MOMENTUM else "Appendix G",
        ids=(*ids, *more, "breakeven:V17"),
        sentence=f"The {view} over training of the {statistic.meaning} is {moves} for {said.rstrip(',')}.",
        regime=f"{IMAGES[network]}, on the images that are given; equal flow time for all; {regime}; runs that "
        "converge and whose 2/eta the task exceeds.",
        view=view,
    )


def _laws(statistic: Statistic, ending: str, network: str) -> tuple[Law, ...]:
    maxima = tuple(
        _law(statistic, ending, network, f"max_{statistic.name}_{view}", f"{view} max", said, ())
        for view, said in VIEWS.items()
    )
    if ending not in BEFORE_THE_DECAY:
        return maxima
    there = f"where the smoothed training loss first falls to {LEVELS[network]}"
    name = f"{statistic.name}_at_equal_loss"
    return (
        *maxima,
        _law(statistic, ending, network, name, "value at equal loss", there, ("breakeven:Q5", "breakeven:G8")),
    )


LAWS = tuple(
    law
    for network in IMAGES
    for ending in SYSTEMS
    for statistic in DIRECTIONS
    for law in _laws(statistic, ending, network)
)
