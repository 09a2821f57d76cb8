"""Premises that nothing satisfies, though a world seems to: to some digits, at places tried, as far as SymPy tells."""

import pytest
from sympy import (
    Eq,
    Function,
    Implies,
    IndexedBase,
    Integer,
    Lambda,
    N,
    Rational,
    Symbol,
    exp,
    log,
    pi,
    sin,
    sqrt,
)

from theory.proof.derivation import Derivation, Imported, State, Suppose
from theory.proof.evaluation import Evaluation
from theory.proof.steps import Crossing, Equal, Holds
from theory.proof.taken import broken_place
from theory.proof.worlds import World

x, y, t, u, root = (Symbol(name, real=True) for name in ("x", "y", "t", "u", "root"))
whole, ratio = Symbol("n", integer=True), Symbol("r", rational=True)
f, two = Function("f", real=True), Function("g", real=True)
count, entries = Function("count", integer=True), IndexedBase("h", integer=True)
NEAR = Rational(str(N(log(3), 50)))
ABOVE = NEAR + Rational(1, 10**48)
ANYTHING = y >= 5


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def judged(premises, *steps, **values):
    named = {str(s): s for s in (x, y, whole, ratio, root)}
    world = {named.get(name, name): value for name, value in values.pop("world", {}).items()} | values
    made = Derivation(tuple(premises), steps, lambda source: World(world)).check()
    return made.state, " ".join(s.reason for s in made.steps)


@pytest.mark.parametrize(
    ("place", "where"), [(log(5), same(exp(t), 5)), (pi, same(sin(t / 3), sqrt(3) / 2))], ids=["log", "pi"]
)
def test_a_rule_is_asked_where_it_is_taken(place, where) -> None:
    """F = 0 everywhere, and 1 where exp(t) = 5: that y <= 0 was PROVED of every y."""
    zero = Suppose("zero", same(f(t), 0), forall=(t,))
    one = Suppose("one", Implies(where, same(f(t), 1), evaluate=False), forall=(t,))
    steps = (
        Equal("first", y * f(place), y, uses=("one",)),
        Equal("second", y * f(place) + 1, Integer(1), uses=("zero",)),
        Holds("last", y <= 0, uses=("first", "second")),
    )
    state, reason = judged((zero, one), *steps, world={"y": 0, f: Lambda(t, 0 * t)})
    assert state is State.VACUOUS and "'one' does not hold at t = " in reason
    kind = Suppose("one", Implies(where, same(f(t), 0), evaluate=False), forall=(t,))
    step = Equal("first", y * f(place) + 1, Integer(1), uses=("one",))
    assert judged((kind,), step, world={"y": 0, f: Lambda(t, 0 * t)})[0] is State.PROVED


def test_a_rule_of_two_symbols_is_asked_where_it_is_taken() -> None:
    zero = Suppose("zero", same(two(t, u), 0), forall=(t, u))
    one = Suppose("one", Implies(same(exp(t), u), same(two(t, u), 1), evaluate=False), forall=(t, u))
    steps = (
        Equal("first", y * two(x, exp(x)), y, uses=("one",)),
        Equal("second", y * two(x, exp(x)) + 1, Integer(1), uses=("zero",)),
        Holds("last", y <= 0, uses=("first", "second")),
    )
    world = {"x": 1, "y": 0, two: Lambda((t, u), 0 * t)}
    assert judged((zero, one), *steps, world=world)[0] is State.VACUOUS
    assert judged((zero,), steps[1], world=world)[0] is State.PROVED


def test_a_broken_place_is_told() -> None:
    world = Evaluation({f: Lambda(t, t)})
    assert "breaks Eq(f(3), 0)" in broken_place(world, (same(f(3), 0),))
    assert broken_place(world, (same(f(3), 3), same(f(u), 0))) == ""


def test_a_hypothesis_that_holds_to_some_digits_does_not_hold() -> None:
    """No x is both NEAR, of 50 digits, and the logarithm of 3: that y >= 5 was PROVED of every y."""
    for place in (ABOVE, NEAR):
        told = Suppose("told", exp(x) <= 3 if place == ABOVE else same(exp(x), 3)), Suppose("here", same(x, place))
        state, reason = judged(told, Holds("last", ANYTHING, uses=("told", "here")), world={"x": place, "y": 6})
        assert state is State.VACUOUS and "'told' does not hold, but nearly" in reason
    good = Suppose("told", exp(x) <= 4), Suppose("here", same(x, ABOVE)), Suppose("y", y > 5)
    step = Holds("last", y + x > ABOVE + 5, uses=("here", "y"))
    assert judged(good[1:], step, world={"x": ABOVE, "y": 6})[0] is State.PROVED
    exact = Suppose("told", same(exp(x), 3))
    assert judged((exact,), Holds("last", exp(x) > 2, uses=("told",)), world={"x": log(3)})[0] is State.PROVED
    assert judged((exact,), Holds("last", exp(x) > 2, uses=("told",)), world={"x": NEAR})[0] is State.VACUOUS


def test_a_root_is_no_number_of_some_digits() -> None:
    crossing = Crossing("crossing", exp(x) - 3, x, Integer(0), Integer(2), root)
    lemma = Imported("lemma", Derivation((), (crossing,), lambda source: World({})))
    for place, state in ((ABOVE, State.VACUOUS), (Integer(1), State.PROVED)):
        told = Suppose("told", root >= place)
        last = Holds("last", root * (2 - root) + root > place, uses=("told", "lemma"))
        state_found, reason = judged((lemma, told), last)
        assert state_found is state and ("but nearly" in reason) is (state is State.VACUOUS)


@pytest.mark.parametrize(
    ("key", "bounded", "value", "good"),
    [
        (whole, whole, exp(exp(1)), Integer(16)),
        (entries, entries[1], [exp(exp(1))], [16]),
        (count, count(1), Lambda(t, exp(exp(t))), Lambda(t, 16 * t)),
    ],
    ids=["symbol", "table", "function"],
)
def test_what_is_not_seen_to_be_an_integer_is_none(key, bounded, value, good) -> None:
    """SymPy does not know whether exp(e) = 15.15 is an integer, and no integer lies between 15 and 16."""
    low, high = Suppose("low", bounded > 15), Suppose("high", bounded < 16)
    step = Holds("last", ANYTHING, uses=("low", "high"))
    assert judged((low, high), step, world={key: value, "y": 6})[0] is State.VACUOUS
    step = Holds("last", bounded >= 16, uses=("low",))
    assert judged((low,), Holds("last", bounded + 1 >= 17, uses=("low",)), world={key: good})[0] is State.VACUOUS
    squared = Holds("last", bounded**2 >= 256, uses=("low",))
    assert judged((low,), squared, world={key: good})[0] is State.PROVED


def test_a_rounded_number_has_digits_enough() -> None:
    told = Suppose("told", x > 1)
    step = Holds("last", x**2 > 1, uses=("told",))
    for value, state in ((Rational(3, 2), State.PROVED), (N(log(3), 90), State.PROVED), (1.5, State.VACUOUS)):
        assert judged((told,), step, world={"x": value})[0] is state
    here = Suppose("here", same(x, NEAR))
    step = Holds("last", x**2 > 1, uses=("here",))
    state, reason = judged((here,), step, world={"x": N(log(3), 90)})
    assert state is State.VACUOUS and "rounded to" in reason
    assert judged((here,), step, world={"x": N(log(3), 400)})[0] is State.VACUOUS
    assert judged((here,), step, world={"x": NEAR})[0] is State.PROVED
