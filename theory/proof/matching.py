"""Patterns and what they fit: bound indices with names of their own, and the ways to bind a pattern's symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from sympy import Add, Basic, Dummy, Expr, Indexed, Integral, Mul, Pow, Product, S, Sum, Symbol
from sympy.core.function import AppliedUndef

BINDERS = (Sum, Product, Integral)


def fresh(expression: Basic) -> Basic:
    """Every bound index renamed to a symbol that occurs nowhere else.

    Examples
    --------
    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, n = symbols("i n")
    >>> fresh(Sum(i, (i, 1, n))) == Sum(i, (i, 1, n))
    False
    """
    if not expression.args or not expression.has(*BINDERS):
        return expression
    made = expression.func(*[fresh(a) for a in expression.args]) if not isinstance(expression, BINDERS) else expression
    if not isinstance(made, BINDERS):
        return made
    renamed = {i: Dummy(i.name.strip("_"), **declared_of(i, _least(made, ends))) for i, *ends in made.limits}
    body = fresh(made.function).xreplace(renamed)
    limits = [(renamed[i], *(fresh(b).xreplace(renamed) for b in ends)) for i, *ends in made.limits]
    return made.func(body, *limits)


def declared_of(index: Symbol, least: Expr | None = None) -> dict[str, bool]:
    """What an index may be taken to be: as it is declared, but a sign only where its range has it.

    A symbol that is declared positive runs below 0 all the same where its range begins there.

    Parameters
    ----------
    index
        The symbol that runs.
    least
        Where its range begins; None where that is not known.

    Examples
    --------
    >>> i = Symbol("i", integer=True, positive=True)
    >>> declared_of(i, S(-3)), declared_of(i, S(1))
    ({'integer': True}, {'integer': True, 'positive': True})
    """
    told = index._assumptions_orig
    made = {name: True for name in ("integer", "rational", "real", "extended_real") if told.get(name)}
    signs = {name for name in ("positive", "negative", "nonnegative", "nonpositive", "nonzero") if told.get(name)}
    if signs and not made:
        made["real"] = True
    for sign in ("positive", "nonnegative"):
        if signs & {"positive", sign} and getattr(least, f"is_{sign}", None):
            return made | {sign: True}
    return made


def narrowed(e: Expr) -> Expr:
    """The expression, with new indices where one is declared to have a sign that its range does not show.

    Examples
    --------
    >>> i, n = Symbol("i", integer=True, positive=True), Symbol("n", integer=True)
    >>> Sum(i, (i, n, 9)).function.is_positive, narrowed(Sum(i, (i, n, 9))).function.is_positive
    (True, None)
    """
    limits = ((part, limit) for part in e.atoms(*BINDERS) for limit in part.limits)
    over = any(declared_of(i, i) != declared_of(i, _least(part, ends)) for part, (i, *ends) in limits)
    return fresh(e) if over else e  # type: ignore[return-value]


def _least(e: Basic, ends: list[Expr]) -> Expr | None:
    """Where what is bound begins; an integral may run downwards."""
    if len(ends) != 2:
        return None
    return ends[0] if not isinstance(e, Integral) or (ends[1] - ends[0]).is_nonnegative else None


def match(
    pattern: Basic, e: Basic, variables: frozenset[Basic], bound: dict[Basic, Basic]
) -> Iterator[dict[Basic, Basic]]:
    """All ways to bind the variables so that the pattern is e; bound indices of sums are matched by place.

    Examples
    --------
    >>> from sympy import Function, symbols
    >>> f = Function("f"); x, y = symbols("x y")
    >>> list(match(f(x, x + 1), f(y, y + 1), frozenset({x}), {}))
    [{x: y}]
    >>> k, m = symbols("k m", integer=True)
    >>> list(match(f(2 * k + 2), f(2 * m + 6), frozenset({k}), {})), list(match(f(2 * k), f(3), frozenset({k}), {}))
    ([{k: m + 2}], [])
    """
    if pattern in variables:
        if pattern not in bound:
            yield {**bound, pattern: e}
        elif bound[pattern] == e:
            yield bound
        return
    if not pattern.args or not (pattern.free_symbols & variables or pattern.has(*BINDERS)):
        if pattern == e:
            yield bound
        return
    stepped = _stepped(pattern, variables)
    if stepped is not None:
        shift, step, symbol = stepped
        constant = e if e.is_Integer else e.as_coeff_Add()[0]
        place = ((e - shift) / step).expand()
        if constant.is_Integer and constant >= shift and (step == 1 or place.is_integer):
            yield from match(symbol, place, variables, bound)
        return
    if pattern.func != e.func or len(pattern.args) != len(e.args):
        return
    if isinstance(pattern, BINDERS):
        renamed = {i: j for (i, *_), (j, *_) in zip(pattern.limits, e.limits, strict=True)}
        pattern = pattern.func(
            pattern.function.xreplace(renamed),
            *[(renamed[i], *(b.xreplace(renamed) for b in ends)) for i, *ends in pattern.limits],
        )
        inner = set(renamed.values())
        for more in _all(pattern.args, e.args, variables, bound):
            if not any(value.free_symbols & inner for value in more.values()):
                yield more  # what runs in a sum is nothing outside of it
        return
    if isinstance(pattern, Add | Mul) and len(pattern.args) <= 4:
        for order in permutations(e.args):
            yield from _all(pattern.args, order, variables, bound)
        return
    yield from _all(pattern.args, e.args, variables, bound)


def _stepped(pattern: Basic, variables: frozenset[Basic]) -> tuple[Expr, Expr, Basic] | None:
    """Shift, step and symbol of a pattern such as k + 1 or 2 k + 2; None for any other."""
    if not pattern.is_Add or len(pattern.args) != 2 or not pattern.args[0].is_Integer:
        return None
    shift, rest = pattern.args
    step, symbol = rest.as_coeff_Mul()
    return (shift, step, symbol) if symbol in variables and step.is_Integer and step > 0 else None


def _all(patterns, expressions, variables, bound):
    if not patterns:
        yield bound
        return
    for more in match(patterns[0], expressions[0], variables, bound):
        yield from _all(patterns[1:], expressions[1:], variables, more)


def heads_in(expression: Basic, heads: frozenset[Basic]) -> frozenset[Basic]:
    """Which defined heads (symbols, bases, functions) occur in an expression."""
    found = set()
    for part in expression.atoms(Symbol, Indexed, AppliedUndef) if heads else ():
        key = part.base if isinstance(part, Indexed) else part.func if isinstance(part, AppliedUndef) else part
        if key in heads:
            found.add(key)
    return frozenset(found)


def occurrences(
    left: Basic, variables: frozenset[Basic], e: Basic
) -> Iterator[tuple[dict[Basic, Basic], Callable[[Basic], Basic]]]:
    """Bindings under which the left side is e, or a factor of e, with the way to put the right side back."""
    if not isinstance(left, Mul | Pow):
        for bound in match(left, e, variables, {}):
            yield bound, lambda made: made
        return
    wanted = _powers(left)
    yield from _factors(wanted, _powers(e), variables, {}, S.One)


def _powers(e: Basic) -> tuple[tuple[Basic, Basic], ...]:
    return tuple(f.as_base_exp() if f.as_base_exp()[1].is_Integer else (f, S.One) for f in Mul.make_args(e))


def _factors(wanted, have, variables, bound, rest):
    if not wanted:
        whole = Mul(*[b**n for b, n in have])
        yield bound, lambda made: made * whole
        return
    (base, power), *later = wanted
    for place, (found, count) in enumerate(have):
        if power.is_Integer and not (count.is_Integer and (count >= power > 0 or count <= power < 0)):
            continue
        for more in match(base, found, variables, bound):
            left = (*have[:place], (found, count - power), *have[place + 1 :])
            yield from _factors(tuple(later), left, variables, more, rest)
