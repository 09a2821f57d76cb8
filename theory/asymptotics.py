"""What ``order(X, d)``, ``even(X, d)`` and ``odd(X, d)`` mean, and how a world measures them.

``order(X, d)`` is the exponent with which X follows d; several quantities in a Tuple share one order, or a
world says infinity. Where X is a sum over d independent neurons it is that of the root mean square over their
initial weights, and a world takes it by an exact expectation, with no use of any rule of the algebra of
orders: it gives a few equally likely initial weights to a neuron, computes what each contributes, and has

    E (sum X)^2 = d E X^2 + d (d - 1) (E X)^2

at two astronomically large widths; the exponent is the logarithmic slope between them. ``even(X, d)`` and
``odd(X, d)`` are the orders of the mean sizes of the two parts of a quantity of one neuron under a change of
sign of its initial output weight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from sympy import Basic, Expr, Float, Function, Indexed, Integer, Rational, S, Subs, Sum, Symbol, Tuple, log

if TYPE_CHECKING:
    from theory.proof.evaluation import Evaluation

neuron = Symbol("r", integer=True, positive=True)
"""The index of neurons, in every sum over them and in the states of one of them."""

draws = Symbol("draws", integer=True, positive=True)
"""How many initial neurons a world offers, n; they are equally likely, and number n + 1 - j mirrors number
j."""

SCALES = (Integer(10) ** 60, Integer(10) ** 120)
DIGITS = 400
NOISE = Float(10) ** -300
DENOMINATORS = 5040


class order(Function):  # noqa: N801
    """``order(quantity, control)``: the exponent with which a quantity follows a control."""

    nargs = 2
    is_extended_real = True

    def value_in(self, world: Evaluation, local: dict[Basic, Any]) -> Expr:
        """Logarithmic slope between two huge values of the control."""
        quantity, control = self.args
        if isinstance(quantity, Tuple):
            orders = {order(one, control).value_in(world, local) for one in quantity.args}
            return orders.pop() if len(orders) == 1 else S.Infinity
        if isinstance(quantity, Indexed) and not _defined(quantity, world):  # a number given by the world
            return S.NegativeInfinity if world._in(quantity, local) == 0 else S.Zero
        sizes = lambda: [_size(quantity, control, _at(world, control, scale), local) for scale in SCALES]  # noqa: E731
        return _remembered(self, world, local, lambda: _slope(sizes()))


class even(Function):  # noqa: N801
    """``even(quantity, width)``: order of the part that is even in the neuron's initial output weight."""

    nargs = 2
    is_extended_real = True

    def value_in(self, world: Evaluation, local: dict[Basic, Any]) -> Expr:
        """Logarithmic slope of the mean size of the even part."""
        sizes = lambda: [_part(self, world, local, scale, 1) for scale in SCALES]  # noqa: E731
        return _remembered(self, world, local, lambda: _slope(sizes()))


class odd(Function):  # noqa: N801
    """``odd(quantity, width)``: order of the part that is odd in the neuron's initial output weight."""

    nargs = 2
    is_extended_real = True

    def value_in(self, world: Evaluation, local: dict[Basic, Any]) -> Expr:
        """Logarithmic slope of the mean size of the odd part."""
        sizes = lambda: [_part(self, world, local, scale, -1) for scale in SCALES]  # noqa: E731
        return _remembered(self, world, local, lambda: _slope(sizes()))


def _remembered(e: Basic, world: Evaluation, local: dict[Basic, Any], measure: Callable[[], Expr]) -> Expr:
    """States of neurons at one width serve many orders, and one order serves many steps."""
    key = (e, tuple(sorted(local.items(), key=str)))
    if key not in world.memory:
        world.memory[key] = measure()
    return world.memory[key]


def _at(world: Evaluation, control: Basic, scale: Integer) -> Evaluation:
    key = ("at", control, scale)
    if key not in world.memory:
        values = {name: _numbers(value) for name, value in world.values.items() if name != control}
        far = {**values, control: Float(scale, DIGITS)}
        world.memory[key] = replace(world, values=far, digits=DIGITS, memory={})  # pyright: ignore[reportArgumentType]
    return world.memory[key]  # pyright: ignore[reportReturnType]


def _numbers(value: Any) -> Any:
    """Entries of a table in many digits: powers of exact fractions would be factored again and again."""
    if not isinstance(value, Mapping):
        return value
    return {place: Float(entry, DIGITS) if entry != 0 else entry for place, entry in value.items()}


def _slope(sizes: list[Expr]) -> Expr:
    """Slope of log size, as the nearest fraction of small denominator where there is one."""
    low, high = sizes
    if low == 0 and high == 0:
        return S.NegativeInfinity
    if low == 0 or high == 0:
        return S.NaN
    slope = (log(Float(high, 50)) - log(Float(low, 50))) / log(Float(SCALES[1] / SCALES[0], 50))
    near = Rational(str(slope)).limit_denominator(DENOMINATORS)
    return near if abs(slope - near) < Float(10) ** -11 else slope


def _size(quantity: Expr, control: Basic, world: Evaluation, local: dict[Basic, Any]) -> Expr:
    unfolded = differentiated(_unfold(quantity, world))
    sums = sorted((s for s in unfolded.atoms(Sum) if s.limits[0][2] == control), key=str)
    if not sums:
        return abs(world._in(unfolded, local))
    names = [Symbol(f"sum{i}") for i in range(len(sums))]
    linear = unfolded.xreplace(dict(zip(sums, names, strict=True)))
    weights = [world._in(linear.diff(name), local) for name in names]
    if linear.xreplace(dict.fromkeys(names, S.Zero)).expand() != 0:
        raise ValueError(f"order: {quantity} is not a plain combination of sums over neurons; write it as one")
    count = int(world.value(draws))
    contributions = [
        sum(
            weight * world._in(s.function, {**local, s.limits[0][0]: Integer(j)})
            for weight, s in zip(weights, sums, strict=True)
        )
        for j in range(1, count + 1)
    ]
    mean = sum(contributions, S.Zero) / count
    square = sum((c**2 for c in contributions), S.Zero) / count
    if abs(mean) ** 2 <= NOISE * square:
        mean = S.Zero
    d = world.value(control)
    return Float(d * square + d * (d - 1) * mean**2, DIGITS) ** Rational(1, 2)


def _part(asked: Basic, world: Evaluation, local: dict[Basic, Any], scale: Integer, parity: int) -> Expr:
    quantity, width = asked.args
    here = _at(world, width, scale)
    count = int(here.value(draws))
    values = [here._in(quantity, {**local, neuron: Integer(j)}) for j in range(1, count + 1)]
    parts = [abs(one + parity * other) / 2 for one, other in zip(values, reversed(values), strict=True)]
    largest = max(abs(v) for v in values)
    mean = sum(parts, S.Zero) / count
    return S.Zero if mean <= NOISE * largest else mean


@cache
def differentiated(expression: Expr) -> Expr:
    """Derivatives taken once for all neurons."""
    return expression.replace(lambda e: isinstance(e, Subs), lambda e: e.doit())


def _defined(entry: Indexed, world: Evaluation) -> bool:
    return any(isinstance(head, Indexed) and head.base == entry.base for head, _ in world.definitions)


def _unfold(quantity: Expr, world: Evaluation) -> Expr:
    """Definitions put in until every sum over neurons is in sight."""
    from theory.proof.evaluation import _bind, _head_key
    from theory.proof.premises import pattern_arguments

    for _ in range(100):
        changes: dict[Basic, Expr] = {}
        for head, body in world.definitions:
            if not body.has(Sum):
                continue
            for place in quantity.atoms(type(head)):
                if _head_key(place) != _head_key(head):
                    continue
                arguments = place.indices if isinstance(place, Indexed) else place.args
                bound = _bind(pattern_arguments(head) or (), tuple(arguments))
                if bound is not None:
                    changes[place] = body.xreplace(bound)
        if not changes:
            return quantity
        quantity = quantity.xreplace(changes)
    raise ValueError(f"order: the definitions of {quantity} do not end; define it without a circle")
