"""Normal forms of what bends: Max, Min, Abs, sign and Piecewise, with branches that the facts decide."""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    Derivative,
    Expr,
    Lambda,
    Limit,
    Max,
    Min,
    Mul,
    Piecewise,
    S,
    Subs,
    expand_mul,
    piecewise_fold,
    sign,
)
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.relational import Relational

from theory.proof.known import Known


def max_plus(gap: Expr, known: Known) -> Expr:
    """Max and Min: sums and positive factors carried inside, and entries removed that the facts dominate.

    Examples
    --------
    >>> from sympy import Symbol
    >>> s = Symbol("s", real=True)
    >>> max_plus(Max(2 * s, s) - s, Known((s >= 0,)))
    s
    """
    if not gap.has(Max, Min):
        return gap
    if not gap.args:
        return gap
    inside = known.along(gap)
    gap = gap.func(*[max_plus(a, inside) if isinstance(a, Expr) else a for a in gap.args])
    if isinstance(gap, Min):
        return -max_plus(Max(*[expand_mul(-a) for a in gap.args]), known)
    if isinstance(gap, Max):
        return _kept([_spread_entries(a) for a in gap.args], known)
    if isinstance(gap, Add | Mul):
        gap = expand_mul(gap)
        return Add(*[_scaled_extremum(t) for t in Add.make_args(gap)])
    return gap


def _spread_entries(entry: Expr) -> tuple[Expr, ...]:
    """An entry x + k Max(a, b) of a Max (k > 0), as the entries x + k a, x + k b."""
    terms = Add.make_args(expand_mul(entry))
    for t in terms:
        c, rest = t.as_coeff_Mul()
        if isinstance(rest, Max) and c.is_positive:
            others = Add(*[u for u in terms if u is not t])
            return tuple(e for a in rest.args for e in _spread_entries(others + c * a))
    return (expand_mul(entry),)


def _kept(groups: list[tuple[Expr, ...]], known: Known) -> Expr:
    entries = list(dict.fromkeys(e for g in groups for e in g))
    kept: list[Expr] = []
    for place, e in enumerate(entries):
        if not any(known.entails(e <= other) for other in kept + entries[place + 1 :]):
            kept.append(e)
    if len(kept) == 1:
        return kept[0]
    common = _common(kept)
    return common + Max(*[expand_mul(e - common) for e in kept])


def _common(entries: list[Expr]) -> Expr:
    """What stands outside: of each term the least multiple in any entry, so that translated lists agree."""
    tables = [e.as_coefficients_dict() for e in entries]
    terms = list(dict.fromkeys(t for table in tables for t in table))
    return Add(*[min(table.get(t, S.Zero) for table in tables) * t for t in terms])


def _scaled_extremum(term: Expr) -> Expr:
    """A rational factor c of a Max or Min, as its sign outside and its size inside."""
    c, rest = term.as_coeff_Mul()
    if not isinstance(rest, Max | Min) or abs(c) == 1:
        return term
    entries = [expand_mul(abs(c) * a) for a in rest.args]
    common = _common(entries)
    return expand_mul(sign(c) * (common + rest.func(*[expand_mul(e - common) for e in entries])))


def piecewise(gap: Expr, known: Known) -> Expr:
    """Piecewise, Abs, sign, Max and Min with branches that the facts decide.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> piecewise(Abs(x) + Piecewise((1, x > 2), (0, True)), Known((x > 3,)))
    x + 1
    """
    made = _decided(gap, known)
    return piecewise_fold(made) if made.has(Piecewise) and not _binds(made) else made


def _decided(e: Expr, known: Known) -> Expr:
    """Branches decided from the inside out; inside a limit by what is known all along it."""
    if not e.has(Piecewise, Abs, sign):
        return e
    inside = known.along(e)
    if e.args and not isinstance(e, Piecewise):
        made = [_decided(a, inside) if isinstance(a, Expr) else a for a in e.args]
        e = e if all(a is b for a, b in zip(made, e.args, strict=True)) else e.func(*made)
    if isinstance(e, Piecewise):
        branches = []
        for value, condition in e.args:
            if isinstance(condition, Relational):
                if known.entails(condition):
                    condition = S.true
                elif known.entails(condition.negated):
                    continue
            branches.append((_decided(value, known), condition))
            if condition == S.true:
                break
        return Piecewise(*branches)
    if not isinstance(e, Abs | sign):
        return e
    inner = e.args[0]
    if known.entails(inner > 0):
        return inner if isinstance(e, Abs) else S.One
    if known.entails(inner < 0):
        return -inner if isinstance(e, Abs) else S.NegativeOne
    return inner if isinstance(e, Abs) and known.entails(inner >= 0) else e


def _binds(e: Expr) -> bool:
    """Whether a Piecewise stands inside something in which a symbol runs, where it may not be folded out."""
    return any(part.has(Piecewise) for part in e.atoms(ExprWithLimits, Limit, Derivative, Subs, Lambda))
