"""Steps of the algebra of orders: how a quantity follows the width, and how the states' orders go on step
after step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from sympy import Add, And, Basic, Eq, Expr, Implies, Indexed, Integer, S, Sum, Symbol, Tuple, expand
from sympy.logic.boolalg import Boolean

from theory.asymptotics import even, neuron, odd, order
from theory.evaluation import Evaluation
from theory.neurons import Neurons
from theory.orders import Order, Parts, Regime, Unsettled
from theory.rewriting import Rule, match, rewrite
from theory.signs import entails
from theory.steps.step import Context, Finding, State, Step, require_names

DEPTH = 50


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

    def __post_init__(self) -> None:
        require_names("OrderOf", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """The equation, under what is given."""
        return _under(self.given, Eq(order(self.quantity, self.width), self.value, evaluate=False))

    def check(self, context: Context) -> Finding:
        """Read the order off the definitions and compare exponent by exponent."""
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

    def __post_init__(self) -> None:
        require_names("OrdersGoOn", self.name, self.uses)

    @property
    def forall(self) -> tuple[Symbol, ...]:
        """It holds at every step."""
        return (self.variable,)

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
        reading = Reading(context.adding(*self.given), self.width)
        first = {self.variable: Integer(0)}
        later = {self.variable: self.variable + 1}
        believed = {
            state: Parts(Order.read(of_even), Order.read(of_odd)) for state, of_even, of_odd in self.states
        }
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


@dataclass(frozen=True)
class Reading:
    """What a context says about orders, and the algebra's answers under it.

    Parameters
    ----------
    context
        Definitions, orders of states (equations in even, odd and order), and relations between exponents.
    width
        The symbol d.
    known
        Orders believed on top, for an induction.
    """

    context: Context
    width: Symbol
    known: dict[Basic, Parts] | None = None

    def order(self, quantity: Expr) -> Order:
        """Order of a quantity, or of a finite change."""
        before = _change(quantity)
        if before is None:
            expression = self._opened(quantity)
            return self._neurons(expression).order(expression)
        expression = self._opened(before)
        moves: dict[Basic, Expr] = {}
        for state in sorted(_states(expression), key=str):
            step = self._body(_later(state))
            if step is None:
                raise Unsettled(
                    f"orders: no step of {state} is in use; a defined one is allowed; add it to the uses"
                )
            moves[state] = expand(self._opened(step) - state)
        return self._neurons(Add(expression, *moves.values())).order_of_change(expression, moves)

    def parts(self, state: Expr) -> Parts:
        """Parts of a state of one neuron."""
        expression = self._opened(state)
        return self._neurons(expression).parts(expression)

    def compared(self, name: str, found: Order, claimed: Expr) -> Finding:
        """Whether two orders are the same under what is known of the exponents."""
        expected = self.regime.reduced(Order.read(self._plain(claimed)))
        plain = self.regime.reduced(Order.of(*(self._plain(e) for e in found.exponents)))
        if {expand(e) for e in plain.exponents} == {expand(e) for e in expected.exponents}:
            return Finding(State.PROVED, "parity, growth and sums over neurons")
        return Finding(
            State.UNDECIDED, f"{name} has order {plain.expression()}, claimed is {expected.expression()}"
        )

    @property
    def regime(self) -> Regime:
        """Comparisons that follow from the relations at hand."""
        facts = tuple(self._plain_relation(f) for f in self.context.facts)
        return Regime(lambda exponent: _follows(self._plain(exponent), facts))

    def _neurons(self, expression: Expr) -> Neurons:
        known = {atom: self._found(atom) for atom in expression.atoms(Indexed)}
        return Neurons(
            self.width,
            neuron,
            {atom: parts for atom, parts in known.items() if parts is not None},
            self.regime,
        )

    def _found(self, atom: Indexed) -> Parts | None:
        """Parts of a state or a scalar that some fact tells."""
        if self.known and atom in self.known:
            return self.known[atom]
        if atom.has(neuron):
            found = [self._looked_up(part(atom, self.width)) for part in (even, odd)]
            return None if None in found else Parts(*(Order.read(e) for e in found if e is not None))
        scalar = self._looked_up(order(atom, self.width))
        return None if scalar is None else Parts(Order.read(scalar))

    def _looked_up(self, question: Expr) -> Expr | None:
        facts = self.context.facts
        for rule in self.context.rules:
            if rule.macro:
                continue
            for bound in match(rule.left, question, rule.variables, {}):
                if all(entails(self._plain_relation(c.xreplace(bound)), facts) for c in rule.conditions):
                    return self._plain(rule.right.xreplace(bound))
        return None

    def _opened(self, expression: Expr) -> Expr:
        """Definitions put in until only states and scalars of known order are left."""
        for _ in range(DEPTH):
            changes: dict[Basic, Expr] = {}
            for atom in expression.atoms(Indexed, Symbol):
                if isinstance(atom, Indexed) and self._found(atom) is not None:
                    continue
                body = self._body(atom)
                if body is not None:
                    changes[atom] = body
            if not changes:
                hidden = sorted(str(s) for s in expression.free_symbols & self.context.heads)
                if hidden:
                    raise Unsettled(
                        f"orders: the definition of {', '.join(hidden)} is not used; definitions in use are "
                        f"allowed; "
                        "add it to the uses"
                    )
                return _one_index(expression)
            expression = _one_index(expression).xreplace(changes)
        raise Unsettled(
            "orders: the definitions do not end; a finite chain is allowed; define without a circle"
        )

    def _body(self, atom: Basic) -> Expr | None:
        for rule in self.context.rules:
            if rule.macro:
                for bound in match(rule.left, atom, rule.variables, {}):
                    return _one_index(rule.right).xreplace(bound)
        return None

    def _plain(self, exponent: Expr) -> Expr:
        """Abbreviations of exponents put in."""
        return expand(rewrite(exponent, self._abbreviations)[0])

    def _plain_relation(self, relation: Boolean) -> Boolean:
        return rewrite(relation, self._abbreviations)[0]  # type: ignore[return-value]

    @property
    def _abbreviations(self) -> tuple[Rule, ...]:
        return tuple(r for r in self.context.rules if r.macro and isinstance(r.left, Symbol))


@cache
def _follows(exponent: Expr, facts: tuple[Boolean, ...]) -> bool:
    return entails(exponent >= 0, facts)


def _under(given: tuple[Boolean, ...], claim: Boolean) -> Boolean:
    return Implies(And(*given), claim, evaluate=False) if given else claim


def _change(quantity: Expr) -> Expr | None:
    """The quantity before the step, if this is the difference that one step makes."""
    if not isinstance(quantity, Add) or len(quantity.args) != 2:
        return None
    for after, minus in (quantity.args, quantity.args[::-1]):
        before = -minus
        if isinstance(before, Indexed) and isinstance(after, Indexed) and _later(before) == after:
            return before
    return None


def _later(state: Indexed) -> Indexed:
    """The same one step later."""
    return state.base[(state.indices[0] + 1, *state.indices[1:])]


def _states(expression: Expr) -> set[Indexed]:
    return {atom for atom in expression.atoms(Indexed) if atom.has(neuron)}


def _one_index(expression: Expr) -> Expr:
    """Every sum over neurons with the same index."""
    renamed = {s.limits[0][0]: neuron for s in expression.atoms(Sum)}
    return expression.xreplace(renamed)
