"""An exact algebra of asymptotic orders for sums over many independent neurons.

A quantity X has order q when it follows d^q, d being the width: tight, and bounded away from zero in
probability, after division by d^q (width:D7). An order is the largest of finitely many exponents that are
linear in symbols (a tropical polynomial), so general statements come out as well as numbers.

A quantity of one neuron has two orders, of its part that is even in the initial output weight and of its part
that is odd in it: a symmetric initial weight gives odd parts the mean zero. A sum over d neurons gains d from
the mean (law of large numbers) and sqrt(d) from what fluctuates (central limit):

    order(sum X) = max(even + 1, even + 1/2, odd + 1/2).

Hypotheses of these rules: neurons are independent given the scalars of the history, which stay in a compact
box (so both laws hold uniformly over it); moments as high as the summand's degree are finite; a mean that
symmetry does not force to vanish does not vanish; two terms of one order do not cancel.

The last two are not needed for an order to be a bound. That it is reached is seen in exact instances, in which nothing
is assumed (`theory.asymptotics`): for neurons of finitely many kinds and an analytic activation the coefficient of the
claimed power is analytic in the factors sigma*, eta*, in the samples and in the gradients, so that it vanishes at most
on a null set of them once it does not vanish in one instance. In the band one step is enough for all later ones: with
the later gradients at 0 the state is that after the first step, and the claimed orders are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sympy import Expr, Max, Rational, S, expand

HALF = Rational(1, 2)


class Unsettled(ValueError):
    """The hypotheses at hand do not decide which of two exponents is larger."""


@dataclass(frozen=True)
class Order:
    """The largest of some exponents; no exponent at all is the order of zero.

    Parameters
    ----------
    exponents
        Numbers, or expressions linear in symbols. Numbers are reduced to their largest.

    Examples
    --------
    The product of d^(1/2) and (d^q + d) has order max(q, 1) + 1/2.

    >>> from sympy import Symbol
    >>> q = Symbol("q")
    >>> (Order.of(HALF) + (Order.of(q) | Order.of(1))).expression()
    Max(3/2, q + 1/2)
    """

    exponents: frozenset[Expr] = frozenset()

    @staticmethod
    def of(*exponents: Expr | int) -> Order:
        """Largest of the given exponents; minus infinity counts as none."""
        finite = [S(e) for e in exponents if S(e) is not S.NegativeInfinity]
        numbers = [e for e in finite if e.is_number]
        symbolic = [e for e in finite if not e.is_number]
        return Order(frozenset([*symbolic, max(numbers)] if numbers else symbolic))

    @staticmethod
    def read(exponent: Expr) -> Order:
        """Order of a written exponent: a linear expression, or the ``Max`` of some."""
        return Order.of(*exponent.args) if isinstance(exponent, Max) else Order.of(exponent)

    @property
    def vanishes(self) -> bool:
        """Whether this is the order of zero."""
        return not self.exponents

    def __add__(self, other: Order) -> Order:
        """Order of a product."""
        return Order.of(*(expand(p + q) for p in self.exponents for q in other.exponents))

    def __or__(self, other: Order) -> Order:
        """Order of a sum of two terms that do not cancel."""
        return Order.of(*self.exponents, *other.exponents)

    def expression(self) -> Expr:
        """The exponent as SymPy writes it; minus infinity for zero."""
        return Max(*self.exponents)


ZERO = Order()
UNIT = Order.of(0)


@dataclass(frozen=True)
class Parts:
    """Orders of the even and the odd part of a quantity."""

    even: Order = ZERO
    odd: Order = ZERO

    def __add__(self, other: Parts) -> Parts:
        """Parts of a product: even times even and odd times odd are even."""
        return Parts(
            (self.even + other.even) | (self.odd + other.odd),
            (self.even + other.odd) | (self.odd + other.even),
        )

    def __or__(self, other: Parts) -> Parts:
        """Parts of a sum."""
        return Parts(self.even | other.even, self.odd | other.odd)

    @property
    def total(self) -> Order:
        """Order of the whole."""
        return self.even | self.odd

    def reduced(self, regime: Regime) -> Parts:
        """The same with exponents dropped that never lead."""
        return Parts(regime.reduced(self.even), regime.reduced(self.odd))


@dataclass(frozen=True)
class Regime:
    """What is known about the exponents' symbols.

    Parameters
    ----------
    implies
        ``implies(e)`` says whether ``e >= 0`` follows from the hypotheses; asked for symbolic exponents only.

    Examples
    --------
    >>> from sympy import Symbol
    >>> s = Symbol("s", nonnegative=True)
    >>> signs = Regime(lambda e: bool(e.is_nonnegative))
    >>> signs.reduced(Order.of(s, -1)).expression(), signs.negative_part(Order.of(s))
    (s, Order(exponents=frozenset({0})))
    """

    implies: Callable[[Expr], bool] = lambda exponent: False

    def nonnegative(self, exponent: Expr) -> bool:
        """Whether the exponent is known to be at least zero."""
        exponent = expand(exponent)
        return bool(exponent >= 0) if exponent.is_number else self.implies(exponent)

    def reduced(self, order: Order) -> Order:
        """The same order with every exponent dropped that another one dominates."""
        kept: list[Expr] = sorted(order.exponents, key=str)
        for exponent in tuple(kept):
            others = [e for e in kept if e is not exponent]
            if any(self.nonnegative(other - exponent) for other in others):
                kept = others
        return Order.of(*kept)

    def leading(self, order: Order) -> Expr:
        """The one exponent that leads.

        Raises
        ------
        Unsettled
            If the hypotheses leave more than one.
        """
        reduced = self.reduced(order)
        if len(reduced.exponents) != 1:
            raise Unsettled(
                f"orders: which of {sorted(map(str, reduced.exponents))} leads does not follow from the "
                f"hypotheses; "
                "a single leading exponent is allowed; split into cases"
            )
        return next(iter(reduced.exponents))

    def negative_part(self, order: Order) -> Order:
        """Min(0, exponent), exponent by exponent.

        Raises
        ------
        Unsettled
            If the sign of one of them does not follow from the hypotheses.
        """
        return Order.of(*(self._negative_part(exponent) for exponent in order.exponents))

    def _negative_part(self, exponent: Expr) -> Expr:
        if self.nonnegative(exponent):
            return S.Zero
        if self.nonnegative(-exponent):
            return exponent
        raise Unsettled(
            f"orders: the sign of {exponent} does not follow from the hypotheses; a settled sign is allowed; "
            "split into cases"
        )


def sum_over_neurons(summand: Parts) -> Order:
    """Order of a sum over d independent neurons: d for what has a mean, sqrt(d) for what fluctuates.

    Examples
    --------
    >>> sum_over_neurons(Parts(odd=UNIT)).expression(), sum_over_neurons(Parts(even=UNIT)).expression()
    (1/2, 1)
    """
    mean = Order.of(*(e + 1 for e in summand.even.exponents))
    fluctuation = Order.of(*(expand(e + HALF) for e in summand.total.exponents))
    return mean | Order.of(*(e for e in fluctuation.exponents if e + HALF not in mean.exponents))


def product(factors: Iterable[Parts]) -> Parts:
    """Parts of a product of several factors; of none, those of the number one."""
    result = Parts(even=UNIT)
    for factor in factors:
        result = result + factor
    return result


Known = Mapping[Expr, Parts]
"""Parts of the neurons' states, by symbol."""
