"""Steps of the algebra of orders: what they prove, refute, and leave open."""

from dataclasses import replace

import pytest
from sympy import Max, Rational, S, Tuple

from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.proof.derivation import Derivation
from theory.proof.steps.orders import OrderOf, OrdersGoOn
from theory.proof.steps.step import State
from theory.proof.told import names

HALF = Rational(1, 2)
SIZE = w.q_sigma + w.q
STEPS = (w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.STEP_A, w.STEP_W)
START = (w.SCALE, w.LOGITS, *w.START)


def states(premises, *steps):
    """States of the steps of a derivation on these premises."""
    found = Derivation(premises, steps, worlds()).check()
    return [result.state for result in found.steps]


def logits(value, uses=names(*START)):  # noqa: B008
    return OrderOf("order of the logits", w.f[0], value, w.d, uses=uses)


def test_a_centred_sum_is_proved():
    assert states(START, logits(w.q_sigma + HALF)) == [State.PROVED]


@pytest.mark.parametrize("value", [w.q_sigma + 1, w.q_sigma, 2 * w.q_sigma + HALF])
def test_another_exponent_is_refuted_by_exact_expectation(value):
    assert states(START, logits(value)) == [State.REFUTED]


def test_a_symmetry_that_is_not_used_is_not_assumed():
    fewer = tuple(name for name in names(*START) if name != w.SYMMETRIC_A.name)
    assert states(START, logits(w.q_sigma + HALF, fewer)) == [State.UNDECIDED]


def test_a_definition_that_is_not_used_is_not_a_constant():
    fewer = tuple(name for name in names(*START) if name != w.SCALE.name)
    assert states(START, logits(HALF, fewer)) in ([State.UNDECIDED], [State.REFUTED])


def test_a_premise_that_is_not_needed_is_idle():
    more = (*START, w.GRADIENT_A)
    assert states(more, logits(w.q_sigma + HALF, names(*more))) == [State.VACUOUS]


def test_changed_definitions_are_noticed():
    changed = replace(w.LOGITS, body=w.LOGITS.body.xreplace({w.a[w.k, w.r]: w.a[w.k, w.r] ** 2}))
    premises = tuple(changed if p is w.LOGITS else p for p in START)
    assert states(premises, logits(w.q_sigma + HALF)) == [State.REFUTED]
    doubled = replace(w.SCALE, body=w.sigma_star * w.d ** (2 * w.q_sigma))
    premises = tuple(doubled if p is w.SCALE else p for p in START)
    assert states(premises, logits(w.q_sigma + HALF)) == [State.REFUTED]


def test_the_mutants_of_a_step_are_refuted():
    step = logits(w.q_sigma + HALF)
    for _, mutant in step.mutants():
        assert states(START, mutant) == [State.REFUTED]


INSIDE = OrdersGoOn(
    "inside",
    w.k,
    ((w.a[w.k + 1, w.r], SIZE, S.Zero), (w.w[w.k + 1, w.r], S.Zero, SIZE)),
    w.d,
    uses=names(*STEPS, *w.START, *w.SAMPLES),
    given=(SIZE <= 0,),
)
PREMISES = (*STEPS, *w.START, *w.SAMPLES)


def test_states_keep_their_orders_at_every_step():
    assert states(PREMISES, INSIDE) == [State.PROVED]


def test_they_do_not_without_the_condition():
    assert states(PREMISES, replace(INSIDE, given=()))[0] is not State.PROVED
    assert states(PREMISES, replace(INSIDE, given=(SIZE >= 0,))) == [State.REFUTED]


def test_wrong_orders_of_states_are_refuted():
    mutants = list(INSIDE.mutants())
    assert len(mutants) == 4
    for _, mutant in mutants:
        assert states(PREMISES, mutant) == [State.REFUTED]


def test_a_step_rule_without_sigma_is_another_one():
    """The output weights then move by the rate alone: the claim fails."""
    other = replace(w.STEP_A, body=w.a[w.k, w.r] - w.eta_a * w.g_a[w.k])
    premises = tuple(other if p is w.STEP_A else p for p in PREMISES)
    assert states(premises, INSIDE) == [State.REFUTED]


LATER = OrderOf(
    "later logits",
    w.f[w.k + 1],
    w.q_sigma + 1 + SIZE,
    w.d,
    uses=names(w.SCALE, w.LOGITS, INSIDE),
    given=(SIZE <= 0, SIZE >= -HALF),
    forall=(w.k,),
)


def test_what_leads_must_follow_from_the_condition():
    premises = (*PREMISES, w.LOGITS)
    assert states(premises, INSIDE, LATER) == [State.PROVED, State.PROVED]
    assert states(premises, INSIDE, replace(LATER, given=(SIZE <= 0,)))[1] is State.REFUTED
    either = replace(LATER, value=Max(w.q_sigma + HALF, w.q_sigma + 1 + SIZE), given=(SIZE <= 0,))
    assert states(premises, INSIDE, either)[1] is State.PROVED
    assert states(premises, INSIDE, replace(either, given=(SIZE <= 1,)))[1] is not State.PROVED


def test_several_quantities_share_an_order_or_are_refuted():
    premises = (w.SCALE, *w.EQUAL, w.LOGITS, w.KERNEL_A, w.KERNEL_W, *w.START)
    both = OrderOf(
        "kernels", Tuple(w.K_a[0], w.K_w[0]), w.q_sigma + 1 + SIZE, w.d,
        uses=names(w.SCALE, *w.EQUAL, w.KERNEL_A, w.KERNEL_W, *w.START),
    )  # fmt: skip
    assert states(tuple(p for p in premises if p is not w.LOGITS), both) == [State.PROVED]
    mixed = replace(both, quantity=Tuple(w.K_a[0], w.f[0]), uses=names(*premises))
    assert states(premises, mixed) == [State.REFUTED]
