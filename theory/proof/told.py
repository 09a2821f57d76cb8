"""What premises and steps say: definitions as rules, facts in atoms, and where they hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sympy import Basic, Dummy, Indexed, preorder_traversal, sympify
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Lt, Ne
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies

from theory.proof.admission import lacking
from theory.proof.matching import fresh
from theory.proof.premises import Define, Imported, Premise, Suppose, kept_apart, pattern_arguments
from theory.proof.rewriting import RewritingError, Rule, rewrite
from theory.proof.running import running_in
from theory.proof.signs import entails
from theory.proof.steps.step import Step

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


def definition_rule(definition: Define, others: tuple[Define, ...] = ()) -> Rule:
    """A definition as a rule; where another one has a number for a symbol, that the symbol may not be it.

    A head such as q(k + 1) is one from k = 0 on where another definition has a number for k + 1.
    """
    arguments = pattern_arguments(definition.head) or ()
    variables = frozenset(s for a in arguments for s in a.free_symbols)
    pairs = [
        (argument, number)
        for other in others
        if head_key(other.head) == head_key(definition.head)
        for argument, number in zip(arguments, pattern_arguments(other.head) or (), strict=False)
    ]
    apart: set[Boolean] = {Ne(s, number, evaluate=False) for s, number in pairs if kept_apart(s, number)}
    apart |= {Ge(a.args[1], 0, evaluate=False) for a, number in pairs if a.is_Add and number.is_Integer}
    conditions = tuple(sorted(apart, key=str)) + needed_signs(definition)
    return Rule(definition.name, definition.head, definition.body, variables, True, conditions)  # type: ignore[arg-type]


def head_key(head: Basic) -> Basic:
    """The symbol, base or function that a head defines."""
    if isinstance(head, Indexed):
        return head.base
    return head.func if isinstance(head, AppliedUndef) else head  # type: ignore[return-value]


def names(*parts: Premise | Step) -> tuple[str, ...]:
    """The names of premises and steps, by which later steps use them."""
    return tuple(part.name for part in parts)


def fact_of(part: Premise | Step) -> Boolean:
    """What a premise or a step says; of an import at a place, its conclusion there, its own definitions unfolded."""
    if isinstance(part, Imported):
        if not part.at:
            return part.derivation.conclusion
        rules = unfolding(part.derivation)
        unfolded = rewrite(part.derivation.conclusion, rules, entailed)[0] if rules else part.derivation.conclusion
        return placed(part, unfolded)  # type: ignore[arg-type]
    return part.fact if isinstance(part, Suppose) else part.conclusion  # type: ignore[union-attr]


def placed(imported: Imported, statement: Boolean, forall: tuple[Basic, ...] = ()) -> Boolean:
    """What something that an import's derivation says is at the places at which the import is taken.

    Definitions that speak of those symbols are put in, as what they define is another thing there. What it says of
    every value (of ``forall``) it says of every value there too.

    Raises
    ------
    RewritingError
        If a place, or what it is put for, runs in the statement.
    """
    places = {symbol: place for symbol, place in imported.at if symbol not in forall}
    if not places:
        return statement
    rules = _moving(imported.derivation.definitions, frozenset(places))
    unfolded = fresh(rewrite(statement, rules, entailed)[0] if rules else statement)
    running = {symbol for part in preorder_traversal(unfolded) for symbol in running_in(part)} | set(forall)
    for symbol, place in places.items():
        caught = running & (place.free_symbols | {symbol}) if unfolded.has(symbol) else set()
        if caught:
            what = f"{imported.name!r} may not be taken at {symbol} = {place}"
            raise RewritingError(f"{what}: {min(map(str, caught))} runs in it")
    return unfolded.xreplace(places)  # type: ignore[return-value]


def _moving(definitions: tuple[Define, ...], symbols: frozenset[Basic]) -> tuple[Rule, ...]:
    """Definitions, as rules, whose bodies speak of these symbols or of what such a definition defines."""
    found: list[Define] = []
    while True:
        speaking = symbols | {head_key(d.head) for d in found}
        more = [d for d in definitions if d not in found and speaking & _spoken(d)]
        if not more:
            return tuple(definition_rule(d, definitions) for d in found)
        found += more


def _spoken(definition: Define) -> frozenset[Basic]:
    """Symbols, bases and functions of a body, without the symbols of its pattern."""
    body = sympify(definition.body)
    pattern = {s for a in pattern_arguments(definition.head) or () for s in a.free_symbols}
    return frozenset((body.free_symbols - pattern) | {head_key(a) for a in body.atoms(Indexed, AppliedUndef)})


def wanted_by(imported: Imported) -> Iterator[tuple[Suppose, Boolean]]:
    """The hypotheses that an import rests on, and what each says at its places."""
    for p in imported.derivation.premises:
        if isinstance(p, Suppose):
            yield p, placed(imported, p.fact, p.forall)


def forall_of(part: Premise | Step) -> tuple[Basic, ...]:
    """The symbols for all values of which it says that; those that an import was put at a place of are none."""
    if isinstance(part, Imported):
        return tuple(v for v in forall_of(part.derivation.steps[-1]) if v not in dict(part.at))
    return tuple(getattr(part, "forall", ()))


def start_of(part: Premise | Step) -> tuple[Boolean, ...]:
    """The range of a step that holds from somewhere on, imported or not."""
    return tuple(getattr(part.derivation.steps[-1] if isinstance(part, Imported) else part, "ranges", ()))


def atoms_of(fact: Boolean, conditions: tuple[Boolean, ...]) -> Iterator[tuple[Boolean, tuple[Boolean, ...]]]:
    """And taken apart; the premises of an implication of an equation as its conditions."""
    if isinstance(fact, And):
        for f in fact.args:
            yield from atoms_of(f, conditions)
    elif isinstance(fact, Implies) and isinstance(fact.args[1], Eq | And):
        premise = fact.args[0]
        more = premise.args if isinstance(premise, And) else (premise,)
        yield from atoms_of(fact.args[1], (*conditions, *more))
    elif isinstance(fact, Equivalent):
        yield fact, conditions
    else:
        yield fact, conditions


def unfolding(derivation: Derivation) -> tuple[Rule, ...]:
    """All definitions of a derivation as rules."""
    return tuple(definition_rule(d, derivation.definitions) for d in derivation.definitions)


def entailed(claim: Boolean, ranges: tuple[Boolean, ...]) -> bool:
    """Whether a claim follows from ranges, no two of them multiplied; a "no" only means that no proof was found."""
    return entails(claim, ranges, products=False)


@cache
def needed_signs(definition: Define) -> tuple[Boolean, ...]:
    """Signs of a pattern's symbols without which a function is not what it is declared to be."""
    nothing = lambda claim: entails(claim, ())  # noqa: E731
    if not lacking(definition.head, anywhere(definition), nothing) or lacking(
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


def anywhere(definition: Define) -> Basic:
    """The body of a definition at any arguments: the symbols of a pattern keep no sign there."""
    if not isinstance(definition.head, AppliedUndef):
        return definition.body
    free = {s for a in pattern_arguments(definition.head) or () for s in a.free_symbols}
    kinds = {s: {"integer": True} if s.is_integer else {"real": True} for s in free}
    return fresh(definition.body).xreplace({s: Dummy(s.name, **kinds[s]) for s in free})  # type: ignore[attr-defined]
