"""Places where a fraction in what a step uses has no value, of which the step itself says nothing.

Every claim is one wherever it is defined. A step that goes from `y/x = a` and `y/x = b` to `a = b` claims it at x = 0
too, where neither is said. So it is tried there, in worlds in which all hypotheses hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sympy import Dummy, Eq, Expr, Lambda, Limit, Poly, Pow, S, Symbol, fraction, log, sympify, together
from sympy.polys.polyerrors import BasePolynomialError

from theory.proof.admission import admits
from theory.proof.assumptions import assumed_sign
from theory.proof.comparing import EvaluationError
from theory.proof.premises import Define, Suppose
from theory.proof.told import fact_of, head_key
from theory.proof.visibility import mentioned, primitives

if TYPE_CHECKING:
    from sympy.logic.boolalg import Boolean

    from theory.proof.derivation import Derivation
    from theory.proof.evaluation import Evaluation
    from theory.proof.steps.step import Step

    Kept = Callable[[Evaluation], Evaluation | None]

ROOTS = 4
LEVELS = (S.Zero, S.One)
"""What all entries of a table, or all values of a function, may be."""


def forgotten(derivation: Derivation, step: Step) -> tuple[Expr, ...]:
    """What stands below a fraction, or in a logarithm, in the steps and imports that a step uses and not in its claim.

    What the symbols' assumptions keep from 0 does not count. A hypothesis with a fraction supposes that it has a
    value.
    """
    parts = {p.name: p for p in (*derivation.premises, *derivation.steps)}
    used = [parts[name] for name in step.uses if not isinstance(parts[name], Define | Suppose)]
    found = {d for part in used for d in _below(derivation, fact_of(part))}
    found -= _below(derivation, step.conclusion) if found else set()
    return tuple(sorted(found, key=str))


@lru_cache(maxsize=512)
def _below(derivation: Derivation, fact: Boolean) -> frozenset[Expr]:
    """All that may not be 0 where a fact has a value, after all definitions are put in."""
    bodies: dict[object, list[Expr]] = {}
    for d in derivation.definitions:
        bodies.setdefault(head_key(d.head), []).append(sympify(d.body))
    found: set[Expr] = set()
    seen: set[object] = set()
    pending: list[Boolean | Expr] = [fact]
    while pending:
        e = pending.pop()
        found |= {p.base for p in e.atoms(Pow) if p.exp.is_extended_negative} | {part.args[0] for part in e.atoms(log)}
        for key in mentioned(e) - seen:
            seen.add(key)
            pending += bodies.get(key, ())
    return frozenset(d for d in found if 0 in assumed_sign(d))


def false_where_undefined(derivation: Derivation, step: Step, world: Evaluation, kept: Kept) -> str:
    """Why a step is false where something forgotten vanishes; empty if it is not, or if no such place is found.

    Parameters
    ----------
    world
        A world to start from.
    kept
        A world with what steps bring in; None where it breaks a hypothesis.
    """
    for below, there in _where_it_vanishes(derivation, step, world, kept):
        try:
            holds = step.holds_in(there)
        except EvaluationError:
            continue
        if holds is not None and not holds:
            return f"{step.in_words(there)} where {there}; {below} is 0 there, so that what it uses has no value"
    return ""


def _where_it_vanishes(
    derivation: Derivation, step: Step, world: Evaluation, kept: Kept
) -> Iterator[tuple[Expr, Evaluation]]:
    """Worlds that keep all hypotheses and in which something forgotten is 0, with what it is.

    One symbol goes where the forgotten is 0, or the entries of one table, or the values of one function, become alike;
    where that breaks a hypothesis, another symbol goes to 0 with it. Then each of the symbols that the claim speaks of
    goes elsewhere.
    """
    for below in forgotten(derivation, step):
        claimed = {s for s in primitives(derivation, step.conclusion) & world.values.keys() if isinstance(s, Symbol)}
        for first in _zeros(derivation, world, below):
            found = ((c, there) for c in _with_another(derivation, first) if (there := kept(world.at(c))) is not None)
            changes, there = next(found, (first, None))
            if there is None:
                continue
            yield below, there
            for other in sorted(claimed - changes.keys(), key=str):
                moved = sympify(world.values[other]) + 1
                elsewhere = kept(world.at({**changes, other: moved})) if admits(other, moved) else None
                if elsewhere is not None:
                    yield below, elsewhere


def _with_another(derivation: Derivation, changes: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """The changes, and with them another symbol at 0 that an equation ties to what is changed."""
    yield changes
    given = [p.fact for p in derivation.premises if isinstance(p, Suppose) and isinstance(p.fact, Eq)]
    tied = [spoken for spoken in (primitives(derivation, fact) for fact in given) if spoken & changes.keys()]
    others = {s for spoken in tied for s in spoken - changes.keys() if isinstance(s, Symbol) and admits(s, S.Zero)}
    yield from ({**changes, other: S.Zero} for other in sorted(others, key=str))


def _zeros(derivation: Derivation, world: Evaluation, below: Expr) -> Iterator[dict[Any, Any]]:
    """Changes of one thing in a world that make something 0; of symbols alone where hypotheses speak of limits.

    A world in which a limit is taken is asked at some cost, and a function that is level breaks it.
    """
    limits = any(isinstance(p, Suppose) and p.fact.has(Limit) for p in derivation.premises)
    for thing in sorted(primitives(derivation, below) & world.values.keys(), key=str):
        if isinstance(thing, Symbol):
            yield from ({thing: place} for place in _roots(world, below, thing))
            continue
        for number in () if limits else LEVELS:
            level = _level(world.values[thing], number)
            try:
                if level is not None and admits(thing, number) and world.at({thing: level}).value(below) == 0:
                    yield {thing: level}
            except (EvaluationError, TypeError, AttributeError, RecursionError):
                continue


def _level(value: Any, number: Expr) -> Any:
    """A table of the same shape, or a function of as many arguments, that is a number everywhere; None for others."""
    if isinstance(value, Mapping):
        return dict.fromkeys(value, number)
    if isinstance(value, list | tuple):
        return [_level(v, number) if isinstance(v, Mapping | list | tuple) else number for v in value]
    return Lambda(value.variables, number) if isinstance(value, Lambda) else None


def _roots(world: Evaluation, below: Expr, symbol: Symbol) -> list[Expr]:
    """Rational places of a symbol at which something is 0 in a world."""
    running = Dummy(symbol.name, real=True)
    try:
        value = world.at({symbol: running}).value(below)
        found = Poly(fraction(together(value))[0], running).ground_roots()
    except (EvaluationError, BasePolynomialError, TypeError, AttributeError, RecursionError):
        return []
    return [place for place in list(found)[:ROOTS] if admits(symbol, place)]
