"""What a derivation is given: numbers of Python are taken, and what cannot be meant is told in a sentence."""

import pytest
from sympy import Eq, Function, IndexedBase, Integer, Lambda, Max, Symbol, exp, log, nan, oo, sqrt

from theory.proof.derivation import Define, Derivation, Imported, State, Suppose
from theory.proof.steps import Crossing, Equal, Expand, Holds, Induct, Integrates, Rises, Root, Tends
from theory.proof.steps.follows import Follows
from theory.proof.worlds import World

x, y, t, root = (Symbol(name, real=True) for name in ("x", "y", "t", "rho"))
p, n = Symbol("p", positive=True), Symbol("n", integer=True, nonnegative=True)
f, h = Function("f", real=True), IndexedBase("h", real=True)
VALUES = {x: 2, y: 1, n: 2, h: [1, 2]}
LEMMA = Derivation(
    (Suppose("above", x > 1),), (Holds("cube", x**3 > x, uses=("above",)),), lambda source: World({x: 3})
)


def checked(*steps, premises=(), values=VALUES):
    return Derivation(tuple(premises), steps, lambda source: World(values)).check().steps[-1]


GIVEN = [
    Tends("t", 1 / p, p, oo, 0),
    Tends("t", 1 / p, p, 0, oo),
    Follows("t", p**2 + p, p, 2),
    Crossing("t", x - 1, x, 0, 3, root),
    Integrates("t", x, x, 0, 1, x**2 / 2),
    Rises("t", x**3, x, 0, 1),
    Expand("t", exp(x), 1, x, 0, 0),
    Root("t", x, Eq(2 * x, 4, evaluate=False), 2),
    Equal("t", x - x, 0),
]


@pytest.mark.parametrize("step", GIVEN, ids=lambda step: type(step).__name__)
def test_numbers_of_python_are_numbers(step) -> None:
    """As SymPy's own; Equal of 0 and 0 says nothing."""
    assert checked(step).state is (State.VACUOUS if isinstance(step, Equal) else State.PROVED)


def test_an_induction_may_end_at_a_number() -> None:
    parts = Define("first", f(0), 0), Define("next", f(n + 1), f(n))
    assert checked(Induct("t", n, f(n), 0, uses=("first", "next")), premises=parts).state is State.PROVED


def test_an_instance_and_an_import_may_be_at_a_number() -> None:
    squares = Suppose("squares", f(t) >= t**2, forall=(t,))
    at = Holds("t", f(2) + x > 3 + x, uses=("squares",), instances=(("squares", {t: 2}),))
    assert checked(at, premises=[squares], values={f: Lambda(t, t**2 + 1), x: 1}).state is State.PROVED
    lemma = Imported("lemma", LEMMA, at=((x, 2),))
    assert lemma.at == ((x, Integer(2)),) and isinstance(lemma.at[0][1], Integer)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="nan is neither"):
        Imported("lemma", LEMMA, at=((x, nan),))
    with pytest.raises(ValueError, match="allowed is a tuple of symbols"):
        Equal("t", (h[1] + 1) ** 2, h[1] ** 2 + 2 * h[1] + 1, forall=(h[1],))


def test_what_is_given_in_sympy_stays_the_same_object() -> None:
    places = (("squares", {t: Integer(2)}),)
    assert Holds("t", x > 0, instances=places).instances is places


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Follows("t", Max(0, 1 - p), p, Integer(-1)), "follows no power"),
        (Tends("t", log(-x), x, oo, oo), "is not real near oo"),
        (Integrates("t", sqrt(x), x, Integer(-1), Integer(2), 2 * x * sqrt(x) / 3), "not real here"),
    ],
)
def test_what_is_not_real_or_0_is_told(step, words: str) -> None:
    found = checked(step)
    assert found.state is State.UNDECIDED and words in found.reason


def test_nothing_crosses_where_it_is_not_real() -> None:
    assert checked(Crossing("t", log(x), x, Integer(-1), Integer(2), root)).state is not State.PROVED
    assert checked(Crossing("t", x**3 + x - 1, x, Integer(-1), Integer(2), root)).state is State.PROVED


@pytest.mark.parametrize(
    ("world", "words"),
    [
        (None, "allowed is a World"),
        (World({x: "two"}), "the text 'two'"),
        (World({x: 2, f: Lambda((x, y), x + y)}), "asks it of 1 arguments"),
    ],
)
def test_worlds_that_are_none_are_told(world, words: str) -> None:
    supposed = Suppose("positive", f(x) > 0)
    found = Derivation((supposed,), (Holds("t", f(x) + x**2 > 0, uses=("positive",)),), lambda source: world).check()
    assert found.state is not State.PROVED and words in found.steps[0].reason
    assert checked(Holds("t", Eq(x, x + 1, evaluate=False))).state is State.REFUTED
