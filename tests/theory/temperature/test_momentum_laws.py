"""Momentum: derivations and their mutants, closed forms against other routes, slips."""

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, S, sqrt

from theory.predictors import OutsideDomain
from theory.proof.mutation import mutants, survives, survivors
from theory.registry import errata, laws, predictors
from theory.serving import encode
from theory.temperature import (
    gradient_bound,
    heavy_ball_edge,
    momentum_canonical,
    momentum_deviation,
    momentum_early,
    momentum_prediction,
    momentum_scheme,
    momentum_steps,
)

LAWS = {
    law.name.split(".")[1]: law
    for module in (
        gradient_bound,
        heavy_ball_edge,
        momentum_canonical,
        momentum_deviation,
        momentum_early,
        momentum_scheme,
        momentum_steps,
    )
    for law in module.LAWS
}
SLOW = {"momentum_scheme", "momentum_early_order", "momentum_early", "momentum_tau_z", "momentum_deviation"}
SEPARATE = {"recursion of the place", "through the third power", "velocity"}
"""Steps that the last one does not rest on."""

positive = st.fractions(min_value=Rational(1, 1000), max_value=1000, max_denominator=1000).map(Rational)
share = st.fractions(min_value=Rational(1, 100), max_value=1, max_denominator=100).map(Rational)


@pytest.mark.parametrize("name", LAWS)
def test_every_step_is_proved_and_every_premise_used(name):
    proof = LAWS[name].derivation.check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= SEPARATE


@pytest.mark.parametrize("name", sorted(set(LAWS) - SLOW))
def test_no_mutant_survives(name):
    assert survivors(LAWS[name].derivation) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_no_mutant_survives_in_the_longer_derivations(name):
    assert survivors(LAWS[name].derivation) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["momentum_scheme", "momentum_deviation"])
def test_every_convention_is_needed(name):
    """The partner: these laws really do not see what their conventions name."""
    derivation = LAWS[name].derivation
    left = {label.split(":")[0] for label, mutant in mutants(derivation) if survives(mutant, derivation)}
    assert left == {premise.name for premise in derivation.premises if premise.convention}


def test_the_displacement_after_many_steps_is_proved_and_is_what_the_steps_do():
    assert momentum_steps.STEPS.sound
    k, eta, gamma, gradient = (
        symbol for symbol in (momentum_steps.k, momentum_steps.eta, momentum_steps.gamma, momentum_steps.gradient)
    )
    velocity, place = Rational(0), Rational(0)
    for _ in range(7):
        velocity = Rational(2, 3) * velocity - 5
        place = place + Rational(1, 4) * velocity
    values = {k: 7, eta: Rational(1, 4), gamma: Rational(1, 3), gradient: 5}
    assert momentum_steps.STEPS.steps[-1].right.subs(values) == place
    assert momentum_steps.STEPS.steps[-1].right.subs({**values, k: 6}) != place


@given(positive, share)
@example(Rational(1, 4), Rational(1))
def test_canonical_forms_are_exact(eta, gamma):
    found = momentum_prediction.canonical(eta, gamma)
    assert found["T_mom"] * found["lam"] ** 2 == 1
    assert found["effective_learning_rate"] ** 2 == found["T_mom"] * eta
    assert found["lam"] == gamma / sqrt(eta)


def test_no_damping_has_no_timescale():
    assert momentum_prediction.canonical(Integer(1), Integer(0))["T_mom"] is S.Infinity
    assert momentum_prediction.scheme(Integer(1), Integer(0), Integer(1))["eta_tilde_max"] is S.Infinity


@settings(max_examples=20)
@given(positive, positive, positive)
@example(Rational(1, 1000), Rational(1), Rational(1, 1000))
def test_early_displacement_is_the_integral_of_the_velocity(damping, gradient, tau):
    """The other route: quadrature of -(g/d)(1 - exp(-d s)) from 0 to tau."""
    found = encode(momentum_prediction.early(damping, gradient, tau)["displacement"])["value"]
    with mpmath.workdps(40):
        d, g, end = (mpmath.mpf(int(x.p)) / int(x.q) for x in (damping, gradient, tau))
        knots = sorted({mpmath.mpf(0), min(end, 1 / d), min(end, 10 / d), min(end, 50 / d), end})
        truth = mpmath.quad(lambda s: g / d * mpmath.expm1(-d * s), knots)
    assert found == pytest.approx(float(truth), rel=1e-14)


def test_early_expansion_is_exact_and_leaves_the_fourth_power():
    found = momentum_prediction.early(Integer(3), Integer(2), Rational(1, 100))
    assert found["cubic"] == -Integer(2) * Rational(1, 10**4) / 2 + 3 * Integer(2) * Rational(1, 10**6) / 6
    rest = float(found["displacement"] - found["cubic"])
    assert rest == pytest.approx(-2 * 9 * 1e-8 / 24, rel=0.01)


@settings(max_examples=30)
@given(positive, positive)
@example(Rational(1, 1000), Rational(1, 1000))
@example(Rational(1000), Rational(1000))
def test_early_time_undoes_the_displacement(damping, ratio):
    tau = momentum_prediction.early_time(damping, ratio)["tau"]
    with mpmath.workdps(60):
        d, wanted = (mpmath.mpf(int(x.p)) / int(x.q) for x in (damping, ratio))
        x = d * mpmath.mpmathify(tau.evalf(50))
        assert abs((x + mpmath.expm1(-x)) / d**2 / wanted - 1) < 1e-15
        assert abs((2 * x + mpmath.expm1(-2 * x)) / d**2 / wanted - 1) > 1e-3


def test_early_time_has_the_limits_of_both_ends():
    """sqrt(2 ratio) without damping; damping times the time of descent plus one damping time with much."""
    few = float(momentum_prediction.early_time(Rational(1, 10**6), Integer(2))["tau"])
    assert few == pytest.approx(2.0, rel=1e-5)
    many = float(momentum_prediction.early_time(Integer(1000), Integer(2))["tau"])
    assert many == pytest.approx(1000 * 2 + 1 / 1000, rel=1e-12)
    assert momentum_prediction.early_time(Integer(0), Integer(8))["tau"] == 4


@given(positive, share, positive)
def test_the_scheme_keeps_its_damping(eta_tilde, damping, beta):
    found = momentum_prediction.scheme(eta_tilde, damping, beta)
    assert found["eta"] * beta**2 == eta_tilde
    assert found["gamma"] ** 2 == eta_tilde * damping**2
    assert (found["gamma"] < 1) == (eta_tilde < found["eta_tilde_max"])


@settings(max_examples=20)
@given(share.filter(lambda g: g < 1), positive)
def test_the_edge_is_where_the_largest_root_has_size_one(gamma, curvature):
    edge = momentum_prediction.heavy_ball_edge(gamma, curvature)["eta_max"]
    for factor, grows in ((Rational(99, 100), False), (Rational(101, 100), True)):
        trace = 2 - gamma - factor * edge * curvature
        roots = mpmath.polyroots([1, -float(trace), float(1 - gamma)])
        assert (max(abs(root) for root in roots) > 1) == grows


@pytest.mark.parametrize(
    ("name", "given_", "said"),
    [
        ("momentum_canonical", {"eta": Integer(0), "gamma": Rational(1, 2)}, "positive"),
        ("momentum_canonical", {"eta": Integer(1), "gamma": Integer(2)}, "0 to 1"),
        ("momentum_early", {"damping": Integer(-1), "gradient": Integer(1), "tau": Integer(1)}, "at least 0"),
        ("momentum_tau_z", {"damping": Integer(1), "ratio": Integer(-1)}, "at least 0"),
        ("momentum_scheme", {"eta_tilde": Integer(1), "damping": Integer(1), "beta": S.Infinity}, "positive"),
        ("heavy_ball_edge", {"gamma": Rational(1, 2), "curvature": Integer(0)}, "positive"),
    ],
)
def test_domains_are_refused_in_one_sentence(name, given_, said):
    with pytest.raises(OutsideDomain, match=said) as refused:
        predictors()[f"temperature.{name}"].evaluate(**given_)
    assert "\n" not in str(refused.value)


def test_every_slip_on_momentum_stands_and_one_form_is_confirmed():
    for number in range(28, 38):
        found = errata()[f"temperature:E{number}"]
        exact = [e for e in found.evidence if hasattr(e, "stands")]
        assert exact
        assert all(e.stands() for e in exact)
        assert (exact[0].kind == "confirmed") == (number == 32)
        assert not found.law or found.law in laws()
