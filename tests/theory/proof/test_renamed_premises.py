"""A conclusion that is supposed, or defined, of another name of the same thing is still supposed or defined."""

import pytest
from sympy import And, Eq, Function, Ge, Implies, IndexedBase, Integer, Lambda, Le, Ne, Not, Or, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World

x, y, z, a = (Symbol(name, real=True) for name in "xyza")
h = IndexedBase("h", real=True)
THREE = World({x: 3, a: 6, h: [6]})


t = Symbol("t", real=True)
f = Function("f", real=True)


def judged(premises, step) -> State:
    """State of a step from premises."""
    return Derivation(premises, (step,), lambda source: THREE).check().state


def same(left, right) -> Eq:
    return Eq(left, right, evaluate=False)


@pytest.mark.parametrize("thing", [a, h[1]])
def test_what_is_supposed_of_another_name_is_supposed(thing) -> None:
    name, further = Define("name", y, thing), Define("further", z, y)
    wanted = Suppose("wanted", Eq(thing, 2 * x, evaluate=False))
    for head, names in ((y, (name,)), (z, (name, further))):
        uses = (*(one.name for one in names), "wanted")
        assert judged((*names, wanted), Equal("claim", head, 2 * x, uses=uses)) is State.VACUOUS
        assert judged((*names, wanted), Equal("claim", head**2, 4 * x**2, uses=uses)) is State.PROVED


def test_what_is_supposed_of_a_name_is_supposed_of_the_thing() -> None:
    name, wanted = Define("name", y, a), Suppose("wanted", Eq(y, 2 * x, evaluate=False))
    uses = ("name", "wanted")
    assert judged((name, wanted), Equal("claim", a, 2 * x, uses=uses)) is State.VACUOUS
    assert judged((name, wanted), Equal("claim", y - x, x, uses=("wanted",))) is State.VACUOUS  # up to a factor
    assert judged((name, wanted), Equal("claim", y**2, 4 * x**2, uses=("wanted",))) is not State.REFUTED


def test_what_is_supposed_of_another_name_up_to_a_factor_is_supposed() -> None:
    name, wanted = Define("name", y, a), Suppose("wanted", Ge(2 * a, 4 * x, evaluate=False))
    uses = ("name", "wanted")
    assert judged((name, wanted), Holds("claim", Ge(y, 2 * x, evaluate=False), uses=uses)) is State.VACUOUS
    assert judged((name, wanted), Holds("claim", Ge(y, 2 * x - 1, evaluate=False), uses=uses)) is State.PROVED


def test_what_is_defined_of_another_name_is_defined() -> None:
    name, meaning = Define("name", y, a), Define("meaning", a, 2 * x)
    uses = ("name", "meaning")
    assert judged((name, meaning), Equal("claim", y, 2 * x, uses=uses)) is State.VACUOUS
    assert judged((name, meaning), Equal("claim", y - x, x, uses=uses)) is State.PROVED
    shifted = Define("name", y, a + Integer(1))
    assert judged((shifted, meaning), Equal("claim", y, 2 * x + 1, uses=uses)) is State.PROVED


WANTED = same(a, 2 * x)


@pytest.mark.parametrize(
    "dressed",
    [
        Implies(Ge(x**2, -1, evaluate=False), WANTED, evaluate=False),
        Or(WANTED, same(2 * a, 4 * x), evaluate=False),
        Not(Ne(a, 2 * x, evaluate=False), evaluate=False),
        And(Le(a, 2 * x, evaluate=False), Ge(a, 2 * x, evaluate=False), evaluate=False),
        And(Ge(z**2, 0, evaluate=False), Not(Not(WANTED, evaluate=False), evaluate=False), evaluate=False),
    ],
    ids=str,
)
def test_a_conclusion_that_is_supposed_in_other_clothes_is_supposed(dressed) -> None:
    wanted = Suppose("wanted", dressed)
    assert judged((wanted,), Holds("claim", WANTED, uses=("wanted",))) is State.VACUOUS
    assert judged((wanted,), Holds("claim", Ge(a + 1, 2 * x, evaluate=False), uses=("wanted",))) is not State.REFUTED
    real = Suppose("wanted", Implies(Ge(x, 2, evaluate=False), WANTED, evaluate=False))
    large = Suppose("large", Ge(x, 3, evaluate=False))
    assert judged((real, large), Holds("claim", WANTED, uses=("wanted", "large"))) is State.PROVED


@pytest.mark.parametrize("relation", [Eq, Ge, Le])
def test_a_conclusion_that_is_supposed_of_everything_is_supposed(relation) -> None:
    """Of every t, and concluded of y."""
    world = World({x: 3, f: Lambda(t, t + 1)})
    every = Suppose("every", relation(f(t), t + 1, evaluate=False), forall=(t,))
    instances = () if relation is Eq else (("every", {t: x}),)
    step = (
        Equal("claim", f(x), x + 1, uses=("every",))
        if relation is Eq
        else Holds("claim", relation(f(x), x + 1, evaluate=False), uses=("every",), instances=instances)
    )
    assert Derivation((every,), (step,), lambda source: world).check().state is State.VACUOUS
    both = (("every", {t: x}), ("every", {t: 2 * x}))
    more = Holds("claim", relation(f(x) + f(2 * x), 3 * x + 2, evaluate=False), uses=("every",), instances=both)
    assert Derivation((every,), (more,), lambda source: world).check().state is State.PROVED
