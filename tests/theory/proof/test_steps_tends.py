"""Tends: limits in general, and a numeric trend that refutes the wrong ones."""

import pytest
from derivations import large_logits, small_logits
from sympy import E, IndexedBase, Integer, Rational, Sum, Symbol, digamma, exp, gamma, log, oo, sqrt

from theory.proof.derivation import Derivation, State
from theory.proof.steps import Tends
from theory.proof.worlds import World, rational, table

x = Symbol("x", real=True)
a = Symbol("a", positive=True)
N, n = (Symbol(name, integer=True, positive=True) for name in "Nn")
i = Symbol("i", integer=True, positive=True)
h = IndexedBase("h", positive=True)


def worlds(source) -> World:
    return World({a: rational(source), N: 3, h: table(source, 3, low=1)})


def judged(step: Tends):
    return Derivation((), (step,), worlds).check().steps[0]


LIMITS = {
    "quotient": ((1 - exp(-a * x)) / x, x, Integer(0), a),
    "at infinity": ((a * x + 1) / (2 * x - a), x, oo, a / 2),
    "infinite": (a * x, x, oo, oo),
    "sequence": ((1 + 1 / n) ** n, n, oo, E),
    "inside a sum": (Sum(h[i] * x / (x + h[i]), (i, 1, N)), x, oo, Sum(h[i], (i, 1, N))),
    "sum of exponentials": (Sum(exp(-x * h[i]), (i, 1, N)), x, oo, Integer(0)),
    "ratio of sums": (Sum(h[i] + x, (i, 1, N)) / Sum(h[i], (i, 1, N)), x, Integer(0), Integer(1)),
    "logarithm": (log(1 + a * x) / x, x, Integer(0), a),
    "root": (sqrt(x**2 + a * x) - x, x, oo, a / 2),
    "exponential against a power": (N**a * exp(-a * N), N, oo, Integer(0)),
    "power against an exponential": (exp(a * N) / N**a, N, oo, oo),
    "gamma": ((a**x * gamma(a + x) / gamma(a) - 1) / x, x, Integer(0), log(a) + digamma(a)),
    "negative product": (-exp(a * N) / N**a, N, oo, -oo),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    result = judged(Tends(name, *LIMITS[name]))
    assert result.state is State.PROVED, result.reason


@pytest.mark.parametrize("name", LIMITS)
def test_wrong_limits_are_refuted(name: str) -> None:
    *claim, value = LIMITS[name]
    wrong = -value if value.is_infinite else value + Rational(1, 100)
    assert judged(Tends(name, *claim, wrong)).state is State.REFUTED


def test_the_side_matters() -> None:
    step = 1 / (1 + exp(-1 / x))
    assert judged(Tends("above", step, x, Integer(0), Integer(1))).state is State.PROVED
    assert judged(Tends("below", step, x, Integer(0), Integer(0), direction="-")).state is State.PROVED
    assert judged(Tends("below", step, x, Integer(0), Integer(1), direction="-")).state is State.REFUTED


@pytest.mark.parametrize("build", [small_logits, large_logits])
def test_softmax_at_both_ends(build) -> None:
    made = build()
    assert made.sound
    for label, wrong in made.steps[0].mutants():
        assert Derivation(made.premises, (wrong,), made.worlds).check().state is State.REFUTED, label
