"""The paper's experiment: its scalings, its task, its distances, and what its checks say of planted data."""

import numpy as np
import pytest
import xarray as xr

from experiments.compare import compare, for_rival
from experiments.study import Margin
from experiments.width import paper_checks
from experiments.width.divergence import divergence, excesses, gains, pseudo_values, supported, without_each
from experiments.width.families import FAMILIES, scaled
from experiments.width.paper import MODELS, PAPER, REFERENCE, log_steps
from experiments.width.paper_task import COMPONENTS, task
from numerics.data import Data, digits
from numerics.data_files import find_data_sets, load
from theory.registry import laws

TABLE = {
    "NTK": (-0.5, -1.0, 0.0),
    "MF": (-1.0, -1.0, 1.0),
    "sym-default": (-0.5, -0.5, 0.5),
    "default": (-0.5, 0.0, 0.0),
}
"""Powers of rho by which output scale and both learning rates are multiplied (original units)."""


@pytest.mark.parametrize("name", TABLE)
def test_the_factors_of_every_family(name):
    by = scaled(FAMILIES[name], 9.0)
    assert np.allclose([by.scale, by.output, by.inputs], [9.0**power for power in TABLE[name]])
    assert by.frozen == 0.0


def test_the_corrected_model_is_mean_field_with_the_references_initial_logits():
    plain, by = scaled(FAMILIES["MF"], 9.0), scaled(FAMILIES["IC-MF"], 9.0)
    assert (by.scale, by.output, by.inputs) == (plain.scale, plain.output, plain.inputs)
    assert np.isclose(by.scale * (1 + by.frozen), 1 / 3)
    assert scaled(FAMILIES["IC-MF"], 1.0).frozen == 0.0


def test_digits_become_a_balanced_task():
    made = task(digits(), 64, 100)
    assert made.x_train.shape == (64, COMPONENTS)
    assert set(made.y_train[:16]) == {-1.0, 1.0}
    assert made.y_train[:16].sum() == 0
    assert np.isclose(np.mean(np.sum(made.x_train**2, axis=1)), COMPONENTS, rtol=0.1)
    assert np.isclose(made.rate_inputs, 3.84)


def test_images_keep_their_pixels_and_two_classes():
    random = np.random.default_rng(0)
    images = random.integers(0, 256, size=(60, 8, 8, 3), dtype=np.uint8)
    labels = np.arange(60) % 3
    made = task(Data(images, labels, images, labels, classes=3, name="images"), 20, 10)
    assert made.x_train.shape == (20, 192)
    assert made.rate_inputs == made.rate_output == 0.02
    assert np.isclose(made.scale_inputs, 1 / np.sqrt(3 * 192))
    with pytest.raises(ValueError, match="points are wanted"):
        task(Data(images, labels, images, labels, classes=3, name="images"), 50, 10)


def test_cifar_is_the_papers_task():
    found = find_data_sets()
    if "cifar10_subset" not in found:
        pytest.skip("needs the folder that ASSAY_DATA names to hold cifar10_subset.npz")
    made = task(load(found["cifar10_subset"]), 1024, 2000)
    assert made.x_train.shape == (1024, 3072)
    assert abs(made.x_train.mean()) < 0.3, "these two classes are brighter than all ten"
    assert abs(made.x_train.std() - 1.0) < 0.1


def test_divergence_against_its_definition():
    random = np.random.default_rng(1)
    model, reference = random.normal(0.4, 1.5, (40, 3, 7)), random.normal(size=(50, 3, 7))
    v, w = model.var(axis=0, ddof=1), reference.var(axis=0, ddof=1)
    gap = model.mean(axis=0) - reference.mean(axis=0)
    truth = (v / w + gap**2 / w - 1 - np.log(v / w)).mean(axis=-1) / 2
    assert np.allclose(divergence(model, reference), truth)
    assert not np.allclose(divergence(reference, model), truth), "the order matters"


def test_jackknife_intervals_cover():
    """The interval of a log ratio of two spreads holds the truth about as often as it says."""
    hits = 0
    for trial in range(200):
        random = np.random.default_rng([7, trial])
        reference = random.normal(size=(16, 1, 40))
        models = {"a": 1.5 * random.normal(size=(16, 1, 40)), "b": 3.0 * random.normal(size=(16, 1, 40))}
        found = excesses(models, reference, "a", averaged=True)["b"]
        hits += bool(found.low[0] <= TRUTH <= found.high[0])
    assert hits >= 180


def test_an_interval_about_zero_settles_no_sign():
    noise = np.random.default_rng(11).normal(size=(3, 12, 1, 5))
    assert np.isnan(supported(excesses({"a": noise[0], "b": noise[1]}, noise[2], "a", averaged=True)["b"])).all()


def _population(ratio):
    return (ratio - 1 - np.log(ratio)) / 2


TRUTH = float(np.log(_population(9.0) / _population(2.25)))


def test_pseudo_values_take_off_a_bias():
    random = np.random.default_rng(2)
    biased = [np.var(random.normal(size=10)) for _ in range(400)]
    mended = []
    for _ in range(400):
        data = random.normal(size=10)
        mended.append(pseudo_values(np.var(data), np.array([np.var(np.delete(data, i)) for i in range(10)])).mean())
    assert abs(np.mean(biased) - 0.9) < 0.06
    assert abs(np.mean(mended) - 1.0) < 0.06


def test_divergences_without_each_seed_are_those_of_the_rest():
    random = np.random.default_rng(4)
    model, reference = random.normal(7.0, 1.5, (12, 3, 5)), random.normal(6.0, size=(12, 3, 5))
    found = without_each(model, reference)
    rest = [divergence(np.delete(model, i, axis=0), np.delete(reference, i, axis=0)) for i in range(12)]
    assert np.allclose(found, rest, rtol=1e-11)
    assert not np.allclose(found, divergence(model, reference), rtol=1e-3)


def planted(spreads, seeds=24):
    """A Dataset of the study with logits of given standard deviation over the reference's."""
    random = np.random.default_rng(5)
    steps = log_steps(500, 10)
    logits = np.stack([spread * random.normal(size=(seeds, len(steps), 30)) for spread in spreads.values()])
    kernel = np.ones((len(spreads), seeds, len(steps))) * np.linspace(1.0, 4.0, len(steps))
    made = xr.Dataset(
        {"logits": (("model", "seed", "step", "test_point"), logits), "kernel": (("model", "seed", "step"), kernel)},
        coords={"model": list(spreads), "step": list(steps)},
    )
    return made.expand_dims(setup=["16/16"])


FAITHFUL = {REFERENCE: 1.0, "IC-MF": 1.3, "MF": 0.3, "NTK": 4.0, "sym-default": 5.0, "default": 0.2}


CHECKS = {check.law: check for _, check in paper_checks.CHECKS}


def verdicts(data, law="width.ranking"):
    """Verdict on the law and on its rival."""
    stated, check = laws()[law], CHECKS[law]
    observed = check.observe(data)
    (rival,) = stated.rivals

    def weigh(claim, seen, **more):
        return compare(claim, seen, check.margin, minimum_effect=check.minimum_effect, **more).verdict.value

    return (
        weigh(stated.claim, observed),
        weigh(rival.claim, for_rival(observed, rival.name), against=stated.claim),
    )


@pytest.mark.parametrize("law", ["width.ranking", "width.ranking_late", "width.ranking_wide"])
def test_the_closest_model_is_found_and_its_rival_is_not(law):
    assert verdicts(planted(FAITHFUL), law) == ("agrees", "disagrees")


def test_a_model_that_is_not_the_closest_is_seen():
    assert verdicts(planted(FAITHFUL | {"IC-MF": 4.5})) == ("disagrees", "agrees"), "mean-field is the closest here"


def test_what_the_interval_does_not_settle_is_undecided():
    assert verdicts(planted(FAITHFUL | {"NTK": 1.35}))[0] == "undecided"


def test_equal_models_are_not_told_apart():
    """Where nothing tells two models apart, neither is found closer, about as often as the level says."""
    said = []
    for trial in range(40):
        noise = np.random.default_rng([13, trial]).normal(size=(4, 16, 5, 40))
        found = gains({"a": noise[0], "b": noise[1]}, noise[3], "a")
        seen = xr.Dataset({"measured": (("seed", "step"), found[:, 0])}, coords={"k": ("step", np.arange(5))})
        said.append(compare(laws()["width.ranking"].claim, seen, Margin(0.1, "physics", "here"), minimum_effect=0.1))
    assert sum(one.verdict.value == "agrees" for one in said) <= 2


def test_lost_logits_are_refused_by_name():
    data = planted(FAITHFUL)
    lost = data.where((data["model"] != "NTK") | (xr.DataArray(np.arange(24), dims="seed") != 3))
    with pytest.raises(ValueError, match="logits of NTK are not finite"):
        paper_checks.ranking(lost)
    paper_checks.ranking(data)


def test_setups_are_parts_of_their_own():
    both = xr.concat([planted(FAITHFUL), planted(FAITHFUL | {"MF": 1.3})], dim="setup").assign_coords(setup=["a", "b"])
    law = laws()["width.ranking_setups"]
    found = compare(law.claim, paper_checks.ranking_setups(both), Margin(0.1, "physics", "here"), minimum_effect=0.1)
    assert [part.verdict.value == "agrees" for part in found.parts] == [True, False]


def test_gains_end_at_the_ratio_of_geometric_means():
    data = planted({REFERENCE: 1.0, "IC-MF": 1.5, "MF": 3.0})
    models, reference = paper_checks.logits_of(data.isel(setup=0))
    kept = np.arange(reference.shape[0])
    whole = np.mean(np.log(divergence(models["MF"], reference) / divergence(models["IC-MF"], reference)))
    without = [
        np.mean(
            np.log(
                divergence(models["MF"][np.delete(kept, seed)], reference[np.delete(kept, seed)])
                / divergence(models["IC-MF"][np.delete(kept, seed)], reference[np.delete(kept, seed)])
            )
        )
        for seed in kept
    ]
    found = gains(models, reference, "IC-MF")[:, 0, -1]
    assert np.allclose(found, kept.size * whole - (kept.size - 1) * np.array(without))


def test_kernels_that_grow_alike():
    data = planted({REFERENCE: 1.0, "IC-MF": 1.0, "MF": 1.0})
    observed = paper_checks.growth(data)
    assert np.allclose(observed["measured"], 4.0)
    assert float(observed["growth_ref"]) == 4.0


def test_every_model_is_measured():
    assert set(PAPER.grids["quick"].axes["model"]) == set(MODELS) == {REFERENCE, *FAMILIES}
