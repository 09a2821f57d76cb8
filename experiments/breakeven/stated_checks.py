"""Checks of trajectories as they were stated: extremes ordered in so many seeds, by so large a factor.

Laws about trajectories are judged by intervals over seeds, which is stricter; these are the coarser statements of
breakeven:V10, V11, V14 and V15, each with the share of seeds in which it holds beside the share that is asked for.
"""

from __future__ import annotations  # figures are listed without matplotlib

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import xarray as xr

from experiments.breakeven.maxima_panels import NAMES
from experiments.breakeven.momentum_claims import FAMILIES, WITHOUT_NOISE, family, least_cosine
from experiments.breakeven.momentum_trajectories import STUDY as MOMENTUM
from experiments.breakeven.trajectories import CONVOLUTIONAL, CONVOLUTIONAL_RATES, STUDY
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR, sweep
from experiments.breakeven.trajectory_summary import (
    BATCH,
    RATE,
    STATISTICS,
    WINDOW,
    smoothed,
)
from experiments.breakeven.wide_trajectories import STUDY as WIDE
from experiments.breakeven.wide_trajectories import weighed
from experiments.figures import Datasets, Figure
from experiments.pictures import style

MOST, ALL = 0.8, 1.0
RANK = 0.9
"""Least size of the rank correlation of the seeds' mean with the control."""
SIGNS = {"lambda_h": -1, "lambda_k": -1, "lambda_km": -1, "trace_k": -1, "ratio_k": 1, "ratio_km": 1}
"""Which way each statistic is said to go with the learning rate, and the other way with the batch size."""
CONTROLS = {RATE: ("eta", 1, CONVOLUTIONAL_RATES), BATCH: ("S", -1, CONVOLUTIONAL)}
RAW, STATED = 1, 5
"""Records that a moving average takes: none but its own, and as many as breakeven:V11 states.

It states them for 61 records, of which five span 0.07 to 0.08 of training; of the 17 here five span 0.25 to 0.3 and
the WINDOW of three that everything else takes 0.12 to 0.18. The five decide, the others stand beside them.
"""
APART = {RATE: 8.0, BATCH: 32.0}
"""How far apart the ends of a control are to be (breakeven:V10)."""


@dataclass(frozen=True)
class Outcome:
    """One stated check.

    Parameters
    ----------
    check, said
        Its number, and what it states.
    share, wanted
        Share of seeds in which that holds, and the share asked for.
    number, beyond
        A number of the whole (factor, correlation) and whether it passes too.
    details
        What is told in words alone, beside the number.
    """

    check: str
    said: str
    share: float
    wanted: float
    number: str
    beyond: bool
    details: str = ""

    @property
    def holds(self) -> bool:
        """Whether both do."""
        return self.share >= self.wanted and self.beyond


def ordered(
    runs: xr.Dataset, control: str, name: str, sign: int, window: int = WINDOW
) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of the maxima of a moving average by seed and level, in the direction in which they are said to
    rise, and the levels.
    """
    top = smoothed(STATISTICS[name](runs), window).max("record", skipna=False).transpose("seed", "run").values
    return sign * np.log(top), runs[control].values.astype(float)


def ranked(runs: xr.Dataset, control: str, sign: int, said: str, asked: float = 1.0) -> Outcome:
    """breakeven:V10: the ends of lambda_H, at least as far apart as asked, are in order in every seed, and the rank
    correlation is at least 0.9; of raw maxima, since it names no average.
    """
    logs, levels = ordered(runs, control, "lambda_h", sign, RAW)
    rank = float(np.corrcoef(levels.argsort().argsort(), logs.mean(axis=0).argsort().argsort())[0, 1])
    apart = levels[-1] / levels[0]
    averaged, _ = ordered(runs, control, "lambda_h", sign)
    number = f"rank {sign * rank:.2f}, x{apart:.3g} apart, smoothed {_ends_in_order(averaged):.0%}"
    passes = bool(rank >= RANK and apart >= asked * (1 - 1e-9))
    return Outcome("V10", said, _ends_in_order(logs), ALL, number, passes)


def factored(runs: xr.Dataset, control: str, name: str, sign: int, said: str) -> Outcome:
    """breakeven:V11: the ends are in order in four of five seeds, and the pooled factor is the least one or more; of
    averages over five records, with raw maxima and those of three records reported.
    """
    logs = {window: ordered(runs, control, name, sign, window)[0] for window in (STATED, WINDOW, RAW)}
    factors = {window: float(np.exp((each[:, -1] - each[:, 0]).mean())) for window, each in logs.items()}
    least = LEAST_FACTOR[name]
    number = f"x{factors[STATED]:.2f} of {least}, of {WINDOW} x{factors[WINDOW]:.2f}, raw x{factors[RAW]:.2f}"
    return Outcome("V11", said, _ends_in_order(logs[STATED]), MOST, number, factors[STATED] >= least)


def _ends_in_order(logs: np.ndarray) -> float:
    return _share(logs[:, -1] > logs[:, 0])


def over_the(control: str, datasets: Datasets) -> tuple[Outcome, ...]:
    """breakeven:V11 on the convolutional network."""
    symbol, sign, study = CONTROLS[control]
    runs = sweep(datasets[study.name], study, control)
    return tuple(
        factored(runs, control, name, sign * SIGNS[name], f"{NAMES[name]} over {symbol}")
        for name in SIGNS
        if name != "lambda_h"
    )


def outcomes(datasets: Datasets) -> tuple[Outcome, ...]:
    """The stated checks on the stored trajectories; lambda_H as far apart as is asked has a figure of its own."""
    found = [
        ranked(sweep(datasets[STUDY.name], STUDY, control), control, -sign, f"lambda_H over {symbol}, admitted runs")
        for control, (symbol, sign, _) in CONTROLS.items()
    ]
    found += over_the(BATCH, datasets)
    momentum = datasets[MOMENTUM.name]
    for fixed, sign, words in ((WITHOUT_NOISE, 1, "rises without noise"), (FAMILIES["over_momentum"][2], -1, "falls")):
        runs = family(momentum, "momentum", fixed)
        runs = runs.isel(run=np.flatnonzero(runs["momentum"].values <= 0.5))
        logs, levels = ordered(runs, "momentum", "lambda_h", sign)
        words = f"lambda_H {words}, beta 0 to {levels[-1]:.2g}, S = {int(runs[BATCH][0])}"
        found.append(Outcome("V14", words, _ends_in_order(logs), ALL, "", True))
    for run, passes, words in (
        (0, lambda least: least < -0.5, "descent at its edge: a tenth with cosine below -0.5"),
        (1, lambda least: least > 0.9, "descent below it: cosine above 0.9 throughout"),
    ):
        found.append(_turned(momentum.isel(run=run), passes, words))
    slow = sweep(datasets[STUDY.name], STUDY, RATE)
    noisy = slow.isel(run=int(np.argmin(abs(slow[RATE].values - 0.1))))
    found.append(_turned(noisy, lambda least: least < -0.1, "SGD, S = 32: a tenth with cosine below -0.1"))
    return tuple(found)


def _turned(run: xr.Dataset, passes: Callable[[np.ndarray], np.ndarray], words: str) -> Outcome:
    """breakeven:V15: the least mean cosine of consecutive gradients over tenths of training."""
    least = least_cosine(run)["cosine"].values
    return Outcome("V15", words, _share(passes(least)), ALL, f"mean {least.mean():.2f}", True)


def _share(holds: np.ndarray) -> float:
    return float(np.mean(holds))


def drawn_from(checks: Callable[[Datasets], tuple[Outcome, ...]]) -> Callable[[np.ndarray, Datasets], None]:
    """The share of seeds of each check, and the share asked for."""

    def draw(axes: np.ndarray, datasets: Datasets) -> None:
        panel, found = axes.flat[0], checks(datasets)[::-1]
        places = np.arange(len(found))
        panel.barh(places, [one.share for one in found], color=[style.GREYS[1 if one.holds else 2] for one in found])
        for place, one in zip(places, found, strict=True):
            panel.plot([one.wanted] * 2, [place - 0.4, place + 0.4], color=style.PREDICTED, linewidth=1.5)
            word = f"{'holds' if one.holds else 'fails'} {one.number}"
            panel.text(1.02, place, word, fontsize=style.SIZE, va="center")
        panel.set_yticks(places, [f"{one.check}: {one.said}" for one in found])
        panel.set_xlim(0, 1.25)
        style.label(panel, "share of seeds in which it holds, and the share asked for", "")

    return draw


def said_of(checks: Callable[[Datasets], tuple[Outcome, ...]]) -> Callable[[Datasets], str]:
    """What holds and what fails, by check."""

    def found(datasets: Datasets) -> str:
        everything, said = checks(datasets), []
        for check in dict.fromkeys(one.check for one in everything):
            mine = [one for one in everything if one.check == check]
            groups = {"holds": [one for one in mine if one.holds], "fails": [one for one in mine if not one.holds]}
            parts = [f"{word} for {', '.join(_worded(one) for one in ones)}" for word, ones in groups.items() if ones]
            said.append(f"{check} {'; '.join(parts)}.")
        return " ".join(said)

    return found


def _worded(one: Outcome) -> str:
    told = ", ".join(filter(None, (f"{one.share:.0%} of seeds", one.number, one.details)))
    return f"{one.said} ({told})"


def _over_rates(datasets: Datasets) -> tuple[Outcome, ...]:
    return over_the(RATE, datasets)


def over_wide_ranges(datasets: Datasets) -> tuple[Outcome, ...]:
    """breakeven:V10 on the ranges that it asks for."""
    return tuple(
        ranked(weighed(datasets[WIDE.name], control), control, -sign, f"lambda_H over {symbol}", APART[control])
        for control, (symbol, sign, _) in CONTROLS.items()
    )


FIGURES = (
    Figure(
        name="breakeven.figure_stated_checks",
        title="Coarse statements about trajectories, by the share of seeds in which they hold",
        place="Conjectures 1 and 2, Appendix F, Section 2",
        claim="A larger eta or a smaller S lowers lambda_H, lambda_K and Tr K and raises lambda*/lambda; momentum acts "
        "as eta does; at the edge consecutive gradients turn back.",
        studies=(STUDY.name, CONVOLUTIONAL.name, MOMENTUM.name),
        draw=drawn_from(outcomes),
        found=said_of(outcomes),
        row_height=5.0,
    ),
    Figure(
        name="breakeven.figure_stated_checks_rates",
        title="The same over learning rates, convolutional network",
        place="Conjectures 1 and 2",
        claim="A larger eta lowers lambda_K and Tr K and raises lambda*/lambda.",
        studies=(CONVOLUTIONAL_RATES.name,),
        draw=drawn_from(_over_rates),
        found=said_of(_over_rates),
    ),
    Figure(
        name="breakeven.figure_stated_checks_wide",
        title="The same for lambda_H over wide ranges, tanh network",
        place="Conjecture 1",
        claim="A larger eta or a smaller S lowers lambda_H.",
        studies=(WIDE.name,),
        draw=drawn_from(over_wide_ranges),
        found=said_of(over_wide_ranges),
    ),
)
