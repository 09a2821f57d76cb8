"""Momentum and decaying learning rates for every statistic by itself (breakeven:Q8, Q9): raw and smoothed maxima, over
all of training and up to a common loss; measured, not derived.

The smoothed maxima of three statistics over all of training are in ``theory.breakeven.momentum_claims``; here is the
rest, so that momentum and decay are weighed as the learning rate and the batch size are.
"""

from sympy import Rational, Symbol

from theory.breakeven.momentum_claims import AS_A_RATE, MOMENTUM, WITH_MOMENTUM
from theory.breakeven.trajectory_conjectures import FALLING, RISING, VIEWS
from theory.breakeven.trajectory_statistics import LAMBDA_H, Statistic, momentum, one_way
from theory.claims import Trend
from theory.definitions.breakeven import eta
from theory.law import Law, Rival, Status

LEVEL = Rational(3, 20)
"""Training loss below which a run counts as one that converges (breakeven:V13); of one that converges by its accuracy
alone, and ends above it, all records count."""
DIRECTIONS = {**dict.fromkeys(FALLING, -1), **dict.fromkeys(RISING, 1)}
"""Which way each statistic is said to go with the learning rate, and with momentum, which is said to act as it does."""
SYSTEMS = {
    "over_momentum": (momentum, "More momentum, at S = 16,", MOMENTUM),
    "over_rate_with_momentum": (eta, "A larger learning rate, at beta = 0.9,", MOMENTUM),
    "over_rate_with_decay": (eta, "A larger learning rate, divided by 10 half-way,", ("breakeven:Q9",)),
}
"""By the ending of a law's name: the control, what is said of it, and where."""
PERIODS = {
    "": "over all of training",
    "to_equal_loss_": f"up to where the training loss first falls to {float(LEVEL)}",
}
"""By what stands before that ending: over which part of training the maximum is taken."""


def _law(statistic: Statistic, direction: int, view: str, period: str, ending: str) -> Law:
    control, said, ids = SYSTEMS[ending]
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_{view}_{period}{ending}",
        f"{said} makes the {view} maximum of {statistic.symbol} {PERIODS[period]} {moves}.",
        statistic,
        control,
        direction,
        place="Appendix F" if ids == MOMENTUM else "Appendix G",
        ids=(*ids, "breakeven:G8") if period else ids,
        sentence=f"{said} makes the maximum of the {statistic.meaning} {moves}.",
        regime=f"Digits, tanh network, random labels; equal flow time for all; {VIEWS[view]}; runs that converge and "
        "whose 2/eta the task exceeds.",
        view=f"{view} max {'to equal loss' if period else ''}".strip(),
    )


def _stands_already(statistic: Statistic, view: str, period: str) -> bool:
    """Whether ``momentum_claims`` states it."""
    return statistic in WITH_MOMENTUM and view == "smoothed" and not period


MAXIMA = tuple(
    _law(statistic, direction, view, period, ending)
    for ending in SYSTEMS
    for period in PERIODS
    for statistic, direction in DIRECTIONS.items()
    for view in VIEWS
    if not _stands_already(statistic, view, period)
)


def _without_noise(view: str, period: str) -> Law:
    quantity = f"{view} max {'to equal loss' if period else ''}".strip()
    as_a_rate = Trend(Symbol(f"{quantity} lambda_H", positive=True), momentum, -1)
    return one_way(
        f"max_lambda_h_{view}_{period}over_momentum_without_noise",
        f"Without noise momentum makes the {view} maximum of lambda_H {PERIODS[period]} larger.",
        LAMBDA_H,
        momentum,
        1,
        place="Appendix F, against it",
        ids=("breakeven:G10", "breakeven:V14", "breakeven:L12"),
        sentence="In full-batch descent the maximum of lambda_H rises with momentum, as (2 + 2 beta)/eta does.",
        regime=f"Digits, tanh network, random labels; all points in every step; {VIEWS[view]}; beta 0 to 0.5.",
        status=Status.EMPIRICAL,
        view=quantity,
        rivals=(Rival(AS_A_RATE, as_a_rate, "is the paper's claim: momentum acts as a larger learning rate does"),),
    )


WITHOUT_NOISE = tuple(
    _without_noise(view, period) for period in PERIODS for view in VIEWS if period or view != "smoothed"
)
LAWS = (*MAXIMA, *WITHOUT_NOISE)
