"""What every step of a derivation is, and what its check may answer."""

from __future__ import annotations

import abc
import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sympy import Basic
from sympy.logic.boolalg import Boolean

if TYPE_CHECKING:
    from theory.evaluation import Evaluation
    from theory.rewriting import Rule


class State(enum.Enum):
    """The four answers. Only PROVED passes.

    PROVED
        The check went through, in general.
    REFUTED
        A world that honours the hypotheses makes the claim false.
    UNDECIDED
        Neither: the gap that is left is in the reason.
    VACUOUS
        The step says nothing: it restates a premise, needs nothing of what it uses, or rests on hypotheses that
        nothing satisfies.
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
        All relations among what it uses (equations too), quantified ones excepted.
    quantified
        Facts with the symbols for which they hold at every value, by the name of the premise or step.
    sampled
        Draws one more world in which every hypothesis of the derivation holds; the argument names the draw.
    fixed
        Symbols that some premise of the derivation constrains or defines.
    """

    rules: tuple[Rule, ...] = ()
    facts: tuple[Boolean, ...] = ()
    quantified: tuple[tuple[str, Boolean, tuple[Basic, ...]], ...] = ()
    sampled: Callable[[str], Evaluation | None] = field(default=lambda name: None)
    fixed: frozenset[Basic] = frozenset()


class Step(abc.ABC):
    """One step. A step type is a frozen dataclass with these fields and methods, one file each.

    A step answers for its own proof only (`check`). The derivation asks first whether the step is empty, tries it
    in worlds (`holds_in`), and afterwards whether something that it uses is idle.
    """

    name: str
    uses: tuple[str, ...]
    because: str

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

    def introduces(self) -> tuple[tuple[Basic, object], ...]:
        """Pairs (symbol, meaning) of the symbols that this step itself brings in (the root of an equation)."""
        return ()


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
