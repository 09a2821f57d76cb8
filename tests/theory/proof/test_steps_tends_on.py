"""TendsGoOn: limits at every step, and what is not one."""

from dataclasses import replace

import pytest
from sympy import Function, Integer, Rational, Symbol, exp, oo

from theory.proof.derivation import Define, Derivation, Suppose
from theory.proof.mutation import survivors
from theory.proof.steps import Equal, State, Tends
from theory.proof.steps.tends_on import TendsGoOn
from theory.proof.worlds import World, rational

n, k = (Symbol(name, integer=True, nonnegative=True) for name in "nk")
d, c = Symbol("d", positive=True), Symbol("c", real=True)
q, r, q_end, r_end, small = (Function(name, real=True) for name in ("q", "r", "q_end", "r_end", "small"))

START, NEXT = Define("q starts", q(0, d), c), Define("q goes on", q(k + 1, d), q(k, d) * r(k, d) + small(d))
START_R, NEXT_R = Define("r starts", r(0, d), Integer(1)), Define("r goes on", r(k + 1, d), 1 / (1 + exp(q(k, d))))
START_END, NEXT_END = Define("end starts", q_end(0), c), Define("end goes on", q_end(k + 1), q_end(k) * r_end(k))
START_R_END = Define("other starts", r_end(0), Integer(1))
NEXT_R_END = Define("other goes on", r_end(k + 1), 1 / (1 + exp(q_end(k))))
SMALL = Define("size", small(d), 1 / d, "any size that falls will do")
PREMISES = (START, NEXT, START_R, NEXT_R, START_END, NEXT_END, START_R_END, NEXT_R_END, SMALL)
FALLS = Tends("falls", small(d), d, oo, Integer(0), uses=("size",))
ON = TendsGoOn(
    "on", n, ((q(n, d), q_end(n)), (r(n, d), r_end(n))), d, oo,
    uses=(*(p.name for p in PREMISES if p is not SMALL), "falls"),
)  # fmt: skip


def derived(*premises, step=ON) -> Derivation:
    return Derivation(premises or PREMISES, (FALLS, step), lambda source: World({c: rational(source), d: 7}))


def test_two_sequences_that_need_each_other():
    assert derived().check().state is State.PROVED


@pytest.mark.slow
def test_nothing_survives_a_change():
    assert survivors(derived()) == ()


@pytest.mark.parametrize(
    "states",
    [
        ((q(n, d), q_end(n)), (r(n, d), 2 * r_end(n))),
        ((q(n, d), q_end(n) + 1), (r(n, d), r_end(n))),
        ((q(n, d), q_end(n + 1)), (r(n, d), r_end(n))),
        ((q(n, d), q(n, d)), (r(n, d), r_end(n))),
    ],
    ids=["twice", "one more", "a step later", "what moves itself"],
)
def test_another_value_is_not_proved(states):
    assert derived(step=replace(ON, states=states)).check().state is not State.PROVED


def test_a_state_that_is_left_out_is_missed():
    assert derived(step=replace(ON, states=ON.states[:1])).check().state is not State.PROVED


def test_a_start_alone_is_not_enough_and_neither_is_a_step():
    for left_out in ("q starts", "q goes on", "end goes on", "falls"):
        fewer = replace(ON, uses=tuple(name for name in ON.uses if name != left_out))
        assert derived(step=fewer).check().state is not State.PROVED, left_out


def test_a_start_elsewhere_is_noticed():
    other = tuple(replace(p, body=c + Rational(1, 7)) if p is START else p for p in PREMISES)
    assert derived(*other).check().state is State.REFUTED


def test_a_jump_is_not_continuous():
    jump = replace(NEXT, body=q(k, d) * r(k, d) + exp(-1 / small(d)) * d)
    assert derived(*(jump if p is NEXT else p for p in PREMISES)).check().state is not State.PROVED


def test_an_index_that_hypotheses_speak_of_is_not_any():
    told = Suppose("few", n <= 2)
    assert derived(*PREMISES, told, step=replace(ON, uses=(*ON.uses, "few"))).check().state is not State.PROVED


def test_an_index_must_run_from_the_start():
    late = Symbol("late", integer=True, positive=True)
    states = tuple((state.xreplace({n: late}), value.xreplace({n: late})) for state, value in ON.states)
    assert derived(step=replace(ON, index=late, states=states)).check().state is not State.PROVED


def test_the_limit_is_one_at_every_step_for_later_ones():
    later = Tends("later", q(n, d) + small(d), d, oo, q_end(n), uses=("on", "falls"), forall=(n,))
    whole = Derivation(PREMISES, (FALLS, ON, later), lambda source: World({c: rational(source), d: 7, n: 2}))
    assert whole.check().state is State.PROVED
    wrong = Equal("equal", q(n, d), q_end(n), uses=("on",), forall=(n,))
    assert replace(whole, steps=(FALLS, ON, wrong)).check().state is not State.PROVED
