"""Premises that contradict each other where no step takes both: no world keeps them, and nothing follows from them.

Beside each stands the same with premises that have a model.
"""

import pytest
from sympy import And, Eq, Function, Implies, Lambda, Or, Rational, Symbol, cos, exp, log, sin

from theory.proof.derivation import Derivation, State, Suppose
from theory.proof.edges import edges
from theory.proof.evaluation import Evaluation
from theory.proof.steps import Holds
from theory.proof.worlds import World

x, y, z, t, s = (Symbol(name, real=True) for name in "xyzts")
m, n = (Symbol(name, integer=True, nonnegative=True) for name in "mn")
f, g = Function("f", real=True), Function("g", real=True)
TINY = Rational(1, 10**9)


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


CONDITIONS = [
    same(exp(t), 5),
    same((exp(t) - 5) * (t**2 + 1), 0),
    same(t + log(t**2 + 1), 3),
    same(sin(t), Rational(1, 3)),
    same(sin(t), 1),
    And(t**2 > 2, t**2 < 2 + TINY),
    And(exp(t) > 5, exp(t) < 5 + 1000 * TINY),
    And(same(t**3, 7), cos(t) < 0),
    Or(same(t, 3) & (t > 4), same(exp(2 * t), 3)),
]


def of_one(condition, limit, symbol=t, at=x):
    """F is at most 1, and at least `limit` under the condition; the step takes each of them at a place of its own."""
    low = Suppose("low", f(symbol) <= 1, forall=(symbol,))
    high = Suppose("high", Implies(condition, f(symbol) >= limit, evaluate=False), forall=(symbol,))
    claim = Implies(condition.subs(symbol, at), f(at) - f(2 * at + 1) >= limit - 1, evaluate=False)
    step = Holds("s", claim, uses=("low", "high"), instances=(("low", {symbol: 2 * at + 1}), ("high", {symbol: at})))
    return Derivation((low, high), (step,), lambda source: World({f: Lambda(t, 1), at: source.randint(1, 9)})).check()


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_contradiction_at_one_place_is_noticed(condition) -> None:
    """It was PROVED that f(x) - f(2 x + 1) >= 1 under the condition, where f(x) is both at most 1 and at least 2."""
    found = of_one(condition, 2)
    assert found.state is State.VACUOUS and "'high' does not hold at t = " in found.steps[0].reason
    assert "does not hold" not in of_one(condition, 1).steps[0].reason


def test_an_integer_place_is_noticed() -> None:
    found = of_one(And(m**2 > 10**7, m**2 < 10**7 + 7000), 2, m, n)
    assert found.state is State.VACUOUS and "'high' does not hold at m = 3163" in found.steps[0].reason


@pytest.mark.parametrize(
    "condition",
    [
        same(t, Rational(3, 7)) & same(s, Rational(11, 13)),
        same(t**2 + s**2, Rational(1, 50)),
        And(t + s > Rational(1, 3), t + s < Rational(1, 3) + TINY),
        same(exp(t) + s, 5),
    ],
    ids=str,
)
def test_places_of_two_symbols(condition) -> None:
    every = (t, s)
    low = Suppose("low", g(t, s) <= 1, forall=every)
    for limit in (1, 2):
        high = Suppose("high", Implies(condition, g(t, s) >= limit, evaluate=False), forall=every)
        claim = Implies(condition.xreplace({t: x, s: y}), g(x, y) - g(2 * x, y) >= limit - 1, evaluate=False)
        taken = (("low", {t: 2 * x, s: y}), ("high", {t: x, s: y}))
        step = Holds("s", claim, uses=("low", "high"), instances=taken)
        found = Derivation((low, high), (step,), lambda source: World({g: Lambda((t, s), 1), x: 1, y: 2})).check()
        assert ("does not hold at t = " in found.steps[0].reason) is (limit == 2)
        assert found.state is State.VACUOUS or limit == 1


def test_what_is_supposed_of_no_place_is_no_premise() -> None:
    """There is none at which t cos(t) = 10^5 that a world would look at."""
    found = of_one(same(t * cos(t), 10**5), 2)
    assert found.state is State.VACUOUS
    assert "the condition of 'high' holds at no place that was tried" in found.steps[0].reason


@pytest.mark.parametrize("bound", [4, 9])
def test_a_conclusion_under_a_condition_that_no_world_meets(bound) -> None:
    """Both premises keep x from being above 5; what holds there is nothing to conclude. On the way it may be."""
    low = Suppose("low", Implies(x > 5, y <= 1 if bound == 4 else y <= 3, evaluate=False))
    high = Suppose("high", Implies(x > 5, y >= 2, evaluate=False))
    above = Suppose("above", z >= 1)
    first = Holds("first", Implies(x > 5, y + z >= 3, evaluate=False), uses=("high", "above"))
    last = Holds("last", Implies(x > 5, y - z < (1 if bound == 4 else 3), evaluate=False), uses=("low", "above"))

    def worlds(source) -> World:
        return World({x: source.randint(1, bound), y: source.randint(2, 3), z: source.randint(1, 3)})

    found = Derivation((low, high, above), (first, last), worlds).check()
    assert found.steps[0].state is State.PROVED
    assert found.steps[1].state is (State.VACUOUS if bound == 4 else State.PROVED)
    assert ("holds in no world that was tried" in found.steps[1].reason) is (bound == 4)


def test_edges_lie_where_sides_meet_and_between() -> None:
    places = [
        place for (place,) in edges(Evaluation({}), Suppose("told", (t - 1) * (t - 4) > 0, forall=(t,)), frozenset())
    ]
    assert places[:2] == [1, 4] and [p < 1 for p in places[2:]] == [True, False, False]
    assert [1 < p < 4 for p in places[2:]] == [False, True, False]
    (root, *_), *_ = edges(Evaluation({}), Suppose("told", exp(t) > 5, forall=(t,)), frozenset())
    assert abs(root - log(5)).n(60) < Rational(1, 10**55)
