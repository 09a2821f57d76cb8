"""A path on which all shares of a softmax come apart, and the eigenvalue of one class along it (T20).

All is in units of the share p_i of class i at the point m. The eigenvalue is c(x) p_i. Larger neighbour and smaller
neighbour are the classes i - 1 and i + 1, with p_i/p_(i-1) = x v(x) and p_(i+1)/p_i = x w(x); the ratios of the
classes beyond them are larger(a, x) = p_i/p_a and smaller(b, x) = p_b/p_i. Each is written as a function of m and i
too, so that a result may be taken for several classes of several points at once.
"""

import random
from collections.abc import Callable
from typing import Any

from sympy import And, Eq, Expr, Function, Implies, Lambda, Min, Ne, Piecewise, Rational, Sum, Symbol
from sympy import Limit as SymbolicLimit
from sympy.logic.boolalg import Boolean

from theory.definitions.inequalities import above, at_least, at_most, below
from theory.definitions.temperature import i, m
from theory.proof.premises import Define, Suppose
from theory.proof.worlds import World

x = Symbol("x", positive=True)
a, b = (Symbol(name, integer=True, positive=True) for name in "ab")
further = Symbol("further", integer=True, nonnegative=True)
s = Symbol("s", real=True)
v_0, w_0 = (Symbol(name, nonnegative=True) for name in ("v_0", "w_0"))
SHAPES: dict[str, Any] = {
    **{name: Function(name, nonnegative=True) for name in "vw"},
    **{name: Function(name, positive=True) for name in ("larger", "smaller")},
    **{
        name: Function(name, real=True)
        for name in ("c", "count", "up", "down", "far_up", "far_down", "excess", "slope")
    },
}
"""Functions of the point m, the class i and the arguments that are written out."""


def of_class(name: str) -> Callable[..., Expr]:
    """One of them at m and i.

    Examples
    --------
    >>> of_class("c")(x)
    c(m, i, x)
    """
    return lambda *arguments: SHAPES[name](m, i, *arguments)


v, w, larger, smaller = map(of_class, ("v", "w", "larger", "smaller"))
c, count, up, down, far_up, far_down, excess, slope = map(
    of_class, ("c", "count", "up", "down", "far_up", "far_down", "excess", "slope")
)

NEAR = at_most(8 * (further + 2) * x, 1)


def over_larger(term: Expr) -> Sum:
    """Sum over the i - 2 classes beyond the larger neighbour."""
    return Sum(term, (a, 1, i - 2))


def over_smaller(term: Expr) -> Sum:
    """Sum over the classes beyond the smaller neighbour."""
    return Sum(term, (b, 1, further))


def where_small(fact: Boolean) -> Boolean:
    """The fact, where x is small."""
    return Implies(NEAR, fact, evaluate=False)


ADDED = over_larger(c(x) * larger(a, x) / (1 - c(x) * larger(a, x)))
TAKEN = over_smaller(smaller(b, x) / (c(x) - smaller(b, x)))
COUNTED = 1 / (1 - c(x) * x * v(x)) + over_larger(1 / (1 - c(x) * larger(a, x)))

SMALL = Suppose("x is small", NEAR)
NOT_FIRST = Suppose("not the largest", at_least(i, 2))
SECULAR = Suppose(
    "secular equation",
    Eq(1 / (c(x) - 1), count(x) - x * w(x) / (c(x) - x * w(x)) - TAKEN, evaluate=False),
    forall=(x,),
)
PLACE = Suppose(
    "between its share and the next", where_small(And(above(c(x), 1), below(c(x) * x * v(x), 1))), forall=(x,)
)
BELOW = Suppose("below all larger shares", where_small(below(c(x) * larger(a, x), 1)), forall=(a, x))
LARGEST = Suppose(
    "x is the largest ratio of neighbours", where_small(And(at_most(v(x), 1), at_most(w(x), 1))), forall=(x,)
)
FAR_LARGER = Suppose("far larger classes", where_small(at_most(larger(a, x), x**2)), forall=(a, x))
FAR_SMALLER = Suppose("far smaller classes", where_small(at_most(smaller(b, x), x**2)), forall=(b, x))
V_SETTLES = Suppose("larger neighbour", Eq(SymbolicLimit(v(x), x, 0), v_0, evaluate=False))
W_SETTLES = Suppose("smaller neighbour", Eq(SymbolicLimit(w(x), x, 0), w_0, evaluate=False))
MATTERS = Suppose("the neighbours do not cancel", Ne(i**2 * v_0, (i - 1) ** 2 * w_0, evaluate=False))

COUNT = Define("what larger classes count", count(x), COUNTED)
UP = Define("what the larger neighbour adds", up(x), c(x) * x * v(x) / (1 - c(x) * x * v(x)))
DOWN = Define("what the smaller neighbour takes", down(x), x * w(x) / (c(x) - x * w(x)))
FAR_UP = Define("what far larger classes add, over x", far_up(x), ADDED / x)
FAR_DOWN = Define("what far smaller classes take, over x", far_down(x), TAKEN / x)
EXCESS = Define("excess", excess(x), up(x) + x * far_up(x) - down(x) - x * far_down(x))
SLOPE = Define("excess over x", slope(x), excess(x) / x)
FIRST_ORDER = Define("first order", s, i * v_0 / (i - 1) - (i - 1) * w_0 / i)

OF_THE_LIMIT = (SMALL, NOT_FIRST, SECULAR, PLACE, BELOW, LARGEST, FAR_LARGER, FAR_SMALLER)
HYPOTHESES = (*OF_THE_LIMIT, V_SETTLES, W_SETTLES, MATTERS)


t, point, place = (Symbol(name, positive=True) for name in ("t", "point", "place"))
FAR = Rational(1, 40)


def a_path(source: random.Random) -> World:
    """One class of one point along its path."""
    at, more = source.randint(2, 4), source.randint(0, 2)
    functions, (high, low) = paths(source, {(1, at): more})
    return World({**functions, **somewhere(source), m: 1, i: at, further: more, v_0: high, w_0: low})


def somewhere(source: random.Random) -> dict[Any, Any]:
    """A small x, and the first of the classes further away."""
    return {x: Rational(1, source.randint(40, 60)), a: 1, b: 1}


def paths(source: random.Random, classes: dict[tuple[int, int], int]) -> tuple[dict[Any, Lambda], tuple[Expr, ...]]:
    """Functions of a world for points and classes with so many further ones, and what v and w of them come to."""
    drawn = {key: _of_one(source, key[1], more) for key, more in classes.items()}
    functions = {}
    for name, extra in (("c", ()), ("v", ()), ("w", ()), ("larger", (a,)), ("smaller", (b,))):
        branches = [(path[name], And(Eq(point, at), Eq(place, class_))) for (at, class_), (path, _) in drawn.items()]
        whole = Piecewise(*branches) if len(branches) > 1 else branches[0][0]
        functions[SHAPES[name]] = Lambda((point, place, *extra, t), whole)
    return functions, tuple(end for _, ends in drawn.values() for end in ends)


def _of_one(source: random.Random, class_: int, more: int) -> tuple[dict[str, Expr], tuple[Expr, Expr]]:
    """A line for c(x), and the ratio of the smaller neighbour that the secular equation then asks for.

    All shares stay where they are from x = FAR on, so that the equation holds at any x.
    """
    r = Min(t, FAR)
    high, low = Rational(source.randint(1, 3), 4), Rational(source.randint(1, 3), 8)
    above, below = (Rational(source.randint(1, 3), 4) * r**2 for _ in range(2))
    first = Rational(class_, class_ - 1)
    ratio = first - (first * high - low / first) / (class_ - 1) ** 2 * r
    counted = 1 / (1 - ratio * r * high) + (class_ - 2) / (1 - ratio * above)
    taken = counted - more * below / (ratio - below) - 1 / (ratio - 1)
    low_ratio = ratio * taken / (t * (1 + taken))
    return {"c": ratio, "v": high * r / t, "w": low_ratio, "larger": above, "smaller": below}, (high, low)
