"""False claims of a fourth hostile reading, each beside a true one that must still be proved.

As before the worlds honour every hypothesis but are too kind to refute the claim: only the proof can refuse it.
"""

import random

import pytest
from sympy import (
    Abs,
    And,
    Derivative,
    Eq,
    Function,
    Ge,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Lambda,
    Le,
    Limit,
    Max,
    Piecewise,
    Rational,
    Sum,
    Symbol,
    cos,
    exp,
    oo,
    sign,
)

from theory.asymptotics import order
from theory.proof import normal_forms as nf
from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.steps import Crossing, Equal, Expand, Holds, Induct, Rises, Tends, Termwise
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World

x, y, z, a, b, s, t = (Symbol(name, real=True) for name in "xyzabst")
p, r = Symbol("p", positive=True), Symbol("r", positive=True)
none = Symbol("c", nonnegative=True)
"""Not negative, and 0 in every world here: what it multiplies vanishes there, and nowhere else."""
N, small = Symbol("N", integer=True, positive=True), Symbol("l", integer=True, positive=True)
n = Symbol("n", integer=True, nonnegative=True)
i, k = Symbol("i", integer=True), Symbol("k", integer=True)
h, signed = IndexedBase("h", real=True), IndexedBase("g", positive=True)
f, g = Function("f", real=True), Function("g", real=True)
above = Function("above", positive=True)
root = Symbol("rho", real=True)
PREMISE = ("told",)


def judged(premises, *steps, **world) -> State:
    """The state of the last step."""
    values = {symbol: Integer(2) for symbol in (x, y, z, a, b, s, t, p, r, N, n)}
    values |= {none: Integer(0), i: 1, k: 1, small: 1, h: [1, 1], signed: [1, 1]} | world.get("world", {})
    return Derivation(tuple(premises), steps, lambda source: World(values)).check().steps[-1].state


def told(fact, forall=(), name="told") -> Suppose:
    return Suppose(name, fact, forall=forall)


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


def refused(state: State) -> bool:
    return state is not State.PROVED


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


# indices


def test_an_index_is_positive_only_where_it_runs() -> None:
    """From -5 on a positive index is a slip of the pen, and the sum is negative."""
    for start, wanted in ((-30, refused), (1, lambda state: state is State.PROVED)):
        claim = Ge(Sum(small * none, (small, start, N)) + 1, 0, evaluate=False)
        assert wanted(judged([], Holds("s", claim)))
        rule = told(same(f(small) * none, 0), (small,))
        step = Equal("s", Sum(none * f(small), (small, start, N)) + 1, Integer(1), uses=PREMISE)
        assert wanted(judged([rule], step, world={f: Lambda(t, t)}))
        bound = told(Le(a, -Sum(small * none, (small, start, N)), evaluate=False))
        assert wanted(judged([bound], Holds("s", a <= 1, uses=PREMISE), world={a: -1}))


@pytest.mark.parametrize(("place", "state"), [(x, State.UNDECIDED), (k, State.PROVED)])
def test_a_delta_meets_no_term_between_two(place, state) -> None:
    known = told(And(place >= 1, place <= N))
    step = Equal("s", Sum(KroneckerDelta(i, place) * p, (i, 1, N)) + 1, p + 1, uses=PREMISE)
    assert judged([known], step, world={x: 1}) is state


# limits


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (lambda e: Abs(e) / e, 1),
        (sign, 1),
        (lambda e: sign(e) ** 2, 1),
        (lambda e: Max(e, 0) / e + 1, 2),
        (lambda e: exp(-1 / e), 0),
        (lambda e: Piecewise((1, e > 0), (0, True)), 1),
    ],
)
def test_a_part_may_come_to_its_limit_from_either_side(form, value) -> None:
    """F falls to 0 here, and may rise to it elsewhere, or be 0 all along."""
    known = told(same(Limit(f(p), p, oo), 0))
    falls = {f: Lambda(t, 1 / t)}
    assert refused(judged([known], Tends("s", form(f(p)), p, oo, Integer(value), uses=PREMISE), world=falls))
    good = Tends("s", (exp(f(p)) - 1) / f(p) + Abs(f(p)), p, oo, Integer(1), uses=PREMISE)
    assert judged([known], good, world=falls) is State.PROVED


def test_parts_come_to_their_limits_along_any_path() -> None:
    """Along every line x^2 y / (x^4 + y^2) falls to 0; on the parabola y = x^2 it is 1/2."""
    known = told(And(same(Limit(f(p), p, oo), 0), same(Limit(g(p), p, oo), 0), evaluate=False))
    both = {f: Lambda(t, 1 / t), g: Lambda(t, 1 / t)}
    bent = f(p) ** 2 * g(p) / (f(p) ** 4 + g(p) ** 2)
    assert refused(judged([known], Tends("s", bent, p, oo, Integer(0), uses=PREMISE), world=both))
    plain = f(p) ** 2 * g(p) / (1 + g(p) ** 2) + g(p) * (exp(f(p)) - 1) / f(p)
    assert judged([known], Tends("s", plain, p, oo, Integer(0), uses=PREMISE), world=both) is State.PROVED


def test_an_integer_comes_near_no_number() -> None:
    for variable, wanted in ((k, refused), (t, lambda state: state is State.PROVED)):
        rule = told(same(f(variable), 0), (variable,))
        step = Tends("s", f(variable) + 1, variable, Integer(0), Integer(1), uses=PREMISE)
        assert wanted(judged([rule], step, world={f: Lambda(s, 0 * s)}))


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


# hypotheses that no world should pass for kept


@pytest.mark.parametrize("place", [0, 50])
def test_a_hypothesis_is_kept_where_it_is_used(place) -> None:
    """At most 90 at a sample of places, and 2500 at the place that counts."""
    bounded, large = told(f(x) <= 90, (x,)), told(f(place) >= 91, name="large")
    step = Holds("s", b > 100, uses=("told", "large"), instances=(("told", {x: Integer(place)}),))
    broken = {f: Lambda(t, Piecewise((100, Eq(t, place)), (1, True))), b: 200}
    assert judged([bounded, large], step, world=broken) is State.VACUOUS
    used = Holds("s", f(place) + 9 < 100, uses=PREMISE, instances=(("told", {x: Integer(place)}),))
    assert judged([bounded], used, world={f: Lambda(t, 1 + 0 * t)}) is State.PROVED


@pytest.mark.parametrize(("thing", "value"), [(Sum(signed[i], (i, 1, N)), {signed: [-3, -3]}), (above(x),
    {above: Lambda(t, Integer(-9))})])  # fmt: skip
def test_worlds_keep_what_tables_and_functions_are_declared_to_be(thing, value) -> None:
    """What is positive is not below -5; from a contradiction everything follows."""
    false = told(Le(thing, -5, evaluate=False))
    step = Holds("s", b > 100, uses=PREMISE)
    assert judged([false], step, world={b: 200, **value}) is State.VACUOUS
    true = told(Ge(thing, 5, evaluate=False))
    kept = {signed: [3, 3], above: Lambda(t, Integer(9))}
    assert judged([true], Holds("s", thing > 4, uses=PREMISE), world=kept) is State.PROVED


# imports


def test_the_range_of_an_import_moves_with_it() -> None:
    """For x > a, x + s > a + 1; at b for a, for x > b."""
    large = told(s > 1, name="large")
    lemma = Derivation(
        (told(x > a, name="beyond"), large),
        (Holds("s", x + s > a + 1, uses=("beyond", "large"), forall=(x,)),),
        lambda source: World({a: 1, x: 3, s: 2}),
    )
    here = (told(x > b, name="own"), large, Imported("import", lemma, at=((a, b),)))
    step = Holds("s", y + s + 1 > b + 1, uses=("import", "told"), instances=(("import", {x: y}),))
    for bound, wanted in ((a, refused), (b, lambda state: state is State.PROVED)):
        assert wanted(judged([*here, told(y > bound)], step, world={a: 1, b: 1, x: 3, y: 3}))


def test_a_hypothesis_for_every_place_is_not_met_by_a_step_for_some() -> None:
    """A cube is not negative for positive x, and the import asks for every x."""
    everywhere = told(g(x) >= 0, (x,), "everywhere")
    at = Integer(-3)
    conclusion = Holds("s", g(at) + 1 > 0, uses=("everywhere",), instances=(("everywhere", {x: at}),))
    lemma = Derivation((everywhere,), (conclusion,), lambda source: World({g: Lambda(t, t**2), x: 1}))
    for power, known, wanted in ((3, True, refused), (2, False, lambda state: state is State.PROVED)):
        shape = Define("shape", g(x), none * x**power)
        positive = (told(x > 0, name="positive"),) if known else ()
        uses = ("shape", *(one.name for one in positive))
        shown = Holds("everywhere", g(x) >= 0, uses=uses, forall=(x,))
        later = Holds("s", g(at) + Rational(3, 2) > 0, uses=("import",))
        assert wanted(judged([shape, *positive, Imported("import", lemma)], shown, later))


def test_worlds_are_drawn_from_the_source_they_are_given() -> None:
    """The helper above has fixed worlds: a drawn one refutes what they are too kind to refute."""
    claim = Equal("s", none * x + 1, Integer(1))
    drawn = Derivation((), (claim,), lambda source: World({none: source.randint(1, 5), x: 2}))
    assert drawn.check().state is State.REFUTED
    assert random.Random(0).randint(1, 5) > 0
