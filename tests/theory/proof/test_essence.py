"""A conclusion that is supposed up to a nonzero factor, or under a one-to-one function, is supposed: it says nothing.

Beside each disguise stands a claim that looks like it and says more.
"""

import pytest
from sympy import (
    Abs,
    And,
    Derivative,
    Eq,
    Function,
    Implies,
    Integer,
    Integral,
    Lambda,
    Limit,
    Max,
    Ne,
    Not,
    Or,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    atan,
    cosh,
    exp,
    log,
    oo,
    sign,
    sinh,
    sqrt,
    tanh,
)

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.essence import essence
from theory.proof.saying import FALSE, TRUE
from theory.proof.steps import Equal, Holds, Root
from theory.proof.worlds import World

x, y, z, a, w, t = (Symbol(name, real=True) for name in "xyzawt")
p, q = Symbol("p", positive=True), Symbol("q", positive=True)
N, i = Symbol("N", integer=True, positive=True), Symbol("i", integer=True)
f = Function("f", real=True)
KIND = {x: 2, y: 2, z: 3, a: 2, p: 2, q: 2, N: 2, t: 3}
SCALED, TRUE_OF_ALL = Eq(2 * x, 2 * y, evaluate=False), a**2 >= 0


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def judged(given, step, world=KIND) -> State:
    """State of a derivation of one step."""
    premises = given if isinstance(given, tuple) else (Suppose("told", given),)
    return Derivation(premises, (step,), lambda source: World(world)).check().state


EQUATIONS = [
    SCALED,
    same(x - y, 0),
    same(3 * x + z, 3 * y + z),
    same(p * x, p * y),
    same(p * x - p * y, 0),
    same(x / p, y / p),
    same(x * exp(a), y * exp(a)),
    same((x - y) * (a**2 + a + 1), 0),
    same(x * a**2 + x, y * a**2 + y),
    same(exp(x), exp(y)),
    same(p * exp(x), p * exp(y)),
    same(exp(2 * x), exp(x + y)),
    same(exp(x - y), 1),
    same(exp(exp(x)), exp(exp(y))),
    same(2**x, 2**y),
    same(sinh(x), sinh(y)),
    same(atan(2 * x), atan(2 * y)),
    same(tanh(x - y), 0),
    same(cosh(x - y), 1),
    same(sign(x - y), 0),
    same(x**3, y**3),
    same((x - y) ** 2, 0),
    same((x - y) ** 2 + (z - 3) ** 2, 0),
    same(sqrt(1 + (x - y) ** 2), 1),
    same(log(1 + (x - y) ** 2), 0),
    same(Abs(x - y), 0),
    Abs(x - y) <= 0,
    (x - y) ** 2 <= 0,
    1 - (x - y) ** 2 >= 1,
    Max(x - y, y - x) <= 0,
    And(same(Max(x, y), x), same(Max(x, y), y)),
    same(Piecewise((1, same(x, y)), (0, True)), 1),
    same(Sum(x - y, (i, 1, N)), 0),
    same(Sum(x, (i, 1, N)), N * y),
    same(Limit(x - y, t, oo), 0),
    same(Integral(x - y, (t, 0, 1)), 0),
    same(Derivative(t * (x - y), t), 0),
    And(2 * x <= 2 * y, 3 * x >= 3 * y),
    And(SCALED, z > 1),
    Or(SCALED, same(3 * x, 3 * y), evaluate=False),
    Implies(TRUE_OF_ALL, SCALED, evaluate=False),
    Not(Ne(2 * x, 2 * y, evaluate=False), evaluate=False),
]


@pytest.mark.parametrize("fact", EQUATIONS, ids=str)
def test_an_equation_in_disguise_is_the_equation(fact) -> None:
    """That x = y: many of these were PROVED, in the name of division by what is not 0."""
    assert judged(fact, Holds("claim", same(x, y), uses=("told",))) is State.VACUOUS


@pytest.mark.parametrize(
    "fact",
    [same(log(p), log(q)), same(1 / p, 1 / q), same(p**2, q**2), same(p / q, 1), same(log(p / q), 0),
     same(sqrt(p), sqrt(q)), same(p ** Rational(3, 2), q ** Rational(3, 2)), same(2 * log(p), log(q) + log(p))],
    ids=str,
)  # fmt: skip
def test_an_equation_of_positive_numbers_in_disguise(fact) -> None:
    assert judged(fact, Holds("claim", same(p, q), uses=("told",))) is State.VACUOUS


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (p * x >= p * y, x >= y),
        (x / p >= y / p, x >= y),
        (-p * x <= -p * y, x >= y),
        (exp(x) >= exp(y), x >= y),
        (exp(-x) <= exp(-y), x >= y),
        (x**3 >= y**3, x >= y),
        (log(p) >= log(q), p >= q),
        (1 / p <= 1 / q, p >= q),
        (p**2 >= q**2, p >= q),
        (q / p <= 1, p >= q),
        (Or(z <= 1, SCALED, evaluate=False), Implies(z > 1, same(x, y), evaluate=False)),
        (SCALED, Implies(z > 1, same(x, y), evaluate=False)),
        (SCALED, And(same(x, y), a**2 + 1 > 0, evaluate=False)),
    ],
    ids=str,
)
def test_a_relation_in_disguise_is_the_relation(fact, claim) -> None:
    assert judged(fact, Holds("claim", claim, uses=("told",))) is State.VACUOUS


def test_other_steps_and_several_hypotheses() -> None:
    halves = Suppose("one", 2 * x <= 2 * y), Suppose("two", 3 * x >= 3 * y)
    assert judged(halves, Holds("claim", same(x, y), uses=("one", "two"))) is State.VACUOUS
    both = Suppose("one", SCALED), Suppose("two", same(2 * z, 6))
    assert judged(both, Holds("claim", And(same(x, y), same(z, 3)), uses=("one", "two"))) is State.VACUOUS
    assert judged(SCALED, Root("claim", x, SCALED, y, uses=("told",))) is State.VACUOUS
    assert judged(both, Holds("claim", same(x + z, y + 3), uses=("one", "two"))) is State.PROVED


def test_a_gap_that_has_a_name_is_the_gap() -> None:
    world = {s: v for s, v in KIND.items() if s != w}
    named = lambda body, fact: (Define("named", w, body), Suppose("told", fact))  # noqa: E731
    claim = Holds("claim", same(x, y), uses=("named", "told"))
    assert judged(named(2 * x - 2 * y, same(w, 0)), claim, world) is State.VACUOUS
    assert judged(named(2 * x + 1, same(w, 2 * y + 1)), claim, world) is State.VACUOUS
    assert judged(named(exp(x), same(w, exp(y))), Equal("claim", w, exp(y) + 0 * x, ("told",)), world) is State.VACUOUS
    meant = Holds("claim", w >= 2 * y, uses=("named", "told"))
    assert judged(named(x + y, x >= y), meant, world) is State.VACUOUS
    more = Holds("claim", w + p > 2 * y, uses=("named", "told"))
    assert judged(named(x + y, x >= y), more, world) is State.PROVED


@pytest.mark.parametrize("shift", [0, 1])
def test_what_is_supposed_of_everything_up_to_a_factor(shift: int) -> None:
    world = {x: 3, f: Lambda(t, t + 1)}
    every = Suppose("every", same(2 * f(t) - 2 * t, 2), forall=(t,))
    step = Equal("claim", f(x) + shift * f(2 * x), x + 1 + shift * (2 * x + 1), uses=("every",))
    assert judged((every,), step, world) is (State.PROVED if shift else State.VACUOUS)
    above = Suppose("every", Implies(t > 1, 2 * f(t) >= 2 * t + 2), forall=(t,))
    claim = Implies(x > 1, f(x) >= x + 1 - shift, evaluate=False)
    step = Holds("claim", claim, uses=("every",), instances=(("every", {t: x}),))
    assert judged((above,), step, world) is (State.PROVED if shift else State.VACUOUS)


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (same(x, y), same(x**2, y**2)),
        (x >= y, x + 1 > y),
        (x >= y, 2 * x + z**2 >= 2 * y),
        (And(x >= 1, y >= 1), x * y >= 1),
        (same(x + y, z), same((x + y) * z, z**2)),
    ],
    ids=str,
)
def test_what_says_more_or_less_is_proved(fact, claim) -> None:
    world = KIND | ({z: 4} if fact.has(z) else {})
    assert judged(fact, Holds("claim", claim, uses=("told",)), world) is State.PROVED


def test_on_the_way_an_equation_may_be_solved() -> None:
    told = Suppose("told", same(p * x, 6))
    solved = Holds("solved", same(x, 6 / p), uses=("told",))
    last = Holds("last", same(x**2, 36 / p**2), uses=("solved",))
    proof = Derivation((told,), (solved, last), lambda source: World({p: 2, x: 3})).check()
    assert proof.steps[0].state is State.PROVED and proof.sound
    alone = Derivation((told,), (solved,), lambda source: World({p: 2, x: 3})).check()
    assert alone.state is State.VACUOUS


def test_what_relations_say() -> None:
    assert essence(x**2 + 1 > 0) == essence((x - y) ** 2 >= 0) == TRUE
    assert essence(x**2 + x + 1 <= 0) == essence(Abs(x) < 0) == FALSE
    different = (
        (x >= y, x > y), (x >= y, y >= x), (a * x >= a * y, x >= y), (x**2 >= y**2, x >= y), (p * x >= q * y, x >= y),
        (same(x**2, y**2), same(x, y)), (same(a * x, a * y), same(x, y)), (same(f(x), f(y)), same(x, y)),
        (1 / x >= 1 / y, y >= x), (x + y >= 0, x + 2 * y >= 0),
    )  # fmt: skip
    for one, other in different:
        assert essence(one) != essence(other)
    assert essence(same(x, y)) == essence(same(y, x)) and essence(x > y) == essence(y < x)
    assert essence(same(Integer(2), Integer(3))) == FALSE
