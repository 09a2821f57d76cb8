"""What is said, in one form, and what follows from it at once."""

from __future__ import annotations

from sympy import Expr, expand

Said = tuple[str, object]
"""("==", gap), ("!=", gap), (">=", gap), (">", gap); ("and", parts), ("or", parts) with a frozenset of such."""
TRUE: Said = ("and", frozenset())
FALSE: Said = ("or", frozenset())


def conjuncts(said: Said) -> frozenset[Said]:
    """The parts of what is said together."""
    return said[1] if said[0] == "and" else frozenset({said})  # type: ignore[return-value]


def follows_at_once(said: Said, pool: frozenset[Said]) -> bool:
    """Whether something is among what is said already, as a whole, in parts, or as one of several possibilities."""
    if said in pool:
        return True
    kind, inner = said
    if kind == "and":
        return all(follows_at_once(part, pool) for part in inner)  # type: ignore[union-attr]
    if kind == "or":
        return any(follows_at_once(part, pool) for part in inner)  # type: ignore[union-attr]
    return kind == "==" and {(">=", inner), (">=", negative(inner))} <= pool


def negation(said: Said) -> Said:
    """That something is not so, of real numbers.

    Examples
    --------
    >>> from sympy import Symbol
    >>> x = Symbol("x", real=True)
    >>> negation(("==", x)), negation((">=", x)), negation(negation((">", x)))
    (('!=', x), ('>', -x), ('>', x))
    """
    kind, inner = said
    if kind in ("and", "or"):
        return ("or" if kind == "and" else "and"), frozenset(map(negation, inner))  # type: ignore[call-overload]
    if kind in (">=", ">"):
        return (">" if kind == ">=" else ">="), negative(inner)  # type: ignore[arg-type]
    if kind in ("==", "!="):
        return ("!=" if kind == "==" else "=="), inner
    return inner if kind == "not" else ("not", said)  # type: ignore[return-value]


def negative(gap: Expr) -> Expr:
    """The gap the other way round."""
    return expand(-gap)  # type: ignore[return-value]
