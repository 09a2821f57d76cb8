"""Planted truth for each kind of claim, through the real comparison and verdict code."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Calibration:
    """Counts for one kind of claim, with the numbers that are allowed.

    ``rows`` are ``(what was planted, data sets, wrong answers, allowed)``.
    """

    kind: str
    rows: tuple[tuple[str, int, int, int], ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether no count is above what is allowed."""
        return all(wrong <= allowed for _, _, wrong, allowed in self.rows)


def calibrate(kinds: tuple[str, ...] = (), seed: int = 0) -> Iterator[Calibration]:
    """Calibrate each kind of claim (all nine for an empty tuple)."""
    raise NotImplementedError
