"""Steps of the algebra of orders: how a quantity follows the width, and how the states' orders go on step
after step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import And, Basic, Eq, Expr, Implies, Indexed, Integer, S, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.asymptotics import even, odd, order
from theory.orders import Order, Parts, Unsettled
from theory.proof.evaluation import Evaluation
from theory.proof.rewriting import rewrite
from theory.proof.signs import contradictory
from theory.proof.steps.order_reading import Reading
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class OrderOf(Step):
    """order(quantity, width) = value, by the rules of `theory.orders` alone.

    Parameters
    ----------
    name
        The step's name.
    quantity
        A sum over neurons, or what is defined as one; or a Tuple of several that share the order. A
        difference such as ``K[k + 1] - K[k]`` is a finite change: its states move by what their definitions
        add.
    value
        The exponent: linear, or the `Max` of linear ones.
    width
        The symbol d.
    uses
        Definitions down to states of known order; orders of those states; what settles which exponent leads.
    because
        One sentence for the reader.
    given
        Relations under which it is claimed: the conclusion is an implication.
    forall
        Symbols (the step count) at whose every value it holds.
    """

    name: str
    quantity: Basic
    value: Expr
    width: Symbol
    uses: tuple[str, ...] = ()
    because: str = ""
    given: tuple[Boolean, ...] = ()
    forall: tuple[Symbol, ...] = ()

    @property
    def trials(self) -> int:
        """More worlds where some cannot say anything."""
        return 6 if self.given else 3

    @property
    def conclusion(self) -> Boolean:
        """The equation, under what is given."""
        return _under(self.given, Eq(order(self.quantity, self.width), self.value, evaluate=False))

    def check(self, context: Context) -> Finding:
        """Read the order off the definitions and compare exponent by exponent."""
        if _never(self.given, context):
            return Finding(State.VACUOUS, "what is given contradicts itself or the hypotheses: there is no such case")
        reading = Reading(context.adding(*self.given), self.width)
        try:
            for one in self.quantity.args if isinstance(self.quantity, Tuple) else (self.quantity,):
                compared = reading.compared(str(one), reading.order(one), self.value)  # pyright: ignore[reportArgumentType]
                if not compared.proved:
                    return compared
            return Finding(State.PROVED, "parity, growth and sums over neurons")
        except Unsettled as gap:
            return Finding(State.UNDECIDED, str(gap))

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether an exact expectation at huge widths follows the exponent; no answer where the case does not
        arise.
        """
        return world.truth(self.conclusion) if world.truth(And(*self.given)) else None

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Exponents off by one half, which is what tells a mean from a fluctuation."""
        for shift in (S.Half, -S.Half):
            yield f"exponent shifted by {shift}", replace(self, value=self.value + shift)


@dataclass(frozen=True)
class OrdersGoOn(Step):
    """The parts of the states have known orders at every step, by induction over the steps.

    Parameters
    ----------
    name
        The step's name.
    variable
        The step count k, from 0 on.
    states
        Triples (state, even, odd): a state such as ``a[k + 1, r]`` and the orders of its parts, which may
        hold k. All are proved together.
    width, uses, because, given
        As in `OrderOf`. The uses hold each state's step and the orders at the start.
    """

    name: str
    variable: Symbol
    states: tuple[tuple[Indexed, Expr, Expr], ...]
    width: Symbol
    uses: tuple[str, ...] = ()
    because: str = ""
    given: tuple[Boolean, ...] = ()

    @property
    def forall(self) -> tuple[Symbol, ...]:
        """It holds at every step."""
        return (self.variable,)

    @property
    def trials(self) -> int:
        """More worlds where some cannot say anything."""
        return 6 if self.given else 3

    @property
    def conclusion(self) -> Boolean:
        """All orders at once, under what is given."""
        equations = []
        for state, of_even, of_odd in self.states:
            equations += [
                Eq(even(state, self.width), of_even, evaluate=False),
                Eq(odd(state, self.width), of_odd, evaluate=False),
            ]
        return _under(self.given, And(*equations, evaluate=False))

    def check(self, context: Context) -> Finding:
        """From the start to the first, then from any one to the next."""
        if _never(self.given, context):
            return Finding(State.VACUOUS, "what is given contradicts itself or the hypotheses: there is no such case")
        reading = Reading(context.adding(*self.given), self.width)
        first = {self.variable: Integer(0)}
        later = {self.variable: self.variable + 1}
        believed = {state: Parts(Order.read(of_even), Order.read(of_odd)) for state, of_even, of_odd in self.states}
        try:
            for state, of_even, of_odd in self.states:
                for place, known in ((first, {}), (later, believed)):
                    there = state.xreplace(place)
                    found = replace(reading, known=known).parts(there)
                    for part, claimed in ((found.even, of_even), (found.odd, of_odd)):
                        compared = reading.compared(str(there), part, claimed.xreplace(place))
                        if not compared.proved:
                            return compared
        except Unsettled as gap:
            return Finding(State.UNDECIDED, str(gap))
        return Finding(State.PROVED, "induction over the steps")

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether mean sizes at huge widths follow the exponents; no answer where the case does not arise."""
        return world.truth(self.conclusion) if world.truth(And(*self.given)) else None

    def in_words(self, world: Evaluation) -> str:
        """Which of the orders is another one."""
        for state, of_even, of_odd in self.states:
            for measured, claimed in ((even(state, self.width), of_even), (odd(state, self.width), of_odd)):
                if world.value(measured) != world.value(claimed):
                    return f"{measured} is {world.value(measured)}, {claimed} is {world.value(claimed)}"
        return "all orders are as claimed"

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """One order at a time, off by one half."""
        for i, (state, of_even, of_odd) in enumerate(self.states):
            for label, pair in (("even", (of_even + S.Half, of_odd)), ("odd", (of_even, of_odd + S.Half))):
                changed = (*self.states[:i], (state, *pair), *self.states[i + 1 :])
                if changed != self.states:
                    yield f"{label} part of {state}", replace(self, states=changed)


def _never(given: tuple[Boolean, ...], context: Context) -> bool:
    """Whether a case is found to be impossible."""
    relations = tuple(f for f in (*context.facts, *given) if isinstance(f, Relational))
    definitions = tuple(r for r in context.rules if r.macro and isinstance(r.left, Symbol))
    return bool(given) and contradictory(tuple(rewrite(f, definitions)[0] for f in relations))  # type: ignore[arg-type]


def _under(given: tuple[Boolean, ...], claim: Boolean) -> Boolean:
    return Implies(And(*given), claim, evaluate=False) if given else claim
