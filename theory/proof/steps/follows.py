"""Follows: the exponent with which a closed form follows its control at one end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Dummy, Eq, Expr, Float, N, Ne, Rational, S, Symbol, log, oo
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theory.asymptotics import order
from theory.proof.evaluation import Evaluation, EvaluationError, near
from theory.proof.limits import limit_at_zero
from theory.proof.matching import heads_in
from theory.proof.normal_forms import NormalForm
from theory.proof.steps.gaps import along, changed, may_depend, names_of, reduced
from theory.proof.steps.holds import proved
from theory.proof.steps.known_limits import composed_limit
from theory.proof.steps.step import Context, Finding, State, Step
from theory.proof.told import head_key

NEAR, NEARER = Rational(1, 10**60), Rational(1, 10**120)
"""So near that a correction of half a power of the distance is below the tolerance."""
DIGITS = 400
TOLERANCE = Float(10) ** -20


@dataclass(frozen=True)
class Follows(Step):
    """quantity / control^exponent has a finite limit other than 0 as control -> point.

    Parameters
    ----------
    name
        The step's name.
    quantity, control, exponent
        The claim. The conclusion is `Eq(order(quantity, control), exponent)`.
    point
        Where the exponent is read off: oo, or 0 (from above).
    uses, normal, because
        As in `Equal`; among the uses is whatever shows that the limit is not 0.
    """

    name: str
    quantity: Expr
    control: Symbol
    exponent: Expr
    point: Expr = oo
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    @property
    def running(self) -> tuple[Basic, ...]:
        """The control."""
        return (self.control,)

    @property
    def conclusion(self) -> Boolean:
        """Eq(order(quantity, control), exponent)."""
        return Eq(order(self.quantity, self.control), self.exponent, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Take the limit of the ratio and show that it is finite and not 0."""
        context = _varying_only(context, self.control)
        if may_depend(self.exponent, self.control, context):
            return Finding(State.UNDECIDED, f"the exponent {self.exponent} depends on {self.control}, or may do so")
        away = along(context, self.control)
        held = frozenset({self.control})
        ratio = reduced(self.quantity / self.control**self.exponent, away, self.normal, held)
        found = composed_limit(ratio, self.control, self.point, "+", away)
        hidden = ", ".join(sorted(str(h) for h in heads_in(ratio, context.heads)))
        if found is None and hidden:
            return Finding(State.UNDECIDED, f"the definition of {hidden} is hidden")
        if found is None:
            t = Dummy("t", positive=True)
            found = limit_at_zero(ratio.xreplace({self.control: near(self.point, t)}), t, away.facts)
        if found is None or found.is_infinite:
            return Finding(State.UNDECIDED, f"no finite limit found for {ratio}: {found}")
        if not proved(Ne(found, 0, evaluate=False), context, self.normal).proved:
            return Finding(State.UNDECIDED, f"the limit {found} is not shown to differ from 0")
        return Finding(State.PROVED, f"the ratio has a limit other than 0, by {names_of(self.normal)}")

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the logarithmic slope between two places close to the point is the exponent."""
        slope = _slope(world, self.quantity, self.control, self.point)
        return bool(abs(slope - world.value(self.exponent)) < TOLERANCE)

    def in_words(self, world: Evaluation) -> str:
        """The slope that was found."""
        slope = N(_slope(world, self.quantity, self.control, self.point), 15)
        return f"{self.quantity} follows {self.control} with exponent {slope}, the claim is {self.exponent}"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or size of the exponent."""
        yield "plus 1", replace(self, exponent=self.exponent + 1)
        for label, exponent in changed(self.exponent):
            if self.exponent != S.Zero and exponent != self.exponent:
                yield label, replace(self, exponent=exponent)


def _slope(world: Evaluation, quantity: Expr, control: Symbol, point: Expr) -> Expr:
    sharp = replace(world, digits=DIGITS, memory={})
    places = [near(point, small) for small in (NEAR, NEARER)]
    reached = [N(sharp.at({control: place}).value(quantity), DIGITS) for place in places]
    if not all(one.is_number and one != 0 for one in reached):
        raise EvaluationError(f"{quantity} is 0 or undefined near {point}, and follows no power of {control}")
    sizes = [log(abs(one)) for one in reached]
    return N((sizes[1] - sizes[0]) / (log(places[1]) - log(places[0])), 60)


def _varying_only(context: Context, control: Symbol) -> Context:
    """The context without the definitions of symbols and tables in which the control occurs at no depth.

    They stay closed: a hidden definition may depend on anything, an open one is looked into here.
    """
    open_heads = {head_key(rule.left): rule for rule in context.rules if rule.macro}
    varying = {control, *context.heads}
    while True:
        found = {
            head
            for head, rule in open_heads.items()
            if head not in varying and (rule.right.has(control) or heads_in(rule.right, frozenset(varying)))
        }
        if not found:
            break
        varying |= found
    kept = tuple(
        rule
        for rule in context.rules
        if not rule.macro or head_key(rule.left) in varying or isinstance(rule.left, AppliedUndef)
    )
    return replace(context, rules=kept)
