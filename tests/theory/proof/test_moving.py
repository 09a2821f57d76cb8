"""Derivatives in a world by parts agree with those of formulas, and what has no parts is left to formulas."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Function,
    IndexedBase,
    Integer,
    Lambda,
    LambertW,
    Max,
    N,
    Rational,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    sin,
    sqrt,
)

from theory.proof.differentiating import by_formula, by_parts
from theory.proof.evaluation import Evaluation, EvaluationError
from theory.proof.functions import derivative, smooth
from theory.proof.moving import Moving, moved, plus, slope_along, started, times

i, j, n = (Symbol(name, integer=True, positive=True) for name in "ijn")
x, y, z, s = (Symbol(name, real=True) for name in "xyzs")
h = IndexedBase("h", real=True)
f, g, phi = Function("f_here", real=True), Function("g_here", real=True), smooth("phi_here")

WORLD = Evaluation(
    {
        n: 3,
        h: [1, Rational(1, 2), 3],
        x: Rational(1, 3),
        y: Rational(5, 7),
        g: Lambda(s, s**2 + 1),
        phi: Lambda(s, s**3 + s),
    },
    (
        (z, log(Sum(exp(x * h[i]), (i, 1, n)))),
        (f(s), Derivative(exp(s * x) / (1 + s**2), s)),
    ),
)


@pytest.mark.parametrize(
    "expression",
    [
        Derivative(z, x),
        Derivative(z, x, x),
        Derivative(exp(z) * sin(x * y), x, y),
        Derivative(Derivative(z, h[2]) * cos(x), x),
        Derivative(f(x * y), x),
        Derivative(g(x * y) ** 2 / y, y),
        Derivative(phi(x**2), x),
        Derivative(derivative(phi)(x**2), x),
        Derivative((x + y) ** x, x),
        Derivative(sqrt(x + y**2), y, (x, 2)),
        Derivative(LambertW(exp(x * y)), x, y),
        Derivative(derivative(derivative(phi))(x * y) * x, y, x),
    ],
    ids=str,
)
def test_by_parts_is_by_formula(expression) -> None:
    slope, derived = by_parts(WORLD, expression, {}), by_formula(WORLD, expression, {})
    assert abs(N(slope - derived, 60)) < 1e-55
    assert abs(N(slope, 60)) > 1e-3
    assert WORLD.value(expression) == slope


def test_directions_are_not_mixed_up() -> None:
    """d/dx (x d/dy (x + y)) is 1; one direction for both would make it 2."""
    assert WORLD.value(Derivative(x * Derivative(x * y, y), x)) == Rational(2, 3)
    inner = started(started(Integer(3)))
    assert slope_along(slope_along(times((inner, inner, inner)), inner.along), inner.value.along) == 18
    both = Moving(Integer(1), Integer(1), 0)
    assert slope_along(times((both, both, both)), 0) == 3 != 18


@pytest.mark.parametrize(("expression", "slope"), [(Max(x, y), 0), (Max(x, -y), 1), (Abs(x - y), -1)], ids=str)
def test_what_has_no_parts_is_left_to_its_formula(expression, slope) -> None:
    whole = Derivative(expression + x**2, x, evaluate=False)
    with pytest.raises(EvaluationError):
        by_parts(WORLD, whole, {})
    assert WORLD.value(whole) == slope + Rational(2, 3)


def test_a_slope_that_cancels_is_asked_of_the_formula() -> None:
    """A certain softmax has a slope of exp(-10^4) and not of 0, which is all that 70 digits tell."""
    large = Rational(10) ** 4
    certain = Derivative(1 / (1 + exp(-large * x)), x)
    at_one = WORLD.at({x: Integer(1)})
    assert at_one.value(certain) != 0
    level = Derivative(sin(x) ** 2 + cos(x) ** 2, x)
    with pytest.raises(EvaluationError, match="cancel"):
        by_parts(WORLD, Derivative(x - x * y / y + 0 * z + y, x, evaluate=False), {})
    assert abs(N(WORLD.value(level), 60)) < 1e-55


def test_what_moves_is_no_expression() -> None:
    place = started(Integer(2))
    with pytest.raises(EvaluationError, match="moves"):
        sin(place)
    with pytest.raises(EvaluationError, match="by its parts"):
        moved(Max(x, y), [place, Integer(1)], 70)
    assert plus((place, Integer(1))).value == 3
