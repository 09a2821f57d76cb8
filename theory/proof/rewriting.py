"""Rules, and rewriting with them to a fixed point.

Bound indices are renamed before anything is put under them, so a rule never captures an index. Under a
derivative or a limit a hypothesis about the variable is not a rule: it holds at a point only, while a
definition holds everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sympy import (
    Basic,
    Derivative,
    Eq,
    Expr,
    Indexed,
    Integral,
    Limit,
    Mul,
    Pow,
    S,
    Symbol,
)
from sympy.core.relational import Le, Relational
from sympy.logic.boolalg import And, Boolean, Implies

from theory.proof.admission import sign_relations
from theory.proof.matching import BINDERS, fresh, occurrences
from theory.proof.running import caught

PASSES = 200
SIZE = 200_000
NESTED = 120
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


_taken: ContextVar[dict[Boolean, None] | None] = ContextVar("taken", default=None)


@contextmanager
def watched() -> Iterator[dict[Boolean, None]]:
    """What equations that hold at every value of something say at the places at which rewriting takes them.

    Examples
    --------
    >>> from sympy import Function, Symbol
    >>> f, x = Function("f"), Symbol("x", real=True)
    >>> with watched() as taken:
    ...     found = rewrite(f(3) + 1, (Rule("zero", f(x), x - x, frozenset({x})),))
    >>> list(taken)
    [Eq(f(3), 0)]
    """
    places: dict[Boolean, None] = {}
    before = _taken.set(places)
    try:
        yield places
    finally:
        _taken.reset(before)


def _taken_at(rule: Rule, bound: dict[Basic, Basic], conditions: list[Basic]) -> None:
    """Note what a rule says at a place, on its conditions and those that its symbols are declared to meet."""
    places = _taken.get()
    if places is None or rule.macro or not rule.variables or not bound:
        return
    told = Eq(rule.left.xreplace(bound), rule.right.xreplace(bound), evaluate=False)
    ranges = [*conditions, *(c for v, e in bound.items() for c in sign_relations(v, e))]
    places[Implies(And(*ranges), told, evaluate=False) if ranges else told] = None


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
            if not isinstance(e, Integral):
                self.counted.update(index for index, *_ in e.limits)
            inner, limits = ranges, []
            for i, *ends in reversed(e.limits):  # the ends of a limit know the indices of those after it
                limits.insert(0, (i, *(self.walk(b, inner, held) for b in ends)))
                if not isinstance(e, Integral) or self._upwards(ends, inner):
                    inner += _range(i, *ends)
            return e.func(self.walk(e.function, inner, held), *limits)
        if isinstance(e, Indexed):
            made = [self.walk(i, ranges, held) for i in e.indices]
            return e if made == list(e.indices) else e.base[tuple(made)]
        made = [self.walk(a, ranges, held) for a in e.args]
        return e if all(a is b for a, b in zip(made, e.args, strict=True)) else e.func(*made)

    def _upwards(self, ends: list[Basic], ranges: tuple[Boolean, ...]) -> bool:
        """Whether an integral is shown to run from its lower end up to its upper one."""
        ordered = len(ends) == 2 and Le(*ends)
        return ordered == S.true or (isinstance(ordered, Relational) and self.entails(ordered, ranges))

    def _apply(self, rule: Rule, e: Basic, ranges: tuple[Boolean, ...], held: frozenset[Basic]) -> Basic | None:
        if held and (rule.pointwise or (not rule.macro and held & (rule.constrains - rule.variables))):
            return None
        for bound, rest in occurrences(rule.left, rule.variables, e):
            if not rule.macro and not all(
                _admits(v, bound.get(v, v), ranges, self.entails, self.counted) for v in rule.variables
            ):
                continue
            if any(caught(part, bound) for part in (rule.left, rule.right, *rule.conditions)):
                continue
            conditions = [fresh(c).xreplace(bound) for c in rule.conditions]
            signs = [] if rule.macro else [c for v, p in bound.items() if v != p for c in sign_relations(v, p)]
            if any(c.has(*held) for c in (*conditions, *signs)) if held else False:
                continue
            if not all(c == S.true or self.entails(c, ranges) for c in conditions):
                continue
            made = rest(fresh(rule.right).xreplace(bound) if bound else rule.right)
            if made != e:
                _taken_at(rule, bound, conditions)
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


def _range(index: Basic, *ends: Basic) -> tuple[Boolean, ...]:
    if len(ends) != 2:
        return ()
    low, high = ends
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
