"""What a relation says, so that two that say the same are seen to: up to a nonzero factor and one-to-one functions.

`2 x = 2 y`, `p (x - y) = 0` with a positive p, `exp(x) = exp(y)` and `(x - y)^2 <= 0` say that x = y. All are brought
to one form: the sign of a difference, of which everything is taken off that leaves its zeros and its sign alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from sympy import (
    Abs,
    Add,
    Basic,
    Derivative,
    Expr,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Piecewise,
    S,
    expand,
    factor_list,
    fraction,
    sign,
    sympify,
    together,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or
from sympy.polys.polyerrors import BasePolynomialError

from theory.proof.assumptions import assumed_sign
from theory.proof.known import Known
from theory.proof.normal_forms import derivatives
from theory.proof.saying import FALSE, TRUE, Said, negative
from theory.proof.stripping import inner_sign, plain, sign_of_factor, taken_off

SIZE = 300
"""Differences with more operations are compared as they are written."""
DEPTH = 12


@lru_cache(maxsize=4096)
def essence(claim: Boolean, calculus: bool = True) -> Said:
    """What a relation, or And, Or, Not, Implies, Equivalent of relations, says.

    Without ``calculus`` derivatives stay as they are: to carry them out is to say something.

    Examples
    --------
    >>> from sympy import Symbol, exp
    >>> x, y, p = Symbol("x", real=True), Symbol("y", real=True), Symbol("p", positive=True)
    >>> essence(Eq(p * x, p * y)) == essence(Eq(exp(3 * y), exp(3 * x))) == essence((x - y) ** 2 <= 0)
    True
    >>> essence(p * x >= p * y) == essence(x >= y), essence(x >= y) == essence(y >= x)
    (True, False)
    """
    if calculus and claim.has(Derivative):
        claim = claim.replace(lambda p: isinstance(p, Derivative), lambda p: derivatives(p, Known()))  # type: ignore
    return _said(claim, True, DEPTH)


def said_of(kind: str, inner: Expr | frozenset[Said]) -> Said:
    """What is said of a gap, or of parts, with nothing superfluous in it.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x, p = Symbol("x", real=True), Symbol("p", positive=True)
    >>> said_of("==", p * x), said_of("and", frozenset({(">=", x), (">=", -x)}))
    (('==', x), ('==', x))
    """
    if kind in ("and", "or"):
        return _joined(kind == "and", iter(inner))  # type: ignore[arg-type]
    return _of_gap(kind, inner)  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _of_gap(kind: str, gap: Expr) -> Said:
    return _signed(kind, gap, S.Zero, DEPTH)


def _said(claim: Basic, wanted: bool, depth: int) -> Said:
    """What a claim says, or its negation."""
    match claim:
        case And() | Or():
            return _joined(isinstance(claim, And) is wanted, (_said(a, wanted, depth) for a in claim.args))
        case Not():
            return _said(claim.args[0], not wanted, depth)
        case Implies():
            premise, end = claim.args
            return _joined(not wanted, iter((_said(premise, not wanted, depth), _said(end, wanted, depth))))
        case Equivalent() if len(claim.args) == 2:
            one, other = claim.args
            ways = And(Implies(one, other, evaluate=False), Implies(other, one, evaluate=False), evaluate=False)
            return _said(ways, wanted, depth)
        case Relational():
            return _relation(claim if wanted else _opposite(claim), depth)
    if claim == S.true or claim == S.false:
        return TRUE if (claim == S.true) is wanted else FALSE
    return ("as written", (claim, wanted))


def _opposite(claim: Relational) -> Relational:
    """The negation, of numbers that are real."""
    return claim.negated.func(claim.lhs, claim.rhs, evaluate=False)


def _joined(all_of_them: bool, parts: Iterator[Said]) -> Said:
    """And, or Or, of what is said; both halves of an equation make one."""
    kind, single, pair = ("and", ">=", "==") if all_of_them else ("or", ">", "!=")
    found: set[Said] = set()
    for part in parts:
        found |= part[1] if part[0] == kind else {part}  # type: ignore[arg-type]
    for part in list(found):
        other = (single, negative(part[1])) if part[0] == single else None
        if other in found and part in found:
            found -= {part, other}
            found.add((pair, _oriented(part[1])))  # type: ignore[arg-type]
    nothing = FALSE if all_of_them else TRUE
    if nothing in found:
        return nothing
    return found.pop() if len(found) == 1 else (kind, frozenset(found))


def _relation(claim: Relational, depth: int) -> Said:
    left, right = sympify(claim.lhs), sympify(claim.rhs)
    if not isinstance(left, Expr) or not isinstance(right, Expr) or left.is_infinite or right.is_infinite:
        return ("as written", (claim, True))
    match claim:
        case Eq():
            return _signed("==", left, right, depth)
        case Ne():
            return _signed("!=", left, right, depth)
        case Ge() | Gt():
            return _signed(">=" if isinstance(claim, Ge) else ">", left, right, depth)
        case Le() | Lt():
            return _signed(">=" if isinstance(claim, Le) else ">", right, left, depth)
    return ("as written", (claim, True))


def _signed(kind: str, left: Expr, right: Expr, depth: int) -> Said:
    """What left - right being positive, not negative, zero or not zero says."""
    if left.count_ops() + right.count_ops() > SIZE:
        return _written(kind, left - right)
    left, right = plain(left), plain(right)
    branched = _branch(kind, left, right, depth)
    if branched is not None:
        return branched
    if depth == 0:
        return _written(kind, left - right)
    taken = taken_off(kind, left, right)
    if taken is not None:
        return _signed(kind, *taken, depth - 1)
    return _squares(kind, left - right, depth) or _factors(kind, left - right, depth)


def _branch(kind: str, left: Expr, right: Expr, depth: int) -> Said | None:
    """A relation of a Max, Min, Piecewise or delta in relations of its entries."""
    if depth == 0:
        return None
    for place, (side, other) in enumerate(((left, right), (right, left))):
        pair = lambda e, other=other, place=place: (e, other) if place == 0 else (other, e)  # noqa: E731
        if isinstance(side, Max | Min) and kind in (">=", ">"):
            everyone = isinstance(side, Min) is (place == 0)
            return _joined(everyone, (_signed(kind, *pair(a), depth - 1) for a in side.args))
        if isinstance(side, Max | Min) and kind == "==":
            ends = ((other, a) if isinstance(side, Max) else (a, other) for a in side.args)
            inside = _joined(True, (_signed(">=", *pair_of, depth - 1) for pair_of in ends))
            met = _joined(False, (_signed("==", a, other, depth - 1) for a in side.args))
            return _joined(True, iter((inside, met)))
        if isinstance(side, KroneckerDelta) and other.is_Number:
            side = Piecewise((S.One, Eq(*side.args[:2], evaluate=False)), (S.Zero, True))
        if isinstance(side, Piecewise) and other.is_Number:
            made, before = [], []
            for value, condition in side.args:
                here = [_said(condition, True, depth - 1), *before, _signed(kind, *pair(value), depth - 1)]
                made.append(_joined(True, iter(here)))
                before.append(_said(condition, False, depth - 1))
            return _joined(False, iter(made))
    return None


def _squares(kind: str, gap: Expr, depth: int) -> Said | None:
    """A sum of terms that have one sign, as they are written: it is 0 where all of them are."""
    terms = Add.make_args(gap)
    signs = frozenset().union(*(assumed_sign(t) for t in terms))
    if len(terms) < 2 or signs == {-1, 0, 1} or not (signs <= {0, 1} or signs <= {0, -1}):
        return None
    zero = _joined(True, (_signed("==", t, S.Zero, depth - 1) for t in terms))
    above = signs <= {0, 1}
    if kind == "==" or (kind == ">=" and not above):
        return zero
    if kind == ">=":
        return TRUE
    if kind == ">" and not above:
        return FALSE
    return _joined(False, (_signed("!=", t, S.Zero, depth - 1) for t in terms))


def _factors(kind: str, gap: Expr, depth: int) -> Said:
    """The gap without the factors that have one sign, even powers of the others where only their zeros count."""
    top, bottom = fraction(together(gap))
    equation = kind in ("==", "!=")
    try:
        number, found = factor_list(top if equation else top * bottom)
    except (BasePolynomialError, NotImplementedError):
        return _written(kind, gap)
    turned = bool(number < 0)
    if number == 0:
        return TRUE if kind in ("==", ">=") else FALSE
    odd: list[Expr] = []
    even: list[Expr] = []
    for base, power in found:
        base = base.args[0] if isinstance(base, sign) or (isinstance(base, Abs) and equation) else base
        signs = sign_of_factor(base)
        if not equation and power % 2 == 1 and signs == {-1}:
            turned = not turned
        if 0 not in signs and (equation or len(signs) == 1 or power % 2 == 0):
            continue
        (even if equation or power % 2 == 0 or signs <= {0, 1} else odd).append(base)
    if equation or not odd:
        whole = _zero(Mul(*even), depth)
        if kind == "==" or (kind == ">=" and turned):
            return whole
        if kind == ">=":
            return TRUE
        return FALSE if kind == ">" and turned else _inverse(whole)
    left = Mul(*odd, *(b**2 for b in even)) * (-1 if turned else 1)
    if not even and len(odd) == 1:
        inner = inner_sign(odd[0])
        if inner is not None:
            return _signed(kind, -inner if turned else inner, S.Zero, depth - 1)
    return _written(kind, left)


def _zero(product: Expr, depth: int) -> Said:
    """That a product without superfluous factors is 0."""
    if product == 1:
        return FALSE
    if isinstance(product, Abs):
        product = product.args[0]  # type: ignore[assignment]
    inner = inner_sign(product) if not product.is_Mul else None
    if inner is not None and depth:
        return _signed("==", inner, S.Zero, depth - 1)
    return _written("==", product)


def _inverse(said: Said) -> Said:
    kind, inner = said
    if kind == "==":
        return ("!=", inner)
    if said == FALSE:
        return TRUE
    return FALSE if said == TRUE else ("not", said)


def _written(kind: str, gap: Expr) -> Said:
    """A gap as it is, up to a positive number; for an equation, up to any."""
    gap = gap.as_content_primitive()[1] if not gap.is_Add else gap.primitive()[1]
    gap = expand(gap) if gap.count_ops() <= SIZE else gap
    if gap.is_Number:
        holds = {"==": gap == 0, "!=": gap != 0, ">=": bool(gap >= 0), ">": bool(gap > 0)}[kind]
        return TRUE if holds else FALSE
    scale = gap.primitive()[0] if gap.is_Add else abs(gap.as_coeff_Mul()[0])
    gap = _named(gap / scale)
    if kind == ">" and gap.is_integer:  # whole numbers above 0 are 1 at least
        return (">=", expand(gap - 1))
    return (kind, _oriented(gap) if kind in ("==", "!=") else gap)


def _named(gap: Expr) -> Expr:
    from theory.proof.steps.gaps import alpha

    return expand(alpha(gap))  # type: ignore[return-value]


def _oriented(gap: Expr) -> Expr:
    """The gap or its negative, whichever comes first."""
    return negative(gap) if gap.could_extract_minus_sign() else gap
