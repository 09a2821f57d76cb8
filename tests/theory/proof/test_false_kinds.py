"""What complex numbers, abstract functions, exponents and hidden signs are not; false claims take them for it.

The worlds are too kind to refute them; beside each stands a true claim that must still be proved.
"""

import pytest
from kind_worlds import F, N, a, checked, d, f, h, i, j, judged, p, plain, root, seen_from, t, told, x, y
from sympy import (
    Implies,
    Integer,
    Lambda,
    Limit,
    Ne,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
)
from sympy.core.function import AppliedUndef

from theory.definitions import width
from theory.definitions.width_worlds import worlds as widths
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Crossing, Enumerate, Equal, Holds
from theory.proof.steps.crossing import primed
from theory.proof.steps.follows import Follows
from theory.proof.steps.orders import OrderOf
from theory.proof.worlds import World

# complex numbers


@pytest.mark.parametrize(
    ("unreal", "real"),
    [(plain[1], h[1]), (F(x), f(x)), (plain[i], h[i])],
)
def test_what_is_not_declared_real_is_not_reasoned_about(unreal, real) -> None:
    """With an imaginary unit the square is -1, and the sum with 1 vanishes."""
    world = {f: Lambda(x, x + 2)}
    for value, state in ((unreal, State.UNDECIDED), (real, State.PROVED)):
        step = Holds("s", Ne(value**2 + 1, 0, evaluate=False))
        assert judged([], step, world=world) is state


# abstract functions


@pytest.mark.parametrize(("function", "state"), [(f, State.UNDECIDED), (smooth("g"), State.PROVED)])
def test_only_smooth_functions_cross_without_a_jump(function: type[AppliedUndef], state: State) -> None:
    """An increasing function from below 0 to above may jump over it."""
    ends = (Suppose("below", function(0) < 0), Suppose("above", function(1) > 0))
    rises = Suppose("rises", Implies(x < y, function(x) < function(y)), forall=(x, y))
    step = Crossing(
        "s", function(t), t, Integer(0), Integer(1), root,
        uses=("below", "above", "rises"), instances=(("rises", {x: t, y: primed(t)}),),
    )  # fmt: skip
    assert judged([*ends, rises], step, world={function: Lambda(x, 2 * x - 1)}) is state


def test_a_crossing_lies_between_its_ends_in_their_order() -> None:
    """A / 2 lies between 0 and a for positive a only."""
    step = Crossing("s", 2 * x / a - 1, x, Integer(0), a, root, uses=("told",))
    assert judged([told(Ne(a, 0))], step) is not State.PROVED
    assert judged([told(a > 0)], step) is State.PROVED


# exponents and orders


def test_an_exponent_does_not_depend_on_its_control() -> None:
    step = Follows("s", exp(d) + 0 * d, d, d / log(d))
    assert step.check(seen_from([])).state is State.UNDECIDED
    assert judged([], Follows("s", d**a + 1, d, a), world={a: Integer(2)}) is not State.PROVED
    assert Follows("s", p * d**2 + d, d, Integer(2)).check(seen_from([])).proved


@pytest.mark.parametrize(
    ("factor", "state"), [(p - Symbol("q", positive=True), State.UNDECIDED), (p + 1, State.PROVED)]
)
def test_a_difference_of_factors_may_vanish_and_has_no_order(factor, state) -> None:
    """Two positive numbers may be equal."""
    logits = width.sigma * width.over_neurons(
        width.a[width.k, width.r] * width.phi(width.w[width.k, width.r] * width.x)
    )
    premises = (width.SCALE, Define("logits", width.f[width.k], factor * logits), *width.START)
    uses = tuple(part.name for part in premises)
    step = OrderOf("s", width.f[0], width.q_sigma + Rational(1, 2), width.d, uses=uses)
    free = sorted(factor.free_symbols, key=str)
    world = lambda source: World({**widths()(source).values, **{s: k + 2 for k, s in enumerate(free)}})  # noqa: E731
    assert Derivation(premises, (step,), world).check().state is state


# enumerations


def test_signs_of_what_is_hidden_are_not_enumerated() -> None:
    """A square is never negative, whether or not its definition is used."""
    square = Define("square", x, y**2)
    cells = ((1,), (0,), (-1,))
    step = Enumerate("s", (x,), (x,), cells)
    proof = checked([square], Equal("used", x + 1, 1 + y**2, ("square",)), step)
    assert proof.steps[-1].state is State.UNDECIDED
    assert judged([], step) is State.PROVED


# the same in other words


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (2 * Sum(h[i], (i, 1, N)) >= 0, Sum(h[j], (j, 1, N)) >= 0),
        (3 * Limit(f(x), x, oo) > 6, Limit(f(x), x, oo) > 2),
    ],
)
def test_a_sum_in_disguise_is_vacuous(fact, claim) -> None:
    proof = checked([told(fact)], Holds("s", claim, ("told",)), world={f: Lambda(x, 3 + 1 / (1 + x**2))})
    assert proof.state is State.VACUOUS and "up to a factor" in proof.steps[0].reason
