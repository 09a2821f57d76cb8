"""Signs and logic: what follows is proved, and what does not follow never is."""

import random

import pytest
from sympy import (
    Abs,
    And,
    Eq,
    Equivalent,
    Implies,
    IndexedBase,
    Max,
    Min,
    Ne,
    Not,
    Or,
    Rational,
    Sum,
    Symbol,
    exp,
    sqrt,
)

from theory.proof.evaluation import Evaluation
from theory.proof.logic import negated, unproved
from theory.proof.signs import contradictory, entails, sign_of
from theory.proof.worlds import rational as draw

x, y, z = (Symbol(n, real=True) for n in "xyz")
eta, lam, c, s = (Symbol(n, positive=True) for n in ("eta", "lam", "c", "s"))
N, S = (Symbol(n, integer=True, positive=True) for n in "NS")
i = Symbol("i", integer=True)
h = IndexedBase("h", real=True)
RADICAL = sqrt(1 - c * eta**2 * s**2)
LOW, HIGH = (1 - RADICAL) / eta, (1 + RADICAL) / eta
Q = (1 - eta * lam) ** 2 + c * eta**2 * s**2
REAL = c * eta**2 * s**2 <= 1
NOISE = (N - S) / (S * (N - 1))

TRUE = {
    "a fact with a quotient is kept": (z - 2 * x <= 0, (z / (1 + lam) - x <= 0, z - 2 * (z / (1 + lam)) <= 0)),
    "transitive": (x >= z, (x >= y, y >= z)),
    "product": (x * y >= 1, (x >= 1, y >= 1)),
    "square": (x**2 + y**2 >= 2 * x * y, ()),
    "cubic by slack": (x**3 + x >= 10, (x >= 2,)),
    "root of a square": (x >= 3, (x**2 >= 9, x >= 0)),
    "noise factor": (NOISE >= 0, (N >= S, N >= 2)),
    "noise factor at most 1": (NOISE <= 1, (N >= S, N >= 2)),
    "integers": (N >= S + 1, (N > S,)),
    "named": (1 + NOISE * x**2 >= 1, (NOISE >= 0,)),
    "exponential": (exp(x) + 1 > 1, ()),
    "sum of squares": (Sum((h[i] - x) ** 2, (i, 1, N)) >= 0, ()),
    "between the roots": (Q <= 1, (lam >= LOW, lam <= HIGH, REAL)),
    "above the lower root": (lam >= LOW, (Q <= 1, REAL)),
    "below the upper root": (lam <= HIGH, (Q <= 1, REAL)),
    "equation": (Eq(x, y, evaluate=False), (x >= y, x <= y)),
    "not equal": (Ne(x, y), (x > y,)),
}
FALSE = {
    "strict from weak": (x > y, (x >= y,)),
    "wrong way": (x <= z, (x >= y, y >= z)),
    "square is not a line": (x >= 3, (x**2 >= 9,)),
    "noise factor of a point": (NOISE >= 0, (N >= 2,)),
    "upper root alone": (Q <= 1, (lam <= HIGH, REAL)),
    "root without being real": (lam <= HIGH, (REAL,)),
    "sum of cubes": (Sum(h[i] ** 3, (i, 1, N)) >= 0, ()),
    "two equations": (Eq(x, y, evaluate=False), (x >= y,)),
    "denominator may vanish": (x**2 / (N - 1) >= 0, ()),
    "not equal from nothing": (Ne(x, y), ()),
}


@pytest.mark.parametrize("case", TRUE)
def test_what_follows_is_proved(case: str) -> None:
    assert entails(*TRUE[case])


@pytest.mark.parametrize("case", FALSE)
def test_what_does_not_follow_is_not(case: str) -> None:
    assert not entails(*FALSE[case])


def test_random_claims_that_are_proved_hold_at_random_places() -> None:
    """Any claim, any facts: what `entails` says must be so wherever the facts hold."""
    source = random.Random(5)
    atoms = [x, y, x * y, x**2, y**2, Rational(1)]
    proved = 0
    for _ in range(150):
        claim, *facts = (sum((source.randint(-1, 2) * a for a in atoms), Rational(0)) for _ in range(4))
        facts = tuple(f >= 0 for f in facts if not f.is_Number)
        if claim.is_Number or not entails(claim >= 0, facts, products=False):
            continue
        proved += 1
        for _ in range(40):
            world = Evaluation({x: draw(source, -3, 3), y: draw(source, -3, 3)})
            assert not all(world.truth(f) for f in facts) or world.value(claim) >= 0
    assert proved >= 5


def test_contradictions() -> None:
    assert contradictory((x > 1, y > x, y < 0))
    assert contradictory((x * y > 1, x < 0, y > 0))
    assert not contradictory((x > 1, y > x))


def test_signs() -> None:
    assert sign_of(-eta * (lam + 1), ()) == {-1}
    assert sign_of((x - 1) * (x - 2), (x > 2,)) == {1}
    assert sign_of((x - 1) * (x - 2), (x > 1,)) == {-1, 0, 1}
    assert sign_of((x - y) ** 2, ()) == {0, 1}


LOGIC_TRUE = {
    "equivalence": (Equivalent(Q <= 1, And(lam >= LOW, lam <= HIGH)), (REAL,)),
    "implication": (Implies(x > 1, x**2 > 1), ()),
    "cases": (x**2 >= 1, (Or(x >= 1, x <= -1),)),
    "disjunction": (Or(x >= 0, x <= 0), ()),
    "modus ponens": (y > 0, (Implies(x > 0, y > 0), x > 1)),
    "modus tollens": (x <= 0, (Implies(x > 0, y > 0), y < 0)),
    "maximum": (Max(x, y) >= (x + y) / 2, ()),
    "minimum": (Min(x, y) <= x, ()),
    "modulus": (Abs(x * y) <= (x**2 + y**2) / 2, ()),
    "negation": (Not(And(x > 0, x < 0)), ()),
    "unequal": (x**2 > 0, (Ne(x, 0),)),
    "equivalent fact": (y > 0, (Equivalent(x > 0, y > 0), x > 3)),
}
LOGIC_FALSE = {
    "one side": (Equivalent(Q <= 1, lam <= HIGH), (REAL,)),
    "converse": (Implies(x**2 > 1, x > 1), ()),
    "half the cases": (x >= 1, (Or(x >= 1, x <= -1),)),
    "maximum of one": (Max(x, y) <= x, ()),
    "nothing": (Or(x > 0, x < 0), ()),
    "no premise": (y > 0, (Implies(x > 0, y > 0),)),
}


@pytest.mark.parametrize("case", LOGIC_TRUE)
def test_logic_proves(case: str) -> None:
    assert unproved(*LOGIC_TRUE[case]) is None


@pytest.mark.parametrize("case", LOGIC_FALSE)
def test_logic_does_not_prove(case: str) -> None:
    assert unproved(*LOGIC_FALSE[case]) is not None


def test_negations() -> None:
    assert negated(And(x > 0, y > 0)) == Or(x <= 0, y <= 0)
    assert negated(Implies(x > 0, y > 0)) == And(x > 0, y <= 0)
    assert negated(Equivalent(x > 0, y > 0)) is None
