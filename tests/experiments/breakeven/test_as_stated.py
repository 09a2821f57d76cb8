"""The convolutional network's conjectures as they are stated: which seeds count, and what planted curves give."""

import numpy as np
import pytest
from planted_trajectories import planted

from experiments.breakeven.stated_figures import FIGURES, outcomes
from experiments.breakeven.stated_runs import measure
from experiments.breakeven.stated_trajectories import CHECKS, RUNS, STUDY, averaged, converging
from experiments.breakeven.trajectory_runs import VARIABLES
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.study import Replicates
from experiments.verdict import judge, observe
from numerics.data import digits
from theory.registry import laws

(FIGURE,) = FIGURES


def lowered(data, name, run, seed, value):
    """The data with another last value of a variable in one run of one seed."""
    values = data[name].copy(deep=True)
    values[dict(seed=seed, run=run, record=-1)] = value
    return data.assign({name: values})


def test_the_runs_are_those_that_are_stated():
    full = STUDY.grids["full"]
    assert full.settings["records"] == 61 and full.settings["flow"] == 120.0 and full.seeds >= 10
    assert {rate for rate, size in RUNS if size == 32} >= {0.02, 0.05, 0.12}
    assert {size for rate, size in RUNS if rate == 0.05} >= {8, 32, 128}
    rates, sizes = zip(*RUNS, strict=True)
    assert (min(rates), max(rates), min(sizes), max(sizes)) == (0.02, 0.12, 8, 128)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_curves_that_obey_agree_and_reversed_ones_do_not(sign):
    data = planted(sign, seeds=12, study=STUDY)
    for _, check in CHECKS:
        result = judge(laws()[check.law], STUDY, check, data)
        assert result.verdict is (Verdict.AGREES if sign > 0 else Verdict.DISAGREES), check.law
        assert all(control.fires for control in result.controls), check.law
    found = outcomes({STUDY.name: data})
    assert len(found) == 10 and all(one.holds == (sign > 0) for one in found)


def test_a_seed_counts_only_if_every_run_of_it_converges_and_binds():
    data = planted(seeds=5, study=STUDY)
    unfit = lowered(lowered(data, "accuracy", 3, 1, 0.5), "loss", 3, 1, 1.0)  # eta .12, S 32
    kept = converging(unfit, "learning_rate")
    assert kept.sizes["seed"] == 4 and kept.attrs["excluded"] == "1 of 5 seeds (eta 0.12, S 32: 1)"
    assert converging(unfit, "batch_size").sizes["seed"] == 5 and not converging(data, "batch_size").attrs["excluded"]
    blunt = data.assign(natural_lambda_H=("seed", [90.0, 1000, 1000, 1000, 1000]))  # 2/eta is 100 at eta .02
    assert converging(blunt, "learning_rate").attrs["excluded"] == "1 of 5 seeds (eta 0.02, S 32: 1)"
    assert converging(blunt, "learning_rate", bind=False).sizes["seed"] == 5
    assert converging(blunt, "batch_size").sizes["seed"] == 5


def test_a_seed_whose_numbers_are_lost_is_not_left_out():
    data = planted(seeds=5, study=STUDY)
    lost = lowered(data, "accuracy", 3, 1, np.nan)
    assert converging(lost, "learning_rate").sizes["seed"] == 5
    broken = lowered(data, "lambda_K", 3, 1, np.nan)
    check = next(check for _, check in CHECKS if check.law == "breakeven.max_lambda_k_over_rate_as_stated")
    found = observe(check, broken)["measured"]
    assert found.isnull().sum() == 1 and bool(found.isnull()[1, 3])


def test_the_maximum_is_one_of_averages_over_five_records():
    data = planted(seeds=2, study=STUDY)
    spike = np.ones(data["lambda_H"].shape)
    spike[..., 7] = 11.0
    runs = converging(data.assign(lambda_H=(data["lambda_H"].dims, spike)), "batch_size")
    np.testing.assert_allclose(averaged(runs, "lambda_h"), 3.0)


def test_the_figure_speaks_with_intervals_and_of_one_seed_and_of_none():
    data = planted(seeds=6, study=STUDY)
    said = FIGURE.found({STUDY.name: data})
    assert said.startswith("V11 holds for ") and "lambda_K over S (100% of seeds, x" in said and ", n 6, raw x" in said
    assert "maxima at 50% of training at S 8 and 50% at 128" in said
    assert drawn(FIGURE, {STUDY.name: data}).axes
    for few in (data.isel(seed=[0]), data.assign(accuracy=data["accuracy"] * 0, loss=data["loss"] + 1)):
        assert drawn(FIGURE, {STUDY.name: few}).axes
    assert "no seed converges and binds" in FIGURE.found({STUDY.name: few})


@pytest.mark.slow
def test_a_small_run_has_every_variable_and_starts_each_run_at_one_place():
    settings = {"points": 16, "records": 3, "flow": 0.4, "natural_rate": 0.1, "natural_flow": 0.2, "lanczos_steps": 4,
                "gram_batches": 4, "gram_size": 4, "probes": 2}  # fmt: skip
    found = measure(
        replicates=Replicates(STUDY.name, {"network": "MLP-rand"}, (0,)), data=digits(), network="MLP-rand",
        run=np.arange(2), rate=(0.1, 0.2), batch_size=(4, 8), **settings,
    )  # fmt: skip
    assert set(found) == set(VARIABLES)
    for name, variable in VARIABLES.items():
        assert np.asarray(found[name]).ndim == len(variable.dims) and np.isfinite(found[name][..., 1:]).all(), name
    assert found["loss"][0, 0, 0] == found["loss"][0, 1, 0] and found["loss"][0, 0, 1] != found["loss"][0, 1, 1]
