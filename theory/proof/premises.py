"""What a derivation may believe: definitions, hypotheses, and conclusions of other derivations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sympy import Basic, Expr, Indexed, Integer, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theory.proof.admission import assumptions_of
from theory.proof.taking import take_numbers

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


@dataclass(frozen=True)
class Define:
    """An abbreviation: `head` stands for `body`, everywhere.

    A head is a symbol, or an Indexed or an undefined function whose arguments are symbols, symbols plus a
    positive integer, or integers. Symbols among the arguments are a pattern: `Define("softmax", p[m, k],
    ...)` defines p at every pair of indices. A pair of heads such as `q(0)` and `q(k + 1)` defines a
    recursion.

    Parameters
    ----------
    name
        How steps refer to it.
    head
        What is defined. Bodies are the only meaning of heads: a world gives no value to a head.
    body
        What it means.
    convention
        Empty, or the written reason why a changed body may survive (a positive overall factor that cancels).

    Examples
    --------
    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> Define("square", y, x**2).head
    y
    """

    name: str
    head: Expr
    body: Expr
    convention: str = ""

    def __post_init__(self) -> None:
        take_numbers(self)
        arguments = pattern_arguments(self.head)
        if arguments is None:
            raise ValueError(
                f"Define {self.name}: the head is {self.head}; allowed are a symbol, or an Indexed or "
                f"function of symbols, symbols plus a positive integer, and integers; define such a head"
            )


@dataclass(frozen=True)
class Suppose:
    """A hypothesis: a relation, or And, Or, Implies of relations.

    An equation rewrites its left side into its right side in the steps that use it; an inequality feeds the
    sign proofs. Every world honours every hypothesis.

    Parameters
    ----------
    name
        How steps refer to it.
    fact
        The relation, built with `evaluate=False` where SymPy would decide it. `Implies(condition, equation)`
        rewrites where the condition follows from the facts at hand.
    convention
        Empty, or the written reason why a changed fact may survive.
    forall
        Symbols for which the fact is supposed at every value (in the range of their own assumptions). They
        are a pattern when the fact rewrites, and `Holds` takes instances of them. Worlds sample them near by, and
        one world must keep the fact far out too (`theory.proof.far`): what is supposed of the entries of a table
        says in which range, `Implies(i <= N, ...)`, unless the table can go on.

    Examples
    --------
    >>> from sympy import Symbol
    >>> N = Symbol("N", integer=True)
    >>> Suppose("two or more", N >= 2).fact
    N >= 2
    """

    name: str
    fact: Boolean
    convention: str = ""
    forall: tuple[Symbol, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.fact, Boolean) or self.fact in (True, False):
            raise ValueError(
                f"Suppose {self.name}: the fact is {self.fact}; allowed are relations and And, Or, Implies "
                f"of them that SymPy has not decided; build it with evaluate=False"
            )
        take_numbers(self)


@dataclass(frozen=True)
class Imported:
    """Another derivation's conclusion.

    The hypotheses that it rests on are not imported with it: each must be a hypothesis here too, or the
    conclusion of an earlier step. Its definitions come along, and may not contradict the ones here. The other
    derivation is checked before the first step that uses this one; it must be sound.

    Parameters
    ----------
    name
        How steps refer to it.
    derivation
        The other derivation. It exists before this one, so a circle cannot be built.
    at
        Pairs (symbol, expression): the conclusion and its hypotheses are taken at these values.
    """

    name: str
    derivation: Derivation
    at: tuple[tuple[Basic, Basic], ...] = ()

    def __post_init__(self) -> None:
        take_numbers(self)

    @property
    def convention(self) -> str:
        """Imported conclusions are never conventions."""
        return ""

    @property
    def fact(self) -> Boolean:
        """The conclusion, at the values asked for."""
        conclusion = self.derivation.conclusion
        return conclusion.xreplace(dict(self.at)) if self.at else conclusion


Premise: TypeAlias = Define | Suppose | Imported


def pattern_arguments(head: Basic) -> tuple[Basic, ...] | None:
    """The arguments of a head, `()` for a symbol, None for what cannot be a head.

    Examples
    --------
    >>> from sympy import Function, Symbol
    >>> k = Symbol("k")
    >>> pattern_arguments(Function("q")(k + 1)), pattern_arguments(k**2)
    ((k + 1,), None)
    """
    if isinstance(head, Symbol):
        return ()
    if isinstance(head, Indexed):
        arguments = head.indices
    elif isinstance(head, AppliedUndef):
        arguments = head.args
    else:
        return None
    return tuple(arguments) if all(_is_pattern(a) for a in arguments) else None


def overlapping(one: Basic, other: Basic) -> bool:
    """Whether two heads may stand for the same thing somewhere.

    Examples
    --------
    >>> from sympy import Function, Symbol
    >>> k, q = Symbol("k"), Function("q")
    >>> overlapping(q(0), q(k + 1)), overlapping(q(0), q(k)), overlapping(q(2), q(k + 1))
    (False, True, True)
    """
    if isinstance(one, Symbol) or isinstance(other, Symbol):
        return one == other
    bases = [h.base if isinstance(h, Indexed) else h.func for h in (one, other)]
    ours, theirs = pattern_arguments(one) or (), pattern_arguments(other) or ()
    return bases[0] == bases[1] and len(ours) == len(theirs) and all(map(_may_meet, ours, theirs))


def kept_apart(symbol: Basic, number: Basic) -> bool:
    """Whether what a symbol of a pattern is declared to be excludes a number."""
    return (
        isinstance(symbol, Symbol)
        and isinstance(number, Integer)
        and any(getattr(number, f"is_{name}") is (not wanted) for name, wanted in assumptions_of(symbol))
    )


def _may_meet(one: Basic, other: Basic) -> bool:
    numbers = [a for a in (one, other) if isinstance(a, Integer)]
    if len(numbers) == 2:
        return one == other
    if kept_apart(one, other) or kept_apart(other, one):
        return False
    patterns = [a for a in (one, other) if a.is_Add]
    return not (numbers and patterns and int(numbers[0]) < int(patterns[0].args[0]))


def _is_pattern(argument: Basic) -> bool:
    if isinstance(argument, Symbol | Integer):
        return True
    if not (argument.is_Add and len(argument.args) == 2):
        return False
    shift, symbol = argument.args
    return isinstance(symbol, Symbol) and isinstance(shift, Integer) and int(shift) > 0
