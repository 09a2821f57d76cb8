"""What a step may see of its derivation, and whether it says anything that is not said already."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from sympy import Basic, Dummy, Expr, Indexed, IndexedBase, S, Symbol, cancel
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies

from theory.asymptotics import even, odd, order
from theory.proof.admission import assumptions_of, lacking
from theory.proof.premises import Define, Imported, Premise, Suppose, kept_apart, overlapping, pattern_arguments
from theory.proof.rewriting import Rule, fresh, match, rewrite
from theory.proof.signs import entails
from theory.proof.steps.gaps import alpha, fresh_equal
from theory.proof.steps.root import Root
from theory.proof.steps.step import Context, Step

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


def context_of(derivation: Derivation, step: Step, uses: tuple[str, ...]) -> Context:
    """The context of a step that uses these names."""
    parts = {p.name: p for p in (*derivation.premises, *derivation.steps)}
    rules: list[Rule] = []
    facts: list[Boolean] = []
    quantified: list[tuple[str, Boolean, tuple[Basic, ...]]] = []
    for name in uses:
        part = parts[name]
        if isinstance(part, Define):
            rules.append(definition_rule(part, derivation.definitions))
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


def definition_rule(definition: Define, others: tuple[Define, ...] = ()) -> Rule:
    """A definition as a rule; where another one has a number for a symbol, that the symbol may not be it."""
    arguments = pattern_arguments(definition.head) or ()
    variables = frozenset(s for a in arguments for s in a.free_symbols)
    apart = {
        Ne(symbol, number, evaluate=False)
        for other in others
        if head_key(other.head) == head_key(definition.head)
        for symbol, number in zip(arguments, pattern_arguments(other.head) or (), strict=False)
        if kept_apart(symbol, number)
    }
    conditions = tuple(sorted(apart, key=str)) + _needed_signs(definition)
    return Rule(definition.name, definition.head, definition.body, variables, True, conditions)  # type: ignore[arg-type]


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
        if isinstance(part, Suppose) and not isinstance(step, Root) and _disguised(claim, fact):
            return f"it restates {part.name!r}, up to a factor"
    return ""


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


@lru_cache(maxsize=256)
def assumed_heads(derivation: Derivation) -> str:
    """What a head is declared to be and its body need not be: a belief that no premise states."""
    facts = None
    for d in derivation.definitions:
        if not assumptions_of(d.head):
            continue
        facts = _hypotheses(derivation) if facts is None else facts
        shown = lambda claim, facts=facts: entails(claim, facts)  # noqa: E731
        body = d.body if _needed_signs(d) else _anywhere(d)
        why = lacking(d.head, body, shown)
        if why and not lacking(d.head, rewrite(body, _unfolding(derivation), _entailed)[0], shown):
            continue
        if why:
            return (
                f"{d.head} is declared {', '.join(name for name, _ in assumptions_of(d.head))}, which its definition "
                f"does not show ({why}): declare less, and suppose or derive it"
            )
    return ""


@cache
def _needed_signs(definition: Define) -> tuple[Boolean, ...]:
    """Signs of a pattern's symbols without which a function is not what it is declared to be."""
    nothing = lambda claim: entails(claim, ())  # noqa: E731
    if not lacking(definition.head, _anywhere(definition), nothing) or lacking(
        definition.head, definition.body, nothing
    ):
        return ()
    free = {s for a in pattern_arguments(definition.head) or () for s in a.free_symbols}
    made: list[Boolean] = []
    for s in sorted(free, key=str):
        if s.is_positive:
            made.append(Gt(s, 0, evaluate=False))
        elif s.is_nonnegative:
            made.append(Ge(s, 0, evaluate=False))
        elif s.is_negative:
            made.append(Lt(s, 0, evaluate=False))
    return tuple(made)


def _hypotheses(derivation: Derivation) -> tuple[Boolean, ...]:
    """What is supposed of single places, without conditions, after all definitions are put in."""
    rules = _unfolding(derivation)
    given = [p.fact for p in derivation.premises if isinstance(p, Suppose) and not p.forall]
    atoms = [fact for g in given for fact, conditions in _atoms(g, ()) if not conditions]
    return tuple(rewrite(fact, rules, _entailed)[0] for fact in atoms if isinstance(fact, Relational))  # type: ignore[misc]


def _unfolding(derivation: Derivation) -> tuple[Rule, ...]:
    return tuple(definition_rule(d, derivation.definitions) for d in derivation.definitions)


def _entailed(claim: Boolean, ranges: tuple[Boolean, ...]) -> bool:
    return entails(claim, ranges, products=False)


def _anywhere(definition: Define) -> Basic:
    """The body of a definition at any arguments: the symbols of a pattern keep no sign there."""
    if not isinstance(definition.head, AppliedUndef):
        return definition.body
    free = {s for a in pattern_arguments(definition.head) or () for s in a.free_symbols}
    kinds = {s: {"integer": True} if s.is_integer else {"real": True} for s in free}
    return fresh(definition.body).xreplace({s: Dummy(s.name, **kinds[s]) for s in free})  # type: ignore[attr-defined]


def missing_support(derivation: Derivation, step: Step) -> str:
    """Why something that the step rests on (an import, a declared sign) may not be used, else nothing."""
    from theory.proof.derivation import verdict

    believed = assumed_heads(derivation) or _complex(derivation, step) or _leaking(derivation, step)
    if believed:
        return believed
    for p in derivation.premises:
        if not isinstance(p, Imported) or p.name not in step.uses:
            continue
        earlier = derivation.steps[: derivation.steps.index(step)]
        given = [q for q in (*derivation.premises, *earlier) if not isinstance(q, Define) and not _start(q)]
        for hypothesis in needed(p.derivation):
            wanted = hypothesis.fact.xreplace(dict(p.at))
            met = any(set(hypothesis.forall) <= set(_forall(q)) and _says(q, wanted) for q in given)
            if not met and wanted != S.true:
                return f"{p.name!r} rests on {hypothesis.name!r}, {wanted}, neither supposed nor derived here"
        for symbol, place in p.at:
            why = lacking(symbol, place, lambda claim: entails(claim, _hypotheses(derivation)))
            if why:
                return f"{p.name!r} may not be taken at {symbol} = {place}: {why}"
        clash = _clashing(derivation, p)
        if clash:
            return clash
        if not verdict(p.derivation).sound:
            return f"{p.name!r} is not sound itself"
    return ""


def _says(part: Premise | Step, wanted: Boolean) -> bool:
    """Whether a hypothesis or a conclusion, or one of its atoms that has no conditions, is the relation wanted."""
    fact = _fact(part)
    atoms = [atom for atom, conditions in _atoms(fact, ()) if not conditions]
    return any(_same(wanted, one) for one in (fact, *atoms))


def _complex(derivation: Derivation, step: Step) -> str:
    """Something that may be complex: signs, squares and sizes are those of real numbers everywhere here.

    An equation may be about an abbreviation of which nothing is declared, and complex numbers have orders too.
    """
    defined = {head_key(d.head) for d in derivation.definitions} if isinstance(step.conclusion, Eq) else set()
    told = [step.conclusion, *(p.fact for p in derivation.premises if isinstance(p, Suppose) and p.name in step.uses)]
    told += [p.body for p in derivation.premises if isinstance(p, Define) and p.name in step.uses]
    if step.conclusion.has(order, even, odd):
        return ""
    for statement in told:
        for part in sorted(_mentioned(statement), key=str):
            if part not in defined and not _is_real(part):
                return f"{part} is not declared real: declare it so, as complex numbers are not reasoned about"
    return ""


def _is_real(part: Basic) -> bool:
    """Whether a symbol, the entries of a base or the values of a function are declared real."""
    told = part.label if isinstance(part, IndexedBase) else part
    if not isinstance(told, Symbol):
        told = Symbol("value", **getattr(part, "_kwargs", {}))
    return bool(told.is_extended_real)


def _clashing(derivation: Derivation, imported: Imported) -> str:
    """A meaning that an import brings and that another one here contradicts."""
    for d in imported.derivation.definitions:
        for other in derivation.definitions:
            if overlapping(d.head, other.head) and not _alike(d, other):
                return f"{imported.name!r} defines {d.head} as {d.body}, here it is {other.body}"
    ours = derivation.introduced
    for symbol, meaning in imported.derivation.introduced:
        if any(symbol == other and meaning != another for other, another in ours):
            return f"{imported.name!r} gives {symbol} a meaning, and so does something else here"
        if any(overlapping(symbol, d.head) for d in derivation.definitions):
            return f"{imported.name!r} gives {symbol} a meaning, and so does a definition here"
    return ""


def _alike(one: Define, other: Define) -> bool:
    """Whether two definitions differ at most in the names of the symbols of their patterns."""
    if one.head == other.head:
        return fresh_equal(one.body, other.body)
    rule = definition_rule(one)
    return any(
        set(b.values()) <= other.head.free_symbols and fresh_equal(rule.right.xreplace(b), other.body)
        for b in match(rule.left, other.head, rule.variables, {})
    )


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
        rules = _unfolding(part.derivation)
        unfolded = rewrite(part.derivation.conclusion, rules, _entailed)[0] if rules else part.derivation.conclusion
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
