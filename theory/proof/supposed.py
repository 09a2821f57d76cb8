"""Whether what a step claims is supposed already, in other words or of other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Add, Basic, Indexed, Mul, Pow, Symbol, sympify
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean

from theory.proof.essence import FALSE, TRUE, Said, conjuncts, essence, follows_at_once
from theory.proof.matching import fresh, match
from theory.proof.premises import Define, Suppose
from theory.proof.rewriting import RewritingError, Rule, rewrite
from theory.proof.steps.step import Step
from theory.proof.told import definition_rule, entailed
from theory.proof.visibility import mentioned, primitives

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation

PLACES = 12
SMALL = 60
"""Operations in a claim up to which it may speak of more than the hypothesis does that it restates."""


def supposed(derivation: Derivation, step: Step, names: Mapping[Basic, Basic]) -> str:
    """Why a step says no more than hypotheses do; empty where it says more.

    What counts is the essence of a relation (`theory.proof.essence`): a nonzero factor, or a one-to-one function of
    both sides, says nothing. Symbols that are names of something (``names``) are replaced by it. Of what is supposed
    of every value, each place counts that the claim speaks of. Definitions that name a sum or product are put into
    hypotheses, not into the claim: to say what a defined thing is, is to say something.
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
    for p in derivation.premises:
        if not isinstance(p, Suppose):
            continue
        for fact in _facts(derivation, p, claim, step, names, spoken, small):
            theirs = mentioned(fact)
            if not (spoken <= theirs or (small and theirs and theirs <= spoken)):
                continue
            said = said or essence(claim, calculus=False)
            if said in (TRUE, FALSE):
                return [] if said == TRUE else None
            here = conjuncts(essence(fact)) | conjuncts(essence(fact, calculus=False))
            if follows_at_once(said, here):
                return [p.name]
            pool.update(dict.fromkeys(here, p.name))
    return list(pool.values()) if said is not None and follows_at_once(said, frozenset(pool)) else None


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
    for written in _at_places(given, given.fact.xreplace(names), claim, step):  # type: ignore[arg-type]
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
    """The definitions that name a sum or product of things; what another one means is worth saying."""
    return tuple(definition_rule(d, definitions) for d in definitions if _rational(sympify(d.body)))


def _rational(e: Basic) -> bool:
    plain = isinstance(e, Symbol | Indexed | AppliedUndef) or e.is_Rational
    return bool(plain or (isinstance(e, Add | Mul | Pow) and all(map(_rational, e.args))))


def _at_places(given: Suppose, fact: Boolean, claim: Boolean, step: Step) -> Iterator[Boolean]:
    """A hypothesis, at the places at which a step takes it and at those that the claim speaks of."""
    yield fact
    if not given.forall:
        return
    for name, places in getattr(step, "instances", ()):
        if name == given.name:
            yield fresh(fact).xreplace({s: p for s, p in places.items() if s in given.forall})  # type: ignore[misc]
    symbols = frozenset(given.forall)
    patterns = sorted((a for a in _applications(fact) if a.free_symbols & symbols), key=str)
    there = sorted(_applications(claim), key=str)
    found: list[dict[Basic, Basic]] = [{}]
    for pattern in patterns:
        more = [bound for known in found for a in there for bound in match(pattern, a, symbols, known)]
        found = list({tuple(sorted(b.items(), key=str)): b for b in more}.values())[:PLACES] or found
    for bound in found:
        if bound and any(s != p for s, p in bound.items()):
            yield fresh(fact).xreplace(bound)  # type: ignore[misc]


def _applications(e: Basic) -> set[Basic]:
    return e.atoms(Indexed, AppliedUndef)
