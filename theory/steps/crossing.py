"""Crossing: exactly one root between two points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import And, Basic, Eq, Expr, Symbol
from sympy.logic.boolalg import Boolean

from theory.normal_forms import NormalForm
from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Crossing(Step):
    """The expression vanishes exactly once for low < variable < high; `root` names the place.

    Parameters
    ----------
    name
        The step's name.
    expression, variable, low, high
        The claim.
    root
        A new symbol for the root; a world gives it no value. The conclusion is
        `And(Eq(expression at root, 0), low < root, root < high)`.
    uses, normal, because
        As in `Equal`. Proof: opposite signs at the ends and strict monotonicity, each as in `Holds`.
    attained
        Whether the root may sit at `high` (then the conclusion says root <= high).
    instances
        As in `Holds`; the pair of points that is compared is (`variable`, `variable` with a prime), so that an
        abstract decreasing function is met by the instance {x: variable, y: primed(variable)}.
    """

    name: str
    expression: Expr
    variable: Symbol
    low: Expr
    high: Expr
    root: Symbol
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    attained: bool = False
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()

    def __post_init__(self) -> None:
        require_names("Crossing", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """The root is a zero and lies between the ends."""
        at_root = self.expression.xreplace({self.variable: self.root})
        above = self.root <= self.high if self.attained else self.root < self.high
        return And(Eq(at_root, 0, evaluate=False), self.low < self.root, above, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Sign change and monotonicity."""
        return Finding(State.UNDECIDED, "not written yet")


def primed(variable: Symbol) -> Symbol:
    """The second point of a monotonicity proof: the symbol with a prime, same assumptions.

    Examples
    --------
    >>> from sympy import Symbol
    >>> primed(Symbol("x", positive=True))
    x'
    """
    return Symbol(variable.name + "'", **variable.assumptions0)
