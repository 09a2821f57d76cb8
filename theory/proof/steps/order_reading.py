"""What a step's context says about orders, and what the algebra answers under it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sympy import Add, Basic, Derivative, Expr, Indexed, Pow, S, Subs, Sum, Symbol, expand
from sympy.logic.boolalg import Boolean

from theory.asymptotics import even, neuron, odd, order
from theory.neurons import Neurons
from theory.orders import Order, Parts, Regime, Unsettled
from theory.proof.admission import lacking
from theory.proof.matching import match
from theory.proof.rewriting import Rule, rewrite
from theory.proof.signs import entails, sign_of
from theory.proof.steps.step import Context, Finding, State

DEPTH = 50


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
                raise Unsettled(f"orders: no step of {state} is in use; a defined one is allowed; add it to the uses")
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
        return Finding(State.UNDECIDED, f"{name} has order {plain.expression()}, claimed is {expected.expression()}")

    @property
    def regime(self) -> Regime:
        """Comparisons that follow from the relations at hand."""
        facts = tuple(self._plain_relation(f) for f in self.context.facts)
        return Regime(lambda exponent: _follows(self._plain(exponent), facts))

    def _neurons(self, expression: Expr) -> Neurons:
        factors = _factors(expression) - {self.width, neuron}
        for factor in sorted(factors | _differences(expression, self.width), key=str):
            if 0 in sign_of(factor, self.context.facts):
                raise Unsettled(
                    f"orders: {factor} may be 0, and then what it multiplies has no order; a symbol that is declared "
                    "nonzero or of one sign is allowed; declare it so"
                )
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
        shown = lambda claim: claim != S.false and entails(self._plain_relation(claim), facts)  # noqa: E731
        for rule in self.context.rules:
            if rule.macro:
                continue
            for bound in match(rule.left, question, rule.variables, {}):
                if any(lacking(symbol, place, shown) for symbol, place in bound.items()):
                    continue
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
        raise Unsettled("orders: the definitions do not end; a finite chain is allowed; define without a circle")

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


def _factors(expression: Basic) -> set[Basic]:
    """Symbols of an expression that are not in exponents or indices, and do not run."""
    match expression:
        case Symbol():
            return {expression}
        case Indexed():
            return set()
        case Pow():
            return _factors(expression.base)
        case Subs():
            return _factors(expression.expr) - set(expression.variables)
        case Sum():
            return _factors(expression.function) - {limit[0] for limit in expression.limits}
        case Derivative():
            return _factors(expression.expr)
    return {symbol for part in expression.args for symbol in _factors(part)}


def _differences(expression: Expr, width: Symbol) -> set[Expr]:
    """Sums of plain numbers among the factors: each term may be anything but 0, and they may cancel."""
    plain = {part for part in expression.atoms(Add) if not part.has(width, neuron, Indexed, Sum, Subs, Derivative)}
    powers = {part for power in expression.atoms(Pow) for part in power.exp.atoms(Add)}
    return plain - powers


def _states(expression: Expr) -> set[Indexed]:
    return {atom for atom in expression.atoms(Indexed) if atom.has(neuron)}


def _one_index(expression: Expr) -> Expr:
    """Every sum over neurons with the same index."""
    renamed = {s.limits[0][0]: neuron for s in expression.atoms(Sum)}
    return expression.xreplace(renamed)
