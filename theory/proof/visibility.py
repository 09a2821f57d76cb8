"""What a step may see of its derivation."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sympy import Basic, Derivative, Indexed, Limit, Symbol, false
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq
from sympy.logic.boolalg import And, Boolean, Implies

from theory.proof.beliefs import believing
from theory.proof.premises import Define, Imported, Premise, Suppose, pattern_arguments
from theory.proof.rewriting import Rule
from theory.proof.steps.step import Context, Step
from theory.proof.told import atoms_of, definition_rule, fact_of, forall_of, head_key, placed, start_of, wanted_by

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
        forall = forall_of(part)
        constrains = _constrained(derivation, part)
        ranges = ranges_of(derivation, part, forall) + _start_here(part)
        for fact, conditions in atoms_of(fact_of(part), ranges):
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


def _start_here(part: Premise | Step) -> tuple[Boolean, ...]:
    """From where on a step holds, at the places at which an import takes it."""
    there = tuple(placed(part, c) if isinstance(part, Imported) else c for c in start_of(part))
    return tuple(condition for condition in there if condition != True)  # noqa: E712


def primitives(derivation: Derivation, expression: Basic) -> frozenset[Basic]:
    """Free symbols, bases and functions in an expression after all definitions are put in."""
    return _reached(derivation, mentioned(expression))


def visible(derivation: Derivation, expression: Basic, kept: frozenset[Basic]) -> frozenset[Basic]:
    """Symbols, bases and functions in an expression after all definitions are put in but for those of what is kept."""
    heads = {head_key(d.head) for d in derivation.definitions} - kept
    return _reached(derivation, mentioned(expression), kept) - heads


def _reached(derivation: Derivation, start: frozenset[Basic], kept: frozenset[Basic] = frozenset()) -> frozenset[Basic]:
    """Symbols, bases and functions that these ones speak of at any depth but that of what is kept, they included."""
    meanings: dict[Basic, list[frozenset[Basic]]] = {}
    for d in derivation.definitions:
        pattern = {s for a in pattern_arguments(d.head) or () for s in a.free_symbols}
        meanings.setdefault(head_key(d.head), []).append(mentioned(d.body) - pattern)
    for symbol, meaning in derivation.introduced:
        told = meaning if isinstance(meaning, Basic) else meaning.__self__.conclusion  # type: ignore[attr-defined]
        meanings.setdefault(symbol, []).append(mentioned(told) - {symbol})
    found: set[Basic] = set()
    pending = list(start)
    while pending:
        key = pending.pop()
        if key not in found:
            found.add(key)
            pending += [m for told in meanings.get(key, ()) for m in told] if key not in kept else []
    return frozenset(found)


@cache
def mentioned(expression: Basic) -> frozenset[Basic]:
    """Free symbols, bases and functions as written; the label of a base is not a symbol."""
    bases = {part.base for part in expression.atoms(Indexed)}
    labels = {base.label for base in bases}
    functions = {head_key(part) for part in expression.atoms(AppliedUndef)}
    symbols = {s for s in expression.free_symbols if isinstance(s, Symbol) and s not in labels}
    return frozenset(symbols | bases | functions)


def leaking(derivation: Derivation, step: Step) -> str:
    """A symbol that is to be any, or that runs, on which a head depends without naming it.

    That are symbols for whose every value a step or a hypothesis under it holds, and what runs from end to end in it.
    """
    names = derivation.reaching(step)
    given = [p for p in derivation.premises if p.name in names and isinstance(p, Suppose)]
    told = [(symbol, (step.conclusion, *(p.fact for p in given))) for symbol in forall_of(step)]
    used = [fact_of(p) for p in (*derivation.premises, *derivation.steps) if p.name in step.uses and not _defines(p)]
    told += [(symbol, (*step.speaks_of, *used) if step.speaks_of else ()) for symbol in step.running]
    told += [(symbol, (p.fact,)) for p in given if p.name in step.uses for symbol in p.forall]
    told += [(symbol, ()) for statement in (step.conclusion, *used) for symbol in _differentiated(statement)]
    heads = {head_key(d.head) for d in derivation.definitions} | {symbol for symbol, _ in derivation.introduced}
    for symbol, statements in told:
        if symbol in heads - {own for own, _ in step.introduces()}:
            return f"{symbol} is to be any, but it has a meaning of its own: name what runs otherwise"
        for statement in statements:
            hidden = (_reached(derivation, frozenset({h})) - {h} for h in mentioned(statement))
            if any(symbol in reached for reached in hidden):
                return f"{symbol} is to be any, but a definition in {statement} speaks of it: make it an argument"
    return ""


@cache
def _differentiated(statement: Basic) -> frozenset[Basic]:
    """What a derivative is taken in, or a limit."""
    found = {head_key(v) for part in statement.atoms(Derivative) for v in part.variables}
    return frozenset(found | {part.args[1] for part in statement.atoms(Limit)})


def _defines(part: Premise | Step) -> bool:
    return isinstance(part, Define)


def _constrained(derivation: Derivation, part: Premise | Step) -> frozenset[Basic]:
    """Primitive symbols that the hypotheses under a premise or step speak of."""
    if isinstance(part, Suppose):
        return primitives(derivation, part.fact)
    if isinstance(part, Imported):
        own = [primitives(derivation, fact) for _, fact in wanted_by(part)]
        return frozenset().union(*own)
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


def ranges_of(derivation: Derivation, part: Premise | Step, forall: tuple[Basic, ...]) -> tuple[Boolean, ...]:
    """Hypotheses under a step that speak of the symbols for which it is to hold everywhere.

    What is supposed of every value of something and speaks of them besides holds for their own values alone: so does
    the step then, and the range is false.
    """
    if not forall or isinstance(part, Suppose):
        return ()
    owner = part.derivation if isinstance(part, Imported) else derivation
    found: list[Boolean] = []
    for p in _resting_on(owner, owner.steps[-1] if isinstance(part, Imported) else part):  # type: ignore[arg-type]
        for fact in [p.fact] if p.forall else [f for f, _ in atoms_of(p.fact, ())]:
            there = placed(part, fact, forall) if isinstance(part, Imported) else fact
            if set(forall) & ((fact.free_symbols | there.free_symbols) - set(p.forall)):
                found.append(false if p.forall else there)
    return tuple(found)


def _resting_on(derivation: Derivation, step: Step) -> list[Suppose]:
    """The hypotheses on which a step rests, with those that make heads what they are declared to be."""
    names = set(derivation.reaching(step))
    parts = [p for p in (*derivation.premises, *derivation.steps) if p.name in names]
    spoken = frozenset().union(*(mentioned(p.body if isinstance(p, Define) else fact_of(p)) for p in parts))
    for head, needed in believing(derivation):
        if head_key(head) in spoken:
            names |= needed
    return [p for p in derivation.premises if p.name in names and isinstance(p, Suppose)]
