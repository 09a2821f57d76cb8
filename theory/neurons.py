"""Reads orders off expressions in symbols: products per neuron, sums over neurons, their changes in one
step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Subs, Sum, Symbol, Tuple, diff, expand

from theory.asymptotics import differentiated
from theory.growth import growth_of
from theory.orders import Order, Parts, Regime, Unsettled, product, sum_over_neurons

ONE = product(())
NOTHING = Parts()


@dataclass(frozen=True)
class Neurons:
    """Orders of expressions in a width and in neurons' states of known order.

    Parameters
    ----------
    width, neuron
        The symbol d, and the index r over which sums run from 1 to d.
    known
        Parts of states and of scalars that vary with the width. A plain symbol that is not listed is a number
        that does not depend on the width and is not zero; anything indexed must be listed.
    regime
        What is known of the exponents' symbols.
    exponents
        Values to put in for the exponents' symbols.

    Examples
    --------
    Logits at the start: a symmetric output weight gives them the order q + 1/2 (width:E1), a biased one q +
    1.

    >>> from sympy import IndexedBase, symbols
    >>> from theory.growth import phi
    >>> from theory.orders import UNIT
    >>> d, r, q, x = symbols("d r q x"); a, w = IndexedBase("a"), IndexedBase("w")
    >>> logits = d**q * Sum(a[r] * phi(w[r] * x), (r, 1, d))
    >>> initial = {a[r]: Parts(odd=UNIT), w[r]: Parts(even=UNIT)}
    >>> Neurons(d, r, initial).order(logits).expression()
    q + 1/2
    >>> Neurons(d, r, {**initial, a[r]: Parts(UNIT, UNIT)}).order(logits).expression()
    q + 1
    """

    width: Symbol
    neuron: Symbol
    known: Mapping[Basic, Parts]
    regime: Regime = Regime()  # noqa: RUF009
    exponents: Mapping[Basic, Expr] = field(default_factory=dict)

    def order(self, expression: Expr) -> Order:
        """Order of a quantity that belongs to no single neuron."""
        return self.regime.reduced(self.parts(expression).total)

    def order_of_change(self, expression: Expr, moves: Mapping[Basic, Expr]) -> Order:
        """Order of its finite change when the states move."""
        return self.regime.reduced(self.change(expression, moves).total)

    def parts(self, expression: Expr) -> Parts:
        """Parts of an expression.

        Raises
        ------
        Unsettled
            If the hypotheses do not decide them, for something indexed without a known order, or a function
            without a known growth.
        """
        return self._read(expression, {})[0].reduced(self.regime)

    def change(self, expression: Expr, moves: Mapping[Basic, Expr]) -> Parts:
        """Parts of the finite change of an expression when each state in ``moves`` moves by its value."""
        steps = {state: self.parts(move) for state, move in moves.items()}
        return self._read(expression, steps)[1].reduced(self.regime)

    def _read(self, expression: Expr, steps: Mapping[Basic, Parts]) -> tuple[Parts, Parts]:
        """Parts of the value and of the change."""
        if expression in self.known:
            return self.known[expression], steps.get(expression, NOTHING)
        if expression.is_number:
            return (NOTHING if expression.is_zero else ONE), NOTHING
        if isinstance(expression, Add):
            read = [self._read(term, steps) for term in expression.args]
            value, change = NOTHING, NOTHING
            for term_value, term_change in read:
                value, change = value | term_value, change | term_change
            return value, change
        if isinstance(expression, Mul):
            return self._product([self._read(factor, steps) for factor in expression.args])
        if isinstance(expression, Pow):
            return self._power(expression, steps)
        if isinstance(expression, Sum):
            return self._sum(expression, steps)
        if isinstance(expression, Subs):
            return self._read(differentiated(expression), steps)
        if isinstance(expression, Symbol):
            return (Parts(Order.of(1)) if expression == self.width else ONE), NOTHING
        growth = growth_of(expression.func)
        if growth is None:
            raise Unsettled(
                f"orders: {expression} has no known order; allowed are symbols, states that are listed, and "
                f"functions "
                "with a growth; list it"
            )
        argument, move = self._read(expression.args[0], steps)
        value = growth.value(argument.reduced(self.regime), self.regime)
        if move == NOTHING:
            return value, NOTHING
        return value, growth.change(argument.reduced(self.regime), move.reduced(self.regime), self.regime)

    def _product(self, factors: list[tuple[Parts, Parts]]) -> tuple[Parts, Parts]:
        value, change = ONE, NOTHING
        for next_value, next_change in factors:
            change = (change + next_value) | (value + next_change) | (change + next_change)
            value = value + next_value
            value, change = value.reduced(self.regime), change.reduced(self.regime)
        return value, change

    def _power(self, expression: Pow, steps: Mapping[Basic, Parts]) -> tuple[Parts, Parts]:
        base, exponent = expression.args
        if isinstance(exponent, Integer) and exponent > 0:
            return self._product([self._read(base, steps)] * int(exponent))
        value, change = self._read(base, steps)
        if change != NOTHING or not value.odd.vanishes or base.has(self.neuron):
            raise ValueError(
                f"orders: {expression} is a power of a state; whole positive powers are allowed; write it as a function"
            )
        exponent = exponent.xreplace(dict(self.exponents))
        return Parts(Order.of(expand(exponent * self.regime.leading(value.even)))), NOTHING

    def _sum(self, expression: Sum, steps: Mapping[Basic, Parts]) -> tuple[Parts, Parts]:
        if expression.limits != (Tuple(self.neuron, 1, self.width),):
            raise ValueError(
                f"orders: the sum runs over {expression.limits}; one from {self.neuron} = 1 to {self.width} "
                f"is allowed; "
                "write it so"
            )
        value, change = self._read(expression.function, steps)
        return Parts(sum_over_neurons(value)), Parts(sum_over_neurons(change))


@dataclass(frozen=True)
class UpdateRule:
    """States of a neuron at the start, and what one step adds to each.

    Parameters
    ----------
    width, neuron
        As in ``Neurons``.
    initial
        Parts of the states at the start.
    scalars
        Parts of indexed numbers that keep their order (sample gradients).
    moves
        What a step adds to each state.
    """

    width: Symbol
    neuron: Symbol
    initial: Mapping[Basic, Parts]
    scalars: Mapping[Basic, Parts]
    moves: Mapping[Basic, Expr]

    def after(self, steps: int, exponents: Mapping[Basic, Expr] | None = None, regime: Regime | None = None) -> Neurons:
        """Neurons after so many steps; a state that has stopped changing is not stepped further."""
        now = Neurons(self.width, self.neuron, {**self.scalars, **self.initial}, regime or Regime(), exponents or {})
        for _ in range(steps):
            following = self.advance(now)
            if following.known == now.known:
                break
            now = following
        return now

    def advance(self, now: Neurons) -> Neurons:
        """Neurons one step later: the old value and the move do not cancel (width:E6)."""
        moved = {state: (now.known[state] | now.parts(move)) for state, move in self.moves.items()}
        reduced = {state: parts.reduced(now.regime) for state, parts in moved.items()}
        return replace(now, known={**now.known, **reduced})


def linear_part(expression: Expr, moves: Mapping[Basic, Expr], rate: Symbol) -> Expr:
    """Derivative at ``rate = 0`` of an expression whose states have moved (width:D6).

    Parameters
    ----------
    expression
        In the states before the step.
    moves
        What the step adds to each state; linear in the learning rates.
    rate
        The star of one learning rate. States that move with another rate stand still.

    Examples
    --------
    >>> from sympy import symbols
    >>> a, eta = symbols("a eta")
    >>> linear_part(a**2, {a: 3 * eta}, eta)
    6*a
    """
    moved = {state: state + expand(move).coeff(rate) * rate for state, move in moves.items()}
    return diff(expression.xreplace(moved), rate).xreplace({rate: Integer(0)})


def moments_needed(summand: Expr, state: Symbol | Basic) -> int:
    """Moment of a state's distribution that must be finite for the variance of a sum (width:G16).

    Examples
    --------
    >>> from sympy import symbols
    >>> a, w = symbols("a w")
    >>> moments_needed(a**3 * w, a)
    6
    """
    return 2 * int(summand.as_poly(state).degree()) if summand.has(state) else 0  # pyright: ignore
