"""Expand: the first terms of an expansion, with the order of the remainder."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Add, Eq, Expr, Function, Symbol
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names

Remainder = Function("O")


@dataclass(frozen=True)
class Expand(Step):
    """left = terms + O((variable - point)^order) as variable -> point.

    Parameters
    ----------
    name
        The step's name.
    left, terms, variable, point, order
        The claim; at point oo the remainder is O(variable^-order). The conclusion is
        `Eq(left, terms + O(...))` with an undefined function O that SymPy does not absorb terms into.
    uses, normal, because
        As in `Equal`.
    """

    name: str
    left: Expr
    terms: Expr
    variable: Symbol
    point: Expr
    order: int
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        require_names("Expand", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """Eq(left, terms + O(small^order))."""
        small = 1 / self.variable if self.point.is_infinite else self.variable - self.point
        return Eq(self.left, Add(self.terms, Remainder(small**self.order)), evaluate=False)

    def check(self, context: Context) -> Finding:
        """Exact derivatives at the point."""
        return Finding(State.UNDECIDED, "not written yet")
