"""The closed forms of the linearised theory against independent routes, at values that no catalogue gives."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import expit, ndtr, owens_t
from scipy.stats import multivariate_normal
from sympy import Rational

from theory.predictors import OutsideDomain
from theory.registry import predictors
from theory.serving import serve


def served(name, **inputs):
    """Encoded outputs, from plain Python numbers."""
    return serve(predictors()[f"temperature.{name}"], {key: exact(value) for key, value in inputs.items()})


def exact(value):
    if isinstance(value, list):
        return [exact(item) for item in value]
    return value if isinstance(value, bool | str) else Rational(value)


def number(name, output, **inputs):
    return served(name, **inputs)[output]["value"]


rationals = st.fractions(min_value=Rational(1, 50), max_value=50, max_denominator=60)


@settings(max_examples=25)
@given(t=rationals, theta=rationals, gap0=st.fractions(min_value=-20, max_value=20, max_denominator=30))
@example(t=Rational(1, 10**9), theta=Rational(1), gap0=Rational(0))
@example(t=Rational(10) ** 40, theta=Rational(1), gap0=Rational(-700))
def test_the_gap_keeps_what_the_flow_keeps(t, theta, gap0):
    found = number("logit_gap", "gap", t=t, theta=theta, gap0=gap0)
    with mpmath.workdps(80):
        start, drive = (mpmath.mpf(Rational(x).p) / Rational(x).q for x in (gap0, 2 * Rational(t) * Rational(theta)))
        clock = drive + start + mpmath.exp(start)
        reach = 1e-14 * abs(mpmath.mpf(found)) + mpmath.mpf(10) ** -300
        below, above = (x + mpmath.exp(x) - clock for x in (found - reach, found + reach))
        assert below < 0 < above


def test_the_gap_is_what_the_differential_equation_gives():
    flow = solve_ivp(lambda _, x: 2 * 0.7 * expit(-x), (0, 3.3), [-0.9], rtol=1e-12, atol=1e-13)
    found = number("logit_gap", "gap", t=Rational(33, 10), theta=Rational(7, 10), gap0=Rational(-9, 10))
    assert found == pytest.approx(flow.y[0, -1], abs=1e-9)


@settings(max_examples=25)
@given(beta=rationals, theta=rationals, lam=rationals)
def test_the_rest_balances_and_relaxes_at_the_slope_of_the_flow(beta, theta, lam):
    found = {name: value["value"] for name, value in served("fixed_point", beta=beta, theta=theta, lam=lam).items()}
    drive = float(2 * beta**2 * theta / lam)
    u = brentq(lambda x: x - drive * expit(-x), 0, drive, xtol=1e-15, rtol=1e-14)
    assert found["u"] == pytest.approx(u, rel=1e-11)
    assert found["z1"] == pytest.approx(u / (2 * float(beta)), rel=1e-11)
    assert found["relaxation_rate"] == pytest.approx(1 + drive * expit(u) * expit(-u), rel=1e-10)
    large = found["u_large_logit"]
    assert math.log(large) + large == pytest.approx(math.log(drive), abs=1e-12)
    assert 0 <= large / u - 1 <= math.exp(-u)


@settings(max_examples=20)
@given(K=st.integers(2, 12), theta=rationals, beta=rationals, lam=rationals)
def test_small_logits_solve_the_linear_equation(K, theta, beta, lam):
    z = [entry["value"] for entry in served("small_logit_fixed_point", K=K, theta=theta, beta=beta, lam=lam)["z"]]
    b, size, decay = float(beta), float(theta), float(lam)
    off_mean = np.eye(K) - 1 / K
    source = b / decay * size * (np.eye(K)[0] - 1 / K)
    solved = np.linalg.solve(np.eye(K) + b**2 / (K * decay) * size * off_mean, source)
    np.testing.assert_allclose(z, solved, rtol=1e-10, atol=1e-14)


def test_small_logits_are_exact():
    z = served("small_logit_fixed_point", K=3, theta=Rational(1, 2), beta=Rational(1, 3), lam=7)["z"]
    assert [entry["exact"] for entry in z] == ["6/379", "-3/379", "-3/379"]


@pytest.mark.parametrize("scale", [Rational(1, 7), Rational(13, 10), 6, 45])
def test_the_expected_residual_by_another_quadrature(scale):
    s = float(scale)

    def confidence(d):
        p = expit(s * math.sqrt(2) * d)
        return (p**2 + (1 - p) ** 2) * math.exp(-d * d / 2) / math.sqrt(2 * math.pi)

    expected = 2 * quad(confidence, 0, 12, points=[1 / s], epsabs=1e-14, limit=400)[0]
    assert number("residual_norm", "expected", K=2, s=scale) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("K", [2, 3, 7, 40])
def test_the_mean_largest_by_another_quadrature(K):
    """E max = int (1 - Phi^K - (1 - Phi)^K) over the positive half, by parts."""
    expected = quad(lambda x: 1 - ndtr(x) ** K - ndtr(-x) ** K, 0, 12, epsabs=1e-14)[0]
    assert number("residual_norm", "m_K", K=K, s=1) == pytest.approx(expected, abs=1e-11)


def test_more_classes_have_no_closed_residual():
    assert served("residual_norm", K=3, s=1)["expected"]["value"] is None


@pytest.mark.parametrize(("K", "c"), [(4, Rational(2, 7)), (4, Rational(-3, 5)), (5, Rational(9, 10))])
def test_the_same_winner_by_orthant_probabilities(K, c):
    """K times the chance that both first entries exceed all others: an orthant of 2(K - 1) Gaussians."""
    differences = np.eye(K - 1) + np.ones((K - 1, K - 1))
    covariance = np.kron(np.array([[1, float(c)], [float(c), 1]]), differences)
    zero = np.zeros(2 * K - 2)
    expected = K * multivariate_normal.cdf(zero, zero, covariance, maxpts=400_000, abseps=1e-7, rng=7)
    assert number("same_argmax", "probability", K=K, correlation=c) == pytest.approx(expected, abs=2e-5)


def test_three_classes_by_quadrature_agree_with_their_closed_form():
    """The same quadrature that serves more classes, at the count where the orthant is known."""
    from theory.temperature.gaussian_logits import _same

    for c in (Rational(1, 3), Rational(-4, 5), Rational(99, 100)):
        closed = number("same_argmax", "probability", K=3, correlation=c)
        assert closed == pytest.approx(_same(3, c, 0.25), abs=1e-13)
        assert closed != pytest.approx(_same(3, c, 3.0), abs=1e-6)


def logarithm_of_the_same_winner(K, c, step=0.04):
    """The integral over the two entries themselves, by SciPy's Owen function, in logarithms on a fixed grid."""
    entries = np.arange(-9, 14, step) + step / 2
    a, b = entries[:, None], entries[None, :]
    s = math.sqrt(1 - c * c)
    owen = owens_t(a, (b - c * a) / (s * a)) + owens_t(b, (a - c * b) / (s * b))
    below = (ndtr(a) + ndtr(b)) / 2 - owen - 0.5 * (a * b < 0)
    height = -(a * a - 2 * c * a * b + b * b) / (2 * s * s) + (K - 1) * np.log(np.maximum(below, 1e-300))
    top = float(np.max(height))
    return top + math.log(np.sum(np.exp(height - top)) * step**2 * K / (2 * math.pi * s))


@pytest.mark.parametrize(
    ("K", "c", "accuracy"),
    [(40, Rational(-7, 10), 1e-12), (1000, Rational(-9, 10), 1e-12), (10**6, Rational(-1, 2), 1e-10)],
)
def test_rare_common_winners_have_all_their_digits(K, c, accuracy):
    """Entries of opposite signs that both win lie far from the middle, where a fixed range misses them."""
    found = served("same_argmax", K=K, correlation=c)["probability"]["value"]
    assert math.log(found) == pytest.approx(logarithm_of_the_same_winner(K, float(c)), abs=accuracy)
    if K >= 1000:
        from theory.temperature.gaussian_logits import _same

        assert _same(K, c, 0.25) < found / 2  # the same quadrature round the middle


def test_a_correlation_next_to_its_ends():
    beyond = served("same_argmax", K=1000, correlation=Rational(-99, 100))["probability"]
    assert beyond["value"] == pytest.approx(math.exp(logarithm_of_the_same_winner(1000, -0.99, 0.02)), rel=1e-9)
    near = 1 - Rational(1, 10**40)
    assert served("same_argmax", K=7, correlation=near)["probability"]["value"] == pytest.approx(1, abs=1e-13)
    with pytest.raises(OutsideDomain, match="more than three classes"):
        served("same_argmax", K=7, correlation=-near)
    assert served("same_argmax", K=7, correlation=-1)["probability"]["exact"] == "0"


KERNEL = [[2, 1, Rational(1, 2)], [1, 3, 0], [Rational(1, 2), 0, 1]]


@pytest.mark.parametrize("labels", [[0, 0, 1], [0, 1, 2], [2, 2, 2]])
def test_the_saturating_ratio_by_summing_over_winners(labels):
    """Two classes of points are drawn: with c = 0 every triple of winners is equally likely and can be summed."""
    K = 3
    kernel, y = np.array(KERNEL, dtype=float), np.eye(K)[labels]
    small = np.sum((kernel @ (y - 1 / K)) ** 2)
    large = np.mean([
        np.sum((kernel @ (y - np.eye(K)[[a, b, c]])) ** 2) for a in range(K) for b in range(K) for c in range(K)
    ])  # fmt: skip
    found = number("saturation_ratio", "rho", K=K, Theta_x=KERNEL, logit_correlation=0, labels=labels)
    assert found == pytest.approx(math.sqrt(small / large), rel=1e-12)


def test_the_saturating_ratio_with_correlated_logits_by_sampling():
    K, c, labels = 4, 0.6, [0, 1, 1]
    kernel, y = np.array(KERNEL, dtype=float), np.eye(K)[labels]
    random = np.random.default_rng(5)
    shared, own = random.standard_normal((400_000, 1, K)), random.standard_normal((400_000, 3, K))
    winner = np.argmax(math.sqrt(c) * shared + math.sqrt(1 - c) * own, axis=-1)
    large = np.mean(np.sum(np.einsum("mn,snk->smk", kernel, y - np.eye(K)[winner]) ** 2, axis=(1, 2)))
    expected = math.sqrt(np.sum((kernel @ (y - 1 / K)) ** 2) / large)
    given_ = {"Theta_x": KERNEL, "logit_correlation": Rational(3, 5), "labels": labels}
    assert number("saturation_ratio", "rho", K=K, **given_) == pytest.approx(expected, rel=5e-3)


def test_the_isotropic_ratio_is_that_of_one_point():
    assert served("saturation_ratio", K=10, isotropic=True, label_smoothing=Rational(1, 4))["rho"]["exact"] == "3/5"
    alone = number("saturation_ratio", "rho", K=10, Theta_x=[[3]], logit_correlation=0, labels=[4])
    assert alone == number("saturation_ratio", "rho", K=10, isotropic=True) == pytest.approx(math.sqrt(0.5))


def test_no_residual_has_no_ratio():
    one = [[1, -1], [-1, 1]]
    found = served("saturation_ratio", K=2, Theta_x=one, logit_correlation=0, labels=[0, 0])["rho"]
    assert found["value"] is None
    assert "nothing to learn" in found["reason"]


@pytest.mark.parametrize(
    ("name", "inputs", "said"),
    [
        ("saturation_ratio", {"K": 2}, "is missing"),
        ("saturation_ratio", {"K": 2, "isotropic": True, "labels": [0]}, "beside"),
        ("saturation_ratio", {"K": 2, "isotropic": True, "label_smoothing": 1}, "label_smoothing"),
        ("saturation_ratio", {"K": 2, "Theta_x": [[1]], "logit_correlation": 2, "labels": [0]}, "between -1 and 1"),
        ("saturation_ratio", {"K": 2, "Theta_x": [[1, 2], [2, 1]], "logit_correlation": 0, "labels": [0, 1]}, "kernel"),
        ("same_argmax", {"K": 1, "correlation": 0}, "from 2"),
        ("same_argmax", {"K": 10**6 + 1, "correlation": Rational(1, 2)}, "to 1000000"),
        ("residual_norm", {"K": 2, "s": -1}, "at least 0"),
        ("logit_gap", {"t": -1, "theta": 1, "gap0": 0}, "at least 0"),
        ("fixed_point", {"beta": 0, "theta": 1, "lam": 1}, "positive"),
        ("small_logit_fixed_point", {"K": 2, "theta": 1, "beta": 1, "lam": 0}, "positive"),
    ],
)
def test_the_domain_is_refused_in_one_sentence(name, inputs, said):
    with pytest.raises(OutsideDomain, match=said) as refused:
        served(name, **inputs)
    assert "\n" not in str(refused.value)


def test_a_correlation_that_many_points_cannot_have_is_refused():
    with pytest.raises(OutsideDomain, match="cannot all have"):
        served("saturation_ratio", K=2, Theta_x=KERNEL, logit_correlation=Rational(-3, 5), labels=[0, 1, 1])
