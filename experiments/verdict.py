"""The verdict on one law: its comparison, the controls that must disagree, and the state of its proof."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import xarray as xr

from experiments.comparison import Comparison, Verdict
from experiments.study import Check, Margin, Study
from theory.law import Law

ProofState = Literal["PROVED", "REFUTED", "UNDECIDED", "VACUOUS", "unchecked"]


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
        None where nothing was compared; ``note`` says why.
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

    @property
    def verdict(self) -> Verdict | None:
        """Verdict of the comparison; None where the law was not measured in this profile."""
        return self.comparison.verdict if self.comparison is not None else None

    @property
    def trusted(self) -> bool:
        """Whether every control disagrees, as it must; while one does not, the law's verdict means
        nothing.
        """
        return all(control.fires for control in self.controls)

    def record(self) -> dict[str, Any]:
        """JSON record: name, verdict, predicted, estimate, low, high, margin, n, proof, and more."""
        raise NotImplementedError


@dataclass(frozen=True)
class Budget:
    """What the errors that were achieved mean for the whole suite.

    ``false_disagrees`` bounds the chance that any true law comes out *disagrees* (a sum over parts, so
    that shared seeds do no harm); ``over_budget`` names the parts whose standard error is above margin/(t
    + 2), with the seeds that would be needed.
    """

    false_disagrees: float
    parts: int
    over_budget: tuple[str, ...]

    @property
    def kept(self) -> bool:
        """Whether the chance of any false *disagrees* stays below 1 %."""
        return self.false_disagrees < 0.01

    def record(self) -> dict[str, Any]:
        """JSON record."""
        return {
            "false_disagrees": self.false_disagrees,
            "kept": self.kept,
            "parts": self.parts,
            "over_budget": list(self.over_budget),
        }


def judge(
    law: Law, study: Study, check: Check, dataset: xr.Dataset, proof: ProofState = "unchecked"
) -> Result:
    """Compare a law with a study's assembled Dataset, and run all of its controls."""
    raise NotImplementedError


def unmeasured(law: Law, proof: ProofState, note: str, study: str = "") -> Result:
    """Result of a law that was not compared, and why."""
    raise NotImplementedError


def budget(results: Iterable[Result]) -> Budget:
    """Add up the chances of a false *disagrees* over all parts of all laws (controls excluded)."""
    raise NotImplementedError


def exit_status(results: Iterable[Result]) -> int:
    """Return 1 if a theorem *disagrees* or a step is not PROVED, else 0. An unchecked proof is not PROVED."""
    raise NotImplementedError


def summary(results: Iterable[Result]) -> Mapping[str, int]:
    """Count agrees, disagrees, undecided, unmeasured, untrusted."""
    raise NotImplementedError
