"""Slopes: exact on power laws, honest intervals on planted ones, and refusals."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.statistics import interval, mean_slope, ratios, rms_slope, rms_slope_error, slopes

SEEDS = (10, 24, 64)
DATA_SETS = 2000
WIDTHS = 2.0 ** np.arange(8, 14)


def honest(result, truth):
    """Design rule: a 95 % interval covers 93.5 to 96.5 % of 2000 data sets."""
    return 0.935 <= float(np.mean((result.low <= truth) & (truth <= result.high))) <= 0.965


@given(
    exponent=st.floats(-3, 3),
    log_prefactor=st.floats(-5, 5),
    size=st.sampled_from([0.0, 0.5, -0.3]),
    power=st.sampled_from([0.5, 1.0, 2.0]),
)
@example(exponent=-0.5, log_prefactor=0.0, size=0.5, power=0.5)
def test_slopes_are_exact_on_power_laws(exponent, log_prefactor, size, power):
    """A pure power law gives its exponent; a corrected one only with the correction named."""
    x = np.array([1.0, 2.0, 5.0, 11.0, 30.0])
    pure = np.exp(log_prefactor) * x**exponent
    corrected = pure * np.exp(size * x**-power)
    assert float(slopes(x, pure)) == pytest.approx(exponent, abs=1e-10)
    assert float(slopes(x, pure, weights=x)) == pytest.approx(exponent, abs=1e-10)
    assert float(slopes(x, corrected, correction=power)) == pytest.approx(exponent, abs=1e-9)
    if size:
        assert abs(float(slopes(x, corrected)) - exponent) > 1e-3


@given(seed=st.integers(0, 2**32 - 1))
def test_slopes_agree_with_polyfit(seed):
    """Another route: NumPy's weighted polynomial fit of log y on log x."""
    rng = np.random.default_rng(seed)
    x, weights = np.sort(rng.uniform(1, 100, 6)), rng.uniform(0.1, 10, 6)
    y = rng.uniform(0.1, 10, size=(4, 6))
    expected = [np.polyfit(np.log(x), np.log(row), 1, w=np.sqrt(weights))[0] for row in y]
    np.testing.assert_allclose(slopes(x, y, weights), expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("n", SEEDS)
def test_intervals_of_per_seed_slopes_cover(n):
    """Per-seed slopes with a t interval cover a planted exponent, and not one off by 3 s.e."""
    noise = np.random.default_rng(1).normal(0, 0.2, size=(n, DATA_SETS, WIDTHS.size))
    result = interval(slopes(WIDTHS, 7 * WIDTHS**-0.5 * np.exp(noise)), level=0.95)
    assert honest(result, -0.5)
    assert not honest(result, -0.5 + 3 * float(result.standard_error.mean()))


@pytest.mark.parametrize("n", SEEDS)
def test_intervals_of_ratios_cover(n):
    """Ratios to a prediction, with a t interval."""
    predicted = np.array([0.5, 3.0])[:, None]
    measured = predicted * np.random.default_rng(2).normal(1.0, 0.1, size=(n, 2, DATA_SETS // 2))
    result = interval(ratios(measured, predicted), level=0.95)
    assert honest(result, 1.0)
    assert not honest(result, 1.1)


DRAWS = {
    "gaussian": lambda rng, shape: rng.standard_normal(shape),
    "student": lambda rng, shape: rng.standard_t(6, shape),
    "laplace": lambda rng, shape: rng.laplace(size=shape),
}


@pytest.mark.parametrize("n", SEEDS)
@pytest.mark.parametrize("law", list(DRAWS))
@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_rms_slope_covers(n, law, shared):
    """The slope of the RMS covers, for light and heavy tails, with and without seeds shared by levels."""
    rng = np.random.default_rng(3)
    common = DRAWS[law](rng, (n, DATA_SETS, 1))
    own = DRAWS[law](rng, (n, DATA_SETS, WIDTHS.size))
    samples = (shared * common + np.sqrt(1 - shared**2) * own) * WIDTHS**0.5
    result = rms_slope(WIDTHS, samples, level=0.95)
    assert honest(result, 0.5)
    assert not honest(result, 0.5 + 2.5 * float(result.standard_error.mean()))


def test_rms_slope_error_is_the_catalogue_number_and_what_is_achieved():
    """The formula of width catalogue, section 1, for n=64, m=6; the spread over data sets is the same."""
    planned = rms_slope_error(WIDTHS, seeds=64)
    assert planned == pytest.approx(np.sqrt(2 / 256) / np.log(2) / np.sqrt(6 * 35 / 12), rel=1e-12)
    assert planned == pytest.approx(0.0305, abs=5e-5)
    result = rms_slope(WIDTHS, np.random.default_rng(4).standard_normal((64, DATA_SETS, 6)))
    achieved = float(result.estimate.std())
    assert achieved == pytest.approx(planned, rel=4 / np.sqrt(2 * DATA_SETS) + 0.02)
    assert float(result.standard_error.mean()) == pytest.approx(planned, rel=0.05)
    assert rms_slope_error(WIDTHS, 64, kurtosis=6.0) > 1.5 * planned


@pytest.mark.parametrize("n", SEEDS)
def test_mean_slope_covers_where_slopes_of_logs_are_biased(n):
    """With a spread that changes with the level, E[y] has the planted slope and E[log y] has another."""
    rng = np.random.default_rng(5)
    shape = WIDTHS / 64  # gamma(k)/k: mean 1, spread 1/sqrt(k)
    samples = WIDTHS * rng.gamma(shape, size=(n, DATA_SETS, WIDTHS.size)) / shape
    assert honest(mean_slope(WIDTHS, samples, level=0.95), 1.0)
    assert not honest(interval(slopes(WIDTHS, samples), level=0.95), 1.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: slopes([1.0, 2.0], [1.0, -1.0]), "1 of 2 entries of y are not positive"),
        (lambda: slopes([1.0, 2.0], [1.0, np.nan]), "not finite"),
        (lambda: slopes([1.0, 2.0], [1.0, 2.0, 3.0]), "as long as their last axis"),
        (lambda: slopes([2.0, 2.0], [1.0, 2.0]), "1 different levels; needs at least 2"),
        (lambda: slopes([1.0, 2.0], [1.0, 2.0], correction=1.0), "2 different levels; needs at least 3"),
        (lambda: slopes([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], correction=-1.0), "not a positive power"),
        (lambda: slopes([1.0, 2.0], [1.0, 2.0], weights=[1.0]), "one weight for each level"),
        (lambda: rms_slope([1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]]), "2 seeds along axis 0"),
        (lambda: rms_slope([1.0, 2.0], np.eye(4)[:, :2]), "all samples but at most one are zero"),
        (lambda: mean_slope([1.0, 2.0], [[1.0, -2.0]] * 4), "4 samples are negative"),
        (lambda: ratios([1.0], [0.0]), "1 of 1 predictions are zero"),
        (lambda: ratios(np.ones(2), np.ones(3)), "do not broadcast"),
        (lambda: rms_slope_error([1.0, 2.0], seeds=1), "needs seeds >= 2"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, words):
    """One line that names what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
