"""Nothing survives a change, except what the proof does not need, and that is found."""

from dataclasses import replace

import pytest
from derivations import ALL, batch_noise
from edge_derivations import census, curvature_band
from sympy import Symbol

from theory.proof.derivation import Define, Derivation, State, Suppose
from theory.proof.mutation import mutants, survives, survivors
from theory.proof.steps import Equal, Holds
from theory.proof.worlds import World, rational

x, y, z = (Symbol(n, real=True) for n in "xyz")

FREE = {
    "softmax gradient": ("loss: the body plus 1/7",),
    "small logits": ("softmax: sigma squared",),
    "large logits": ("softmax: sigma squared",),
    "census": tuple(f"{line}: twice the body" for line in "ABCD"),
}
"""What these proofs indeed do not depend on: a constant in a loss, a power of a scale, a factor of a line."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n == "census" else n for n in ALL])
def test_only_what_is_known_to_be_free_survives(name: str) -> None:
    assert survivors(ALL[name]()) == FREE.get(name, ())


def test_a_written_convention_lets_its_premise_go() -> None:
    made = census()
    reason = "only the sign of a line counts"
    premises = tuple(replace(p, convention=reason) if isinstance(p, Define) else p for p in made.premises)
    assert survivors(replace(made, premises=premises)) == ()


def labels(derivation: Derivation) -> list[str]:
    return [label for label, _ in mutants(derivation)]


def test_what_is_mutated() -> None:
    found = labels(curvature_band())
    for wanted in (
        "mean square: twice the body",
        "mean square: minus the body",
        "mean square: the body plus 1/7",
        "mean square: c squared",
        "some curvature is stable: flipped",
        "some curvature is stable: dropped",
        "factors: sign",
        "factors: factor 2",
        "factors: dropped",
        "band: negated",
    ):
        assert wanted in found
    enumeration = labels(census())
    hypotheses = ("a redundant hypothesis", "a contradictory hypothesis")
    for wanted in ("an item dropped", "an item added", "an item changed", "line 1 moved", *hypotheses):
        assert f"thirteen regions: {wanted}" in enumeration


def test_changed_claims_are_refuted() -> None:
    for build in (batch_noise, curvature_band, census):
        original = build()
        for label, mutant in mutants(original):
            part, change = label.split(": ", 1)
            if part in {s.name for s in original.steps} and change != "dropped" and "hypothesis" not in change:
                assert mutant.check(first_failure=True).state is State.REFUTED, label


def test_a_redundant_or_contradictory_hypothesis_is_noticed() -> None:
    made = census()
    q_sigma, q_step = made.steps[0].variables
    for extra in (q_sigma + q_step >= -1, q_sigma + q_step <= -1):
        hypothesis = Suppose("extra", extra)
        step = replace(made.steps[0], uses=(*made.steps[0].uses, "extra"))
        changed = Derivation((*made.premises, hypothesis), (step,), made.worlds)
        assert changed.check().state is State.VACUOUS


def test_a_premise_that_the_proof_does_not_need_survives() -> None:
    idle = Derivation(
        (Define("square", y, x**2), Define("cube", z, x**3)),
        (Equal("difference", y - z / x - 1, -1, uses=("square", "cube")),),
        lambda source: World({x: rational(source)}),
    )
    assert survivors(idle) == ()
    weak = Derivation(
        (Define("square", y, x**2 + 1),),
        (Holds("positive", y > 0, uses=("square",)),),
        lambda source: World({x: rational(source)}),
    )
    assert "square: twice the body" in survivors(weak)
    assert "square: the body plus 1/7" in survivors(weak)


def test_dropping_the_last_step_does_not_count_as_reaching_the_claim() -> None:
    made = curvature_band()
    dropped = dict(mutants(made))["band: dropped"]
    assert dropped.check().steps[-1].state is State.PROVED
    assert not survives(dropped, made)
