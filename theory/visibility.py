"""What a step may see of its derivation, and whether it says anything that is not said already."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sympy import Basic, Indexed, S, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies

from theory.premises import Define, Imported, Premise, Suppose, pattern_arguments
from theory.rewriting import Rule, fresh, match, rewrite
from theory.signs import sign_of
from theory.steps.gaps import fresh_equal
from theory.steps.step import Context, Step

if TYPE_CHECKING:
    from theory.derivation import Derivation


def context_of(derivation: Derivation, step: Step, uses: tuple[str, ...]) -> Context:
    """The context of a step that uses these names."""
    parts = {p.name: p for p in (*derivation.premises, *derivation.steps)}
    rules: list[Rule] = []
    facts: list[Boolean] = []
    quantified: list[tuple[str, Boolean, tuple[Basic, ...]]] = []
    for name in uses:
        part = parts[name]
        if isinstance(part, Define):
            rules.append(definition_rule(part))
            continue
        forall = _forall(part)
        constrains = _constrained(derivation, part)
        ranges = _ranges(derivation, part, forall) + _start(part)
        for fact, conditions in _atoms(_fact(part), ranges):
            if isinstance(fact, Eq):
                variables = frozenset(forall)
                rules.append(Rule(name, fact.lhs, fact.rhs, variables, False, conditions, constrains))
            elif forall:
                whole = Implies(And(*conditions), fact, evaluate=False) if conditions else fact
                quantified.append((name, whole, forall))
            else:
                facts.append(Implies(And(*conditions), fact) if conditions else fact)
    hidden = frozenset(head_key(d.head) for d in derivation.definitions if d.name not in uses)
    own = {symbol for symbol, _ in step.introduces()}
    hidden |= frozenset(symbol for symbol, _ in derivation.introduced if symbol not in own)
    rules.reverse()
    return Context(tuple(rules), tuple(facts), tuple(quantified), hidden, _fixed(derivation))


def definition_rule(definition: Define) -> Rule:
    """A definition as a rule."""
    arguments = pattern_arguments(definition.head) or ()
    variables = frozenset(s for a in arguments for s in a.free_symbols)
    return Rule(definition.name, definition.head, definition.body, variables, macro=True)  # type: ignore[arg-type]


def head_key(head: Basic) -> Basic:
    """The symbol, base or function that a head defines."""
    if isinstance(head, Indexed):
        return head.base
    return head.func if isinstance(head, AppliedUndef) else head  # type: ignore[return-value]


def restated(derivation: Derivation, step: Step) -> str:
    """Why the step says nothing new, or an empty string."""
    claim = step.conclusion
    if claim == S.true:
        return "the claim is true as it stands"
    if isinstance(claim, Eq) and fresh_equal(claim.lhs, claim.rhs):
        return "left is right"
    for part in (*derivation.premises, *derivation.steps):
        if part is step:
            break
        if isinstance(part, Define):
            rule = definition_rule(part)
            if isinstance(claim, Eq) and (
                _instance(rule, claim.lhs, claim.rhs) or _instance(rule, claim.rhs, claim.lhs)
            ):
                return f"it restates {part.name!r}"
            continue
        fact = _fact(part)
        if any(_same(claim, other) for other, conditions in _atoms(fact, ()) if not conditions) or _same(claim, fact):
            return f"it restates {part.name!r}"
    return ""


SIGNS = {
    "positive": {1},
    "negative": {-1},
    "nonnegative": {0, 1},
    "nonpositive": {0, -1},
    "nonzero": {1, -1},
}


def assumed_heads(derivation: Derivation) -> str:
    """A sign that a head is declared to have and its body need not have: a belief that no premise states."""
    for d in derivation.definitions:
        declared = [name for name in SIGNS if getattr(d.head, f"is_{name}")]
        if declared and any(not sign_of(d.body, ()) <= SIGNS[name] for name in declared):
            return (
                f"{d.head} is declared {declared[0]}, which its definition does not show: declare it "
                f"real, and suppose or derive the sign"
            )
    return ""


def missing_support(derivation: Derivation, step: Step) -> str:
    """Why something that the step rests on (an import, a declared sign) may not be used, else nothing."""
    from theory.derivation import verdict

    believed = assumed_heads(derivation) or _leaking(derivation, step)
    if believed:
        return believed
    for p in derivation.premises:
        if not isinstance(p, Imported) or p.name not in step.uses:
            continue
        given = [_fact(q) for q in derivation.premises if not isinstance(q, Define)]
        for s in derivation.steps:
            if s is step:
                break
            given.append(s.conclusion)
        atoms = [fact for g in given for fact, conditions in _atoms(g, ()) if not conditions] + given
        for hypothesis in needed(p.derivation):
            wanted = hypothesis.fact.xreplace(dict(p.at))
            if not any(_same(wanted, a) for a in atoms) and wanted != S.true:
                return f"{p.name!r} rests on {hypothesis.name!r}, {wanted}, neither supposed nor derived here"
        own = {d.head: d.body for d in derivation.premises if isinstance(d, Define)}
        for d in p.derivation.definitions:
            if d.head in own and own[d.head] != d.body:
                return f"{p.name!r} defines {d.head} as {d.body}, here it is {own[d.head]}"
        if not verdict(p.derivation).sound:
            return f"{p.name!r} is not sound itself"
    return ""


def supporting(derivation: Derivation, premise: Premise) -> tuple[str, ...]:
    """Names of the hypotheses here, and of the steps, that an imported conclusion rests on."""
    if not isinstance(premise, Imported):
        return ()
    wanted = [h.fact.xreplace(dict(premise.at)) for h in needed(premise.derivation)]
    own = [p for p in derivation.premises if isinstance(p, Suppose)]
    return tuple(p.name for p in (*own, *derivation.steps) if any(_same(w, _fact(p)) for w in wanted))


def needed(derivation: Derivation) -> Iterator[Suppose]:
    """The hypotheses that a derivation rests on, with those of its imports."""
    for p in derivation.premises:
        if isinstance(p, Suppose):
            yield p


def _fact(part: Premise | Step) -> Boolean:
    if isinstance(part, Imported):
        if not part.at:
            return part.derivation.conclusion
        rules = tuple(definition_rule(d) for d in part.derivation.definitions)
        unfolded = rewrite(part.derivation.conclusion, rules)[0] if rules else part.derivation.conclusion
        return fresh(unfolded).xreplace(dict(part.at))  # type: ignore[return-value]
    return part.fact if isinstance(part, Suppose) else part.conclusion  # type: ignore[union-attr]


def _forall(part: Premise | Step) -> tuple[Basic, ...]:
    if isinstance(part, Imported):
        return tuple(v for v in _forall(part.derivation.steps[-1]) if v not in dict(part.at))
    return tuple(getattr(part, "forall", ()))


def _start(part: Premise | Step) -> tuple[Boolean, ...]:
    """The range of a step that holds from somewhere on, imported or not."""
    return tuple(getattr(part.derivation.steps[-1] if isinstance(part, Imported) else part, "ranges", ()))


def _atoms(fact: Boolean, conditions: tuple[Boolean, ...]) -> Iterator[tuple[Boolean, tuple[Boolean, ...]]]:
    """And taken apart; the premises of an implication of an equation as its conditions."""
    if isinstance(fact, And):
        for f in fact.args:
            yield from _atoms(f, conditions)
    elif isinstance(fact, Implies) and isinstance(fact.args[1], Eq | And):
        premise = fact.args[0]
        more = premise.args if isinstance(premise, And) else (premise,)
        yield from _atoms(fact.args[1], (*conditions, *more))
    elif isinstance(fact, Equivalent):
        yield fact, conditions
    else:
        yield fact, conditions


def _instance(rule: Rule, left: Basic, right: Basic) -> bool:
    return any(fresh_equal(rule.right.xreplace(b), right) for b in match(rule.left, left, rule.variables, {}))


def _same(a: Boolean, b: Boolean) -> bool:
    if a == b:
        return True
    if isinstance(a, Relational) and isinstance(b, Relational):
        return (a.func == b.func and _sides(a, b.args)) or (a.func == b.reversed.func and _sides(a, b.reversed.args))
    return False


def _sides(a: Relational, sides: tuple[Basic, ...]) -> bool:
    return fresh_equal(a.lhs, sides[0]) and fresh_equal(a.rhs, sides[1])


def primitives(derivation: Derivation, expression: Basic) -> frozenset[Basic]:
    """Free symbols, bases and functions in an expression after all definitions are put in."""
    meanings: dict[Basic, list[frozenset[Basic]]] = {}
    for d in derivation.definitions:
        pattern = {s for a in pattern_arguments(d.head) or () for s in a.free_symbols}
        meanings.setdefault(head_key(d.head), []).append(_mentioned(d.body) - pattern)
    for symbol, meaning in derivation.introduced:
        if isinstance(meaning, Basic):
            meanings.setdefault(symbol, []).append(_mentioned(meaning))
    found: set[Basic] = set()
    pending = list(_mentioned(expression))
    while pending:
        key = pending.pop()
        if key not in found:
            found.add(key)
            pending += [m for mentioned in meanings.get(key, ()) for m in mentioned]
    return frozenset(found)


@cache
def _mentioned(expression: Basic) -> frozenset[Basic]:
    """Free symbols, bases and functions as written; the label of a base is not a symbol."""
    bases = {part.base for part in expression.atoms(Indexed)}
    labels = {base.label for base in bases}
    functions = {head_key(part) for part in expression.atoms(AppliedUndef)}
    symbols = {s for s in expression.free_symbols if isinstance(s, Symbol) and s not in labels}
    return frozenset(symbols | bases | functions)


def _leaking(derivation: Derivation, step: Step) -> str:
    """A symbol for which a step is to hold everywhere, on which a head in it depends without naming it."""
    symbols = _forall(step)
    if not symbols:
        return ""
    names = derivation.reaching(step)
    facts = [p.fact for p in derivation.premises if p.name in names and isinstance(p, Suppose)]
    for statement in (step.conclusion, *facts):
        heads = _mentioned(statement)
        hidden = frozenset().union(*(primitives(derivation, h) - {h} for h in heads if isinstance(h, Basic)))
        for s in symbols:
            if s in hidden:
                return f"{s} is to be any, but a definition in {statement} speaks of it: make it an argument"
    return ""


def _constrained(derivation: Derivation, part: Premise | Step) -> frozenset[Basic]:
    """Primitive symbols that the hypotheses under a premise or step speak of."""
    if isinstance(part, Suppose):
        return primitives(derivation, part.fact)
    if isinstance(part, Imported):
        own = [h.fact.xreplace(dict(part.at)) for h in needed(part.derivation)]
        return frozenset().union(*(primitives(derivation, f) for f in own)) if own else frozenset()
    names = derivation.reaching(part)  # type: ignore[arg-type]
    found: frozenset[Basic] = frozenset()
    for p in derivation.premises:
        if p.name in names and not isinstance(p, Define):
            found |= _constrained(derivation, p)
    for s in derivation.steps:
        if s.name in names:
            found |= frozenset(symbol for symbol, _ in s.introduces())
    return found


def _fixed(derivation: Derivation) -> frozenset[Basic]:
    given = [p for p in derivation.premises if isinstance(p, Suppose)]
    return frozenset().union(*(primitives(derivation, p.fact) - set(p.forall) for p in given))


def _ranges(derivation: Derivation, part: Premise | Step, forall: tuple[Basic, ...]) -> tuple[Boolean, ...]:
    """Hypotheses under a step that speak of the symbols for which it is to hold everywhere."""
    if not forall or isinstance(part, Suppose):
        return ()
    owner = part.derivation if isinstance(part, Imported) else derivation
    last = part.derivation.steps[-1] if isinstance(part, Imported) else part
    names = owner.reaching(last)  # type: ignore[arg-type]
    found = []
    for p in owner.premises:
        if p.name in names and isinstance(p, Suppose) and not p.forall:
            found += [f for f, _ in _atoms(p.fact, ()) if f.free_symbols & set(forall)]
    return tuple(found)
