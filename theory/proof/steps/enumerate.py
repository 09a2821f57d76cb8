"""Enumerate: the list of sign vectors of linear expressions is complete, and each of them occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

from sympy import And, Basic, Eq, Expr, Matrix, Ne, Or, Poly, Rational, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.proof.certificates import forms
from theory.proof.evaluation import EvaluationError
from theory.proof.linear import Certificate, Constraint, Kind, Witness, decide
from theory.proof.matching import heads_in
from theory.proof.steps.gaps import flat, unfolded
from theory.proof.steps.holds import equations
from theory.proof.steps.step import Context, Finding, State, Step


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

    @property
    def lists_all(self) -> bool:
        """The items are all that there may be."""
        return True

    @property
    def trials(self) -> int:
        """In how many worlds the claim is tried."""
        return 6

    @property
    def conclusion(self) -> Boolean:
        """Or over the items of And over the lines' signs."""
        return Or(*(self.cell(item) for item in self.items), evaluate=False)

    def cell(self, item: tuple[int, ...]) -> Boolean:
        """The relations of one sign vector."""
        return _cell(tuple(self.lines), item)

    def remarks(self) -> tuple[tuple[str, Basic], ...]:
        """That each of them occurs."""
        return (("all of them occur, as signs of", Tuple(*self.lines)),)

    def check(self, context: Context) -> Finding:
        """Witness or certificate for each of the sign vectors."""
        strange = self._not_linear(context)
        if strange:
            return Finding(State.UNDECIDED, f"linear arithmetic does not see {strange}")
        hypotheses = [h for f in flat(context.facts) for h in self._constraints(f, context)]
        hypotheses += [
            Constraint({v: Fraction(sign)}, Fraction(0), kind)
            for v in self.variables
            for name, sign, kind in _SIGNS
            if getattr(v, f"is_{name}")
        ]
        hypotheses += [h for f in equations(context, ()) for h in self._constraints(f, context)]
        lines = [unfolded(e, context) for e in self.lines]
        hidden = heads_in(Tuple(*lines, *self.variables), context.heads)
        if hidden:
            return Finding(State.UNDECIDED, f"the definition of {', '.join(map(str, hidden))} is hidden")
        listed = set(self.items)
        if len(listed) < len(self.items):
            return Finding(State.REFUTED, "an item is listed twice")
        for signs in product((-1, 0, 1), repeat=len(lines)):
            cell = [*hypotheses, *(self._sign(e, s) for e, s in zip(lines, signs, strict=True))]
            answer = decide(cell)
            if isinstance(answer, Witness) and signs not in listed:
                return Finding(State.REFUTED, f"{signs} is missing: it occurs at {_place(answer)}")
            if isinstance(answer, Certificate) and signs in listed:
                return Finding(State.REFUTED, f"{signs} does not occur: multipliers {_numbers(answer)} contradict it")
        for signs, dimension in zip(self.items, self.dimensions or (None,) * len(self.items), strict=True):
            found = self._dimension([*hypotheses, *(self._sign(e, s) for e, s in zip(lines, signs, strict=True))])
            if dimension is not None and found != dimension:
                return Finding(State.REFUTED, f"the cell {signs} has dimension {found}, not {dimension}")
        if not any(e.free_symbols for e in lines):
            return Finding(State.VACUOUS, "no line depends on anything")
        missing = 3 ** len(lines) - len(listed)
        return Finding(State.PROVED, f"{len(listed)} exact witnesses and {missing} certificates of infeasibility")

    def _not_linear(self, context: Context) -> str:
        """A hypothesis that is no linear relation, in words; nothing if there is none."""
        facts = [f for f in flat(context.facts) if not isinstance(f, Relational) or isinstance(f, Ne)]
        facts += [fact for _, fact, _ in context.quantified]
        facts += [Eq(r.left, r.right, evaluate=False) for r in context.rules if r.conditions and not r.macro]
        unreal = [v for v in self.variables if not set(v._assumptions_orig) <= _SEEN or not v.is_real]
        return str(facts[0]) if facts else f"that {unreal[0]} is no plain real" if unreal else ""

    def _sign(self, line: Expr, sign: int) -> Constraint:
        if sign == 0:
            return self._form(line, Kind.ZERO)
        return self._form(sign * line, Kind.POSITIVE)

    def _constraints(self, fact: Boolean, context: Context) -> list[Constraint]:
        made = []
        for e, kind in forms((fact,)):
            unfolding = unfolded(e, context)
            if unfolding.free_symbols:
                made.append(self._form(unfolding, kind))
        return made

    def _form(self, e: Expr, kind: Kind) -> Constraint:
        try:
            polynomial = Poly(e, *self.variables)
        except PolynomialError as error:
            raise EvaluationError(f"{e} is not linear in {self.variables}") from error
        if polynomial.total_degree() > 1 or any(not c.is_Rational for c in polynomial.coeffs()):
            raise EvaluationError(f"{e} is not linear in {self.variables} with rational coefficients")
        coefficients = {v: _fraction(polynomial.coeff_monomial(v)) for v in self.variables}
        return Constraint(coefficients, _fraction(polynomial.coeff_monomial(1)), kind)

    def _dimension(self, cell: list[Constraint]) -> int:
        """Variables less the independent equations, counting inequalities that can only hold as equations."""
        tight = [c for c in cell if c.kind is Kind.ZERO]
        for c in cell:
            if c.kind is Kind.NONNEGATIVE:
                strict = Constraint(c.coefficients, c.constant, Kind.POSITIVE)
                if isinstance(decide([*cell, strict]), Certificate):
                    tight.append(c)
        rows = [
            [Rational(c.coefficients[v].numerator, c.coefficients[v].denominator) for v in self.variables]
            for c in tight
        ]
        return len(self.variables) - (Matrix(rows).rank() if rows else 0)

    def mutants(self) -> Iterator[tuple[str, Step]]:
        """An item dropped, one added, one sign changed, a line moved; each changes what is claimed."""
        every = list(product((-1, 0, 1), repeat=len(self.lines)))
        spare = next((s for s in every if s not in self.items), None)
        yield "an item dropped", replace(self, items=self.items[:-1], dimensions=self.dimensions[:-1])
        if spare is not None:
            yield "an item added", replace(self, items=(*self.items, spare), dimensions=())
            yield "an item changed", replace(self, items=(spare, *self.items[1:]), dimensions=())
        for place, line in enumerate(self.lines):
            moved = (*self.lines[:place], line + Rational(1, 7), *self.lines[place + 1 :])
            yield f"line {place + 1} moved", replace(self, lines=moved)

    def added_hypotheses(self) -> Iterator[tuple[str, Boolean]]:
        """A sign that a line has anyway, and a cell that does not occur."""
        for k, line in enumerate(self.lines):
            signs = {item[k] for item in self.items}
            if signs in ({0, 1}, {0, -1}):
                yield "a redundant hypothesis", line >= 0 if 1 in signs else line <= 0
                break
        every = product((-1, 0, 1), repeat=len(self.lines))
        spare = next((s for s in every if s not in self.items), None)
        if spare is not None:
            yield "a contradictory hypothesis", self.cell(spare)


_SEEN = {"real", "positive", "negative", "nonnegative", "nonpositive", "commutative", "finite"}
_SIGNS = (
    ("positive", 1, Kind.POSITIVE),
    ("negative", -1, Kind.POSITIVE),
    ("nonnegative", 1, Kind.NONNEGATIVE),
    ("nonpositive", -1, Kind.NONNEGATIVE),
)


def _place(witness: Witness) -> str:
    return ", ".join(f"{v} = {x}" for v, x in witness.values.items())


def _numbers(certificate: Certificate) -> str:
    return "(" + ", ".join(str(m) for m in certificate.multipliers) + ")"


def _fraction(number: Expr) -> Fraction:
    return Fraction(int(number.p), int(number.q))  # type: ignore[attr-defined]


@cache
def _cell(lines: tuple[Expr, ...], item: tuple[int, ...]) -> Boolean:
    """Kept: several claims speak of the same cells."""
    return And(*(_relation(e, s) for e, s in zip(lines, item, strict=True)), evaluate=False)


def _relation(line: Expr, sign: int) -> Boolean:
    if sign == 0:
        return Eq(line, 0, evaluate=False)
    return line > 0 if sign > 0 else line < 0
