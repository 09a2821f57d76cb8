"""Enumerate: the list of sign vectors of linear expressions is complete, and each of them occurs."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import And, Eq, Expr, Or, Symbol
from sympy.logic.boolalg import Boolean

from theory.steps.step import Context, Finding, State, Step, require_names


@dataclass(frozen=True)
class Enumerate(Step):
    """Under the hypotheses used, the signs of `lines` form exactly the vectors in `items`.

    Parameters
    ----------
    name
        The step's name.
    variables
        The symbols of the plane (or space).
    lines
        Expressions that are linear in them once definitions are put in.
    items
        Sign vectors, one entry -1, 0 or 1 per line.
    uses
        Definitions of the lines, and linear hypotheses.
    because
        One sentence for the reader.
    dimensions
        Empty, or the dimension of each item's cell, checked too.

    Notes
    -----
    Each item has an exact rational witness; every other of the 3^lines sign vectors has an infeasibility
    certificate (Farkas) in rationals. The conclusion is the disjunction of the items' relations.
    """

    name: str
    variables: tuple[Symbol, ...]
    lines: tuple[Expr, ...]
    items: tuple[tuple[int, ...], ...]
    uses: tuple[str, ...] = ()
    because: str = ""
    dimensions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        require_names("Enumerate", self.name, self.uses)

    @property
    def conclusion(self) -> Boolean:
        """Or over the items of And over the lines' signs."""
        return Or(*(self.cell(item) for item in self.items), evaluate=False)

    def cell(self, item: tuple[int, ...]) -> Boolean:
        """The relations of one sign vector."""
        return And(*(_relation(e, s) for e, s in zip(self.lines, item, strict=True)), evaluate=False)

    def check(self, context: Context) -> Finding:
        """Witness or certificate for each of the sign vectors."""
        return Finding(State.UNDECIDED, "not written yet")


def _relation(line: Expr, sign: int) -> Boolean:
    if sign == 0:
        return Eq(line, 0, evaluate=False)
    return line > 0 if sign > 0 else line < 0
