"""What may be taken off both sides of a relation without a loss: one-to-one functions, powers, what is constant."""

from __future__ import annotations

from sympy import (
    Add,
    Basic,
    Expr,
    Integral,
    Limit,
    Mul,
    Poly,
    Product,
    S,
    Sum,
    asinh,
    atan,
    cosh,
    erf,
    exp,
    expand,
    fraction,
    log,
    sign,
    sinh,
    tanh,
    together,
)
from sympy.polys.polyerrors import BasePolynomialError

from theory.proof.assumptions import assumed_sign
from theory.proof.known import Known
from theory.proof.sums import normal_sums

INCREASING = (exp, log, sinh, tanh, atan, asinh, erf)
ODD = (sinh, tanh, atan, asinh, erf, sign)


def plain(e: Expr) -> Expr:
    """Sums in normal form, limits and integrals of what does not run replaced by it."""
    if e.has(Limit, Integral):
        e = e.replace(lambda p: isinstance(p, Limit) and not p.args[0].has(p.args[1]), lambda p: p.args[0])
        e = e.replace(_is_constant_integral, lambda p: p.function * Mul(*[high - low for _, low, high in p.limits]))
    return normal_sums(e, Known()) if e.has(Sum, Product) else e  # type: ignore[return-value]


def _is_constant_integral(e: Basic) -> bool:
    return isinstance(e, Integral) and all(
        len(limit) == 3 and not any(part.has(limit[0]) for part in (e.function, *limit[1:])) for limit in e.limits
    )


def taken_off(kind: str, left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """Arguments in place of an increasing function of them on both sides, or beside a number; bases of powers."""
    if right.is_Add or left.is_Add or S.Zero in (left, right):
        terms = Add.make_args(expand(left - right))
        if len(terms) != 2:
            return None
        left, right = terms[0], -terms[1]
        if left.could_extract_minus_sign() and right.could_extract_minus_sign():
            left, right = -right, -left
    one, other = _fraction(left / right)
    shared = frozenset({0}) if one.is_zero else assumed_sign(left / one)
    if 0 in shared or (kind in (">=", ">") and shared != {1}):
        one, other = left, right
    if one.func is other.func and one.func in INCREASING and not one.is_Number:
        return one.args[0], other.args[0]
    for side, number, turned in ((one, other, False), (other, one, True)):
        if side.is_Number or not number.is_Number:
            continue
        found = None
        if isinstance(side, exp) and number.is_positive:
            found = side.args[0], log(number)
        elif isinstance(side, log):
            found = side.args[0], exp(number)
        elif (side.func in ODD and number == 0) or (isinstance(side, cosh) and number == 1 and kind in ("==", "!=")):
            found = side.args[0], S.Zero
        if found is not None:
            return found[::-1] if turned else found
    ratio = _exponent(one / other)
    if ratio is not None and assumed_sign(other) == {1}:
        return ratio, S.Zero
    return _bases(kind, one, other)


def _fraction(e: Expr) -> tuple[Expr, Expr]:
    return fraction(together(e))  # type: ignore[return-value]


def _exponent(e: Expr) -> Expr | None:
    """The exponent where something is one exponential, up to a positive number."""
    total, number = S.Zero, S.One
    for part in Mul.make_args(e):
        base, power = part.as_base_exp()
        if isinstance(part, exp):
            total += part.args[0]
        elif isinstance(base, exp):
            total += base.args[0] * power
        elif part.is_Number and part.is_positive:
            number *= part
        else:
            return None
    return total + log(number) if total != 0 else None


def _bases(kind: str, one: Expr, other: Expr) -> tuple[Expr, Expr] | None:
    """The bases of one power on both sides, where that is one-to-one."""
    (base, power), (its_base, its_power) = one.as_base_exp(), other.as_base_exp()
    if base == its_base and base.is_Number and base.is_positive and base != 1 and power != its_power:
        return (power, its_power) if base > 1 else (its_power, power)
    if other == 1 and power.is_Rational:
        its_base, its_power = S.One, power
    if one == 1 and its_power.is_Rational:
        base, power = S.One, its_power
    if power != its_power or not power.is_Rational or power in (0, 1):
        return None
    positive = assumed_sign(base) <= {0, 1} and assumed_sign(its_base) <= {0, 1}
    if power.q % 2 == 0 or positive or (power.is_Integer and power % 2 == 1 and (power > 0 or kind in ("==", "!="))):
        return (base, its_base) if power > 0 or kind in ("==", "!=") else (its_base, base)
    return None


def inner_sign(e: Expr) -> Expr | None:
    """What has the sign of an odd increasing function, or of a logarithm."""
    if e.func in ODD:
        return e.args[0]  # type: ignore[return-value]
    return e.args[0] - 1 if isinstance(e, log) else None  # type: ignore[operator]


def sign_of_factor(e: Expr) -> frozenset[int]:
    """The signs that a factor may have; one that has no real zero keeps one sign."""
    signs = assumed_sign(e)
    if 0 not in signs or not e.is_Add:
        return signs
    try:
        of_one = Poly(e)
        if of_one.is_univariate and of_one.domain.is_QQ | of_one.domain.is_ZZ and of_one.gen.is_extended_real:
            if of_one.count_roots() == 0:
                return frozenset({1 if of_one.eval(0) > 0 else -1})
            return signs
    except (BasePolynomialError, NotImplementedError):
        return signs
    for symbol in sorted(e.free_symbols, key=str):
        if symbol.is_extended_real:
            try:
                inside = Poly(e, symbol)
            except BasePolynomialError:
                continue
            if inside.degree() == 2:
                a, b, c = (inside.coeff_monomial(symbol**k) for k in (2, 1, 0))
                if assumed_sign(a) == {1} and assumed_sign(expand(b**2 - 4 * a * c)) == {-1}:
                    return frozenset({1})
    return signs
