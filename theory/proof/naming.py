"""Whether one name in a derivation stands for two things, which a reader, or SymPy, may take for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sympy import Basic, Dummy, IndexedBase, Symbol
from sympy.core.function import AppliedUndef

from theory.proof.admission import assumptions_of
from theory.proof.premises import Imported

if TYPE_CHECKING:
    from theory.proof.derivation import Derivation


@lru_cache(maxsize=256)
def two_of_one_name(derivation: Derivation) -> str:
    """Which name is that of two symbols, two functions or two tables, in words; empty where there is none.

    They differ in what they are declared to be, or in their class: a smooth function is no plain one. A symbol that
    is the label of a table is refused too, as it cannot be replaced alone. A function `h(t)` and a table `h[i]` are
    told apart by how they are written.
    """
    found: dict[tuple[str, str], Any] = {}
    labels: set[Basic] = set()
    symbols: set[Basic] = set()
    for statement in dict.fromkeys(_statements(derivation)):
        bases = statement.atoms(IndexedBase)
        here = {base.label for base in bases}
        alone = {s for s in _symbols(statement) if not isinstance(s, Dummy)}
        labels |= here
        symbols |= alone
        things = [("table", base) for base in bases] + [("symbol", s) for s in alone]
        things += [("function", part.func) for part in statement.atoms(AppliedUndef)]
        for kind, thing in things:
            other = found.setdefault((kind, str(thing)), thing)
            if other != thing:
                return _refusal(kind, other, thing)
    both = symbols & labels
    return f"{min(map(str, both))} is a symbol and the label of a table: give the symbol another name" if both else ""


def _refusal(kind: str, one: Any, other: Any) -> str:
    ways = " and ".join(_declared(thing) for thing in (one, other))
    return f"{one} is the name of two {kind}s, declared {ways}: give each a name of its own"


def _declared(thing: Any) -> str:
    told = dict(assumptions_of(thing))
    kind = getattr(thing, "kind", "")
    words = [kind] if isinstance(kind, str) and kind else []
    return ", ".join(words + [name if wanted else f"not {name}" for name, wanted in told.items()]) or "nothing"


def _symbols(e: Basic) -> Iterator[Symbol]:
    """Symbols anywhere in an expression, those that run too, but no labels of tables."""
    pending: list[Basic] = [e]
    while pending:
        part = pending.pop()
        if isinstance(part, Symbol):
            yield part
        elif not isinstance(part, IndexedBase):
            pending += [a for a in part.args if isinstance(a, Basic)]


def _statements(derivation: Derivation) -> Iterator[Basic]:
    """All that premises and steps say, with those of imports."""
    for part in (*derivation.premises, *derivation.steps):
        if isinstance(part, Imported):
            yield from _statements(part.derivation)
            yield from _said(part.at)
        else:
            for f in fields(part):  # type: ignore[arg-type]
                yield from _said(getattr(part, f.name))


def _said(thing: Any) -> Iterator[Basic]:
    if isinstance(thing, Basic):
        yield thing
    elif isinstance(thing, Mapping):
        yield from _said(tuple(thing.items()))
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from _said(one)
