"""Equivalences of training, timescales beyond the paper, the correlated start: derivations, predictors, errata."""

import random
from dataclasses import replace

import mpmath
import pytest
from sympy import Integer, Rational

from theory.errata import Counterexample, Witness
from theory.predictors import OutsideDomain, Undefined
from theory.proof.mutation import mutants, survives, survivors
from theory.proof.steps import State
from theory.registry import errata, laws, predictors
from theory.temperature.rescaled_training import CHAIN_RULE, STEP_RESCALED, eta, k, p, scale, v, y
from theory.temperature.rescaled_training import DERIVATION as RESCALED

MINE = (
    "readout_identity", "homogeneity", "adaptive_identity", "correlated_size", "correlation_range", "stability_edge",
    "mean_squared_small_logits", "mean_squared_large_logits", "tau_lin", "sign_descent_unit",
    "sign_descent_nonlinear_time", "deviation", "deviation_in_beta", "both_halves_time",
)  # fmt: skip
QUICK = ("readout_identity", "homogeneity", "correlated_size", "correlation_range", "deviation_in_beta")
SEPARATE = {"a mixture is a sum of squares"}
"""Steps that the last one does not rest on: that two variances decide about all."""

FACTORS = {
    "early learning timescale: twice the body",
    "early learning timescale: minus the body",
    "early learning timescale: eta_tilde squared",
    "the timescale in the same units: twice the body",
    "the timescale in the same units: minus the body",
    "the timescale in the same units: the body plus 1/7",
    "the timescale in the same units: eta_tilde squared",
}
SIGNS = {
    "slope of the loss in a logit: twice the body",
    "slope of the loss in a logit: beta squared",
    "pulled residual: twice the body",
}
INVARIANT = {
    "mean_squared_small_logits": {
        "drive on the ray: minus the body", "drive on the ray: logit_scale squared",
        "size on the ray: logit_scale squared", "drive of the labels: minus the body",
    },
    "mean_squared_large_logits": {
        "drive on the ray: minus the body", "size over the size of the logits: logit_scale squared",
        "drive of the direction: minus the body",
    },
    "tau_lin": {"Z0 is held: the body plus 1/7"},
    "sign_descent_unit": SIGNS,
    "sign_descent_nonlinear_time": SIGNS,
    "stability_edge": {
        "softmax of a small displacement: the body plus 1/7", "a step from a displacement: the body plus 1/7",
        "a step from a displacement: K squared", "growth of a small displacement in a step: minus the body",
    },
    "deviation": {
        "rate of the linearisation: the body plus 1/7", "softmax of the linearisation: the body plus 1/7",
    },
    "both_halves_time": {
        "share of the independent readout, over the root: minus the body",
        "share of the independent readout, over the root: root squared",
        "bend of both halves, over the root: root squared", "speed of both halves: root squared",
        "nonlinear timescale: twice the body", "nonlinear timescale: minus the body",
    },
}  # fmt: skip
"""Mutants that say the same law again: a norm does not see a sign, an exponent or a sign no factor, a softmax no
common shift of its logits, a limit at 0 not whether its variable is squared."""


def derivation(name):
    return laws()[f"temperature.{name}"].derivation


@pytest.mark.parametrize("name", MINE)
def test_every_step_is_proved_and_every_premise_used(name):
    proof = derivation(name).check()
    assert proof.sound, str(proof)
    assert set(proof.unreached) <= SEPARATE


@pytest.mark.parametrize("name", QUICK)
def test_no_mutant_survives(name):
    assert survivors(derivation(name)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MINE if name not in QUICK])
def test_only_mutants_that_say_the_same_survive(name):
    made = derivation(name)
    left = {label for label, mutant in mutants(made) if survives(mutant, made)}
    assert left <= INVARIANT.get(name, set()) | (FACTORS if name.startswith("mean_squared") else set())


@pytest.mark.parametrize("made", [CHAIN_RULE, RESCALED], ids=["chain rule", "rescaled training"])
def test_no_mutant_survives_in_what_the_equivalences_share(made):
    assert survivors(made) == ()


def test_training_is_not_the_same_with_one_learning_rate():
    """The rate of the rescaled parameters must be s^2 eta: with s eta the induction fails in an instance."""
    wrong = replace(STEP_RESCALED, body=y(k, p) - eta * scale[p] * v(k + 1, p))
    premises = tuple(wrong if d is STEP_RESCALED else d for d in RESCALED.premises)
    assert replace(RESCALED, premises=premises).check(first_failure=True).state is State.REFUTED


def evaluate(name, **given):
    return predictors()[f"temperature.{name}"].evaluate(**given)


@mpmath.workdps(40)
def steps_on_logits(rate, kernel, classes, steps):
    """Sizes of the first and last residual of descent from a tiny displacement, with soft labels 1/K."""
    source, points = random.Random(1), kernel.rows
    z = mpmath.matrix([[mpmath.mpf(source.random()) / 10**15 for _ in range(classes)] for _ in range(points)])
    sizes = []
    for _ in range(steps):
        shares = [[mpmath.exp(z[m, j]) for j in range(classes)] for m in range(points)]
        r = mpmath.matrix([[mpmath.mpf(1) / classes - e / mpmath.fsum(row) for e in row] for row in shares])
        z = z + rate * kernel * r
        sizes.append(mpmath.norm(r))
    return sizes[0], sizes[-1]


@pytest.mark.parametrize(("factor", "decays"), [(0.96, True), (1.04, False)])
def test_the_edge_is_where_descent_on_the_logits_stops_decaying(factor, decays):
    kernel = mpmath.matrix([[3, 1, 0.5], [1, 2, 0.25], [0.5, 0.25, 1]])
    lam = max(mpmath.eigsy(kernel, eigvals_only=True))
    beta = Rational(3, 7)
    edge = evaluate("stability_edge", K=Integer(4), lam_max=Rational(str(lam)), beta=beta)["eta_max"]
    first, last = steps_on_logits(factor * mpmath.mpf(float(edge * beta**2)), kernel, 4, 120)
    assert (last < first) is decays


def test_homogeneity_at_a_point_that_is_no_power():
    found = evaluate("homogeneity", H=Integer(3), beta=Rational(5, 7), eta=Rational(2, 9))
    with mpmath.workdps(30):
        beta, eta = mpmath.mpf(5) / 7, mpmath.mpf(2) / 9
        assert mpmath.almosteq(mpmath.mpf(str(found["eta_equivalent"].evalf(30))), beta ** (mpmath.mpf(2) / 3) * eta)
        assert mpmath.almosteq(mpmath.mpf(str(found["init_scale"].evalf(30))), mpmath.cbrt(beta))
    assert found["learning_rate_readout"] == Rational(50, 441)
    assert found["learning_rate_body"] == Rational(2, 9)
    assert found["readout_scale"] == Rational(5, 7)


def test_a_square_of_the_readout_is_what_the_equivalent_network_has():
    """One step of z = w h from w = 2, h = 3 with loss Z^2/2, at beta and at 1 with what is predicted."""
    beta, eta, w, h = Rational(5, 2), Rational(1, 100), Integer(2), Integer(3)
    found = evaluate("homogeneity", H=Integer(2), beta=beta, eta=eta)
    plain = (w - eta * beta**2 * w * h**2, h - eta * beta**2 * w**2 * h)
    v = found["readout_scale"] * w
    other = (v - found["learning_rate_readout"] * v * h**2, h - found["learning_rate_body"] * v**2 * h)
    assert beta * plain[0] * plain[1] == other[0] * other[1]
    assert beta * plain[0] * plain[1] != v * h * (1 - eta) ** 2


@pytest.mark.parametrize(("size", "expected"), [(0, -1), (Rational(3, 2), Rational(-7, 8)), (6, 1)])
def test_correlation_of_the_start(size, expected):
    found = evaluate("correlated_initialisation", beta=Integer(2), z0_norm=Rational(3, 2), Z0_norm=Rational(size))
    assert found["c"] == expected


def test_no_correlation_gives_logits_beyond_twice_those_of_one_half():
    found = evaluate("correlated_initialisation", beta=Integer(2), z0_norm=Rational(3, 2), Z0_norm=Rational(61, 10))
    assert isinstance(found["c"], Undefined)
    assert "above 2 beta z0_norm = 6" in found["c"].reason


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("stability_edge", {"K": Integer(1), "lam_max": Integer(1), "beta": Integer(1)}),
        ("stability_edge", {"K": Integer(3), "lam_max": Integer(0), "beta": Integer(1)}),
        ("homogeneity", {"H": Integer(0), "beta": Integer(1), "eta": Integer(1)}),
        ("correlated_initialisation", {"beta": Integer(1), "z0_norm": Integer(1), "Z0_norm": Integer(-1)}),
    ],
)
def test_values_outside_the_domain_are_refused(name, given):
    with pytest.raises(OutsideDomain, match="give"):
        evaluate(name, **given)


@pytest.mark.parametrize("name", ["E25", "E26"])
def test_exact_evidence_stands(name):
    shown = [e for e in errata()[f"temperature:{name}"].evidence if isinstance(e, Witness | Counterexample)]
    assert shown
    assert all(e.stands() for e in shown)
