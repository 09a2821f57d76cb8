"""Proofs that were asked for already: the same step with the same things in sight has the same answer.

Whether a used name is idle, and whether a derivation survives the loss of a premise, are the same question; a
mutant differs from its original in a few steps only. So each question is answered once in a process. Hidden
definitions and fixed symbols that nothing in a question speaks of are no part of it: two derivations that share their
steps share the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from sympy import Basic, Indexed, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theory.proof.evaluation import EvaluationError
from theory.proof.rewriting import RewritingError, watched
from theory.proof.steps.step import Context, Finding, State, Step

LIMIT = 20_000
_answers: dict[Question, Finding] = {}
_places: dict[Question, tuple[Boolean, ...]] = {}


@dataclass(frozen=True)
class Question:
    """Is this claim proved from what this context shows? Names in `uses` and words do not count."""

    said: tuple[Any, ...]
    context: Context
    step: Step = field(compare=False)


def question(step: Step, context: Context) -> Question:
    """The question whether a step is proved from a context."""
    told = (f.name for f in fields(step) if f.name not in ("uses", "because"))  # type: ignore[arg-type]
    said = (type(step), *((n, _frozen(getattr(step, n))) for n in told))
    return Question(said, _in_sight(said, context), step)


def _in_sight(said: tuple[Any, ...], context: Context) -> Context:
    """The context without hidden heads and fixed symbols of which neither the step nor what it uses speaks."""
    rules = tuple((r.left, r.right, r.conditions) for r in context.rules)
    parts = _parts((said, rules, context.facts, context.quantified))
    named = frozenset().union(*(_named(part) for part in parts))
    return replace(context, heads=context.heads & named, fixed=context.fixed & named)


def _parts(thing: Any) -> Iterator[Basic]:
    """Expressions and relations at any depth of tuples."""
    if isinstance(thing, Basic):
        yield thing
    elif isinstance(thing, tuple):
        for one in thing:
            yield from _parts(one)


@cache
def _named(part: Basic) -> frozenset[Basic]:
    """Symbols, those that run too, bases and functions."""
    bases = {entry.base for entry in part.atoms(Indexed)}
    functions = {application.func for application in part.atoms(AppliedUndef)}
    return frozenset(part.atoms(Symbol) | bases | functions)


def known(asked: Question) -> Finding | None:
    """The answer, if it was given before."""
    return _answers.get(asked)


def answer(asked: Question) -> Finding:
    """The answer; what cannot be worked out is UNDECIDED."""
    found = _answers.get(asked)
    if found is None:
        with watched() as taken:
            try:
                found = asked.step.check(asked.context)
            except (RewritingError, EvaluationError) as error:
                found = Finding(State.UNDECIDED, str(error))
        if len(_answers) >= LIMIT:
            _answers.clear()
            _places.clear()
        _answers[asked] = found
        if found.proved:
            _places[asked] = tuple(taken)
    return found


def places_of(asked: Question) -> tuple[Boolean, ...]:
    """What equations for every value of something say where a proof takes them; the question was answered before."""
    return _places.get(asked, ())


def _frozen(thing: Any) -> Any:
    if isinstance(thing, Mapping):
        return tuple(sorted(((k, _frozen(v)) for k, v in thing.items()), key=str))
    return tuple(_frozen(t) for t in thing) if isinstance(thing, tuple | list) else thing
