"""Whether a step says anything that is not said already."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Basic, Expr, Indexed, S, Symbol, cancel
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Implies, Not, Or

from theory.proof.logic import negated
from theory.proof.matching import match
from theory.proof.premises import Define, Premise, Suppose
from theory.proof.rewriting import Rule
from theory.proof.signs import entails
from theory.proof.steps.gaps import alpha, fresh_equal
from theory.proof.steps.root import Root
from theory.proof.steps.step import Step
from theory.proof.supposed import supposed
from theory.proof.told import definition_rule, fact_of, forall_of

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


def restated(derivation: Derivation, step: Step) -> str:
    """Why the step says nothing new, or an empty string."""
    claim = step.conclusion
    if claim == S.true:
        return "the claim is true as it stands"
    if isinstance(claim, Eq) and fresh_equal(claim.lhs, claim.rhs):
        return "left is right"
    names = _names(derivation)
    for part in (*derivation.premises, *derivation.steps):
        if part is step:
            break
        if _says(part, claim, {}) or (names and _says(part, claim.xreplace(names), names)):
            return f"it restates {part.name!r}"
        if isinstance(part, Suppose) and not isinstance(step, Root):
            fact = part.fact
            if _disguised(claim, fact) or (names and _disguised(claim.xreplace(names), fact.xreplace(names))):
                return f"it restates {part.name!r}, up to a factor"
    if step is not derivation.steps[-1]:
        return ""  # on the way an equation may be solved
    return supposed(derivation, step, {}) or (supposed(derivation, step, names) if names else "")


def _says(part: Premise | Step, claim: Boolean, names: dict[Basic, Basic]) -> bool:
    """Whether a premise or step says the claim, as written with the names replaced."""
    if isinstance(part, Define):
        rule = definition_rule(part)
        return isinstance(claim, Eq) and (
            _instance(rule, claim.lhs, claim.rhs) or _instance(rule, claim.rhs, claim.lhs)
        )
    fact = fact_of(part).xreplace(names)
    if same(claim, fact):
        return True
    said = _said(fact)
    if any(same(claim, other) for other in said) or _between(claim, said):
        return True
    symbols = frozenset(forall_of(part)) if isinstance(part, Suppose) else frozenset()
    return bool(symbols) and any(_is_instance(claim, other, symbols) for other in said)


@lru_cache(maxsize=4096)
def _said(fact: Boolean) -> tuple[Boolean, ...]:
    return tuple(_unconditional(fact))


def _unconditional(fact: Boolean) -> Iterator[Boolean]:
    """What a fact says on no condition but one that always holds, with what only dresses it up taken off."""
    match fact:
        case And():
            for part in fact.args:
                yield from _unconditional(part)  # type: ignore[arg-type]
        case Or() if all(same(fact.args[0], other) or _disguised(fact.args[0], other) for other in fact.args):  # type: ignore[arg-type]
            yield from _unconditional(fact.args[0])  # type: ignore[arg-type]
        case Not():
            inner = negated(fact.args[0])  # type: ignore[arg-type]
            if inner is not None and not isinstance(inner, Not):
                yield from _unconditional(inner)
        case Implies() if _always(fact.args[0]):  # type: ignore[arg-type]
            yield from _unconditional(fact.args[1])  # type: ignore[arg-type]
        case _:
            yield fact


def _always(condition: Boolean) -> bool:
    parts = condition.args if isinstance(condition, And) else (condition,)
    return all(entails(part, ()) for part in parts)  # type: ignore[arg-type]


def _between(claim: Boolean, said: tuple[Boolean, ...]) -> bool:
    """Whether an equation is said as two inequalities."""
    if not isinstance(claim, Eq):
        return False
    ways = (Le(claim.lhs, claim.rhs, evaluate=False), Ge(claim.lhs, claim.rhs, evaluate=False))
    return all(any(same(way, other) for other in said) for way in ways)


def _is_instance(claim: Boolean, fact: Boolean, symbols: frozenset[Basic]) -> bool:
    """Whether a relation is what another one says of every value, at some value."""
    if not isinstance(claim, Relational) or not isinstance(fact, Relational):
        return False
    for one in (claim, claim.reversed):
        if one.func == fact.func and (fact.lhs.free_symbols | fact.rhs.free_symbols) & symbols:
            for bound in match(fact.lhs, one.lhs, symbols, {}):
                if any(True for _ in match(fact.rhs, one.rhs, symbols, bound)):
                    return True
    return False


def _names(derivation: Derivation) -> dict[Basic, Basic]:
    """Symbols that are defined to be another thing and no more, with the thing: two names of one."""
    named: dict[Basic, Basic] = {}
    for d in derivation.premises:
        if isinstance(d, Define) and isinstance(d.head, Symbol) and isinstance(d.body, Symbol | Indexed | AppliedUndef):
            named[d.head] = d.body
    for _ in range(len(named)):
        named = {head: body.xreplace(named) for head, body in named.items()}
    return named


def _disguised(claim: Boolean, fact: Boolean) -> bool:
    """Whether two relations say that the same difference, up to a number, has the same sign.

    Sums and limits count as they are written, up to the names of what runs in them.
    """
    one, other = _difference(claim), _difference(fact)
    if one is None or other is None or one[1] != other[1]:
        return False
    ours, theirs = alpha(one[0]), alpha(other[0])
    if ours.free_symbols != theirs.free_symbols:
        return False
    ratio = cancel(ours / theirs)  # type: ignore[operator]
    return bool(ratio.is_Rational and (ratio > 0 or (one[1] in (Eq, Ne) and ratio != 0)))


def _difference(claim: Boolean) -> tuple[Expr, type] | None:
    """What is not negative, positive, zero or not zero."""
    match claim:
        case Ge() | Gt() | Eq() | Ne():
            return claim.lhs - claim.rhs, claim.func
        case Le() | Lt():
            return claim.rhs - claim.lhs, claim.reversed.func
    return None


def _instance(rule: Rule, left: Basic, right: Basic) -> bool:
    return any(fresh_equal(rule.right.xreplace(b), right) for b in match(rule.left, left, rule.variables, {}))


def same(a: Boolean, b: Boolean) -> bool:
    """Whether two facts are one, a relation read from either side."""
    if a == b:
        return True
    if isinstance(a, Relational) and isinstance(b, Relational):
        return (a.func == b.func and _sides(a, b.args)) or (a.func == b.reversed.func and _sides(a, b.reversed.args))
    return False


def _sides(a: Relational, sides: tuple[Basic, ...]) -> bool:
    return fresh_equal(a.lhs, sides[0]) and fresh_equal(a.rhs, sides[1])
