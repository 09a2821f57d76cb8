"""What a comparison of theory and measurement holds, and the three-valued verdict on it."""

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal

from experiments.study import Margin
from numerics.equivalence import chance_of_disagreement, minimum_detectable_deviation, seeds_needed

MOST_SEEDS = 1_000_000
ALIKE = 1e-15
"""Standard error over estimate up to which all seeds are said to have given the same number."""


class Verdict(Enum):
    """*agrees*: interval inside predicted +- margin; *disagrees*: wholly outside; *undecided*: straddles."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Part:
    """One compared number: a law on a grid may have several, all of which must agree.

    Parameters
    ----------
    label
        Which number: the coordinates of the part, or its role (``upper edge``).
    predicted, estimate, low, high, margin
        The interval [low, high] is weighed against predicted +- margin. ``predicted`` is NaN where the
        claim gives no number.
    n
        Independent seeds (statistical parts) or points (exact ones).
    level
        Confidence level of the interval; None for exact comparisons, which carry no level.
    standard_error
        Of the estimate, over seeds; None for exact parts and for shares of seeds.
    side
        ``both``: what counts as agreement is predicted +- margin; ``above``: everything from predicted -
        margin upwards (a trend's effect); ``below``: everything up to predicted + margin (the excess over
        a bound).
    resolution
        Half-width that the spacing of the points, not the seeds, adds to the interval.
    note
        Why the part is undecided for want of data, or what else is worth knowing.
    doubt
        What the number does not show and a reader should look at, though the verdict stands; it ends the note.
    chance
        Chance of *disagrees* if the law is exact, for parts where it does not follow from a standard error.
    """

    label: str
    predicted: float
    estimate: float
    low: float
    high: float
    margin: float
    verdict: Verdict
    n: int
    level: float | None = None
    standard_error: float | None = None
    side: Literal["both", "above", "below"] = "both"
    resolution: float = 0.0
    note: str = ""
    chance: float | None = None
    doubt: str = ""

    @property
    def contains(self) -> bool:
        """Whether the interval holds the exact value (or reaches the exact side of it), margin apart."""
        return (self.side == "above" or self.low <= self.predicted) and (
            self.side == "below" or self.predicted <= self.high
        )

    @property
    def deviation(self) -> float:
        """Distance of the estimate from the prediction, in margins; 0 on the allowed side of a one-sided
        part.
        """
        gap = self.estimate - self.predicted
        if (self.side == "above" and gap > 0) or (self.side == "below" and gap < 0):
            return 0.0
        return abs(gap) / (self.margin or 1.0)

    @property
    def room(self) -> float:
        """Distance that errors have to keep below: the margin, and on the allowed side of a one-sided part also
        what the estimate lies beyond the prediction (where only a sign is claimed, the distance from 0).
        """
        gap = self.estimate - self.predicted
        beyond = gap if self.side == "above" else -gap if self.side == "below" else 0.0
        return self.margin + max(beyond, 0.0) if math.isfinite(beyond) else self.margin

    @property
    def alike(self) -> bool:
        """Whether every seed gave the same number: no scatter was seen, and the level rests on none."""
        error = self.standard_error
        return self.level is not None and error is not None and error <= ALIKE * abs(self.estimate)

    @cached_property
    def detectable(self) -> float | None:
        """Smallest deviation that would come out *disagrees* 19 times in 20; None without a standard
        error.
        """
        if not self._statistical or self.standard_error is None or self.level is None:
            return None
        reach = self.margin + self.resolution
        return minimum_detectable_deviation(self.standard_error, self.n, reach, self.level)

    @cached_property
    def false_disagrees(self) -> float:
        """Chance of *disagrees* if the law is exact, at the standard error that was achieved; 0 for exact
        parts. Where one side is claimed, every value on it is exact: the estimate stands for the true one.
        """
        if self.chance is not None:
            return self.chance
        if not self._statistical or self.standard_error is None or self.level is None:
            return 0.0
        reach = self.room + self.resolution
        return chance_of_disagreement(self.standard_error, self.n, reach, 0.0, self.level)

    @cached_property
    def seeds_needed(self) -> int | None:
        """Seeds at which the standard error is room/(t + 2); None where no number of seeds would do."""
        if not self._statistical or self.standard_error is None or self.level is None:
            return None
        try:
            return seeds_needed(
                self.standard_error * math.sqrt(self.n),
                self.room - self.resolution,
                self.level,
                most=MOST_SEEDS,
            )
        except ValueError:
            return None

    @property
    def _statistical(self) -> bool:
        finite = self.standard_error is not None and math.isfinite(self.standard_error)
        return self.level is not None and finite and self.n >= 2


@dataclass(frozen=True)
class Comparison:
    """All parts of one law's comparison on one study, and what they amount to.

    ``observed`` marks a comparison that is shown without a verdict: its profile has too few seeds for one.
    """

    law: str
    study: str
    kind: str
    parts: tuple[Part, ...]
    margin: Margin
    observed: bool = False

    @property
    def verdict(self) -> Verdict:
        """*disagrees* if any part does, *agrees* if all do, else *undecided*."""
        verdicts = {part.verdict for part in self.parts}
        if Verdict.DISAGREES in verdicts:
            return Verdict.DISAGREES
        return Verdict.AGREES if verdicts == {Verdict.AGREES} else Verdict.UNDECIDED

    @property
    def worst(self) -> Part:
        """The part that decides: of the worst verdict, the one farthest from its prediction in margins."""
        rank = {Verdict.AGREES: 0, Verdict.UNDECIDED: 1, Verdict.DISAGREES: 2}

        def badness(part: Part) -> tuple[int, float]:
            return rank[part.verdict], math.inf if math.isnan(part.deviation) else part.deviation

        return max(self.parts, key=badness)
