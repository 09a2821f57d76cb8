"""Squeezed: what lies between two expressions with the same limit has that limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Dummy, Eq, Expr, Ge, Gt, Implies, Le, Limit, Lt, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.evaluation import Evaluation, near
from theory.proof.limits import limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm
from theory.proof.steps.gaps import along, changed, flat, may_depend, unfolded
from theory.proof.steps.holds import proved
from theory.proof.steps.step import Context, Finding, State, Step
from theory.proof.steps.tends import Tends, reaches, tends_in


@dataclass(frozen=True)
class Squeezed(Step):
    """expression -> value as variable -> point, as lower <= expression <= upper near the point.

    Parameters
    ----------
    name
        The step's name.
    expression, variable, point, value
        As in `Tends`, and so is the conclusion.
    lower, upper
        What it lies between; both must have the limit, as in `Tends`.
    uses, normal, because, direction
        As in `Tends`. Among the uses are facts (a step or a `Suppose` with the variable in `forall`) that say
        `lower <= expression` and `expression <= upper` as written here. Conditions on them must be shown to hold
        near the point: each tends to something on its own side.
    """

    name: str
    expression: Expr
    variable: Symbol
    point: Expr
    value: Expr
    lower: Expr
    upper: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    direction: str = "+"

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def conclusion(self) -> Boolean:
        """Eq(Limit(expression, variable, point), value)."""
        return Eq(Limit(self.expression, self.variable, self.point, self.direction), self.value, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Look for both inequalities, then take the limits of the ends."""
        if may_depend(self.value, self.variable, context) or self.value.is_infinite:
            return Finding(State.UNDECIDED, f"{self.value} is no value that {self.variable} leaves alone")
        if not reaches(self.variable, self.point, self.direction):
            return Finding(State.UNDECIDED, f"{self.variable} is declared not to come near {self.point}")
        for smaller, larger in ((self.lower, self.expression), (self.expression, self.upper)):
            if not self._near_the_point(smaller, larger, context):
                return Finding(State.UNDECIDED, f"nothing says that {smaller} <= {larger} near the point")
        for end in (self.lower, self.upper):
            if end != self.value:
                limit = Tends(self.name, end, self.variable, self.point, self.value, self.uses, self.normal)
                found = replace(limit, direction=self.direction).check(context)
                if not found.proved:
                    return found
        return Finding(State.PROVED, "both ends have the limit")

    def _near_the_point(self, smaller: Expr, larger: Expr, context: Context) -> bool:
        """Whether a fact that is there at every value of the variable says so, from somewhere on."""
        wanted = {Le(smaller, larger, evaluate=False), Ge(larger, smaller, evaluate=False)}
        for _, fact, symbols in context.quantified:
            conditions: tuple[Boolean, ...] = ()
            while isinstance(fact, Implies):
                conditions, fact = (*conditions, *flat((fact.args[0],))), fact.args[1]  # type: ignore[assignment]
            said = self.variable in symbols and wanted & set(flat((fact,)))
            if said and all(self._in_the_end(condition, context) for condition in conditions):
                return True
        return False

    def _in_the_end(self, condition: Boolean, context: Context) -> bool:
        """Whether a condition holds near the point: strictly in the limit, or without the variable."""
        away = along(context, self.variable)
        if not may_depend(condition, self.variable, context):
            return proved(condition, away, ()).proved
        if not isinstance(condition, Le | Lt | Ge | Gt):
            return False
        gap = condition.lhs - condition.rhs
        t = Dummy("t", positive=True)
        gap = unfolded(gap if isinstance(condition, Ge | Gt) else -gap, away, frozenset({self.variable}))  # type: ignore
        if heads_in(gap, context.heads):
            return False
        found = limit_at_zero(gap.xreplace({self.variable: near(self.point, t, self.direction)}), t, away.facts)
        return found is not None and proved(Gt(found, 0, evaluate=False), away, ()).proved

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the distance to the value falls to nothing as the variable approaches the point."""
        return tends_in(world, self.expression, self.variable, self.point, self.value, self.direction)

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of the value."""
        return ((label, replace(self, value=value)) for label, value in changed(self.value))
