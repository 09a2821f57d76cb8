"""What is known while a gap is brought to a normal form."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Basic
from sympy.logic.boolalg import Boolean

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
