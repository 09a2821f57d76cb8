"""Momentum and decaying learning rates along trajectories (breakeven:Q8, Q9, G10), measured."""

from sympy import Symbol

from theory.breakeven.trajectory_statistics import (
    LAMBDA_H,
    LAMBDA_K,
    RATIO_KM,
    Statistic,
    momentum,
    one_way,
)
from theory.claims import Trend
from theory.definitions.breakeven import eta
from theory.errata import Erratum, Measurement
from theory.law import Law, Rival, Status

DIGITS = "Digits, tanh network, random labels; the same flow time eta T / (1 - beta) for all; smoothed maxima."
WITH_MOMENTUM = {LAMBDA_H: -1, LAMBDA_K: -1, RATIO_KM: 1}
VIEW = "smoothed max"
MOMENTUM = ("breakeven:Q8",)


def _law(
    name: str, said: str, statistic: Statistic, control: Symbol, direction: int, ids: tuple[str, ...], more: str
) -> Law:
    moves = "larger" if direction > 0 else "smaller"
    return one_way(
        f"max_{statistic.name}_{name}",
        f"{said} makes the smoothed maximum of {statistic.symbol} {moves}.",
        statistic,
        control,
        direction,
        place="Appendix F" if ids == MOMENTUM else "Appendix G",
        ids=ids,
        sentence=f"{said} makes the maximum over training of the {statistic.meaning} {moves}.",
        regime=f"{DIGITS} {more}",
        view=VIEW,
    )


SMALL_BATCHES = tuple(
    _law(
        "over_momentum",
        "More momentum, at S = 16,",
        statistic,
        momentum,
        direction,
        MOMENTUM,
        "beta in 0, 0.1, 0.5, 0.8, 0.9, those that converge.",
    )
    for statistic, direction in WITH_MOMENTUM.items()
)
HEAVY = tuple(
    _law(
        "over_rate_with_momentum",
        "A larger learning rate, at beta = 0.9,",
        statistic,
        eta,
        direction,
        MOMENTUM,
        "S = 32.",
    )
    for statistic, direction in WITH_MOMENTUM.items()
)
DECAYING = tuple(
    _law(
        "over_rate_with_decay",
        "A larger learning rate, divided by 10 half-way,",
        statistic,
        eta,
        direction,
        ("breakeven:Q9",),
        "S = 32; the maximum is over all of training, after the decay too.",
    )
    for statistic, direction in WITH_MOMENTUM.items()
)

AS_A_RATE = "as a larger learning rate"
WITHOUT_NOISE = one_way(
    "max_lambda_h_over_momentum_without_noise",
    "Without noise momentum lets the sharpness rise higher, unlike a larger learning rate.",
    LAMBDA_H,
    momentum,
    1,
    place="Appendix F, against it",
    ids=("breakeven:G10", "breakeven:V14", "breakeven:L12"),
    sentence="In full-batch descent the maximum of lambda_H rises with momentum, as the edge (2 + 2 beta)/eta does.",
    regime=f"{DIGITS} All points in every step; beta in 0, 0.1, 0.3, 0.5.",
    status=Status.EMPIRICAL,
    view=VIEW,
    rivals=(
        Rival(
            AS_A_RATE,
            Trend(Symbol(f"{VIEW} lambda_H", positive=True), momentum, -1),
            "is the paper's claim: momentum acts as a larger learning rate does",
        ),
    ),
)

LAWS = (*SMALL_BATCHES, *HEAVY, *DECAYING, WITHOUT_NOISE)

ERRATA = (
    Erratum(
        id="breakeven:G10",
        where="Appendix F",
        sentence="Momentum acts like a larger learning rate only where noise dominates; in full-batch descent it "
        "raises the curvature at which training becomes unstable, (2 + 2 beta)/eta, and the sharpness that is "
        "reached.",
        printed="a larger momentum beta has an effect analogous to a larger learning rate",
        derived="that needs c kappa > ((1 - beta)/(1 + beta))^2; without noise the edge (2 + 2 beta)/eta rises",
        evidence=(
            Measurement(
                "Full-batch descent on digits: over beta from 0 to 0.5 the smoothed maximum of lambda_H rises; that it "
                "falls, as it does with the learning rate, comes out wrong.",
                "breakeven.max_lambda_h_over_momentum_without_noise",
                AS_A_RATE,
            ),
        ),
        law="breakeven.max_lambda_h_over_momentum_without_noise",
    ),
)
