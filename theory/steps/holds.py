"""Holds: an inequality, an equivalence or an implication of inequalities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Basic
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Holds(Step):
    """A relation, or And, Or, Not, Implies, Equivalent of relations.

    The proof rewrites with the equations it uses, then tries, for each relation that is left: signs from the
    symbols' assumptions; factors, each with its sign from a fact; slacks (X >= E becomes X = E + slack); exact
    linear arithmetic over the monomials, with a certificate; and the same by contradiction.

    Parameters
    ----------
    name, fact
        The claim; the conclusion is the fact itself.
    uses
        Names of premises and earlier steps.
    normal
        Normal forms applied to each difference before its sign is asked (none by default).
    because
        One sentence for the reader.
    instances
        Pairs (name, {symbol: expression}): instances of quantified facts (a `Suppose` with `forall`) to be seen.
    forall
        Symbols at whose every value the claim holds, for later steps.
    """

    name: str
    fact: Boolean
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()
    forall: tuple[Basic, ...] = ()

    def __post_init__(self) -> None:
        require_names("Holds", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """The fact."""
        return self.fact

    def check(self, context: Context) -> Finding:
        """Prove the fact."""
        return Finding(State.UNDECIDED, "not written yet")
