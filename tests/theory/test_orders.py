"""The algebra of orders against closed forms, against exact expectations, and on changed update rules."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import IndexedBase, Integer, Max, Rational, S, Sum, Symbol, symbols

from theory.asymptotics import even, odd, order
from theory.definitions import width as w
from theory.definitions.width_worlds import worlds
from theory.growth import Local, Sign, direction, dphi, phi
from theory.neurons import Neurons, UpdateRule, linear_part, moments_needed
from theory.orders import UNIT, ZERO, Order, Parts, Regime, Unsettled, product, sum_over_neurons
from theory.predictors import Undefined
from theory.proof.evaluation import Evaluation
from theory.width.band import _band
from theory.width.exponents import GRADIENT_DESCENT, STATE_A, STATE_W, all_exponents, opened

HALF = Rational(1, 2)

fractions = st.fractions(min_value=-2, max_value=1, max_denominator=12)
band_sizes = st.fractions(min_value=Fraction(-1, 2), max_value=0, max_denominator=12)


def at(q_sigma, q_a, q_w):
    return {w.q_sigma: S(q_sigma), w.q_a: S(q_a), w.q_w: S(q_w)}


def symmetric(q_sigma, size):
    return at(q_sigma, S(size) - S(q_sigma), S(size) - S(q_sigma))


# --- the rules themselves ----------------------------------------------------------------------------------


def test_a_mean_gains_d_and_a_fluctuation_its_root():
    assert sum_over_neurons(Parts(odd=UNIT)).expression() == HALF
    assert sum_over_neurons(Parts(even=UNIT)).expression() == 1
    both = Parts(even=Order.of(Rational(-1, 4)), odd=UNIT)
    assert sum_over_neurons(both).expression() == Rational(3, 4)
    small_mean = Parts(even=Order.of(-1), odd=UNIT)
    assert sum_over_neurons(small_mean).expression() == HALF


def test_parities_multiply_like_signs():
    a, b = Parts(odd=UNIT), Parts(even=Order.of(2))
    assert (a + a) == Parts(even=UNIT)
    assert (a + b) == Parts(odd=Order.of(2))
    assert product([a, a, a]) == a


def test_zero_is_absorbed_and_absorbs():
    assert (ZERO | UNIT) == UNIT
    assert (ZERO + UNIT).vanishes
    assert ZERO.expression() is S.NegativeInfinity


def test_an_exponent_that_never_leads_is_dropped_only_when_that_is_known():
    s = Symbol("s", real=True)
    assert Regime().reduced(Order.of(s, 0)).exponents == {s, S.Zero}
    known = Regime(lambda e: bool((e.subs(s, Symbol("n", nonpositive=True))).is_nonnegative))
    assert known.reduced(Order.of(s, 0)).exponents == {S.Zero}
    with pytest.raises(Unsettled, match="split into cases"):
        Regime().leading(Order.of(s, 0))


def test_a_localised_function_has_no_order_far_out():
    assert Local().value(Parts(even=UNIT), Regime()).even == UNIT
    with pytest.raises(Unsettled, match="localised"):
        Local().value(Parts(even=Order.of(HALF)), Regime())


def test_a_sign_has_the_parity_of_what_leads():
    found = Sign().value(Parts(even=Order.of(Rational(-1, 4)), odd=UNIT), Regime())
    assert found == Parts(even=Order.of(Rational(-1, 4)), odd=UNIT)


def test_something_indexed_needs_a_known_order():
    a = IndexedBase("a")
    with pytest.raises(Unsettled, match="no known order"):
        Neurons(w.d, w.r, {}).order(Sum(a[w.r], (w.r, 1, w.d)))


def test_linear_parts_obey_the_product_rule():
    a, b, rate = symbols("a b rate")
    assert linear_part(a * b, {a: 3 * rate, b: 5 * rate}, rate) == 3 * b + 5 * a
    assert linear_part(a * b, {a: 3 * rate, b: symbols("other")}, rate) == 3 * b


def test_moments_that_sums_need():
    """width:G16: second for logits, fourth for K_w, sixth for its first-order change."""
    state = Symbol("a_r")
    for definition, moment in ((w.LOGITS, 2), (w.KERNEL_W, 4), (w.LINEAR_WW, 6)):
        (total,) = definition.body.atoms(Sum)
        summand = total.function.doit().xreplace({STATE_A: state})
        assert moments_needed(summand, state) == moment


# --- closed forms, at any step -----------------------------------------------------------------------------


def closed_forms_in_the_band(q_sigma, size, k):
    """width:E1, E2, E4, E7, E9-E12, symmetric case."""
    kernel = q_sigma + size + 1
    first = k == 0
    later = kernel + 2 * size
    linear = kernel + size - HALF if first else later
    return {
        "a": 0, "w": 0,
        "f": q_sigma + HALF if first else kernel,
        "K_a": kernel, "K_w": kernel, "f_linear_a": kernel, "f_linear_w": kernel,
        "K_linear_aw": linear, "K_linear_ww": linear, "K_linear_wa": linear,
        "K_full_a": later, "K_full_w": later,
    }  # fmt: skip


@given(q_sigma=fractions, size=band_sizes, k=st.integers(0, 4))
@example(q_sigma=Fraction(-1, 2), size=Fraction(-1, 2), k=1)
@example(q_sigma=Fraction(-1), size=Fraction(0), k=0)
@settings(max_examples=40)
def test_every_exponent_in_the_band(q_sigma, size, k):
    found = all_exponents(GRADIENT_DESCENT.after(k, symmetric(q_sigma, size)))
    assert found == closed_forms_in_the_band(S(q_sigma), S(size), k)


@given(q_sigma=fractions, size=band_sizes)
@settings(max_examples=10)
def test_the_printed_first_increment_is_never_right(q_sigma, size):
    """width:G1: the partner that must fail."""
    found = all_exponents(GRADIENT_DESCENT.after(0, symmetric(q_sigma, size)))
    assert found["K_linear_aw"] != found["K_a"] + S(size)


@given(q_sigma=fractions, size=st.fractions(min_value=0, max_value=2, max_denominator=12), k=st.integers(0, 4))
@settings(max_examples=25)
def test_above_the_band_weights_grow_in_every_step(q_sigma, size, k):
    """width:E8; the second derivative leaves the algebra as soon as weights grow (width:G17)."""
    q_sigma, size = S(q_sigma), S(size)
    found = all_exponents(GRADIENT_DESCENT.after(k, symmetric(q_sigma, size)))
    assert found["a"] == found["w"] == k * size
    assert found["f_linear_a"] == found["f_linear_w"] == q_sigma + 1 + (2 * k + 1) * size
    assert isinstance(found["K_linear_ww"], Undefined) == (k > 0 and size > 0)


DEFAULT = at(-HALF, 1, 0)


@pytest.mark.parametrize("k", range(4))
def test_default_scaling(k):
    """width:E13."""
    found = all_exponents(GRADIENT_DESCENT.after(k, DEFAULT))
    start = k == 0
    expected = {
        "f": 0 if start else 1, "K_a": 1, "K_w": 0 if start else 1, "f_linear_a": 1,
        "f_linear_w": 0 if start else 1, "K_linear_aw": 0 if start else 1,
        "K_linear_ww": -1 if start else 1, "K_linear_wa": 0 if start else 1, "K_full_w": 1,
        "a": 0 if start else HALF, "w": 0,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    now = GRADIENT_DESCENT.after(k, DEFAULT)
    moves = [now.parts(move).total.expression() for move in GRADIENT_DESCENT.moves.values()]
    assert moves == [HALF, -HALF if start else 0]


@given(q_sigma=fractions, s_a=fractions, s_w=fractions, k=st.integers(0, 3))
@settings(max_examples=25)
def test_weights_obey_the_max_plus_recursion_in_general(q_sigma, s_a, s_w, k):
    """width:E3, E4, E6 with three exponents."""
    q_sigma, s_a, s_w = S(q_sigma), S(s_a), S(s_w)
    of_a = of_w = S.Zero
    for _ in range(k):
        of_a, of_w = max(of_a, s_a + of_w), max(of_w, s_w + of_a)
    found = all_exponents(GRADIENT_DESCENT.after(k, at(q_sigma, s_a - q_sigma, s_w - q_sigma)))
    assert (found["a"], found["w"]) == (of_a, of_w)
    assert found["f_linear_a"] == q_sigma + 1 + s_a + 2 * of_w
    assert found["f_linear_w"] == q_sigma + 1 + s_w + 2 * of_a


# --- exact expectations at astronomic widths: a second route ------------------------------------------------

DEFINITIONS = (
    w.SCALE, *w.EQUAL, w.RATE_A, w.RATE_W, w.LOGITS, w.KERNEL_A, w.KERNEL_W, w.STEP_A, w.STEP_W,
    w.LINEAR_A, w.LINEAR_W, w.LINEAR_AW, w.LINEAR_WW, w.LINEAR_WA,
)  # fmt: skip


def world(seed, **changes):
    values = worlds()(random.Random(seed)).values
    return Evaluation({**values, **changes}, tuple((d.head, d.body) for d in DEFINITIONS))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [0, 1, 2])
def test_exact_expectations_agree(seed, k):
    here = world(seed)
    point = symmetric(here.value(w.q_sigma), here.value(w.q_sigma) + here.value(w.q))
    found = all_exponents(GRADIENT_DESCENT.after(k, point))
    heads = {
        "f": w.f[k], "K_a": w.K_a[k], "K_w": w.K_w[k], "f_linear_a": w.df_a[k], "f_linear_w": w.df_w[k],
        "K_linear_aw": w.K_aw[k], "K_linear_wa": w.K_wa[k],
        "K_full_a": w.K_a[k + 1] - w.K_a[k], "K_full_w": w.K_w[k + 1] - w.K_w[k],
    }  # fmt: skip
    if not isinstance(found["K_linear_ww"], Undefined):
        heads["K_linear_ww"] = w.K_ww[k]
    measured = {name: here.value(order(head, w.d)) for name, head in heads.items()}
    assert measured == {name: found[name] for name in heads}


def test_an_exact_expectation_can_disagree():
    """Output weights that do not come in opposite pairs have a mean: initial logits follow it."""
    values = dict(world(0).values)
    values[w.a] = {place: abs(weight) for place, weight in values[w.a].items()}
    biased = Evaluation(values, world(0).definitions)
    assert biased.value(order(w.f[0], w.d)) == world(0).value(order(w.f[0], w.d)) + HALF


def test_parts_are_measured_apart():
    here = world(1)
    assert here.value(odd(w.a[0, w.r], w.d)) == here.value(even(w.w[0, w.r], w.d)) == 0
    assert here.value(even(w.a[0, w.r], w.d)) is S.NegativeInfinity


# --- changed rules, same code -------------------------------------------------------------------------------


def after(rule: UpdateRule, steps, point):
    now = rule.after(steps, point)
    return lambda definition: now.order(opened(definition.body)).expression()


BIASED = replace(GRADIENT_DESCENT, initial={**GRADIENT_DESCENT.initial, STATE_A: Parts(UNIT, UNIT)})


@given(q_sigma=fractions, size=band_sizes)
@settings(max_examples=15)
def test_biased_output_weights_give_means_from_the_start(q_sigma, size):
    """width:P2: with E a != 0 the printed statement 4 is right, but logits are of order q_sigma + 1."""
    found = after(BIASED, 0, symmetric(q_sigma, size))
    kernel = S(q_sigma) + S(size) + 1
    assert found(w.LOGITS) == S(q_sigma) + 1
    assert found(w.KERNEL_A) == found(w.KERNEL_W) == kernel
    assert found(w.LINEAR_AW) == found(w.LINEAR_WW) == found(w.LINEAR_WA) == kernel + S(size)


SIGN_RATE = Symbol("q_hat", real=True)
SIGN_DESCENT = replace(
    GRADIENT_DESCENT,
    moves={
        STATE_A: -(w.d**SIGN_RATE) * direction(w.g_a[w.k] * phi(STATE_W * w.x_a[w.k])),
        STATE_W: -(w.d**SIGN_RATE) * direction(w.g_w[w.k] * STATE_A * dphi(STATE_W * w.x_w[w.k])),
    },
)


@given(q_sigma=fractions, rate=st.fractions(min_value=-1, max_value=1, max_denominator=12), k=st.integers(1, 3))
@example(q_sigma=Fraction(-1, 2), rate=Fraction(-1, 2), k=1)
@settings(max_examples=20)
def test_sign_updates_have_no_feedback_between_layers(q_sigma, rate, k):
    """Weights stay of order max(0, q_hat) at every step, so the band has no upper edge."""
    q_sigma, rate = S(q_sigma), S(rate)
    now = SIGN_DESCENT.after(k, {w.q_sigma: q_sigma, SIGN_RATE: rate})
    size = Max(0, rate)
    assert now.parts(STATE_A).total.expression() == now.parts(STATE_W).total.expression() == size
    assert now.order(opened(w.LOGITS.body)).expression() == Max(q_sigma + HALF, q_sigma + 1 + rate + size)


NO_SIGMA = replace(
    GRADIENT_DESCENT,
    moves={**GRADIENT_DESCENT.moves, STATE_A: opened(-w.eta_a * w.g_a[w.k] * phi(STATE_W * w.x_a[w.k]))},
)


@given(q_sigma=fractions, s_w=fractions, q_a=fractions, k=st.integers(0, 3))
@settings(max_examples=15)
def test_a_step_without_sigma_moves_output_weights_by_the_rate_alone(q_sigma, s_w, q_a, k):
    q_sigma, s_w, q_a = S(q_sigma), S(s_w), S(q_a)
    of_a = of_w = S.Zero
    for _ in range(k):
        of_a, of_w = max(of_a, q_a + of_w), max(of_w, s_w + of_a)
    now = NO_SIGMA.after(k, at(q_sigma, q_a, s_w - q_sigma))
    assert now.parts(STATE_A).total.expression() == of_a
    assert now.parts(STATE_W).total.expression() == of_w


# --- the three-exponent band --------------------------------------------------------------------------------


def learns(s_a, s_w, steps=24):
    """Both channels, the total, and growth, by the recursion that the algebra finds (small steps, E4-E6)."""
    of_a = of_w = S.Zero
    logits, increments, weights = [-HALF], [], []
    for _ in range(steps):
        weights.append((of_a, of_w))
        both = (s_a + 2 * of_w, s_w + 2 * of_a)
        increments.append(both)
        logits.append(max(logits[-1], *both))
        of_a, of_w = max(of_a, s_a + of_w), max(of_w, s_w + of_a)
    balanced = [b for b in range(1, 4) if all(set(inc) == {logits[b]} for inc in increments[b:])]
    total = [b for b in range(1, 4) if all(max(inc) == logits[b] for inc in increments[b:])]
    return bool(balanced), bool(total), weights[-1] != weights[-5]


@pytest.mark.parametrize("quarter_a", range(-6, 7))
def test_the_general_band_against_the_recursion(quarter_a):
    for quarter_w in range(-6, 7):
        s_a, s_w = Rational(quarter_a, 4), Rational(quarter_w, 4)
        served = _band(q_sigma=Integer(0), q_a=s_a, q_w=s_w)
        both, total, grows = learns(s_a, s_w)
        assert (served["both_channels_learn"], served["total_learns"]) == (both, total), (s_a, s_w)
        assert served["explodes"] == grows, (s_a, s_w)
