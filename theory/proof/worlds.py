"""Random exact instances in which every claim is tried before it is proved."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sympy import Basic, Eq, Float, Integral, Lambda, Limit, N, Rational, Symbol, sympify

from theory.asymptotics import even, odd, order
from theory.proof.admission import assumptions_of
from theory.proof.comparing import DIGITS, BrokenAssumption
from theory.proof.evaluation import Evaluation, EvaluationError
from theory.proof.far import broken_far_out
from theory.proof.moving import Moving
from theory.proof.premises import Define, Suppose

DRAWS = 60
FAR = 3
"""So many draws count as one that keeps the hypotheses near by and not far out, which takes long to see."""
SAMPLES = 12
LENGTH = 600
"""Digits of the longest number that a world may speak of."""
SPARE = 40


@dataclass(frozen=True)
class World:
    """Exact values of the primitive things of a derivation.

    Parameters
    ----------
    values
        For a Symbol: an int, Fraction or SymPy number (integer sizes and free indices too). For an
        IndexedBase: a nested list, whose indices count from 1, or a mapping from index tuples, or a Lambda
        of the indices. For an undefined function: a Lambda. Defined heads, and symbols that a Root or
        Crossing introduces, get no value here: they are evaluated through their definitions.

    Examples
    --------
    >>> from sympy import IndexedBase, Symbol
    >>> h, N = IndexedBase("h"), Symbol("N")
    >>> World({N: 2, h: [1, 3]}).values[N]
    2
    """

    values: Mapping[Any, Any]


Worlds = Callable[[random.Random], World]


def rational(source: random.Random, low: int = 1, high: int = 9) -> Rational:
    """A random rational in [low, high] with a denominator of at most 7.

    Examples
    --------
    >>> import random
    >>> 1 <= rational(random.Random(0)) <= 9
    True
    """
    denominator = source.randint(1, 7)
    return Rational(source.randint(low * denominator, high * denominator), denominator)


def table(source: random.Random, *shape: int, low: int = -9, high: int = 9) -> list[Any]:
    """A nested list of random rationals, for an IndexedBase; indices count from 1.

    Examples
    --------
    >>> import random
    >>> len(table(random.Random(0), 3, 2))
    3
    """
    if not shape:
        raise ValueError("table: no shape given; allowed are one or more positive integers; pass the sizes")
    if len(shape) == 1:
        return [rational(source, low, high) for _ in range(shape[0])]
    return [table(source, *shape[1:], low=low, high=high) for _ in range(shape[0])]


class NoWorld(Exception):
    """No draw satisfies the hypotheses; the message says which ones failed most."""


def draw(
    worlds: Worlds,
    definitions: tuple[Define, ...],
    hypotheses: tuple[Suppose, ...],
    introduced: tuple[tuple[Basic, Any], ...],
    label: str,
) -> Iterator[Evaluation]:
    """Worlds that honour the hypotheses and the symbols' own assumptions, in an order fixed by the label.

    Raises
    ------
    NoWorld
        If `DRAWS` draws in a row bring none.
    """
    source = random.Random(label)
    pairs = tuple((d.head, d.body) for d in definitions)
    blamed: Counter[str] = Counter()
    failed = 0
    a_model_is_known = False
    while failed < DRAWS:
        world = worlds(source)
        if not isinstance(world, World) or not isinstance(world.values, Mapping):
            raise EvaluationError(f"the worlds give {world!r}; allowed is a World of a mapping; return one")
        evaluation = Evaluation(world.values, pairs)
        far = ""
        wrong = _broken_assumption(world) or _broken_hypothesis(evaluation, hypotheses, introduced, source)
        if not wrong:
            evaluation = with_introduced(evaluation, introduced)
            if not a_model_is_known:
                far = broken_far_out(evaluation, hypotheses)
                wrong = far or nearly_kept(world, pairs, hypotheses, introduced)
        if wrong:
            blamed[wrong] += 1
            failed += FAR if far else 1
            continue
        failed = 0
        a_model_is_known = True
        yield evaluation
    worst = "; ".join(f"{what} ({times} of {DRAWS})" for what, times in blamed.most_common(3))
    raise NoWorld(f"no world satisfies the hypotheses: {worst}")


class Common:
    """Worlds that are drawn once, when they are first asked for, and kept; so is the reason why there are none.

    Examples
    --------
    >>> list(Common(iter("abc")).first(2))
    ['a', 'b']
    """

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._drawn: list[Any] = []
        self._none: NoWorld | None = None

    def first(self, count: int) -> Iterator[Any]:
        """The first ``count`` of them.

        Raises
        ------
        NoWorld
            If there are not as many.
        """
        for place in range(count):
            if place == len(self._drawn):
                if self._none is not None:
                    raise self._none
                try:
                    self._drawn.append(next(self._source))
                except NoWorld as none:
                    self._none = none
                    raise
            yield self._drawn[place]


def with_introduced(evaluation: Evaluation, introduced: tuple[tuple[Basic, Any], ...]) -> Evaluation:
    """The world with the meanings of the symbols that steps bring in; a value that it gives itself must be that.

    Where it is another one it stays, so that the step that brings in the symbol is seen to be false there.
    """
    for symbol, meaning in introduced:
        if symbol in evaluation.values:
            if not isinstance(meaning, Basic) or not evaluation.truth(Eq(symbol, meaning, evaluate=False)):
                continue
            kept = {name: value for name, value in evaluation.values.items() if name != symbol}
            evaluation = replace(evaluation, values=kept, memory={})
        if isinstance(meaning, Basic):
            evaluation = replace(evaluation, definitions=(*evaluation.definitions, (symbol, meaning)), memory={})
        else:
            try:
                evaluation = evaluation.at({symbol: meaning(evaluation)})
            except EvaluationError:
                continue
    return evaluation


def honoured(
    evaluation: Evaluation, hypotheses: tuple[Suppose, ...], introduced: tuple[tuple[Basic, Any], ...]
) -> Evaluation | None:
    """A changed world with what steps bring in, found anew; None where it breaks a hypothesis."""
    names = {symbol for symbol, _ in introduced}
    values = {name: value for name, value in evaluation.values.items() if name not in names}
    definitions = tuple(d for d in evaluation.definitions if d[0] not in names)
    bare = replace(evaluation, values=values, definitions=definitions, memory={})
    if _broken_hypothesis(bare, hypotheses, introduced, random.Random(0)):
        return None
    return with_introduced(bare, introduced)


def _broken_assumption(world: World) -> str:
    """What a world gives that is not what it is declared to be, or is not seen to be."""
    for key, value in world.values.items():
        for number in _numbers(value):
            for name, wanted in assumptions_of(key):
                if not _is(number, name, wanted):
                    return f"the world gives {key} = {number}, which is not {name if wanted else 'not ' + name}"
    return ""


def _numbers(value: Any) -> Iterator[Any]:
    """The numbers that a world gives for a symbol or in a table."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _numbers(one)
    elif not isinstance(value, Lambda | Moving):
        if isinstance(value, str):
            raise EvaluationError(f"the world gives the text {value!r}; allowed are numbers, tables and Lambdas")
        yield sympify(value)


def _is(number: Any, name: str, wanted: bool) -> bool:
    """Whether a number is seen to be what it should be: that SymPy does not know is no yes."""
    known = getattr(number, f"is_{name}", None)
    if known is None and name in ("positive", "negative", "nonnegative", "nonpositive", "nonzero", "real"):
        near = N(number, 100)
        known = getattr(near, f"is_{name}", None) if near.is_number else None
    return known is wanted


def _broken_hypothesis(
    evaluation: Evaluation,
    hypotheses: tuple[Suppose, ...],
    introduced: tuple[tuple[Basic, Any], ...],
    source: random.Random,
) -> str:
    full = with_introduced(evaluation, introduced) if introduced else evaluation
    for h in hypotheses:
        try:
            good = _everywhere(full, h, source) if h.forall else full.truth(h.fact)
        except EvaluationError as error:
            return f"{h.name!r} has no truth value: {error}"
        if not good:
            return f"{h.name!r} does not hold"
    return ""


def nearly_kept(
    world: World,
    definitions: tuple[tuple[Basic, Any], ...],
    hypotheses: tuple[Suppose, ...],
    introduced: tuple[tuple[Basic, Any], ...],
) -> str:
    """Which hypothesis a world keeps to some digits only; empty where all are kept to as many as tell.

    With x = 1.0986 it seems that exp(x) = 3. A number of n digits comes no nearer to one that it is not than about
    10^-2n, so hypotheses are asked again with three times the digits of the longest number that is told, and rounded
    numbers must have more digits than that. What is measured, and what is found by a limit or an integral, is left out.
    """
    told = [*world.values.values(), *(body for _, body in definitions), *(h.fact for h in hypotheses)]
    length = max((len(str(n)) for one in told for n in _atoms(one, Rational)), default=1)
    if length > LENGTH:
        return f"a number of {length} digits is told; allowed are {LENGTH}"
    rounded = min((int(n._prec * 0.30102) for one in told for n in _atoms(one, Float)), default=10 * LENGTH)
    if rounded < 2 * length + SPARE:
        return f"the world gives a number that is rounded to {rounded} digits; give a fraction, or more digits"
    asked = tuple(h for h in hypotheses if not h.fact.has(Limit, Integral, order, even, odd))
    sharp = Evaluation(world.values, definitions, digits=min(rounded, DIGITS + 3 * length))
    why = _broken_hypothesis(sharp, asked, introduced, random.Random(0))
    return f"{why}, but nearly" if why else ""


def _atoms(told: Any, kind: type) -> Iterator[Any]:
    """The numbers of a kind of which a value or a statement speaks."""
    parts = [told.expr] if isinstance(told, Lambda) else [told] if isinstance(told, Basic) else _numbers(told)
    for part in parts:
        yield from part.atoms(kind)


def _any(symbol: Symbol, source: random.Random) -> Any:
    return source.randint(0, 4) if symbol.is_integer else rational(source, -9, 9)


def _everywhere(evaluation: Evaluation, hypothesis: Suppose, source: random.Random) -> bool:
    """Whether a quantified hypothesis holds at a sample of places; places outside its tables are skipped."""
    if all(s.is_integer for s in hypothesis.forall):
        span = range(-1, 9) if len(hypothesis.forall) == 1 else range(5)
        places: list[tuple[Any, ...]] = list(product(span, repeat=len(hypothesis.forall)))
    else:
        places = [tuple(_any(symbol, source) for symbol in hypothesis.forall) for _ in range(SAMPLES)]
    tried = 0
    for place in places:
        values = {}
        for symbol, value in zip(hypothesis.forall, place, strict=True):
            number = sympify(value)
            if symbol.is_positive and not number.is_positive:
                number = abs(number) + (1 if number == 0 else 0)
            if symbol.is_nonnegative and number.is_negative:
                number = abs(number)
            values[symbol] = number
        try:
            if not evaluation.at(values).truth(hypothesis.fact):
                return False
            tried += 1
        except BrokenAssumption:
            return False
        except EvaluationError:
            continue
    if not tried:
        raise EvaluationError("no place could be tried")
    return True
