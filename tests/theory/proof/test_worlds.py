"""Values are exact while rational, and worlds honour every hypothesis or are not found."""

import random

import pytest
from sympy import (
    Derivative,
    Eq,
    Function,
    Implies,
    IndexedBase,
    Integer,
    Integral,
    Lambda,
    Limit,
    Max,
    N,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    pi,
    sin,
    sqrt,
)

from theory.proof.derivation import Derivation
from theory.proof.evaluation import Evaluation, EvaluationError
from theory.proof.functions import derivative, smooth
from theory.proof.premises import Define, Suppose
from theory.proof.steps import Equal
from theory.proof.worlds import Common, NoWorld, World, draw, rational, table

i, j, k = (Symbol(n, integer=True) for n in "ijk")
n = Symbol("n", integer=True, positive=True)
x, y, s = (Symbol(name, real=True) for name in "xys")
h, p, q = IndexedBase("h", real=True), IndexedBase("p"), Function("q")

WORLD = Evaluation(
    {n: 3, h: [1, Rational(1, 2), 3], x: Rational(1, 3), k: 2},
    (
        (p[i], exp(x * h[i]) / Sum(exp(x * h[j]), (j, 1, n))),
        (y, Sum(h[i] ** 2, (i, 1, n))),
        (q(0), Integer(1)),
        (q(k + 1), 2 * q(k) + k),
    ),
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (y, Rational(41, 4)),
        (Sum(i * h[j], (i, 1, j), (j, 1, n)), 1 + Rational(3, 2) + 18),
        (Product(h[i], (i, 1, n)), Rational(3, 2)),
        (Sum(h[i], (i, 1, 0)), 0),
        (q(4), 27),
        (Max(h[1], h[k], x), 1),
        (Piecewise((1, x > 1), (2, True)), 2),
        (Derivative(x**3, x), Rational(1, 3)),
        (Derivative(y, h[k]), 1),
        (Derivative(y * x, h[k], x), 1),
        (sqrt(h[3] + 6), 3),
    ],
)
def test_rational_values_are_exact(expression, value) -> None:
    assert WORLD.value(expression) == value
    assert WORLD.value(expression).is_Rational


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Sum(p[i], (i, 1, n)), Integer(1)),
        (Derivative(log(p[k]), h[k]), x * (1 - p[k])),
        (
            Derivative(Sum(p[i] * h[i], (i, 1, n)), x),
            Sum(p[i] * h[i] ** 2, (i, 1, n)) - Sum(p[i] * h[i], (i, 1, n)) ** 2,
        ),
        (Limit((1 - exp(-s)) / s, s, 0), Integer(1)),
        (Limit(p[3], x, oo), Integer(1)),
        (Integral(sin(s), (s, 0, pi)), Integer(2)),
    ],
)
def test_irrational_values_agree_to_45_digits(left, right) -> None:
    assert WORLD.truth(Eq(left, right, evaluate=False))
    assert not WORLD.truth(Eq(left, right + Rational(1, 10**30), evaluate=False))


def test_a_chain_of_derivatives_follows_the_function_of_the_world() -> None:
    phi = smooth("phi")
    world = Evaluation({phi: Lambda(s, s**3), x: 2})
    assert world.value(derivative(phi)(x)) == 12
    assert world.value(Derivative(phi(x**2), x)) == 6 * 2**5
    assert phi(x).diff(x, 2) == derivative(derivative(phi))(x)


@pytest.mark.parametrize("expression", [h[4], h[0], Symbol("unknown"), 1 / (x - Rational(1, 3)), q(-1)])
def test_what_has_no_value_says_why(expression) -> None:
    with pytest.raises(EvaluationError, match=r"."):
        WORLD.value(expression)


def test_a_definition_is_not_captured_by_an_index() -> None:
    world = Evaluation({n: 2, h: [3, 5], i: 1}, ((y, h[i]),))
    assert world.value(Sum(y * h[i], (i, 1, n))) == 3 * 8


def drawn(worlds, *hypotheses, definitions=()):
    found = draw(worlds, definitions, hypotheses, (), "label")
    return [next(found) for _ in range(5)]


def test_worlds_honour_hypotheses_and_repeat_themselves() -> None:
    def worlds(source: random.Random) -> World:
        return World({x: rational(source, -9, 9)})

    first, again = (drawn(worlds, Suppose("above", x > 1)) for _ in range(2))
    assert all(w.values[x] > 1 for w in first)
    assert [w.values for w in first] == [w.values for w in again]


def test_no_world_is_blamed_on_the_hypothesis() -> None:
    def worlds(source: random.Random) -> World:
        return World({x: rational(source, 2, 9)})

    with pytest.raises(NoWorld, match="'below' does not hold"):
        drawn(worlds, Suppose("below", x < 1))


def test_a_world_that_breaks_an_assumption_is_thrown_away() -> None:
    with pytest.raises(NoWorld, match="not positive"):
        drawn(lambda source: World({Symbol("u", positive=True): -1}))


def test_quantified_hypotheses_are_sampled() -> None:
    falling = Suppose("falling", Implies(x < s, q(x) >= q(s)), forall=(x, s))
    assert drawn(lambda source: World({q: Lambda(x, -x)}), falling)
    with pytest.raises(NoWorld, match="'falling' does not hold"):
        drawn(lambda source: World({q: Lambda(x, x)}), falling)


def test_a_hypothesis_can_be_left_out() -> None:
    def worlds(source: random.Random) -> World:
        return World({x: rational(source, -9, 9)})

    premises = (Define("square", y, x**2), Suppose("above", x > 1))
    made = Derivation(premises, (Equal("any", y + x, x**2 + x, uses=("square",)),), worlds)
    with_it, without = made.sampled("label"), made.sampled("label", without=("above",))
    assert all(next(with_it).values[x] > 1 for _ in range(5))
    assert any(next(without).values[x] <= 1 for _ in range(5))


def test_table_has_the_shape_asked_for() -> None:
    made = table(random.Random(0), 2, 3)
    assert (len(made), len(made[0])) == (2, 3)
    with pytest.raises(ValueError, match="no shape given"):
        table(random.Random(0))


def test_digits() -> None:
    assert str(N(WORLD.value(exp(x)), 60)) == str(N(exp(Rational(1, 3)), 60))


def test_worlds_in_common_are_drawn_once_and_their_lack_is_told_each_time() -> None:
    drawn = []

    def source():
        for number in range(2):
            drawn.append(number)
            yield number
        raise NoWorld("no more")

    worlds = Common(source())
    assert list(worlds.first(2)) == list(worlds.first(2)) == drawn == [0, 1]
    for _ in range(2):
        with pytest.raises(NoWorld, match="no more"):
            list(worlds.first(3))
    assert list(worlds.first(2)) == [0, 1]
