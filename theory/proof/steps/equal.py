"""Equal: two expressions are equal wherever both are defined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Eq, Expr, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.normal_forms import NormalForm
from theory.proof.steps.gaps import changed, equal
from theory.proof.steps.step import Context, Finding, Step


@dataclass(frozen=True)
class Equal(Step):
    """left = right.

    Both sides are rewritten with what the step uses to a fixed point; then the chain of normal forms,
    repeated while it changes anything (with the rewriting in between), must make the gap exactly 0.

    Parameters
    ----------
    name, left, right
        The claim. The conclusion is `Eq(left, right, evaluate=False)`; in later steps it rewrites left
        into right.
    uses
        Names of premises and earlier steps.
    normal
        Normal forms from `theory.proof.normal_forms`, in order; empty means `(derivatives, sums, rational)`.
    because
        One sentence for the reader.
    forall
        Free symbols (indices, mostly) that later steps may replace by anything in their range: they are a
        pattern when the conclusion rewrites. Ranges supposed for them are checked at each use.
    """

    name: str
    left: Expr
    right: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    forall: tuple[Symbol, ...] = ()

    @property
    def conclusion(self) -> Boolean:
        """Eq(left, right)."""
        return Eq(self.left, self.right, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Rewrite and bring the gap to 0."""
        return equal(self.left, self.right, context, self.normal)

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent on the right."""
        return ((label, replace(self, right=right)) for label, right in changed(self.right))
