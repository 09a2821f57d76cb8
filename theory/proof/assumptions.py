"""The sign that an expression has by the assumptions of its symbols alone."""

from __future__ import annotations

from functools import lru_cache

from sympy import Expr, LambertW, Sum

from theory.proof.matching import BINDERS, narrowed

ALL = frozenset({-1, 0, 1})


@lru_cache(maxsize=20000)
def assumed_sign(e: Expr) -> frozenset[int]:
    """The signs that assumptions leave possible, a subset of {-1, 0, 1}.

    Examples
    --------
    >>> from sympy import Symbol
    >>> sorted(assumed_sign(-2 * Symbol("x", nonnegative=True)))
    [-1, 0]
    """
    if e.has(*BINDERS):
        e = narrowed(e)
    if isinstance(e, Sum):
        inner = assumed_sign(e.function)
        if {-1, 1} <= inner:
            return ALL
        never_empty = all(low.is_Integer and (high - low + 1).is_positive for _, low, high in e.limits)
        return inner if never_empty else inner | {0}
    if isinstance(e, LambertW) and len(e.args) == 1 and assumed_sign(e.args[0]) <= {0, 1}:
        return assumed_sign(e.args[0])
    if e.is_positive:
        return frozenset({1})
    if e.is_negative:
        return frozenset({-1})
    if e.is_zero:
        return frozenset({0})
    if e.is_nonnegative:
        return frozenset({0, 1})
    if e.is_nonpositive:
        return frozenset({0, -1})
    if e.is_nonzero:
        return frozenset({-1, 1})
    if e.is_Mul:
        signs = frozenset({1})
        for f in e.args:
            signs = frozenset(a * b for a in signs for b in assumed_sign(f))
        return signs
    return ALL
