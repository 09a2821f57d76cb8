"""Pieced: a definite integral of what changes its form at given places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import (
    Abs,
    Add,
    Basic,
    Dummy,
    Eq,
    Expr,
    Ge,
    Gt,
    Integral,
    Le,
    Lt,
    Mul,
    Ne,
    Piecewise,
    S,
    Symbol,
    factor,
    sign,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.proof.known import Known
from theory.proof.normal_forms import STANDARD, NormalForm, derivatives
from theory.proof.steps.gaps import changed, equal, flat, unfolded
from theory.proof.steps.holds import proved
from theory.proof.steps.root import unbroken
from theory.proof.steps.step import Context, Finding, State, Step


@dataclass(frozen=True)
class Pieced(Step):
    """The integral of integrand over variable between the first and the last place, by a primitive on each piece.

    The proof is that of `Integrates` on each piece, where that the variable lies in the piece is known: every
    Piecewise, Abs and sign of the integrand must be decided by it, and primitive and derivative be continuous there.
    What the integrand is at the places themselves does not matter.

    Parameters
    ----------
    name
        The step's name.
    integrand, variable
        The integral.
    places
        The ends, and between them where the integrand changes its form, in ascending order; finite, without the
        variable.
    primitives
        An expression in the variable for each piece.
    uses, normal, because
        As in `Equal`.
    """

    name: str
    integrand: Expr
    variable: Symbol
    places: tuple[Expr, ...]
    primitives: tuple[Expr, ...]
    uses: tuple[str, ...] = ()
    normal: tuple[NormalForm, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.primitives or len(self.places) != len(self.primitives) + 1:
            raise ValueError(
                f"Pieced {self.name}: {len(self.places)} places and {len(self.primitives)} primitives are given; "
                f"allowed are one primitive or more and one place more; give both ends and what lies between"
            )
        if any(place.has(self.variable) or place.is_infinite for place in self.places):
            raise ValueError(
                f"Pieced {self.name}: the places are {self.places}; allowed are finite ones without {self.variable}; "
                f"cut the integral off, and take the limit in a step of its own"
            )

    @property
    def running(self) -> tuple[Basic, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def speaks_of(self) -> tuple[Basic, ...]:
        """Everything: no head in it may depend on the variable unseen."""
        return (self.integrand, *self.places, *self.primitives)

    @property
    def conclusion(self) -> Boolean:
        """Eq(Integral, the sum of the primitives' differences)."""
        whole = Integral(self.integrand, (self.variable, self.places[0], self.places[-1]))
        pieces = zip(self.places[1:], self.places, self.primitives, strict=False)
        parts = [F.xreplace({self.variable: high}) - F.xreplace({self.variable: low}) for high, low, F in pieces]
        return Eq(whole, Add(*parts), evaluate=False)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """The places between the pieces."""
        return tuple(("cut at", place) for place in self.places[1:-1])

    def check(self, context: Context) -> Finding:
        """The order of the places, then each piece."""
        for low, high in zip(self.places, self.places[1:], strict=False):
            if not proved(Le(low, high, evaluate=False), context, ()).proved:
                return Finding(State.UNDECIDED, f"{low} <= {high} is not shown")
        facts = tuple(fact for fact in flat(context.facts) if not fact.has(self.variable))
        away = replace(context, facts=facts)  # of heads it is asked elsewhere whether they depend on the variable
        running = Dummy("running", real=True)
        for low, high, primitive in zip(self.places, self.places[1:], self.primitives, strict=False):
            found = self._piece(low, high, primitive, running, away)
            if not found.proved:
                return Finding(found.state, f"from {low} to {high}: {found.reason}")
        return Finding(State.PROVED, f"by a primitive on each of {len(self.primitives)} pieces")

    def _piece(self, low: Expr, high: Expr, primitive: Expr, running: Dummy, away: Context) -> Finding:
        held = frozenset({running})
        closed = away.adding(Ge(running, low, evaluate=False), Le(running, high, evaluate=False))
        inside = away.adding(Gt(running, low, evaluate=False), Lt(running, high, evaluate=False))
        integrand, primitive = (
            unfolded(e.xreplace({self.variable: running}), away, held) for e in (self.integrand, primitive)
        )
        integrand = decided(integrand, inside)  # type: ignore[arg-type]
        slope = derivatives(primitive.diff(running), Known())  # type: ignore[arg-type]
        for part in (primitive, slope):
            if not unbroken(part, running, closed, self.normal):  # type: ignore[arg-type]
                return Finding(State.UNDECIDED, f"{part} is not shown to be continuous there")
        return equal(slope, integrand, inside, (derivatives, *(self.normal or STANDARD)))  # type: ignore[arg-type]

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """Another sign, factor or exponent of a primitive, and a cut at another place."""
        for number, primitive in enumerate(self.primitives):
            for label, other in changed(primitive):
                made = (*self.primitives[:number], other, *self.primitives[number + 1 :])
                if primitive.has(self.variable):
                    yield f"{label} of piece {number + 1}", replace(self, primitives=made)


def decided(e: Expr, context: Context) -> Expr:
    """The expression with each Piecewise, Abs and sign decided whose condition is proved, from the inside out.

    Examples
    --------
    >>> x = Symbol("x", real=True)
    >>> decided(Abs(x) * Piecewise((1, x**3 > 0), (0, True)), Context().adding(x > 2))
    x
    """
    if not e.has(Piecewise, Abs, sign):
        return e
    if isinstance(e, Piecewise):
        return _branch(e, context)
    made = e.func(*[decided(a, context) if isinstance(a, Expr) else a for a in e.args])
    if isinstance(made, Abs | sign):
        inner = made.args[0]
        for claim, size in ((inner > 0, S.One), (inner < 0, S.NegativeOne)):
            if _truth(claim, context):
                return inner * size if isinstance(made, Abs) else size  # type: ignore[return-value]
    return made


def _branch(e: Piecewise, context: Context) -> Expr:
    branches = []
    for value, condition in e.args:
        holds = _truth(condition, context)
        if holds is not False:
            branches.append((decided(value, context), S.true if holds else condition))
        if holds:
            break
    return Piecewise(*branches)


def _truth(claim: Boolean, context: Context) -> bool | None:
    """Whether a relation is shown to hold, or to fail; None where it is neither."""
    if claim in (S.true, S.false) or not isinstance(claim, Relational):
        return bool(claim) if claim in (S.true, S.false) else None
    if isinstance(claim, Gt | Ge | Lt | Le):
        found = _sign_by_factors(claim.lhs - claim.rhs, context)
        if found:
            return (found > 0) is isinstance(claim, Gt | Ge)
    for said, holds in ((claim, True), (claim.negated, False)):
        if proved(said, context, ()).proved:
            return holds
    return None


def _sign_by_factors(e: Expr, context: Context) -> int:
    """1 or -1 where every factor has a sign that is proved by itself, else 0."""
    made = 1
    for part in Mul.make_args(factor(e)):
        base, power = part.as_base_exp()
        if not power.is_Integer:
            base, power = part, S.One
        if power.is_even and proved(Ne(base, 0, evaluate=False), context, ()).proved:
            continue
        if power.is_even:
            return 0
        signs = {1: Gt(base, 0, evaluate=False), -1: Lt(base, 0, evaluate=False)}
        made *= next((one for one, said in signs.items() if proved(said, context, ()).proved), 0)
    return made
