"""Cases: a conclusion in each of several cases that exhaust the hypotheses."""

from __future__ import annotations

from dataclasses import dataclass

from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Cases(Step):
    """The fact holds in each case, and the cases leave nothing out.

    Parameters
    ----------
    name
        The step's name.
    fact
        The claim, an equation or anything that `Holds` takes; the conclusion is the fact.
    cases
        Relations (or And of relations), linear in symbols and other atoms.
    uses, normal, because
        As in `Equal`. Exhaustion by exact linear arithmetic; then each case with its relation as one more fact.
    """

    name: str
    fact: Boolean
    cases: tuple[Boolean, ...]
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        require_names("Cases", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """The fact."""
        return self.fact

    def check(self, context: Context) -> Finding:
        """Exhaustion, then each case."""
        return Finding(State.UNDECIDED, "not written yet")
