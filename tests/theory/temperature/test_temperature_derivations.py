"""Every derivation of the topic is sound, and no changed premise or step goes unnoticed."""

from dataclasses import replace

import pytest

from theory.definitions.temperature import K
from theory.proof.mutation import mutants, survives, survivors
from theory.proof.steps import State
from theory.registry import errata, module_of, select
from theory.temperature import isotropic_ends, one_point_flow
from theory.temperature.logit_flow import PARAMETER_FLOW
from theory.temperature.misprints import sign_of_the_loss
from theory.temperature.second_derivative import CHAIN_RULE

MODULES = {
    "both_halves_cancel", "label_smoothing", "logit_flow", "second_derivative", "tau_nl", "tau_z",
    "tau_z_large_logits", "tau_z_small_logits", "temperature_independence",
}  # fmt: skip
"""Whose laws are tested here; other families of the topic have tests of their own."""

LAWS = {law.name: law for law in select(("temperature",)) if module_of(law.name).__name__.rsplit(".", 1)[1] in MODULES}
QUICK = ("temperature.logit_flow", "temperature.small_logit_constant")
SLOW = tuple(name for name in LAWS if name not in QUICK)
NORMS = {"drive on the ray: minus the body"}
FACTORS = {
    "Z0 grows along a ray: twice the body",
    "Z0 grows along a ray: minus the body",
    "early learning timescale: twice the body",
    "early learning timescale: minus the body",
    "early learning timescale: eta_tilde squared",
}
INVARIANT = {
    "temperature.large_logit_constant": NORMS | {"drive at a one-hot softmax: minus the body"},
    "temperature.tau_z_large_logits": NORMS | FACTORS | {"drive at a one-hot softmax: minus the body"},
    "temperature.tau_z_small_logits": NORMS
    | FACTORS
    | {
        "softmax on the ray: logit_scale squared",
        "drive on the ray: logit_scale squared",
        "size on the ray: logit_scale squared",
        "drive at a uniform softmax: minus the body",
    },
    "temperature.tau_z_temperature_independence": {"Z0 is held: the body plus 1/7"},
    "temperature.tau_nl": {"Z0 is held: the body plus 1/7"},
    "temperature.both_halves_cancel": {
        "readout along the flow: minus the body",
        "units along the flow: minus the body",
        "slopes along the flow: minus the body",
        "Jacobian of the body: minus the body",
        "kernel of a half: the body plus 1/7",
    },
}
"""Mutants that say the same law again: an even function does not see a sign, an exponent no factor."""

SEPARATE = {"first correction of the softmax"}
"""Steps that the last one does not rest on: the rate at which a limit is approached."""


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_every_step_is_proved_and_every_premise_used(law):
    proof = law.derivation.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= SEPARATE


@pytest.mark.parametrize("name", QUICK)
def test_no_mutant_survives(name):
    assert survivors(LAWS[name].derivation) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_only_what_conventions_name_survives_in_the_longer_derivations(name):
    derivation = LAWS[name].derivation
    assert {label for label, mutant in mutants(derivation) if survives(mutant, derivation)} == INVARIANT.get(
        name, set()
    )


def test_no_mutant_survives_in_the_flow_of_the_parameters():
    assert survivors(PARAMETER_FLOW) == ()


@pytest.mark.slow
@pytest.mark.parametrize("derivation", [one_point_flow.DERIVATION, isotropic_ends.DERIVATION])
def test_no_mutant_survives_in_what_takes_tau_z_to_both_ends(derivation):
    assert survivors(derivation) == ()


def test_logits_that_favour_a_class_do_not_win_equally_often():
    """The partner of exchangeability: with one turn left out the largest logit misses a class."""
    premises = isotropic_ends.DERIVATION.premises
    (mean,) = (p for p in premises if p is isotropic_ends.MEAN_LARGE)
    short = replace(mean, body=mean.body.xreplace({K: K - 1}))
    kept = tuple(short if p is mean else p for p in premises)
    assert not replace(isotropic_ends.DERIVATION, premises=kept).check(first_failure=True).sound


@pytest.mark.slow
def test_the_chain_rule_survives_only_what_its_conventions_name():
    left = {label for label, mutant in mutants(CHAIN_RULE) if survives(mutant, CHAIN_RULE)}
    assert left == {
        "logits: the body plus 1/7",
        "Jacobian: minus the body",
        "kernel: the body plus 1/7",
        "rate: the body plus 1/7",
        "tangent kernel: the body plus 1/7",
    }


def test_conventions_are_written_and_say_why():
    written = {
        premise.name: premise.convention
        for derivation in (CHAIN_RULE, PARAMETER_FLOW, *(law.derivation for law in LAWS.values()))
        for premise in derivation.premises
        if premise.convention
    }
    assert len(written) <= 18
    assert all(len(reason) >= 20 for reason in written.values())


def test_the_loss_as_printed_reverses_the_flow():
    """With the sign of eq 1 the gradient of the loss is another one, and the derivation says so."""
    slope = next(premise for premise in PARAMETER_FLOW.premises if premise.name == "slope of the loss")
    printed = replace(slope, body=-slope.body)
    premises = tuple(printed if premise is slope else premise for premise in PARAMETER_FLOW.premises)
    assert replace(PARAMETER_FLOW, premises=premises).check(first_failure=True).state is State.REFUTED


def test_the_misprints_of_the_first_equations_stand():
    for name in ("E1", "E3", "E27"):
        witnesses = [e for e in errata()[f"temperature:{name}"].evidence if hasattr(e, "stands")]
        assert witnesses
        assert all(witness.stands() for witness in witnesses)
    printed, derived, truth = sign_of_the_loss()
    assert derived == truth == -printed
