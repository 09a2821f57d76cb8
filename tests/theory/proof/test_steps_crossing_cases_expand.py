"""Crossing, Cases and Expand, each with partners that must fail."""

import pytest
from sympy import (
    Abs,
    And,
    Eq,
    Implies,
    Integer,
    Lambda,
    Max,
    Or,
    Piecewise,
    Rational,
    Symbol,
    exp,
    log,
    oo,
    sqrt,
)

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.functions import smooth
from theory.proof.normal_forms import expanded, max_plus, piecewise
from theory.proof.steps import Cases, Crossing, Expand, Holds
from theory.proof.steps.crossing import bracketed, primed
from theory.proof.worlds import World, rational

x, y, s, t = (Symbol(n, real=True) for n in "xyst")
a, b = (Symbol(n, positive=True) for n in "ab")
root = Symbol("r", real=True)
psi = smooth("Psi")
u, v = Symbol("u", positive=True), Symbol("v", positive=True)


def worlds(source) -> World:
    return World({a: rational(source), b: rational(source), x: rational(source, -3, 3), s: rational(source, -3, 3)})


def judged(step, *premises, worlds=worlds):
    return Derivation(premises, (step,), worlds).check().steps[0]


def test_a_rising_cubic_crosses_once() -> None:
    step = Crossing("cubic", x**3 + x - a, x, Integer(0), a, root)
    assert judged(step).state is State.PROVED
    falling = Crossing("cubic", a - x - x**3, x, Integer(0), a, root)
    assert judged(falling).state is State.PROVED


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (Crossing("no change of sign", x**2 + a, x, Integer(0), a, root), State.REFUTED),
        (Crossing("elsewhere", x - a, x, a, 2 * a, root), State.REFUTED),
        (Crossing("three times", x * (x - a) * (x + a), x, -2 * a, 2 * a, root), State.REFUTED),
        (Crossing("a pole", 1 / (x - a), x, Integer(0), 2 * a + 1, root), State.REFUTED),
        (Crossing("too much assumed", x, x, -a, a, Symbol("r", positive=True)), State.UNDECIDED),
    ],
)
def test_what_is_no_crossing(step: Crossing, state: State) -> None:
    assert judged(step).state is state


def test_the_root_may_sit_at_the_end() -> None:
    assert judged(Crossing("end", x - a, x, Integer(0), a, root, attained=True)).state is State.PROVED
    assert judged(Crossing("end", x - a, x, Integer(0), a, root)).state is not State.PROVED


def coupled() -> Derivation:
    """breakeven:L7: lam - b + 1/Psi(lam)^2 has one root, for any falling positive Psi."""
    falling = Suppose("falling", Implies(u < v, psi(u) >= psi(v)), forall=(u, v))
    positive = Suppose("positive", psi(u) > 0, forall=(u,))
    lam = Symbol("lam", positive=True)
    start = Suppose("stable at first", a - b + 1 / psi(a) ** 2 < 0)
    apart = Suppose("below the threshold", a < b)
    other = primed(lam)
    steps = (
        Holds(
            "noise rises",
            Implies(u < v, 1 / psi(u) ** 2 <= 1 / psi(v) ** 2),
            uses=("falling", "positive"),
            instances=(("falling", {u: u, v: v}), ("positive", {u: u}), ("positive", {u: v})),
            forall=(u, v),
        ),
        Crossing(
            "break-even",
            lam - b + 1 / psi(lam) ** 2,
            lam,
            a,
            b,
            Symbol("lam_star", positive=True),
            uses=("noise rises", "positive", "stable at first", "below the threshold"),
            attained=True,
            instances=(
                ("noise rises", {u: lam, v: other}),
                *(("positive", {u: place}) for place in (lam, other, b)),
            ),
        ),
    )

    def falling_worlds(source) -> World:
        return World({a: rational(source, 1, 2), b: rational(source, 5, 9), psi: Lambda(t, 3 / (1 + t)), u: 1, v: 2})

    return Derivation((falling, positive, start, apart), steps, falling_worlds)


def test_an_abstract_falling_function() -> None:
    made = coupled()
    proof = made.check()
    assert [s.state for s in proof.steps] == [State.PROVED] * 2, str(proof)
    rising = Suppose("falling", Implies(u < v, psi(u) <= psi(v)), forall=(u, v))
    assert not Derivation((rising, *made.premises[1:]), made.steps, made.worlds).sound


def test_bracketed_root_has_all_its_digits() -> None:
    found = bracketed(lambda p: p**2 - 2, Rational(1).n(70), Rational(2).n(70))
    assert abs(found - sqrt(2).n(70)) < Rational(1, 10**60)


def test_a_root_by_crossing_serves_later_steps() -> None:
    step = Crossing("cubic", x**3 + x - a, x, Integer(0), a, root)
    claim = Holds("below", root < a + 1, uses=("cubic",))
    assert Derivation((), (step, claim), worlds).check().steps[1].state is State.PROVED
    wrong = Holds("below", root < a / 100, uses=("cubic",))
    assert Derivation((), (step, wrong), worlds).check().steps[1].state is State.REFUTED


KINK = Define("kink", y, Piecewise((s, s > 0), (-s, True)))


def test_cases_prove_what_none_does_alone() -> None:
    step = Cases("modulus", Eq(y, Max(s, -s), evaluate=False), (s > 0, s <= 0), ("kink",), (piecewise, max_plus))
    assert judged(step, KINK).state is State.PROVED


@pytest.mark.parametrize(
    ("step", "state", "words"),
    [
        (
            Cases("hole", Eq(y, Max(s, -s), evaluate=False), (s > 0, s < 0), ("kink",), (piecewise, max_plus)),
            State.UNDECIDED,
            "exhaust",
        ),
        (
            Cases("wrong", Eq(y, s, evaluate=False), (s > 0, s <= 0), ("kink",), (piecewise,)),
            State.REFUTED,
            "",
        ),
        (Cases("needless", Abs(s) >= s, (s > 0, s <= 0)), State.VACUOUS, "without telling cases apart"),
    ],
)
def test_cases_that_fail(step: Cases, state: State, words: str) -> None:
    premises = (KINK,) if step.uses else ()
    result = judged(step, *premises)
    assert result.state is state
    assert words in result.reason


def test_cases_within_hypotheses() -> None:
    either = Suppose("either", Or(x >= 1, x <= -1))

    def outside(source) -> World:
        return World({x: source.choice([-1, 1]) * rational(source, 1, 3)})

    step = Cases("square", And(x**2 >= 1, Abs(x) >= 1), (x >= 1, x <= -1), ("either",))
    assert judged(step, either, worlds=outside).state in (State.PROVED, State.VACUOUS)


EXPANSIONS = {
    "exponential": (exp(a * x), 1 + a * x + a**2 * x**2 / 2, x, Integer(0), 3),
    "geometric": (1 / (1 - x), 1 + x, x, Integer(0), 2),
    "removable": ((exp(x) - 1) / x, 1 + x / 2, x, Integer(0), 2),
    "at infinity": (log(1 + a / x), a / x, x, oo, 2),
    "elsewhere": (sqrt(x), 1 + (x - 1) / 2, x, Integer(1), 2),
}


@pytest.mark.parametrize("name", EXPANSIONS)
def test_expansions(name: str) -> None:
    result = judged(Expand(name, *EXPANSIONS[name]))
    assert result.state is State.PROVED, result.reason


@pytest.mark.parametrize("name", EXPANSIONS)
def test_one_order_too_high_is_refuted(name: str) -> None:
    left, terms, variable, point, order = EXPANSIONS[name]
    result = judged(Expand(name, left, terms, variable, point, order + 1))
    assert result.state is State.REFUTED
    assert "slope" in result.reason


def test_wrong_terms_are_refuted() -> None:
    for name, (left, terms, variable, point, order) in EXPANSIONS.items():
        step = Expand(name, left, terms, variable, point, order)
        for label, wrong in step.mutants():
            assert judged(wrong).state is State.REFUTED, (name, label)


def test_normal_forms_serve_expansions() -> None:
    step = Expand("square", (a + x) ** 3, a**3 + 3 * a**2 * x, x, Integer(0), 2, normal=(expanded,))
    assert judged(step).state is State.PROVED
