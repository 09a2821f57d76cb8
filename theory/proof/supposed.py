"""Whether what a step claims is supposed already, in other words or of other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Basic, Indexed, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean

from theory.proof.chaining import links_of, passed_on
from theory.proof.essence import SIZE, essence, said_of
from theory.proof.matching import fresh, match
from theory.proof.premises import Define, Suppose
from theory.proof.rewriting import RewritingError, Rule, rewrite
from theory.proof.running import caught
from theory.proof.saying import FALSE, TRUE, Said, conjuncts, follows_at_once
from theory.proof.steps.step import Step
from theory.proof.told import definition_rule, entailed, head_key
from theory.proof.visibility import mentioned, primitives, visible

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation

PLACES = 12
LONGEST = 120
SMALL = 60
"""Operations in a claim up to which it may speak of more than the hypothesis does that it restates."""


def supposed(derivation: Derivation, step: Step, names: Mapping[Basic, Basic]) -> str:
    """Why a step says no more than hypotheses do; empty where it says more.

    What counts is the essence of a relation (`theory.proof.essence`): a nonzero factor, or a one-to-one function of
    both sides, says nothing; nor does it to pass on what several hypotheses say (`theory.proof.chaining`). Symbols
    that are names of something (``names``) are replaced by it. Of what is supposed of every value, each place counts
    that the claim speaks of.

    Definitions are put into hypotheses. They are put into the claim too, but for those of which the hypothesis speaks
    that it is compared with, and then only with the hypothesis as it is written: to say what a defined thing is, where
    that has to be worked out of two definitions, is to say something.
    """
    claim = step.conclusion.xreplace(names)
    parts = claim.args if isinstance(claim, And) else (claim,)
    told: list[str] = []
    for part in parts:
        found = _restated(derivation, step, part, names)  # type: ignore[arg-type]
        if found is None:
            return ""
        told += found
    if not told:
        return ""
    listed = ", ".join(map(repr, dict.fromkeys(told)))
    return f"it restates {listed}, up to a factor"


def _restated(derivation: Derivation, step: Step, claim: Boolean, names: Mapping[Basic, Basic]) -> list[str] | None:
    """Names of the hypotheses that say a claim, none for what needs no saying; None where they do not say it."""
    spoken = mentioned(claim)
    small = claim.count_ops() <= SMALL
    pool: dict[Said, str] = {}
    said: Said | None = None
    given = [p for p in derivation.premises if isinstance(p, Suppose)]
    for p in given:
        for fact in _facts(derivation, p, claim, step, names, spoken, small):
            theirs = mentioned(fact)
            if not (spoken <= theirs or (small and theirs and theirs <= spoken)):
                continue
            said = said or essence(claim, calculus=False)
            if said in (TRUE, FALSE):
                return [] if said == TRUE else None
            here = _essences(fact, derivation.definitions)
            if follows_at_once(said, here):
                return [p.name]
            pool.update(dict.fromkeys(here, p.name))
    if said is not None and follows_at_once(said, frozenset(pool)):
        return list(pool.values())
    return _meant(derivation, step, claim, names, given) or _chained(derivation, step, claim, names, given)


def _essences(fact: Boolean, definitions: tuple[Define, ...] = ()) -> frozenset[Said]:
    """What a hypothesis says, and what that says with definitions put in."""
    said = essence(fact)
    opened = _meaning(said, definitions) if definitions else said
    return conjuncts(said) | conjuncts(essence(fact, calculus=False)) | conjuncts(opened)


@lru_cache(maxsize=4096)
def _meaning(said: Said, definitions: tuple[Define, ...]) -> Said:
    """The essence of something with all definitions put in."""
    kind, inner = said
    if kind in ("and", "or"):
        return said_of(kind, frozenset(_meaning(part, definitions) for part in inner))  # type: ignore[union-attr]
    if kind not in ("==", "!=", ">=", ">"):
        return said
    opened = _opened(inner, definitions)  # type: ignore[arg-type]
    return said_of(kind, opened) if opened != inner else said  # type: ignore[arg-type]


def _meant(
    derivation: Derivation, step: Step, claim: Boolean, names: Mapping[Basic, Basic], given: list[Suppose]
) -> list[str] | None:
    """The hypothesis that says, as it is written, what a claim means by its defined things."""
    reach = primitives(derivation, claim)
    if reach == mentioned(claim):
        return None
    for p in given:
        for fact in _at_places(p, p.fact.xreplace(names), (claim,), step):  # type: ignore[arg-type]
            opened = _opened_but_for(claim, derivation, mentioned(fact))
            said = essence(opened, calculus=False) if opened is not None else TRUE
            if said not in (TRUE, FALSE) and follows_at_once(said, _essences(fact)):
                return [p.name]
    return None


def _opened_but_for(claim: Boolean, derivation: Derivation, kept: frozenset[Basic]) -> Boolean | None:
    """A claim with all definitions put in but for those of which something speaks; None where it speaks of more."""
    if not visible(derivation, claim, kept) <= kept:
        return None
    opened = _opened(claim, tuple(d for d in derivation.definitions if head_key(d.head) not in kept))
    return opened if opened != claim and opened.count_ops() <= SIZE else None


def _chained(
    derivation: Derivation, step: Step, claim: Boolean, names: Mapping[Basic, Basic], given: list[Suppose]
) -> list[str] | None:
    """The hypotheses that say a claim together, where nothing but passing on is between them."""
    if not mentioned(claim):
        return None
    facts = {p: p.fact.xreplace(names) for p in given}
    places = {p.name: tuple(_at_places(p, fact, (claim,), step)) for p, fact in facts.items()}  # type: ignore[arg-type]
    reached = (claim, *(fact for found in places.values() for fact in found))
    for p in given:
        if p.forall:  # where other hypotheses speak of it
            places[p.name] = tuple(_at_places(p, facts[p], reached, step))  # type: ignore[arg-type]
    told = {name: tuple(_small(found, derivation.definitions)) for name, found in places.items()}
    meant = _opened_but_for(claim, derivation, _spoken(places))
    if mentioned(claim) <= _spoken(told):
        found = _needed_of(claim, told, derivation.definitions)
        if found:
            return found
    return _needed_of(meant, places, ()) if meant is not None else None


def _small(facts: tuple[Boolean, ...], definitions: tuple[Define, ...]) -> Iterator[Boolean]:
    """Statements as they are written and with definitions put in, long ones left out: they are not passed on."""
    for fact in facts:
        yield from {f: f for f in (fact, _opened(fact, definitions)) if f.count_ops() <= LONGEST}


def _spoken(told: Mapping[str, tuple[Boolean, ...]]) -> frozenset[Basic]:
    return frozenset().union(*(mentioned(fact) for facts in told.values() for fact in facts))


def _needed_of(
    claim: Boolean, told: Mapping[str, tuple[Boolean, ...]], definitions: tuple[Define, ...]
) -> list[str] | None:
    """The hypotheses that say a claim together and none of which can be spared."""
    said, links = essence(claim, calculus=False), tuple(links_of(claim))
    if said in (TRUE, FALSE):
        return None

    def follows(chosen: Iterable[str]) -> bool:
        facts = [fact for name in chosen for fact in told[name]]
        pool = frozenset().union(*(_essences(fact, definitions) for fact in facts))
        return passed_on(said, links, pool, frozenset(link for fact in facts for link in links_of(fact)))

    chosen = list(told)
    if not follows(chosen):
        return None
    for name in told:
        if follows([n for n in chosen if n != name]):
            chosen.remove(name)
    return chosen


def _facts(
    derivation: Derivation,
    given: Suppose,
    claim: Boolean,
    step: Step,
    names: Mapping[Basic, Basic],
    spoken: frozenset[Basic],
    small: bool,
) -> Iterator[Boolean]:
    """A hypothesis as written and with definitions put in, where that may speak of all that is asked for."""
    reach = mentioned(given.fact) | primitives(derivation, given.fact)
    if given.forall:
        reach |= {s for s in claim.free_symbols if isinstance(s, Symbol)}
    if not (reach & spoken if small else spoken <= reach):
        return
    for written in _at_places(given, given.fact.xreplace(names), (claim,), step):  # type: ignore[arg-type]
        yield written
        opened = _opened(written, derivation.definitions)
        if opened != written:
            yield opened


@lru_cache(maxsize=4096)
def _opened(fact: Boolean, definitions: tuple[Define, ...]) -> Boolean:
    """A statement with all definitions put in, as it is where they do not come to an end."""
    try:
        return rewrite(fact, _rules(definitions), entailed)[0]  # type: ignore[return-value]
    except RewritingError:
        return fact


@lru_cache(maxsize=512)
def _rules(definitions: tuple[Define, ...]) -> tuple[Rule, ...]:
    return tuple(definition_rule(d, definitions) for d in definitions)


def _at_places(given: Suppose, fact: Boolean, others: tuple[Boolean, ...], step: Step) -> Iterator[Boolean]:
    """A hypothesis, at the places at which a step takes it and at those that other statements speak of."""
    yield fact
    if not given.forall:
        return
    symbols = frozenset(given.forall)
    asked = [places for name, places in getattr(step, "instances", ()) if name == given.name]
    patterns = sorted((a for a in _applications(fact) if a.free_symbols & symbols), key=str)
    there = sorted(frozenset().union(*map(_applications, others)), key=str)
    found: list[dict[Basic, Basic]] = [{}]
    for pattern in patterns:
        more = [bound for known in found for a in there for bound in match(pattern, a, symbols, known)]
        found = list({tuple(sorted(b.items(), key=str)): b for b in more}.values())[:PLACES] or found
    for bound in (*({s: p for s, p in places.items() if s in symbols} for places in asked), *found):
        if any(s != p for s, p in bound.items()) and not caught(fact, bound):
            yield fresh(fact).xreplace(bound)  # type: ignore[misc]


def _applications(e: Basic) -> set[Basic]:
    return e.atoms(Indexed, AppliedUndef)
