"""What every step of a derivation is, and what its check may answer."""

from __future__ import annotations

import abc
import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from sympy import Basic, Expr, Float, Limit, N
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.proof.taking import take_numbers

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation
    from theory.proof.rewriting import Rule


Meaning: TypeAlias = "Expr | Callable[[Evaluation], Expr]"


class State(enum.Enum):
    """The four answers. Only PROVED passes.

    PROVED
        The check went through, in general.
    REFUTED
        A world that honours the hypotheses makes the claim false.
    UNDECIDED
        Neither: the gap that is left is in the reason.
    VACUOUS
        The step says nothing: it restates a premise, needs nothing of what it uses, or rests on hypotheses
        that nothing satisfies.
    """

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"


@dataclass(frozen=True)
class Finding:
    """An answer and its reason in words."""

    state: State
    reason: str = ""

    @property
    def proved(self) -> bool:
        """Whether the answer is PROVED."""
        return self.state is State.PROVED


@dataclass(frozen=True)
class Context:
    """All that a step may see: what it uses, and nothing else.

    Parameters
    ----------
    rules
        Definitions and equations among what it uses, as rewrite rules.
    facts
        Relations among what it uses that are not equations (Or, Implies and Equivalent too), quantified
        ones excepted.
    quantified
        (name, fact, symbols): facts that hold at every value of the symbols.
    heads
        Defined symbols, bases and functions whose definition is hidden: they may depend on anything.
    fixed
        Primitive symbols that some hypothesis of the derivation speaks of.
    """

    rules: tuple[Rule, ...] = ()
    facts: tuple[Boolean, ...] = ()
    quantified: tuple[tuple[str, Boolean, tuple[Basic, ...]], ...] = ()
    heads: frozenset[Basic] = frozenset()
    fixed: frozenset[Basic] = frozenset()

    def adding(self, *facts: Boolean, rules: tuple[Rule, ...] = ()) -> Context:
        """The same with more facts and rules: those of a case, or of a hypothesis of induction."""
        return replace(self, facts=(*self.facts, *facts), rules=(*rules, *self.rules))


class Step(abc.ABC):
    """One step. A step type is a frozen dataclass with these fields and methods, one file each.

    A step answers for its own proof only (`check`). The derivation asks first whether the step is empty,
    tries it in worlds (`holds_in`), and afterwards whether something that it uses is idle.
    """

    name: str
    uses: tuple[str, ...]
    because: str

    def __post_init__(self) -> None:
        """Refuse names that are none; numbers of Python become numbers of SymPy."""
        require_names(type(self).__name__, self.name, self.uses)
        take_numbers(self)

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried; an inequality needs more of them to fail."""
        return 3

    @property
    def running(self) -> tuple[Basic, ...]:
        """Symbols that run within the step: along a limit, over a sum, from one end to another."""
        return ()

    @property
    def speaks_of(self) -> tuple[Basic, ...]:
        """Where what runs must be named: no head in these may depend on it unseen. Empty for limits."""
        return ()

    @property
    def lists_all(self) -> bool:
        """Whether the conclusion lists all that there may be: one of it may well be so in every world."""
        return False

    @property
    @abc.abstractmethod
    def conclusion(self) -> Boolean:
        """The relation that later steps, and the law, may rely on; built with `evaluate=False`."""

    @abc.abstractmethod
    def check(self, context: Context) -> Finding:
        """Prove the conclusion from what the context shows: PROVED, or UNDECIDED with the gap."""

    def holds_in(self, world: Evaluation) -> bool | None:
        """Whether the claim is true in a world; None where a world cannot say."""
        return world.truth(self.conclusion)

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Changed claims, each of which must come out REFUTED."""
        return iter(())

    def added_hypotheses(self) -> Iterator[tuple[str, Boolean]]:
        """Hypotheses that say nothing new or too much; with any of them added the derivation must fail."""
        return iter(())

    def introduces(self) -> tuple[tuple[Basic, Meaning], ...]:
        """Pairs (symbol, meaning) of the symbols that this step itself brings in (the root of an equation).

        A meaning is an expression, or a function of a world that finds the value.
        """
        return ()

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """What the conclusion alone does not tell a reader: pairs (words, mathematics)."""
        return ()

    def in_words(self, world: Evaluation) -> str:
        """The claim in a world, for the reason of a REFUTED."""
        claim = self.conclusion
        if isinstance(claim, Relational) and not claim.has(Limit):
            left, right = (_short(world.value(side)) for side in claim.args)
            return f"{claim.lhs} is {left}, {claim.rhs} is {right}"
        return f"{claim} is false"


def require_names(kind: str, name: str, uses: object) -> None:
    """Refuse a `uses` that is a bare string or holds something else than names.

    Raises
    ------
    ValueError
        If `uses` is not a tuple of strings.
    """
    if not isinstance(uses, tuple) or not all(isinstance(n, str) for n in uses):
        raise ValueError(
            f"{kind} {name}: uses is {uses!r}; allowed is a tuple of names of premises and earlier steps; "
            f"write ('name',) for a single one"
        )


def _short(value: Expr) -> str:
    return str(N(value, 15)) if isinstance(value, Float) else str(value)
