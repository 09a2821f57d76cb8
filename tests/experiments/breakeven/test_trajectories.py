"""Summaries of trajectories on planted curves: a true conjecture agrees, a reversed one disagrees, flags exclude."""

import numpy as np
import pytest
import xarray as xr
from planted_trajectories import RECORDS, TIME, planted, verdict

from experiments.breakeven.batch_runs import VARIABLES as BATCH_VARIABLES
from experiments.breakeven.batch_runs import measure as measure_batches
from experiments.breakeven.block_runs import measure as measure_blocks
from experiments.breakeven.embedding_figures import FIGURES as EMBEDDINGS
from experiments.breakeven.embedding_figures import principal_plane, umap_plane
from experiments.breakeven.extended_runs import VARIABLES as MORE_VARIABLES
from experiments.breakeven.extended_runs import measure as measure_more
from experiments.breakeven.flag_figures import FIGURES as FLAGS
from experiments.breakeven.left_side_figure import FIGURES as LEFT_SIDE
from experiments.breakeven.maxima_claims import accuracy_there, counted, outliers
from experiments.breakeven.momentum_claims import least_cosine
from experiments.breakeven.momentum_figures import FIGURES as MOMENTUM_FIGURES
from experiments.breakeven.momentum_trajectories import STUDY as MOMENTUM
from experiments.breakeven.reported_numbers import FIGURES as REPORTED
from experiments.breakeven.reported_numbers import OVER_RATES, tenfold
from experiments.breakeven.reported_numbers import REPORTED as REPORTED_NUMBERS
from experiments.breakeven.stated_checks import FIGURES as STATED
from experiments.breakeven.stated_checks import outcomes, over_the
from experiments.breakeven.stated_runs import measure as measure_stated
from experiments.breakeven.trajectories import CONVOLUTIONAL, CONVOLUTIONAL_RATES, STUDY
from experiments.breakeven.trajectory_claims import (
    after_break_even,
    on_the_way,
    rises_to_second_order,
    sharp_growth,
)
from experiments.breakeven.trajectory_conjectures import sweep
from experiments.breakeven.trajectory_figures import FIGURES, over_rates
from experiments.breakeven.trajectory_runs import VARIABLES, measure
from experiments.breakeven.trajectory_summary import (
    admitted,
    at_loss,
    chosen,
    described,
    largest,
    smoothed,
)
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.registry import studies
from experiments.study import Replicates
from numerics.data import digits

MAXIMA = [f"max_{name}_{view}" for name in ("lambda_h", "lambda_k", "trace_k") for view in ("raw", "smoothed")]


@pytest.mark.parametrize("law", MAXIMA)
@pytest.mark.parametrize("control", ["rate", "batch_size"])
def test_a_true_conjecture_agrees_and_a_reversed_one_disagrees(law, control):
    true, false = (verdict(f"{law}_over_{control}", planted(sign)) for sign in (1.0, -1.0))
    assert true.verdict is Verdict.AGREES and true.trusted
    assert false.verdict is Verdict.DISAGREES and false.trusted


def test_the_convolutional_study_feeds_its_own_laws():
    data = planted(study=CONVOLUTIONAL_RATES)
    assert verdict("max_lambda_h_smoothed_over_rate_convolutional", data).verdict is Verdict.AGREES
    assert verdict("lambda_k_at_equal_loss_over_rate_convolutional", data).verdict is Verdict.AGREES


@pytest.mark.parametrize("ending", ["over_momentum", "over_rate_with_momentum", "over_rate_with_decay"])
def test_momentum_as_a_rate_agrees_where_it_acts_so(ending):
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        found = verdict(f"max_lambda_h_{ending}", planted(sign, study=MOMENTUM))
        assert found.verdict is expected and found.trusted


def test_momentum_without_noise_has_the_papers_reading_against_it():
    found = verdict("max_lambda_h_over_momentum_without_noise", planted(-1.0, study=MOMENTUM))
    assert found.verdict is Verdict.AGREES and found.trusted
    assert (
        verdict("max_lambda_h_over_momentum_without_noise", planted(1.0, study=MOMENTUM)).verdict is Verdict.DISAGREES
    )


@pytest.mark.parametrize("figure", MOMENTUM_FIGURES, ids=lambda figure: figure.name)
@pytest.mark.parametrize("profile", ["quick", "full"])
def test_figures_of_momentum_draw_in_either_profile(figure, profile):
    data = {MOMENTUM.name: planted(seeds=3, study=MOMENTUM, profile=profile)}
    assert drawn(figure, data).axes and figure.found(data).endswith(".")


@pytest.mark.parametrize("figure", (*REPORTED, *STATED[:2], *FLAGS), ids=lambda figure: figure.name)
def test_figures_of_numbers_draw_and_speak(figure):
    data = {name: planted(seeds=3, study=studies()[name]) for name in figure.studies}
    assert drawn(figure, data).axes and figure.found(data).endswith(".")


def test_the_flags_name_the_runs_that_fail_and_how_many_seeds():
    data = planted(seeds=4)
    last = (data["record"] == RECORDS - 1) & (data["run"] == 4) & (data["seed"] == 1)
    spoilt = data.assign(accuracy=data["accuracy"].where(~last, 0.5), loss=data["loss"].where(~last, 0.9))
    figure = FLAGS[0]
    assert "all converge and bind" in figure.found({STUDY.name: data})
    assert "0.4, 32: 1 do not converge." in figure.found({STUDY.name: spoilt})
    soft = data.assign(natural_lambda_H=("seed", [1000.0, 1000.0, 1000.0, 30.0]))
    assert "0.05, 32: 1 do not bind." in figure.found({STUDY.name: soft})


@pytest.mark.parametrize("study", [CONVOLUTIONAL, CONVOLUTIONAL_RATES], ids=lambda study: study.name)
def test_reported_factors_are_those_of_the_papers_numbers(study):
    reported = REPORTED_NUMBERS if study is CONVOLUTIONAL else OVER_RATES
    found = list(tenfold(planted(seeds=3, study=study), study, reported).values())
    assert found[2][0] == pytest.approx(26.27 / 211.17)
    assert np.log10(found[2][1]) == pytest.approx(-0.75, abs=0.1)
    if study is CONVOLUTIONAL:
        assert found[3][0] == pytest.approx(1.953, abs=1e-3)


def test_stated_checks_hold_on_curves_that_obey_and_fail_on_reversed_ones():
    whole, rates, _ = STATED
    for sign in (1.0, -1.0):
        data = {name: planted(sign, seeds=5, study=studies()[name]) for name in (*whole.studies, *rates.studies)}
        found = (*outcomes(data), *over_the("learning_rate", data))
        falling = [one for one in found if one.check in ("V10", "V11") and "lambda*" not in one.said]
        assert len(falling) == 8 and all(one.holds is (sign > 0) for one in falling)
        signs = {one.said.split(",")[0]: one.holds for one in found if one.check == "V14"}
        assert signs == {"lambda_H rises without noise": sign < 0, "lambda_H falls": sign > 0}
        turned = [one.holds for one in found if one.check == "V15"]
        assert turned == [False, True, False], "the planted gradients are aligned"
    assert "V10 fails for lambda_H over eta, admitted runs (0% of seeds, rank 1.00, x8 apart" in whole.found(data)


def test_quick_shows_numbers_without_a_verdict():
    data = planted(seeds=2, profile="quick")
    found = verdict("max_lambda_h_smoothed_over_rate", data)
    assert found.verdict is None and found.observed and found.comparison is not None
    assert found.comparison.worst.estimate > 1


def test_runs_that_do_not_converge_or_bind_are_left_out_and_named():
    data = planted()
    last, fifth = data["record"] == RECORDS - 1, data["run"] == 4
    spoilt = {name: data[name].where(~(last & fifth), value) for name, value in (("accuracy", 0.5), ("loss", 0.9))}
    runs = sweep(data.assign(spoilt), STUDY, "learning_rate")
    assert runs["learning_rate"].values.tolist() == pytest.approx([0.05, 0.1, 0.2, 0.3])
    assert "eta 0.4" in runs.attrs["excluded"]
    data = planted().assign(natural_lambda_H=("seed", np.full(10, 15.0)))
    kept = sweep(data, STUDY, "learning_rate")["learning_rate"].values
    assert kept.tolist() == pytest.approx([0.2, 0.3, 0.4])  # 2/0.1 = 20 is never reached
    hopeless = planted().assign(natural_lambda_H=("seed", np.ones(10)))
    runs = sweep(hopeless, STUDY, "learning_rate")
    assert runs["learning_rate"].values.tolist() == pytest.approx([0.05, 0.4])
    assert runs.attrs["excluded"].startswith("all but the ends, since fewer than two runs")
    assert verdict("max_lambda_h_raw_over_rate", planted()).verdict is Verdict.AGREES
    assert verdict("max_lambda_h_raw_over_rate", hopeless).verdict is Verdict.UNDECIDED, "no run says anything"
    everything = admitted(chosen(described(planted(), STUDY), "batch_size", learning_rate=0.1))
    assert everything["batch_size"].values.tolist() == [8, 16, 32, 64, 128] and not everything.attrs["excluded"]


def test_the_moving_average_takes_a_spike_down_and_leaves_a_line():
    line = xr.DataArray(np.arange(6.0), dims="record")
    np.testing.assert_allclose(smoothed(line).values, [1, 2, 3, 4])
    spike = xr.DataArray([0.0, 0, 9, 0, 0, 0], dims="record")
    assert float(largest(spike)) == 9 and float(largest(spike, "smoothed")) == 3
    lost = xr.DataArray([0.0, np.nan, 1.0], dims="record")
    assert np.isnan(float(largest(lost)))


def test_equal_loss_reads_between_records():
    data = planted().isel(network=0)
    at = at_loss(data, "lambda_k").values
    share = (2.3 - 1.0) / 2.25
    hump = 2 + 20 * (share * (1 - share) * 4) ** 2
    np.testing.assert_allclose(at[:, 1].mean(), hump, rtol=0.05)
    assert np.isnan(at_loss(data, "lambda_k", level=0.01).values).all()


def test_phases_run_from_the_start_to_the_peak():
    curve = xr.DataArray([0.0, 2.0, 4.0, 1.0], dims="record")
    found = [float(on_the_way(curve, curve, phase)) for phase in (0.0, 0.25, 1.0)]
    assert found == [0.0, 1.0, 4.0]


def test_break_even_is_the_first_record_at_or_above_one():
    data = planted()
    growth = np.array(data["growth"])
    growth[..., 5:] = 1.2
    found = after_break_even(data.assign(growth=(data["growth"].dims, growth)))
    assert (found["lambda_after"] > found["lambda_at"]).all()
    growth[..., 5:], growth[..., 12:] = 0.5, 1.2
    found = after_break_even(data.assign(growth=(data["growth"].dims, growth)))
    assert (found["lambda_after"] < found["lambda_at"]).all()
    silent = after_break_even(data)
    assert (silent["lambda_after"] == silent["lambda_at"]).all()


def test_the_left_side_is_read_in_the_sharp_part_only():
    data = planted()
    growth = np.full(data["growth"].shape, 3.0)
    growth[..., 6:15] = 0.2
    found = sharp_growth(data.assign(growth=(data["growth"].dims, growth)))
    np.testing.assert_allclose(found["growth"], 0.2)


def test_rises_are_counted_where_eq1_holds():
    data = planted()
    rises, growth = np.full(data["growth"].shape, 0.2), np.full(data["growth"].shape, 0.5)
    rises[..., 10:], growth[..., 10:] = 1.0, 2.0
    dims = data["growth"].dims
    found = rises_to_second_order(data.assign(loss_rises=(dims, rises), growth=(dims, growth)))
    np.testing.assert_allclose(found["measured"], 0.2)
    np.testing.assert_allclose(found["unstable"], 0)


def test_the_least_cosine_is_over_tenths():
    cosine = np.ones((2, 1, 11))
    cosine[0, 0, 4] = -0.9
    data = xr.Dataset({"cosine": (("seed", "network", "record"), cosine)})
    assert least_cosine(data)["cosine"].values.tolist() == [-0.9, 1.0]


def test_a_plane_keeps_the_two_longest_directions():
    points = np.array([[3.0, 0, 0], [-3.0, 0, 0], [0, 2.0, 0], [0, -2.0, 0], [0, 0, 0.1], [0, 0, -0.1]])
    flat = principal_plane(points)
    np.testing.assert_allclose(np.linalg.norm(flat, axis=1), [3, 3, 2, 2, 0, 0], atol=1e-12)
    try:
        import umap  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:
        with pytest.raises(ValueError, match="UMAP is not installed"):
            umap_plane(points)


def test_outliers_are_counted_against_the_highest_rate():
    runs = over_rates(planted())
    spectrum = np.ones((*runs["lambda_K"].shape, 4)) * np.array([3.0, 1.5, 0.5, 0.1])
    spectrum[:, 0] *= 3
    dims = (*runs["lambda_K"].dims, "eigen")
    runs = runs.drop_vars(["spectrum_K", "spectrum_H"]).assign(spectrum_K=(dims, spectrum))
    runs["lambda_K"] = runs["spectrum_K"].isel(eigen=0)
    assert outliers(runs, "outliers_k").mean("seed").values.tolist() == [3, 2, 2, 2, 2]


def test_outliers_fall_where_the_spectrum_does_and_not_at_the_start():
    data = planted()
    spectrum = data["lambda_K"].values[..., None] * np.array([1.0, 0.6, 0.4, 0.2, 0.1])
    data = data.drop_vars("spectrum_K").assign(spectrum_K=((*data["lambda_K"].dims, "eigen"), spectrum))
    found = counted("", "outliers_k")(data)
    counts = found["measured"].mean("seed").values
    assert (np.diff(counts) <= 0).all() and counts[0] > counts[-1] >= 2
    assert np.ptp(found["measured[at the start]"].values, axis=1).max() == 0
    assert verdict("outliers_k_over_rate", data).verdict is Verdict.AGREES
    assert verdict("outliers_k_over_rate", data.isel(eigen=slice(0, 1))).verdict is Verdict.DISAGREES


def test_the_accuracy_is_read_where_the_curve_is_largest():
    data = planted()
    runs = sweep(data, STUDY, "learning_rate")
    np.testing.assert_allclose(accuracy_there(runs, "lambda_k"), 0.1 + 0.9 * 0.5, atol=0.05)
    assert verdict("max_lambda_k_is_early", data).verdict is Verdict.AGREES
    late = data.assign(lambda_K=data["lambda_K"] * np.exp(9 * TIME))
    found = verdict("max_lambda_k_is_early", late)
    assert found.verdict is Verdict.DISAGREES


@pytest.mark.parametrize("figure", (*FIGURES, *EMBEDDINGS, *LEFT_SIDE), ids=lambda figure: figure.name)
def test_figures_draw_in_either_profile(figure):
    for profile in ("quick", "full"):
        canvas = drawn(figure, {STUDY.name: planted(seeds=3, profile=profile)})
        assert canvas.axes and figure.found({STUDY.name: planted(seeds=3, profile=profile)}).endswith(".")


TINY = {
    "rate_factor": (2.0, 2.0), "batch_size": (4, 4), "momentum": (0.0, 0.0), "decays": (False, True),
    "points": 16, "records": 3, "lanczos_steps": 4, "gram_batches": 4, "gram_size": 4, "probes": 1,
}  # fmt: skip


@pytest.mark.slow
def test_runs_are_paired_and_decay_half_way():
    replicates = Replicates("breakeven.trajectories", {"network": "MLP-rand"}, (0,))
    found = measure(replicates=replicates, data=digits(100), network="MLP-rand", run=np.arange(2), **TINY)
    assert set(found) == set(VARIABLES)
    for name, array in found.items():
        assert np.isfinite(array).all(), name
    np.testing.assert_array_equal(found["loss"][:, 0, :2], found["loss"][:, 1, :2])
    assert found["loss"][0, 0, 2] != found["loss"][0, 1, 2]
    again = measure(replicates=replicates, data=digits(100), network="MLP-rand", run=np.arange(2), **TINY)
    np.testing.assert_array_equal(found["lambda_K"], again["lambda_K"])


def test_every_study_of_trajectories_declares_the_variables_of_its_measurement():
    named = [study for name, study in studies().items() if "trajectories" in name]
    assert len(named) >= 6
    declared = {
        measure: VARIABLES, measure_batches: BATCH_VARIABLES, measure_more: MORE_VARIABLES,
        measure_blocks: MORE_VARIABLES, measure_stated: VARIABLES,
    }  # fmt: skip
    for study in named:
        assert study.variables is declared[study.measure]
