"""What is declared of symbols and heads, and the hypotheses without which it would not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.proof.admission import assumptions_of, lacking
from theory.proof.matching import fresh
from theory.proof.premises import Define, Imported, Suppose
from theory.proof.rewriting import rewrite
from theory.proof.signs import entails
from theory.proof.told import anywhere, atoms_of, entailed, needed_signs, unfolding

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation

Told = dict[str, tuple[Boolean, ...]]


@lru_cache(maxsize=256)
def assumed_heads(derivation: Derivation) -> str:
    """What a head is declared to be and its body need not be: a belief that no premise states."""
    for d in derivation.definitions:
        why = _lacking(derivation, d, hypotheses(derivation))
        if why:
            return (
                f"{d.head} is declared {', '.join(name for name, _ in assumptions_of(d.head))}, which its definition "
                f"does not show ({why}): declare less, and suppose or derive it"
            )
    return ""


def hypotheses(derivation: Derivation) -> tuple[Boolean, ...]:
    """What is supposed of single places, without conditions, after all definitions are put in."""
    return _together(_told(derivation))


def misplaced(derivation: Derivation, symbol: Basic, place: Basic) -> str:
    """Why a place is not shown to be what a symbol is declared to be; empty where it is."""
    return lacking(symbol, place, _shown_by(hypotheses(derivation)))


@lru_cache(maxsize=1024)
def placing(derivation: Derivation, imported: Imported) -> frozenset[str]:
    """Hypotheses without which the places of an import would not be what their symbols are declared to be."""
    names: set[str] = set()
    for symbol, place in imported.at:
        names |= _least(_told(derivation), lambda facts: not lacking(symbol, place, _shown_by(facts)))  # noqa: B023
    return frozenset(names)


@lru_cache(maxsize=256)
def believing(derivation: Derivation) -> tuple[tuple[Basic, frozenset[str]], ...]:
    """Heads that are what they are declared to be thanks to hypotheses, with the names of these."""
    told = _told(derivation)
    found = [(d.head, _least(told, lambda facts: not _lacking(derivation, d, facts))) for d in derivation.definitions]  # noqa: B023
    return tuple((head, names) for head, names in found if names)


def _lacking(derivation: Derivation, d: Define, facts: tuple[Boolean, ...]) -> str:
    if not assumptions_of(d.head):
        return ""
    body = fresh(d.body if needed_signs(d) else anywhere(d))
    why = lacking(d.head, body, _shown_by(facts))
    opened = rewrite(body, unfolding(derivation), entailed)[0] if why else body
    return why and lacking(d.head, opened, _shown_by(facts)) and why


def _least(told: Told, enough: Callable[[tuple[Boolean, ...]], bool]) -> frozenset[str]:
    """The names of those that cannot be spared, none where nothing is needed, or all together are not enough."""
    if enough(()) or not enough(_together(told)):
        return frozenset()
    kept = dict(told)
    for name in told:
        fewer = {other: facts for other, facts in kept.items() if other != name}
        if enough(_together(fewer)):
            kept = fewer
    return frozenset(kept)


@lru_cache(maxsize=256)
def _told(derivation: Derivation) -> Told:
    rules = unfolding(derivation)
    given = [p for p in derivation.premises if isinstance(p, Suppose) and not p.forall]
    return {p.name: tuple(rewrite(f, rules, entailed)[0] for f in _relations(p)) for p in given}  # type: ignore[misc]


def _relations(given: Suppose) -> Iterator[Boolean]:
    for fact, conditions in atoms_of(given.fact, ()):
        if isinstance(fact, Relational) and not conditions:
            yield fact


def _together(told: Told) -> tuple[Boolean, ...]:
    return tuple(fact for facts in told.values() for fact in facts)


def _shown_by(facts: tuple[Boolean, ...]) -> Callable[[Boolean], bool]:
    return lambda claim: entails(claim, facts)
