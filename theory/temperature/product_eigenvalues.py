"""Eigenvalues of a product of two symmetric matrices: how far they can lie apart (T21).

A is positive definite of size N, B positive semidefinite of rank R. All is written in the eigenbasis of B, the R axes
of its range first: B is a list of R positive eigenvalues there, and of A the entries between these axes are met only.
A vector y with A B y = mu y gives s = B y in the range with B A s = mu s. What is believed is the spectral theorem,
twice: A has an orthonormal basis of eigenvectors q[r], and so has B^(1/2) A B^(1/2) on the range, which says that the
s[e] = B^(1/2) c[e] are orthonormal in the inverse of B and complete.
"""

import random

from sympy import And, Eq, Expr, Implies, IndexedBase, KroneckerDelta, N, Rational, Sum, Symbol, sqrt

from theory.definitions.inequalities import above, at_least, at_most
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal, Holds, Termwise
from theory.proof.told import names
from theory.proof.worlds import World
from theory.proof.worlds import rational as fraction

size_A, R = (Symbol(name, integer=True, positive=True) for name in ("N", "R"))
e, k, l, r = (Symbol(name, integer=True, positive=True) for name in "eklr")  # noqa: E741
top, bottom = (Symbol(name, integer=True, positive=True) for name in ("top", "bottom"))
A, q, s, share, overlap, overlap_s, moved, form, inverse_form, length = (
    IndexedBase(name, real=True)
    for name in ("A", "q", "s", "share", "overlap_q", "overlap_s", "moved", "form", "inverse_form", "length")
)
a, mu, B = (IndexedBase(name, positive=True) for name in ("a", "mu", "B"))
a_min, a_max, b_min, b_max, mu_min, mu_max = (
    Symbol(name, positive=True) for name in ("a_min", "a_max", "b_min", "b_max", "mu_min", "mu_max")
)


def over_axes(term: Expr, index: Symbol = k) -> Expr:
    """Sum over the axes of the range of B."""
    return Sum(term, (index, 1, R))


def over_eigenvectors(term: Expr) -> Expr:
    """Sum over the eigenvectors of A."""
    return Sum(term, (r, 1, size_A))


BY_EIGENVECTORS = Define("A by its eigenvectors", A[k, l], over_eigenvectors(a[r] * q[r, k] * q[r, l]))
OVERLAP = Define("two axes by the eigenvectors of A", overlap[k, l], over_eigenvectors(q[r, k] * q[r, l]))
BASIS = Suppose(
    "eigenvectors of A are an orthonormal basis",
    Implies(And(at_most(k, R), at_most(l, R)), Eq(overlap[k, l], KroneckerDelta(k, l), evaluate=False), evaluate=False),
    forall=(k, l),
)
A_MOST = Suppose("no eigenvalue of A is larger", at_most(a[r], a_max), forall=(r,))
A_LEAST = Suppose("no eigenvalue of A is smaller", at_least(a[r], a_min), forall=(r,))
EIGENVECTORS = Suppose(
    "eigenvectors of B A in the range of B",
    Eq(B[k] * over_axes(A[k, l] * s[e, l], l), mu[e] * s[e, k], evaluate=False),
    forall=(e, k),
)

SHARE = Define(
    "an eigenvector's share of those of A",
    share[r, e],
    over_axes(q[r, k] * s[e, k]),
    "its square does not see a sign",
)
FORM = Define("form of A", form[e], over_axes(s[e, k] * over_axes(A[k, l] * s[e, l], l)))
INVERSE_FORM = Define("form of the inverse of B", inverse_form[e], over_axes(s[e, k] ** 2 / B[k]))
LENGTH = Define("squared length", length[e], over_axes(s[e, k] ** 2))
NOT_NOTHING = Suppose("no eigenvector is 0", above(length[e], 0), forall=(e,))
B_MOST = Suppose("no eigenvalue of B is larger", at_most(B[k], b_max), forall=(k,))
B_LEAST = Suppose("no eigenvalue of B is smaller", at_least(B[k], b_min), forall=(k,))
UPPER_PREMISES = (
    BY_EIGENVECTORS, OVERLAP, BASIS, A_MOST, A_LEAST, EIGENVECTORS, SHARE, FORM, INVERSE_FORM, LENGTH, NOT_NOTHING,
    B_MOST, B_LEAST,
)  # fmt: skip

QUOTIENT = Equal(
    "an eigenvalue is a quotient of forms",
    form[e],
    mu[e] * inverse_form[e],
    uses=names(EIGENVECTORS, FORM, INVERSE_FORM),
    because="<s, A s> = mu <s, B^+ s> in the range of B (Ostrowski)",
    forall=(e,),
)
IN_SHARES = Equal(
    "form of A in shares",
    form[e],
    over_eigenvectors(a[r] * share[r, e] ** 2),
    uses=names(BY_EIGENVECTORS, SHARE, FORM),
    forall=(e,),
)
THROUGH_OVERLAPS = Equal(
    "shares through overlaps",
    over_eigenvectors(share[r, e] ** 2),
    over_axes(s[e, k] * over_axes(s[e, l] * overlap[k, l], l)),
    uses=names(SHARE, OVERLAP),
    forall=(e,),
)
IN_ALL = Equal(
    "shares make up the length",
    over_eigenvectors(share[r, e] ** 2),
    length[e],
    uses=names(THROUGH_OVERLAPS, BASIS, LENGTH),
    because="the eigenvectors of A are a basis",
    forall=(e,),
)


def bounded(no_larger: bool) -> tuple[Termwise, Holds, Termwise, Holds, Holds]:
    """Steps to the bound of every eigenvalue by those of A and of B, above or below."""
    word, end_a, end_b, of_a, of_b = (
        ("larger", a_max, b_max, A_MOST, B_MOST) if no_larger else ("smaller", a_min, b_min, A_LEAST, B_LEAST)
    )
    shares = (over_eigenvectors(a[r] * share[r, e] ** 2), over_eigenvectors(end_a * share[r, e] ** 2))
    parts = (over_axes(s[e, k] ** 2 / end_b), over_axes(s[e, k] ** 2 / B[k]))
    by_a = Termwise(
        f"no share is {word}",
        *(shares if no_larger else reversed(shares)),
        uses=names(of_a),
        instances=((of_a.name, {r: r}),),
        forall=(e,),
    )
    of_form = Holds(
        f"form of A is no {word}",
        at_most(form[e], end_a * length[e]) if no_larger else at_least(form[e], end_a * length[e]),
        uses=names(by_a, IN_SHARES, IN_ALL),
        instances=((by_a.name, {e: e}),),
        forall=(e,),
    )
    by_b = Termwise(
        f"no part of the other is {'smaller' if no_larger else 'larger'}",
        *(parts if no_larger else reversed(parts)),
        uses=names(of_b),
        instances=((of_b.name, {k: k}),),
        forall=(e,),
    )
    of_inverse = Holds(
        f"form of the inverse of B is no {'smaller' if no_larger else 'larger'}",
        at_least(inverse_form[e], length[e] / end_b) if no_larger else at_most(inverse_form[e], length[e] / end_b),
        uses=names(by_b, INVERSE_FORM, LENGTH),
        instances=((by_b.name, {e: e}),),
        forall=(e,),
    )
    of_both = Holds(
        f"no eigenvalue is {word}",
        at_most(mu[e], end_a * end_b) if no_larger else at_least(mu[e], end_a * end_b),
        uses=names(QUOTIENT, of_form, of_inverse, NOT_NOTHING),
        instances=tuple((name, {e: e}) for name in names(of_form, of_inverse, NOT_NOTHING)),
        because="forms lie between the extreme eigenvalues times the square of the vector's length",
        forall=(e,),
    )
    return by_a, of_form, by_b, of_inverse, of_both


FROM_ABOVE, FROM_BELOW = bounded(no_larger=True), bounded(no_larger=False)
MOST_AND_LEAST = FROM_ABOVE[-1], FROM_BELOW[-1]
"""Every eigenvalue of the product lies between a_min b_min and a_max b_max."""
UPPER_STEPS = (QUOTIENT, IN_SHARES, THROUGH_OVERLAPS, IN_ALL, *FROM_ABOVE, *FROM_BELOW)

OVERLAP_S = Define("two axes by the eigenvectors of the product", overlap_s[k, l], over_axes(s[e, k] * s[e, l], e))
BASIS_S = Suppose(
    "eigenvectors of the product are a basis, orthonormal in the inverse of B",
    Implies(
        And(at_most(k, R), at_most(l, R)),
        Eq(overlap_s[k, l], B[k] * KroneckerDelta(k, l), evaluate=False),
        evaluate=False,
    ),
    forall=(k, l),
)
MU_MOST = Suppose("no eigenvalue of the product is larger", at_most(mu[e], mu_max), forall=(e,))
MU_LEAST = Suppose("no eigenvalue of the product is smaller", at_least(mu[e], mu_min), forall=(e,))
TOP_AXIS = Suppose("B has an axis of its largest eigenvalue", And(at_most(top, R), Eq(B[top], b_max, evaluate=False)))
BOTTOM_AXIS = Suppose(
    "B has an axis of its smallest eigenvalue", And(at_most(bottom, R), Eq(B[bottom], b_min, evaluate=False))
)
MOVED = Define("A on an eigenvector of the product", moved[e, k], over_axes(A[k, l] * s[e, l], l))
LOWER_PREMISES = (
    BY_EIGENVECTORS, OVERLAP, BASIS, A_MOST, A_LEAST, EIGENVECTORS, OVERLAP_S, BASIS_S, MU_MOST, MU_LEAST, TOP_AXIS,
    BOTTOM_AXIS, MOVED,
)  # fmt: skip
ACTED_ON = Equal(
    "an eigenvector acted on", moved[e, k], mu[e] * s[e, k] / B[k], uses=names(EIGENVECTORS, MOVED), forall=(e, k)
)


def on_axis(largest: bool) -> tuple[Equal | Termwise | Holds, ...]:
    """Steps from the axis of an extreme eigenvalue of B to the bound of that of the product."""
    t, axis, end_a, of_a, end_b, end_mu, of_mu, word = (
        (top, TOP_AXIS, a_min, A_LEAST, b_max, mu_max, MU_MOST, "largest")
        if largest
        else (bottom, BOTTOM_AXIS, a_max, A_MOST, b_min, mu_min, MU_LEAST, "smallest")
    )
    by_a = (over_eigenvectors(end_a * q[r, t] ** 2), over_eigenvectors(a[r] * q[r, t] ** 2))
    by_mu = (over_axes(mu[e] * s[e, t] ** 2, e), over_axes(end_mu * s[e, t] ** 2, e))
    acted = over_axes(A[t, l] * overlap_s[l, t], l)
    unit = Equal(f"length of B's {word} axis", end_a * overlap[t, t], end_a, uses=names(BASIS, axis))
    shares = Termwise(
        f"shares of B's {word} axis",
        *(by_a if largest else reversed(by_a)),
        uses=names(of_a),
        instances=((of_a.name, {r: r}),),
    )
    along = Holds(
        f"A along B's {word} axis",
        at_least(A[t, t], end_a) if largest else at_most(A[t, t], end_a),
        uses=names(shares, unit, OVERLAP, BY_EIGENVECTORS),
    )
    through = Equal(
        f"B's {word} axis by the product's eigenvectors, acted on",
        acted,
        over_axes(s[e, t] * moved[e, t], e),
        uses=names(OVERLAP_S, MOVED),
    )
    same = Equal(f"B's {word} axis acted on", B[t] * A[t, t], acted, uses=names(BASIS_S, axis))
    in_parts = Equal(
        f"A along B's {word} axis by the product's eigenvalues",
        B[t] ** 2 * A[t, t],
        by_mu[0],
        uses=names(same, through, ACTED_ON),
        because="the axis is a sum of eigenvectors of the product, each of which A takes to mu B^+ times itself",
    )
    weight = Equal(f"weight of B's {word} axis", end_mu * overlap_s[t, t], end_mu * B[t], uses=names(BASIS_S, axis))
    parts = Termwise(
        f"parts of B's {word} axis",
        *(by_mu if largest else reversed(by_mu)),
        uses=names(of_mu),
        instances=((of_mu.name, {e: e}),),
    )
    bound = Holds(
        f"A along B's {word} axis against the product",
        at_most(B[t] * A[t, t], end_mu) if largest else at_least(B[t] * A[t, t], end_mu),
        uses=names(in_parts, parts, weight, OVERLAP_S),
    )
    of_both = Holds(
        f"the {word} is no {'smaller' if largest else 'larger'}",
        at_least(end_mu, end_a * end_b) if largest else at_most(end_mu, end_a * end_b),
        uses=names(along, bound, axis),
    )
    return unit, shares, along, through, same, in_parts, weight, parts, bound, of_both


AT_THE_TOP, AT_THE_BOTTOM = on_axis(largest=True), on_axis(largest=False)
ENDS = AT_THE_TOP[-1], AT_THE_BOTTOM[-1]
"""The largest eigenvalue of the product is at least a_min b_max, the smallest at most a_max b_min."""
LOWER_STEPS = (ACTED_ON, *AT_THE_TOP, *AT_THE_BOTTOM)


def two_matrices(source: random.Random) -> World:
    """A of size three with rational eigenvectors, B of rank two; the product's eigenvectors to 90 digits."""
    values = [fraction(source) for _ in range(3)]
    axes = _rotated(source)
    roots = [fraction(source, 1, 3) for _ in range(2)]
    seen = [[sum(v * w[x] * w[y] for v, w in zip(values, axes, strict=True)) for y in range(2)] for x in range(2)]
    first, second, both = roots[0] ** 2 * seen[0][0], roots[1] ** 2 * seen[1][1], roots[0] * roots[1] * seen[0][1]
    half = N(sqrt((first - second) ** 2 / 4 + both**2), 90)
    found = [(first + second) / 2 + half, (first + second) / 2 - half]
    vectors = []
    for value in found:
        size = N(sqrt(both**2 + (value - first) ** 2), 90)
        vectors.append([roots[0] * both / size, roots[1] * (value - first) / size])
    squares = [root**2 for root in roots]
    places = {index: source.randint(1, 2) for index in (e, k, l)}
    return World(
        {
            **places,
            size_A: 3,
            R: 2,
            r: source.randint(1, 3),
            a: values,
            q: axes,
            B: squares,
            mu: found,
            s: vectors,
            a_min: min(values),
            a_max: max(values),
            b_min: min(squares),
            b_max: max(squares),
            mu_min: found[1],
            mu_max: found[0],
            top: 1 + squares.index(max(squares)),
            bottom: 1 + squares.index(min(squares)),
        }
    )


def _rotated(source: random.Random) -> list[list[Rational]]:
    """Three orthonormal rational vectors, turned in each plane in turn."""
    vectors = [[Rational(int(x == y)) for y in range(3)] for x in range(3)]
    for x, y in ((0, 1), (1, 2), (0, 2)):
        c, d, h = source.choice(((3, 4, 5), (5, 12, 13), (-8, 15, 17), (20, 21, 29)))
        for w in vectors:
            w[x], w[y] = Rational(c, h) * w[x] - Rational(d, h) * w[y], Rational(d, h) * w[x] + Rational(c, h) * w[y]
    return vectors
