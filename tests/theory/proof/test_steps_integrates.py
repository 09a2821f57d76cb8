"""Integrates: a primitive whose derivative is the integrand, continuous all the way."""

import pytest
from sympy import Function, Integer, Symbol, atan, cos, exp, log, oo, pi, sin, tan

from theory.proof.derivation import Derivation, State
from theory.proof.normal_forms import trigonometric
from theory.proof.steps import Integrates, Tends
from theory.proof.worlds import World, rational

x = Symbol("x", real=True)
a, b = Symbol("a", positive=True), Symbol("b", positive=True)


def worlds(source) -> World:
    return World({a: rational(source), b: rational(source)})


def judged(step):
    return Derivation((), (step,), worlds).check().steps[0]


def test_polynomials_and_exponentials():
    found = judged(Integrates("power", x**2 + exp(-x), x, Integer(0), a, x**3 / 3 - exp(-x)))
    assert found.state is State.PROVED, found.reason


def test_a_product_of_cosines():
    primitive = (x * cos(a) + sin(x) * cos(x - a)) / 2
    step = Integrates("cosines", cos(x) * cos(x - a), x, a - pi / 2, pi / 2, primitive, normal=(trigonometric,))
    assert judged(step).state is State.PROVED


def test_an_arc_tangent_across_zero():
    assert judged(Integrates("arc", 1 / (1 + x**2), x, -a, b, atan(x))).state is State.PROVED


@pytest.mark.parametrize(
    ("integrand", "primitive"),
    [(x**2, x**3 / 2), (x**2, -(x**3) / 3), (cos(x), cos(x))],
    ids=["factor", "sign", "another function"],
)
def test_a_wrong_primitive_is_refuted(integrand, primitive):
    assert judged(Integrates("wrong", integrand, x, Integer(0), a, primitive)).state is State.REFUTED


def test_a_primitive_that_jumps_is_not_believed():
    """The integral of 1/x^2 across 0 is infinite, though -1/x has the right derivative."""
    step = Integrates("pole", 1 / x**2, x, -a, b, -1 / x)
    assert judged(step).state is not State.PROVED
    assert judged(Integrates("branch", 1 / x, x, -a, b, log(x))).state is not State.PROVED
    assert judged(Integrates("tangent", 1 + tan(x) ** 2, x, Integer(0), 2 * a, tan(x))).state is not State.PROVED


def test_ends_are_finite():
    with pytest.raises(ValueError, match="allowed are finite ones"):
        Integrates("infinite", exp(-x), x, Integer(0), oo, -exp(-x))


def test_limits_of_smooth_functions_inside_sums():
    """A difference quotient under a sum tends to the sum of the derivatives; a wrong value does not pass."""
    from sympy import IndexedBase, Lambda, Sum

    from theory.proof.functions import derivative, smooth

    t, i = Symbol("t", positive=True), Symbol("i", integer=True, positive=True)
    n, h, phi = Symbol("n", integer=True, positive=True), IndexedBase("h", real=True), smooth("phi")
    quotient = Sum((phi(h[i] + t) - phi(h[i])) / t, (i, 1, n))

    def steps(factor):
        return Tends("slope", quotient, t, Integer(0), factor * Sum(derivative(phi)(h[i]), (i, 1, n)))

    def with_values(source) -> World:
        return World({n: 2, h: [rational(source), rational(source)], phi: Lambda(x, x**2 + x)})

    assert Derivation((), (steps(1),), with_values).check().steps[0].state is State.PROVED
    assert Derivation((), (steps(2),), with_values).check().steps[0].state is State.REFUTED


def test_sines_and_cosines_become_one_form():
    from theory.proof.known import Known

    y, f = Symbol("y", real=True), Function("f")
    assert trigonometric(sin(x + y) ** 2 + cos(x + y) ** 2 - 1, Known()) == 0
    assert trigonometric(f(x), Known()) == f(x)
    assert trigonometric(sin(x) ** 2 - cos(x) ** 2, Known()) != 0
