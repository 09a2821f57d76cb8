"""Expand: the first terms of an expansion, with the order of the remainder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Add, Basic, Dummy, Eq, Expr, Float, Function, Gt, Integer, Lt, N, Rational, S, Symbol, log
from sympy.logic.boolalg import Boolean

from theory.proof.evaluation import Evaluation, near
from theory.proof.known import Known
from theory.proof.limits import limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm, derivatives
from theory.proof.steps.gaps import along, changed, equal, unfolded
from theory.proof.steps.step import Context, Finding, State, Step

Remainder = Function("O", real=True)


@dataclass(frozen=True)
class Expand(Step):
    """left = terms + O((variable - point)^order) as variable -> point.

    Parameters
    ----------
    name
        The step's name.
    left, terms, variable, point, order
        The claim; at point oo the remainder is O(variable^-order). The conclusion is
        `Eq(left, terms + O(...))` with an undefined function O that SymPy does not absorb terms into.
    uses, normal, because
        As in `Equal`.
    direction
        "+" (from above), "-" (from below), or "+-" (both, the default). Sides that the variable's declared
        sign rules out are not asked for.
    """

    name: str
    left: Expr
    terms: Expr
    variable: Symbol
    point: Expr
    order: int
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    direction: str = "+-"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.direction not in ("+", "-", "+-"):
            raise ValueError(
                f"Expand {self.name}: direction is {self.direction!r}; allowed are '+', '-' and '+-'; choose one"
            )

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides from which the variable comes to the point."""
        if self.point.is_infinite:
            return ("+",)
        gap = self.variable - self.point
        ruled_out = {"-": gap.is_nonnegative, "+": gap.is_nonpositive}
        return tuple(side for side in self.direction if not ruled_out[side])

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """From where, if it is not both sides."""
        if self.point.is_infinite or self.direction == "+-":
            return ()
        here = (Gt if self.direction == "+" else Lt)(self.variable, self.point, evaluate=False)
        return (("as it nears the point with", here),)

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def conclusion(self) -> Boolean:
        """Eq(left, terms + O(small^order))."""
        small = 1 / self.variable if self.point.is_infinite else self.variable - self.point
        return Eq(self.left, Add(self.terms, Remainder(small**self.order)), evaluate=False)

    def check(self, context: Context) -> Finding:
        """Exact derivatives at the point."""
        away = along(context, self.variable)
        gap = unfolded(self.left - self.terms, away, frozenset({self.variable}))
        hidden = heads_in(gap, context.heads)
        if hidden:
            return Finding(State.UNDECIDED, f"the definition of {', '.join(map(str, hidden))} is hidden")
        if not self.sides:
            return Finding(State.UNDECIDED, f"{self.variable} is declared not to come near {self.point} from there")
        for side in self.sides:
            found = self._from(side, gap, context, away)
            if not found.proved:
                return found
        return Finding(State.PROVED, f"derivatives 0 to {self.order - 1} vanish, derivative {self.order} is bounded")

    def _from(self, side: str, gap: Expr, context: Context, away: Context) -> Finding:
        t = Dummy("t", positive=True)
        gap = derivatives(gap, Known()).xreplace({self.variable: near(self.point, t, side)})  # type: ignore[arg-type]
        for k in range(self.order + 1):
            found = limit_at_zero(gap, t, away.facts)
            if found is None or found.is_infinite:
                return Finding(State.UNDECIDED, f"derivative {k} at the point is not found: {gap}")
            if k < self.order:
                zero = equal(found, S.Zero, context, self.normal)
                if not zero.proved:
                    return Finding(State.UNDECIDED, f"derivative {k} at the point does not vanish: {zero.reason}")
                gap = gap.diff(t)
        return Finding(State.PROVED)

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the remainder falls with at least the slope claimed, measured close to the point."""
        return self._slope(world) >= self.order - Rational(1, 50)

    def _slope(self, world: Evaluation) -> Expr:
        """The lesser of the slopes on the sides that are claimed."""
        return min((self._slope_from(side, world) for side in self.sides), default=S.Zero)

    def _slope_from(self, side: str, world: Evaluation) -> Expr:
        sharp = replace(world, digits=60 + 40 * self.order, memory={})
        point = world.value(self.point)
        sizes = []
        for exponent in (8, 16):
            place = near(point, Rational(1, 10**exponent), side)
            value = sharp.at({self.variable: place}).value(self.left - self.terms)
            sizes.append(abs(N(value, sharp.digits)))
        if sizes[1] <= Float(10) ** -(16 * self.order + 30):
            return Integer(self.order)
        return N(log(sizes[0] / sizes[1], 10) / 8, 15) if sizes[0] > 0 else S.Zero

    def in_words(self, world: Evaluation) -> str:
        """The slope that is measured."""
        return f"the remainder has slope {N(self._slope(world), 6)}, the claim is {self.order}"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of the terms, or an order too high."""
        yield from ((label, replace(self, terms=terms)) for label, terms in changed(self.terms))
