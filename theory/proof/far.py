"""Places far out, where a world must keep what is supposed of every place: a contradiction may show only there.

`f(m) <= 1` and `f(m) >= m - 50` agree at every small m. So one world at least must keep all hypotheses at several
scales, round every number that they or the world's functions speak of, and beyond the last of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from itertools import product
from typing import TYPE_CHECKING

from sympy import (
    Basic,
    Derivative,
    Expr,
    Indexed,
    Integer,
    Integral,
    Lambda,
    Limit,
    Pow,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    sympify,
)
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Implies

from theory.proof.admission import admits
from theory.proof.comparing import EvaluationError, Undefined
from theory.proof.edges import edges
from theory.proof.moving import Moving
from theory.proof.tables import lasting, repeated

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation
    from theory.proof.premises import Suppose

SCALES = (12, 61, 1_000, 1_000_000)
BITS = 4_000
NEAR = 8
THRESHOLDS = 24
TOGETHER = 6
ANYWHERE = tuple(Integer(round(10 ** (2 + 5 * k / 12)) + 7 * k) for k in range(12))
"""From a hundred to some millions, at no places that matter."""
STEPS = 130
LONG_TO_TRY = (Sum, Product, Integral, Derivative, Limit)


CONTINUATIONS = (repeated, lasting)


def broken_far_out(world: Evaluation, hypotheses: tuple[Suppose, ...]) -> str:
    """Why a world is no model of its hypotheses, as far as far places tell; empty where it is one.

    Tables end, so they are continued, all in the same way; one way must do. Where no place has a value nothing is
    exhibited, and the world is no model either.
    """
    found = []
    for continued in CONTINUATIONS:
        going_on = replace(world, continued=continued, memory={})
        found.append(next((why for h in hypotheses if h.forall and (why := _broken(going_on, h))), ""))
        if not found[-1]:
            return ""
    return found[0]


def _broken(world: Evaluation, hypothesis: Suppose) -> str:
    tried, missing = 0, ""
    told = read(world, hypothesis.fact)
    places = () if hypothesis.fact.has(*LONG_TO_TRY) else edges(world, hypothesis, told.numbers)
    silent = isinstance(hypothesis.fact, Implies)
    for place in (*places, *far_places(hypothesis.forall, told), *_near(hypothesis)):
        values = dict(zip(hypothesis.forall, place, strict=True))
        why = ""
        try:
            if world.truth(hypothesis.fact, values):
                tried += 1
                silent = silent and not world.truth(hypothesis.fact.args[0], values)  # type: ignore[arg-type]
                continue
        except (Undefined, RecursionError, ArithmeticError) as error:  # no place, or too far to go to
            missing = str(error)
            continue
        except EvaluationError as error:
            why = f": {error}"
        there = ", ".join(f"{symbol} = {_short(number)}" for symbol, number in values.items())
        return f"{hypothesis.name!r} does not hold at {there}{why}"
    if missing and not tried:
        return f"{hypothesis.name!r} has no value at any far place: {missing}"
    return f"the condition of {hypothesis.name!r} holds at no place that was tried" if silent else ""


def _near(hypothesis: Suppose) -> Iterator[tuple[Rational, ...]]:
    """Small places, at which a condition may hold that holds nowhere else."""
    if isinstance(hypothesis.fact, Implies):
        for place in product(range(NEAR if len(hypothesis.forall) < 3 else 3), repeat=len(hypothesis.forall)):
            if all(map(admits, hypothesis.forall, map(Integer, place))):
                yield tuple(map(Integer, place))


def _short(number: Expr) -> str:
    """A number that may have thousands of digits."""
    text = str(number)
    return text if len(text) < 20 else f"{text[:4]}... ({len(text)} digits)"


@dataclass(frozen=True)
class Told:
    """What a statement speaks of, together with all that a world puts into it.

    Parameters
    ----------
    numbers
        All of them.
    power
        The sum of the powers.
    by_steps
        Whether something is defined step by step, so that places far out are reached in steps only, or given by a
        formula in a short statement, which may make an exception anywhere: every integer up to `STEPS` is tried.
    """

    numbers: frozenset[Rational]
    power: int = 0
    by_steps: bool = False

    @cached_property
    def beyond(self) -> Integer:
        """A number beyond the places at which a polynomial of such numbers and powers changes its sign."""
        whole = reduce(lambda made, c: made * (abs(int(c.p)) + int(c.q)), self.numbers, 1) + 1
        return Integer(whole ** max(1, min(self.power + 2, BITS // whole.bit_length())))


def far_places(symbols: tuple[Symbol, ...], told: Told) -> Iterator[tuple[Rational, ...]]:
    """Places for symbols of these assumptions: at several scales, round the numbers, beyond them, and near 0.

    Examples
    --------
    >>> m = Symbol("m", integer=True, nonnegative=True)
    >>> [int(place) for (place,) in far_places((m,), Told(frozenset({Rational(50)}), 1))]
    [12, 61, 1000, 1000000, 140608, 49, 50, 51, 52]
    """
    scales = [Rational(s) for s in SCALES] + [told.beyond]
    if len(symbols) == 1:
        yield from ((place,) for place in _of_one(symbols[0], scales, told))
        return
    seen = set()
    large = sorted({abs(c) for c in told.numbers if abs(c) > NEAR}, reverse=True)[:TOGETHER]
    for scale in (scales[1], *large, told.beyond):
        rows = (
            [scale] * len(symbols),
            [scale * (k + 1) for k in range(len(symbols))],
            [scale * (len(symbols) - k) for k in range(len(symbols))],
            *([scale if k == j else Rational(1) for k in range(len(symbols))] for j in range(len(symbols))),
        )
        for row, sign in product(rows, (1, -1)):
            place = tuple(p * sign if admits(s, p * sign) else p for s, p in zip(symbols, row, strict=True))
            if place not in seen and all(map(admits, symbols, place)):
                seen.add(place)
                yield place


def _of_one(symbol: Symbol, scales: list[Rational], told: Told) -> list[Rational]:
    numbers = sorted(told.numbers, key=lambda c: (-abs(c), c))
    found = [*scales, *(-s for s in scales)]
    if symbol.is_integer:
        for c in [c for c in numbers if abs(c) > NEAR][:THRESHOLDS]:
            found += [Integer(c.floor() + k) for k in (-1, 0, 1, 2)]  # type: ignore[union-attr]
        if told.by_steps:
            found = [*(Integer(k) for k in range(NEAR + 1, STEPS)), *found, *ANYWHERE]
    else:
        small = 1 / told.beyond
        found += [S.Zero, small, -small]
        for c in numbers[:THRESHOLDS]:
            found += [c, c + small, c - small]
        found += [sign * part for place in ANYWHERE for part in (place / STEPS, 1 / place) for sign in (1, -1)]
    return [p for p in dict.fromkeys(found) if admits(symbol, p)]


def read(world: Evaluation, statement: Basic) -> Told:
    """What a statement and all that a world puts into it speak of."""
    numbers: set[Rational] = set()
    power, by_steps = 0, False
    short = not statement.has(*LONG_TO_TRY)
    seen: set[Basic] = set()
    pending: list[Basic] = [statement]
    while pending:
        told, more, keys = _read(pending.pop())
        numbers |= told
        power += more
        for key in keys - seen:
            seen.add(key)
            value = world.values.get(key)
            if isinstance(value, Lambda):
                pending.append(value.expr)  # type: ignore[union-attr]
                by_steps = by_steps or short
            elif value is not None and not isinstance(value, list | tuple | Mapping | Moving):
                pending.append(sympify(value))
            for pattern, body in world.patterns.get(key, ()):
                pending.append(body)
                by_steps = by_steps or any(p.is_Add for p in pattern)
    return Told(frozenset(numbers), power, by_steps)


@lru_cache(maxsize=4096)
def _read(e: Basic) -> tuple[frozenset[Rational], int, frozenset[Basic]]:
    """Numbers, the sum of powers, and symbols, bases and functions."""
    numbers = frozenset(n for n in e.atoms(Rational) if n.is_finite)
    power = sum(int(abs(p.exp)) for p in e.atoms(Pow) if p.exp.is_Integer)
    functions = {part.func for part in e.atoms(AppliedUndef)}
    functions |= {f.parent[0] for f in functions if getattr(f, "parent", None)}  # type: ignore[attr-defined]
    return numbers, power, frozenset(e.free_symbols | {part.base for part in e.atoms(Indexed)} | functions)
