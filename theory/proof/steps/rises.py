"""Rises: an expression is no smaller at the upper end than at the lower one, as its slope is not negative between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sympy import Basic, Derivative, Dummy, Expr, Le, Lt, S, Subs, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.admission import lacking
from theory.proof.known import Known
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm, derivatives
from theory.proof.steps.gaps import unfolded
from theory.proof.steps.holds import instances_of, proved, showing
from theory.proof.steps.root import unbroken
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Rises(Step):
    """expression at low <= expression at high (< if strict), for an expression that rises from low to high.

    The proof is the mean value theorem: the ends are in order, the expression is continuous from one to the other as
    far as its parts tell, and its slope in the running variable is not negative between them (positive if strict).

    Parameters
    ----------
    name
        The step's name.
    expression, variable, low, high
        What rises, in which variable, from where to where; the ends do not hold the variable.
    uses, normal, because, instances, forall
        As in `Holds`; instances may speak of the variable.
    strict
        Whether the conclusion is a strict inequality.
    """

    name: str
    expression: Expr
    variable: Symbol
    low: Expr
    high: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()
    forall: tuple[Basic, ...] = ()
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(end.has(self.variable) or end.is_infinite for end in (self.low, self.high)):
            raise ValueError(
                f"Rises {self.name}: the ends are {self.low} and {self.high}; allowed are finite ones without "
                f"{self.variable}; name the running variable otherwise"
            )

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried."""
        return 12

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def speaks_of(self) -> tuple[Basic, ...]:
        """The expression and the ends."""
        return (self.expression, self.low, self.high)

    @property
    def conclusion(self) -> Boolean:
        """The inequality of the two ends."""
        ends = (self.expression.xreplace({self.variable: end}) for end in (self.low, self.high))
        return (Lt if self.strict else Le)(*ends, evaluate=False)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """What rises."""
        return (("as this rises", self.expression), ("in", self.variable))

    def check(self, context: Context) -> Finding:
        """The ends in order, no jump, and the slope's sign."""
        expression = unfolded(self.expression, context)
        ends = tuple(unfolded(end, context) for end in (self.low, self.high))
        hidden = any(heads_in(part, context.heads) for part in (expression, *ends))
        if hidden or any(end.has(self.variable) for end in ends):
            return Finding(State.UNDECIDED, "a definition is hidden that may depend on the variable")
        if self.variable in context.fixed:
            return Finding(State.UNDECIDED, f"hypotheses speak of {self.variable}, so it does not run from end to end")
        ordered = (Lt if self.strict else Le)(*ends)
        if ordered != S.true and not proved(ordered, context, self.normal).proved:
            return Finding(State.UNDECIDED, f"not shown that {ordered}")
        place = Dummy(self.variable.name, real=True)
        shown = showing(context.adding(ends[0] <= place, place <= ends[1]), self.normal)
        missing = lacking(self.variable, place, shown)
        if missing:
            return Finding(State.UNDECIDED, f"{self.variable} is assumed more than lying between the ends: {missing}")
        closed = context.adding(ends[0] <= self.variable, self.variable <= ends[1])
        if not unbroken(expression, self.variable, closed, self.normal):
            return Finding(State.UNDECIDED, f"not shown to be continuous: {expression}")
        slope = derivatives(expression.diff(self.variable), Known())
        if slope.has(Derivative, Subs):
            return Finding(State.UNDECIDED, f"the slope {slope} has a derivative that is not known")
        within = context.adding(ends[0] < self.variable, self.variable < ends[1])
        within = within.adding(*instances_of(within, self.instances))
        found = proved(slope > 0 if self.strict else slope >= 0, within, self.normal)
        return Finding(State.PROVED, f"the slope {slope} has one sign") if found.proved else found

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """What rises turned upside down."""
        yield "sign", replace(self, expression=-self.expression)
