"""The topic's studies at small size: what they measure, and that each law agrees where its rivals do not.

A property test of each law: the symbolic prediction against the numeric estimator on drawn parameters.
"""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.breakeven.closures import (
    fixed_ratio,
    fixed_variance,
    lower_edge,
    pattern,
    proportional,
    upper_edge,
)
from experiments.breakeven.edge_of_stability import STUDY as EDGE_OF_STABILITY
from experiments.breakeven.edge_of_stability import late_sharpness
from experiments.breakeven.sampling import SCHEMES
from experiments.breakeven.second_moment import STUDY as SECOND_MOMENT
from experiments.bridge import predict
from experiments.comparison import Verdict
from experiments.registry import check_of, studies
from experiments.study import Replicates
from experiments.verdict import judge
from numerics.quadratics import Quadratics, batch_losses, gamma_curvatures, growth
from theory.registry import laws, select

positive = st.floats(0.1, 2)


def measured(study, profile="quick", seeds=None, **axes):
    """Dataset of a study, measured here without a store; `axes` keeps some values of the cell axes."""
    grid = study.grids[profile]
    chosen = {name: tuple(axes.get(name, values)) for name, values in grid.axes.items()}
    data = study.data() if study.data else None
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    rows = []

    def fill(done, rest):
        if not rest:
            replicates = Replicates(study.name, dict(done), tuple(range(seeds or grid.seeds)))
            found = study.measure(replicates=replicates, data=data, **done, **inner, **grid.settings)
            arrays = {name: (study.variables[name].dims, np.asarray(value)) for name, value in found.items()}
            return xr.Dataset(arrays, coords=dict(inner))
        (name, values), *later = rest
        parts = [fill({**done, name: value}, later) for value in values]
        return xr.concat(parts, dim=xr.DataArray(list(values), dims=name, name=name))

    rows = fill({}, list(chosen.items()))
    return rows


NUMPY_STUDIES = [study for name, study in studies().items() if study.topic == "breakeven" and study.data is None]


@pytest.mark.parametrize("study", NUMPY_STUDIES, ids=lambda study: study.name)
def test_every_law_agrees_and_every_control_disagrees(study):
    data = measured(study)
    for check in study.checks:
        result = judge(laws()[check.law], study, check, data)
        assert result.verdict is Verdict.AGREES, (check.law, result.comparison.worst)
        assert result.controls
        silent = [control.name for control in result.controls if not control.fires]
        assert not silent, f"{check.law}: {silent}"


@pytest.mark.parametrize("study", NUMPY_STUDIES, ids=lambda study: study.name)
def test_what_is_stored_has_the_declared_dimensions(study):
    grid = study.grids["quick"]
    first = {name: values[0] for name, values in grid.axes.items()}
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    found = study.measure(
        replicates=Replicates(study.name, first, (0, 1)), data=None, **first, **inner, **grid.settings
    )
    assert set(found) == set(study.variables)
    for name, variable in study.variables.items():
        assert found[name].shape[0] == 2
        assert found[name].ndim == len(variable.dims)
        for size, dim in zip(found[name].shape, variable.dims, strict=True):
            assert dim not in inner or size == inner[dim].size


@settings(max_examples=8)
@given(
    st.integers(2, 7),
    st.integers(1, 7),
    st.floats(0.05, 2),
    st.floats(0.2, 3),
    st.floats(0.1, 2),
    st.booleans(),
)
def test_growth_over_every_batch_is_the_predicted_one(population, size, rate, mean, ratio, replacement):
    scheme = SCHEMES["independent" if replacement else "distinct"]
    size = min(size, population, 4)
    curvatures = gamma_curvatures(population, mean, ratio)
    losses = Quadratics(curvatures, np.zeros(population))
    found = growth(batch_losses(losses, scheme.every(population, size)), 1.5, rate)
    inputs = {
        "eta": rate, "lam": curvatures.mean(), "s2": curvatures.var(), "N": population, "S": size,
        "w": scheme.indicator,
    }  # fmt: skip
    law = laws()["breakeven.second_moment"]
    assert found == pytest.approx(float(predict(law.claim.value, inputs)), rel=1e-10)
    if size < population and not replacement:
        assert found != pytest.approx(float(predict(law.rivals[0].claim.value, inputs)), rel=1e-6)


@settings(max_examples=8)
@given(st.integers(3, 6), st.integers(1, 3), st.floats(0.05, 2), st.floats(0.1, 0.9), st.floats(0.5, 3))
def test_edges_over_every_batch_are_the_predicted_ones(population, size, rate, noise, distance):
    every = SCHEMES["distinct"].every(population, min(size, population - 1))
    deviations = pattern(population)
    size = every.shape[1]
    inputs = {"eta": rate, "N": population, "S": size, "w": 1}

    deviation = noise / rate
    family = fixed_variance(deviations, deviation)
    claim = laws()["breakeven.curvature_edge_fixed_variance"].claim
    at = {**inputs, "s2": deviation**2}
    assert upper_edge(family, 1.0, rate, every) == pytest.approx(float(predict(claim.upper, at)), rel=1e-8)
    assert lower_edge(family, 1.0, rate, every) == pytest.approx(float(predict(claim.lower, at)), rel=1e-7)

    family = fixed_ratio(deviations, noise)
    curve = laws()["breakeven.curvature_edge_fixed_ratio"].claim.curve
    found = upper_edge(family, 1.0, rate, every)
    assert found == pytest.approx(float(predict(curve, {**inputs, "kappa": noise})), rel=1e-8)
    assert found <= 2 / rate

    alpha = noise * distance**2 / rate
    family = proportional(deviations, alpha, distance)
    value = laws()["breakeven.curvature_edge_paper"].claim.value
    found = upper_edge(family, distance, rate, every)
    assert found == pytest.approx(float(predict(value, {**inputs, "alpha": alpha, "psi": distance})), rel=1e-8)


def test_scattered_minima_are_measured_by_the_same_code_and_differ():
    data = measured(SECOND_MOMENT, seeds=2, scheme=("distinct",))
    growth_ = data["growth"].isel(step=0).sel(batch_size=1)
    assert (growth_.sel(system="scattered minima") > growth_.sel(system="one minimum")).all()


def test_draws_do_not_depend_on_how_many_seeds_there_are():
    few, more = (measured(SECOND_MOMENT, seeds=n, scheme=("distinct",)) for n in (1, 2))
    assert np.array_equal(few["growth"].isel(seed=0), more["growth"].isel(seed=0))
    assert not np.array_equal(more["growth"].isel(seed=0), more["growth"].isel(seed=1))


def test_late_sharpness_is_the_mean_of_the_second_half():
    records = np.concatenate([np.zeros(5), np.full(5, 8.0)])
    data = xr.Dataset(
        {
            "sharpness": (("seed", "learning_rate", "record"), records[None, None]),
            "residual": (("seed", "learning_rate", "record"), 0.01 * records[None, None]),
        },
        coords={"learning_rate": [0.25]},
    )
    found = late_sharpness(data)
    assert found["measured"].values.tolist() == [[8.0]]
    assert late_sharpness(data.assign(residual=0.1 * data["sharpness"]))["measured"].isnull().all()
    assert found["eta"].values.tolist() == [0.25]


@pytest.fixture(scope="module")
def trained():
    """The edge-of-stability study at its larger rates and fewer steps; the network is at the edge by then."""
    grid = EDGE_OF_STABILITY.grids["quick"]
    inner = {"learning_rate": (0.2, 0.25)}
    short = replace(grid, inner=inner, settings={**grid.settings, "steps": 900, "records": 18})
    return measured(replace(EDGE_OF_STABILITY, grids={"quick": short}))


def test_gradient_descent_rests_at_the_edge_and_the_control_below_it(trained):
    study, check = check_of("breakeven.edge_of_stability")
    result = judge(laws()["breakeven.edge_of_stability"], study, check, trained)
    assert result.verdict is Verdict.AGREES, result.comparison.worst
    assert all(control.fires for control in result.controls)


def test_the_network_sharpens_up_to_the_edge_and_the_control_never_reaches_it(trained):
    scaled = trained["sharpness"] * trained["learning_rate"] / 2
    binding, control = scaled.sel(task="random labels"), scaled.sel(task="constant target")
    assert (binding.isel(record=0) < 0.9).all()
    assert (binding.max("record") > 1.0).all()
    assert (control.max("record") < 0.95).all()
    records = binding.sizes["record"]
    late = scaled.isel(record=slice(records // 2, None)).mean("record")  # breakeven:V9
    assert ((late.sel(task="random labels") > 0.95) & (late.sel(task="random labels") < 1.15)).all()
    assert (late.sel(task="constant target") < 0.7).all()
    assert (trained["residual"] < 0.2 * trained["sharpness"]).all()
    assert (trained["loss"].isel(record=-1) < 0.2 * trained["loss"].isel(record=0)).all()


def test_too_few_rows_are_refused_in_one_sentence():
    grid = EDGE_OF_STABILITY.grids["quick"]
    data = EDGE_OF_STABILITY.data()
    with pytest.raises(ValueError, match=r"^edge_of_stability: 1000 rows; 4000 are needed; pass more data$"):
        EDGE_OF_STABILITY.measure(
            replicates=Replicates("breakeven.edge_of_stability", {}, (0,)), data=data, task="random labels",
            learning_rate=np.array([0.2]), **{**grid.settings, "points": 4000},
        )  # fmt: skip


def test_every_law_of_the_topic_has_a_study():
    assert {law.name for law in select(("breakeven",))} == {
        check.law for study in studies().values() if study.topic == "breakeven" for check in study.checks
    }
