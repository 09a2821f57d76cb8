"""A law cannot be built unless its derivation ends at its claim, its symbols are explained, and it has a rival."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
from sympy import Function, Symbol, symbols

from theory.claims import Bound, Formula
from theory.law import Law, Quantity, Rival, Source, Status

x, y = symbols("x y", positive=True)
f = Function("f")(x)
CLAIM = Formula(f, 2 * x)


def ending_at(claim: Formula) -> Any:
    """Stand-in for a derivation with a given end."""
    return SimpleNamespace(conclusion=claim.statement)


def build(**changes: Any) -> Law:
    """A sound law, with changes."""
    fields: dict[str, Any] = {
        "name": "topic.double",
        "title": "Twice.",
        "status": Status.THEOREM,
        "source": Source("paper", "Eq. 1", ("width:P1",), "It doubles."),
        "quantities": (Quantity(x, "the input", "s"),),
        "regime": "everywhere",
        "derivation": ending_at(CLAIM),
        "claim": CLAIM,
        "rivals": (Rival("thrice", Formula(f, 3 * x), "one too many"),),
    }
    return Law(**fields | changes)


def test_a_sound_law():
    law = build()
    assert law.topic == "topic"
    assert law.symbol("x") == x
    assert law.text() == str(CLAIM.statement)
    assert "2 x" in law.latex()
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.name = "other"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"derivation": ending_at(Formula(f, 3 * x))}, "derivation ends at"),
        ({"quantities": ()}, "no meaning for x"),
        ({"quantities": (Quantity(y, "another"),)}, "no meaning for x"),
        ({"rivals": ()}, "no rival"),
        ({"rivals": (Rival("same", CLAIM, "no"),)}, "says what the law says"),
        ({"rivals": (Rival("other kind", Bound(f, x), "no"),)}, "give the same kind"),
    ],
)
def test_an_unsound_law_cannot_be_built(changes, complaint):
    with pytest.raises(ValueError, match=complaint) as caught:
        build(**changes)
    assert str(caught.value).startswith("law topic.double:")
    assert "\n" not in str(caught.value)


def test_unknown_symbols_are_named():
    with pytest.raises(ValueError, match="no symbol z; it has x"):
        build().symbol("z")


def test_a_symbol_with_other_assumptions_is_another_symbol():
    with pytest.raises(ValueError, match="no meaning for x"):
        build(quantities=(Quantity(Symbol("x"), "the input"),))
