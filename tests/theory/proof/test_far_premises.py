"""Premises that contradict each other far out only prove nothing, however kind the worlds are near by."""

import random

import pytest
from sympy import (
    And,
    Eq,
    Function,
    Implies,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Lambda,
    Max,
    Mod,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    exp,
)

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.evaluation import Evaluation
from theory.proof.far import Told, broken_far_out, far_places
from theory.proof.steps import Holds
from theory.proof.worlds import World

m, k, n = (Symbol(name, integer=True, nonnegative=True) for name in "mkn")
t, u = Symbol("t", real=True), Symbol("u", positive=True)
f, g, q = (Function(name, real=True) for name in "fgq")
above = Function("above", positive=True)
h = IndexedBase("h", real=True)
value, entry = f(m), h[m]
SEEN = [Rational(1)] * 3
HUGE = Integer(10) ** 100
NEVER = Suppose("low", value <= 1, forall=(m,)), Suppose("high", value >= m - 50, forall=(m,))


def checked(premises, world, claim=n <= 60, variable=m, **extra) -> Derivation:
    """A step that takes both premises at n."""
    instances = tuple((p.name, {variable: n}) for p in premises if isinstance(p, Suppose))
    uses = tuple(p.name for p in premises)
    step = Holds("claim", claim, uses=uses, instances=instances)
    return Derivation(tuple(premises), (step,), lambda source: World({n: source.randint(1, 3), **world}), **extra)


def judged(premises, world, **more):
    result = checked(premises, world, **more).check().steps[0]
    return result.state, result.reason


CONTRADICTIONS = [
    (*NEVER, {f: Lambda(m, 1)}),
    (*NEVER, {f: Lambda(m, Piecewise((1, m < 50), (m, True)))}),
    (
        Suppose("low", value <= 1, forall=(m,)),
        Suppose("high", value >= m - HUGE, forall=(m,)),
        {f: Lambda(m, 0)},
    ),
    (
        Suppose("low", value <= 1, forall=(m,)),
        Suppose("high", Implies(Eq(m, HUGE), value >= 2), forall=(m,)),
        {f: Lambda(m, 0)},
    ),
    (Suppose("low", entry <= 1, forall=(m,)), Suppose("high", entry >= m - 50, forall=(m,)), {h: SEEN}),
    (
        Suppose("low", entry <= 1, forall=(m,)),
        Suppose("high", entry >= m - 50, forall=(m,)),
        {h: {(Integer(j),): 1 for j in range(4)}},
    ),
]


@pytest.mark.parametrize(("low", "high", "world"), CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_premises_that_contradict_each_other_far_out_are_vacuous(low, high, world) -> None:
    """f(m) <= 1 and f(m) >= m - 50 agree up to m = 51: that n <= 60 was PROVED of every n."""
    claim = n <= HUGE + 10 if high.fact.has(HUGE) else n <= 60
    state, reason = judged((low, high), world, claim=claim)
    assert state is State.VACUOUS
    assert "does not hold at" in reason


def test_premises_with_a_model_are_believed() -> None:
    premises = Suppose("low", value <= m + 1, forall=(m,)), Suppose("high", value >= m - 50, forall=(m,))
    assert judged(premises, {f: Lambda(m, m)}, claim=f(n) - n <= 52)[0] is not State.REFUTED
    state, reason = judged(premises[:1], {f: Lambda(m, m)}, claim=f(n) - n <= 2)
    assert (state, reason) == (State.PROVED, "signs and exact linear arithmetic")


def test_one_model_is_enough() -> None:
    """Some worlds may break far out what others keep."""
    premises = (Suppose("low", value <= m + 1, forall=(m,)),)
    step = Holds("claim", f(n) <= n + 2, uses=("low",), instances=(("low", {m: n}),))

    def worlds(source: random.Random) -> World:
        return World({n: 1, f: Lambda(m, m if source.random() < 0.3 else Max(m, m**2 - 8 * m))})

    assert Derivation(premises, (step,), worlds).sound


@pytest.mark.parametrize(
    ("fact", "good", "bad"),
    [
        (f(t) >= t - 1000, Lambda(t, t), Lambda(t, 5)),
        (f(t) * t <= 100, Lambda(t, Piecewise((1 / t, t > 0), (0, True))), Lambda(t, Max(1, t) / 100)),
        (f(t) >= 1, Lambda(t, 1 + t**2), Lambda(t, Piecewise((0, Eq(t, Rational(1, 3))), (1, True)))),
        (exp(f(t)) >= t + 1, Lambda(t, t), Lambda(t, Piecewise((t, t < 12), (0, True)))),
    ],
    ids=range(4),
)
def test_places_of_a_real_symbol(fact, good, bad) -> None:
    """Far out, near 0, and at the numbers that the world's functions speak of."""
    premise = Suppose("told", fact, forall=(t,))
    assert broken_far_out(Evaluation({f: good}), (premise,)) == ""
    assert "'told' does not hold at t = " in broken_far_out(Evaluation({f: bad}), (premise,))


def test_a_function_has_a_value_at_0() -> None:
    """With t f(t) = 1 at every t, 0 would be 1."""
    premise = Suppose("told", Eq(t * f(t), 1, evaluate=False), forall=(t,))
    assert "no value at [0]" in broken_far_out(Evaluation({f: Lambda(t, 1 / t)}), (premise,))
    positive = Suppose("told", Eq(u * f(u), 1, evaluate=False), forall=(u,))
    assert broken_far_out(Evaluation({f: Lambda(t, 1 / t)}), (positive,)) == ""


@pytest.mark.parametrize(
    ("where", "symbol"),
    [(Eq(t**2, 2), t), (Eq(t**3 - t, 7), t), (Eq(m**2, 40_000), m), (Eq((m - 300) * (m - 7000), 0), m)],
    ids=str,
)
def test_places_where_the_sides_of_a_relation_meet(where, symbol) -> None:
    """F = 0 everywhere, and 1 at the roots."""
    premise = Suppose("told", And(f(symbol) <= 0, Implies(where, f(symbol) >= 1)), forall=(symbol,))
    assert "'told' does not hold at" in broken_far_out(Evaluation({f: Lambda(t, 0)}), (premise,))
    kind = Suppose("told", And(f(symbol) <= 0, Implies(where, f(symbol) >= 0)), forall=(symbol,))
    assert broken_far_out(Evaluation({f: Lambda(t, 0)}), (kind,)) == ""


def test_places_of_two_symbols_at_the_numbers_that_are_told() -> None:
    inside = And(m >= 200, k <= 300, m + k >= 450, m <= 300)
    premise = Suppose("told", And(value <= 1, Implies(inside, value >= 2)), forall=(m, k))
    assert "'told' does not hold at m = 2" in broken_far_out(Evaluation({f: Lambda(m, 0)}), (premise,))
    kind = Suppose("told", And(value <= 1, Implies(inside, value >= 0)), forall=(m, k))
    assert broken_far_out(Evaluation({f: Lambda(m, 0)}), (kind,)) == ""


def test_what_a_function_is_declared_to_be_is_a_premise_too() -> None:
    premise = Suppose("told", above(m) <= 100 - m, forall=(m,))
    world = Evaluation({above: Lambda(m, 100 - m)})
    assert "does not hold at m = 100: the world gives above(m) = 0, not " in broken_far_out(world, (premise,))
    tame = Suppose("told", above(m) <= 100 + m, forall=(m,))
    assert broken_far_out(Evaluation({above: Lambda(m, 100 + m)}), (tame,)) == ""


def test_a_recursion_is_followed_step_by_step() -> None:
    parts = Define("start", q(0), Integer(0)), Define("next", q(k + 1), q(k) + 1)
    pairs = tuple((d.head, d.body) for d in parts)
    small = Suppose("small", q(m) <= 100, forall=(m,))
    assert "m = 101" in broken_far_out(Evaluation({}, pairs), (small,))
    assert broken_far_out(Evaluation({}, pairs), (Suppose("small", q(m) <= m, forall=(m,)),)) == ""


@pytest.mark.parametrize("shift", [0, 7, 23])
def test_a_function_that_begins_again_does_not_fall_for_ever(shift) -> None:
    """f(m + 1) <= f(m) - 1 and f >= -50: every function breaks one of them somewhere."""
    falls = Suppose("falls", f(m + 1) <= value - 1, forall=(m,))
    low = Suppose("low", value >= -50, forall=(m,))
    assert "'falls' does not hold" in broken_far_out(Evaluation({f: Lambda(m, -Mod(m + shift, 50))}), (falls, low))
    assert "'low' does not hold" in broken_far_out(Evaluation({f: Lambda(m, -m)}), (falls, low))
    assert broken_far_out(Evaluation({f: Lambda(m, -m)}), (falls,)) == ""


def test_tables_go_on_in_one_way_for_all_premises() -> None:
    """What repeats is no table that lasts; neither is the unit matrix, which needs its range said."""
    repeats, lasts = (
        Suppose(name, fact, forall=(m,)) for name, fact in (("a", Eq(h[m + 3], entry)), ("b", entry >= 1))
    )
    world = Evaluation({h: [1, 2, 3], n: 3})
    assert broken_far_out(world, (repeats, lasts)) == ""
    ends = Suppose("c", Implies(m >= 3, Eq(entry, 3)), forall=(m,))
    assert broken_far_out(world, (ends, lasts)) == ""
    turns = Suppose("d", Eq(entry + h[m + 1] + h[m + 2], 6), forall=(m,))
    assert broken_far_out(world, (turns, lasts)) == ""
    assert broken_far_out(world, (ends, turns))
    j, i = Symbol("j", integer=True, positive=True), Symbol("i", integer=True, positive=True)
    unit = Evaluation({h: [[1, 0], [0, 1]], n: 2})
    same = Eq(h[i, j], KroneckerDelta(i, j))
    assert broken_far_out(unit, (Suppose("unit", same, forall=(i, j)),))
    inside = Suppose("unit", Implies((i <= n) & (j <= n), same), forall=(i, j))
    assert broken_far_out(unit, (inside,)) == ""


def test_what_has_no_value_far_out_is_no_model() -> None:
    """Otherwise a world could keep silent where its premises contradict each other."""
    premise = Suppose("told", value <= 1, forall=(m,))
    silent = Evaluation({f: Lambda(m, Piecewise((0, m < 900)))})
    assert "'told' does not hold at m = 1000: no branch of" in broken_far_out(silent, (premise,))
    pole = Evaluation({f: Lambda(m, 1 / (m - 1000))})
    assert "the world gives f(m) no value at [1000]" in broken_far_out(pole, (premise,))
    assert broken_far_out(Evaluation({}), (Suppose("told", 1 / (m - 1000) <= 1, forall=(m,)),)) == ""
    told = Suppose("told", Eq(Sum(value + 1 / value, (k, 1, m * 10**6)), 0), forall=(m,))
    assert "'told' has no value at any far place" in broken_far_out(Evaluation({f: Lambda(m, 1)}), (told,))


def test_places_are_what_their_symbols_are_declared_to_be() -> None:
    told = Told(frozenset({Rational(1, 2), Rational(-70)}), 2)
    for symbols in ((m,), (u,), (t,), (m, u), (u, t, k)):
        places = list(far_places(symbols, told))
        assert places and len(places) == len(set(places))
        for place in places:
            assert all(p.is_integer or not s.is_integer for s, p in zip(symbols, place, strict=True))
            assert all(p > 0 or not s.is_positive for s, p in zip(symbols, place, strict=True))
            assert all(p >= 0 or not s.is_nonnegative for s, p in zip(symbols, place, strict=True))
    assert any(p < 0 for (p,) in far_places((t,), told))
    assert bool(told.beyond > 70**4)
