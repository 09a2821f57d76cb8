"""Root: an equation has exactly one solution on a domain, and this is it."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Eq, Expr, Symbol, true
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Root(Step):
    """unknown = root is the only solution of `equation` on `domain`.

    The step introduces `unknown` as that solution, so a world gives it no value. If a premise constrains the
    unknown, then `equation` (and `domain`) must be among the facts that the step uses.

    Parameters
    ----------
    name
        The step's name.
    unknown
        The symbol that is solved for.
    equation
        An equation in it.
    root
        The solution, free of the unknown. The conclusion is `Eq(unknown, root)`.
    domain
        A relation (or And of relations) in the unknown, `true` for the domain of its own assumptions.
    uses, normal, because
        As in `Equal`. Uniqueness: after division by (unknown - root) the rest has no zero on the domain, or
        left - right is strictly monotone there.
    """

    name: str
    unknown: Symbol
    equation: Boolean
    root: Expr
    domain: Boolean = true
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        require_names("Root", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """Eq(unknown, root)."""
        return Eq(self.unknown, self.root, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Substitute, then show uniqueness."""
        return Finding(State.UNDECIDED, "not written yet")
