"""Indices, limits and hypotheses with a range; false claims leave it.

The worlds are too kind to refute them; beside each stands a true claim that must still be proved.
"""

import random

import pytest
from sympy import (
    Abs,
    And,
    Eq,
    Ge,
    Integer,
    KroneckerDelta,
    Lambda,
    Le,
    Limit,
    Max,
    Piecewise,
    Rational,
    Sum,
    exp,
    oo,
    sign,
)
from worlds_of_twos import (
    PREMISE,
    N,
    a,
    above,
    b,
    f,
    g,
    i,
    judged,
    k,
    none,
    p,
    refused,
    s,
    same,
    signed,
    small,
    t,
    told,
    x,
    y,
)

from theory.proof.derivation import Define, Derivation, Imported, State
from theory.proof.steps import Equal, Holds, Tends
from theory.proof.worlds import World

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
