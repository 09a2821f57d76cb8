"""Trend tests: exact null laws against enumeration, honest p values, honest effects."""

import itertools

import numpy as np
import pytest
from scipy import stats

from numerics import trends
from numerics.statistics import jonckheere, page

SEEDS = (10, 24, 64)


def brute_page(samples):
    """P(L >= observed) by enumerating every arrangement of every seed."""
    n, k = samples.shape
    ranks = stats.rankdata(samples, axis=1)
    observed = (ranks * np.arange(1, k + 1)).sum()
    orders = list(itertools.permutations(range(k)))
    rows = [[float((ranks[s][list(o)] * np.arange(1, k + 1)).sum()) for o in orders] for s in range(n)]
    sums = np.zeros(1)
    for row in rows:
        sums = (sums[:, None] + np.array(row)[None, :]).ravel()
    return float(np.mean(sums >= observed - 1e-9))


@pytest.mark.parametrize("ties", [False, True])
def test_page_is_exact(ties):
    """The null law is the enumeration's, also with ties inside seeds."""
    rng = np.random.default_rng(1)
    for _ in range(8):
        samples = rng.integers(0, 4, size=(3, 4)) if ties else rng.normal(size=(3, 4)) + np.arange(4) * 0.3
        result = page(samples)
        assert result.exact and result.p_value == pytest.approx(
            brute_page(np.asarray(samples, float)), rel=1e-10
        )


def test_page_agrees_with_scipy():
    """Another route, without ties: scipy's exact Page test."""
    rng = np.random.default_rng(2)
    for n, k in ((2, 4), (4, 5), (6, 4)):
        samples = rng.normal(size=(n, k)) + 0.3 * np.arange(k)
        theirs = stats.page_trend_test(samples, method="exact")
        ours = page(samples)
        assert ours.statistic == pytest.approx(theirs.statistic) and ours.p_value == pytest.approx(
            theirs.pvalue
        )


@pytest.mark.parametrize(("n", "k"), [(24, 6), (64, 8)])
def test_page_normal_approximation(n, k, monkeypatch):
    """Near the end of the exact range the normal law has the same p values, down to 1e-4."""
    rng = np.random.default_rng(3)
    samples = [rng.normal(size=(n, k)) + np.arange(k) * i / (k * np.sqrt(n)) for i in range(6)]
    exact = [page(rows) for rows in samples]
    monkeypatch.setattr(trends, "EXACT_LEVELS", 0)
    normal = [page(rows) for rows in samples]
    assert all(one.exact for one in exact) and not any(one.exact for one in normal)
    np.testing.assert_allclose(
        [one.p_value for one in normal], [one.p_value for one in exact], atol=0.01, rtol=0.3
    )
    assert min(one.p_value for one in exact) < 0.01, "the examples say nothing about the tail"


def brute_jonckheere(groups):
    """P(J >= observed) over all assignments of the samples to the groups."""
    sizes = [len(g) for g in groups]
    values = np.concatenate(groups)

    def statistic(parts):
        return sum(
            float((u[:, None] > v[None]).sum() + 0.5 * (u[:, None] == v[None]).sum())
            for i, v in enumerate(parts)
            for u in parts[i + 1 :]
        )

    observed, hits, total = statistic([np.asarray(g, float) for g in groups]), 0, 0

    def split(left, sizes_left, parts):
        nonlocal hits, total
        if len(sizes_left) == 1:
            total += 1
            hits += statistic([*parts, values[list(left)]]) >= observed - 1e-9
            return
        for chosen in itertools.combinations(left, sizes_left[0]):
            rest = [i for i in left if i not in chosen]
            split(rest, sizes_left[1:], [*parts, values[list(chosen)]])

    split(list(range(values.size)), sizes, [])
    return hits / total


def test_jonckheere_is_exact():
    """The null law is the enumeration's, for equal and unequal groups."""
    rng = np.random.default_rng(4)
    for sizes in ((2, 2, 2, 2), (2, 3, 2, 2)):
        groups = [rng.normal(0.4 * i, 1, size) for i, size in enumerate(sizes)]
        result = jonckheere(groups)
        assert result.exact and result.p_value == pytest.approx(brute_jonckheere(groups), rel=1e-10)


def test_jonckheere_with_ties_has_the_permutation_variance():
    """The tie-corrected variance is the one over random permutations, and the untied one is not."""
    rng = np.random.default_rng(5)
    groups = [rng.integers(0, 3, 6).astype(float) for _ in range(4)]
    values = np.concatenate(groups)
    draws = []
    for _ in range(4000):
        parts = np.split(rng.permutation(values), 4)
        draws.append(jonckheere_statistic(parts))
    ties = np.unique(values, return_counts=True)[1].astype(float)
    sizes = np.full(4, 6.0)
    corrected = trends._tied_variance(sizes, ties)
    untied = trends._tied_variance(sizes, np.ones(24))
    assert np.var(draws) == pytest.approx(corrected, rel=4 * np.sqrt(2 / 4000))
    assert abs(np.var(draws) / untied - 1) > 4 * np.sqrt(2 / 4000)
    assert not jonckheere(groups).exact


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 2, 2, 1)])
@pytest.mark.parametrize("values", [[0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 0, 0, 0, 0, 1], [0, 1, 2, 3, 4, 5, 6, 7]])
def test_the_tied_variance_is_that_of_the_enumeration(sizes, values):
    """Every arrangement of eight samples, so that each of its three terms counts."""
    ends = np.cumsum(sizes)[:-1]
    found = {}
    for order in itertools.permutations(range(8)):
        groups = tuple(tuple(sorted(part.tolist())) for part in np.split(np.array(values)[list(order)], ends))
        found[groups] = found.get(groups, 0) + 1
    draws = np.array([jonckheere_statistic([np.array(part) for part in groups]) for groups in found])
    weights = np.array(list(found.values())) / 40320
    variance = weights @ draws**2 - (weights @ draws) ** 2
    ties = np.unique(values, return_counts=True)[1].astype(float)
    assert trends._tied_variance(np.array(sizes, dtype=float), ties) == pytest.approx(variance, rel=1e-10)


def jonckheere_statistic(parts):
    """J by its definition."""
    return sum(
        float((u[:, None] > v[None]).sum() + 0.5 * (u[:, None] == v[None]).sum())
        for i, v in enumerate(parts)
        for u in parts[i + 1 :]
    )


def test_jonckheere_normal_approximation(monkeypatch):
    """At 60 samples the normal law has the same p values."""
    rng = np.random.default_rng(6)
    groups = [[rng.normal(shift * i, 1, 12) for i in range(5)] for shift in (0.0, 0.15, 0.3, 0.4)]
    exact = [jonckheere(one).p_value for one in groups]
    monkeypatch.setattr(trends, "EXACT_SAMPLES", 0)
    normal = [jonckheere(one).p_value for one in groups]
    np.testing.assert_allclose(normal, exact, atol=0.01, rtol=0.3)
    assert min(exact) < 0.01, "the examples say nothing about the tail"


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n", SEEDS)
def test_p_values_are_honest_and_have_power(paired, n):
    """Under no trend at most 5 % of p values are below 0.05, within 4 s.e.; under one, nearly all are."""
    rng = np.random.default_rng(7)
    sets, k = 600, 5

    def p_value(samples):
        return page(samples).p_value if paired else jonckheere(list(samples.T)).p_value

    null = np.array([p_value(rng.normal(size=(n, k))) for _ in range(sets)])
    assert null.mean() == pytest.approx(0.5, abs=0.06)
    assert np.mean(null <= 0.05) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / sets)
    rising = [p_value(rng.normal(size=(n, k)) + np.arange(k) * 5 / np.sqrt(n)) for _ in range(50)]
    assert np.mean(np.array(rising) < 0.01) > 0.95


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n", SEEDS)
def test_effects_cover(paired, n):
    """The fitted rise covers the planted one at 95 %; with levels of unequal scatter too."""
    rng = np.random.default_rng(8)
    k, sets = 4, 2000
    truth, scatter = 1.5, np.array([0.5, 1.0, 1.0, 2.0])
    hits = wrong = 0
    for _ in range(sets):
        samples = np.arange(k) * truth / (k - 1) + rng.normal(size=(n, k)) * scatter
        effect = (page(samples, 0.95) if paired else jonckheere(list(samples.T), 0.95)).effect
        hits += bool(effect.low <= truth <= effect.high)
        shifted = truth + 2 * float(effect.standard_error)
        wrong += bool(effect.low <= shifted <= effect.high)
    assert 0.935 <= hits / sets <= 0.965
    assert not 0.935 <= wrong / sets <= 0.965


def test_direction_and_correlation():
    """A rise has correlation 1 and a tiny p; its reverse -1 and a p near 1; constants neither."""
    rise = np.arange(5.0) + np.arange(10)[:, None]
    assert page(rise).correlation == pytest.approx(1.0) and page(rise).p_value < 1e-15
    assert page(-rise).correlation == pytest.approx(-1.0) and page(-rise).p_value == pytest.approx(1.0)
    assert float(page(rise).effect.low) == pytest.approx(4.0) == float(page(rise).effect.high)
    assert page(np.ones((5, 4))).p_value == 1.0 and page(np.ones((5, 4))).correlation == 0.0
    assert jonckheere([np.ones(3)] * 4).p_value == 1.0
    assert jonckheere([[4.0, 5], [3.0, 2.5], [2.0, 1.5], [1.0, 0.5]]).correlation == -1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: page(np.ones((5, 3))), r"shape \(5, 3\); needs \(seeds >= 2, levels >= 4\)"),
        (lambda: page(np.ones((1, 4))), "seeds >= 2"),
        (lambda: page([[1.0, 2, 3, np.nan]] * 3), "3 of 12 entries of samples are not finite"),
        (lambda: jonckheere([[1.0, 2]] * 3), "needs at least 4"),
        (lambda: jonckheere([[1.0, 2]] * 3 + [[1.0]]), "seeds >= 2"),
        (lambda: page(np.ones((5, 4)), level=1.0), "level=1.0 is outside"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, words):
    """One line that names what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
