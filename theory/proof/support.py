"""Why something that a step rests on may not be used: an import, a declared sign, a number that may be complex."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Basic, Float, IndexedBase, S, Symbol, oo, sympify
from sympy.core.relational import Eq
from sympy.logic.boolalg import Boolean

from theory.asymptotics import even, odd, order
from theory.proof.admission import assumptions_of
from theory.proof.beliefs import assumed_heads, hypotheses, misplaced, placing
from theory.proof.matching import fresh, match
from theory.proof.naming import two_of_one_name
from theory.proof.premises import Define, Imported, Premise, Suppose, overlapping
from theory.proof.restating import same
from theory.proof.rewriting import RewritingError
from theory.proof.signs import entails
from theory.proof.steps.expand import Expand
from theory.proof.steps.follows import Follows
from theory.proof.steps.gaps import fresh_equal
from theory.proof.steps.step import Step
from theory.proof.told import (
    atoms_of,
    definition_rule,
    fact_of,
    forall_of,
    head_key,
    placed,
    start_of,
    wanted_by,
)
from theory.proof.visibility import leaking, mentioned, primitives, ranges_of

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


def missing_support(derivation: Derivation, step: Step) -> str:
    """Why something that the step rests on (an import, a declared sign) may not be used, else nothing."""
    from theory.proof.derivation import verdict

    believed = (
        two_of_one_name(derivation)
        or assumed_heads(derivation)
        or _complex(derivation, step)
        or leaking(derivation, step)
    )
    believed = believed or _elsewhere(derivation, step) or _rounded(derivation, step)
    if believed:
        return believed
    for p in derivation.premises:
        if not isinstance(p, Imported) or p.name not in step.uses:
            continue
        earlier = derivation.steps[: derivation.steps.index(step)]
        given = [q for q in (*derivation.premises, *earlier) if not isinstance(q, Define) and not start_of(q)]
        for hypothesis, wanted in wanted_by(p):
            if wanted != S.true and not _met(derivation, hypothesis, wanted, given):
                return f"{p.name!r} rests on {hypothesis.name!r}, {wanted}, neither supposed nor derived here"
        for symbol, place in p.at:
            why = _no_place(p, symbol) or misplaced(derivation, symbol, place)
            if why:
                return f"{p.name!r} may not be taken at {symbol} = {place}: {why}"
        for condition in start_of(p):
            there = placed(p, condition)
            if there != condition and not entails(there, hypotheses(derivation)):
                return f"{p.name!r} holds where {condition}, and {there} is not shown here"
        apart = _found_there(p) or _clashing(derivation, p)
        if apart:
            return apart
        if not verdict(p.derivation).sound:
            return f"{p.name!r} is not sound itself"
    return ""


@lru_cache(maxsize=1024)
def supporting(derivation: Derivation, premise: Premise) -> tuple[str, ...]:
    """Names of the hypotheses here, and of the steps and other imports, that an imported conclusion rests on."""
    if not isinstance(premise, Imported):
        return ()
    parts = [p for p in (*derivation.premises, *derivation.steps) if not isinstance(p, Define) and p is not premise]
    try:
        wanted = [fact for _, fact in wanted_by(premise) if fact != S.true]
        found = {p.name for p in parts if any(_says(p, w) for w in wanted)}
    except RewritingError:  # an import may not be taken where it is
        return ()
    return tuple(p.name for p in parts if p.name in found | placing(derivation, premise))


def _met(derivation: Derivation, hypothesis: Suppose, wanted: Boolean, given: Iterable[Premise | Step]) -> bool:
    """Whether something here says what a hypothesis of an import says at its places, of as many values."""
    return any(
        set(hypothesis.forall) <= set(forall_of(q))
        and _says(q, wanted)
        and not (hypothesis.forall and ranges_of(derivation, q, hypothesis.forall))
        for q in given
    )


def _no_place(imported: Imported, symbol: Basic) -> str:
    """Why something cannot be put for a thing: it is no symbol or table that is free in the import's derivation."""
    meant = {head_key(d.head) for d in imported.derivation.definitions}
    meant |= {introduced for introduced, _ in imported.derivation.introduced}
    if symbol in meant:
        return "it has a meaning where it was derived"
    return "" if isinstance(symbol, Symbol | IndexedBase) else "only symbols and tables have places"


def _found_there(imported: Imported) -> str:
    """Why a conclusion may not be taken at other places: what it speaks of was found at its own."""
    told = {symbol for symbol, _ in imported.derivation.introduced}
    told &= primitives(imported.derivation, imported.derivation.conclusion) if imported.at else set()
    return f"{imported.name!r} speaks of {min(map(str, told))}, which was found where it was derived" if told else ""


def _says(part: Premise | Step, wanted: Boolean) -> bool:
    """Whether a hypothesis or a conclusion, or one of its atoms that has no conditions, is the relation wanted."""
    fact = fact_of(part)
    atoms = [atom for atom, conditions in atoms_of(fact, ()) if not conditions]
    return any(same(wanted, one) for one in (fact, *atoms))


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
        for part in sorted(mentioned(statement), key=str):
            if part not in defined and not _is_real(part):
                return f"{part} is not declared real: declare it so, as complex numbers are not reasoned about"
    return ""


def _rounded(derivation: Derivation, step: Step) -> str:
    """A number with a last digit, which sums and products round: a small term beside a large one would be lost."""
    given = [p for p in derivation.premises if p.name in step.uses]
    told = [step.conclusion, *(p.body if isinstance(p, Define) else p.fact for p in given)]
    for statement in told:
        for number in _floats(statement):
            return f"{number} is a rounded number, and proofs are exact: write a fraction, Rational(3, 10) for 0.3"
    return ""


@lru_cache(maxsize=4096)
def _floats(statement: Basic) -> tuple[Float, ...]:
    return tuple(sorted(sympify(statement).atoms(Float)))


def _elsewhere(derivation: Derivation, step: Step) -> str:
    """What means another thing elsewhere: an exponent read off at another end, or the remainders of two expansions."""
    reached = derivation.reaching(step)
    expansions = []
    for p in (*derivation.premises, *derivation.steps):
        last = p.derivation.steps[-1] if isinstance(p, Imported) else p
        if p.name in reached and p is not step and isinstance(last, Expand):
            expansions.append(p.name)
        if len(expansions) > 1:
            return f"it rests on {expansions}, whose remainders both are called O and need not be the same"
        if p.name in step.uses and isinstance(last, Follows) and last.point is not oo:
            return f"{p.name!r} reads an exponent off at {last.point}; elsewhere order(...) is that of large controls"
    return ""


def _is_real(part: Basic) -> bool:
    """Whether a symbol, the entries of a base or the values of a function are declared real."""
    told = part.label if isinstance(part, IndexedBase) else part
    if not isinstance(told, Symbol):
        told = Symbol("value", **dict(assumptions_of(part)))
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
        set(b.values()) <= other.head.free_symbols and fresh_equal(fresh(rule.right).xreplace(b), other.body)
        for b in match(rule.left, other.head, rule.variables, {})
    )
