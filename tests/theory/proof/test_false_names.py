"""One name for two things, and heads that speak of what runs; false claims mix them up.

The worlds are too kind to refute them; beside each stands a true claim that must still be proved.
"""

import pytest
from sympy import (
    Derivative,
    Integer,
    Lambda,
    Limit,
    Piecewise,
    Sum,
    Symbol,
    cos,
    exp,
    oo,
)
from worlds_of_twos import PREMISE, N, a, f, g, h, i, judged, k, n, none, p, r, refused, root, s, same, t, told, x, y, z

from theory.asymptotics import order
from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, State
from theory.proof.steps import Crossing, Equal, Expand, Holds, Induct, Rises, Tends, Termwise
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World

# heads that depend on what runs, or on what is to be any


def test_a_sum_is_not_compared_through_a_head_that_speaks_of_its_index() -> None:
    """With y = i for one i, N y <= 1 + ... + N needs y to be small."""
    head = Define("told", y, i)
    assert refused(judged([head], Termwise("s", Sum(y, (i, 1, N)), Sum(i, (i, 1, N)), uses=PREMISE), world={N: 1}))
    one = Termwise("s", Sum(y, (k, 1, N)), Sum(i + k, (k, 1, N)), uses=PREMISE)
    assert judged([head], one, world={N: 1}) is State.PROVED


def test_nothing_rises_or_crosses_through_a_head_that_speaks_of_its_variable() -> None:
    """With y = x for one x, t y rises from 1 to 2 only where y is not negative."""
    for variable, ends in ((x, refused), (t, lambda state: state is State.PROVED)):
        head = Define("told", y, x**2)
        assert ends(judged([head], Rises("s", variable * y, variable, Integer(1), Integer(2), uses=PREMISE)))
        line = Crossing("s", variable + y - 4, variable, Integer(-1) - x**2, Integer(5), root, uses=PREMISE)
        assert ends(judged([head], line, world={x: 0}))


@pytest.mark.parametrize("introduce", ["define", "crossing"])
def test_what_has_a_meaning_is_not_any(introduce) -> None:
    """From x^2 + 1 > 0 nothing follows for z."""
    if introduce == "define":
        parts, first, uses = [Define("told", y, x**2)], (), PREMISE
    else:
        parts, uses = [], ("crossing",)
        first = (Crossing("crossing", x**3 + x - p, x, Integer(0), p, y),)
    kept = Holds("kept", y + 1 > 0, uses=uses, forall=(y,))
    later = Holds("later", z + 2 > 0, uses=("kept",), instances=(("kept", {y: z}),))
    proof = Derivation(tuple(parts), (*first, kept, later), lambda source: World({x: 2, p: 2, z: 2})).check()
    assert "has a meaning of its own" in proof.steps[-2].reason
    assert judged(parts, *first, Holds("kept", y + 1 > 0, uses=uses)) is State.PROVED


def test_a_crossing_moves_with_what_its_ends_speak_of() -> None:
    """The root of x^3 + x = p lies below p for this p, not below every other."""
    crossing = Crossing("crossing", x**3 + x - p, x, Integer(0), p, root)
    below = Holds("below", root <= p + 1, uses=("crossing",), forall=(p,))
    other = Holds("other", root <= r + 2, uses=("below",), instances=(("below", {p: r}),))
    proof = Derivation((), (crossing, below, other), lambda source: World({p: 2, r: 2})).check()
    assert "speaks of it" in proof.steps[1].reason
    assert judged([], crossing, Holds("below", root <= p + 1, uses=("crossing",))) is State.PROVED


def test_a_hypothesis_for_every_place_says_nothing_of_a_head_that_depends_on_it() -> None:
    """With y = x for one x, y > x - 1 for every x is false."""
    head, use = Define("head", y, x), Equal("use", y + 1, x + 1, uses=("head",))
    step = Holds("s", y > 3, uses=PREMISE, instances=(("told", {x: Integer(5)}),))
    assert refused(judged([head, told(y > x - 1, (x,))], use, step, world={x: 10}))
    plain = told(y > f(x) - 1, (x,))
    step = Holds("s", y > f(5) - 2, uses=PREMISE, instances=(("told", {x: Integer(5)}),))
    assert judged([plain], step, world={f: Lambda(x, 0 * x)}) is State.PROVED


@pytest.mark.parametrize(
    ("meant", "step", "free"),
    [
        (x, Tends("s", none * x + 1, x, oo, 3 * none + 1, uses=PREMISE), Tends("s", none / t + x, t, oo, 3 + 0 * x,
            uses=PREMISE)),
        (x, Equal("s", Derivative(none * x, x) + 1, Integer(1), uses=PREMISE), Equal("s", Derivative(x * t, t) + 1,
            Integer(4), uses=PREMISE)),
        (x, Expand("s", none * x**2 + 1, 9 * none + 1, x, Integer(0), 4, uses=PREMISE), Equal("s", x + 1, Integer(4),
            uses=PREMISE)),
        (n, Induct("s", n, none * n, 3 * none, uses=PREMISE), Equal("s", n + 1, Integer(4), uses=PREMISE)),
    ],
)  # fmt: skip
def test_what_has_a_meaning_does_not_run(meant, step, free) -> None:
    head = Define("told", meant, Integer(3))
    assert refused(judged([head], step))
    assert judged([head], free) is State.PROVED


# captures


def test_an_index_is_caught_by_no_sum_of_a_definition() -> None:
    """F(i) is i times the sum, not the sum of i h_i."""
    total = Define("told", f(x), Sum(x * h[i], (i, 1, N)))
    caught = Equal("s", f(i) + 1, Sum(i * h[i], (i, 1, N)) + 1, uses=PREMISE)
    assert refused(judged([total], caught, world={N: 1}))
    assert judged([total], Equal("s", f(i) + 1, i * Sum(h[k], (k, 1, N)) + 1, uses=PREMISE)) is State.PROVED


def test_an_index_does_not_escape_through_a_rule() -> None:
    """That the h_i add up to 0 says nothing of the sum of cos(i) h_i."""
    rule = told(same(Sum(cos(x) * h[i], (i, 1, N)), 0), (x,))
    for factor, wanted in ((cos(i), refused), (cos(a), lambda state: state is State.PROVED)):
        step = Equal("s", Sum(factor * h[i], (i, 1, N)) + 1, Integer(1), uses=PREMISE)
        assert wanted(judged([rule], step, world={h: [0, 0]}))


@pytest.mark.parametrize(
    ("fact", "claim"),
    [
        (lambda e: Limit(e * f(t), t, oo) <= 0, lambda e: Limit(e * f(t), t, oo) <= 1),
        (lambda e: Derivative(e * f(t), t) <= 0, lambda e: Derivative(e * f(t), t) <= 1),
    ],
    ids=["limit", "derivative"],
)
def test_an_instance_is_not_caught_by_what_runs(fact, claim) -> None:
    """That x f(t) tends to nothing for every number x says nothing of t f(t)."""
    for place, wanted in ((t, refused), (a, lambda state: state is State.PROVED)):
        step = Holds("s", claim(place), uses=PREMISE, instances=(("told", {x: place}),))
        assert wanted(judged([told(fact(x), (x,))], step, world={f: Lambda(s, 0 * s)}))


def test_a_rule_is_not_caught_by_what_runs() -> None:
    rule = told(same(Limit(x * f(t), t, oo), 0), (x,))
    slope = told(same(Derivative(x * f(t), t), x * g(t)), (x, t))
    nothing = {f: Lambda(s, 0 * s), g: Lambda(s, 0 * s)}
    for place, wanted in ((t, refused), (a, lambda state: state is State.PROVED)):
        step = Equal("s", Limit(place * f(t), t, oo) + 1, Integer(1), uses=PREMISE)
        assert wanted(judged([rule], step, world=nothing))
        step = Equal("s", Derivative(place * f(t), t) + 1, place * g(t) + 1, uses=PREMISE)
        assert wanted(judged([slope], step, world=nothing))


def test_a_definition_is_not_caught_by_a_derivative() -> None:
    slope = Define("told", f(x), Derivative(none * x * t, t))
    assert refused(judged([slope], Equal("s", f(t) + 1, 2 * none * t + 1, uses=PREMISE)))
    assert judged([slope], Equal("s", f(a) + 1, none * a + 1, uses=PREMISE)) is State.PROVED
    running = Define("told", f(x), Derivative(none * x, x))
    for place, wanted in ((a, State.PROVED), (a**2, State.UNDECIDED)):  # nothing is differentiated by a square
        assert judged([running], Equal("s", f(place) + 1, none + 1, uses=PREMISE)) is wanted


@pytest.mark.parametrize("name", ["merged_0", "i_1_0"])
def test_a_symbol_of_any_name_is_no_index(name) -> None:
    other = Symbol(name, integer=True, nonnegative=True)
    left, right = (Sum(1 / (2 + i**2 + e * i), (i, 1, N)) for e in (other, i))
    assert refused(judged([], Equal("s", left, right, (), (nf.merged,)), world={other: 1, N: 1}))
    branch = Sum(Piecewise((none, i > 1), (0, True)), (i, 1, N))
    step = Equal("s", branch, none * N, PREMISE, (nf.sums, nf.piecewise))
    assert refused(judged([told(other > 1)], step, world={other: 3}))
    step = Equal("s", left, Sum((1 + other) / (2 + k**2 + other * k), (k, 1, N)) - other * left, (), (nf.merged,))
    assert judged([], step, world={other: 1}) is State.PROVED


# the same name for two things


def test_two_remainders_are_not_the_same() -> None:
    """From exp(x) = 1 + x + O(x^2) and cos(x) = 1 + O(x^2) it does not follow that exp(x) - x = cos(x)."""
    one = Expand("one", exp(x), 1 + x, x, Integer(0), 2)
    two = Expand("two", cos(x), Integer(1), x, Integer(0), 2)
    assert refused(judged([], one, two, Equal("s", exp(x) - x, cos(x), uses=("one", "two")), world={x: 0}))
    rest = one.conclusion.rhs - 1 - x
    assert judged([], one, Equal("s", exp(x) - x, 1 + rest, uses=("one",)), world={x: 0}) is not State.REFUTED


def test_an_exponent_at_one_end_is_none_at_the_other() -> None:
    """P^2 + p follows p near 0 and p^2 far out: 1 is not 2."""
    zero = Follows("zero", p**2 + p, p, Integer(1), Integer(0))
    far = Follows("far", p**2 + p, p, Integer(2))
    asked = none * order(p**2 + p, p) + a
    near = Equal("near", asked, none + a, uses=("zero",))
    out = Equal("out", asked, 2 * none + a, uses=("far",))
    assert refused(judged([], zero, far, near))
    assert judged([], zero, far, out) is State.PROVED
