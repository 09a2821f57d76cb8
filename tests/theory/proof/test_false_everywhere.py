"""What holds of a symbol's own value is not said of every value, however it comes to be known.

The worlds are too kind to refute the false claims; beside each stands a true claim that must still be proved.
"""

import pytest
from kind_worlds import a, b, checked, h, i, n, x, y
from sympy import Abs, And, Eq, Function, Implies, Integer, Integral, Lambda, Limit, Rational, S, Sum, Symbol, oo, sqrt
from sympy.core.relational import Ge

from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.steps import Equal, Holds, Integrates, Root, Tends
from theory.proof.worlds import World

z, t, w = (Symbol(name, real=True) for name in "ztw")
p = Symbol("p", positive=True)
f, g = Function("f", real=True), Function("g", real=True)


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def lemma(premises, step, values=None) -> Derivation:
    return Derivation(tuple(premises), (step,), lambda source: World({x: 3, y: 2, a: 2, p: 3, **(values or {})}))


def proved(premises, *steps, world=None) -> bool:
    proof = checked(premises, *steps, world={x: 3, y: 5, z: 2, a: 2, **(world or {})})
    return proof.steps[-1].state is State.PROVED


def at(place) -> tuple:
    """Where a step that is told of any x is taken."""
    return (("any", {x: place}),)


RISES = Suppose("rises", Implies(t > 1, g(t) > 2 * t, evaluate=False), forall=(t,))
TWICE = {g: Lambda(t, 3 * t**2)}
LARGE = lemma(
    (Suppose("large", x > 1), RISES),
    Holds("c", g(x) > x + 1, uses=("large", "rises"), instances=(("rises", {t: x}),)),
    TWICE,
)


@pytest.mark.parametrize(
    ("known", "steps"),
    [
        ((Suppose("both", And(x > 1, z > 0)),), ()),
        (
            (Suppose("above", x > a), Suppose("two", a >= 2)),
            (Holds("both", And(x > 1, x + a > 3), uses=("above", "two")),),
        ),
        ((Suppose("large", x > 1),), ()),
    ],
    ids=["half of a hypothesis", "half of a step", "the whole"],
)
def test_an_import_keeps_the_range_that_something_here_gives_it(known, steps) -> None:
    """g(y) > y + 1 for y > 1 alone, whoever says x > 1."""
    every = Holds("any", 2 * g(x) > 2 * x + 2, uses=("lemma",), forall=(x,))
    claim = 3 * g(y) > 3 * y + 3
    for more, good in (((), False), ((Suppose("y is large", And(y > 1, y > a)),), True)):
        uses = ("any", *(part.name for part in more))
        premises = (*known, *more, RISES, Imported("lemma", LARGE))
        assert proved(premises, *steps, every, Holds("t", claim, uses=uses, instances=at(y)), world=TWICE) is good


def test_the_sign_of_a_place_is_a_range() -> None:
    """P y > p for positive p; of x it is said where x > 0 is supposed."""
    times = lemma((Suppose("two", y >= 2),), Holds("c", p * y > p, uses=("two",)))
    every = Holds("any", x * y + 1 > x + 1, uses=("lemma",), forall=(x,))
    premises = (Suppose("positive", x > 0), Suppose("two", y >= 2), Imported("lemma", times, at=((p, x),)))
    for place, good in ((z, False), (p, True)):
        step = Holds("t", 3 * place * y > 3 * place, uses=("any",), instances=at(place))
        assert proved(premises, every, step) is good


def test_what_a_head_is_declared_to_be_is_so_where_that_was_shown() -> None:
    """Y = sqrt(x) is real where x >= 1, and y^2 + 1 = x + 1 >= 1/3 there."""
    root = Symbol("root", real=True)
    premises = (Suppose("large", x >= 1), Define("root", root, sqrt(x)))
    real = Holds("real", Ge(root**2 + 1, S.Half, evaluate=False))
    every = Holds("any", x + 1 >= Rational(1, 3), uses=("real", "root"), forall=(x,))
    step = Holds("t", 2 * z + 2 > Rational(1, 3), uses=("any",), instances=at(z))
    states = [result.state for result in checked(premises, real, every, step, world={x: 3, z: 2}).steps]
    assert states == [State.PROVED, State.PROVED, State.UNDECIDED]


def test_a_sum_is_not_real_by_what_is_known_of_another_index() -> None:
    total, m = Symbol("total", real=True), Symbol("m", integer=True)
    step = Holds("t", Ge(2 * total**2 + 1, S.Half, evaluate=False))
    for body, good in ((sqrt(n), False), (sqrt(Abs(n)), True)):
        premises = (Suppose("one", n >= 1), Define("total", total, Sum(body, (n, m, 0))))
        assert (checked(premises, step, world={n: 2, m: 0}).steps[-1].state is State.PROVED) is good


def test_a_place_is_no_value_of_which_an_import_speaks() -> None:
    """Where a > 0, a + x^2 > 0 for every x; at a = x that says nothing of another y."""
    every = lemma((Suppose("positive", a > 0),), Holds("c", a + x**2 > 0, uses=("positive",), forall=(x,)))
    for place, good in ((x, False), (b, True)):
        premises = (Suppose("positive", place > 0), Imported("any", every, at=((a, place),)))
        step = Holds("t", 2 * (y if place is x else place) + 2 * y**2 > 0, uses=("any",), instances=at(y))
        assert proved(premises, step) is good


def test_a_step_on_what_is_supposed_of_every_place_holds_of_the_other_symbols_alone() -> None:
    """g(t) = y t for every t, and this y: z g(2) is y g(2) for no other z."""
    line = Suppose("line", same(g(t), y * t), forall=(t,))
    for free, good in ((y, False), (a, True)):
        every = Equal("any", free * g(2), 2 * free * y, uses=("line",), forall=(free,))
        left = 2 * z**2 if free is y else 2 * z * y
        claim = Equal("t", z * g(2) + 1, left + 1, uses=("any",))
        assert proved((line,), every, claim, world={g: Lambda(t, 5 * t), z: 5}) is good


def test_only_what_is_free_has_places() -> None:
    square = lemma(
        (Define("square", w, x**2), Suppose("large", w > 1)), Holds("c", w**2 + x**2 > 2, uses=("large", "square"))
    )
    step = Holds("t", 2 * x**4 + 2 * x**2 > 3, uses=("lemma",))
    assert not proved((Imported("lemma", square, at=((w, Integer(5)),)),), step)
    table = Suppose("table", same(h[i], i**2), forall=(i,))
    squares = {h: Lambda(i, i**2)}
    entries = lemma((table,), Equal("c", h[1] ** 2 + h[2], Integer(5), uses=("table",)), squares)
    step = Equal("t", 2 * z**2 + 2 * h[2] + h[1], Integer(11), uses=("lemma", "table"))
    assert not proved((table, Imported("lemma", entries, at=((h[1], z),))), step, world={**squares, z: 1})


def test_an_integral_may_run_downwards() -> None:
    """From a to b it meets nothing between only where a <= b."""
    half, positive = Suppose("half", same(f(p), p), forall=(p,)), Suppose("positive", a > 0)
    area = Integrates("area", x, x, a, b, x**2 / 2)
    for more, good in (((), False), ((Suppose("upwards", a <= b),), True)):
        uses = ("half", "area", "positive", *(part.name for part in more))
        step = Equal("t", Integral(f(x), (x, a, b)), b**2 / 2 - a**2 / 2, uses=uses)
        assert proved((half, positive, *more), area, step, world={f: Lambda(t, t), a: 1, b: 2}) is good


def test_the_end_of_a_sum_knows_nothing_of_its_own_index() -> None:
    """That n is 3 where n >= 1 is not known in a sum from 1 to n, which may be empty."""
    for fact, good in ((Implies(n >= 1, same(n, 3), evaluate=False), False), (same(n, 3), True)):
        three = Suppose("three", fact)
        step = Equal("t", Sum(g(i), (i, 1, n)) + 1, g(1) + g(2) + g(3) + 1, uses=("three",))
        assert proved((three,), step, world={n: 3, g: Lambda(t, t)}) is good


def test_in_a_limit_a_symbol_has_no_sign_but_its_own() -> None:
    """f(p) = p for positive p; that another x is positive does not tell f(x) far below."""
    half, positive = Suppose("half", same(f(p), p), forall=(p,)), Suppose("positive", x > 0)
    for symbol, end, uses, good in ((x, -oo, ("half", "positive", "l"), False), (p, oo, ("half", "l"), True)):
        limit = Integer(-1 if end == -oo else 1)
        settles = Tends("l", symbol / (1 + Abs(symbol)), symbol, end, limit)
        claim = Equal("t", a + Limit(f(symbol) / (1 + Abs(symbol)), symbol, end), a + limit, uses=uses)
        premises = (half, positive) if symbol is x else (half,)
        assert proved(premises, settles, claim, world={f: Lambda(t, t), x: 3, p: 3}) is good


def test_a_root_on_a_domain_is_that_of_what_lies_there() -> None:
    """x^4 + x = 18 has another solution below 0."""
    square = Suppose("square", same(x**4 + x, 18))
    for known, good in ((), False), ((Suppose("positive", x > 0),), True):
        uses = ("square", *(part.name for part in known))
        step = Root("t", x, square.fact, Integer(2), domain=x > 0, uses=uses)
        assert proved((square, *known), step, world={x: 2}) is good
