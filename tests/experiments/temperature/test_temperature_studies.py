"""Each temperature law: the symbolic prediction against the numeric estimator, and the studies with their controls."""

import os
from functools import cache
from itertools import product
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from quick_grids import shortcomings

from experiments.bridge import predict
from experiments.registry import check_of, studies
from experiments.study import Replicates
from experiments.temperature import early_learning, label_smoothing, nonlinear_time
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.data_files import load
from numerics.models import mlp
from theory.registry import laws, select

SHAPES = ((3, 6),)
"""Points and classes of the property tests, one compilation each; ``test_drawn_identities.py`` draws all others."""

LEAST_RESIDUAL = 1e-10
"""Below it the gradient of the loss, formed as a softmax minus a label, is all rounding."""


def dataset(study, points=32, width=32, seeds=10, data=None, **kept):
    """The quick study on narrower networks, measured here without a store."""
    grid = study.grids["quick"]
    sizes = {"points": points, "width": width}
    chosen = {k: sizes.get(k, v) for k, v in grid.settings.items()}
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    data = data or (study.data() if study.data else None)
    cells = []
    for values in product(*grid.axes.values()):
        cell = dict(zip(grid.axes, values, strict=True))
        if (grid.keep and not grid.keep(cell)) or any(cell[k] not in v for k, v in kept.items()):
            continue
        replicates = Replicates(study.name, cell, tuple(range(seeds)))
        found = study.measure(replicates=replicates, data=data, **cell, **inner, **chosen)
        arrays = {name: (study.variables[name].dims, np.asarray(array)) for name, array in found.items()}
        cells.append(xr.Dataset(arrays, coords=inner).expand_dims({k: [v] for k, v in cell.items()}))
    return xr.combine_by_coords(cells, join="outer")


def a_problem(points, classes, seed):
    """Inputs, labels and key of a small problem."""
    key, of_inputs, of_labels = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(of_inputs, (points, 8))
    labels = jax.random.randint(of_labels, (points,), 0, classes)
    return key, x, jax.nn.one_hot(labels, classes, dtype=float)


def small_network(classes):
    return mlp(inputs=8, width=16, depth=1, classes=classes, activation=ACTIVATIONS["erf"])


@cache
def early(points, classes):
    """Rates of one seed at one point of the plane, compiled once for each shape."""
    run = lambda key, x, y, beta, scale: early_learning.at_point(  # noqa: E731
        small_network(classes), losses.cross_entropy, 1e-4, key, x, y, beta, scale
    )
    return jax.jit(run)


@cache
def late(points, classes):
    """Second derivatives of one seed at one point of the plane, compiled once for each shape."""

    def run(key, x, y, beta, scale, learning_rate):
        whole, first = nonlinear_time.one_half(small_network(classes), key, x, beta, scale)
        return nonlinear_time.at_point(whole, first, losses.cross_entropy, y, beta, learning_rate)

    return jax.jit(run)


def as_dataset(study, found, beta):
    """One seed and one point as the study's Dataset."""
    arrays = {}
    for name, array in found.items():
        dims = study.variables[name].dims
        arrays[name] = (dims, np.asarray(array)[(None,) * (len(dims) - np.ndim(array))])
    return xr.Dataset(arrays, coords={"beta": [beta]})


drawn = {
    "shape": st.sampled_from(SHAPES),
    "seed": st.integers(0, 2**31),
    "beta": st.floats(-3, 3).map(lambda e: 10.0**e),
    "scale": st.floats(-4, 4).map(lambda e: 10.0**e),
}


@settings(max_examples=10)
@given(**drawn)
@example(shape=SHAPES[0], seed=0, beta=1e3, scale=1e-4)
@example(shape=SHAPES[0], seed=1, beta=1e-3, scale=1e4)
def test_rate_and_timescale_are_what_the_laws_predict(shape, seed, beta, scale):
    found = early(*shape)(*a_problem(*shape, seed), jnp.asarray(beta), jnp.asarray(scale))
    assume(float(found["residual"]) > LEAST_RESIDUAL)
    ends = {"uniform_drive": 1.0, "winner_drive": 1.0, "label_drive": 1.0}
    data = as_dataset(early_learning.STUDY, {**found, **ends}, beta)
    flow = early_learning.flow(data)
    predicted = predict(laws()["temperature.logit_flow"].claim.right, flow)
    assert float((abs(flow["left"] - predicted) / flow["bound"]).max()) <= 1.0
    time = early_learning.early_time(data)
    ratio = time["measured"] / predict(laws()["temperature.tau_z"].claim.value, time)
    assert float(abs(ratio - 1).max()) <= float(time["relative_error"].max())
    wrong = predict(laws()["temperature.tau_z"].rivals[0].claim.value, time)
    if abs(beta - 1) > 0.01:
        assert float(abs(time["measured"] / wrong - 1).max()) > 1e-3


@settings(max_examples=10)
@given(**drawn, other=st.floats(-3, 3).map(lambda e: 10.0**e))
def test_the_timescale_is_the_same_at_two_temperatures(shape, seed, beta, scale, other):
    problem = a_problem(*shape, seed)
    run = early(*shape)
    scaled = []
    for b in (beta, other):
        found = run(*problem, jnp.asarray(b), jnp.asarray(scale))
        assume(float(found["residual"]) > LEAST_RESIDUAL)
        rate = float(jnp.linalg.norm(found["rate"]))
        scaled.append(float(found["learning_rate"]) * b**2 * float(found["start"]) / rate)
    assert scaled[0] == pytest.approx(scaled[1], rel=1e-9 * (1 + 1 / float(found["residual"])))


@settings(max_examples=10)
@given(**drawn, rate=st.floats(-3, 3).map(lambda e: 10.0**e))
def test_second_derivative_and_nonlinear_time_are_what_the_laws_predict(shape, seed, beta, scale, rate):
    problem = a_problem(*shape, seed)
    results = []
    for b in (beta, 3 * beta):
        found = late(*shape)(*problem, *(jnp.asarray(v) for v in (b, scale, rate)))
        assume(float(found["residual"]) > LEAST_RESIDUAL)
        results.append(as_dataset(nonlinear_time.STUDY, {**found, "learning_rate": rate}, b))
    both = nonlinear_time.split(results[0])
    predicted = predict(laws()["temperature.second_derivative_split"].claim.right, both)
    assert float((abs(both["left"] - predicted) / both["bound"]).max()) <= 1.0
    slow, fast = (float(nonlinear_time.nonlinear(r)["measured"].squeeze()) for r in results)
    exponent = float(laws()["temperature.tau_nl"].claim.exponent)
    lost = max(float(nonlinear_time.conditioning(r).max()) for r in results) * max(1.0, beta)
    assert np.log(fast / slow) / np.log(3) == pytest.approx(exponent, abs=1e-11 * lost)


@pytest.fixture(scope="module")
def measured():
    """The three studies on narrow networks."""
    return {
        early_learning.STUDY.name: dataset(early_learning.STUDY),
        nonlinear_time.STUDY.name: dataset(nonlinear_time.STUDY),
        label_smoothing.STUDY.name: dataset(label_smoothing.STUDY, points=4096),
    }


OWN = {check.law for s in (early_learning.STUDY, nonlinear_time.STUDY, label_smoothing.STUDY)
       for check in studies()[s.name].checks}  # fmt: skip


@pytest.mark.parametrize("law", [law for law in select(("temperature",)) if law.name in OWN], ids=lambda law: law.name)
def test_a_law_agrees_and_all_its_controls_disagree(measured, law):
    assert shortcomings(law.name, measured[check_of(law.name)[0].name]) == []


def test_both_halves_trained_double_the_exponent(measured):
    data = measured["temperature.nonlinear_time"].sel(
        system="both_halves", activation="erf", logit_scale=1e-2, beta=slice(1.0, None)
    )
    times = nonlinear_time.nonlinear(data)["measured"]
    slopes = np.polyfit(np.log(data["beta"]), np.log(times.transpose("beta", "seed")), 1)[0]
    np.testing.assert_allclose(slopes, 2.0, atol=1e-3)


def test_one_compilation_serves_every_system(measured):
    assert early_learning.compiled(32, 10, 32, 2)._cache_size() == 1
    assert nonlinear_time.compiled(nonlinear_time.one_half, 32, 10, 32, 2)._cache_size() == 1
    assert nonlinear_time.compiled(nonlinear_time.both_halves, 32, 10, 32, 2)._cache_size() == 1


def test_images_from_a_file_are_measured_by_the_same_call(measured):
    folder = os.environ.get("ASSAY_DATA")
    path = Path(folder or ".") / "cifar10_subset.npz"
    if not path.exists():
        pytest.skip(f"{path} is not there; set ASSAY_DATA to a folder that holds it")
    cifar = load(path)
    found = dataset(early_learning.STUDY, data=cifar, system=("cross_entropy",), activation=("erf",))
    time = early_learning.early_time(found.sel(system="cross_entropy", activation="erf"))
    ratio = time["measured"] / predict(laws()["temperature.tau_z"].claim.value, time)
    assert float(abs(ratio - 1).max()) < 1e-6
    assert early_learning.compiled(32, 10, 32, 2)._cache_size() == 1


def test_a_system_that_no_law_describes_is_told_apart(measured):
    """The partner of the property tests: with the mean-squared loss the flow law fails by many bounds."""
    data = measured["temperature.early_learning"].sel(system="mean_squared", activation="erf")
    flow = early_learning.flow(data)
    assert float((abs(flow["left"] - flow["right"]) / flow["bound"]).max()) > 1e6
