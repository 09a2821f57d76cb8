"""How an activation, its derivatives, or a sign changes orders and parities.

``phi`` stands for a smooth activation that grows linearly at both infinities, with different slopes, and
whose derivative is bounded (width:D10); ``dphi`` and ``ddphi`` are its first two derivatives.

Write z = u + v for the even and the odd part of the argument and M = max(0, order u) for the scale on which z
spreads. Then the odd part of a bounded function of z is min(0, order v - M): linear in v while v is small
against that spread, and of order one as soon as it is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sympy import Function

from theory.orders import UNIT, ZERO, Order, Parts, Regime, Unsettled
from theory.proof.functions import derivative, smooth


class Growth(Protocol):
    """What the algebra asks of a function of one argument."""

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """Parts of the function's value."""
        ...

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """Parts of the finite change of its value when the argument moves."""
        ...


@dataclass(frozen=True)
class Linear:
    """phi: of order max(0, argument); its changes are those of the argument."""

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """Even part: at least of order one; odd part: that of the argument."""
        return Parts(UNIT | argument.total, argument.odd)

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """Slope times move, where the slope is a bounded function of old and new argument."""
        slope = Bounded().value(Parts(argument.even | move.even, argument.odd | move.odd), regime)
        return slope + move


@dataclass(frozen=True)
class Bounded:
    """phi': of order zero with an odd part as in the module's text."""

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """Even part: order zero."""
        return Parts(UNIT, _share(argument.odd, argument.even, regime))

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """Its own derivative behaves likewise: the share of the move in the spread, times an even or odd
        slope.
        """
        spread = argument.even | move.even
        slope = self.value(Parts(spread, argument.odd | move.odd), regime)
        return slope + Parts(_share(move.even, spread, regime), _share(move.odd, spread, regime))


@dataclass(frozen=True)
class Local:
    """phi'': it lives near zero, so the algebra has a value for it only while arguments stay of order
    zero.
    """

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """As phi' for bounded arguments.

        Raises
        ------
        Unsettled
            If the argument is not known to stay bounded.
        """
        if not all(regime.nonnegative(-e) for e in argument.total.exponents):
            raise Unsettled(
                "orders: a second derivative is localised near zero, and its argument grows with the width; "
                "arguments of order at most zero are allowed; leave this quantity out there"
            )
        return Bounded().value(argument, regime)

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """As phi' for bounded arguments."""
        self.value(Parts(argument.even | move.even, argument.odd | move.odd), regime)
        return Bounded().change(argument, move, regime)


@dataclass(frozen=True)
class Sign:
    """The sign of its argument: of the leading part's parity, with the other part as rare exceptions."""

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """Each part: the chance that it decides the sign."""
        return Parts(_chance(argument.even, argument.odd, regime), _chance(argument.odd, argument.even, regime))

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """A sign flips where the move exceeds the argument.

        Raises
        ------
        Unsettled
            Always: the algebra has no rule for the change of a sign.
        """
        raise Unsettled("orders: the change of a sign has no order here; values of signs are allowed; rewrite it")


@dataclass(frozen=True)
class Odd:
    """A bounded odd function, such as erf: it keeps parities, and no part is larger than order one."""

    def value(self, argument: Parts, regime: Regime) -> Parts:
        """Each part: its share beside the other one."""
        return Parts(_share(argument.even, argument.odd, regime), _share(argument.odd, argument.even, regime))

    def change(self, argument: Parts, move: Parts, regime: Regime) -> Parts:
        """Not needed yet.

        Raises
        ------
        Unsettled
            Always: the algebra has no rule for it.
        """
        raise Unsettled("orders: the change of an odd activation has no order here; values are allowed; leave it out")


def _share(part: Order, spread: Order, regime: Regime) -> Order:
    """Order min(0, part - max(0, spread))."""
    if part.vanishes:
        return ZERO
    scale = regime.leading(UNIT | spread)
    return regime.negative_part(part + Order.of(-scale))


def _chance(part: Order, other: Order, regime: Regime) -> Order:
    """Order min(0, part - other)."""
    if part.vanishes or other.vanishes:
        return ZERO if part.vanishes else UNIT
    return regime.negative_part(part + Order.of(-regime.leading(other)))


phi = smooth("phi")
"""The activation."""

dphi = derivative(phi)
ddphi = derivative(dphi)
odd_phi = smooth("odd_phi")
"""A bounded odd activation."""

direction = Function("direction", real=True)
"""The sign of a number."""

_GROWTH: dict[object, Growth] = {phi: Linear(), dphi: Bounded(), ddphi: Local(), odd_phi: Odd(), direction: Sign()}


def growth_of(function: object) -> Growth | None:
    """Growth of a function, None for one that is not known.

    Examples
    --------
    >>> growth_of(dphi)
    Bounded()
    """
    return _GROWTH.get(function)
