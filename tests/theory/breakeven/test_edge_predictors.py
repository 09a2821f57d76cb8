"""The served closed forms against routes of their own: listing, iteration, roots and eigenvalues of other code."""

from fractions import Fraction
from itertools import combinations, product
from math import exp, log

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from theory.parsing import parse_assignments
from theory.registry import predictors
from theory.serving import serve

PSD = "H=[[[1,0],[0,2]],[[3,1],[1,1]],[[2,-1],[-1,1]]]"


def ask(name, words):
    return serve(predictors()[f"breakeven.{name}"], parse_assignments(words.split()))


def number(name, words, output):
    return ask(name, words)[output]["value"]


def exact(name, words, output):
    return ask(name, words)[output]["exact"]


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(1, 40), st.integers(1, 9), st.integers(1, 9), st.integers(1, 60))
@example(64, 4, 3, 2, 20)
def test_the_coupled_root_solves_the_break_even_equation(examples, size, alpha, distance, rise):
    size = min(size, examples)
    found = ask("coupled_root", f"eta=3/10 S={size} N={examples} alpha={alpha} psi0={distance} lam0=1/2 r={rise}")
    noise = (examples - size) / (size * (examples - 1)) * alpha / distance**2
    if found["lam"]["value"] is None:
        assert 0.5 - 2 / 0.3 + noise > 0
        assert found["lam"]["reason"] == "unstable at lam0 already"
        return
    lam = found["lam"]["value"]
    assert lam - 2 / 0.3 + noise * exp((lam**2 - 0.25) / rise) == pytest.approx(0.0, abs=1e-9)
    assert 0.5 <= lam <= 2 / 0.3


def test_the_coupled_root_has_the_digits_that_are_promised():
    with mpmath.workdps(40):
        c = mpmath.mpf(60) / (4 * 63)
        equation = lambda x: x - 10 + c * 3 / 4 * mpmath.exp((x**2 - 1) / 20)  # noqa: E731
        root = mpmath.findroot(equation, 7.4)
    found = number("coupled_root", "eta=1/5 S=4 N=64 alpha=3 psi0=2 lam0=1 r=20", "lam")
    assert found == pytest.approx(float(root), rel=1e-15)
    assert exact("coupled_root", "eta=1/5 S=64 N=64 alpha=3 psi0=2 lam0=1 r=20", "lam") == "10"


@settings(max_examples=20)
@given(st.lists(st.integers(-5, 5), min_size=3, max_size=5), st.integers(1, 3))
def test_traces_are_those_of_listed_batches(values, size):
    examples, centre = len(values), Fraction(sum(values), len(values))
    total = sum((Fraction(value) - centre) ** 2 for value in values) / examples
    listed = [Fraction(sum(one), size) for one in combinations(values, size)]
    distance = sum((one - centre) ** 2 for one in listed) / len(listed)
    assert Fraction(exact("trace", f"trace_K={total} N={examples} S={size}", "expected_distance")) == distance


SCHEMES = {
    "independent": lambda n, size: list(product(combinations(range(n), size), repeat=2)),
    "replacement": lambda n, size: list(product(product(range(n), repeat=size), repeat=2)),
    "disjoint": lambda n, size: [
        (a, b) for a, b in product(combinations(range(n), size), repeat=2) if not set(a) & set(b)
    ],
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_gram_traces_are_those_of_all_pairs_of_batches(scheme):
    values, size = [Fraction(one) for one in (3, -1, 4, 0)], 2
    centre = sum(values) / 4
    total = sum((value - centre) ** 2 for value in values) / 4
    pairs = SCHEMES[scheme](4, size)
    traces = [((sum(values[k] for k in a) - sum(values[k] for k in b)) / size / 2) ** 2 for a, b in pairs]
    found = exact("trace", f"trace_K={total} N=4 M={size} L=2 scheme={scheme}", "expected_trace_gram")
    assert Fraction(found) == sum(traces) / len(traces)


def operator_on_second_moments(rate, momentum, curvature, noise):
    """(E x_t^2, E x_t x_(t-1), E x_(t-1)^2) after a step of heavy ball; noise is c s^2."""
    a = 1 + momentum - rate * curvature
    return np.array(
        [[a**2 + rate**2 * noise, -2 * a * momentum, momentum**2], [a, -momentum, 0.0], [1.0, 0.0, 0.0]]
    )


@settings(max_examples=40)
@given(st.integers(0, 9), st.integers(0, 30), st.integers(1, 8), st.integers(1, 8))
@example(0, 0, 1, 1)
def test_heavy_ball_turns_unstable_at_the_served_curvature(momentum, ratio, size, population):
    population, size = population + 1, min(size, population + 1)
    kappa = ratio / 10
    words = f"eta=1/7 beta={momentum}/10 kappa={ratio}/10 N={population} S={size}"
    edge = number("momentum_edge", words, "lam")
    share = (population - size) / (size * (population - 1))
    radius = lambda x: max(  # noqa: E731
        abs(np.linalg.eigvals(operator_on_second_moments(1 / 7, momentum / 10, x, share * kappa * x**2)))
    )
    assert radius(edge * 0.999) < 1 < radius(edge * 1.001)


def test_the_best_momentum_is_a_maximum():
    best = number("momentum_edge", "eta=1 beta=0 kappa=1/2 c=1/3", "best_beta")
    at = lambda beta: number("momentum_edge", f"eta=1 beta={beta!r} kappa=1/2 c=1/3", "lam")  # noqa: E731
    assert at(best) > at(best + 1e-3)
    assert at(best) > at(best - 1e-3)
    assert exact("momentum_edge", "eta=1 beta=0 kappa=9/4 c=1/4", "best_beta") == "1/7"
    assert exact("momentum_edge", "eta=1 beta=0 kappa=3 c=1", "best_beta") == "0"


def test_averaged_gradients_turn_unstable_at_the_served_sharpness():
    edge = number("adam_edge", "eta=1/50 beta1=7/10", "preconditioned_sharpness")
    step = lambda x: np.array([[1 - 0.3 * x / 50, -0.7 / 50], [0.3 * x, 0.7]])  # noqa: E731
    assert max(abs(np.linalg.eigvals(step(edge * 0.999)))) < 1 < max(abs(np.linalg.eigvals(step(edge * 1.001))))
    assert exact("adam_edge", "eta=1 beta1=9/10", "preconditioned_sharpness") == "38"


def test_the_scaling_ratio_is_that_of_two_edges():
    edge = lambda words: Fraction(exact("curvature_edge", words, "upper"))  # noqa: E731
    one = edge("closure=fixed_ratio eta=1/10 N=inf S=3 kappa=7/2")
    four = edge("closure=fixed_ratio eta=4/10 N=inf S=12 kappa=7/2")
    assert Fraction(exact("scaling_rule", "kappa=7/2 S=3 factor=4", "ratio")) == four / one


def second_moment_radius(hessians, size, rate):
    """Spectral radius of the step of the second moments over all batches."""
    count = len(hessians)
    batches = [sum(hessians[k] for k in one) / size for one in combinations(range(count), size)]
    steps = [np.eye(len(hessians[0])) - rate * one for one in batches]
    return max(abs(np.linalg.eigvals(sum(np.kron(one, one) for one in steps) / len(steps))))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_exact_edge_has_a_spectral_radius_of_one(size):
    hessians = [np.array(one, float) for one in ([[1, 0], [0, 2]], [[3, 1], [1, 1]], [[2, -1], [-1, 1]])]
    found = ask("multidimensional_edge", f"{PSD} S={size}")
    edge, along = found["eta_max"]["value"], found["eta_max_one_direction"]["value"]
    assert second_moment_radius(hessians, size, edge) == pytest.approx(1.0, abs=1e-12)
    assert edge <= along * (1 + 1e-12)
    mean = sum(hessians) / 3
    top = np.linalg.eigh(mean)[1][:, -1]
    slopes = [top @ (sum(hessians[k] for k in one) / size) @ top for one in combinations(range(3), size)]
    assert along == pytest.approx(2 * np.mean(slopes) / np.mean(np.square(slopes)), rel=1e-12)


def test_in_one_dimension_the_exact_edge_is_the_step_size_edge():
    one = exact("step_size_edge", "H=[1,3,7] S=2", "eta_max")
    found = ask("multidimensional_edge", "H=[[[1]],[[3]],[[7]]] S=2")
    assert found["eta_max"]["exact"] == found["eta_max_one_direction"]["exact"] == one


def test_rational_edges_in_more_dimensions_are_exact():
    found = ask("multidimensional_edge", "H=[[[2,0],[0,1]],[[4,0],[0,1]]] S=1")
    assert found["eta_max"]["exact"] == "3/5"
    assert ask("multidimensional_edge", "H=[[[1,0],[0,0]],[[3,0],[0,0]]] S=1")["eta_max"]["exact"] == "4/5"


def test_flat_and_tied_hessians():
    assert ask("multidimensional_edge", "H=[[[0]],[[0]]] S=1")["eta_max"]["exact"] == "inf"
    tied = ask("multidimensional_edge", "H=[[[1,0],[0,3]],[[3,0],[0,1]]] S=1")
    assert tied["eta_max_one_direction"]["value"] is None
    assert "more than one direction" in tied["eta_max_one_direction"]["reason"]
    assert tied["eta_max"]["exact"] == "4/5"


@settings(max_examples=25)
@given(st.lists(st.integers(-3, 9), min_size=2, max_size=5), st.integers(1, 2), st.integers(1, 8))
def test_single_runs_and_mean_squares_are_those_of_listed_batches(values, size, rate):
    found = ask("almost_sure", f"h={values} S={size} eta={rate}/4".replace(", ", ","))
    factors = [abs(1 - Fraction(rate, 4) * sum(one) / size) for one in combinations(values, size)]
    assert Fraction(found["Q"]["exact"]) == sum(one**2 for one in factors) / len(factors)
    if all(factors):
        growth = sum(log(one) for one in factors) / len(factors)
        assert (found["log_growth"]["value"] or 0.0) == pytest.approx(growth, abs=1e-12)
    else:
        assert found["log_growth"]["exact"] == "-inf"
    assert not found["mean_square_stable"] or found["almost_surely_stable"]


def test_a_run_may_shrink_while_its_mean_square_grows():
    found = ask("almost_sure", "h=[9/10,4] S=1 eta=1")
    assert (found["mean_square_stable"], found["almost_surely_stable"]) == (False, True)
    assert ask("almost_sure", "h=[2,2] eta=1")["almost_surely_stable"] is True
    assert ask("almost_sure", "h=[1/2,3] eta=1")["almost_surely_stable"] is False


def test_the_place_of_rest_is_where_the_second_moment_stops():
    rate, lam, kappa, level, c = 0.25, 2.0, 0.5, 3.0, 0.2
    square = 0.0
    for _ in range(2000):
        square = ((1 - rate * lam) ** 2 + c * rate**2 * kappa * lam**2) * square + c * rate**2 * level
    found = number("stationary_distance", "eta=1/4 lam=2 kappa=1/2 sigma2=3 c=1/5", "psi2")
    assert found == pytest.approx(square, rel=1e-13)


def test_self_stabilisation():
    found = ask("self_stabilisation", "alpha=3 beta=2 eta=1/100")
    assert found["x2"]["exact"] == "3"
    assert found["period"]["value"] == pytest.approx(200 * np.pi / 6**0.5, rel=1e-15)


REFUSED = [
    ("coupled_root", "eta=1 S=1 N=4 alpha=1 psi0=0 lam0=1 r=1", "psi0=0 is outside the domain; give a positive"),
    ("trace", "trace_K=1 N=4 S=1 M=2", "S was given with M; give S, or M, L and scheme"),
    ("trace", "trace_K=1 N=4 M=2 L=3 scheme=disjoint", "L M = 6 exceeds N=4"),
    ("trace", "trace_K=1 N=4 M=2 L=3 scheme=any", "scheme=any is not known; give one of disjoint, independent"),
    ("momentum_edge", "eta=1 beta=1 kappa=1 c=1", "beta=1 is outside the domain; give a momentum from 0 to below 1"),
    ("momentum_edge", "eta=1 beta=0 kappa=1", "N is missing"),
    ("adam_edge", "eta=1 beta1=1", "beta1=1 is outside the domain"),
    ("scaling_rule", "kappa=1 S=0 factor=2", "S=0 is outside the domain"),
    ("multidimensional_edge", "H=[[[1,2],[2,1]],[[1,0],[0,1]]] S=1", "negative eigenvalue"),
    ("multidimensional_edge", "H=[[[1,2],[0,1]],[[1,0],[0,1]]] S=1", "H[0] is not symmetric"),
    ("multidimensional_edge", "H=[[[1]],[[1,0],[0,1]]] S=1", "give matrices of one size"),
    ("multidimensional_edge", "H=[[[1]]] S=1", "H is not a list of 2 to"),
    ("almost_sure", "h=[1,2] S=3 eta=1", "S=3 is outside the domain"),
    ("stationary_distance", "eta=2 lam=1 kappa=1 sigma2=1 c=1", "SGD does not come to rest"),
    ("self_stabilisation", "alpha=0 beta=1 eta=1", "alpha=0 is outside the domain"),
]


@pytest.mark.parametrize(("name", "words", "sentence"), REFUSED)
def test_what_is_outside_the_domain_is_refused_in_one_sentence(name, words, sentence):
    with pytest.raises(ValueError) as refused:
        ask(name, words)
    assert sentence in str(refused.value)
    assert str(refused.value).startswith(f"breakeven.{name}: ")


def test_the_coupled_root_falls_with_the_rate_and_rises_with_the_batch_as_its_derivatives_say():
    """The slope in eta is -(2/eta^2)/(1 - 2 c alpha Psi'/Psi^3), by implicit differentiation."""
    at = lambda rate, size: number(  # noqa: E731
        "coupled_root", f"eta={rate!r} S={size} N=64 alpha=3 psi0=2 lam0=1 r=20", "lam"
    )
    rate, lam, c = 0.2, at(0.2, 4), 60 / (4 * 63)
    distance = 2 * exp(-(lam**2 - 1) / 40)
    stiffness = 1 + 2 * c * 3 * (lam / 20) / distance**2
    slope = (at(rate + 1e-6, 4) - at(rate - 1e-6, 4)) / 2e-6
    assert slope == pytest.approx(-2 / rate**2 / stiffness, rel=1e-6)
    assert slope != pytest.approx(-2 / rate**2, rel=0.1), "at a fixed distance the slope would be steeper"
    roots = [at(0.2, size) for size in (1, 2, 4, 16, 64)]
    assert roots == sorted(set(roots))
    assert roots[-1] == 10.0
