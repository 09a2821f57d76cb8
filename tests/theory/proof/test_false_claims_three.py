"""False claims of a third hostile reading, each beside a true one that must still be proved.

As before the worlds honour every hypothesis but are too kind to refute the claim: only the proof can refuse it.
"""

import random

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    Expr,
    Function,
    Implies,
    IndexedBase,
    Integer,
    Lambda,
    Limit,
    Max,
    Ne,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    oo,
    sign,
)
from sympy.core.function import AppliedUndef

from theory.definitions import width
from theory.definitions.width_worlds import worlds as widths
from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.functions import smooth
from theory.proof.steps import Cases, Crossing, Enumerate, Equal, Holds, Induct, Root, Tends
from theory.proof.steps.crossing import primed
from theory.proof.steps.follows import Follows
from theory.proof.steps.orders import OrderOf
from theory.proof.worlds import World, rational

x, y, a, b, t = (Symbol(name, real=True) for name in "xyabt")
p = Symbol("p", positive=True)
d = Symbol("d", positive=True)
N = Symbol("N", integer=True, positive=True)
i, j, n = (Symbol(name, integer=True) for name in "ijn")
h, plain = IndexedBase("h", real=True), IndexedBase("H")
f, F = Function("f", real=True), Function("F")
root = Symbol("rho", real=True)


def checked(premises, *steps, **chosen):
    """The proof where the worlds give the symbols positive values."""
    values = chosen.pop("world", {})

    def world(source: random.Random) -> World:
        known = {s: rational(source, 2, 9) for s in (x, y, a, b, t, p)}
        value = rational(source, 1, 9)
        lists = {N: 2, h: [value] * 2, plain: [value] * 2}
        return World({**known, **lists, n: source.randint(1, 6), i: 1, j: 1, F: Lambda(x, x + 2), **values})

    return Derivation(tuple(premises), steps, world).check()


def judged(premises, *steps, **chosen) -> State:
    return checked(premises, *steps, **chosen).state


def told(fact, forall=()) -> Suppose:
    return Suppose("told", fact, forall=forall)


def equal(left, right, *normal, uses=("told",)) -> Equal:
    return Equal("s", left, right, uses, normal)


def vanishing(e: Expr) -> Expr:
    """Something times what is 0 in every world here, and not for negative a."""
    return e * (Abs(a) - a)


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
    assert claim.check(_context([known])).state is State.UNDECIDED
    bent = Derivative(Piecewise((x**2, x >= 0), (0, True)), x)
    claim = Equal("s", bent, Piecewise((2 * x, x >= 0), (0, True)), (), (nf.derivatives,))
    assert claim.check(_context([])).proved


def _context(premises):
    from theory.proof.visibility import context_of

    step = equal(x + 1, 1 + x, uses=tuple(one.name for one in premises))
    return context_of(Derivation(tuple(premises), (step,), lambda source: World({x: 1})), step, step.uses)


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
    assert step.check(_context([])).state is State.UNDECIDED
    assert judged([], Follows("s", d**a + 1, d, a), world={a: Integer(2)}) is not State.PROVED
    assert Follows("s", p * d**2 + d, d, Integer(2)).check(_context([])).proved


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


# imports


def test_a_hypothesis_for_every_place_is_not_met_at_one() -> None:
    everywhere = Suppose("everywhere", h[i] > 1, forall=(i,))
    step = Holds("s", h[2] > 0, ("everywhere",), instances=(("everywhere", {i: Integer(2)}),))
    other = Derivation((everywhere,), (step,), lambda source: World({h: [3, 3, 3], i: 1}))
    later = Holds("u", h[2] + 1 > 1, ("import",))
    for forall, state in (((), State.UNDECIDED), ((i,), State.PROVED)):
        own = Suppose("own", h[i] > 1, forall=forall)
        assert judged([own, Imported("import", other)], later, world={h: [3, 3], i: 2}) is state


def test_a_hypothesis_is_not_met_by_an_induction_that_starts_later() -> None:
    """u(n) = 0 from n = 1 on says nothing of u(0)."""
    u = Function("u", real=True)
    zero = Suppose("zero", Eq(u(n), 0, evaluate=False))
    other = Derivation(
        (zero,), (equal(cos(u(n)), Integer(1), uses=("zero",)),), lambda source: World({u: Lambda(n, 0), n: 1, a: 1})
    )
    start, step = Define("start", u(1), Integer(0)), Define("step", u(n + 2), 3 * u(n + 1))
    from_one = Induct("from one", n, u(n), Integer(0), start=1, uses=("start", "step"))
    late = equal(2 * cos(u(n)), Integer(2), uses=("import",))
    proof = checked([start, step, Imported("import", other)], from_one, late)
    assert proof.steps[-1].state is not State.PROVED
    assert checked([zero, Imported("import", other)], late, world={u: Lambda(n, 0)}).sound


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


# imports taken at other places


def taken(other: Derivation, places, claim, *premises, **world) -> State:
    """A claim from an import taken at other places, in a world where both places are the same."""
    return judged([*premises, Imported("import", other, at=places)], claim, world=world.pop("world", {}))


def test_a_root_is_not_moved_with_the_places_of_an_import() -> None:
    """With w = a / 2 found there, w = b / 2 does not follow here."""
    found = Root("found", root, Eq(2 * root, a, evaluate=False), a / 2)
    other = Derivation((), (found,), lambda source: World({a: rational(source)}))
    same = {a: Integer(4), b: Integer(4)}
    moved = equal(2 * root + 1, b + 1, uses=("import",))
    assert taken(other, ((a, b),), moved, world=same) is State.UNDECIDED
    assert taken(other, (), equal(2 * root + 1, a + 1, uses=("import",)), world=same) is State.PROVED


def test_what_runs_in_a_conclusion_is_not_put_into_it() -> None:
    """The slope of a x^2 is 2 a x; that of x x^2 is not 2 x x."""
    slope = Equal("slope", Derivative(a * x**2, x), 2 * a * x)
    other = Derivation((), (slope,), lambda source: World({a: rational(source), x: rational(source)}))
    for place, state in ((x, State.UNDECIDED), (b, State.PROVED)):
        step = equal(Derivative(place * x**2, x) + 1, 2 * place * x + 1, nf.rational, uses=("import",))
        assert taken(other, ((a, place),), step, world={x: Integer(0)}) is state


def test_an_induction_taken_elsewhere_keeps_its_start() -> None:
    """|n| - n vanishes from 0 on, not everywhere."""
    u, m = Function("u", real=True), Symbol("m", integer=True)
    none = Induct("none", n, u(n), Integer(0), uses=("gap",), normal=(nf.piecewise,))
    other = Derivation((Define("gap", u(j), Abs(j) - j),), (none,), lambda source: World({n: 1}))
    for known, state in ((n >= 0, State.UNDECIDED), (m >= 3, State.PROVED)):
        premises = (Suppose("known", known),)
        step = Equal("s", a * (Abs(m) - m) + a, a, ("import", "known"))
        assert taken(other, ((n, m),), step, *premises, world={n: 4, m: 4}) is state
