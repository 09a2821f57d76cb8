"""Cases: a conclusion in each of several cases that exhaust the hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Eq, Symbol
from sympy.logic.boolalg import Boolean, Or

from theory.proof.logic import unproved
from theory.proof.normal_forms import NormalForm
from theory.proof.rewriting import Rule
from theory.proof.steps.gaps import equal, flat
from theory.proof.steps.holds import changed_relation, equations, proved, settled
from theory.proof.steps.step import Context, Finding, State, Step


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
        As in `Equal`. Exhaustion by exact linear arithmetic; then each case with its relation as one more
        fact.
    forall
        As in `Equal`.
    """

    name: str
    fact: Boolean
    cases: tuple[Boolean, ...]
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    forall: tuple[Symbol, ...] = ()

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried."""
        return 9

    @property
    def conclusion(self) -> Boolean:
        """The fact."""
        return self.fact

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """The cases."""
        return tuple(("in the case", case) for case in self.cases)

    def check(self, context: Context) -> Finding:
        """Exhaustion, then each case."""
        cases = tuple(settled(c, context, ()) for c in self.cases)
        facts = tuple(settled(f, context, ()) for f in context.facts) + equations(context, ())
        left = unproved(Or(*cases, evaluate=False), facts)
        if left is not None:
            return Finding(State.UNDECIDED, f"the cases are not shown to exhaust the hypotheses: {left} is left")
        if self._in_case(context).proved:
            return Finding(State.VACUOUS, "it is proved without telling cases apart")
        for case in self.cases:
            rules = tuple(Rule("case", c.lhs, c.rhs, pointwise=True) for c in flat((case,)) if isinstance(c, Eq))
            found = self._in_case(context.adding(case, rules=rules))
            if not found.proved:
                return Finding(State.UNDECIDED, f"where {case}: {found.reason}")
        return Finding(State.PROVED, f"{len(self.cases)} cases that leave nothing out")

    def _in_case(self, context: Context) -> Finding:
        if isinstance(self.fact, Eq):
            return equal(self.fact.lhs, self.fact.rhs, context, self.normal)
        return proved(self.fact, context, self.normal)

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another right side, or the relation turned round."""
        return ((label, replace(self, fact=fact)) for label, fact in changed_relation(self.fact))
