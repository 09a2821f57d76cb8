"""What is served for three exponents, against a recursion of the largest exponents that is written down here."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Rational, S, sqrt

from theory.definitions import width as w
from theory.growth import Odd
from theory.orders import UNIT, Order, Parts, Regime, Unsettled
from theory.predictors import OutsideDomain
from theory.proof.mutation import survives
from theory.registry import predictors
from theory.serving import serve
from theory.width import lemma_one

HALF = Fraction(1, 2)
exponents = st.fractions(min_value=-2, max_value=2, max_denominator=12)


def evaluate(name, **inputs):
    exact = {key: S(value) if isinstance(value, Fraction | int) else value for key, value in inputs.items()}
    return dict(predictors()[name].evaluate(**exact))


def recursion(q_sigma, q_a, q_w, steps):
    """Orders of weights, logits and increments before each step: sizes of moves, of sums with a mean, of the start."""
    a, w, f = Fraction(0), Fraction(0), q_sigma + HALF
    found = []
    for _ in range(steps):
        by_a, by_w = 2 * q_sigma + 1 + q_a + 2 * w, 2 * q_sigma + 1 + q_w + 2 * a
        found.append({"a": a, "w": w, "f": f, "f_linear_a": by_a, "f_linear_w": by_w, "K_a": by_a, "K_w": by_w})
        move_a, move_w = q_sigma + q_a + w, q_sigma + q_w + a
        both = q_sigma + 1 + move_a + max(move_w, 0)  # moves of both layers times the spread that the slope sees
        f = max(f, by_a, by_w, both if move_w > 0 else by_a)
        a, w = max(a, move_a), max(w, move_w)
    return found


@given(q_sigma=exponents, step_a=exponents, step_w=exponents)
@example(q_sigma=-HALF, step_a=HALF, step_w=-HALF)
@settings(max_examples=12)
def test_exponents_of_weights_and_increments_are_those_of_the_recursion(q_sigma, step_a, step_w):
    q_a, q_w = step_a - q_sigma, step_w - q_sigma
    for k, expected in enumerate(recursion(q_sigma, q_a, q_w, 4)):
        if k == 2:
            continue
        found = evaluate("width.exponents", q_sigma=q_sigma, q_a=q_a, q_w=q_w, k=k)
        for name in ("a", "w", "K_a", "K_w", "f_linear_a", "f_linear_w"):
            assert found[name] == S(expected[name]), (name, k)
        if step_w <= 0 and step_a + step_w <= 0:
            assert found["f"] == S(expected["f"]), k


def learns(q_sigma, q_a, q_w):
    """Both layers, the larger increment, and growth, read off the recursion over many steps."""
    found = recursion(q_sigma, q_a, q_w, 12)
    late = found[4:]
    grows = late[-1]["a"] > late[0]["a"] or late[-1]["w"] > late[0]["w"]
    start = q_sigma + HALF
    logits = [max(start, *(one[name] for one in found[:k] for name in ("f_linear_a", "f_linear_w")))
              for k in range(1, len(found))]  # fmt: skip
    larger = [max(one["f_linear_a"], one["f_linear_w"]) == f for one, f in zip(found[1:], logits, strict=True)]
    both = [one["f_linear_a"] == one["f_linear_w"] == f for one, f in zip(found[1:], logits, strict=True)]
    return (not grows and all(both[2:])), (not grows and all(larger[2:])), grows


@given(q_sigma=exponents, step_a=exponents, step_w=exponents)
@example(q_sigma=-HALF, step_a=HALF, step_w=-HALF)
@example(q_sigma=-HALF, step_a=-HALF, step_w=-HALF)
@example(q_sigma=Fraction(0), step_a=Fraction(-1, 4), step_w=Fraction(1, 4))
@example(q_sigma=Fraction(0), step_a=Fraction(1, 12), step_w=Fraction(0))
@settings(max_examples=200)
def test_the_sets_of_three_exponents_are_those_of_the_recursion(q_sigma, step_a, step_w):
    q_a, q_w = step_a - q_sigma, step_w - q_sigma
    found = evaluate("width.band", q_sigma=q_sigma, q_a=q_a, q_w=q_w)
    assert (found["both_channels_learn"], found["total_learns"], found["explodes"]) == learns(q_sigma, q_a, q_w)


@given(q_sigma=exponents, size=exponents)
@settings(max_examples=100)
def test_the_symmetric_band_is_the_diagonal(q_sigma, size):
    q = size - q_sigma
    region = evaluate("width.region", q_sigma=q_sigma, q=q)
    both, total, grows = learns(q_sigma, q, q)
    assert region["stable"] == both == total
    assert (region["fate"] == "explodes") == grows


# --- rates and other spellings ------------------------------------------------------------------------------

FAMILIES = {
    "NTK": ((-HALF, 0, 0), (-HALF, -1, 0)),
    "MF": ((-1, 1, 1), (-1, -1, 1)),
    "sym-default": ((-HALF, HALF, HALF), (-HALF, -HALF, HALF)),
    "default": ((-HALF, 1, 0), (-HALF, 0, 0)),
    "R05": ((Fraction(-3, 4), HALF, HALF), (Fraction(-3, 4), -1, HALF)),
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("rho", [Fraction(512), Fraction(9, 4), Fraction(1)])
def test_learning_rates_from_a_reference(name, rho):
    (q_sigma, q_a, q_w), powers = FAMILIES[name]
    found = evaluate("width.learning_rates", q_sigma=q_sigma, q_a=q_a, q_w=q_w, rho=rho)
    for output, power in zip(("sigma", "eta_a", "eta_w"), powers, strict=True):
        assert found[output] == S(rho) ** S(power)


def test_rational_powers_are_exact_and_others_have_fifteen_digits():
    served = serve(predictors()["width.learning_rates"], {"q_sigma": -S.Half, "q_a": S.Zero, "q_w": S.One / 3,
                                                          "rho": Rational(9, 4)})  # fmt: skip
    assert served["sigma"]["exact"] == "2/3"
    assert served["eta_w"] == {"exact": None, "value": float(Rational(9, 4) ** (S.One / 3))}


@pytest.mark.parametrize("rho", [S.Zero, S.NegativeOne, S.Infinity, sqrt(2)])
def test_a_ratio_of_widths_is_positive_and_rational(rho):
    with pytest.raises(OutsideDomain, match="positive rational"):
        evaluate("width.learning_rates", q_sigma=0, q_a=0, q_w=0, rho=rho)


@given(values=st.tuples(*[exponents] * 4))
@settings(max_examples=60)
def test_the_abc_dictionary_by_one_step_of_powers(values):
    """Orders of sigma and of both steps, counted from powers outside weights, in their sizes, and of the rate."""
    a1, a2, b2, c = values
    found = evaluate("width.abc", a1=a1, b1=-a1, a2=a2, b2=b2, c=c)
    readout = -a2 - b2  # of an output weight as it acts
    of_gradient_1, of_gradient_2 = readout - a1, -a2  # slopes in the trained weights
    step_w = -c + of_gradient_1 - a1  # of an input weight as it acts, over its size d^0
    step_a = -c + of_gradient_2 - a2 - readout  # of an output weight over its size
    assert found["q_sigma"] == S(readout)
    assert found["q_sigma"] + found["q_w"] == S(step_w)
    assert found["q_sigma"] + found["q_a"] == S(step_a)


def test_the_abc_dictionary_knows_named_spellings():
    assert list(evaluate("width.abc", a1=-HALF, b1=HALF, a2=HALF, b2=HALF, c=0).values()) == [-1, 1, 1]
    assert list(evaluate("width.abc", a1=0, b1=0, a2=0, b2=HALF, c=0).values()) == [-S.Half, 1, 0]
    with pytest.raises(OutsideDomain, match="a1 \\+ b1"):
        evaluate("width.abc", a1=0, b1=HALF, a2=0, b2=0, c=0)


def test_the_recursion_itself_can_tell():
    """The partner of the tests above: outside the sets it shows growth and starts that outweigh."""
    assert learns(-HALF, Fraction(3, 2), HALF) == (False, False, True)
    assert learns(-HALF, -HALF, -HALF) == (False, False, False)
    sizes = [one["a"] for one in recursion(-HALF, Fraction(1), Fraction(1), 5)]
    assert all(b - a == HALF for a, b in pairwise(sizes))


# --- where a hypothesis fails -------------------------------------------------------------------------------


def at_start(alpha=S.Infinity, biased=False, orthogonal_odd=False):
    q = Rational(1, 3)
    inputs = {"q_sigma": -q, "q_a": q, "q_w": q, "alpha": alpha, "biased": biased, "orthogonal_odd": orthogonal_odd}
    return dict(predictors()["width.assumptions"].evaluate(**inputs))


NAMES = ("f", "K_a", "K_w", "K_linear_aw", "K_linear_ww", "K_linear_wa")


def test_light_tails_leave_the_algebra_as_it_is():
    plain = evaluate("width.exponents", q_sigma=Fraction(-1, 3), q_a=Fraction(1, 3), q_w=Fraction(1, 3), k=0)
    for alpha in (S.Infinity, S(7), Rational(13, 2)):
        found = at_start(alpha)
        assert [found[name] for name in NAMES] == [plain[name] for name in NAMES]
        assert found["fails"] == []


@given(alpha=st.fractions(min_value=Fraction(1, 4), max_value=8, max_denominator=6))
@example(alpha=Fraction(3, 2))
@settings(max_examples=30)
def test_a_sum_has_the_order_of_its_mean_its_fluctuation_or_its_largest_term(alpha):
    light, heavy = at_start(), at_start(S(alpha))
    degrees = {"f": 1, "K_a": 0, "K_w": 2, "K_linear_aw": 1, "K_linear_ww": 3, "K_linear_wa": 1}
    for name, degree in degrees.items():
        usual = 1 if name in ("K_a", "K_w") else S.Half
        assert heavy[name] - light[name] == max(S.Zero, degree / S(alpha) - usual), name
        assert any(reason.startswith(f"{name}:") for reason in heavy["fails"]) == (2 * degree >= alpha and degree > 0)


def test_bias_and_orthogonal_inputs_shift_by_one_half():
    light, biased, odd = at_start(), at_start(biased=True), at_start(orthogonal_odd=True)
    for name in NAMES:
        assert biased[name] - light[name] == (0 if name in ("K_a", "K_w") else S.Half)
        assert odd[name] - light[name] == (-S.Half if name == "K_a" else 0)
    assert len(biased["fails"]) == len(odd["fails"]) == 1


@pytest.mark.parametrize("bad", [{"alpha": S.Zero}, {"alpha": "t"}, {"biased": S.One}, {"orthogonal_odd": "no"}])
def test_assumptions_are_asked_for_as_they_are(bad):
    with pytest.raises(OutsideDomain, match="allowed"):
        at_start(**bad)


def test_an_odd_activation_keeps_parities():
    regime = Regime()
    kept = Odd().value(Parts(odd=UNIT), regime)
    assert kept.even.vanishes
    assert kept.odd == UNIT
    mixed = Odd().value(Parts(Order.of(S.Half), UNIT), regime)
    assert (mixed.even.expression(), mixed.odd.expression()) == (0, -S.Half)
    with pytest.raises(Unsettled, match="odd activation"):
        Odd().change(Parts(odd=UNIT), Parts(odd=UNIT), regime)


def test_the_first_lemma_notices_another_power_behind_a_declared_convention():
    derivation = lemma_one.BY_A_DERIVATION
    other = replace(lemma_one.INPUT, body=lemma_one.INPUT.body * w.d)
    premises = tuple(other if premise is lemma_one.INPUT else premise for premise in derivation.premises)
    assert not survives(replace(derivation, premises=premises), derivation)
