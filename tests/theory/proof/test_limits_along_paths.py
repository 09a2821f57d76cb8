"""A limit that was found in one variable holds along every path to its place, and along no other."""

import pytest
from sympy import Eq, Function, Integer, Lambda, Limit, Symbol, exp, log, oo

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


def test_what_comes_to_one_value_of_a_function_says_nothing_of_another():
    """A(t) is 2 + (t - 1) x: A(1) stays, A(2) grows; the product comes to 1, from so far off that no world sees it."""
    line = Define("line", g(t), 2 + (t - 1) * x)
    small = Define("small", f(x), 2 + (1 + 10**10 / log(2 + x) ** 4) / x)
    settles = Tends("settles", f(x), x, oo, g(1), uses=("line", "small"))
    at_one, at_two = ((f(x) - g(1)) * g(place) for place in (1, 2))
    for product, expected in ((at_one, State.PROVED), (at_two, State.UNDECIDED)):
        claim = Tends("product", product, x, oo, Integer(0), uses=("settles",))
        found = Derivation((line, small), (settles, claim), lambda source: World({x: 7}))
        assert [step.state for step in found.check().steps] == [State.PROVED, expected]


def test_a_sum_that_something_comes_to_stays_but_not_each_of_its_terms():
    """g(1) + g(2) is 2 though both move: what is left of the sum beside it is 0, one of them alone is not settled."""
    terms = Define("term", g(t), 1 + (2 * t - 3) * x)
    small = Define("small", f(x), 2 + 1 / x)
    settles = Tends("settles", f(x), x, oo, g(1) + g(2), uses=("term", "small"))
    whole = Tends("distance", abs(f(x) - g(1) - g(2)), x, oo, Integer(0), uses=("settles",))
    single = Tends("distance", (f(x) - g(1) - g(2)) * g(2), x, oo, Integer(0), uses=("settles",))
    for claim, proved in ((whole, True), (single, False)):
        found = Derivation((terms, small), (settles, claim), lambda source: World({x: 7})).check()
        assert (found.steps[1].state is State.PROVED) is proved
