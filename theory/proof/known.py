"""What is known while a gap is brought to a normal form."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sympy import Basic
from sympy.logic.boolalg import Boolean

from theory.proof.matching import heads_in
from theory.proof.running import running_in
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
