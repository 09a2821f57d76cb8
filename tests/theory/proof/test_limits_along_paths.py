"""A limit that was found in one variable holds along every path to its place, and along no other."""

import pytest
from sympy import Eq, Function, Integer, Lambda, Limit, Symbol, exp, oo

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Tends
from theory.proof.worlds import World

x, y, v = Symbol("x", positive=True), Symbol("y", positive=True), Symbol("v", real=True)
n = Symbol("n", integer=True, positive=True)
t = Symbol("t", real=True)
f, g = Function("f", real=True), Function("g", real=True)
SEEN = Suppose("seen", Eq(Limit(f(y), y, 0), v, evaluate=False))
FAR = Suppose("seen", Eq(Limit(f(y), y, oo), v, evaluate=False))
WHOLE = Suppose("seen", Eq(Limit(f(n), n, oo), v, evaluate=False))


def state(expression, value, point=oo, seen=SEEN, more=(), uses=("seen",)) -> State:
    """Of a limit in x, from one in another variable; f comes to 5 at 0 and far out."""
    step = Tends("limit", expression, x, point, value, uses=uses)
    world = World({x: 7, y: 3, n: 4, v: 5, f: Lambda(t, 5 + t / (1 + t**2))})
    return Derivation((seen, *more), (step,), lambda source: world).check().steps[0].state


@pytest.mark.parametrize(
    ("seen", "path", "point"),
    [(SEEN, 1 / x, oo), (SEEN, exp(-x), oo), (SEEN, x**2, Integer(0)), (FAR, 1 / x, Integer(0)), (FAR, x + 3, oo)],
)
def test_a_limit_holds_along_every_path(seen, path, point):
    assert state(1 + f(path) ** 2, 1 + v**2, point, seen) is State.PROVED
    assert state(1 + f(path) ** 2, 2 + v**2, point, seen) is State.REFUTED


@pytest.mark.parametrize(
    ("seen", "path", "point"),
    [
        (SEEN, 1 + 1 / x, oo),  # comes to 1, where f is something else
        (SEEN, -1 / x, oo),  # comes from below, where f need not have the limit
        (SEEN, 1 / x - 1 / x, oo),  # stands at the place itself, where f may be anything
        (FAR, 1 / x, oo),  # comes to 0
        (WHOLE, x, oo),  # between the integers f may be anything
    ],
)
def test_and_along_no_other(seen, path, point):
    assert state(f(path), v, point, seen) in (State.UNDECIDED, State.REFUTED)


def test_a_function_that_speaks_of_what_moves_in_another_way_is_not_taken_along():
    """g(t) is f(t) + y: in Limit(g(y), y, 0) the y that is added moves along, in g(1/x) it does not."""
    spoken = Define("sum", g(x), f(x) + y)
    seen = Suppose("seen", Eq(Limit(g(y), y, 0), v, evaluate=False))
    for uses in (("seen",), ("seen", "sum")):
        assert state(g(1 / x), v, seen=seen, more=(spoken,), uses=uses) is not State.PROVED


def test_what_a_limit_speaks_of_stays_in_a_later_one_and_another_abbreviation_does_not():
    """The letter c is v + y, or v + y/x, which moves: that something comes to c shows that it is the former."""
    fixed, moving = Define("c", g(y), v + y), Define("c", g(y), v + y / x)
    seen = Suppose("seen", Eq(Limit(f(x), x, oo), g(y), evaluate=False))
    known = Suppose("seen", Eq(Limit(f(x), x, oo), v, evaluate=False))
    step = Tends("no distance", abs(f(x) - g(y)), x, oo, Integer(0), uses=("seen",))
    wrong = Tends("a distance", abs(f(x) - g(y)), x, oo, Integer(1), uses=("seen",))
    for one, premises, end, expected in (
        (step, (fixed, seen), Integer(8), State.PROVED),
        (wrong, (fixed, seen), Integer(8), State.REFUTED),
        (step, (moving, known), Integer(5), State.UNDECIDED),
        (step, (moving, seen), 5 + Integer(3) / 7, State.REFUTED),
    ):
        world = World({x: 7, y: 3, v: 5, f: Lambda(t, end + 1 / t)})
        found = Derivation(premises, (one,), lambda source, world=world: world).check()
        assert found.steps[0].state is expected
