"""What premises and steps are given: numbers of Python become numbers of SymPy, and what cannot be meant is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sympy import Symbol, nan, sympify


def take_numbers(part: Any) -> None:
    """Numbers of Python among the expressions of a premise or step become numbers of SymPy; the rest stays as it is.

    Expressions are what a field is declared to hold: a count of terms, an ``int``, stays one.

    Raises
    ------
    ValueError
        If something is nan, or a fact is said of every value of what is no symbol.
    """
    kind = f"{type(part).__name__} {part.name}"
    for field in fields(part):
        if not any(word in str(field.type) for word in ("Expr", "Basic", "Boolean")):
            continue
        given = getattr(part, field.name)
        taken = _taken(given)
        if _undefined(taken):
            raise ValueError(f"{kind}: {field.name} is {given}; allowed are numbers and expressions; nan is neither")
        if taken is not given:
            object.__setattr__(part, field.name, taken)
    every = getattr(part, "forall", ())
    if not isinstance(every, tuple) or not all(isinstance(s, Symbol) for s in every):
        raise ValueError(
            f"{kind}: forall is {every}; allowed is a tuple of symbols; write (x,) for a single one, and say a fact of "
            f"every entry of a table by its index"
        )


def _taken(given: Any) -> Any:
    """The same object where there is nothing to change.

    Examples
    --------
    >>> _taken((("name", {Symbol("x"): 2}), 1)), type(_taken(2)).__name__
    ((('name', {x: 2}), 1), 'Integer')
    """
    if isinstance(given, tuple):
        made: Any = tuple(_taken(one) for one in given)
        return given if all(a is b for a, b in zip(made, given, strict=True)) else made
    if isinstance(given, Mapping):
        made = {key: _taken(value) for key, value in given.items()}
        return given if all(made[key] is given[key] for key in made) else made
    return given if isinstance(given, str) else sympify(given)


def _undefined(taken: Any) -> bool:
    if isinstance(taken, tuple):
        return any(_undefined(one) for one in taken)
    return any(_undefined(one) for one in taken.values()) if isinstance(taken, Mapping) else taken is nan
