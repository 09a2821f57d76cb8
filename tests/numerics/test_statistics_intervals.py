"""Intervals hold what they promise: exact values, and coverage of planted truth at the seed counts in use."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from numerics.statistics import interval, percentile_bootstrap, ratio_of_means, studentised_bootstrap

SEEDS = (10, 24, 64)
DATA_SETS = 2000


def coverage(low, high, truth):
    """Return the share of data sets whose interval holds the truth."""
    return float(np.mean((low <= truth) & (truth <= high)))


def honest(share):
    """Design rule: a 95 % interval covers 93.5 to 96.5 % of 2000 data sets."""
    return 0.935 <= share <= 0.965


@pytest.mark.parametrize("n", SEEDS)
def test_interval_covers_at_its_level(n):
    """Student's t covers; the same width with the normal quantile must not at 10 seeds."""
    samples = np.random.default_rng(1).normal(3.0, 2.0, size=(n, DATA_SETS))
    result = interval(samples, level=0.95)
    assert honest(coverage(result.low, result.high, 3.0))
    naive = 1.0 * result.standard_error
    assert not honest(coverage(result.estimate - naive, result.estimate + naive, 3.0))
    if n == 10:
        normal = stats.norm.ppf(0.975) * result.standard_error
        assert not honest(coverage(result.estimate - normal, result.estimate + normal, 3.0))


@given(
    n=st.sampled_from([2, 5, 10]),
    seed=st.integers(0, 2**32 - 1),
    level=st.floats(0.5, 0.999),
    shift=st.floats(-100, 100),
)
@example(n=2, seed=0, level=0.99, shift=0.0)
def test_interval_agrees_with_scipy_on_any_axis(n, seed, level, shift):
    """Another route to the same t interval, on both axes; shifting the data shifts the interval."""
    samples = np.random.default_rng(seed).normal(size=(n, 3))
    result = interval(samples + shift, level)
    for column in range(3):
        low, high = stats.ttest_1samp(samples[:, column] + shift, 0.0).confidence_interval(level)
        np.testing.assert_allclose(
            [result.low[column], result.high[column]], [low, high], rtol=1e-9, atol=1e-9
        )
    other = interval(samples.T + shift, level, axis=1)
    np.testing.assert_allclose(other.low, result.low, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(result.low - shift, interval(samples, level).low, atol=1e-10)


@pytest.mark.parametrize("n", SEEDS)
def test_ratio_of_means_covers_where_the_average_of_ratios_does_not(n):
    """Fieller's interval covers E[a]/E[b]; averaging per-seed ratios is biased when b scatters."""
    rng = np.random.default_rng(2)
    b = rng.normal(1.0, 0.3, size=(n, DATA_SETS))
    a = 2.0 * b + rng.normal(0.0, 0.5, size=b.shape)
    result = ratio_of_means(a, b, level=0.95)
    assert honest(coverage(result.low, result.high, 2.0))
    half = (np.abs(result.high - result.low) / 4)[np.isfinite(result.high)]
    assert not honest(
        coverage(result.estimate[: half.size] - half, result.estimate[: half.size] + half, 2.0)
    ), "half the width would also cover: the test cannot fail"


def test_ratio_of_means_is_unbounded_where_the_denominator_may_vanish():
    """No finite claim is made when E[b] cannot be told from zero; one is made when it can."""
    a, b = np.array([1.0, 2.0, 3.0]), np.array([1.0, -1.0, 0.5])
    assert np.isinf(ratio_of_means(a, b).high) and np.isinf(ratio_of_means(a, b).low)
    assert np.isfinite(ratio_of_means(a, 100 + b).high)


def test_ratio_of_means_solves_the_t_test():
    """At both ends the t statistic of a - rho b has exactly the quantile's size."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(3, 1, 12), rng.normal(2, 0.3, 12)
    result = ratio_of_means(a, b, 0.99)
    for end in (float(result.low), float(result.high)):
        difference = a - end * b
        t = difference.mean() / (difference.std(ddof=1) / np.sqrt(12))
        assert abs(t) == pytest.approx(stats.t.ppf(0.995, 11), rel=1e-9)


def mean(x):
    """Return the mean over the last axis."""
    return x.mean(axis=-1)


@pytest.mark.parametrize("n", [10, 24, pytest.param(64, marks=pytest.mark.slow)])
def test_studentised_bootstrap_covers(n):
    """The bootstrap-t covers the mean of a skewed law; the percentile interval of 10 seeds must not."""
    rng = np.random.default_rng(4)
    sets = DATA_SETS
    hits = percentile_hits = 0
    for row in rng.gamma(4.0, size=(sets, n)):
        result = studentised_bootstrap(row, mean, rng, level=0.95, resamples=1000)
        hits += bool(result.low <= 4.0 <= result.high)
        if n == 10:
            low, high = np.quantile(row[rng.integers(n, size=(1000, n))].mean(axis=1), [0.025, 0.975])
            percentile_hits += bool(low <= 4.0 <= high)
    assert honest(hits / sets)
    if n == 10:
        assert percentile_hits / sets < 0.93


def test_percentile_bootstrap_needs_a_hundred_seeds_and_covers_with_them():
    """At 100 seeds it covers the mean; at 99 it refuses in one sentence."""
    rng = np.random.default_rng(5)
    hits = 0
    for row in rng.normal(size=(400, 100)):
        result = percentile_bootstrap(row, mean, rng, level=0.95, resamples=1000)
        hits += bool(result.low <= 0.0 <= result.high)
    assert 0.91 <= hits / 400 <= 0.98
    with pytest.raises(ValueError, match=r"^percentile_bootstrap: 99 seeds; needs at least 100; use [^\n]*$"):
        percentile_bootstrap(np.zeros(99), mean, rng)


def test_studentised_bootstrap_of_a_ratio_agrees_with_fieller():
    """Two independent routes to an interval for a ratio of means."""
    rng = np.random.default_rng(6)
    b = rng.normal(2.0, 0.2, size=40)
    pairs = np.stack([3 * b + rng.normal(0, 0.3, 40), b], axis=1)

    def ratio(x):
        return x[..., 0].mean(axis=-1) / x[..., 1].mean(axis=-1)

    ours = studentised_bootstrap(pairs, ratio, rng, level=0.95, resamples=4000)
    fieller = ratio_of_means(pairs[:, 0], pairs[:, 1], level=0.95)
    assert float(ours.estimate) == pytest.approx(float(fieller.estimate))
    width = float(fieller.high - fieller.low)
    assert abs(float(ours.low - fieller.low)) < 0.25 * width
    assert abs(float(ours.high - fieller.high)) < 0.25 * width


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: interval([1.0]), "1 seeds along axis 0; needs at least 2"),
        (lambda: interval([1.0, np.nan, np.inf]), "2 of 3 entries of samples are not finite"),
        (lambda: interval([1.0, 2.0], level=99), "level=99 is outside"),
        (lambda: interval([1.0, 2.0], axis=3), "axis=3 does not exist"),
        (lambda: interval(["a", "b"]), "dtype"),
        (lambda: interval([1j, 2j]), "complex128"),
        (lambda: ratio_of_means([1.0, 2.0], [1.0, 2.0, 3.0]), "differ"),
        (
            lambda: studentised_bootstrap(np.ones(3), mean, np.random.default_rng(0)),
            "3 seeds along axis 0; needs at least 4",
        ),
        (
            lambda: studentised_bootstrap(np.ones(9), mean, np.random.default_rng(0), resamples=100),
            "pass at least 5000",
        ),
    ],
)
def test_bad_samples_are_refused_in_one_sentence(call, words):
    """One line, who and what, and the number that was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value) and str(caught.value).split(":")[0] in {
        "interval",
        "ratio_of_means",
        "studentised_bootstrap",
    }


def test_a_bootstrap_leaves_the_global_generator_alone():
    """Draws come from the generator that was passed, and from nowhere else."""
    before = np.random.get_state()[1].copy()
    first = studentised_bootstrap(np.arange(8.0), mean, np.random.default_rng(1), level=0.9, resamples=500)
    second = studentised_bootstrap(np.arange(8.0), mean, np.random.default_rng(1), level=0.9, resamples=500)
    assert np.array_equal(before, np.random.get_state()[1])
    assert float(first.low) == float(second.low)
