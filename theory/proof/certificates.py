"""Linear arithmetic over monomials: facts as forms with a sign, their products, contradictions among them.

A monomial is a variable of its own for `theory.proof.linear`; its sign by assumption is one more constraint. Every
contradiction found rests on a certificate that is verified there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement

from sympy import Add, Expr, Mul, Pow, S, expand
from sympy.core.relational import Eq, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean

from theory.proof.assumptions import ALL, assumed_sign
from theory.proof.linear import Certificate, Constraint, Kind, decide

Form = tuple[Expr, Kind]
PAIRS = 400
MONOMIALS = 300


def forms(facts: tuple[Boolean, ...]) -> Iterator[Form]:
    """Facts as expressions that are positive, nonnegative or zero."""
    for fact in facts:
        if isinstance(fact, And):
            yield from forms(fact.args)
        if not isinstance(fact, Relational) or isinstance(fact, Ne):
            continue
        gap = fact.lhs - fact.rhs if not isinstance(fact, Le | Lt) else fact.rhs - fact.lhs
        kind = Kind.ZERO if isinstance(fact, Eq) else Kind.POSITIVE if isinstance(fact, Gt | Lt) else Kind.NONNEGATIVE
        if kind is Kind.POSITIVE and gap.is_integer:
            gap, kind = gap - 1, Kind.NONNEGATIVE
        yield gap, kind


@lru_cache(maxsize=20000)
def _linear(e: Expr) -> tuple[Fraction, tuple[tuple[Expr, Fraction], ...]]:
    """The constant, and the monomials with their coefficients."""
    constant = Fraction(0)
    coefficients: list[tuple[Expr, Fraction]] = []
    for term, c in expand(e).as_coefficients_dict().items():
        if not c.is_Rational:
            term, c = term * c, S.One
        if term == 1:
            constant += Fraction(int(c.p), int(c.q))
        else:
            coefficients.append((term, Fraction(int(c.p), int(c.q))))
    return constant, tuple(coefficients)


ANSWERS = 50_000
_answers: dict[frozenset[Form], bool] = {}
"""Two thirds of all questions are asked again: the steps of a derivation, and each without one premise, share them."""


def infeasible(listed: list[Form]) -> bool:
    """Whether linear arithmetic over monomials, with their signs by assumption, finds a contradiction.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x, y = Symbol("x", positive=True), Symbol("y", real=True)
    >>> infeasible([(-x * y, Kind.POSITIVE), (x * y + x, Kind.NONNEGATIVE), (-x - 1, Kind.NONNEGATIVE)])
    True
    """
    asked = frozenset(listed)
    found = _answers.get(asked)
    if found is None:
        if len(_answers) >= ANSWERS:
            _answers.clear()
        found = _answers[asked] = _infeasible(listed)
    return found


def _infeasible(listed: list[Form]) -> bool:
    constraints: list[Constraint] = []
    monomials: dict[Expr, int] = {}
    for e, kind in listed:
        constant, coefficients = _linear(e)
        named: dict[Hashable, Fraction] = {monomials.setdefault(m, len(monomials)): c for m, c in coefficients}
        constraints.append(Constraint(named, constant, kind))
    if len(monomials) > MONOMIALS:
        return False
    for m, name in monomials.items():
        signs = assumed_sign(m)
        if m.is_Pow and m.exp.is_Rational and m.exp.q == 2 and len(signs) > 1:
            signs = frozenset({0, 1}) if m.exp > 0 and _real_root(m.base, listed) else signs
        one = Fraction(1)
        if signs == {1} and m.is_integer:
            constraints.append(Constraint({name: one}, -one, Kind.NONNEGATIVE))
        elif signs <= {0, 1}:
            constraints.append(Constraint({name: one}, Fraction(0), _kind(signs)))
        elif signs <= {0, -1}:
            constraints.append(Constraint({name: -one}, Fraction(0), _kind(signs)))
    return isinstance(decide(constraints), Certificate)


def _kind(signs: frozenset[int]) -> Kind:
    return Kind.ZERO if signs == {0} else Kind.POSITIVE if 0 not in signs else Kind.NONNEGATIVE


def _real_root(base: Expr, listed: list[Form]) -> bool:
    """Whether some form says outright that the radicand is not negative."""
    constant, coefficients = _linear(base)
    wanted = dict(coefficients) | {S.One: constant}
    for e, kind in listed:
        if kind is Kind.ZERO:
            continue
        constant, coefficients = _linear(e)
        found = dict(coefficients) | {S.One: constant}
        ratios = (
            {found.get(m, Fraction(0)) / c for m, c in wanted.items() if c} if found.keys() == wanted.keys() else set()
        )
        if len(ratios) == 1 and ratios.pop() > 0:
            return True
    return False


def real_radicals(base: list[Form]) -> list[Form]:
    """Square roots, which are not negative where a form says that they are real."""
    roots = {p for e, _ in base for p in e.atoms(Pow) if p.exp == S.Half and assumed_sign(p) == ALL}
    return [(r, Kind.NONNEGATIVE) for r in sorted(roots, key=str) if _real_root(r.base, base)]


def pairs(base: list[Form]) -> list[Form]:
    """Products of every two forms (squares too): what a Positivstellensatz of degree 2 may add up."""
    made: list[Form] = []
    for (a, ka), (b, kb) in combinations_with_replacement(base, 2):
        if len(made) >= PAIRS:
            break
        made.append((_product(a, b), _product_kind(ka, kb)))
    return made


@lru_cache(maxsize=20000)
def _product(a: Expr, b: Expr) -> Expr:
    """Multiplied out; steps that differ in one premise share most of these."""
    return expand(a * b)


def _product_kind(a: Kind, b: Kind) -> Kind:
    if Kind.ZERO in (a, b):
        return Kind.ZERO
    return Kind.POSITIVE if a is b is Kind.POSITIVE else Kind.NONNEGATIVE


def atom_signs(base: list[Form]) -> list[Form]:
    """Symbols and other atoms of the forms whose sign is assumed, as forms of their own."""
    atoms = {
        f.as_base_exp()[0] if f.as_base_exp()[1].is_Integer else f
        for e, _ in base
        for term in Add.make_args(expand(e))
        for f in Mul.make_args(term)
        if not f.is_Number
    }
    made: list[Form] = []
    for a in sorted(atoms, key=str):
        signs = assumed_sign(a)
        if signs <= {0, 1}:
            made.append((a, Kind.POSITIVE if signs == {1} else Kind.NONNEGATIVE))
        elif signs <= {0, -1}:
            made.append((-a, Kind.POSITIVE if signs == {-1} else Kind.NONNEGATIVE))
    return made
