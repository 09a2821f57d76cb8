"""Proofs that were asked for already: the same step with the same things in sight has the same answer.

Whether a used name is idle, and whether a derivation survives the loss of a premise, are the same question; a
mutant differs from its original in a few steps only. So each question is answered once in a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from theory.proof.evaluation import EvaluationError
from theory.proof.rewriting import RewritingError
from theory.proof.steps.step import Context, Finding, State, Step

LIMIT = 20_000
_answers: dict[Question, Finding] = {}


@dataclass(frozen=True)
class Question:
    """Is this claim proved from what this context shows? Names in `uses` and words do not count."""

    said: tuple[Any, ...]
    context: Context
    step: Step = field(compare=False)


def question(step: Step, context: Context) -> Question:
    """The question whether a step is proved from a context."""
    told = (f.name for f in fields(step) if f.name not in ("uses", "because"))  # type: ignore[arg-type]
    return Question((type(step), *((n, _frozen(getattr(step, n))) for n in told)), context, step)


def known(asked: Question) -> Finding | None:
    """The answer, if it was given before."""
    return _answers.get(asked)


def answer(asked: Question) -> Finding:
    """The answer; what cannot be worked out is UNDECIDED."""
    found = _answers.get(asked)
    if found is None:
        try:
            found = asked.step.check(asked.context)
        except (RewritingError, EvaluationError) as error:
            found = Finding(State.UNDECIDED, str(error))
        if len(_answers) >= LIMIT:
            _answers.clear()
        _answers[asked] = found
    return found


def _frozen(thing: Any) -> Any:
    if isinstance(thing, Mapping):
        return tuple(sorted(((k, _frozen(v)) for k, v in thing.items()), key=str))
    return tuple(_frozen(t) for t in thing) if isinstance(thing, tuple | list) else thing
