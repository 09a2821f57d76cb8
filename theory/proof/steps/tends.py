"""Tends: an expression has a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from sympy import Basic, Dummy, Eq, Expr, Float, Limit, N, Rational, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.proof.evaluation import Evaluation, EvaluationError, near
from theory.proof.known import Known
from theory.proof.limits import limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm, derivatives
from theory.proof.steps.gaps import along, changed, equal, may_depend, unfolded
from theory.proof.steps.known_limits import composed_limit
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Tends(Step):
    """expression -> value as variable -> point.

    Parameters
    ----------
    name
        The step's name.
    expression, variable, point, value
        The claim; point may be oo or -oo. The conclusion is
        `Eq(Limit(expression, variable, point, direction), value)`.
    uses, normal, because
        As in `Equal`.
    direction
        "+" (from above, the default), "-" (from below).
    forall
        As in `Equal`: symbols other than the variable.
    """

    name: str
    expression: Expr
    variable: Symbol
    point: Expr
    value: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    direction: str = "+"
    forall: tuple[Symbol, ...] = ()

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def conclusion(self) -> Boolean:
        """Eq(Limit(expression, variable, point), value)."""
        limit = Limit(self.expression, self.variable, self.point, self.direction)
        return Eq(limit, self.value, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Take the limit in a small variable."""
        t = Dummy("t", positive=True)
        away = along(context, self.variable)
        if may_depend(self.value, self.variable, context):
            return Finding(State.UNDECIDED, f"the value {self.value} depends on {self.variable}, or may do so")
        if not reaches(self.variable, self.point, self.direction):
            return Finding(State.UNDECIDED, f"{self.variable} is declared not to come near {self.point}")
        expression = unfolded(self.expression, away, frozenset({self.variable}))
        composed = composed_limit(expression, self.variable, self.point, self.direction, away)  # type: ignore[arg-type]
        if composed is not None:
            return equal(composed, self.value, context, self.normal)
        if heads_in(expression, context.heads):
            return Finding(State.UNDECIDED, f"the definition of {_listed(expression, context)} is hidden")
        expression = derivatives(expression, Known())  # type: ignore[arg-type]
        small = near(self.point, t, self.direction)
        found = limit_at_zero(expression.xreplace({self.variable: small}), t, away.facts)
        if found is None:
            return Finding(State.UNDECIDED, f"no limit found for {expression}")
        if self.value.is_infinite or found.is_infinite:
            good = found == self.value
            return Finding(State.PROVED if good else State.UNDECIDED, f"the limit is {found}")
        return equal(found, self.value, context, self.normal)

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the distance to the value falls to nothing as the variable approaches the point."""
        return tends_in(world, self.expression, self.variable, self.point, self.value, self.direction)

    def in_words(self, world: Evaluation) -> str:
        """The value far along, and the one claimed."""
        point = near(
            world.value(self.point),
            Rational(1, 10**12 if not self.variable.is_integer else 60),
            self.direction,
        )
        reached = N(world.at({self.variable: point}).value(self.expression), 12)
        return f"{self.expression} is {reached!s} near the point, the claim is {N(world.value(self.value), 12)}"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of the value."""
        if self.value.is_infinite:
            return iter([("sign", replace(self, value=-self.value))])
        return ((label, replace(self, value=value)) for label, value in changed(self.value))


def tends_in(
    world: Evaluation, expression: Expr, variable: Symbol, point: Expr, value: Expr, direction: str = "+"
) -> bool:
    """A numeric trend: what is left to the value is tiny, or falls and is no more than was gained last."""
    target = world.value(value)
    place = world.value(point)
    if variable.is_integer:
        smalls = [Rational(1, n) for n in (8, 32, 128, 512)]
    else:
        smalls = [Rational(1, 10**n) for n in (6, 12, 24, 48)]
    sharp = replace(world, digits=300, memory={})
    seen = [N(sharp.at({variable: near(place, s, direction)}).value(expression), 200) for s in smalls]
    if target.is_infinite:
        if not all(s.is_extended_real for s in seen):
            raise EvaluationError(f"{expression} is not real near {point}")
        signed = [s if target is oo else -s for s in seen]
        return bool(all(a < b for a, b in pairwise(signed)) and signed[-1] > 0)
    gaps = [abs(s - target) for s in seen]
    if gaps[-1] <= Float(10) ** -30 * (1 + abs(target)):
        return True
    return bool(gaps[-1] < gaps[-2] and gaps[-1] <= Rational(3, 2) * abs(seen[-1] - seen[-2]))


def reaches(variable: Symbol, point: Expr, direction: str) -> bool:
    """Whether the variable's declared sign lets it come near the point from that side; an integer comes near none."""
    if variable.is_integer and not point.is_infinite:
        return False
    place = near(point, Dummy("t", positive=True), direction)
    return not any(
        getattr(variable, f"is_{sign}") and getattr(place, f"is_{opposite}")
        for sign, opposite in (("nonnegative", "negative"), ("nonpositive", "positive"))
    )


def _listed(expression: Basic, context: Context) -> str:
    return ", ".join(sorted(str(h) for h in heads_in(expression, context.heads)))
