"""The closed forms that ``assay predict`` serves: exact values, what is undefined, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from theory.parsing import parse_assignments
from theory.registry import predictors
from theory.serving import serve


def ask(name, words):
    """Outputs of a predictor for words as the command line takes them."""
    return serve(predictors()[f"breakeven.{name}"], parse_assignments(words.split()))


def exact(name, words, output):
    return ask(name, words)[output]["exact"]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("N=8 S=2 replacement=false", "3/7"),
        ("N=8 S=2 replacement=true", "1/2"),
        ("N=8 S=8 replacement=false", "0"),
        ("N=8 S=1 replacement=false", "1"),
        ("N=8 S=20 replacement=true", "1/20"),
        ("N=inf S=4 replacement=false", "1/4"),
    ],
)
def test_noise_factor(words, value):
    assert exact("noise_factor", words, "c") == value


def test_second_moment_counts_one_as_stable():
    assert ask("second_moment", "eta=1 lam=2 s2=5 N=4 S=4 replacement=false") == {
        "Q": {"exact": "1", "value": 1.0},
        "stable": True,
    }
    assert ask("second_moment", "eta=1 lam=2 s2=1/1000 N=4 S=1 replacement=false")["stable"] is False
    assert exact("second_moment", "eta=1/4 lam=2 s2=4 N=2 S=1 replacement=false", "Q") == "1/2"


def test_step_size_edge_takes_moments_or_a_list():
    assert exact("step_size_edge", "lam=2 s2=1 N=2 S=1", "eta_max") == "4/5"
    assert exact("step_size_edge", "H=[1,3] S=1", "eta_max") == "4/5"
    assert exact("step_size_edge", "H=[1,3] S=2", "eta_max") == "1"


def test_curvature_edges_in_each_closure():
    found = ask("curvature_edge", "closure=fixed_variance eta=1 c=1 s2=9/25")
    assert (found["lower"]["exact"], found["upper"]["exact"]) == ("1/5", "9/5")
    assert exact("curvature_edge", "closure=fixed_ratio eta=1/10 N=8 S=2 kappa=7/3", "upper") == "10"
    assert exact("curvature_edge", "closure=fixed_ratio eta=1/10 N=inf S=2 kappa=2", "upper") == "10"
    assert exact("curvature_edge", "closure=paper eta=1/5 c=1 alpha=1 psi=10", "upper") == "999/100"
    assert exact("curvature_edge", "closure=paper eta=1/10 N=5 S=5 alpha=3 psi=1", "upper") == "20"


def test_where_no_curvature_is_stable_the_answer_is_null_with_a_reason():
    nothing = {"exact": None, "value": None, "reason": "no stable curvature"}
    found = ask("curvature_edge", "closure=fixed_variance eta=1 c=1 s2=2")
    assert found == {"lower": nothing, "upper": nothing}
    assert ask("curvature_edge", "closure=paper eta=1 c=1 alpha=1 psi=1/2") == {"upper": nothing}


def test_sensitivity():
    found = ask("sensitivity", "closure=fixed_ratio eta=1/2 N=3 S=1 kappa=1")
    assert (found["d_eta"]["exact"], found["d_S"]["exact"]) == ("-4", "3/2")
    assert exact("sensitivity", "closure=fixed_ratio eta=1 N=inf S=2 kappa=2", "d_S") == "1/4"


@given(st.integers(2, 10**6), st.integers(1, 10**6))
@example(2, 2)
def test_noise_factor_is_exact_at_any_size(examples, size):
    size = min(size, examples)
    value = Fraction(exact("noise_factor", f"N={examples} S={size} replacement=false", "c"))
    assert value == Fraction(examples - size, size * (examples - 1))


REFUSED = [
    ("noise_factor", "N=8 S=9 replacement=false", "S=9 is outside the domain; give an integer >= 1 and <= 8"),
    ("noise_factor", "N=1 S=1 replacement=false", "N=1 is outside the domain; give an integer >= 2"),
    ("noise_factor", "N=8 S=0 replacement=true", "S=0 is outside the domain"),
    ("noise_factor", "N=8.5 S=2 replacement=true", "N=17/2 is outside the domain"),
    ("noise_factor", "N=8 S=2 replacement=maybe", "replacement=maybe is not a boolean; give true or false"),
    ("noise_factor", "N=8 S=2", "replacement is missing"),
    ("second_moment", "eta=-1 lam=2 s2=1 N=4 S=1 replacement=false", "eta=-1 is outside the domain"),
    ("second_moment", "eta=1 lam=2 s2=-1 N=4 S=1 replacement=false", "s2=-1 is outside the domain"),
    ("second_moment", "eta=1 lam=inf s2=1 N=4 S=1 replacement=false", "lam=oo is not a finite number"),
    ("step_size_edge", "lam=0 s2=1 N=4 S=1", "lam=0 is outside the domain; give a positive number"),
    ("step_size_edge", "lam=1 s2=1 S=1", "N is missing; give lam, s2, N and S, or H and S"),
    ("step_size_edge", "H=[1,2] lam=1 S=1", "H was given with lam, s2 or N"),
    ("step_size_edge", "H=[1] S=1", "H is not a list of two numbers or more"),
    ("step_size_edge", "H=[1,-3] S=1", "H has the mean -1"),
    ("curvature_edge", "closure=other eta=1 c=1", "give one of fixed_variance, fixed_ratio, paper"),
    (
        "curvature_edge",
        "closure=paper eta=1 c=1 alpha=1",
        "psi is missing; closure=paper takes alpha and psi",
    ),
    ("curvature_edge", "closure=fixed_ratio eta=1 c=1 s2=1 kappa=1", "s2 does not belong to this closure"),
    ("curvature_edge", "closure=fixed_ratio eta=1 N=4 S=2 c=1 kappa=1", "S and c are both given"),
    ("curvature_edge", "closure=fixed_ratio eta=1 N=4 kappa=1", "S is missing"),
    ("curvature_edge", "closure=fixed_ratio eta=0 c=1 kappa=1", "eta=0 is outside the domain"),
    ("curvature_edge", "closure=fixed_ratio eta=1 c=2 kappa=1", "c=2 is outside the domain"),
    ("curvature_edge", "closure=paper eta=1 c=1 alpha=1 psi=0", "psi=0 is outside the domain"),
    ("curvature_edge", "closure=paper eta=1 c=1 alpha=-1 psi=1", "alpha=-1 is outside the domain"),
    ("sensitivity", "closure=paper eta=1 N=4 S=2 kappa=1", "give closure=fixed_ratio"),
]


@pytest.mark.parametrize(("name", "words", "part"), REFUSED, ids=lambda text: str(text)[:60])
def test_a_value_outside_the_domain_is_refused_in_one_sentence(name, words, part):
    with pytest.raises(ValueError, match=r"^breakeven\.") as refused:
        ask(name, words)
    assert part in str(refused.value)
    assert "\n" not in str(refused.value)
