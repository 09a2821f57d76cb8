"""Crossing: exactly one root between two points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sympy import (
    And,
    Basic,
    Derivative,
    Dummy,
    Eq,
    Expr,
    Float,
    N,
    Rational,
    S,
    Subs,
    Symbol,
    sign,
)
from sympy.logic.boolalg import Boolean

from theory.proof.admission import lacking
from theory.proof.evaluation import DIGITS, Evaluation, EvaluationError
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm
from theory.proof.steps.gaps import unfolded
from theory.proof.steps.holds import instances_of, proved, showing
from theory.proof.steps.root import unbroken
from theory.proof.steps.step import Context, Finding, Meaning, State, Step


@dataclass(frozen=True)
class Crossing(Step):
    """The expression vanishes exactly once for low < variable < high; `root` names the place.

    Parameters
    ----------
    name
        The step's name.
    expression, variable, low, high
        The claim.
    root
        A new symbol for the root; a world gives it no value. The conclusion is
        `And(Eq(expression at root, 0), low < root, root < high)`.
    uses, normal, because
        As in `Equal`. Proof: opposite signs at the ends and strict monotonicity, each as in `Holds`.
    attained
        Whether the root may sit at `high` (then the conclusion says root <= high).
    instances
        As in `Holds`; the pair of points that is compared is (`variable`, `variable` with a prime), so
        that an abstract decreasing function is met by the instance {x: variable, y: primed(variable)}.
    """

    name: str
    expression: Expr
    variable: Symbol
    low: Expr
    high: Expr
    root: Symbol
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    attained: bool = False
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()

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
        """The root is a zero and lies between the ends."""
        at_root = self.expression.xreplace({self.variable: self.root})
        above = self.root <= self.high if self.attained else self.root < self.high
        return And(Eq(at_root, 0, evaluate=False), self.low < self.root, above, evaluate=False)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """That there is one root only."""
        return (("exactly one root of", self.expression), ("named", self.root))

    def check(self, context: Context) -> Finding:
        """Sign change and monotonicity."""
        expression = unfolded(self.expression, context)
        if heads_in(expression, context.heads):
            return Finding(State.UNDECIDED, "the expression contains heads whose definition is hidden")
        if self.root in context.fixed or self.root in expression.free_symbols:
            return Finding(State.UNDECIDED, f"{self.root} is not a new symbol")
        ends = (unfolded(self.low, context), unfolded(self.high, context))
        if any(end.has(self.variable, self.root) or heads_in(end, context.heads) for end in ends):
            return Finding(State.UNDECIDED, f"the ends {self.low} and {self.high} may depend on {self.variable}")
        if self.variable in context.fixed:
            return Finding(State.UNDECIDED, f"hypotheses speak of {self.variable}, so it does not run from end to end")
        place = Dummy(self.variable.name, real=True)
        top = place <= self.high if self.attained else place < self.high
        shown = showing(context.adding(self.low < place, top), self.normal)
        for symbol in (self.variable, self.root):
            missing = lacking(symbol, place, shown)
            if missing:
                return Finding(State.UNDECIDED, f"{symbol} is assumed more than lying between the ends: {missing}")
        rising = self._crosses(expression, context)
        if rising.proved:
            return rising
        falling = self._crosses(-expression, context)
        return falling if falling.proved else rising

    def _between(self, context: Context) -> Context:
        return context.adding(self.low < self.variable, self.variable < self.high)

    def _crosses(self, expression: Expr, context: Context) -> Finding:
        """Whether the expression rises strictly through 0."""
        start, end = (expression.xreplace({self.variable: p}) for p in (self.low, self.high))
        last = end >= 0 if self.attained else end > 0
        context = context.adding(*instances_of(context, self.instances))
        apart = self.low < self.high
        if apart != S.true and not proved(apart, context, self.normal).proved:
            return Finding(State.UNDECIDED, f"not shown that {self.low} lies below {self.high}")
        for claim, words in ((start < 0, "at the low end"), (last, "at the high end")):
            found = proved(claim, context, self.normal)
            if not found.proved:
                return Finding(State.UNDECIDED, f"{words} {found.reason}")
        closed = context.adding(self.low <= self.variable, self.variable <= self.high)
        if not unbroken(expression, self.variable, closed, self.normal):
            return Finding(State.UNDECIDED, f"not shown to be continuous: {expression}")
        within = self._between(context)
        slope = expression.diff(self.variable)
        if not slope.has(Derivative, Subs):
            found = proved(slope > 0, within, self.normal)
            if found.proved:
                return Finding(State.PROVED, f"opposite signs at the ends, and the slope {slope} has one sign")
        other = primed(self.variable)
        within = within.adding(self.low < other, other < self.high, self.variable < other)
        found = proved(expression < expression.xreplace({self.variable: other}), within, self.normal)
        if found.proved:
            return Finding(State.PROVED, "opposite signs at the ends, and strictly monotone")
        return Finding(State.UNDECIDED, f"not shown to be strictly monotone: {found.reason}")

    def introduces(self) -> tuple[tuple[Basic, Meaning], ...]:
        """The root, which a world finds by bracketing."""
        return ((self.root, self._found),)

    def _found(self, world: Evaluation) -> Expr:
        return bracketed(
            lambda x: N(world.at({self.variable: x}).value(self.expression), world.digits),
            N(world.value(self.low), world.digits),
            N(world.value(self.high), world.digits),
            world.digits,
        )

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether there is a root in the place claimed, with one sign before it and the other after."""
        low, high = (N(world.value(end), DIGITS) for end in (self.low, self.high))
        try:
            root = self._found(world)
        except EvaluationError:
            return False
        if not world.at({self.root: root}).truth(self.conclusion):
            return False
        before, after = (
            [sign(world.at({self.variable: a + (b - a) * Rational(k, 5)}).value(self.expression)) for k in range(1, 5)]
            for a, b in ((low, root), (root, high))
        )
        return len(set(before)) == 1 and len(set(after)) <= 1 and (root == high or before[0] == -after[0])

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """The interval moved off the root."""
        yield "interval moved", replace(self, low=2 * self.low - self.high, high=self.low)


def bracketed(function: Callable[[Expr], Expr], low: Expr, high: Expr, digits: int = DIGITS) -> Expr:
    """The root between two places of opposite sign, by the Illinois form of false position with bisections.

    Raises
    ------
    EvaluationError
        If the signs are not opposite, or a value has none.
    """
    left, right = function(low), function(high)
    if not (left.is_extended_real and right.is_extended_real):
        raise EvaluationError("the values at the ends are not real")
    if right == 0:
        return high
    if not bool(left * right < 0):
        raise EvaluationError("no change of sign between the ends")
    for count in range(400 * max(1, digits // DIGITS)):
        place = (low + high) / 2 if count % 4 == 3 else (low * right - high * left) / (right - left)
        value = function(place)
        if not value.is_extended_real:
            raise EvaluationError("a value between the ends is not real")
        if value == 0 or abs(high - low) <= Float(10) ** (3 - digits) * (1 + abs(place)):
            return place
        if bool(value * right < 0):
            low, left = high, right
        else:
            left = left / 2
        high, right = place, value
    return high


def primed(variable: Symbol) -> Symbol:
    """The second point of a monotonicity proof: the symbol with a prime, same assumptions.

    Examples
    --------
    >>> from sympy import Symbol
    >>> primed(Symbol("x", positive=True))
    x'
    """
    return Symbol(variable.name + "'", **variable.assumptions0)
