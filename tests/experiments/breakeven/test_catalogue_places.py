"""Where the catalogue of the break-even paper is covered: its ids in the sources, its checks in tests and figures."""

import re
from pathlib import Path

import pytest

from experiments.figures import figures
from theory.registry import laws

CATALOGUE = {"D": 12, "A": 5, "L": 18, "T": 2, "C": 2, "Q": 11, "X": 13, "G": 14, "V": 17}
"""How many entries each part of the catalogue has."""


def test_every_id_of_the_catalogue_is_cited_where_it_is_covered():
    root = Path(__file__).parents[3]
    texts = [
        path.read_text(encoding="utf-8")
        for folder in ("theory", "numerics", "experiments")
        for path in (root / folder).rglob("*.py")
    ]
    cited = {found for text in texts for found in re.findall(r"breakeven:([A-Z]\d+)", text)}
    wanted = {f"{part}{number}" for part, count in CATALOGUE.items() for number in range(1, count + 1)}
    assert wanted - cited == set()
    assert "A9" not in cited


PLACES = {
    "V1": ("test_v1_the_noise_factor_over_all_subsets_of_eight", "test_all_subsets_of_symbols_give_the_factor"),
    "V2": (
        "test_v2_signs_of_the_slopes_at_a_thousand_points",
        "test_v2_signs_of_the_other_two_closures_at_a_thousand_points",
        "breakeven.step_size_edge", "breakeven.curvature_edge_fixed_ratio", "breakeven.momentum_edge",
    ),
    "V3": ("test_v3_the_step_size_edge_from_draws",),
    "V4": ("test_v4_coupled_runs_are_always_in_order_and_uncoupled_ones_are_not", "breakeven.theorem_1"),
    "V5": (
        "test_the_uncoupled_runs_break_even_at_the_numbers_of_the_catalogue",
        "test_the_excursion_obeys_the_assumptions_and_breaks_even_higher_the_second_time",
        "test_discrete_strides_overshoot_as_the_catalogue_says",
        "test_a_smaller_eigenvalue_of_k_goes_with_batches_farther_from_the_mean",
    ),
    "V6": ("test_v6_the_sandwich_of_bounds_and_the_radius_at_the_exact_edge", "breakeven.multidimensional_edge"),
    "V7": (
        "test_v7_the_gram_matrix_has_the_spectrum_of_the_covariance",
        "test_v7_mean_traces_of_gram_matrices_in_three_schemes",
    ),
    "V8": ("test_v8_sixteen_products_find_the_top_of_a_trained_hessian_and_forty_its_bottom",),
    "V9": (
        "breakeven.figure_edge_checks", "breakeven.figure_edge_checks_momentum",
        "breakeven.figure_edge_checks_as_stated",
    ),
    "V10": ("breakeven.figure_stated_checks", "breakeven.figure_stated_checks_wide"),
    "V11": (
        "breakeven.figure_stated_checks_as_stated", "breakeven.figure_stated_checks",
        "breakeven.figure_stated_checks_rates",
    ),
    "V12": (
        "breakeven.figure_flags_as_stated_tanh", "breakeven.task_exceeds_the_edge_tanh",
        "breakeven.natural_sharpness_by_either_rate", "breakeven.figure_flags", "breakeven.figure_flags_convolutional",
    ),
    "V13": ("breakeven.figure_flags", "test_runs_that_do_not_converge_or_bind_are_left_out_and_named"),
    "V14": ("breakeven.figure_stated_checks", "breakeven.max_lambda_h_over_momentum_without_noise"),
    "V15": ("breakeven.figure_stated_checks", "breakeven.descent_turns_back_at_its_edge"),
    "V16": (
        "breakeven.figure_7", "breakeven.projection_ratio_at_least_one", "breakeven.max_lambda_h_over_rate_with_decay",
    ),
}  # fmt: skip
"""By check, the tests, laws and figures that hold it to its stated tolerance, or report it where it asks for no more.

V17 asks for the paper's own sizes, which only the paper profile has.
"""


@pytest.mark.parametrize("check", PLACES)
def test_each_check_has_its_place(check):
    written = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[2].rglob("test_*.py"))
    for name in PLACES[check]:
        known = f"def {name}(" in written if name.startswith("test_") else name in {**laws(), **figures()}
        assert known, name


def test_every_check_but_that_of_the_papers_sizes_has_a_place():
    assert list(PLACES) == [f"V{number}" for number in range(1, CATALOGUE["V"])]
