"""Verdicts: sound derivations pass, and each way of saying nothing or something wrong is named."""

import time

import pytest
from derivations import ALL, batch_noise
from edge_derivations import curvature_band
from sympy import Eq, Function, Implies, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, rational

x, y, z, u = (Symbol(n, real=True) for n in "xyzu")


def worlds(source) -> World:
    return World({x: rational(source, 1, 9), z: rational(source, 1, 9)})


def verdict(*parts, last=None):
    premises = tuple(p for p in parts if isinstance(p, Define | Suppose))
    steps = tuple(p for p in parts if not isinstance(p, Define | Suppose))
    return Derivation(premises, steps, worlds).check().steps[-1 if last is None else last]


SQUARE = Define("square", y, (x + 1) ** 2)
ABOVE = Suppose("above", x >= 1)


@pytest.mark.parametrize("name", ALL)
def test_examples_are_sound(name: str) -> None:
    start = time.perf_counter()
    proof = ALL[name]().check()
    assert proof.sound, str(proof)
    assert proof.idle == proof.unreached == ()
    assert time.perf_counter() - start < 60


def test_a_sound_step_is_proved() -> None:
    assert verdict(SQUARE, Equal("opened", y - 1, x**2 + 2 * x, uses=("square",))).state is State.PROVED


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Equal("trivial", x + 1, x + 1), "left is right"),
        (Equal("trivial", x + z, z + x), "left is right"),
        (Equal("definition", y, (x + 1) ** 2, uses=("square",)), "restates 'square'"),
        (Equal("definition", (x + 1) ** 2, y, uses=("square",)), "restates 'square'"),
        (Holds("hypothesis", x >= 1, uses=("above",)), "restates 'above'"),
        (Holds("hypothesis", (x >= 1).reversed, uses=("above",)), "restates 'above'"),
        (Equal("identity", (x + 1) ** 2, x**2 + 2 * x + 1, uses=("square",)), "without 'square'"),
        (Equal("idle", y - 1, x**2 + 2 * x, uses=("square", "above")), "without 'above'"),
        (Holds("idle", y >= 0, uses=("square", "above")), "without 'above'"),
    ],
)
def test_saying_nothing_is_vacuous(step, words: str) -> None:
    result = verdict(SQUARE, ABOVE, step)
    assert result.state is State.VACUOUS
    assert words in result.reason


def test_restating_an_earlier_step_is_vacuous() -> None:
    once = Equal("once", y - 1, x**2 + 2 * x, uses=("square",))
    again = Equal("again", y - 1, x**2 + 2 * x, uses=("once",))
    assert verdict(SQUARE, once, again).state is State.VACUOUS


def test_a_pattern_is_restated_at_any_place() -> None:
    f = Function("f")
    pattern = Define("f", f(u), u**2 + 1)
    assert verdict(pattern, Equal("at 3", f(3), 10, uses=("f",))).state is State.VACUOUS
    assert verdict(pattern, Equal("at 3", f(3) - 1, 9, uses=("f",))).state is State.PROVED


def test_hypotheses_that_nothing_satisfies_are_vacuous() -> None:
    below = Suppose("below", x <= 0)
    result = verdict(ABOVE, below, Holds("anything", x >= 100, uses=("above", "below")))
    assert result.state is State.VACUOUS
    assert "'below' does not hold" in result.reason


def test_a_wrong_claim_is_refuted_by_a_world_that_is_printed() -> None:
    result = verdict(SQUARE, Equal("wrong", y - 1, x**2 + 3 * x, uses=("square",)))
    assert result.state is State.REFUTED
    assert "x = " in result.reason
    assert "x**2 + 3*x is" in result.reason
    assert verdict(SQUARE, ABOVE, Holds("wrong", y <= 8, uses=("square", "above"))).state is State.REFUTED


def test_what_is_true_but_not_shown_is_undecided_with_the_gap() -> None:
    result = verdict(SQUARE, Equal("hidden", y - 1, x**2 + 2 * x))
    assert result.state is State.UNDECIDED
    assert "the gap is" in result.reason
    assert "y" in result.reason


def test_a_step_sees_only_what_it_uses() -> None:
    first = Equal("first", y - 1, x**2 + 2 * x, uses=("square",))
    second = Equal("second", y - 1 + z, x**2 + 2 * x + z, uses=("first",))
    assert verdict(SQUARE, first, second).state is State.PROVED
    blind = Equal("second", y - 1 + z, x**2 + 2 * x + z, uses=())
    assert verdict(SQUARE, first, blind).state is State.UNDECIDED


def test_idle_premises_and_unreached_steps_are_listed() -> None:
    side = Equal("side", y + 1, x**2 + 2 * x + 2, uses=("square",))
    last = Equal("last", y - 1, x**2 + 2 * x, uses=("square",))
    proof = Derivation((SQUARE, ABOVE), (side, last), worlds).check()
    assert proof.idle == ("above",)
    assert proof.unreached == ("side",)
    assert proof.state is State.VACUOUS
    assert "idle premise: above" in str(proof)


def test_a_hypothesis_with_a_condition_rewrites_where_the_condition_follows() -> None:
    conditional = Suppose("conditional", Implies(x >= 1, Eq(u, 3 * x, evaluate=False), evaluate=False))

    def both(source) -> World:
        value = rational(source, 1, 9)
        return World({x: value, u: 3 * value})

    step = Equal("used", u**2, 9 * x**2, uses=("conditional", "above"))
    assert Derivation((conditional, ABOVE), (step,), both).sound
    assert not Derivation((conditional,), (Equal("used", u**2, 9 * x**2, uses=("conditional",)),), both).sound


@pytest.mark.parametrize(
    ("premises", "steps", "words"),
    [
        ((SQUARE,), (), "no steps given"),
        ((SQUARE, SQUARE), (Equal("a", x, z),), "given twice"),
        ((), (Equal("a", x, z, uses=("nothing",)),), r"uses \['nothing'\]"),
        ((), (Equal("a", x, z, uses=("b",)), Equal("b", x, z)), r"uses \['b'\]"),
    ],
)
def test_names_are_checked_at_the_door(premises, steps, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Derivation(premises, steps, worlds)


def test_a_single_name_is_not_a_tuple() -> None:
    with pytest.raises(ValueError, match="tuple of names"):
        Equal("a", x, z, uses=("square"))  # type: ignore[arg-type]


def test_verdicts_repeat_themselves() -> None:
    first, again = batch_noise().check(), batch_noise().check()
    assert [(r.name, r.state, r.reason) for r in first.steps] == [(r.name, r.state, r.reason) for r in again.steps]


def test_stopping_at_the_first_failure_gives_the_same_state() -> None:
    for build in (batch_noise, curvature_band):
        assert build().check(first_failure=True).state is build().check().state
    wrong = Equal("wrong", y - 1, x**2 + 3 * x, uses=("square",))
    right = Equal("right", y - 1, x**2 + 2 * x, uses=("square",))
    made = Derivation((SQUARE,), (right, wrong), worlds)
    assert made.check(first_failure=True).state is made.check().state is State.REFUTED
    assert len(made.check(first_failure=True).steps) == 1
