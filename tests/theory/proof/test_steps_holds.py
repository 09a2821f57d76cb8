"""Holds: inequalities from slacks, factors and certificates, with instances of what holds everywhere."""

import pytest
from edge_derivations import curvature_band
from sympy import And, Equivalent, Function, Implies, Lambda, Ne, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Holds
from theory.proof.worlds import World, rational

x, y, u, v = (Symbol(n, real=True) for n in "xyuv")
psi = Function("Psi", real=True)


def worlds(source) -> World:
    a, b = sorted(rational(source, 1, 9) for _ in range(2))
    return World({x: a, y: b + 1, psi: Lambda(u, 10 - u)})


ORDER = Suppose("order", x < y)
START = Suppose("start", x >= 1)
FALLING = Suppose("falling", Implies(u <= v, psi(u) >= psi(v)), forall=(u, v))


@pytest.mark.parametrize(
    ("fact", "uses"),
    [
        (x**2 + y > 2, ("order", "start")),
        (x * y > 1, ("order", "start")),
        (Equivalent(x * u > x, u > 1), ("start",)),
        (Implies(u > y, u > x), ("order",)),
        (And(y > 1, x + y > 2), ("order", "start")),
        (Ne(x, y), ("order",)),
    ],
)
def test_what_follows(fact, uses: tuple[str, ...]) -> None:
    premises = tuple(p for p in (ORDER, START) if p.name in uses)

    def more(source) -> World:
        return World({**worlds(source).values, u: rational(source, -3, 12)})

    assert Derivation(premises, (Holds("claim", fact, uses=uses),), more).sound


@pytest.mark.parametrize("fact", [x * y > 2, Equivalent(x > 2, y > 2), Implies(y > 2, x > 2), And(y > 1, x > 1)])
def test_what_does_not_follow_is_refuted_or_undecided(fact) -> None:
    made = Derivation((ORDER, START), (Holds("claim", fact, uses=("order", "start")),), worlds)
    assert made.check().steps[0].state in (State.REFUTED, State.UNDECIDED)


def test_instances_of_a_falling_function() -> None:
    step = Holds("falls", psi(x) >= psi(y), uses=("falling", "order"), instances=(("falling", {u: x, v: y}),))
    assert Derivation((FALLING, ORDER), (step,), worlds).sound
    without = Holds("falls", psi(x) >= psi(y), uses=("falling", "order"))
    assert Derivation((FALLING, ORDER), (without,), worlds).check().state is State.UNDECIDED
    other_way = Holds("falls", psi(x) >= psi(y), uses=("falling", "order"), instances=(("falling", {u: y, v: x}),))
    assert not Derivation((FALLING, ORDER), (other_way,), worlds).sound


def test_the_roots_of_a_quadratic() -> None:
    assert curvature_band().sound
    made = curvature_band()
    for label, wrong in made.steps[1].mutants():
        changed = Derivation(made.premises, (made.steps[0], wrong), made.worlds)
        assert changed.check().steps[1].state is State.REFUTED, label


def test_a_wrong_edge_is_refuted() -> None:
    made = curvature_band()
    eta, lam = Symbol("eta", positive=True), Symbol("lam", positive=True)
    Q = Symbol("Q", real=True)
    wrong = Holds("band", Equivalent(Q <= 1, lam <= 2 / eta), uses=("factors", "some curvature is stable"))
    assert Derivation(made.premises, (made.steps[0], wrong), made.worlds).check().steps[1].state is State.REFUTED


def test_a_definition_feeds_a_sign() -> None:
    square = Define("square", y, (x - u) ** 2 + 1)

    def worlds_here(source) -> World:
        return World({x: rational(source), u: rational(source)})

    assert Derivation((square,), (Holds("positive", y >= 1, uses=("square",)),), worlds_here).sound
    assert not Derivation((square,), (Holds("positive", y >= 2, uses=("square",)),), worlds_here).sound
