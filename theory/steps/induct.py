"""Induct: an equation for every integer from a start on."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Eq, Expr, Symbol
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Induct(Step):
    """left(n) = right(n) for all integers n >= start.

    Parameters
    ----------
    name
        The step's name.
    variable
        The integer symbol n.
    left, right
        The claim; the conclusion is `Eq(left, right)`, for every value of n, and rewrites left at any of them.
    start
        The first n.
    uses, normal, because
        As in `Equal`. A recursion is a pair of definitions with heads q(0) and q(k + 1).
    """

    name: str
    variable: Symbol
    left: Expr
    right: Expr
    start: int = 0
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        require_names("Induct", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """Eq(left, right)."""
        return Eq(self.left, self.right, evaluate=False)

    def check(self, context: Context) -> Finding:
        """The base, then the step with the hypothesis at n only."""
        return Finding(State.UNDECIDED, "not written yet")
