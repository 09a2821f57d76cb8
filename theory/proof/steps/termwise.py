"""Termwise: a finite sum is no larger than another one whose terms are no smaller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sympy import Basic, Dummy, Expr, Ge, Le, S, Sum, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.admission import lacking
from theory.proof.normal_forms import NormalForm
from theory.proof.steps.holds import instances_of, proved, showing
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Termwise(Step):
    """smaller <= larger, two sums over the same range (or one of them 0), because each term is.

    Parameters
    ----------
    name
        The step's name.
    smaller, larger
        Sums over one index with the same name and the same ends; one of them may be 0. The conclusion is
        `Le(smaller, larger)`, or `Ge(larger, 0)`.
    uses, normal, because, instances, forall
        As in `Holds`; instances may speak of the index. Each term is compared where the index lies in its range.
    """

    name: str
    smaller: Expr
    larger: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""
    instances: tuple[tuple[str, Mapping[Basic, Basic]], ...] = ()
    forall: tuple[Basic, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        limits = {e.limits if isinstance(e, Sum) else () for e in (self.smaller, self.larger) if e != 0}
        if len(limits) != 1 or [len(limit) for limit in next(iter(limits))] != [3]:
            raise ValueError(
                f"Termwise {self.name}: the sides are {self.smaller} and {self.larger}; allowed are sums over one "
                f"index from the same start to the same end, and 0; write both so"
            )

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried."""
        return 12

    @property
    def running(self) -> tuple[Basic, ...]:
        """The index."""
        return (next(e for e in (self.smaller, self.larger) if isinstance(e, Sum)).limits[0][0],)

    @property
    def speaks_of(self) -> tuple[Basic, ...]:
        """Both sides."""
        return (self.smaller, self.larger)

    @property
    def conclusion(self) -> Boolean:
        """The inequality of the sums; what is not negative stands on the left."""
        if self.smaller == 0:
            return Ge(self.larger, 0, evaluate=False)
        return Le(self.smaller, self.larger, evaluate=False)

    def check(self, context: Context) -> Finding:
        """Compare the terms at an index of which no more is known than its range."""
        index, low, high = next(e for e in (self.smaller, self.larger) if isinstance(e, Sum)).limits[0]
        if not isinstance(index, Symbol) or index in context.fixed or index in low.free_symbols | high.free_symbols:
            return Finding(State.UNDECIDED, f"{index} is not free to run from end to end")
        place = Dummy(index.name, integer=True)
        missing = lacking(index, place, showing(context.adding(place >= low, place <= high)))
        if missing:
            return Finding(State.UNDECIDED, f"{index} is assumed more than lying in its range: {missing}")
        within = context.adding(index >= low, index <= high)
        within = within.adding(*instances_of(within, self.instances))
        left, right = (e.function if isinstance(e, Sum) else S.Zero for e in (self.smaller, self.larger))
        found = proved(Le(left, right, evaluate=False), within, self.normal)
        return Finding(State.PROVED, f"term by term: {found.reason}") if found.proved else found

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """The sides changed over."""
        yield "turned round", replace(self, smaller=self.larger, larger=self.smaller)
