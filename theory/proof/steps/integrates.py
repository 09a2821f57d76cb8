"""Integrates: a definite integral through a primitive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Basic, Dummy, Eq, Expr, Integral, Symbol
from sympy.logic.boolalg import Boolean

from theory.proof.known import Known
from theory.proof.normal_forms import STANDARD, NormalForm, derivatives
from theory.proof.steps.gaps import along, changed, equal, unfolded
from theory.proof.steps.root import unbroken
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Integrates(Step):
    """The integral of integrand over variable from low to high = primitive at high - primitive at low.

    The proof is the fundamental theorem: the primitive's derivative is the integrand wherever that is defined, and
    primitive and derivative are continuous on the whole line of the running variable as far as their parts tell.

    Parameters
    ----------
    name
        The step's name.
    integrand, variable, low, high
        The integral; the ends are finite and do not hold the variable.
    primitive
        An expression in the variable.
    uses, normal, because
        As in `Equal`.
    """

    name: str
    integrand: Expr
    variable: Symbol
    low: Expr
    high: Expr
    primitive: Expr
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(end.has(self.variable) or end.is_infinite for end in (self.low, self.high)):
            raise ValueError(
                f"Integrates {self.name}: the ends are {self.low} and {self.high}; allowed are finite ones without "
                f"{self.variable}; cut the integral off, or take the limit in a step of its own"
            )

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def conclusion(self) -> Boolean:
        """Eq(Integral, the primitive's difference)."""
        whole = Integral(self.integrand, (self.variable, self.low, self.high))
        return Eq(whole, self._at(self.high) - self._at(self.low), evaluate=False)

    def check(self, context: Context) -> Finding:
        """Differentiate the primitive, and ask it and its derivative for continuity."""
        running = Dummy("running", real=True)
        away = along(context, self.variable)
        integrand, primitive = (
            unfolded(e.xreplace({self.variable: running}), away, frozenset({running}))
            for e in (self.integrand, self.primitive)
        )
        slope = derivatives(primitive.diff(running), Known())  # type: ignore[arg-type]
        for part in (primitive, slope):
            if not unbroken(part, running, away, self.normal):  # type: ignore[arg-type]
                return Finding(State.UNDECIDED, f"{part} is not shown to be continuous everywhere")
        return equal(slope, integrand, away, (derivatives, *(self.normal or STANDARD)))  # type: ignore[arg-type]

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of the primitive."""
        return ((label, replace(self, primitive=other)) for label, other in changed(self.primitive))

    def _at(self, end: Expr) -> Expr:
        return self.primitive.xreplace({self.variable: end})
