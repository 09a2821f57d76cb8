"""Tends: an expression has a limit."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Eq, Expr, Limit, Symbol
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Tends(Step):
    """expression -> value as variable -> point.

    Parameters
    ----------
    name
        The step's name.
    expression, variable, point, value
        The claim; point may be oo or -oo. The conclusion is
        `Eq(Limit(expression, variable, point, direction), value)`.
    uses, normal, because
        As in `Equal`.
    direction
        "+" (from above, the default), "-" (from below).
    """

    name: str
    expression: Expr
    variable: Symbol
    point: Expr
    value: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    direction: str = "+"

    def __post_init__(self) -> None:
        require_names("Tends", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """Eq(Limit(expression, variable, point), value)."""
        limit = Limit(self.expression, self.variable, self.point, self.direction)
        return Eq(limit, self.value, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Take the limit in a small variable."""
        return Finding(State.UNDECIDED, "not written yet")
