"""Rises: the mean value theorem, and what it may not be asked."""

import pytest
from sympy import Function, Integer, Symbol, exp, log, sqrt

from theory.definitions.tangents import BELOW_ONE, TANGENT
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.mutation import survivors
from theory.proof.steps import Rises
from theory.proof.worlds import World, rational

x, real = Symbol("x", real=True), Symbol("y", real=True)
a, b = Symbol("a", positive=True), Symbol("b", positive=True)
f = Function("f", real=True)
ZERO = Integer(0)
ORDERED = Suppose("in order", a <= b)


def worlds(source) -> World:
    low = rational(source)
    return World({a: low, b: low + rational(source, 0, 3), real: rational(source, -3, 3), x: rational(source)})


def judged(step: Rises, *premises):
    return Derivation(premises, (step,), worlds).check().steps[0]


def test_between_two_ends_in_order() -> None:
    step = Rises("grown", x * exp(x), x, a, b, uses=("in order",))
    derivation = Derivation((ORDERED,), (step,), worlds)
    assert derivation.check().sound
    assert survivors(derivation) == ()
    assert step.conclusion == (a * exp(a) <= b * exp(b))


def test_strictly() -> None:
    step = Rises("logarithm", log(1 + x), x, ZERO, a, strict=True)
    assert judged(step).state is State.PROVED
    assert str(step.conclusion) == "0 < log(a + 1)"


@pytest.mark.parametrize("derivation", [BELOW_ONE, TANGENT], ids=["below 1", "tangent"])
def test_the_exponential_and_its_tangent(derivation: Derivation) -> None:
    assert derivation.check().sound
    assert survivors(derivation) == ()


@pytest.mark.parametrize(
    "step",
    [
        Rises("falls", exp(-x), x, ZERO, a),
        Rises("over a jump", -1 / x, x, -a, a),
        Rises("down and up", x**2, x, -a, a / 2),
        Rises("strictly on one point", exp(x), x, a, a, strict=True),
    ],
    ids=lambda step: step.name,
)
def test_what_is_false_is_refuted(step: Rises) -> None:
    assert judged(step).state is State.REFUTED


@pytest.mark.parametrize(
    ("step", "premises", "words"),
    [
        (Rises("ends", x, x, a, b), (), "not shown that a <= b"),
        (Rises("unknown", f(x), x, ZERO, a), (), ""),
        (Rises("root of what may be negative", sqrt(x + real), x, ZERO, a), (), "continuous"),
    ],
    ids=["order", "unknown function", "continuity"],
)
def test_what_is_not_shown_is_not_proved(step: Rises, premises, words) -> None:
    found = step.check(_context(step, premises))
    assert not found.proved
    assert words in found.reason


def test_a_variable_that_is_bound_by_a_hypothesis_does_not_run() -> None:
    bound = Suppose("beyond", x >= 5)
    step = Rises("square", x**2, x, -a, a, uses=("beyond",))
    found = step.check(_context(step, (bound,)))
    assert "hypotheses speak of x" in found.reason


def test_a_hidden_definition_may_depend_on_the_variable() -> None:
    hidden = Define("hidden", real, -2 * x)
    step = Rises("sum", x + real, x, ZERO, a)
    found = step.check(_context(step, (hidden,)))
    assert "hidden" in found.reason


def test_ends_may_not_hold_the_variable() -> None:
    with pytest.raises(ValueError, match="the ends are"):
        Rises("end", exp(x), x, ZERO, x)


def _context(step: Rises, premises):
    from theory.proof.visibility import context_of

    return context_of(Derivation(premises, (step,), worlds), step, step.uses)
