"""Momentum, decaying rates and the Hessian's trace: laws on planted curves, and a small run of the measurement."""

import numpy as np
import pytest
import xarray as xr

from experiments.breakeven import batch_runs, block_runs
from experiments.breakeven.extended_runs import VARIABLES, measure
from experiments.breakeven.hessian_trace import CHECKS as OF_TRACE
from experiments.breakeven.image_momentum import CHECKS as OF_MOMENTUM
from experiments.breakeven.image_momentum import CONTROLS, family
from experiments.breakeven.image_momentum_runs import HEAVY, RUNS
from experiments.breakeven.image_momentum_runs import STUDY_OF as MOMENTUM
from experiments.breakeven.image_trajectories import BLOCK, enlarged
from experiments.breakeven.stated_checks import FIGURES as STATED
from experiments.breakeven.stated_checks import over_wide_ranges
from experiments.breakeven.wide_trajectories import CHECKS as OF_SHARPNESS
from experiments.breakeven.wide_trajectories import STUDY as WIDE
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.study import Replicates
from experiments.verdict import judge
from numerics.data import digits
from theory.registry import laws

RECORDS = 17
TIME = np.linspace(0, 1, RECORDS)


def planted(study, sign=1.0, seeds=10, profile="full"):
    """Curves that go as effective rate^-0.8 S^0.5 (sign 1) or the other way (sign -1), from a common start."""
    settings = study.grids[profile].settings
    rate, momentum = np.array(settings["rate"]), np.array(settings["momentum"])
    height = ((rate / (1 - momentum)) ** -0.8 * np.array(settings["batch_size"]) ** 0.5) ** sign
    noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((seeds, rate.size, 1)))
    shape = (seeds, rate.size, RECORDS)
    hump = 1 + height[None, :, None] * noise * (1 - (2 * TIME - 1) ** 2)
    arrays = {name: np.ones(shape) for name, variable in VARIABLES.items() if len(variable.dims) == 3}
    arrays |= {name: hump for name in ("lambda_H", "lambda_KM", "trace_KM", "trace_H")}
    arrays["lambda_KM_smallest"] = hump * (1e-3 + (1 - (2 * TIME - 1) ** 2) / height[None, :, None])
    arrays["loss"] = np.broadcast_to(2.5 * (1 - TIME), shape)
    data = xr.Dataset({name: (VARIABLES[name].dims, np.asarray(value)) for name, value in arrays.items()})
    data["natural_lambda_H"] = ("seed", np.full(seeds, 1e4))
    counted = data.assign_coords(run=np.arange(rate.size), network=settings.get("network", "MLP 300-100"))
    return counted.expand_dims("network").assign_attrs(profile=profile)


@pytest.mark.parametrize(
    ("study", "checks"),
    [(WIDE, (*OF_SHARPNESS, *OF_TRACE)), *((study, OF_MOMENTUM) for study in MOMENTUM.values())],
    ids=["wide", *MOMENTUM],
)
def test_each_law_agrees_with_curves_that_obey_it_and_not_with_reversed_ones(study, checks):
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        data = planted(study, sign)
        for name, check in checks:
            if name != study.name:
                continue
            result = judge(laws()[check.law], study, check, data)
            assert result.verdict is expected, check.law
            assert all(control.fires for control in result.controls), check.law


@pytest.mark.parametrize("network", MOMENTUM)
def test_each_family_holds_its_own_runs(network):
    data, runs = planted(MOMENTUM[network]), RUNS[network]
    levels = {
        ending: tuple(family(data, network, ending)[control].values.tolist())
        for ending, (control, _) in CONTROLS.items()
    }
    assert levels == {
        "over_momentum": runs.momenta,
        "over_rate_with_momentum": runs.heavy_rates,
        "over_rate_with_decay": runs.decaying_rates,
    }


@pytest.mark.parametrize("network", MOMENTUM)
def test_each_family_spans_a_like_range_of_rates_over_one_minus_momentum(network):
    runs = RUNS[network]
    without = [runs.rate / (1 - momentum) for momentum in runs.momenta]
    heavy = [rate / (1 - HEAVY) for rate in runs.heavy_rates]
    for levels in (without, heavy, runs.decaying_rates):
        assert 2.5 < levels[-1] / levels[0] < 4.1 and runs.rate / 1.2 < levels[0] < runs.rate * 1.01
    assert len(runs.runs) == len(set(runs.runs)) == 12


def test_wide_ranges_are_as_wide_as_stated_and_fail_where_an_end_is_left_out():
    for sign in (1.0, -1.0):
        assert [one.holds for one in over_wide_ranges({WIDE.name: planted(WIDE, sign)})] == [sign > 0] * 2
    data = planted(WIDE)
    unfit = data["accuracy"].copy(deep=True)
    unfit[:, 0, 3] = 0.5  # the highest rate, one seed
    narrow, same = over_wide_ranges({WIDE.name: data.assign(accuracy=unfit, loss=data["loss"] * 0 + 1)})
    assert not narrow.holds and "x4 apart" in narrow.number and same.holds and "x32 apart" in same.number


def test_the_figure_of_wide_ranges_draws_and_speaks():
    for profile in ("quick", "full"):
        data = {WIDE.name: planted(WIDE, seeds=3, profile=profile)}
        assert drawn(STATED[2], data).axes
        assert STATED[2].found(data) == (
            "V10 holds for lambda_H over eta (100% of seeds, rank -1.00, x8 apart, smoothed 100%), lambda_H over S "
            "(100% of seeds, rank 1.00, x32 apart, smoothed 100%)."
        )


TINY = {
    "points": 16, "records": 5, "flow": 0.8, "natural_rate": 0.1, "natural_flow": 0.2, "lanczos_steps": 4,
    "gram_batches": 4, "gram_size": 4, "fresh": 2,
}  # fmt: skip


@pytest.mark.slow
def test_runs_without_momentum_are_those_of_mini_batches_and_a_decay_comes_half_way():
    replicates = Replicates("breakeven.planted", {"network": "MLP-rand"}, (0,))
    shared = {"replicates": replicates, "data": digits(100), "network": "MLP-rand"}
    runs = {"rate": (0.1, 0.1, 0.1), "batch_size": (4, 4, 4)}
    kinds = {"momentum": (0.0, 0.5, 0.0), "decays": (False, False, True)}
    found = measure(**shared, run=np.arange(3), **runs, **kinds, **TINY, probes=8)
    plain = batch_runs.measure(**shared, run=np.arange(3), **runs, normalised=(False,) * 3, **TINY, block=1)
    for name in set(found) & set(plain) - {"natural_lambda_H"}:
        np.testing.assert_array_equal(found[name][0, 0], plain[name][0, 0], err_msg=name)
        np.testing.assert_array_equal(found[name][0, 2, :3], plain[name][0, 0, :3], err_msg=name)
    assert (found["loss"][0, 1, 1:] != found["loss"][0, 0, 1:]).all(), "momentum moves it"
    assert (found["loss"][0, 2, 3:] != found["loss"][0, 0, 3:]).all(), "the decay does after half of the steps"
    assert set(found) == set(VARIABLES)
    assert all(np.isfinite(array).all() for array in found.values())
    assert (found["trace_H_error"] > 0).all() and np.ptp(found["trace_H"]) > 0


@pytest.mark.slow
def test_blocks_are_averaged_before_the_run():
    replicates = Replicates("breakeven.planted", {"network": "MLP-rand"}, (0,))
    shared = {"replicates": replicates, "network": "MLP-rand", "run": np.arange(1), "rate": (0.1,)}
    shared |= {"batch_size": (4,), "momentum": (0.5,), "decays": (False,), **TINY, "probes": 2}
    small, large = digits(), enlarged()
    whole = measure(data=small, **shared)
    for data, block, same in ((large, BLOCK, True), (small, 1, True), (large, BLOCK // 2, False)):
        found = block_runs.measure(data=data, block=block, **shared)
        assert all(np.allclose(found[name], whole[name], rtol=1e-3) for name in ("loss", "accuracy")) is same, block
