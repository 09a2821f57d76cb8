"""The studies of runs, of spellings and of initial sums: planted powers, exact partners, and the maps."""

from dataclasses import replace
from functools import cache

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from quick_grids import measured
from sympy import Rational, Symbol

from experiments.compare import compare, for_rival
from experiments.comparison import Verdict
from experiments.registry import check_of, studies
from experiments.study import Replicates
from experiments.verdict import judge
from experiments.width import exact_map, initial_sums, region_map, run_checks, runs, spellings
from experiments.width.run_points import PLACES, QUICK
from theory.claims import Formula
from theory.predictors import Undefined
from theory.registry import laws
from theory.width import census, regions
from theory.width.exponents import GRADIENT_DESCENT, all_exponents, w

WIDTHS = np.array([256.0, 1024.0, 4096.0])


def served(name: str, step: int) -> dict[str, float]:
    """Exponents before a step, from the algebra; weights of other sizes by the laws of the first lemma."""
    place = PLACES[name]
    at = {w.q_sigma: Rational(str(place.q_sigma)), w.q_a: Rational(str(place.q_a)), w.q_w: Rational(str(place.q_w))}
    found = all_exponents(GRADIENT_DESCENT.after(step, at))
    return {key: np.nan if isinstance(value, Undefined) else float(value) for key, value in found.items()}


@cache
def planted(noise: float = 0.02) -> xr.Dataset:
    """A dataset of powers that every law of the runs allows, with noise from seed to seed."""
    shapes = {name: variable.dims for name, variable in runs.STUDY.variables.items()}
    sizes = {"place": len(PLACES), "step": len(runs.STEPS), "layer": 2, "kernel": 2, "increment": 3}
    powers = {name: np.zeros([sizes[dim] for dim in dims[1:]]) for name, dims in shapes.items()}
    for row, (name, place) in enumerate(PLACES.items()):
        for step in runs.STEPS:
            if place.signs:
                size, start = place.q_a, place.q_sigma + 0.5
                mean = place.q_sigma + 1 + size + max(0.0, size)
                powers["change"][row, step], powers["logits"][row, step] = mean, max(start, mean)
                continue
            now, later = served(name, step), served(name, step + 1)
            alpha, omega = place.alpha, place.omega
            by_a, by_w = now["f_linear_a"] + 2 * omega, now["f_linear_w"] + 2 * alpha
            powers["logits_linear"][row, step] = by_a, by_w
            powers["change"][row, step] = max(by_a, by_w)
            powers["logits"][row, step] = now["f"]
            powers["kernels"][row, step] = now["K_a"], now["K_w"]
            powers["weights"][row, step] = now["a"], now["w"]
            powers["moves"][row, step] = (place.q_sigma + place.q_a + now["w"], place.q_sigma + place.q_w + now["a"])
            powers["increments"][row, step] = now["K_linear_aw"], now["K_linear_ww"], now["K_linear_wa"]
            if name == "above" and step == 1:
                powers["increments"][row, step, 1] = 2.5
            assert later["a"] >= now["a"]
    default = served("default", 0)
    powers["first_logits"] = np.array(default["f"])
    powers["first_logits_linear"] = np.array([default["f_linear_a"], default["f_linear_w"]])
    powers["first_kernels"] = np.array([default["K_a"], default["K_w"]])
    powers["first_increments"] = np.array([default[f"K_linear_{name}"] for name in ("aw", "ww", "wa")])
    draw = np.random.default_rng(0)
    variables = {}
    for name, values in powers.items():
        shape = (WIDTHS.size, 28, *values.shape)
        scale = WIDTHS.reshape(-1, *[1] * (values.ndim + 1)) ** np.nan_to_num(values)
        variables[name] = (("width", *shapes[name]), scale * np.exp(noise * draw.standard_normal(shape)))
    return xr.Dataset(variables, coords={"width": WIDTHS, "place": list(PLACES), "step": list(runs.STEPS)})


@pytest.mark.parametrize("name", [check.law for _, check in run_checks.CHECKS])
def test_planted_powers_agree_and_their_rivals_do_not(name):
    _, check = check_of(name)
    observed, law = check.observe(planted()), laws()[name]
    assert compare(law.claim, observed, check.margin).verdict is Verdict.AGREES
    for rival in law.rivals:
        found = compare(rival.claim, for_rival(observed, rival.name), check.margin, against=law.claim)
        assert found.verdict is Verdict.DISAGREES, rival.name


def test_places_lie_near_the_edges_and_one_that_a_profile_lacks_is_left_out():
    """A quarter from every edge on either side; the quick profile lacks the place just above that of growth."""
    whole = planted()
    for observe, control, edge in (
        (run_checks.settled, "q_a + 2*q_sigma + q_w", 0.0),
        (run_checks.learning, "Max(q_a + q_sigma, q_sigma + q_w)", -0.5),
        (run_checks.learning_by_signs, "q_sign", -0.5),
    ):
        beside = observe(whole)[control].values - edge
        assert beside[beside > 0].min() == 0.25 and -beside[beside < 0].max() == 0.25
    fewer = run_checks.settled(whole.sel(place=list(QUICK)))
    assert set(run_checks.settled(whole)["point"].values) - set(fewer["point"].values) == {"output leads little"}


def test_a_seed_takes_the_networks_of_its_place_and_one_compilation_a_width():
    grid = studies()["width.runs"].grids["quick"]
    settings = {**grid.settings, "first": 2, "width": 16, "data": None}
    inner = {"place": np.array(["default", "sign 0"]), "step": np.array([0, 1])}
    before = runs._groups._cache_size()
    for ids in ((0,), (1,)):
        found = runs.measure(replicates=Replicates("width.runs", {"width": 16}, ids), **inner, **settings)
        assert set(found) == set(runs.STUDY.variables)
        assert all(np.isfinite(values).all() for values in found.values())
        assert found["weights"].shape == (1, 2, 2, 2)
    assert runs._groups._cache_size() == before + 1
    unit = runs._inputs_of((3,), 2)
    np.testing.assert_allclose(jnp.linalg.norm(unit.for_a, axis=-1), 1.0, rtol=1e-12)


def test_sign_steps_have_the_size_of_their_rate():
    found = runs.measure(
        replicates=Replicates("width.runs", {"width": 16}, (0,)), data=None, width=16, factor=1, first=2, rate=4.0,
        draw=0,
        place=np.array(["sign -3/4", "default"]), step=np.array([0, 1]),
    )  # fmt: skip
    np.testing.assert_allclose(found["moves"][0, 0], 1 / 8, rtol=1e-12)
    assert not np.allclose(found["moves"][0, 1], 1 / 8)


# --- spellings ----------------------------------------------------------------------------------------------


def test_rounding_that_a_run_carries_on_is_no_disagreement():
    """Seed 19375, default: for some steps of large logits what was rounded before grows a thousandfold."""
    study = spellings.STUDY
    data = measured(study, replace(study.grids["quick"], seeds=1, first_seed=19375))
    for law in ("width.hat_units", "width.abc_units"):
        result = judge(laws()[law], study, check_of(law)[1], data)
        assert result.verdict is Verdict.AGREES and all(control.fires for control in result.controls)
    bound = spellings._bound(data).sel(family="default").isel(seed=0)
    assert float(bound.max() / bound[0]) > 100, "the run carries on what was rounded"
    gap = abs(data["original"] - data["hat"]).sel(family="default").isel(seed=0).max("point")
    assert float((gap / bound[0]).max()) > 1, "a bound that does not grow would not do"


def test_spellings_agree_to_rounding_and_wrong_ones_do_not():
    families = np.array(list(spellings.SPELLINGS))
    found = spellings.measure(
        replicates=Replicates("test", {}, (0,)), data=None, family=families, width=24, reference=8, steps=10
    )
    size = np.abs(found["hat"]).max()
    for name in ("original", "abc"):
        np.testing.assert_allclose(found[name], found["hat"], atol=1e-13 * size)
    assert np.abs(found["hat_over_sigma"] - found["hat"]).max() > 1e-3 * size
    assert np.abs(found["hat_without_size"] - found["hat"]).max() > 1e-3 * size


def test_a_measured_side_of_a_rival_is_read_though_the_law_says_otherwise():
    data = xr.Dataset({"left": ("x", [1.0]), "right": ("x", [1.0]), "right[twice]": ("x", [2.0]), "bound": 0.1})
    law, rival = laws()["width.hat_units"].claim, laws()["width.hat_units"].rivals[0].claim
    margin = check_of("width.hat_units")[1].margin
    assert compare(law, data, margin).verdict is Verdict.AGREES
    assert compare(rival, for_rival(data, "twice"), margin, against=law).verdict is Verdict.DISAGREES


# --- initial sums -------------------------------------------------------------------------------------------


def test_groups_draw_what_their_width_asks_for():
    grid = initial_sums.STUDY.grids["quick"]
    inner = {name: np.array(values) for name, values in grid.inner.items()}
    settings = {**grid.settings, "neurons": 2**12, "unusual": 4}
    found = initial_sums.measure(replicates=Replicates("test", {}, (0, 1)), data=None, width=64, **inner, **settings)
    assert {name: values.shape for name, values in found.items()} == {
        "mean_kernel": (2, 5, 2), "square": (2, 5, 2), "pair_kernel": (2, 3), "typical": (2, 2)
    }  # fmt: skip
    np.testing.assert_allclose(found["square"][:, 1] / found["square"][:, 0], 4.0, rtol=1e-12)


def test_ratios_of_planted_means_are_those_of_the_law():
    widths, draw = np.array([256.0, 1024.0]), np.random.default_rng(1)
    law = laws()["width.initial_kernel_ratio"]
    assert isinstance(law.claim, Formula)
    powers = np.array([2 * q_sigma + q + 1 for q_sigma, q in initial_sums.SCALINGS.values()])
    values = (widths[:, None, None, None] ** powers[:, None]) * np.exp(0.05 * draw.standard_normal((2, 40, 5, 2)))
    data = xr.Dataset({"mean_kernel": (("width", "seed", "scaling", "layer"), values)},
                      coords={"width": widths, "scaling": list(initial_sums.SCALINGS)})  # fmt: skip
    _, check = check_of(law.name)
    assert compare(law.claim, check.observe(data), check.margin).verdict is Verdict.AGREES
    assert compare(law.rivals[0].claim, check.observe(data), check.margin).verdict is Verdict.DISAGREES


# --- maps ---------------------------------------------------------------------------------------------------


def test_cells_of_the_map_have_the_dimension_of_their_region_and_their_vertices():
    for signs in regions.CELLS:
        corners = exact_map.cell(region_map.FRAME, regions.FORMS, signs, region_map.PLANE)
        assert min(len(corners), 3) == regions.dimension(signs) + 1
        if regions.dimension(signs) == 0:
            assert list(corners[0]) == census.vertex(signs)
    nowhere = exact_map.cell(region_map.FRAME, regions.FORMS, (-1, 1, -1, -1), region_map.PLANE)
    assert len(nowhere) <= 1, "the second order is the sum of the first and the third"


def test_clipping_is_exact():
    x, y = Symbol("x"), Symbol("y")
    third = exact_map.clipped(exact_map.box((0, 0), (1, 1)), Rational(1, 3) - x, (x, y))
    assert set(third) == {(0, 0), (Rational(1, 3), 0), (Rational(1, 3), 1), (0, 1)}
    assert exact_map.clipped(exact_map.box((0, 0), (1, 1)), x - 2, (x, y)) == ()
