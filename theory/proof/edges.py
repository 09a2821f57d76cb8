"""Where what is supposed of every place may begin or cease to hold: there, and on either side, it is tried.

`f(t) <= 1` and `Implies(exp(t) = 5, f(t) >= 2)` contradict each other at log 5 only. In a world a relation of one
symbol changes where both of its sides meet; between two such places it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sympy import (
    Dummy,
    Expr,
    Float,
    N,
    Poly,
    Rational,
    Symbol,
    factor_list,
    floor,
    fraction,
    lambdify,
    nsolve,
    together,
)
from sympy.core.relational import Relational
from sympy.polys.polyerrors import BasePolynomialError

from theory.proof.admission import admits
from theory.proof.comparing import DIGITS, EvaluationError

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation
    from theory.proof.premises import Suppose

LINES = 5
ROOTS = 24
SCAN = [Rational(k, 8) for k in range(-80, 81)] + [Rational(s * 3**k) for k in range(3, 10) for s in (1, -1)]
"""Where a change of sign is looked for in what is no polynomial."""
PLACES = (Rational(0), Rational(1))
CANNOT = (EvaluationError, BasePolynomialError, NotImplementedError, TypeError, ValueError, ArithmeticError)
"""What says that polynomials do not serve."""
NO_VALUE = (*CANNOT, AttributeError, RecursionError, NameError, KeyError)
"""What says that something has no number at a place: a function that is not told, or none that floats know."""


def edges(world: Evaluation, hypothesis: Suppose, told: frozenset[Rational]) -> Iterator[tuple[Expr, ...]]:
    """Places at which the sides of a relation in a statement meet, and places beside and between them.

    For several symbols one of them moves; the others stay at 0, at 1, and at numbers that are told.
    """
    numbers = sorted(told, key=lambda c: (-c.q, abs(c), c))[:LINES]  # type: ignore[attr-defined]
    for symbol in hypothesis.forall:
        others = [s for s in hypothesis.forall if s != symbol]
        for number in dict.fromkeys((*PLACES, *numbers)) if others else PLACES[:1]:
            fixed = {s: number for s in others}
            if all(admits(s, number) for s in others):
                for place in _on_a_line(world.at(fixed), hypothesis, symbol):
                    yield tuple(place if s == symbol else number for s in hypothesis.forall)


def _on_a_line(world: Evaluation, hypothesis: Suppose, symbol: Symbol) -> list[Expr]:
    running = _running(symbol)
    found: list[Expr] = []
    for relation in sorted(hypothesis.fact.atoms(Relational), key=str):
        try:
            gap = world.at({symbol: running}).value(relation.lhs - relation.rhs)  # type: ignore[operator]
            found += zeros(gap, running) if gap.has(running) else ()
        except NO_VALUE:
            continue
    ordered = sorted(dict.fromkeys(found), key=lambda root: N(root, DIGITS))
    if symbol.is_integer:
        places = [floor(root) + k for root in ordered for k in (-1, 0, 1, 2)]
    else:
        places = [*ordered, *_between(ordered)]
    return [place for place in dict.fromkeys(places) if admits(symbol, place)]


def _between(ordered: list[Expr]) -> list[Expr]:
    """A fraction on either side of each."""
    if not ordered:
        return []
    near = [N(root, DIGITS) for root in ordered]
    ends = [near[0] - 1, *((a + b) / 2 for a, b in pairwise(near)), near[-1] + 1]
    return [Rational(str(N(place, DIGITS // 2))) for place in ends]


@cache
def _running(symbol: Symbol) -> Dummy:
    return Dummy(symbol.name, real=True)


@lru_cache(maxsize=1024)
def zeros(gap: Expr, running: Symbol) -> tuple[Expr, ...]:
    """Where something of one symbol may be 0: all such places of a polynomial, to all digits a number of others.

    Examples
    --------
    >>> from sympy import exp, sin
    >>> x = Symbol("x", real=True)
    >>> zeros((x**2 - 2) * (x + 1), x)
    (-sqrt(2), -1, sqrt(2))
    >>> [round(root, 3) for root in zeros(exp(x) - 5, x)], len(zeros(sin(x) - 1, x)) > 0
    ([1.609], True)
    """
    top = fraction(together(gap))[0]
    try:
        return tuple(Poly(top, running).real_roots()[:ROOTS])
    except CANNOT:
        factors = [base for base, _ in factor_list(top)[1]]
    found: list[Expr] = []
    for factor in factors:
        if not factor.has(running):
            continue
        try:
            found += Poly(factor, running).real_roots()
        except CANNOT:
            found += _where_the_sign_changes(factor, running)
            found += _where_the_sign_changes(factor.diff(running), running)  # where it may touch 0
    return tuple(sorted(found, key=lambda root: abs(N(root, DIGITS)))[:ROOTS])


def _where_the_sign_changes(e: Expr, running: Symbol) -> Iterator[Expr]:
    """Places, to all digits, between places at which something has different signs."""
    at = lambdify(running, e, "math")
    before: tuple[Rational, float] | None = None
    for place in sorted(SCAN):
        try:
            here = float(at(float(place)))
        except NO_VALUE:
            before = None
            continue
        if here == 0 and e.xreplace({running: place}) == 0:
            yield place
        if before is not None and here * before[1] < 0:
            ends = (before[0], place)
            yield Float(str(nsolve(e, running, ends, solver="bisect", prec=DIGITS, verify=False, maxsteps=400)), DIGITS)
        before = (place, here)
