"""Pieced: integrals of what bends or jumps, and the inverse sines that come out of them."""

import mpmath
import pytest
from sympy import Abs, Integer, Integral, Piecewise, Rational, Symbol, acos, asin, pi, sign, sqrt

from theory.proof.arcs import arcs
from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.known import Known
from theory.proof.steps import Equal, Pieced
from theory.proof.worlds import World

x, a, c = (Symbol(name, real=True) for name in "xac")
INSIDE = Suppose("inside", (a > -1) & (a < 2))
STEP = Piecewise((x, x > a), (0, True))
ENDS = (Integer(-1), a, Integer(2))

ANYWHERE = (Rational(1, 3), Rational(-2, 5), Rational(6, 5))


def state(step, premises=(INSIDE,), places=ANYWHERE) -> State:
    """Of one step; a is one of the places."""
    return Derivation(premises, (step,), lambda source: World({a: source.choice(places), x: 1})).check().steps[0].state


@pytest.mark.parametrize(
    ("integrand", "places", "primitives", "uses"),
    [
        (Abs(x), (Integer(-1), Integer(0), Integer(2)), (-(x**2) / 2, x**2 / 2), ()),
        (sign(x) * x**2, (Integer(-1), Integer(0), Integer(2)), (-(x**3) / 3, x**3 / 3), ()),
        (STEP, ENDS, (Integer(0), x**2 / 2), ("inside",)),
        (Abs(x - a), ENDS, (a * x - x**2 / 2, x**2 / 2 - a * x), ("inside",)),
        (1 / (1 + x), (Integer(0), Integer(1)), (2 * sqrt(1 + x) ** 2,), ()),
    ],
)
def test_every_piece_has_its_primitive(integrand, places, primitives, uses):
    good = integrand != 1 / (1 + x)
    step = Pieced("integral", integrand, x, places, primitives, uses)
    assert (state(step, (INSIDE,) if uses else ()) is State.PROVED) is good
    wrong = Pieced("integral", integrand, x, places, (*primitives[:-1], primitives[-1] + x), uses)
    assert state(wrong, (INSIDE,) if uses else ()) is State.REFUTED


def test_a_cut_in_the_wrong_place_is_refuted():
    step = Pieced(
        "integral", STEP, x, (Integer(-1), a + Rational(1, 7), Integer(2)), (Integer(0), x**2 / 2), ("inside",)
    )
    assert state(step) is State.REFUTED


def test_places_in_an_order_that_is_not_shown_prove_nothing():
    """Where a lies beyond 2 the piece from a to 2 runs backwards, where the integrand is 0."""
    free = Suppose("inside", a > -1)
    step = Pieced("integral", STEP, x, ENDS, (Integer(0), x**2 / 2), ("inside",))
    assert state(step, (free,)) is State.UNDECIDED
    assert state(step, (free,), places=(Integer(3),)) is State.REFUTED


def test_a_primitive_that_jumps_proves_nothing():
    """1/x^2 has the primitive -1/x on either side of 0, and no integral over it."""
    step = Pieced("integral", x**-2, x, (Integer(-1), Integer(1)), (-1 / x,))
    assert state(step, ()) is not State.PROVED
    assert state(Pieced("integral", x**-2, x, (Integer(1), Integer(2)), (-1 / x,)), ()) is State.PROVED


def test_what_depends_on_the_variable_unseen_is_not_taken_for_a_constant():
    hidden = Define("hidden", c, x**2)
    step = Pieced("integral", c, x, (Integer(0), Integer(1)), (c * x,))
    assert state(step, (hidden,)) in (State.UNDECIDED, State.REFUTED)
    assert state(Pieced("integral", a, x, (Integer(0), Integer(1)), (a * x,)), ()) is State.PROVED


@pytest.mark.parametrize("places", [ENDS, (Integer(0), x)])
def test_places_and_primitives_that_do_not_fit_are_refused(places):
    with pytest.raises(ValueError, match="Pieced integral"):
        Pieced("integral", x, x, places, (x**2 / 2,))


def test_a_world_integrates_across_jumps():
    """The step function's integral is exact to all digits, wherever it jumps."""
    jump = Equal("jump", Integral(STEP, (x, -1, 2)) + a**2 / 2, 2)
    assert state(jump, ()) is State.UNDECIDED  # true in the worlds, and not shown
    assert state(Equal("jump", Integral(STEP, (x, -1, 2)) + a**2 / 2, 2 + a / 10**20), ()) is State.REFUTED


@pytest.mark.parametrize("value", [-1, -0.7, 0, 0.3, 1])
def test_inverse_sines_by_half_the_angle(value):
    made = arcs(asin(x) + 2 * acos(x), Known())
    assert not made.has(asin, acos)
    with mpmath.workdps(30):
        exact = mpmath.asin(value) + 2 * mpmath.acos(value)
        assert abs(mpmath.mpmathify(made.subs(x, Rational(str(value))).evalf(30)) - mpmath.mpf(exact)) < 1e-14
    assert abs(float(made.subs(x, Rational(1, 2))) - float(asin(Rational(1, 2)))) > 0.1


def test_both_kinds_add_up_to_a_right_angle():
    right, wrong = (Equal("angles", asin(a) + acos(a), value, normal=(arcs,)) for value in (pi / 2, pi))
    assert state(right, (), (Rational(1, 3), Rational(-2, 5))) is State.PROVED
    assert state(wrong, (), (Rational(1, 3), Rational(-2, 5))) is State.REFUTED
