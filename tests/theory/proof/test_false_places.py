"""Where something is known to hold: at a place, along a limit, from a start on; false claims forget it.

The worlds are too kind to refute them; beside each stands a true claim that must still be proved.
"""

import pytest
from kind_worlds import N, a, b, checked, equal, f, i, j, judged, n, p, seen_from, t, told, vanishing, x
from sympy import (
    Abs,
    Derivative,
    Eq,
    Function,
    Integer,
    Limit,
    Max,
    Ne,
    Piecewise,
    Sum,
    exp,
    oo,
    sign,
)

from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Cases, Equal, Induct, Tends
from theory.proof.worlds import World

# what is known at a place, used on the way


@pytest.mark.parametrize(
    ("bent", "straight", "form"),
    [(Abs(x) / x, x / x, nf.piecewise), (sign(x), Integer(1), nf.piecewise), (Max(x, 0) / x, Integer(1), nf.max_plus)],
)
def test_a_branch_is_not_decided_along_a_limit_by_what_holds_at_a_place(bent, straight, form) -> None:
    """For x > 0 the branch is known; as x falls to -oo it is the other one."""
    along = [Limit(vanishing(e), x, -oo) for e in (bent, straight)]
    assert judged([told(x > 0)], equal(*along, form)) is not State.PROVED
    assert judged([told(x > 0)], equal(bent + 1, straight + 1, form)) is State.PROVED


def test_a_parameter_is_known_along_a_limit() -> None:
    left, right = Limit(Abs(b) * x / (1 + x), x, oo), Limit(b * x / (1 + x), x, oo)
    assert judged([told(b > 0)], equal(left, right, nf.piecewise)) is State.PROVED


def test_terms_are_not_counted_along_a_limit_by_what_holds_at_a_place() -> None:
    """From n to 3 there are 4 - n terms while n <= 3, and none as n grows."""
    count = Limit(vanishing(Sum(1, (i, n, 3))), n, oo), Limit(vanishing(4 - n), n, oo)
    assert judged([told(n <= 3)], equal(*count, nf.sums), world={n: 2}) is not State.PROVED
    assert judged([told(n <= 3)], equal(Sum(p, (i, n, 3)), (4 - n) * p, nf.sums), world={n: 2}) is State.PROVED


def test_a_branch_is_not_folded_out_of_a_sum_over_what_it_tells_apart() -> None:
    """Half of the terms are 1; the index must not escape from its sum."""
    stairs = Sum(Piecewise((1, i > j), (0, True)) * vanishing(p), (i, 1, N))
    folded = Piecewise((N * vanishing(p), i > j), (0, True))
    assert judged([], Equal("s", stairs, folded, (), (nf.piecewise, nf.sums))) is not State.PROVED
    outside = Piecewise((1, a > 2), (0, True)) + p
    assert judged([], Equal("s", outside, Piecewise((1 + p, a > 2), (p, True)), (), (nf.piecewise,))) is State.PROVED


def test_the_slope_of_a_single_point_is_none() -> None:
    """x, written with its value at 0 apart, has the slope 1 there too."""
    apart = Derivative(Piecewise((0, Eq(x, 0)), (x, True)), x)
    claim = Equal("s", apart, Piecewise((0, Eq(x, 0)), (1, True)), (), (nf.derivatives, nf.piecewise))
    known = Suppose("told", Ne(x, 0))
    assert claim.check(seen_from([known])).state is State.UNDECIDED
    bent = Derivative(Piecewise((x**2, x >= 0), (0, True)), x)
    claim = Equal("s", bent, Piecewise((2 * x, x >= 0), (0, True)), (), (nf.derivatives,))
    assert claim.check(seen_from([])).proved


# the places for which a step holds


def test_a_limit_for_every_parameter_keeps_its_condition() -> None:
    falls = Tends("falls", exp(-a * t), t, oo, Integer(0), ("told",), forall=(a,))
    for other, state in ((b, State.UNDECIDED), (p, State.PROVED)):
        moved = Limit(exp(-other * t), t, oo, "+")
        proof = checked([told(a > 0)], falls, Equal("moved", moved + 1, Integer(1), ("falls",)))
        assert (proof.steps[0].state, proof.steps[1].state) == (State.PROVED, state)


def test_a_case_distinction_for_every_place_keeps_its_condition() -> None:
    """|x| |x - 1| by cases, for x >= 0."""
    split = Eq(Abs(x) * Abs(x - 1), Piecewise((x * (x - 1), x >= 1), (x * (1 - x), True)), evaluate=False)
    known = Cases("known", split, (x >= 1, x < 1), ("told",), (nf.piecewise, nf.expanded), forall=(x,))
    for place, state in ((-2 - p, State.UNDECIDED), (2 + p, State.PROVED)):
        left = split.lhs.xreplace({x: place})
        right = split.rhs.xreplace({x: place})
        step = Equal("moved", f(left), f(right), ("known",), (nf.rational,))
        context = _context_with([told(x >= 0), known], step)
        assert step.check(context).state is state


def _context_with(parts, step):
    from theory.proof.visibility import context_of

    premises = tuple(part for part in parts if isinstance(part, Suppose))
    steps = (*(part for part in parts if not isinstance(part, Suppose)), step)
    return context_of(Derivation(premises, steps, lambda source: World({x: 1})), step, step.uses)


def test_a_huge_power_is_tried_without_filling_the_memory() -> None:
    assert judged([told(a > 1)], Tends("s", a**t, t, oo, oo, ("told",))) is State.UNDECIDED


# recursions


def test_a_later_term_is_none_before_the_first() -> None:
    """u(0) = 7 and u(k + 1) = k^2: at n = -1 the second would say 1 of the first."""
    u = Function("u", real=True)
    first, later = Define("first", u(0), Integer(7)), Define("later", u(j + 1), j**2)
    step = equal(2 * u(n + 1), 2 * n**2, uses=("later",))
    for known, state in (((), State.UNDECIDED), ((n >= 0,), State.PROVED)):
        given = tuple(Suppose(f"known {k}", fact) for k, fact in enumerate(known))
        context = _context_with([*given], equal(x + 1, 1 + x, uses=tuple(one.name for one in given)))
        rules = _context_with_definitions((first, later), step).rules
        assert step.check(context.adding(rules=rules)).state is state


def _context_with_definitions(definitions, step):
    from theory.proof.visibility import context_of

    return context_of(Derivation(definitions, (step,), lambda source: World({n: 1})), step, step.uses)


def test_what_a_recursion_speaks_of_is_not_any_number() -> None:
    """A sequence that starts at x stays x for this x only."""
    u = Function("u", real=True)
    v = Function("v", real=True)
    told_of_x = (Define("start", u(0), x), Define("step", u(n + 1), u(n)))
    assert judged(told_of_x, Induct("s", n, u(n), x, uses=("start", "step"), every=(x,))) is not State.PROVED
    assert judged(told_of_x, Induct("s", n, u(n), x, uses=("start", "step"))) is State.PROVED
    argument = (Define("start", v(0, x), x), Define("step", v(n + 1, x), v(n, x)))
    assert judged(argument, Induct("s", n, v(n, x), x, uses=("start", "step"), every=(x,))) is State.PROVED
