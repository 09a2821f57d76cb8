"""What step types share: rewriting with what is visible, bringing a gap to 0, and changed right sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from sympy import Basic, Dummy, Expr, Indexed, Integral, Limit, Mul, Product, S, Sum, Symbol, nan, sympify, zoo
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq
from sympy.logic.boolalg import And, Boolean

from theory.proof.known import Known
from theory.proof.matching import fresh, heads_in
from theory.proof.normal_forms import STANDARD, NormalForm
from theory.proof.rewriting import RewritingError, Rule, rewrite
from theory.proof.signs import sign_of
from theory.proof.steps.step import Context, Finding, State
from theory.proof.sums import normal_sums

ROUNDS = 6


def unfolded(expression: Basic, context: Context, held: frozenset[Basic] = frozenset()) -> Basic:
    """The expression after rewriting with all that the context shows; symbols in `held` run."""
    known = Known(flat(context.facts), context.heads)
    return rewrite(expression, context.rules, known.entails, held)[0]


def along(context: Context, variable: Symbol) -> Context:
    """The context without the facts that speak, or may speak, of a variable that runs.

    What is supposed of a symbol holds where it is supposed, not on the way to a limit.
    """
    return replace(context, facts=tuple(f for f in flat(context.facts) if not may_depend(f, variable, context)))


def may_depend(expression: Basic, variable: Symbol, context: Context) -> bool:
    """Whether something speaks of a variable once definitions are put in, or may do so where they are hidden.

    A head that is itself the limit of something along the variable does not depend on it.
    """
    opened = rewrite(expression, tuple(r for r in context.rules if r.macro))[0]
    return opened.has(variable) or bool(heads_in(opened, moving_heads(variable, context)))


def moving_heads(variable: Symbol, context: Context) -> frozenset[Basic]:
    """Heads that may depend on a variable: all but those of which something's limit along it speaks."""
    limits = [r.right for r in context.rules if isinstance(r.left, Limit) and r.left.args[1] == variable]
    return context.heads.difference(*(heads_in(value, context.heads) for value in limits))


def flat(facts: tuple[Boolean, ...]) -> tuple[Boolean, ...]:
    """Facts with And taken apart."""
    return tuple(f for fact in facts for f in (flat(fact.args) if isinstance(fact, And) else (fact,)))


def reduced(gap: Expr, context: Context, normal: tuple[NormalForm, ...], held: frozenset[Basic] = frozenset()) -> Expr:
    """The gap after rewriting and the normal forms, repeated until nothing changes; `held` symbols run."""
    known = Known(flat(context.facts), context.heads)
    rules = tuple(made for r in context.rules for made in _usable(r, known))
    for _ in range(ROUNDS):
        before = gap
        gap, _fired = rewrite(gap, rules, known.entails, held)  # type: ignore[assignment]
        for form in normal or STANDARD:
            gap = form(gap, known)
            if gap == 0:
                return S.Zero
        if gap == before or fresh_equal(gap, before):
            break
    return gap


def _usable(rule: Rule, known: Known) -> Iterator[Rule]:
    """A rule, and what makes it easier to meet: sums in normal form, one of several terms on the left."""
    yield rule
    if rule.macro:
        return
    if rule.left.has(Sum):
        left = normal_sums(rule.left, known)
        factors = [f for f in Mul.make_args(left) if isinstance(f, Sum)]
        if len(factors) == 1 and not left.is_Add:
            others = left / factors[0]
            if 0 not in sign_of(others, known.facts):
                yield replace(rule, left=factors[0], right=rule.right / others)
    if rule.left.is_Add:
        terms = [t for t in rule.left.args if not t.is_Number]
        chosen = max(terms, key=lambda t: (bool(heads_in(t, known.heads)), t.count_ops(), str(t)))
        coefficient, part = chosen.as_coeff_Mul()
        rest = rule.left - chosen
        if not (rest.has(part) or rule.right.has(part)):
            yield replace(rule, left=part, right=(rule.right - rest) / coefficient)


def fresh_equal(a: Basic, b: Basic) -> bool:
    """Whether two expressions differ at most in the names of bound indices."""
    return a == b or (a.func == b.func and alpha(a) == alpha(b))


def alpha(e: Basic, depth: int = 0) -> Basic:
    """Bound indices named by their depth."""
    if not e.args or not e.has(Sum, Product, Integral):
        return e
    if isinstance(e, Sum | Product | Integral):
        names = {limit[0]: _bound(depth, k) for k, limit in enumerate(e.limits)}
        e = fresh(e)
        names = {limit[0]: name for limit, name in zip(e.limits, names.values(), strict=True)}  # type: ignore[attr-defined]
        body = alpha(e.function.xreplace(names), depth + 1)  # type: ignore[attr-defined]
        limits = [(names[i], *(alpha(b.xreplace(names), depth + 1) for b in ends)) for i, *ends in e.limits]  # type: ignore[attr-defined]
        return e.func(body, *limits)
    return e.func(*[alpha(a, depth) for a in e.args])


@cache
def _bound(depth: int, place: int) -> Dummy:
    """The name of a bound index at this depth."""
    return Dummy(f"bound_{depth}_{place}")


def equal(left: Expr, right: Expr, context: Context, normal: tuple[NormalForm, ...]) -> Finding:
    """PROVED if the gap vanishes, else UNDECIDED with the gap."""
    if unheard_of(left, right, context) or unheard_of(right, left, context):
        return Finding(State.UNDECIDED, f"nothing in sight tells what the one side of {left} = {right} means")
    try:
        gap = reduced(sympify(left) - sympify(right), context, normal)
    except RewritingError as error:
        return Finding(State.UNDECIDED, str(error))
    if gap.has(nan, zoo):
        return Finding(State.UNDECIDED, f"undefined: the gap is {gap}")
    if gap == 0:
        return Finding(State.PROVED, f"the gap vanishes by {names_of(normal)}")
    return Finding(State.UNDECIDED, f"the gap is {_cut(gap)}")


def unheard_of(side: Expr, other: Expr, context: Context) -> bool:
    """Whether a side is a head whose definition is hidden, of which neither the other side nor what is seen speaks.

    Then no gap vanishes: rewriting keeps such a head and brings in no other one.
    """
    if not isinstance(side, Symbol | Indexed | AppliedUndef):
        return False
    key = side.base if isinstance(side, Indexed) else side.func if isinstance(side, AppliedUndef) else side
    seen = (other, *context.facts, *(part for r in context.rules for part in (r.left, r.right, *r.conditions)))
    return key in context.heads and not any(heads_in(part, frozenset({key})) for part in seen)


def names_of(normal: tuple[NormalForm, ...]) -> str:
    """The chain of normal forms in words."""
    return ", ".join(form.__name__ for form in normal or STANDARD)


def _cut(gap: Expr) -> str:
    text = str(gap)
    return text if len(text) < 600 else text[:600] + " ..."


def changed(right: Expr) -> Iterator[tuple[str, Expr]]:
    """A right side with another sign, factor and exponent; where it is 0, another number."""
    right = sympify(right)
    if right == 0:
        yield "plus 1", S.One
        return
    yield "sign", -right
    yield "factor 2", 2 * right
    if right != 1:
        yield "exponent plus 1", right**2 if not right.is_Pow else right.base ** (right.exp + 1)


def equation(left: Expr, right: Expr) -> Boolean:
    """Left = right, not decided."""
    return Eq(left, right, evaluate=False)
