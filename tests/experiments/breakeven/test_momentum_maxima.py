"""Momentum and decay for every statistic, over all of training and up to a common loss, on planted curves."""

import numpy as np
import pytest
import xarray as xr
from planted_trajectories import RECORDS, planted, verdict

from experiments.breakeven.momentum_claims import FAMILIES
from experiments.breakeven.momentum_maxima import law_of, to_equal_loss
from experiments.breakeven.momentum_trajectories import STUDY
from experiments.breakeven.trajectory_conjectures import LEAST_FACTOR
from experiments.breakeven.trajectory_summary import CONVERGED_LOSS, VIEWS, maximum
from experiments.comparison import Verdict
from experiments.registry import check_of
from theory.breakeven.momentum_at_loss import BEFORE_THE_DECAY
from theory.breakeven.momentum_maxima import DIRECTIONS, LEVEL, PERIODS
from theory.law import Status
from theory.registry import laws


def runs(loss, curve):
    """One seed and one run with a loss and lambda_H."""
    dims = ("seed", "run", "record")
    return xr.Dataset({name: (dims, np.array([[x]], dtype=float)) for name, x in (("loss", loss), ("lambda_H", curve))})


def test_the_maximum_ends_where_the_loss_first_falls_to_the_level():
    data = runs([2.0, 1.0, 0.2, 0.1, 0.5, 0.0], [1.0, 2.0, 3.0, 5.0, 99.0, 99.0])
    assert float(to_equal_loss("raw")(data, "lambda_h")[0, 0]) == pytest.approx(4.0)  # half-way from 0.2 to 0.1
    assert float(maximum("raw")(data, "lambda_h")[0, 0]) == 99
    peaked = runs([2.0, 1.0, 0.2, 0.1], [1.0, 7.0, 3.0, 5.0])
    assert float(to_equal_loss("raw")(peaked, "lambda_h")[0, 0]) == 7
    even = runs([1.2, 0.6, 0.3, 0.0, 0.0], [3.0, 3.0, 6.0, 9.0, 99.0])  # means 0.7, 0.3, 0.1 and 4, 6, 38
    assert float(to_equal_loss("smoothed")(even, "lambda_h")[0, 0]) == pytest.approx(30.0)


def test_a_run_that_never_gets_there_counts_to_its_end_and_one_with_a_lost_number_has_no_maximum():
    assert float(to_equal_loss("raw")(runs([2.0, 1.0, 0.2], [1.0, 4.0, 3.0]), "lambda_h")[0, 0]) == 4
    assert np.isnan(to_equal_loss("raw")(runs([2.0, 0.1, 0.0], [1.0, 2.0, np.nan]), "lambda_h")).all()
    assert np.isnan(to_equal_loss("raw")(runs([2.0, 0.1, np.nan], [1.0, 2.0, 3.0]), "lambda_h")).all()


def test_the_level_of_the_claims_is_that_of_the_flag():
    assert float(LEVEL) == CONVERGED_LOSS


@pytest.mark.parametrize("ending", FAMILIES)
@pytest.mark.parametrize("period", PERIODS)
def test_what_obeys_agrees_and_what_is_reversed_disagrees(ending, period):
    """Up to the level of the loss lie all records but the last, and with them the hump."""
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        found = verdict(law_of("lambda_k", "raw", period, ending), planted(sign, study=STUDY))
        assert found.verdict is expected and found.trusted


@pytest.mark.parametrize("ending", BEFORE_THE_DECAY)
def test_at_equal_loss_what_obeys_agrees_and_what_is_reversed_disagrees(ending):
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        found = verdict(f"lambda_h_at_equal_loss_{ending}", planted(sign, study=STUDY))
        assert found.verdict is expected and found.trusted


def test_without_noise_the_papers_reading_disagrees():
    law = "max_lambda_h_smoothed_to_equal_loss_over_momentum_without_noise"
    for sign, expected in ((-1.0, Verdict.AGREES), (1.0, Verdict.DISAGREES)):
        found = verdict(law, planted(sign, study=STUDY))
        assert found.verdict is expected and found.trusted is (sign < 0)


def test_every_statistic_is_weighed_in_either_view_over_either_period():
    assert RECORDS > 11
    names = {statistic.name: direction for statistic, direction in DIRECTIONS.items()}
    assert set(names) == set(LEAST_FACTOR)
    for ending in FAMILIES:
        for period in PERIODS:
            for name, direction in names.items():
                for view in VIEWS:
                    law = f"breakeven.{law_of(name, view, period, ending)}"
                    assert laws()[law].claim.direction == direction and laws()[law].status is Status.CONJECTURE
                    assert check_of(law)[0].name == STUDY.name
