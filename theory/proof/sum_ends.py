"""Last terms of sums and products, taken off where they are there."""

from __future__ import annotations

from sympy import Add, Basic, Integer, Mul, Product, Sum
from sympy.logic.boolalg import Boolean

from theory.proof.known import Known
from theory.proof.sums import Index


def split_ends(e: Basic, known: Known, ranges: tuple[Boolean, ...] = ()) -> Basic:
    """Last terms split off every sum and product that ends at something plus a positive integer.

    Only where the terms are there: a sum whose range ends before it begins is empty.

    Examples
    --------
    >>> from sympy import IndexedBase, Sum, Symbol
    >>> i, n = Symbol("i", integer=True), Symbol("n", integer=True, nonnegative=True)
    >>> split_ends(Sum(IndexedBase("h")[i], (i, 1, n + 1)), Known())
    h[n + 1] + Sum(h[i], (i, 1, n))
    """
    if not e.args or not e.has(Sum, Product):
        return e
    if not isinstance(e, Sum | Product):
        known = known.along(e)
        return e.func(*[split_ends(a, known, ranges) for a in e.args])
    inside = tuple(r for limit in e.limits for r in Index(*limit).ranges)
    function = split_ends(e.function, known, (*ranges, *inside))
    *inner, (index, low, high) = e.limits
    body = e.func(function, *inner) if inner else function
    shift = high.as_coeff_Add()[0]
    if high.is_Integer or not shift.is_Integer or shift <= 0 or not known.entails(high - shift >= low - 1, ranges):
        return e.func(body, (index, low, high))
    ends = [body.xreplace({index: high - Integer(k)}) for k in range(int(shift))]
    main = e.func(body, (index, low, high - shift))
    return Add(main, *ends) if isinstance(e, Sum) else Mul(main, *ends)
