"""Every derivation of the topic is sound, and no change of a premise or a step survives."""

from dataclasses import replace

import pytest
from sympy import S

from theory.definitions import width as w
from theory.proof.derivation import Derivation, verdict
from theory.proof.mutation import survives, survivors
from theory.proof.steps.step import State
from theory.registry import laws
from theory.width import band, initial, kernel_increments, regions, statements

WIDTH = {name: law for name, law in laws().items() if law.topic == "width" and law.derivation is not None}
LONG = {
    "width.band", "width.regions", "width.statements", "width.dominance", "width.growing_weights",
    "width.total_learning", "width.both_channels", "width.sign_band", "width.default_first", "width.default_later",
    "width.learning_inside", "width.intermediate", "width.increments_above", "width.kernel_leaky_slopes",
    "width.hat_units", "width.abc_units", "width.limit_step_half", "width.limit_step_logistic",
    "width.limit_step_hinge", "width.limit_path", "width.limit_path_hinge", "width.biased_increments",
    "width.kernel_increment_first", "width.kernel_increment_later", "width.weights_above", "width.limit_models",
    "width.limit_path_frozen",
}  # fmt: skip
MUTATED = [pytest.param(law, id=name, marks=[pytest.mark.slow] if name in LONG else []) for name, law in WIDTH.items()]


@pytest.mark.parametrize("law", WIDTH.values(), ids=lambda law: law.name)
def test_it_is_sound(law):
    found = verdict(law.derivation)
    assert found.state is State.PROVED, str(found)
    assert not found.idle


@pytest.mark.parametrize("law", MUTATED)
def test_nothing_survives_a_change(law):
    assert survivors(law.derivation) == ()


def with_definition(derivation: Derivation, old, new) -> Derivation:
    return replace(derivation, premises=tuple(new if p is old else p for p in derivation.premises))


@pytest.mark.parametrize(
    ("old", "body"),
    [
        (w.STEP_A, w.a[w.k, w.r]),
        (w.STEP_W, w.w[w.k, w.r]),
        (w.STEP_W, w.w[w.k, w.r] - w.eta_w * w.sigma * w.g_w[w.k] * w.x_w[w.k]),
        (w.RATE_A, w.eta_a_star),
        (w.LINEAR_A, w.LINEAR_A.body * w.sigma),
    ],
    ids=["output weights stand still", "input weights stand still", "no output weight in the step",
         "a rate without its power", "one sigma more"],
)  # fmt: skip
def test_the_band_notices_another_rule_behind_a_declared_convention(old, body):
    """Conventions are for constant factors: other changes of the same definitions do not survive."""
    mutant = with_definition(band.DERIVATION, old, replace(old, body=body))
    assert not survives(mutant, band.DERIVATION)


def test_a_constant_factor_is_a_convention():
    derivation = initial.LOGITS_DERIVATION
    changed = replace(w.LOGITS, body=3 * w.LOGITS.body)
    assert survives(with_definition(derivation, w.LOGITS, changed), derivation)


def test_an_edge_that_is_moved_is_not_proved():
    claim = replace(band.CLAIM, upper=S.Half)
    moved = replace(band.EDGES, fact=claim.statement)
    steps = (*band.DERIVATION.steps[:-1], moved)
    assert not replace(band.DERIVATION, steps=steps).check(first_failure=True).sound


def test_a_region_too_few_is_refuted():
    fewer = replace(regions.THIRTEEN, items=regions.CELLS[:-1], dimensions=())
    steps = (*regions.DERIVATION.steps[:-1], fewer)
    assert replace(regions.DERIVATION, steps=steps).check(first_failure=True).state is State.REFUTED


def test_the_band_is_between_its_edges_for_every_pair_of_steps():
    claim = band.CLAIM
    assert (claim.lower, claim.upper) == (-S.Half, 0)
    assert {w.k, w.m} <= claim.behaviour.free_symbols


def test_maximal_sets_of_statements():
    sets = [set(s) for s in statements.SETS]
    maximal = [s for s in sets if not any(s < other for other in sets)]
    assert sorted(map(sorted, maximal)) == [[1, 2, 3], [1, 4], [2, 4]]
    assert {1, 2, 3, 4} not in sets


def test_the_three_kernel_laws_differ_by_what_leads():
    first, later, full = (law.claim.exponent for law in kernel_increments.LAWS)
    size = w.q_sigma + w.q
    assert (later - first).expand() == size + S.Half
    assert later == full
