"""Automatic mutation: every premise and every step of a derivation is changed, and something must notice.

A mutant *survives* if it is still sound and still ends at the claim. A changed premise that survives is
one that the proof does not need; it must carry a written `convention` or go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy import Basic, Derivative, Expr, Indexed, Product, Rational, Sum, Symbol, sympify
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Implies

from theory.proof.derivation import Derivation, verdict
from theory.proof.premises import Define, Premise, Suppose, pattern_arguments
from theory.proof.steps.step import Step

FLIPPED = {Ge: Le, Gt: Lt, Le: Ge, Lt: Gt}


def mutants(derivation: Derivation) -> Iterator[tuple[str, Derivation]]:
    """All mutants of a derivation, each with a label that says what was changed.

    Definitions: twice, minus, plus 1/7, one symbol squared. Hypotheses: dropped, and flipped (an
    inequality) or its sides changed (an equation). Steps that the last one rests on: dropped, and their
    claims changed in sign, factor and exponent (an enumeration: an item dropped, added or changed, a line
    moved). Imports: dropped.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from theory.proof.steps import Equal
    >>> from theory.proof.worlds import World
    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> step = Equal("opened", y - 1, x**2 - 1, uses=("square",))
    >>> square = Derivation((Define("square", y, x**2),), (step,), lambda source: World({x: 3}))
    >>> [label for label, _ in mutants(square)][:3]
    ['square: twice the body', 'square: minus the body', 'square: the body plus 1/7']
    """
    for place, premise in enumerate(derivation.premises):
        for label, changed in _changed_premise(premise):
            premises = (*derivation.premises[:place], changed, *derivation.premises[place + 1 :])
            yield f"{premise.name}: {label}", replace(derivation, premises=premises)
        if not isinstance(premise, Define):
            yield f"{premise.name}: dropped", _without(derivation, premise.name)
    reached = derivation.reaching(derivation.steps[-1])
    for place, step in enumerate(derivation.steps):
        if step.name not in reached:
            continue
        for label, other in step.mutants():
            steps = (*derivation.steps[:place], other, *derivation.steps[place + 1 :])
            yield f"{step.name}: {label}", replace(derivation, steps=steps)
        for label, fact in step.added_hypotheses():
            yield f"{step.name}: {label}", _with_hypothesis(derivation, place, fact)
        if len(derivation.steps) > 1:
            yield f"{step.name}: dropped", _without(derivation, step.name)


def survivors(derivation: Derivation) -> tuple[str, ...]:
    """Labels of the mutants that stay sound and end at the claim, conventions excepted.

    Each mutant is checked up to its first failure. The derivation itself is checked first: what its steps
    cannot do without is then known, and a mutant that loses it is not asked again.

    Raises
    ------
    ValueError
        If the derivation is not sound itself.
    """
    proof = verdict(derivation)
    if not proof.sound:
        raise ValueError(f"survivors: the derivation is {proof.state.value}; allowed is a sound one; prove it first")
    conventions = {p.name for p in derivation.premises if p.convention}
    return tuple(
        label
        for label, mutant in mutants(derivation)
        if label.split(": ", 1)[0] not in conventions and survives(mutant, derivation)
    )


def survives(mutant: Derivation, original: Derivation) -> bool:
    """Whether a mutant is sound and, unless its own last step was changed, ends where the original ends."""
    if len(mutant.steps) < len(original.steps) and mutant.conclusion != original.conclusion:
        return False
    before = {p.name: p for p in (*original.premises, *original.steps)}
    now = {p.name: p for p in (*mutant.premises, *mutant.steps)}
    changed = {name for name in before if now.get(name) != before[name]}
    suspects = tuple(s.name for s in mutant.steps if s.name in changed or changed & set(s.uses))
    return mutant.check(first_failure=True, suspects=suspects).sound


def _changed_premise(premise: Premise) -> Iterator[tuple[str, Premise]]:
    if isinstance(premise, Define):
        body = sympify(premise.body)
        if body != 0:
            yield "twice the body", replace(premise, body=2 * body)
            yield "minus the body", replace(premise, body=-body)
        yield "the body plus 1/7", replace(premise, body=body + Rational(1, 7))
        squared = _squared(premise)
        if squared is not None:
            yield f"{squared} squared", replace(premise, body=body.xreplace({squared: squared**2}))  # type: ignore
    elif isinstance(premise, Suppose):
        for label, fact in _changed_fact(premise.fact):
            yield label, replace(premise, fact=fact)


def _changed_fact(fact: Boolean) -> Iterator[tuple[str, Boolean]]:
    if isinstance(fact, Implies):
        for label, end in _changed_fact(fact.args[1]):  # type: ignore[arg-type]
            yield label, Implies(fact.args[0], end, evaluate=False)
    elif isinstance(fact, And):
        parts = sorted(fact.args, key=str)
        for place, part in enumerate(parts):
            for label, other in _changed_fact(part):  # type: ignore[arg-type]
                others = [*parts[:place], other, *parts[place + 1 :]]
                yield f"{part} {label}", And(*others, evaluate=False)
    elif isinstance(fact, Eq):
        other = -fact.rhs if fact.rhs != 0 else Rational(1, 7)
        yield "right side changed", Eq(fact.lhs, other, evaluate=False)
    elif isinstance(fact, Ne):
        yield "made an equation", Eq(fact.lhs, fact.rhs, evaluate=False)
    elif isinstance(fact, Relational):
        yield "flipped", FLIPPED[fact.func](fact.lhs, fact.rhs, evaluate=False)


def _squared(premise: Define) -> Basic | None:
    """What in the body is to be squared: a symbol that is no index if there is one, else an entry."""
    indices = {s for a in pattern_arguments(premise.head) or () for s in a.free_symbols if s.is_integer}
    inside = {s for part in premise.body.atoms(Indexed) for s in part.free_symbols if s.is_integer}
    bases = {part.base.label for part in premise.body.atoms(Indexed)}
    bases |= {s for part in premise.body.atoms(Derivative) for s in part.variables}  # nothing derives in a square
    symbols = [s for s in premise.body.free_symbols if isinstance(s, Symbol)]
    for s in sorted(symbols, key=str):
        if s not in indices | inside | bases and not _is_size(s, premise.body):
            return s
    others = sorted(premise.body.atoms(Indexed, AppliedUndef) - bases, key=str)
    return others[0] if others else None


def _is_size(symbol: Symbol, body: Expr) -> bool:
    """Whether a symbol ends a sum: squared, it would ask tables for more than they have."""
    sums = body.atoms(Sum, Product)
    return any(symbol in end.free_symbols for part in sums for _, *ends in part.limits for end in ends)


def _with_hypothesis(derivation: Derivation, place: int, fact: Boolean) -> Derivation:
    """The derivation with one more hypothesis, which the step at this place uses."""
    added = Suppose("one more hypothesis", fact)
    step = derivation.steps[place]
    using = replace(step, uses=(*step.uses, added.name))  # type: ignore[type-var]
    steps = (*derivation.steps[:place], using, *derivation.steps[place + 1 :])
    return replace(derivation, premises=(*derivation.premises, added), steps=steps)


def _without(derivation: Derivation, name: str) -> Derivation:
    """The derivation without a premise or step; nothing refers to it any more."""
    premises = tuple(p for p in derivation.premises if p.name != name)
    steps = tuple(_not_using(s, name) for s in derivation.steps if s.name != name)
    return replace(derivation, premises=premises, steps=steps)


def _not_using(step: Step, name: str) -> Step:
    if name not in step.uses:
        return step
    return replace(step, uses=tuple(n for n in step.uses if n != name))  # type: ignore[type-var]
