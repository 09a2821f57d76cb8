"""What runs inside an expression, and whether something put into it would be caught by that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sympy import Basic, Derivative, Indexed, Lambda, Limit, Subs, Symbol, preorder_traversal
from sympy.core.function import AppliedUndef

from theory.asymptotics import even, neuron, odd, order


def running_in(e: Basic) -> Iterator[Basic]:
    """What runs inside an expression of this head: the variable of a limit, of a derivative, of an order.

    The whole base runs in a derivative in one of its entries, as another entry may be the same one.
    """
    match e:
        case Derivative() | Subs():
            yield from (v.base.label if isinstance(v, Indexed) else v for v in e.variables)
        case Lambda():
            yield from e.signature
        case Limit():
            yield e.args[1]
        case order() | even() | odd():
            yield from (e.args[1], neuron)


def caught(e: Basic, places: Mapping[Basic, Basic]) -> bool:
    """Whether places put into an expression would speak of what runs there, and so say something else.

    Indices of sums have names of their own; what runs in a limit or a derivative keeps its name, or takes another:
    nothing is differentiated by 0, or by a square.

    Examples
    --------
    >>> from sympy import Function, Symbol, oo
    >>> x, t, f = Symbol("x"), Symbol("t"), Function("f")
    >>> caught(Limit(x * f(t), t, oo), {x: t}), caught(Limit(x * f(t), t, oo), {x: x + 1})
    (True, False)
    >>> caught(Derivative(f(t), t), {t: x}), caught(Derivative(f(t), t), {t: x**2})
    (False, True)
    """
    if not places or not e.has(*RUNNERS):
        return False
    for part in preorder_traversal(e):
        running = set(running_in(part))
        allowed = (Symbol, Indexed, AppliedUndef) if isinstance(part, Derivative) else Symbol
        if any(not isinstance(places[r], allowed) for r in running & places.keys()):
            return True
        names = {name for r in running for name in places.get(r, r).free_symbols}
        if names and any(places[s].free_symbols & names for s in places.keys() & part.free_symbols - running):
            return True
    return False


RUNNERS = (Derivative, Subs, Lambda, Limit, order, even, odd)
