"""The families of laws about trajectories, and what the evidence of their errata turns on."""

from sympy import Rational

from theory.breakeven import trajectory_errata as gaps
from theory.breakeven.momentum_claims import AS_A_RATE, WITHOUT_NOISE
from theory.breakeven.trajectory_conjectures import CONJECTURES
from theory.definitions.breakeven import S, eta
from theory.law import Status


def test_each_conjecture_is_stated_for_each_statistic_view_and_control():
    names = {law.name for law in CONJECTURES}
    assert len(names) == len(CONJECTURES) == 48
    for law in CONJECTURES:
        assert law.status is Status.CONJECTURE and law.derivation is None
        assert law.claim.control in (eta, S)


def test_a_larger_rate_and_a_smaller_batch_are_said_to_do_the_same():
    by_name = {law.name: law.claim.direction for law in CONJECTURES}
    for name, direction in by_name.items():
        if "_over_rate" in name:
            assert by_name[name.replace("_over_rate", "_over_batch_size")] == -direction
    assert by_name["breakeven.max_lambda_k_raw_over_rate"] == -1
    assert by_name["breakeven.max_ratio_km_smoothed_over_rate"] == 1


def test_the_papers_reading_of_momentum_is_planted_against_the_law():
    planted = {rival.name: rival.claim.direction for rival in WITHOUT_NOISE.rivals}
    assert planted[AS_A_RATE] == -WITHOUT_NOISE.claim.direction == -1


def test_eigenvalues_of_a_small_covariance_by_hand():
    rows = [[Rational(1), Rational(0)], [Rational(-1), Rational(0)]]
    assert gaps._covariance_values(rows) == [1, 0]
    rows = [[Rational(3), Rational(0)], [Rational(-3), Rational(0)], [Rational(0), Rational(2)]]
    assert gaps._covariance_values(rows)[0] == 6


def test_conditioning_is_lost_from_the_start_on_at_both_rates():
    slow, fast = gaps._descent(Rational(1, 10))[0], gaps._descent(Rational(1, 4))[0]
    assert slow[0] == fast[0] == max(slow) == max(fast) == 1
    assert slow[1] == Rational(16, 25) and fast[1] == Rational(1, 4)


def test_a_population_of_equal_directions_shows_nothing_of_the_number_of_batches():
    rows = [[Rational(1), Rational(0)], [Rational(0), Rational(1)], [Rational(-1), Rational(-1)]]
    ratios = [gaps._covariance_values(rows[:n])[n - 2] / gaps._covariance_values(rows[:n])[0] for n in (2, 3)]
    assert ratios[0] == 1 and ratios[1] == Rational(1, 3)
