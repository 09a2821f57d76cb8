"""What step types share: rewriting with what is visible, bringing a gap to 0, and changed right sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from sympy import Add, Basic, Dummy, Expr, Indexed, Integral, Limit, Mul, Product, S, Sum, Symbol, nan, sympify, zoo
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq
from sympy.logic.boolalg import And, Boolean

from theory.proof.admission import lacking
from theory.proof.known import Known
from theory.proof.matching import fresh, heads_in, match
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

    What is itself the limit of something along the variable does not depend on it.
    """
    return moves(rewrite(expression, tuple(r for r in context.rules if r.macro))[0], variable, context)


def moves(expression: Basic, variable: Symbol, context: Context) -> bool:
    """Whether something speaks of a variable or of a head that may depend on it, all definitions being in.

    Values of limits along the variable do not, but only as a limit speaks of them: with A(p) = p d what comes to A(0)
    shows that A(0) does not move, of A(1) it says nothing. Factors that stay and are not 0 are seen through.

    Examples
    --------
    >>> from sympy import Function, oo
    >>> d, f, A = Symbol("d", positive=True), Function("f"), Function("A")
    >>> seen = Context(rules=(Rule("seen", Limit(f(d), d, oo), A(0)),), heads=frozenset({A}))
    >>> moves(2 * A(0), d, seen), moves(A(0) + A(1), d, seen)
    (False, True)
    """
    known = Known(flat(context.facts), context.heads)
    limits = [r for r in context.rules if isinstance(r.left, Limit) and r.left.args[1] == variable]
    values = [replace(r, right=_what_may_move(r.right, known)) for r in limits if heads_in(r.right, context.heads)]

    def stays(part: Basic) -> bool:
        return any(
            not any(lacking(v, place, known.entails) or moving(place) for v, place in bound.items())
            and all(known.entails(condition.xreplace(bound)) for condition in r.conditions)
            for r in values
            for bound in match(r.right, part, r.variables, {})
        )

    def moving(part: Basic) -> bool:
        if part == variable:
            return True
        if not (part.has(variable) or heads_in(part, context.heads)):
            return False
        if stays(part):
            return False
        rest = next((rest for rest in _beside(part, values) if stays(part - rest) or stays(rest - part)), None)
        if rest is not None:
            return moving(rest)
        head = part.base if isinstance(part, Indexed) else part.func if isinstance(part, AppliedUndef) else part
        return head in context.heads or any(moving(argument) for argument in part.args)

    return moving(expression)


def _what_may_move(value: Expr, known: Known) -> Expr:
    """A value without factors that stay and are not 0, as none with a negative power is: it stays if the value does."""
    never_0 = lambda f: f.as_base_exp()[1].is_negative or 0 not in sign_of(f, known.facts)  # noqa: E731
    return Mul(*(f for f in Mul.make_args(value) if heads_in(f, known.heads) or not never_0(f)))


def _beside(part: Basic, values: list[Rule]) -> Iterator[Basic]:
    """What is left of a sum of which a value, or minus one, is a part."""
    for r in values if part.is_Add else ():
        for rest in (part - r.right, part + r.right):
            if r.right.is_Add and len(Add.make_args(rest)) + len(r.right.args) == len(part.args):
                yield rest


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
