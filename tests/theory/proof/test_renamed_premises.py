"""A conclusion that is supposed, or defined, of another name of the same thing is still supposed or defined."""

import pytest
from sympy import Eq, Ge, IndexedBase, Integer, Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World

x, y, z, a = (Symbol(name, real=True) for name in "xyza")
h = IndexedBase("h", real=True)
THREE = World({x: 3, a: 6, h: [6]})


def judged(premises, step) -> State:
    """State of a step from premises."""
    return Derivation(premises, (step,), lambda source: THREE).check().state


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
