"""Induct: an equation for every integer from a start on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Eq, Expr, Integer, N, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.evaluation import Evaluation
from theory.proof.normal_forms import NormalForm
from theory.proof.rewriting import Rule
from theory.proof.steps.gaps import changed, equal, unfolded
from theory.proof.steps.step import Context, Finding, State, Step

PLACES = 10
_ANY = Symbol("any", integer=True)


@dataclass(frozen=True)
class Induct(Step):
    """left(n) = right(n) for all integers n >= start.

    Parameters
    ----------
    name
        The step's name.
    variable
        The integer symbol n.
    left, right
        The claim; the conclusion is `Eq(left, right)`, for every value of n, and rewrites left at any of
        them.
    start
        The first n.
    uses, normal, because
        As in `Equal`. A recursion is a pair of definitions with heads q(0) and q(k + 1).
    also
        Pairs (left, right) of equations that are carried along by the same induction: sequences that need each
        other. The conclusion is the first equation alone.
    every
        Free symbols (indices, mostly) at whose every value the equations hold, the hypothesis too.
    """

    name: str
    variable: Symbol
    left: Expr
    right: Expr
    start: int = 0
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    also: tuple[tuple[Expr, Expr], ...] = ()
    every: tuple[Symbol, ...] = ()

    @property
    def equations(self) -> tuple[tuple[Expr, Expr], ...]:
        """All that the induction carries along, the claim first."""
        return ((self.left, self.right), *self.also)

    @property
    def conclusion(self) -> Boolean:
        """Eq(left, right)."""
        return Eq(self.left, self.right, evaluate=False)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """From where on."""
        along = tuple(("together with", Eq(left, right, evaluate=False)) for left, right in self.also)
        return (("for every integer", self.variable >= self.start), *along)

    def check(self, context: Context) -> Finding:
        """The base, then the step with the hypothesis at n only."""
        n = self.variable
        for symbol in (n, *self.every):
            if symbol in context.fixed:
                return Finding(State.UNDECIDED, f"hypotheses speak of {symbol}, so it does not stand for every integer")
        if not n.is_integer:
            return Finding(State.UNDECIDED, f"{n} is not declared an integer")
        narrow = [
            name for name, wanted in n._assumptions_orig.items() if wanted is not None and not self._true_of_all(name)
        ]
        if narrow:
            return Finding(
                State.UNDECIDED, f"{n} is declared {narrow[0]}, which not every integer from {self.start} on is"
            )
        base = {n: Integer(self.start)}
        for left, right in self.equations:
            found = equal(left.xreplace(base), right.xreplace(base), context, self.normal)
            if not found.proved:
                return Finding(State.UNDECIDED, f"at {n} = {self.start} {found.reason}")
        hypothesis = tuple(
            Rule("hypothesis", form, right, frozenset(self.every), constrains=frozenset({n}))
            for left, right in self.equations
            for form in dict.fromkeys((left, unfolded(left, context)))
        )
        at = context.adding(n >= self.start, rules=hypothesis)
        after = {n: n + 1}
        for left, right in self.equations:
            found = equal(left.xreplace(after), right.xreplace(after), at, self.normal)
            if not found.proved:
                return Finding(State.UNDECIDED, f"from {n} to {n + 1} {found.reason}")
        return Finding(State.PROVED, f"true at {n} = {self.start}, and at {n + 1} if at {n}")

    def _true_of_all(self, name: str) -> bool:
        """Whether what the variable is declared (or declared not) to be is so for every integer from the start on."""
        wanted = self.variable._assumptions_orig[name]
        signs = {"positive": 1, "nonzero": 1, "nonnegative": 0}
        if name in signs and wanted:
            return self.start >= signs[name]
        opposite = {"negative": 0, "nonpositive": 1, "zero": 1}
        if name in opposite and not wanted:
            return self.start >= opposite[name]
        return getattr(_ANY, f"is_{name}") == wanted

    @property
    def forall(self) -> tuple[Symbol, ...]:
        """The conclusion holds at every value of the variable ..."""
        return (self.variable, *self.every)

    @property
    def ranges(self) -> tuple[Boolean, ...]:
        """... from the start on."""
        return (self.variable >= self.start,)

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether it is true at the first few values."""
        places = range(self.start, self.start + PLACES)
        claims = [Eq(left, right, evaluate=False) for left, right in self.equations]
        at = (world.at({self.variable: Integer(k)}) for k in places)
        return all(here.truth(claim) for here in at for claim in claims)

    def in_words(self, world: Evaluation) -> str:
        """The first value that fails."""
        for k in range(self.start, self.start + PLACES):
            at = world.at({self.variable: Integer(k)})
            for left, right in self.equations:
                if not at.truth(Eq(left, right, evaluate=False)):
                    values = [N(at.value(side), 15) for side in (left, right)]
                    return f"at {self.variable} = {k}, {left} is {values[0]}, {right} is {values[1]}"
        return f"{self.conclusion} is false"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent on the right of any of the equations."""
        for label, right in changed(self.right):
            yield label, replace(self, right=right)
        for place, (left, right) in enumerate(self.also):
            for label, other in changed(right):
                also = (*self.also[:place], (left, other), *self.also[place + 1 :])
                yield f"{left}: {label}", replace(self, also=also)
