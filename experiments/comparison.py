"""What a comparison of theory and measurement holds, and the three-valued verdict on it."""

from dataclasses import dataclass
from enum import Enum

from experiments.study import Margin


class Verdict(Enum):
    """*agrees*: interval inside predicted +- margin; *disagrees*: wholly outside; *undecided*: straddles."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Part:
    """One compared number: a law on a grid may have several, all of which must agree.

    ``level`` is the confidence level of the interval; None for exact comparisons, which carry no level.
    ``detectable`` is the smallest deviation that would come out *disagrees* 19 times in 20.
    ``contains`` says whether the interval holds the exact value, apart from the margin. ``note`` says why a part is
    undecided for want of data, or what else is worth knowing of it.
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
    detectable: float | None = None
    standard_error: float | None = None
    false_disagrees: float = 0.0
    seeds_needed: int | None = None
    note: str = ""

    @property
    def contains(self) -> bool:
        """Whether the interval holds the predicted value."""
        return self.low <= self.predicted <= self.high


@dataclass(frozen=True)
class Comparison:
    """All parts of one law's comparison on one study, and what they amount to."""

    law: str
    study: str
    kind: str
    parts: tuple[Part, ...]
    margin: Margin

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
        return max(
            self.parts,
            key=lambda part: (rank[part.verdict], abs(part.estimate - part.predicted) / (part.margin or 1.0)),
        )
