"""Kernels, floors and the corrected model as they are served, against brute force."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy import special
from sympy import Integer, Rational, S, sympify

from theory.predictors import OutsideDomain
from theory.registry import predictors
from theory.serving import serve
from theory.width.erf_kernels import LAWS as ERF_LAWS
from theory.width.relu_kernels import LAWS as RELU_LAWS


def served(name, **inputs):
    return serve(predictors()[name], {key: sympify(value) for key, value in inputs.items()})


def kernel(activation, **inputs):
    found = serve(predictors()["width.kernel"], {"activation": activation} | {k: sympify(v) for k, v in inputs.items()})
    return found["phi_phi"]["value"], found["dphi_dphi"]["value"]


def double_quadrature(function, norm, norm2, inner):
    """Mean of function(z, z') over the Gaussian pair: radius squared by Gauss-Laguerre, angles between the kinks."""
    angle = math.acos(inner / (norm * norm2))
    halves = [(base + side * math.pi / 2) % (2 * math.pi) for base in (0.0, angle) for side in (-1, 1)]
    cuts = sorted({0.0, 2 * math.pi, *halves})
    half_squares, mass = np.polynomial.laguerre.laggauss(60)
    points, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    for low, high in itertools.pairwise(cuts):
        turn = low + (points[:, None] + 1) * (high - low) / 2
        radius = np.sqrt(2 * half_squares)[None, :]
        z, other = norm * radius * np.cos(turn), norm2 * radius * np.cos(turn - angle)
        total += (high - low) / 2 * weights @ function(z, other) @ mass
    return total / (2 * math.pi)


def rectifier(slope):
    return lambda z: np.where(z > 0, z, slope * z)


CASES = [("relu", 0, 1.5, 0.75, 0.5), ("leaky_relu", Rational(1, 3), 0.5, 2, -0.8), ("leaky_relu", 0, 1, 1, 0.25)]


@pytest.mark.parametrize(("activation", "slope", "norm", "norm2", "inner"), CASES)
def test_rectifiers_against_a_double_quadrature(activation, slope, norm, norm2, inner):
    phi = rectifier(float(slope))
    truth = double_quadrature(lambda z, other: phi(z) * phi(other), norm, norm2, inner)
    slopes = double_quadrature(
        lambda z, other: np.where(z > 0, 1, float(slope)) * np.where(other > 0, 1, float(slope)), norm, norm2, inner
    )
    exact = {key: Rational(str(value)) for key, value in (("norm", norm), ("norm2", norm2), ("inner", inner))}
    values, found = kernel(activation, slope=slope, **exact)
    assert math.isclose(values, truth, rel_tol=1e-9)
    assert math.isclose(found, slopes, rel_tol=1e-9)


def test_erf_against_a_double_quadrature():
    values, slopes = kernel("erf", norm=Rational(3, 2), norm2=Rational(2, 3), inner=Rational(-1, 2))
    truth = double_quadrature(lambda z, other: special.erf(z) * special.erf(other), 1.5, 2 / 3, -0.5)
    assert math.isclose(values, truth, rel_tol=1e-9)
    density = double_quadrature(lambda z, other: np.exp(-z * z - other * other), 1.5, 2 / 3, -0.5)
    assert math.isclose(slopes, 4 / math.pi * density, rel_tol=1e-9)


@pytest.mark.parametrize(("cosine", "norm", "norm2"), [(0.3, 0.7, 1.9), (-0.85, 2.5, 0.4), (0.99, 1.0, 1.1)])
def test_the_laws_say_what_is_served(cosine, norm, norm2):
    laws = {law.name: law.claim.value for law in (*RELU_LAWS, *ERF_LAWS) if hasattr(law.claim, "value")}
    at = {
        "norm": norm, "norm_other": norm2, "theta": math.acos(cosine), "inner": norm * norm2 * cosine,
        "root": math.sqrt(1 + 2 * norm**2), "root_other": math.sqrt(1 + 2 * norm2**2),
    }  # fmt: skip
    exact = {"norm": Rational(norm), "norm2": Rational(norm2), "inner": Rational(norm * norm2 * cosine)}
    for activation in ("relu", "erf"):
        for kind, found in zip(("values", "slopes"), kernel(activation, **exact), strict=True):
            claim = laws[f"width.kernel_{activation}_{kind}"]
            said = float(claim.subs({symbol: at[str(symbol)] for symbol in claim.free_symbols}))
            assert math.isclose(found, said, rel_tol=1e-9, abs_tol=1e-12)


def test_what_a_kernel_refuses():
    for wrong in ({"activation": "tanh"}, {"inner": S(3)}, {"norm": S(-1)}, {"norm": S.Infinity}):
        inputs = {"activation": "relu", "norm": S.One, "norm2": S.One, "inner": S.Zero} | wrong
        with pytest.raises(OutsideDomain, match="allowed"):
            serve(predictors()["width.kernel"], inputs)
    at_zero = serve(
        predictors()["width.kernel"], {"activation": "relu", "norm": S.Zero, "norm2": S.One, "inner": S.Zero}
    )
    assert at_zero["phi_phi"]["exact"] == "0"
    assert "kink" in at_zero["dphi_dphi"]["reason"]


def by_integration(n, m):
    """Expected plug-in divergence of two equal normal laws, by integrals over the gamma densities."""

    def mean(function, shape):
        density = lambda g: g ** (shape - 1) * mpmath.exp(-g) / mpmath.gamma(shape)  # noqa: E731
        return mpmath.quad(lambda g: function(g) * density(g), [0, shape / 2, shape, 2 * shape, 8 * shape + 40])

    own, other = mpmath.mpf(n - 1) / 2, mpmath.mpf(m - 1) / 2
    inverse = mean(lambda g: other / g, other)
    logs = mean(lambda g: mpmath.log(g / own), own) - mean(lambda g: mpmath.log(g / other), other)
    return float((inverse * (1 + mpmath.mpf(1) / n + mpmath.mpf(1) / m) - 1 - logs) / 2)


@pytest.mark.parametrize(("n", "m"), [(5, 9), (11, 37), (8, 8), (200, 6)])
def test_the_floor_is_the_mean_over_the_samples_laws(n, m):
    found = served("width.kl_floor", n=n, m=m)["floor"]
    assert math.isclose(found["value"], by_integration(n, m), rel_tol=1e-8)


def test_the_floor_of_equal_numbers_is_rational():
    for n in (7, 10, 20, 50):
        assert served("width.kl_floor", n=n, m=n)["floor"]["exact"] == str(Rational(2 * n - 1, n * (n - 3)))
    with pytest.raises(OutsideDomain, match="whole numbers"):
        served("width.kl_floor", n=10, m=3)


def test_the_mean_field_start():
    assert math.isclose(served("width.kl_mean_field_initial", rho=512)["kl"]["value"], 2.6201, abs_tol=5e-5)
    assert served("width.kl_mean_field_initial", rho=1)["kl"]["exact"] == "0"
    rho = Rational(5, 3)
    spread = mpmath.sqrt(0.6)

    def log_ratio(x):
        own = mpmath.npdf(x, 0, spread)
        return own * mpmath.log(own / mpmath.npdf(x))

    truth = float(mpmath.quad(log_ratio, [-12, -3, 0, 3, 12]))
    assert math.isclose(served("width.kl_mean_field_initial", rho=rho)["kl"]["value"], truth, rel_tol=1e-9)
    with pytest.raises(OutsideDomain, match="positive"):
        served("width.kl_mean_field_initial", rho=0)


def test_the_corrected_model():
    found = served("width.icmf", rho=Integer(9))
    assert (found["coefficient"]["exact"], found["initial_logits"]["exact"]) == ("2/9", "1/3")
    assert [one["exact"] for one in found["holds"]] == ["1", "2", "3", "4"]
    assert served("width.icmf", rho=1)["coefficient"]["exact"] == "0"
