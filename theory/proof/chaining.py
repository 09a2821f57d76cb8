"""Whether several hypotheses say a claim together, with nothing worked out between them.

A proof may put equations together, add and multiply them. It says nothing where it only passes on: from `x = z` and
`z = y` to `x = y` (or from `x = z + 1` and `z = y - 1`), from `x = z` and `z >= 1` to `x >= 1`, from `a >= b` and
`b >= c` to `a >= c`, or from a condition and what is supposed under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Add, Basic, Expr, Indexed, Mul, S, Symbol, factor_list, preorder_traversal
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean
from sympy.polys.polyerrors import BasePolynomialError

from theory.proof.essence import said_of
from theory.proof.matching import BINDERS
from theory.proof.running import RUNNERS, running_in
from theory.proof.saying import TRUE, Said, follows_at_once, negation
from theory.proof.told import entailed

ROUNDS = 4
SIZE = 60
"""Operations in a difference up to which it is taken apart."""
KINDS = {"!=": Ne, ">": Gt, ">=": Ge}
TOGETHER = 6
"""As many things are compared pair by pair that are all said to be the same."""
Link = tuple[str, Expr, Expr]
"""("==", one, other), (">=", larger, smaller), (">", larger, smaller), as written."""


def passed_on(said: Said, links: Iterable[Link], pool: frozenset[Said], given: frozenset[Link]) -> bool:
    """Whether a claim follows from a pool of what is said by renaming and passing on alone.

    Parameters
    ----------
    said, links
        The claim: its essence, and itself where it is a relation.
    pool, given
        The hypotheses: their essences, and those that are relations.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from theory.proof.essence import essence
    >>> x, y, z = (Symbol(name, real=True) for name in "xyz")
    >>> pool = frozenset(map(essence, (Eq(x, z), Eq(2 * z, 2 * y))))
    >>> passed_on(essence(Eq(x, y)), (), pool, frozenset())
    True
    >>> passed_on(essence(Eq(x + z, y + z)), (), pool, frozenset()), passed_on(essence(x >= 1), (), pool, frozenset())
    (True, False)
    """
    kind, inner = said
    if kind == "and":
        return all(passed_on(part, (), pool, given) for part in inner)  # type: ignore[union-attr]
    if kind == "or":
        parts: frozenset[Said] = inner  # type: ignore[assignment]
        return any(passed_on(p, (), pool | {negation(other) for other in parts - {p}}, given) for p in parts)
    pool = _detached(pool | _without_factors(pool))
    given |= {link for s in pool for link in _sides(*s)}
    links = (*links, *_sides(kind, inner))
    if follows_at_once(said, pool) or any(_reached(given, link) for link in links) or said in _pairs(given, said):
        return True
    for _ in range(ROUNDS):
        names = _names(pool)
        if kind == "==" and _two_names(inner) and said_of(kind, inner.xreplace(names)) == TRUE:  # type: ignore
            return True
        moved = _renamed(said, names)
        if moved is None or moved == TRUE or not names:
            return False
        pool = _detached(frozenset(s for s in (_renamed(s, names) for s in pool) if s is not None))
        given = frozenset(m for m in (_moved(link, names) for link in given) if m is not None)
        if follows_at_once(moved, pool) or moved in _pairs(given, moved):
            return True
        if any(_reached(given, m) for m in (_moved(link, names) for link in links) if m is not None):
            return True
    return False


def links_of(fact: Boolean) -> Iterator[Link]:
    """A relation as it is written, or each of several that are said together."""
    match fact:
        case And():
            for part in fact.args:
                yield from links_of(part)  # type: ignore[arg-type]
        case Relational() if not isinstance(fact.lhs, Expr) or not isinstance(fact.rhs, Expr):
            return
        case Eq():
            yield ("==", fact.lhs, fact.rhs)  # type: ignore[misc]
        case Ge() | Gt():
            yield (">=" if isinstance(fact, Ge) else ">", fact.lhs, fact.rhs)  # type: ignore[misc]
        case Le() | Lt():
            yield (">=" if isinstance(fact, Le) else ">", fact.rhs, fact.lhs)  # type: ignore[misc]


def _without_factors(pool: frozenset[Said]) -> frozenset[Said]:
    """What is left of products that are 0 without the factors that other hypotheses keep from 0."""
    apart = tuple(KINDS[kind](inner, 0, evaluate=False) for kind, inner in pool if kind in KINDS)  # type: ignore[arg-type]
    found: set[Said] = set()
    for kind, inner in pool if apart else ():
        if kind != "==" or inner.count_ops() > SIZE:  # type: ignore[union-attr]
            continue
        try:
            factors = [base for base, _ in factor_list(inner)[1]]
        except (BasePolynomialError, NotImplementedError):
            continue
        spared = len(factors) > 1 and [base for base in factors if entailed(Ne(base, 0, evaluate=False), apart)]
        left = [base for base in factors if spared and base not in spared]
        if left and spared:
            found.add(said_of("==", Mul(*left)))
    return frozenset(found)


def _detached(pool: frozenset[Said]) -> frozenset[Said]:
    """What is said of several possibilities, without those that are excluded."""
    while True:
        found = set(pool)
        for kind, inner in pool:
            if kind == "or":
                left = [p for p in inner if negation(p) not in pool]  # type: ignore[union-attr]
                if len(left) == 1:
                    found |= left[0][1] if left[0][0] == "and" else {left[0]}  # type: ignore[arg-type]
        if found == pool:
            return pool
        pool = frozenset(found)


def _names(pool: frozenset[Said]) -> dict[Basic, Basic]:
    """Names that are said to be another name, up to a number, or 0, with one name for all of them."""
    named: dict[Basic, Basic] = {}
    for kind, inner in sorted(pool, key=str):
        if kind != "==" or _runs_in(inner, {name for name in named if not _is_name(named[name])}):  # type: ignore[arg-type]
            continue
        ends = _two_names(inner.xreplace(named))  # type: ignore[union-attr]
        if ends is not None:
            one, other = ends
            named = {name: meaning.xreplace({one: other}) for name, meaning in named.items()}
            named[one] = other
    return named


def _two_names(gap: Expr) -> tuple[Basic, Basic] | None:
    """What a gap says to be the same where both are names, one of them plus a number, or one is 0."""
    if _is_name(gap):
        return gap, S.Zero
    shift, rest = gap.as_coeff_Add()
    if shift != 0 and len(Add.make_args(rest)) == 2:
        ends = _two_names(rest)
        if ends is None:
            return None
        one, other = ends
        return one, other - shift * rest.coeff(one)
    terms = [t if _is_name(t) else -t for t in Add.make_args(gap)]
    if len(terms) == 2 and all(map(_is_name, terms)) and gap.subs({terms[0]: terms[1]}) == 0:
        one, other = terms if not terms[1].has(terms[0]) else terms[::-1]
        return None if other.has(one) else (one, other)
    return None


def _is_name(e: Basic) -> bool:
    return isinstance(e, Symbol | Indexed | AppliedUndef)


def _renamed(said: Said, names: dict[Basic, Basic]) -> Said | None:
    """The same of other names; None where two names become one: what is left of a sum then is worked out."""
    kind, inner = said
    if kind in ("and", "or"):
        parts = [_renamed(part, names) for part in inner]  # type: ignore[union-attr]
        return None if None in parts else said_of(kind, frozenset(parts))  # type: ignore[arg-type]
    if kind not in ("==", "!=", ">=", ">"):
        return said
    if not _kept_apart(inner, names):  # type: ignore[arg-type]
        return None
    moved = inner.xreplace(names)  # type: ignore[union-attr]
    return said if moved == inner else said_of(kind, moved)


def _moved(link: Link, names: dict[Basic, Basic]) -> Link | None:
    kind, one, other = link
    if not _kept_apart(one, names) or not _kept_apart(other, names):
        return None
    return kind, one.xreplace(names), other.xreplace(names)  # type: ignore[return-value]


def _kept_apart(e: Expr, names: dict[Basic, Basic]) -> bool:
    """Whether no two names in a sum become one, and what becomes 0 stands in terms that vanish with it."""
    spoken = _spoken(e)
    if len({names.get(name, name).as_coeff_Add()[1] for name in spoken}) != len(spoken):  # type: ignore[attr-defined]
        return False
    shifted = {name for name in spoken if isinstance(names.get(name), Add)}
    if any(_spoken(t) & shifted and t.as_coeff_Mul()[1] not in shifted for t in Add.make_args(e) if shifted):
        return False  # there is something to be worked out
    nothing = {name for name in spoken if names.get(name) == 0}
    if _runs_in(e, nothing):
        return False
    return not nothing or all(term.xreplace(names) == 0 for term in Add.make_args(e) if _spoken(term) & nothing)


def _runs_in(e: Basic, names: set[Basic]) -> bool:
    """Whether something is differentiated, summed or integrated by one of these names: it cannot be 0 there."""
    if not names or not e.has(*BINDERS, *RUNNERS):
        return False
    return any(names & {*getattr(inner, "variables", ()), *running_in(inner)} for inner in preorder_traversal(e))


def _spoken(e: Basic) -> set[Basic]:
    return e.atoms(Symbol, Indexed, AppliedUndef)


def _sides(kind: str, inner: object) -> Iterator[Link]:
    """A gap of two terms as what is on both sides."""
    terms = Add.make_args(inner) if kind in ("==", ">=", ">") else ()  # type: ignore[arg-type]
    if len(terms) == 2:
        one, other = sorted(terms, key=lambda t: t.could_extract_minus_sign())
        yield (kind, one, -other)  # type: ignore[misc]
        if kind != "==":
            yield (kind, other, -one)  # type: ignore[misc]


def _pairs(given: frozenset[Link], said: Said) -> frozenset[Said]:
    """What is said of any two things that are said to be one, where they speak of all that a claim speaks of."""
    if said[0] not in ("==", ">="):
        return frozenset()
    spoken, found = _spoken(said[1]), set()  # type: ignore[arg-type]
    for way in ("==", ">="):
        for start in {one for kind, one, _ in given if kind == way}:
            below = sorted(_from(given, start, ("==", way)) - {start}, key=str)[:TOGETHER]
            gaps = [start - other for other in below if spoken <= _spoken(start) | _spoken(other)]
            found |= {said_of(way, gap) for gap in gaps if gap.count_ops() <= SIZE}  # type: ignore[union-attr]
    return frozenset(found) - {TRUE}


def _reached(given: frozenset[Link], link: Link) -> bool:
    """Whether one side of a relation leads to the other."""
    kind, one, other = link
    if kind == "==":
        both = other in _from(given, one, ("==", ">=")) and one in _from(given, other, ("==", ">="))
        return both and one != other
    if kind == ">=":
        return other in _from(given, one, ("==", ">=", ">"))
    return any(
        k == ">" and a in _from(given, one, ("==", ">=", ">")) and other in _from(given, b, ("==", ">=", ">"))
        for k, a, b in given
    )


def _from(given: frozenset[Link], start: Expr, kinds: tuple[str, ...]) -> set[Expr]:
    """All that is at most something, by relations of these kinds."""
    found, pending = {start}, [start]
    while pending:
        here = pending.pop()
        for kind, one, other in given:
            ends = ((one, other), (other, one)) if kind == "==" else ((one, other),)
            for a, b in ends if kind in kinds else ():
                if a == here and b not in found:
                    found.add(b)
                    pending.append(b)
    return found
