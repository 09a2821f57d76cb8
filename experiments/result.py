"""What is known of one law after a run, in one record."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from experiments.comparison import Comparison, Part, Verdict
from experiments.proofs import ProofState
from experiments.study import Margin

FAILED = "measurement failed"
"""Word for a law that was to be judged and could not be."""


@dataclass(frozen=True)
class Control:
    """A rival law on the same data, or another system under the same law: it must come out *disagrees*.

    ``comparison`` is None where the control could not be compared; ``note`` says why.
    """

    name: str
    kind: Literal["rival", "counter-system"]
    because: str
    comparison: Comparison | None
    note: str = ""

    @property
    def fires(self) -> bool:
        """Whether the control disagrees, as it must."""
        return self.comparison is not None and self.comparison.verdict is Verdict.DISAGREES

    def record(self) -> dict[str, Any]:
        """JSON record."""
        return {
            "name": self.name,
            "kind": self.kind,
            "because": self.because,
            "verdict": self.comparison.verdict.value if self.comparison is not None else None,
            "fires": self.fires,
            "note": self.note,
        }


@dataclass(frozen=True)
class Result:
    """Everything that is known of one law after a run.

    Parameters
    ----------
    law, study
        Names; ``study`` is empty where no study checks the law.
    kind, status, source
        Kind of claim; theorem, conjecture or empirical; where the law comes from, in one sentence.
    proof
        State of the derivation.
    comparison
        None where nothing was compared; ``note`` says why. One that is only observed carries no verdict. Of one that
        carries a verdict it says what was wanting: fewer seeds than were declared.
    failed
        Whether the law was to be judged and could not be: its cells failed, or its observation broke.
    controls
        Rivals and counter-systems.
    margin
        As declared by the check.
    """

    law: str
    kind: str
    status: str
    source: str
    study: str
    proof: ProofState
    comparison: Comparison | None
    controls: tuple[Control, ...] = ()
    margin: Margin | None = None
    note: str = ""
    failed: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """Verdict of the comparison; None where the law was not measured, or only observed, in this profile."""
        return self.comparison.verdict if self.comparison is not None and not self.observed else None

    @property
    def observed(self) -> bool:
        """Whether the numbers are shown without a verdict."""
        return self.comparison is not None and self.comparison.observed

    @property
    def word(self) -> str:
        """The verdict in a word or two, as tables print it."""
        if self.observed:
            return "observed"
        if self.verdict is not None:
            return self.verdict.value
        return FAILED if self.failed else "not measured"

    @property
    def told(self) -> str:
        """The word, with what was wanting where there is a verdict."""
        return f"{self.word} ({self.note})" if self.verdict is not None and self.note else self.word

    @property
    def trusted(self) -> bool:
        """Whether every control disagrees, as it must; while one does not, the law's verdict means
        nothing. What carries no verdict needs no trust.
        """
        return self.observed or all(control.fires for control in self.controls)

    @property
    def seeds_needed(self) -> int | None:
        """Seeds that would decide the parts that are undecided for their scatter; None where there are
        none.
        """
        parts = self.comparison.parts if self.comparison is not None and not self.observed else ()
        open_parts = [part for part in parts if part.verdict is Verdict.UNDECIDED]
        needed = [part.seeds_needed for part in open_parts if part.seeds_needed is not None]
        return max(needed, default=None)

    def record(self) -> dict[str, Any]:
        """JSON record: name, verdict, predicted, estimate, low, high, margin, n, proof, and more.

        The numbers are those of the part that decides; ``parts`` has them all. A number that is not finite
        is null.
        """
        worst = part_record(self.comparison.worst) if self.comparison is not None else dict.fromkeys(NUMBERS)
        return {
            "name": self.law,
            "verdict": self.verdict.value if self.verdict is not None else None,
            **{name: worst[name] for name in NUMBERS},
            "proof": self.proof,
            "kind": self.kind,
            "status": self.status,
            "source": self.source,
            "study": self.study,
            "trusted": self.trusted,
            "seeds_needed": self.seeds_needed,
            "word": self.word,
            "note": self.note,
            "margin_origin": self.margin.origin if self.margin is not None else None,
            "margin_because": self.margin.because if self.margin is not None else None,
            "parts": [part_record(part) for part in self.comparison.parts]
            if self.comparison is not None
            else [],
            "controls": [control.record() for control in self.controls],
        }


NUMBERS = ("predicted", "estimate", "low", "high", "margin", "n", "level", "contains", "detectable")


def part_record(part: Part) -> dict[str, Any]:
    """JSON record of a part; a number that is not finite is null."""
    numbers = ("predicted", "estimate", "low", "high", "margin", "level", "standard_error", "detectable")
    return {
        "label": part.label,
        "verdict": part.verdict.value,
        **{name: _number(getattr(part, name)) for name in numbers},
        "n": part.n,
        "side": part.side,
        "contains": part.contains,
        "seeds_needed": part.seeds_needed if part.verdict is Verdict.UNDECIDED else None,
        "note": part.note,
    }


def _number(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
