"""Induct: for every integer from a start on, with the hypothesis at one place only."""

import pytest
from edge_derivations import exponent_recursion
from sympy import Function, IndexedBase, Integer, Sum, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.normal_forms import ends, expanded, rational, sums
from theory.proof.steps import Equal, Holds, Induct
from theory.proof.worlds import World
from theory.proof.worlds import rational as draw

n = Symbol("n", integer=True, nonnegative=True)
i = Symbol("i", integer=True)
q, total = Function("q"), Function("T")
r, s = Symbol("r", real=True), Symbol("s", real=True)
h = IndexedBase("h")

START, STEP = Define("start", q(0), Integer(1)), Define("step", q(n + 1), r * q(n))


def worlds(source) -> World:
    return World({r: draw(source, 1, 3), n: source.randint(0, 6)})


def powers(right, **changes) -> Derivation:
    step = Induct("powers", n, q(n), right, uses=("start", "step"), **changes)
    return Derivation((START, STEP), (step,), worlds)


def test_powers() -> None:
    assert powers(r**n, normal=(expanded,)).sound


@pytest.mark.parametrize("wrong", [r ** (n + 1), n * r, 1 + (r - 1) * n])
def test_wrong_closed_forms_are_refuted(wrong) -> None:
    result = powers(wrong).check().steps[0]
    assert result.state is State.REFUTED
    assert "at n = " in result.reason


def test_a_sum() -> None:
    gauss = Define("sum", total(n), Sum(i, (i, 1, n)))
    step = Induct("gauss", n, total(n), n * (n + 1) / 2, uses=("sum",), normal=(ends, sums, rational))
    assert Derivation((gauss,), (step,), worlds).sound
    wrong = Induct("gauss", n, total(n), n * (n + 1) / 2 + n * (n - 1) * (n - 2), uses=("sum",), normal=(ends, sums))
    assert Derivation((gauss,), (wrong,), worlds).check().state is State.REFUTED


def test_the_conclusion_holds_at_every_place_from_the_start_on() -> None:
    made = powers(r**n, normal=(expanded,))
    later = Equal("at n + 2", q(n + 2), r ** (n + 2), uses=("powers",), normal=(expanded,))
    assert Derivation(made.premises, (*made.steps, later), worlds).check().steps[1].state is State.PROVED
    late = Induct("powers", n, q(n), r**n, start=3, uses=("start", "step"), normal=(expanded,))
    early = Equal("early", q(1) + 1, r + 1, uses=("powers",))
    found = Derivation(made.premises, (late, early), worlds).check().steps
    assert found[0].state is State.PROVED
    assert found[1].state is State.UNDECIDED


def test_a_variable_that_a_hypothesis_speaks_of_is_not_every_integer() -> None:
    small = Suppose("small", n <= 2)
    step = Induct("powers", n, q(n), r**n, uses=("start", "step", "small"), normal=(expanded,))
    result = Derivation((START, STEP, small), (step,), lambda source: World({r: 2, n: 1})).check().steps[0]
    assert result.state is State.UNDECIDED
    assert "hypotheses speak of n" in result.reason


def test_max_plus() -> None:
    made = exponent_recursion()
    assert made.sound
    flat = Suppose("above the band", s <= 0)
    wrong = Derivation((*made.premises[:2], flat), made.steps, lambda source: World({s: -draw(source), n: 1}))
    assert wrong.check().state is State.REFUTED


def test_without_the_step_nothing_follows() -> None:
    alone = Induct("powers", n, q(n), r**n, uses=("start",), normal=(expanded,))
    assert Derivation((START, STEP), (alone,), worlds).check().steps[0].state is State.UNDECIDED
    assert Derivation((START, STEP), (Holds("x", r > 0),), worlds).check().steps[0].state is State.UNDECIDED


p = Symbol("p", integer=True, positive=True)
x, y, alone = (Function(name, real=True) for name in "xyw")
start, speed = IndexedBase("x0", real=True), IndexedBase("v", real=True)
PAIR = (
    Define("positions", x(0, p), start[p]),
    Define("twins", y(0, p), 2 * start[p]),
    Define("move", x(n + 1, p), x(n, p) + y(n, 1) * speed[p]),
    Define("twins move", y(n + 1, p), y(n, p) + 4 * x(n, 1) * speed[p]),
)
THIRD = (Define("alone", alone(0), start[1]), Define("alone moves", alone(n + 1), (1 + 2 * speed[1]) * alone(n)))


def pairs(factor=2, more=(), **changes) -> Derivation:
    """Two families that need each other, and each of them its first member."""
    uses = tuple(d.name for d in (*PAIR, *more))
    step = Induct("pairs", n, y(n, p), factor * x(n, p), uses=uses, every=(p,), **changes)
    tables = lambda source: World(  # noqa: E731
        {start: [draw(source), draw(source)], speed: [draw(source), draw(source)], p: 2, n: 1}
    )
    return Derivation((*PAIR, *more), (step,), tables)


def test_sequences_that_need_each_other_at_every_index() -> None:
    assert pairs().sound
    at_one = Equal("later", y(n + 1, 1), 2 * x(n + 1, 1), uses=("pairs",))
    assert Derivation(PAIR, (*pairs().steps, at_one), pairs().worlds).check().steps[1].state is State.PROVED
    assert pairs(3).check().state is State.REFUTED


def test_an_equation_carried_along_is_proved_too() -> None:
    assert pairs(more=THIRD, also=((alone(n), x(n, 1)),)).sound
    assert pairs(more=THIRD, also=((alone(n), y(n, 1)),)).check().state is State.REFUTED
    one_index = Induct("pairs", n, y(n, p), 2 * x(n, p), uses=tuple(d.name for d in PAIR))
    assert Derivation(PAIR, (one_index,), pairs().worlds).check().state is State.UNDECIDED


def test_an_index_that_a_hypothesis_speaks_of_is_not_every_index() -> None:
    few = Suppose("few", p <= 2)
    step = Induct("pairs", n, y(n, p), 2 * x(n, p), uses=(*(d.name for d in PAIR), "few"), every=(p,))
    result = Derivation((*PAIR, few), (step,), pairs().worlds).check().steps[0]
    assert result.state is State.UNDECIDED
    assert "hypotheses speak of p" in result.reason
