"""Follows reads exponents off closed forms; what is hidden or not shown to be nonzero stays undecided."""

import pytest
from sympy import Function, Integer, Rational, Symbol, exp, oo, sqrt

from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Suppose
from theory.proof.steps import State, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World, rational

x = Symbol("x", positive=True)
a = Symbol("a", positive=True)
b, kept = Symbol("b", real=True), Symbol("kept", real=True)
f, g = Function("f", real=True), Function("g", real=True)


def world(source):
    """Random a and x, and a nonzero b."""
    return World({a: rational(source), x: rational(source), b: rational(source)})


def state(premises, steps):
    """The state of the last step."""
    return Derivation(tuple(premises), tuple(steps), world).check().steps[-1].state


@pytest.mark.parametrize(
    ("body", "point", "exponent"),
    [
        (a * x, oo, 1),
        (a * x / (1 + exp(-a * x)), oo, 1),
        (a * x**2 + x, 0, 1),
        (a * x**2 + x, oo, 2),
        (sqrt(x**3 + a), oo, Rational(3, 2)),
        (a / x, 0, -1),
        (sqrt(x) * (1 + a * sqrt(x)), 0, Rational(1, 2)),
    ],
)
def test_exponents_at_both_ends(body, point, exponent):
    definition = Define("form", f(x), body)
    right = Follows(
        "exponent",
        f(x),
        x,
        Integer(exponent) if exponent == int(exponent) else exponent,
        point,
        uses=("form",),
    )
    assert state([definition], [right]) is State.PROVED
    for label, wrong in right.mutants():
        assert state([definition], [wrong]) is State.REFUTED, label


def test_a_hidden_definition_may_depend_on_the_control():
    inner = Define("inner", g(x), a * x)
    outer = Define("outer", f(x), x * g(x))
    claim = Follows("exponent", f(x), x, Integer(2), uses=("outer",))
    assert state([inner, outer], [claim]) is State.UNDECIDED
    assert (
        state([inner, outer], [Follows("exponent", f(x), x, Integer(2), uses=("outer", "inner"))])
        is State.PROVED
    )


def test_a_coefficient_must_be_shown_to_differ_from_zero():
    form = Define("form", f(x), b * x)
    claim = Follows("exponent", f(x), x, Integer(1), uses=("form",))
    assert state([form], [claim]) is State.UNDECIDED
    positive = Suppose("sign", b > 0)
    claim = Follows("exponent", f(x), x, Integer(1), uses=("form", "sign"))
    assert state([form, positive], [claim]) is State.PROVED


def test_a_table_of_constants_stays_closed_only_when_it_is_looked_into():
    constant = Define("constant", kept, a**2 + 1)
    form = Define("form", f(x), kept * x)
    size = Suppose("sign", kept > 0)
    closed = Follows("exponent", f(x), x, Integer(1), uses=("form", "sign"))
    looked_into = Follows("exponent", f(x), x, Integer(1), uses=("form", "sign", "constant"))
    assert state([constant, form, size], [closed]) is State.UNDECIDED
    assert state([constant, form, size], [looked_into]) is State.PROVED


def test_a_known_limit_settles_what_is_composed_of_it():
    inner = Define("inner", g(x), a + exp(-x))
    outer = Define("outer", f(x), 1 / (1 + g(x)))
    known = Tends("limit", g(x), x, oo, a, uses=("inner",))
    composed = Tends("composed", f(x), x, oo, 1 / (1 + a), uses=("outer", "limit"))
    assert state([inner, outer], [known, composed]) is State.PROVED


def test_a_known_limit_does_not_settle_a_rate():
    """(g - a) x^2 tends to 1 here, but the limit of g alone cannot say so."""
    inner = Define("inner", g(x), a + 1 / x**2)
    outer = Define("outer", f(x), (g(x) - a) * x**2)
    known = Tends("limit", g(x), x, oo, a, uses=("inner",))
    rate = Tends("rate", f(x), x, oo, Integer(1), uses=("outer", "limit"))
    assert state([inner, outer], [known, rate]) is State.UNDECIDED
