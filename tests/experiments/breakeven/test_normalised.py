"""Batch normalisation on planted curves, and a small run of the measurement itself."""

import numpy as np
import pytest
import xarray as xr

from experiments.breakeven.batch_runs import VARIABLES, measure
from experiments.breakeven.image_batch_claims import CONVOLUTIONAL, SIZES
from experiments.breakeven.image_batch_claims import law_of as law_over_sizes
from experiments.breakeven.image_batch_claims import weighed as over_sizes
from experiments.breakeven.image_claims import law_of, weighed
from experiments.breakeven.image_figures import FIGURES as IMAGE_FIGURES
from experiments.breakeven.image_figures import tenfold
from experiments.breakeven.image_loss_claims import study_of
from experiments.breakeven.image_trajectories import BLOCK, NETWORKS, enlarged
from experiments.breakeven.image_trajectories import STUDIES as IMAGES
from experiments.breakeven.normalised_claims import compared, over, without
from experiments.breakeven.normalised_figures import FIGURES, pair
from experiments.breakeven.normalised_trajectories import BATCH_SIZES, RATES, STUDY
from experiments.comparison import Verdict
from experiments.figures import drawn
from experiments.registry import check_of, studies
from experiments.study import Replicates
from experiments.verdict import judge
from numerics.data import Data, digits
from theory.registry import laws

RECORDS = 17
TIME = np.linspace(0, 1, RECORDS)


def planted(sign=1.0, seeds=10, profile="full", study=STUDY):
    """Curves whose maxima go as the paper says (sign 1) or the other way (sign -1)."""
    settings = study.grids[profile].settings
    rate, size = np.array(settings["rate"]), np.array(settings["batch_size"], dtype=float)
    bare = ~np.array(settings["normalised"])
    height = (rate**-0.6 * size**0.5) ** sign * np.where(bare, 0.3, 1.0)
    noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((seeds, rate.size, 1)))
    shape = (seeds, rate.size, RECORDS)
    bump = (TIME * (1 - TIME) * 4)[None, None, :]
    hump, against = 1e-3 + height[None, :, None] * noise * bump, noise * bump / height[None, :, None]
    arrays = {name: np.ones(shape) for name, variable in VARIABLES.items() if len(variable.dims) == 3}
    arrays |= {"lambda_H": hump, "lambda_KM": hump, "lambda_KM_smallest": hump * (1e-4 + 0.01 * against)}
    arrays["projection_ratio"] = 1 + against
    arrays["accuracy"] = np.broadcast_to(0.1 + 0.9 * TIME, shape)
    arrays["scale_norm"] = np.broadcast_to(5 - sign * 0.2 * TIME, shape)
    data = xr.Dataset({name: (VARIABLES[name].dims, np.asarray(value)) for name, value in arrays.items()})
    data["natural_lambda_H"] = (("seed", "run"), np.full(shape[:2], 1e4))
    network = next(iter(study.grids[profile].axes["network"]))
    counted = data.assign_coords(run=np.arange(rate.size), record=np.arange(RECORDS), network=network)
    return counted.expand_dims("network").assign_attrs(profile=profile)


def verdict(law, data):
    study, check = check_of(f"breakeven.{law}")
    return judge(laws()[f"breakeven.{law}"], study, check, data)


@pytest.mark.parametrize("law", ["max_lambda_h_over_rate", "max_lambda_km_over_rate", "max_ratio_km_over_rate",
                                 "max_lambda_h_over_batch_size", "max_lambda_km_over_batch_size"])  # fmt: skip
def test_a_true_conjecture_agrees_and_a_reversed_one_disagrees(law):
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        found = verdict(f"{law}_normalised", planted(sign))
        assert found.verdict is expected and found.trusted


def test_the_smallest_batch_and_the_plain_network_stand_apart():
    data = planted()
    sizes = compared(data, "batch_size")["batch_size"].values.tolist()
    assert sizes == sorted([size for size in BATCH_SIZES if size > 8] + [64]) or sizes == sorted(BATCH_SIZES)[1:]
    assert over(data, "learning_rate")["learning_rate"].values.tolist() == list(RATES)
    assert not bool(without(data)["normalised"])


def test_what_is_said_of_each_seed_is_said_of_the_right_runs():
    data = planted()
    assert verdict("normalised_scales_first_shrink", data).verdict is Verdict.AGREES
    assert verdict("normalised_scales_first_shrink", planted(-1.0)).verdict is Verdict.DISAGREES
    assert verdict("normalised_low_rate_lambda_km", data).verdict is Verdict.AGREES
    assert verdict("normalised_lambda_km_decays", data).verdict is Verdict.DISAGREES
    start = data["lambda_KM"].copy(deep=True)
    start[..., 0] = 1e6
    assert verdict("normalised_lambda_km_decays", data.assign(lambda_KM=start)).verdict is Verdict.AGREES
    plain_start = start.copy(deep=True)
    plain_start[:, :, -1, 0] = 2e6
    assert verdict("normalised_start_is_noisier", data.assign(lambda_KM=plain_start)).verdict is Verdict.DISAGREES
    plain_start[:, :, -1, 0] = 1.0
    assert verdict("normalised_start_is_noisier", data.assign(lambda_KM=plain_start)).verdict is Verdict.AGREES
    for name in ("ratio_km", "projection"):
        assert verdict(f"normalised_smallest_batch_{name}", data).verdict is Verdict.DISAGREES
        assert verdict(f"normalised_smallest_batch_{name}", planted(-1.0)).verdict is Verdict.AGREES


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_figures_draw_in_either_profile(figure):
    for profile in ("quick", "full"):
        data = {STUDY.name: planted(seeds=3, profile=profile)}
        assert drawn(figure, data).axes and figure.found(data).endswith(".")


def test_the_papers_pair_is_told_as_ratios():
    found = list(pair(planted()).values())
    assert found[0][0] == pytest.approx(12.05 / 3.30)
    least = pair(planted())["least ||g||/||g_5||"]
    assert least == (pytest.approx(1.37 / 1.09), pytest.approx(1.0, abs=0.5))
    assert found[0][1] == pytest.approx((0.02 / 0.16) ** -0.6 / 0.3, rel=0.1)


def test_the_image_laws_read_their_own_grids():
    for study in IMAGES:
        for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
            name = study.name.removeprefix("breakeven.").removesuffix("_trajectories")
            data = planted(sign, study=study)
            assert verdict(f"max_lambda_km_over_rate_{name}", data).verdict is expected
            assert verdict(f"max_lambda_h_raw_over_rate_{name}", data).verdict is expected


def test_without_a_file_the_network_sees_the_digits_block_by_block():
    large, small = enlarged(), digits()
    assert large.x_train.shape == (1000, 32, 32)
    blocks = large.x_train.reshape(1000, 8, BLOCK, 8, BLOCK)
    np.testing.assert_array_equal(blocks.mean(axis=(2, 4)).reshape(1000, 64), small.x_train)
    assert blocks.std(axis=(2, 4)).max() == 0


def test_every_statistic_on_images_is_weighed_in_either_view_over_either_control():
    for network in NETWORKS:
        for name in ("lambda_h", "lambda_km", "trace_km", "ratio_km"):
            for view in ("raw", "smoothed"):
                for rises, named in ((-1, law_of), (1, law_over_sizes)):
                    law = laws()[f"breakeven.{named(network, name, view)}"]
                    assert law.claim.direction == (-rises if name == "ratio_km" else rises)


def test_runs_over_either_control_on_images_are_told_apart():
    mlp = planted(study=IMAGES[1])
    rates = weighed(mlp, "mlp")
    assert rates["learning_rate"].values.tolist() == [0.03, 0.042, 0.06, 0.085, 0.12]
    assert set(rates["batch_size"].values.tolist()) == {32}
    sizes = over_sizes(mlp, "mlp")
    assert sizes["batch_size"].values.tolist() == [8, 16, 32, 128] and set(sizes["learning_rate"].values) == {0.03}
    few = over_sizes(planted(study=CONVOLUTIONAL), "simple_cnn")
    assert few["batch_size"].values.tolist() == list(CONVOLUTIONAL.grids["full"].settings["batch_size"])


@pytest.mark.parametrize("network", NETWORKS)
def test_a_batch_size_on_images_moves_what_it_is_planted_to_move(network):
    study, _ = SIZES[network]
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        data = planted(sign, study=study)
        for name in ("lambda_km", "ratio_km"):
            assert verdict(law_over_sizes(network, name, "smoothed"), data).verdict is expected


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("word", ["rate", "batch_size"])
def test_at_equal_loss_on_images_each_network_has_its_level(network, word):
    for sign, expected in ((1.0, Verdict.AGREES), (-1.0, Verdict.DISAGREES)):
        data = planted(sign, study=study_of(network, word))
        falling = data["loss"] * np.linspace(2.5, 0.0, RECORDS)
        law = f"lambda_km_at_equal_loss_over_{word}_{network}"
        assert verdict(law, data.assign(loss=falling)).verdict is expected
        never = verdict(law, data.assign(loss=0.6 * data["loss"] if network == "mlp" else 1.1 * data["loss"]))
        assert never.verdict is not Verdict.AGREES


def test_the_papers_numbers_stand_beside_those_of_its_network_on_images():
    figure, *_ = IMAGE_FIGURES
    data = {IMAGES[0].name: planted(seeds=3, study=IMAGES[0])}
    assert drawn(figure, data).axes and figure.found(data).endswith(".")
    factors = list(tenfold(data).values())
    assert factors[2] == pytest.approx((26.27 / 211.17, 10**-0.6), rel=0.1)


@pytest.mark.parametrize("figure", IMAGE_FIGURES[1:], ids=lambda figure: figure.name)
def test_the_flags_of_runs_on_images_are_told_by_run(figure):
    (name,) = figure.studies
    data = planted(seeds=3, study=studies()[name])
    assert drawn(figure, {name: data}).axes
    assert figure.found({name: data}).startswith("Of 3 seeds, by eta and S: all converge and bind.")
    unbound = data.assign(natural_lambda_H=data["natural_lambda_H"] * 0 + 1)
    assert "3 do not bind" in figure.found({name: unbound})


TINY = {
    "points": 16, "records": 3, "flow": 0.4, "natural_rate": 0.1, "natural_flow": 0.2, "lanczos_steps": 4,
    "gram_batches": 4, "gram_size": 4, "fresh": 2,
}  # fmt: skip


@pytest.mark.slow
def test_runs_of_one_network_share_their_start_and_blocks_are_averaged():
    replicates = Replicates(STUDY.name, {"network": "MLP-rand"}, (0,))
    settings = {**TINY, "rate": (0.1, 0.2, 0.1), "batch_size": (4, 4, 4), "normalised": (True, True, False), "block": 1}
    found = measure(replicates=replicates, data=digits(100), network="MLP-rand", run=np.arange(3), **settings)
    assert set(found) == set(VARIABLES)
    for name, array in found.items():
        assert np.isfinite(array).all(), name
    np.testing.assert_array_equal(found["lambda_KM"][0, 0, 0], found["lambda_KM"][0, 1, 0])
    assert found["lambda_KM"][0, 0, 0] != found["lambda_KM"][0, 2, 0]
    assert (found["scale_norm"][0, :2] > 0).all() and (found["scale_norm"][0, 2] == 0).all()
    images = np.arange(20 * 64).reshape(20, 8, 8) % 251
    blocks = Data(images.astype(np.uint8), np.arange(20) % 10, images[:5].astype(np.uint8), np.arange(5), 10, "planted")
    settings = {**TINY, "rate": (0.1,), "batch_size": (4,), "normalised": (False,), "block": 2}
    found = measure(replicates=replicates, data=blocks, network="MLP-rand", run=np.arange(1), **settings)
    assert np.isfinite(found["lambda_H"]).all()
    with pytest.raises(ValueError, match="no blocks of 3"):
        measure(replicates=replicates, data=blocks, network="MLP-rand", run=np.arange(1), **{**settings, "block": 3})
