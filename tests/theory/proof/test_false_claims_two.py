"""False claims that a careless rule would let through, each beside a true one that it must let through.

The worlds honour every hypothesis, but are too kind to refute the claim: only the proof can refuse it.
"""

import random

import pytest
from kind_worlds import N, a, d, f, h, i, judged, n, p, t, told, x, y
from sympy import (
    Abs,
    And,
    Derivative,
    Eq,
    Implies,
    Integer,
    Integral,
    Lambda,
    Max,
    Mul,
    Ne,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    oo,
    sign,
)

from theory.definitions import width
from theory.definitions.width_worlds import worlds as widths
from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, State
from theory.proof.steps import Cases, Enumerate, Equal, Expand, Holds, Induct, Tends
from theory.proof.steps.follows import Follows
from theory.proof.steps.orders import OrderOf
from theory.proof.worlds import World, rational

c, k = Symbol("c", real=True), Symbol("k", integer=True)
ONE, LINE = {f: Lambda(x, Integer(1))}, {f: Lambda(x, 3 * x)}


@pytest.mark.parametrize("forall", [(), (t,)])
def test_a_hypothesis_at_a_point_is_none_along_the_way(forall) -> None:
    """f(t) = 1 at one t says nothing of a limit; at every t it does."""
    kind = State.PROVED if forall else State.UNDECIDED
    one, line = told(Eq(f(t), 1, evaluate=False), forall), told(Eq(f(t), 3 * t, evaluate=False), forall)
    assert judged([one], Tends("s", f(t) + 1, t, oo, Integer(2), ("told",)), world=ONE) is kind
    assert judged([line], Expand("s", f(t) + 1, 1 + 3 * t, t, Integer(0), 2, ("told",)), world=LINE) is kind
    assert judged([line], Follows("s", f(t) + 1, t, Integer(1), uses=("told",)), world=LINE) is kind


def test_an_entry_that_a_sum_binds_is_not_chosen_once_for_all() -> None:
    bound = Sum(Max(h[i], 0), (i, 1, N))
    false = Eq(bound * (bound - Sum(h[i], (i, 1, N))), 0, evaluate=False)
    assert judged([], Holds("s", false)) is not State.PROVED
    free = Eq(Max(x, 0) * (Max(x, 0) - x), 0, evaluate=False)
    assert judged([], Holds("s", free)) is State.PROVED


@pytest.mark.parametrize(("factor", "state"), [(c, State.UNDECIDED), (p, State.PROVED)])
def test_a_factor_is_divided_out_only_where_it_is_not_zero(factor, state) -> None:
    total = Sum(h[i], (i, 1, N))
    premise = told(Eq(factor * total, factor * x, evaluate=False))

    def world(source: random.Random) -> World:
        value = rational(source)
        return World({N: 2, h: [value, value], x: 2 * value, factor: rational(source)})

    step = Equal("s", total**2 + 1, x**2 + 1, uses=("told",))
    assert Derivation((premise,), (step,), world).check().state is state


@pytest.mark.parametrize(("parameter", "state"), [(a, State.UNDECIDED), (p, State.PROVED)])
def test_a_limit_does_not_guess_that_a_parameter_is_not_zero(parameter, state) -> None:
    b = parameter
    assert judged([], Tends("s", (b + t) / (b + t**2), t, Integer(0), Integer(1))) is state
    assert judged([], Tends("s", (b * d**2 + 1) / (b * d**2 + d), d, oo, Integer(1))) is state
    assert judged([], Follows("s", (b * d**2 + d) / (b * d + 1 / d), d, Integer(1))) is state


def test_parameters_that_may_be_equal_do_not_cancel() -> None:
    gap = p - d
    assert (
        judged([], Tends("s", (gap + t) / (gap + t**2), t, Integer(0), Integer(1)), world={d: 20}) is not State.PROVED
    )
    apart = told(p > d)
    claim = Tends("s", (gap + t) / (gap + t**2), t, Integer(0), Integer(1), ("told",))
    assert judged([apart], claim, world={d: Rational(1, 2)}) is State.PROVED


def test_a_case_is_not_known_beside_the_point() -> None:
    def slope(at_zero: int) -> Cases:
        right = Piecewise((at_zero, Eq(x, 0)), (1 + 2 * x, True))
        claim = Eq(Derivative(x + x**2, x), right, evaluate=False)
        return Cases("s", claim, (Eq(x, 0), x > 0, x < 0), normal=(nf.derivatives, nf.piecewise, nf.rational))

    assert judged([], slope(0)) is not State.PROVED
    assert judged([], slope(1)) is State.PROVED


@pytest.mark.parametrize(("left", "terms", "order"), [(Abs(x), x, 2), (sign(x), Integer(1), 3)])
def test_an_expansion_holds_on_both_sides(left, terms, order) -> None:
    assert judged([], Expand("s", left, terms, x, Integer(0), order)) is not State.PROVED
    assert judged([], Expand("s", left, terms, x, Integer(0), order, direction="-")) is not State.PROVED
    assert judged([], Expand("s", left, terms, x, Integer(0), order, direction="+")) is State.PROVED


@pytest.mark.parametrize(("size", "state"), [(n, State.UNDECIDED), (N, State.PROVED)])
def test_a_sum_counts_its_terms_only_where_it_has_any(size, state) -> None:
    assert judged([], Equal("s", size * p, Sum(p, (i, 1, size)))) is state


@pytest.mark.parametrize(("size", "state"), [(n, State.UNDECIDED), (N, State.PROVED)])
def test_a_last_term_is_split_off_only_where_there_is_one(size, state) -> None:
    shorter = Sum(h[i], (i, 1, size))
    step = Equal("s", Sum(h[i], (i, 1, size + 1)), shorter + h[size + 1], normal=(nf.ends, nf.sums, nf.rational))
    assert judged([], step, world={n: 2, h: Lambda(k, k)}) is state


def test_what_holds_at_integers_is_not_integrated() -> None:
    zero = told(Eq(f(k), 0, evaluate=False), (k,))
    integral = Equal("s", Integral(f(x), (x, 0, 1)) + 1, Integer(1), uses=("told",))
    assert judged([zero], integral, world={f: Lambda(x, 0 * x)}) is not State.PROVED
    summed = Equal("s", Sum(f(i), (i, 1, N)) + 1, Integer(1), uses=("told",))
    assert judged([zero], summed, world={f: Lambda(x, 0 * x)}) is State.PROVED


@pytest.mark.parametrize("start", [-20, 1])
def test_induction_covers_every_integer_from_the_start_on(start) -> None:
    """|k| - k is 0 at positive k alone; from -20 to -11 a product that vanishes there would hide it."""
    m = Symbol("m", integer=True, positive=True)
    vanishing = Mul(*[m + shift for shift in range(11, 21)])
    twice = Define("u", f(k), Abs(k) - k)
    claim = Induct("s", m, f(m) * vanishing, Integer(0), start=start, uses=("u",))
    assert (judged([twice], claim) is State.PROVED) is (start == 1)


def test_an_enumeration_sees_every_hypothesis() -> None:
    r = Symbol("r", positive=True)
    line = Define("line", y, r)
    assert judged([line], Enumerate("s", (r,), (y,), ((-1,), (0,), (1,)), uses=("line",))) is not State.PROVED
    assert judged([line], Enumerate("s", (r,), (y - 1,), ((-1,), (0,), (1,)), uses=("line",)), world={r: 2}) is (
        State.PROVED
    )
    cells = ((0, -1), (1, -1), (1, 0), (1, 1))
    hole = told(And(Ne(x, 1), x >= 0))
    assert judged([hole], Enumerate("s", (x,), (x, x - 1), cells, uses=("told",)), world={x: 3}) is not State.PROVED
    assert judged([told(x >= 0)], Enumerate("s", (x,), (x, x - 1), cells, uses=("told",))) is State.PROVED


def at_the_start(factor: Symbol, *given) -> State:
    """The order of initial logits times a factor, under what is given."""
    logits = width.sigma * width.over_neurons(
        width.a[width.k, width.r] * width.phi(width.w[width.k, width.r] * width.x)
    )
    premises = (width.SCALE, Define("logits", width.f[width.k], factor * logits), *width.START)
    uses = tuple(part.name for part in premises)
    step = OrderOf("s", width.f[0], width.q_sigma + Rational(1, 2), width.d, uses=uses, given=given)
    world = lambda source: World({**widths()(source).values, factor: rational(source)})  # noqa: E731
    return Derivation(premises, (step,), world).check().state


@pytest.mark.parametrize(("factor", "state"), [(a, State.UNDECIDED), (p, State.PROVED)])
def test_a_factor_that_may_vanish_has_no_order(factor, state) -> None:
    assert at_the_start(factor) is state


def test_an_order_in_a_case_that_never_arises_is_vacuous() -> None:
    assert at_the_start(p, width.q_sigma > 3, width.q_sigma < 2) is State.VACUOUS
    assert at_the_start(p, width.q_sigma > -20, width.q_sigma < 20) is State.PROVED


@pytest.mark.parametrize(("bound", "state"), [(0, State.VACUOUS), (9, State.UNDECIDED)])
def test_an_implication_from_what_never_is_says_nothing(bound, state) -> None:
    claim = Implies(And(x > 1, x < bound), x > 5, evaluate=False)
    assert judged([], Holds("s", claim), world={x: 10 if bound == 0 else 6}) is state
    assert judged([], Holds("s", Implies(And(x > 6, x < 9), x > 5, evaluate=False))) is State.PROVED
