"""The derivations of the linearised dynamics and of both ends of the logit scale, and their mutants."""

import pytest

from theory.proof.mutation import survivors
from theory.proof.steps import State
from theory.registry import errata, module_of, select
from theory.temperature.conserved_sums import CONSERVED, SPAN

MODULES = {
    "block_diagonality", "confident_softmax", "conserved_sums", "discrete_collapse", "kernel_propagation", "one_point",
    "one_point_fixed_point", "regularised_flow", "relaxation", "residual_norm", "same_argmax", "saturation_ratio",
    "small_logit_rest", "softmax_gradient",
}  # fmt: skip
LAWS = {
    law.name: law
    for law in select(("temperature",))
    if module_of(law.name).__name__.rsplit(".", 1)[1] in MODULES and law.derivation is not None
}
SEPARATE = {
    "temperature.small_logit_fixed_point": {
        "softmax through second order", "it rests there", "projection of the linear one",
        "so does the linear one, but for the fourth order",
    },
}  # fmt: skip
"""Steps that show what the last one takes as named: expansions that it continues."""

QUICK = (
    "temperature.confidence_at_large_logits", "temperature.block_diagonality", "temperature.regularised_fixed_point",
)  # fmt: skip
INVARIANT = {
    "temperature.one_point_relaxation": {
        "probability of the correct class at a gap: the body plus 1/7", "speed of the gap: the body plus 1/7",
    },
    "temperature.relaxation_matrix": {"softmax beside it: the body plus 1/7"},
    "temperature.conserved_coefficients": {
        "residuals: twice the body", "residuals: minus the body", "residuals: beta squared",
        "coefficients gather the residuals: twice the body", "coefficients gather the residuals: minus the body",
        "coefficients gather the residuals: beta squared",
    },
}  # fmt: skip
"""Mutants that say the same law: a label is its own square, a sum of nothing has no factor, a slope no constant."""


def test_every_law_of_these_families_is_met():
    assert len(LAWS) >= 21


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_every_step_is_proved_and_every_premise_used(law):
    proof = law.derived.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) == SEPARATE.get(law.name, set())


@pytest.mark.parametrize("name", QUICK)
def test_only_what_says_the_same_survives(name):
    assert set(survivors(LAWS[name].derived)) == INVARIANT.get(name, set())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(LAWS) - set(QUICK)))
def test_only_what_says_the_same_survives_in_longer_derivations(name):
    assert set(survivors(LAWS[name].derived)) == INVARIANT.get(name, set())


def test_the_displacement_is_spanned_and_loses_it_without_a_start():
    assert SPAN.check().sound
    start, *others = SPAN.premises
    moved = type(start)(start.name, start.head, start.body + 1)
    assert type(SPAN)((moved, *others), SPAN.steps, SPAN.worlds).check().state is State.REFUTED
    assert CONSERVED.check().sound


@pytest.mark.parametrize("number", [*range(4, 15), 40])
def test_each_misprint_has_evidence_that_stands(number):
    erratum = errata()[f"temperature:E{number}"]
    shown = [evidence for evidence in erratum.evidence if hasattr(evidence, "stands")]
    assert shown
    assert all(evidence.stands() for evidence in shown)
    for evidence in shown:
        if evidence.kind == "witness":
            printed, derived, truth = evidence.exhibit()
            assert printed != derived == truth
