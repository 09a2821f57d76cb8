"""Squeezed: a limit between two limits, where the bounds hold near the point and not only somewhere."""

import pytest
from sympy import And, Function, Implies, Integer, Lambda, S, Symbol, oo, sin

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.mutation import survivors
from theory.proof.steps import Holds, Squeezed, Tends
from theory.proof.worlds import World, rational

x, y = Symbol("x", positive=True), Symbol("y", real=True)
b = Symbol("b", positive=True)
f, g = Function("f", real=True), Function("g", real=True)
t = Symbol("t")

NEAR = x <= b
BOUNDS = And(f(x) >= 1 - x, f(x) <= 1 + x, evaluate=False)
BETWEEN = Suppose("between", Implies(NEAR, BOUNDS, evaluate=False), forall=(x,))


def worlds(source) -> World:
    size = rational(source, 1, 9) / 10
    return World({f: Lambda(t, 1 + size * t), g: Lambda(t, sin(1 / t)), b: rational(source), x: Integer(1)})


def squeezed(lower=1 - x, upper=1 + x, value=S.One, uses=("between",), **more) -> Squeezed:
    return Squeezed("squeezed", f(x), x, more.pop("point", S.Zero), value, lower, upper, uses=uses, **more)


def judged(step, *premises):
    return Derivation(premises, (step,), worlds).check().steps[0]


def test_what_lies_between_has_the_limit() -> None:
    derivation = Derivation((BETWEEN,), (squeezed(),), worlds)
    assert derivation.check().sound
    assert survivors(derivation) == ()


def test_a_later_limit_may_use_it() -> None:
    later = Tends("later", 1 / (1 + f(x)), x, Integer(0), Integer(1) / 2, uses=("squeezed",))
    assert Derivation((BETWEEN,), (squeezed(), later), worlds).check().sound


def test_bounds_may_come_from_a_step() -> None:
    here = Suppose("x is small", NEAR)
    wider = Holds(
        "wider", And(f(x) >= 1 - 2 * x, f(x) <= 1 + 2 * x), uses=("x is small", "between"),
        instances=(("between", {x: x}),), forall=(x,),
    )  # fmt: skip
    step = squeezed(1 - 2 * x, 1 + 2 * x, uses=("wider",))
    assert Derivation((here, BETWEEN), (wider, step), lambda s: World({**worlds(s).values, x: Integer(1) / 10})).sound


def test_another_value_is_refuted() -> None:
    assert judged(squeezed(value=Integer(2)), BETWEEN).state is State.REFUTED


def test_ends_with_different_limits_say_nothing() -> None:
    loose = Suppose("between", Implies(NEAR, And(f(x) >= 1 - x, f(x) <= 2 + x), evaluate=False), forall=(x,))
    assert judged(squeezed(upper=2 + x), loose).state is State.UNDECIDED


def test_a_bound_that_nobody_states_is_missing() -> None:
    assert judged(squeezed(upper=1 + x / 2), BETWEEN).state is State.UNDECIDED


@pytest.mark.parametrize("where", [x >= b, x <= 0, And(x >= b / 2, x <= b)])
def test_bounds_that_hold_away_from_the_point_say_nothing(where) -> None:
    away = Suppose("between", Implies(where, BOUNDS, evaluate=False), forall=(x,))
    assert squeezed().check(_context(away)).state is State.UNDECIDED


def test_bounds_at_one_place_say_nothing() -> None:
    here = Suppose("between", BOUNDS)
    assert judged(squeezed(), here).state is State.UNDECIDED


def test_a_bound_for_positive_numbers_says_nothing_from_below() -> None:
    assert squeezed(direction="-").check(_context(BETWEEN)).state is State.UNDECIDED


def test_it_reaches_infinity() -> None:
    far = Suppose("between", Implies(x >= b, And(f(x) >= 1 - 1 / x, f(x) <= 1 + 1 / x), evaluate=False), forall=(x,))
    step = squeezed(1 - 1 / x, 1 + 1 / x, point=oo)
    made = Derivation((far,), (step,), lambda s: World({f: Lambda(t, 1 + 1 / (2 * t)), b: rational(s)}))
    assert made.check().sound


def _context(*premises):
    from theory.proof.visibility import context_of

    step = squeezed()
    return context_of(Derivation(premises, (step,), worlds), step, step.uses)


def test_a_condition_on_what_is_hidden_is_not_believed() -> None:
    size = Symbol("size", real=True)
    far_away = Define("size", size, b - 1 / x)
    there = Suppose("between", Implies(size >= 0, BOUNDS, evaluate=False), forall=(x,))
    positive = Suppose("b is large", b >= 9)
    step = squeezed(uses=("between",))
    made = Derivation((far_away, positive, there), (step,), worlds)
    from theory.proof.visibility import context_of

    assert step.check(context_of(made, step, step.uses)).state is State.UNDECIDED
