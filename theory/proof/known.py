"""What is known while a gap is brought to a normal form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Derivative, Indexed, Lambda, Limit, Subs
from sympy.logic.boolalg import Boolean

from theory.asymptotics import even, neuron, odd, order
from theory.proof.matching import heads_in
from theory.proof.signs import entails


@dataclass(frozen=True)
class Known:
    """Facts, and the heads whose definitions are hidden.

    Parameters
    ----------
    facts
        Relations.
    heads
        Defined symbols, bases and functions that the step does not unfold: they may depend on anything.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> Known((x > 1,)).entails(x > 0)
    True
    """

    facts: tuple[Boolean, ...] = ()
    heads: frozenset[Basic] = frozenset()

    def entails(self, claim: Boolean, ranges: tuple[Boolean, ...] = ()) -> bool:
        """Whether a relation follows by linear arithmetic; `ranges` are those of the indices round about."""
        return entails(claim, (*self.facts, *ranges), products=False)

    def along(self, e: Basic) -> Known:
        """What is known inside a limit or a derivative: nothing of what runs there, nor of hidden heads.

        A head with a hidden definition may depend on what runs.

        Examples
        --------
        >>> from sympy import Limit, Symbol, oo
        >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
        >>> Known((x > 1, y > 1)).along(Limit(x * y, x, oo)).facts
        (y > 1,)
        """
        running = tuple(running_in(e))
        if not running:
            return self
        kept = (f for f in self.facts if not (f.has(*running) or heads_in(f, self.heads)))
        return replace(self, facts=tuple(kept))


def running_in(e: Basic) -> Iterator[Basic]:
    """What runs inside an expression of this head: the variable of a limit, of a derivative, of an order.

    The whole base runs in a derivative in one of its entries, as another entry may be the same one.
    """
    match e:
        case Derivative() | Subs():
            yield from (v.base.label if isinstance(v, Indexed) else v for v in e.variables)
        case Lambda():
            yield from e.signature
        case Limit():
            yield e.args[1]
        case order() | even() | odd():
            yield from (e.args[1], neuron)
