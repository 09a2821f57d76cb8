"""Rules, and rewriting with them to a fixed point.

Bound indices are renamed before anything is put under them, so a rule never captures an index. Under a
derivative or a limit a hypothesis about the variable is not a rule: it holds at a point only, while a
definition holds everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import permutations

from sympy import (
    Add,
    Basic,
    Derivative,
    Dummy,
    Expr,
    Indexed,
    Integral,
    Limit,
    Mul,
    Pow,
    Product,
    S,
    Sum,
    Symbol,
)
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

PASSES = 200
SIZE = 200_000
NESTED = 120
BINDERS = (Sum, Product, Integral)
Entails = Callable[[Boolean, tuple[Boolean, ...]], bool]


@dataclass(frozen=True)
class Rule:
    """left -> right.

    Parameters
    ----------
    name
        Of the premise or step that it comes from.
    left, right
        The sides.
    variables
        Symbols of the left side that stand for anything (of their own assumptions, unless `macro`).
    macro
        Whether it is a definition, which holds at every value of everything.
    conditions
        Relations that must follow from the facts at hand once the variables are bound.
    constrains
        Primitive symbols that the hypotheses under the rule speak of: no rule under a derivative in them.
    pointwise
        Whether it holds at the place at hand only (in a case): no rule under any derivative or limit.

    Examples
    --------
    >>> from sympy import Function, Symbol
    >>> f, x = Function("f"), Symbol("x")
    >>> rewrite(f(3) + 1, (Rule("square", f(x), x**2, frozenset({x}), macro=True),))[0]
    10
    """

    name: str
    left: Expr
    right: Expr
    variables: frozenset[Basic] = frozenset()
    macro: bool = False
    conditions: tuple[Boolean, ...] = ()
    constrains: frozenset[Basic] = frozenset()
    pointwise: bool = False


class RewritingError(ValueError):
    """Rewriting does not come to an end."""


def rewrite(
    expression: Basic,
    rules: tuple[Rule, ...],
    entails: Entails | None = None,
    held: frozenset[Basic] = frozenset(),
) -> tuple[Basic, frozenset[str]]:
    """Apply the rules to a fixed point; also the names of the rules that fired.

    Symbols in `held` run, as under a limit: no rule fires whose hypotheses speak of them.

    Raises
    ------
    RewritingError
        If the expression keeps changing or grows without end (a definition that refers to itself).
    """
    engine = _Rewriter(rules, entails or _never)
    current = fresh(expression)
    for _ in range(PASSES):
        changed = engine.walk(current, (), held)
        if changed == current:
            return current, frozenset(engine.fired)
        current = changed
    raise RewritingError(f"rewriting with {sorted(engine.fired)} does not end: does a definition refer to itself?")


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
    renamed = {index: Dummy(index.name.strip("_"), **index._assumptions_orig) for index, *_ in made.limits}
    body = fresh(made.function).xreplace(renamed)
    limits = [(renamed[i], *(fresh(b).xreplace(renamed) for b in ends)) for i, *ends in made.limits]
    return made.func(body, *limits)


class _Rewriter:
    def __init__(self, rules: tuple[Rule, ...], entails: Entails) -> None:
        self.entails = entails
        self.fired: set[str] = set()
        self.counted: set[Basic] = set()
        self.by_key: dict[object, list[Rule]] = {}
        for rule in sorted(rules, key=lambda r: len(r.variables)):
            self.by_key.setdefault(_key(rule.left), []).append(rule)
        self.steps = 0
        self.depth = 0

    def walk(self, e: Basic, ranges: tuple[Boolean, ...], held: frozenset[Basic]) -> Basic:
        self.steps += 1
        if self.steps > SIZE:
            raise RewritingError(f"rewriting with {sorted(self.fired)} grows without end")
        if e.args:
            e = self._inside(e, ranges, held)
        for rule in self.by_key.get(_key(e), ()):
            made = self._apply(rule, e, ranges, held)
            if made is not None:
                self.fired.add(rule.name)
                self.depth += 1
                if self.depth > NESTED:
                    raise RewritingError(f"rewriting with {sorted(self.fired)} does not end: a rule feeds itself")
                made = self.walk(fresh(made), ranges, held)
                self.depth -= 1
                return made
        return e

    def _inside(self, e: Basic, ranges: tuple[Boolean, ...], held: frozenset[Basic]) -> Basic:
        if isinstance(e, Derivative):
            variables = frozenset(_root(v) for v, _ in e.variable_count)
            body = self.walk(e.expr, ranges, held | variables)
            return e if body == e.expr else Derivative(body, *e.variable_count, evaluate=False)
        if isinstance(e, Limit):
            body = self.walk(e.args[0], ranges, held | {e.args[1]})
            point = self.walk(e.args[2], ranges, held)
            return Limit(body, e.args[1], point, str(e.args[3]))
        if isinstance(e, BINDERS):
            inner = ranges + tuple(r for limit in e.limits for r in _range(limit))
            if not isinstance(e, Integral):
                self.counted.update(index for index, *_ in e.limits)
            body = self.walk(e.function, inner, held)
            limits = [(i, *(self.walk(b, inner, held) for b in ends)) for i, *ends in e.limits]
            return e.func(body, *limits)
        if isinstance(e, Indexed):
            made = [self.walk(i, ranges, held) for i in e.indices]
            return e if made == list(e.indices) else e.base[tuple(made)]
        made = [self.walk(a, ranges, held) for a in e.args]
        return e if all(a is b for a, b in zip(made, e.args, strict=True)) else e.func(*made)

    def _apply(self, rule: Rule, e: Basic, ranges: tuple[Boolean, ...], held: frozenset[Basic]) -> Basic | None:
        if held and (rule.pointwise or (not rule.macro and held & (rule.constrains - rule.variables))):
            return None
        for bound, rest in _occurrences(rule, e):
            if not rule.macro and not all(
                _admits(v, bound.get(v, v), ranges, self.entails, self.counted) for v in rule.variables
            ):
                continue
            conditions = [c.xreplace(bound) for c in rule.conditions]
            if any(c.has(*held) for c in conditions) if held else False:
                continue
            if not all(c == S.true or self.entails(c, ranges) for c in conditions):
                continue
            made = rest(rule.right.xreplace(bound))
            if made != e:
                return made
        return None


def _never(claim: Boolean, ranges: tuple[Boolean, ...]) -> bool:
    return claim in ranges


def _key(e: Basic) -> object:
    if isinstance(e, Indexed):
        return e.base
    if isinstance(e, Symbol):
        return e
    if isinstance(e, Pow | Mul):
        return Mul
    return e.func


def _root(variable: Basic) -> Basic:
    return variable.base if isinstance(variable, Indexed) else variable


def _range(limit: Basic) -> tuple[Boolean, ...]:
    if len(limit.args) != 3:
        return ()
    index, low, high = limit.args
    return (index >= low, index <= high) if index.is_extended_real is not False else ()


def _admits(
    variable: Basic,
    given: Basic,
    ranges: tuple[Boolean, ...],
    entails: Entails,
    counted: Collection[Basic] = (),
) -> bool:
    """Whether what is given has the variable's assumptions; indices of sums and products are integers."""
    if variable == given:
        return True
    for name, wanted in variable._assumptions_orig.items():
        if name == "commutative" or getattr(given, f"is_{name}") == wanted:
            continue
        if name in ("integer", "real", "rational", "finite", "extended_real") and wanted and given in counted:
            continue
        if name in ("positive", "nonnegative") and wanted:
            claim = given > 0 if name == "positive" else given >= 0
            if claim == S.true or entails(claim, ranges):
                continue
        return False
    return True


def _occurrences(rule: Rule, e: Basic) -> Iterator[tuple[dict[Basic, Basic], Callable[[Basic], Basic]]]:
    """Bindings under which the left side is e, or a factor of e, with the way to put the right side back."""
    if not isinstance(rule.left, Mul | Pow):
        for bound in match(rule.left, e, rule.variables, {}):
            yield bound, lambda made: made
        return
    wanted = _powers(rule.left)
    yield from _factors(wanted, _powers(e), rule.variables, {}, S.One)


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
