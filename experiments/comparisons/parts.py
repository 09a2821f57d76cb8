"""From samples over seeds to weighed parts: the one place where intervals meet margins."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from experiments.comparison import ALIKE, Part, Verdict
from numerics.intervals import interval

LEAST_SEEDS = 10
MAJORITY = 0.5
ROUNDING = np.finfo(np.float64).eps / 2
"""Half the spacing of numbers near 1: what is less than this of a number cannot be its uncertainty."""

Side = Literal["both", "above", "below"]


def sampled(
    labels: list[str],
    samples: NDArray[np.float64],
    predicted: NDArray[np.float64] | float,
    margin: float,
    level: float,
    side: Side = "both",
    note: str = "",
) -> list[Part]:
    """Weigh the mean over seeds of each column: t intervals, at least 10 seeds for a verdict.

    Parameters
    ----------
    labels
        One for each column.
    samples : shape (seeds, columns)
    predicted
        One for each column, or one for all. NaN: the claim gives no number there, which leaves it undecided.
    margin, level, side
        As in :class:`experiments.comparison.Part`; ``level`` is the parts' own, after sharing.

    Notes
    -----
    NaN in a column leaves it undecided, never dropped: leaving seeds out would bias the mean. A column
    that is infinite in every seed disagrees with any finite prediction.

    Examples
    --------
    >>> part, = sampled([""], np.linspace(0.9, 1.1, 12)[:, None], 1.0, 0.2, 0.99)
    >>> part.verdict.value, round(part.estimate, 12), part.n
    ('agrees', 1.0, 12)
    """
    goals = np.broadcast_to(np.asarray(predicted, dtype=np.float64), (len(labels),))
    n = samples.shape[0]
    usable = np.asarray(np.isfinite(samples).all(axis=0))
    low, high = np.full(len(labels), -np.inf), np.full(len(labels), np.inf)
    estimate, error = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
    if n >= 2 and usable.any():
        found = interval(samples[:, usable], level)
        low[usable], high[usable] = found.low, found.high
        estimate[usable], error[usable] = found.estimate, found.standard_error
    elif n == 1:
        estimate[usable] = samples[0, usable]
    parts = []
    for index, label in enumerate(labels):
        column = samples[:, index]
        if usable[index]:
            parts.append(
                weighed(
                    label, goals[index], estimate[index], low[index], high[index], margin, n,
                    level=level, standard_error=float(error[index]) if n >= 2 else None, side=side, note=note,
                )
            )  # fmt: skip
        else:
            parts.append(_without_numbers(label, float(goals[index]), column, margin, level, side))
    return parts


def exact(
    labels: list[str],
    samples: NDArray[np.float64],
    reach: NDArray[np.float64],
    predicted: NDArray[np.float64] | float,
    margin: float,
    level: float,
    side: Side = "both",
) -> list[Part]:
    """Weigh each column where every seed gives a number without chance: the interval spans all seeds and their bounds.

    A seed is then another system, not another draw: no level belongs to the interval, the claim is made of each
    system, and one that lies wholly outside disagrees. Two columns are none of that kind: one with a bound below the
    rounding of its number (0, say) which is not the claimed one is taken for draws, by :func:`sampled` at ``level``;
    one whose seeds differ by more than their bounds may be draws, and fewer than 10 such do not agree.

    Parameters
    ----------
    samples, reach : shape (seeds, columns)
        Numbers and the uncertainty of each (rounding, the tolerance of a root finder).

    Examples
    --------
    >>> part, = exact([""], np.array([[1.0], [1.25]]), np.full((2, 1), 0.25), 1.0, 0.6, 0.99)
    >>> part.low, part.high, part.level, part.verdict.value
    (0.75, 1.5, None, 'agrees')
    >>> part, = exact([""], np.array([[1.0], [1.25]]), np.zeros((2, 1)), 1.0, 0.6, 0.99)
    >>> part.level, part.verdict.value
    (0.99, 'undecided')
    """
    goals = np.broadcast_to(np.asarray(predicted, dtype=np.float64), (len(labels),))
    n = samples.shape[0]
    note = f"exact in each of {n} systems" if n > 1 else ""
    parts = []
    for label, goal, column, allowed in zip(labels, goals, samples.T, reach.T, strict=True):
        usable = np.isfinite(column) & np.isfinite(allowed)
        if not usable.all():
            lost = f"{int(np.count_nonzero(~usable))} of {n} systems gave no finite number"
            parts.append(undecided(label, lost, margin, float(goal), n))
            continue
        if ((allowed < ROUNDING * np.abs(column)) & (column != goal)).any():
            bare = "a bound below rounding is none: taken for draws"
            parts += sampled([label], column[:, None], goal, margin, level, side, bare)
            continue
        low, high = float((column - allowed).min()), float((column + allowed).max())
        part = weighed(label, goal, float(column.mean()), low, high, margin, n, side=side, note=note)
        own = {
            _verdict(x - width, x + width, part.predicted, margin, side)
            for x, width in zip(column, allowed, strict=True)
        }
        if Verdict.DISAGREES in own and not np.isnan(goal):
            part = replace(part, verdict=Verdict.DISAGREES)
        elif n < LEAST_SEEDS and (column - allowed).max() > (column + allowed).min():
            why = f"{n} systems differ by more than their bounds; such agree from {LEAST_SEEDS} on"
            part = replace(part, verdict=Verdict.UNDECIDED, note=why)
        parts.append(part)
    return parts


def weighed(
    label: str,
    predicted: float,
    estimate: float,
    low: float,
    high: float,
    margin: float,
    n: int,
    level: float | None = None,
    standard_error: float | None = None,
    side: Side = "both",
    resolution: float = 0.0,
    note: str = "",
) -> Part:
    """Build a part and its verdict; undecided below 10 seeds for a statistical one, or where nothing is
    predicted.
    """
    if not 0 < margin < np.inf:
        raise ValueError(
            f"compare: margin {margin} of {label or 'the claim'}; declare a positive one, and finite, in the check"
        )
    verdict = _verdict(float(low), float(high), float(predicted), margin, side)
    if level is not None and standard_error is not None and standard_error <= ALIKE * abs(estimate):
        note = _joined(note, "every seed gave the same number")
    if np.isnan(predicted):
        verdict, note = Verdict.UNDECIDED, _joined(note, "the claim gives no real number here")
    elif level is not None and n < LEAST_SEEDS:
        verdict = Verdict.UNDECIDED
        note = _joined(note, f"{n} seed{'s' * (n != 1)}; a statistical verdict needs at least {LEAST_SEEDS}")
    return Part(
        label, float(predicted), float(estimate), float(low), float(high), float(margin), verdict, n,
        level, standard_error, side, resolution, note,
    )  # fmt: skip


def share_of_seeds(label: str, wrong: NDArray[np.bool_], level: float, note: str = "") -> Part:
    """Weigh the share of seeds in which something goes wrong: predicted 0, the margin is half of them.

    The interval is Clopper and Pearson's, exact for independent seeds: 10 seeds of which none goes wrong
    reach 0.41 at 99 %.

    Examples
    --------
    >>> part = share_of_seeds("behaviour", np.zeros(10, dtype=bool), 0.99)
    >>> part.verdict.value, round(part.high, 3)
    ('agrees', 0.411)
    """
    n, hits = wrong.size, int(wrong.sum())
    tail = (1 - level) / 2
    low = float(stats.beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
    high = float(stats.beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0
    part = weighed(label, 0.0, hits / n, low, high, MAJORITY, n, level=level, note=note)
    return replace(part, chance=_chance_of_a_majority(n, hits, level) if n >= LEAST_SEEDS else 0.0)


@cache
def _chance_of_a_majority(n: int, hits: int, level: float) -> float:
    """Binomial tail: how often so many seeds go wrong that the interval lies above one half.

    One seed in (hits + 1)/(n + 2) is taken to go wrong (Laplace's estimate, which is not 0 where none did).

    Examples
    --------
    >>> _chance_of_a_majority(10, 0, 0.99) < 1e-8 < _chance_of_a_majority(10, 3, 0.99)
    True
    """
    counts = np.arange(n + 1)
    low = stats.beta.ppf((1 - level) / 2, np.maximum(counts, 1), n - np.maximum(counts, 1) + 1)
    enough = counts[(counts > 0) & (low > MAJORITY)]
    return float(stats.binom.sf(enough[0] - 1, n, (hits + 1) / (n + 2))) if enough.size else 0.0


def doubted(part: Part, look: Callable[[], str]) -> Part:
    """The part with the doubt that a look finds, which ends its note; itself where it finds none or does not agree."""
    why = look() if part.verdict is Verdict.AGREES else ""
    return replace(part, doubt=why, note=_joined(part.note, why)) if why else part


def undecided(label: str, note: str, margin: float, predicted: float = np.nan, n: int = 0) -> Part:
    """A part for which the data are missing."""
    return Part(label, predicted, np.nan, -np.inf, np.inf, margin, Verdict.UNDECIDED, n, note=note)


def shared(level: float, parts: int) -> float:
    """Level of each of several intervals that hold all at once with at least ``level`` (Bonferroni)."""
    return 1 - (1 - level) / max(parts, 1)


def _verdict(low: float, high: float, predicted: float, margin: float, side: Side) -> Verdict:
    bottom = -np.inf if side == "below" else predicted - margin
    top = np.inf if side == "above" else predicted + margin
    if low >= bottom and high <= top:
        return Verdict.AGREES
    return Verdict.DISAGREES if high < bottom or low > top else Verdict.UNDECIDED


def _without_numbers(
    label: str, predicted: float, column: NDArray[np.float64], margin: float, level: float, side: Side
) -> Part:
    n = column.size
    bad = int(np.count_nonzero(~np.isfinite(column)))
    if np.all(column == np.inf) or np.all(column == -np.inf):
        far = float(column[0])
        return weighed(label, predicted, far, far, far, margin, n, level, side=side, note="infinite in every seed")
    note = f"{bad} of {n} seeds gave no finite number"
    return Part(label, predicted, np.nan, -np.inf, np.inf, margin, Verdict.UNDECIDED, n, level, side=side, note=note)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
