"""What may be believed, and what is refused at the door."""

import pytest
from sympy import Eq, Function, IndexedBase, Symbol, true

from theory.proof.derivation import Derivation
from theory.proof.premises import Define, Imported, Suppose, pattern_arguments
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World

x, y = Symbol("x", real=True), Symbol("y", real=True)
k = Symbol("k", integer=True, nonnegative=True)
q, h = Function("q"), IndexedBase("h")


@pytest.mark.parametrize("head", [x, h[k], h[k, 3], q(k), q(0), q(k + 1), q(x, k)])
def test_heads(head) -> None:
    assert Define("head", head, x + 1).head == head
    assert pattern_arguments(head) is not None


@pytest.mark.parametrize("head", [x + 1, 2 * x, q(2 * k), q(k - 1), h[k**2], x**2])
def test_what_cannot_be_a_head(head) -> None:
    with pytest.raises(ValueError, match="Define head: the head is"):
        Define("head", head, x + 1)


def test_a_decided_hypothesis_is_refused() -> None:
    with pytest.raises(ValueError, match="evaluate=False"):
        Suppose("trivial", true)
    with pytest.raises(ValueError, match="allowed are relations"):
        Suppose("no relation", x + 1)  # type: ignore[arg-type]
    assert Suppose("kept", Eq(x, x, evaluate=False)).fact.lhs == x


def source() -> Derivation:
    return Derivation(
        (Define("square", y, x**2), Suppose("large", x >= 2)),
        (Holds("at least four", y >= 4, uses=("square", "large")),),
        lambda random: World({x: random.randint(-1, 9)}),
    )


def using(*premises, world=lambda random: World({x: random.randint(-1, 9)})) -> Derivation:
    step = Holds("more than three", y > 3, uses=("four",))
    return Derivation((*premises, Imported("four", source())), (step,), world)


def test_an_import_needs_its_hypotheses() -> None:
    assert using(Suppose("large", x >= 2)).sound
    alone = using().check()
    assert not alone.sound
    assert "rests on 'large'" in alone.steps[0].reason


def test_an_import_may_not_meet_another_definition() -> None:
    clash = using(Suppose("large", x >= 2), Define("cube", y, x**3)).check()
    assert not clash.sound
    assert "defines y as x**2, here it is x**3" in clash.steps[0].reason


def test_an_unsound_import_is_not_believed() -> None:
    wrong = Derivation(
        (Define("square", y, x**2),),
        (Holds("at least four", y >= 4, uses=("square",)),),
        lambda random: World({x: random.randint(3, 9)}),
    )
    step = Holds("more than three", y > 3, uses=("four",))
    made = Derivation((Imported("four", wrong),), (step,), lambda random: World({x: random.randint(3, 9)}))
    assert not made.sound
    assert "not sound itself" in made.check().steps[0].reason


def test_an_import_at_other_values() -> None:
    u = Symbol("u", real=True)
    at = Imported("four", source(), at=((x, u + 2),))
    made = Derivation(
        (Suppose("large", u + 2 >= 2), at),
        (Holds("positive", (u + 2) ** 2 > 3, uses=("four",)),),
        lambda random: World({u: random.randint(-1, 9)}),
    )
    assert made.sound
    wrong = Derivation(made.premises[1:], made.steps, made.worlds)
    assert not wrong.sound


def test_a_declared_sign_of_a_head_is_a_belief() -> None:
    positive = Symbol("y", positive=True)
    made = Derivation(
        (Define("difference", positive, x - 1),),
        (Equal("opened", positive + 1, x, uses=("difference",)),),
        lambda random: World({x: random.randint(2, 9)}),
    )
    assert "declared positive" in made.check().steps[0].reason
    shown = Derivation(
        (Define("square", positive, x**2 + 1),),
        (Equal("opened", positive - 1, x**2, uses=("square",)),),
        lambda random: World({x: random.randint(2, 9)}),
    )
    assert shown.sound
