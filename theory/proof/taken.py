"""Whether a world keeps what a proof takes from it: what holds at every value is tried at a sample of places only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Basic, S, sympify
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theory.proof.admission import sign_relations
from theory.proof.evaluation import Evaluation, EvaluationError
from theory.proof.far import LONG_TO_TRY
from theory.proof.matching import fresh
from theory.proof.premises import Suppose


def broken_instance(
    world: Evaluation, premises: Iterable[Any], instances: Iterable[tuple[str, Mapping[Basic, Basic]]]
) -> str:
    """Which quantified hypothesis a world breaks where a step uses it: worlds try them at a sample of places only.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> small = Suppose("small", x**2 <= 100, forall=(x,))
    >>> broken_instance(Evaluation({}), (small,), (("small", {x: 50}),))
    "the world breaks 'small' at {x: 50}"
    """
    for name, places in instances:
        for h in premises:
            if not isinstance(h, Suppose) or h.name != name:
                continue
            allowed = {s: sympify(p) for s, p in places.items() if s in h.forall}
            conditions = [c for s, p in allowed.items() for c in sign_relations(s, p)]
            try:
                met = all(world.truth(c) for c in conditions)
                if met and not world.truth(fresh(h.fact).xreplace(allowed)):  # type: ignore[arg-type]
                    return f"the world breaks {name!r} at {allowed}"
            except EvaluationError:  # what runs in the step has no place here
                continue
    return ""


def broken_place(world: Evaluation, places: Iterable[Boolean]) -> str:
    """Which equation for every value of something a world breaks where a proof takes it, as `broken_instance` says.

    Examples
    --------
    >>> from sympy import Eq, Function, Lambda, Symbol
    >>> x, f = Symbol("x", real=True), Function("f", real=True)
    >>> broken_place(Evaluation({f: Lambda(x, x)}), (Eq(f(3), 0, evaluate=False),))
    'the world breaks Eq(f(3), 0), which the proof takes from what holds everywhere'
    """
    for told in places:
        if told.has(*LONG_TO_TRY):
            continue
        try:
            if not world.truth(told):
                return f"the world breaks {told}, which the proof takes from what holds everywhere"
        except (EvaluationError, RecursionError):  # what runs in the step has no place here
            continue
    return ""


def never_met(claim: Boolean, worlds: Iterable[Evaluation]) -> str:
    """Why a claim under a condition says nothing: no world that keeps all hypotheses meets its condition.

    Hypotheses may contradict each other there, though no step takes both. That something never is may be claimed.
    Of alternatives none may hold in all of these worlds: Or(x <= 3, ...) is another way to write x > 3 as a condition.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> never_met(Implies(x > 3, x**2 > 9, evaluate=False), [Evaluation({x: 1}), Evaluation({x: 2})])
    'its condition, x > 3, holds in no world that was tried'
    """
    tried = tuple(worlds)
    if isinstance(claim, And):
        return next(filter(None, (never_met(part, tried) for part in claim.args)), "")
    if isinstance(claim, Or):
        always = next((part for part in claim.args if _met(part, tried)), None)
        return "" if always is None else f"{always} alone holds in every world that was tried"
    if not isinstance(claim, Implies) or claim.args[1] == S.false:
        return ""
    for world in tried:
        try:
            if world.truth(claim.args[0]):
                return ""
        except EvaluationError:
            return ""
    return f"its condition, {claim.args[0]}, holds in no world that was tried"


def _met(claim: Boolean, worlds: tuple[Evaluation, ...]) -> bool:
    """Whether a claim holds in all of these worlds, and each can say so."""
    try:
        return bool(worlds) and all(world.truth(claim) for world in worlds)
    except EvaluationError:
        return False
