"""Studies of training: what they measure against closed forms and independent routes, and their readings of data."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from experiments.bridge import predict
from experiments.figures import figures
from experiments.study import Replicates
from experiments.temperature import (
    correlated_start,
    deviation,
    deviation_time_in_width,
    full_training,
    sign_descent,
    stability_edge,
    time_to_accuracy,
    training_equivalences,
)
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.data import digits
from numerics.models import mlp
from numerics.tangent import as_matrix, tangent_kernel
from theory.registry import laws


def measured(study, seeds=2, cell=None, inner=None, **sizes):
    """A study's Dataset for one cell, measured here without a store."""
    grid = study.grids["quick"]
    inner = {name: np.asarray(values) for name, values in {**grid.inner, **(inner or {})}.items()}
    replicates = Replicates(study.name, cell or {}, tuple(range(seeds)))
    data = study.data() if study.data else None
    found = study.measure(replicates=replicates, data=data, **(cell or {}), **inner, **{**grid.settings, **sizes})
    arrays = {name: (study.variables[name].dims, np.asarray(array)) for name, array in found.items()}
    return xr.Dataset(arrays, coords=inner).assign_coords(cell or {})


@cache
def twins(system):
    """Both trainings of a small network at temperatures that no grid holds."""
    inner = {"beta": (0.37, 4.2), "momentum": (0.6,), "step": (0, 1, 12)}
    cell = {"system": system, "rule": "heavy_ball"}
    return measured(training_equivalences.STUDY, 1, cell, inner, points=8, width=8, channels=2)


@pytest.mark.parametrize(("system", "same"), [("mlp", True), ("bent_logits", False)])
def test_twins_train_alike_unless_the_logits_are_bent(system, same):
    found = training_equivalences.both(twins(system), "one learning rate")
    gap = abs(found["left"] - found["right"])
    assert bool((gap <= found["bound"]).all()) is same
    kept = abs(found["left"] - found["right[one learning rate]"])
    assert bool((kept > found["bound"]).any())


def test_a_one_ulp_start_is_no_other_start():
    response = twins("mlp")["response"]
    scaled = twins("mlp")["scaled"]
    assert bool((response > 0).all())
    assert float(response.max()) < 1e-10 * float(abs(scaled).max())


@settings(max_examples=5)
@given(beta=st.floats(0.05, 20.0))
@example(beta=1.0)
def test_the_steepest_softmax_is_no_flatter_than_any(beta):
    """Half the kernel bounds the Gauss-Newton matrix at beta = 1, and is its own largest eigenvalue."""
    network = mlp(inputs=4, width=6, depth=1, classes=3, activation=ACTIVATIONS["erf"])
    params, x = network.init(jax.random.key(0)), jnp.asarray(np.random.default_rng(0).standard_normal((5, 4)))
    found = float(training_equivalences.steepest(lambda p: network.apply(p, x), params, 300))
    p = np.asarray(losses.softmax(network.apply(params, x), beta))
    blocks = [np.diag(row) - np.outer(row, row) for row in p]
    jacobian = np.zeros((15, 15))
    for m, block in enumerate(blocks):
        jacobian[3 * m : 3 * m + 3, 3 * m : 3 * m + 3] = block
    kernel = np.asarray(as_matrix(tangent_kernel(network.apply, params, x)))
    assert found == pytest.approx(np.linalg.eigvalsh(kernel).max() / 2, rel=1e-6)
    assert np.linalg.eigvals(kernel @ jacobian).real.max() < found


@cache
def halves(system):
    inner = {"beta": (1.0, 10.0), "logit_scale": (1e-3, 1e-2), "correlation": (-0.6, 0.3)}
    return measured(correlated_start.STUDY, 2, {"system": system}, inner, points=8, width=16, depth=1, readouts=400)


@pytest.mark.parametrize(("system", "exponent"), [("both_halves", -1), ("one_half", 0)])
def test_opposite_halves_bend_only_where_one_of_them_stays(system, exponent):
    time = correlated_start.nonlinear_time(halves(system)).sel(beta=1.0)
    slope = np.log10(time.sel(logit_scale=1e-2) / time.sel(logit_scale=1e-3))
    np.testing.assert_allclose(slope, exponent, atol=0.02)


def test_size_of_correlated_logits_is_what_the_law_predicts():
    observed = correlated_start.sizes(halves("one_half"))
    law = laws()["temperature.correlated_size"]
    predicted = predict(law.claim.value, observed.drop_vars("measured"))
    np.testing.assert_allclose(observed["measured"] / predicted, 1, atol=0.2)
    rival = predict(law.rivals[0].claim.value, observed.drop_vars("measured"))
    assert float((observed["measured"] / rival).min()) > 1.5


def test_edge_of_the_learning_rate_is_what_the_law_predicts():
    inner = {"beta": (0.3, 7.0), "rate": (5.0, 60.0)}
    found = measured(stability_edge.STUDY, 2, {"loss": "cross_entropy"}, inner, points=4, width=32, steps=200)
    observed = stability_edge.edges(found)
    upper = predict(laws()["temperature.stability_edge"].claim.upper, observed.drop_vars(["upper", "inside"]))
    np.testing.assert_allclose(observed["upper"] / upper, 1, atol=0.05)
    assert bool(observed["inside"].isel(point=0).all())
    assert not bool(observed["inside"].isel(point=1).any())


def test_deviation_starts_at_the_rate_of_the_nonlinear_time():
    times = (1e-5, 1e-4, 1e-3, 0.3, 1.0, 3.0)
    found = measured(deviation.STUDY, 2, inner={"time": times}, points=6, width=16)
    early = deviation.early_rate(found)
    np.testing.assert_allclose(2 * early["measured"], 1, atol=0.01)
    assert float(abs(early["measured"] - 1).min()) > 0.4
    late = found["deviation"].sel(time=1.0)
    assert float((late.sel(beta=10.0) / late.sel(beta=100.0)).mean()) == pytest.approx(10, rel=0.05)


@pytest.mark.parametrize(("rule", "exponent"), [("sign_descent", 1), ("gradient_descent", 0)])
def test_bend_of_the_first_step_over_the_temperature(rule, exponent):
    found = measured(sign_descent.STUDY, 1, {"rule": rule}, {"logit_scale": (1.0,)}, points=6, width=16)
    time = sign_descent.bend(found)["measured"].isel(seed=0, logit_scale=0)
    np.testing.assert_allclose(np.log10(time[1:].values / time[:-1].values), exponent, atol=1e-6)


@settings(max_examples=20)
@given(best=st.floats(-4.0, 4.0), width=st.floats(0.3, 3.0))
def test_best_rate_is_the_bottom_of_a_parabola(best, width):
    rates = np.array(full_training.RATES)
    loss = np.exp(width * (np.log2(rates) - best) ** 2)
    data = xr.Dataset(
        {"final_loss": (("seed", "layers", "beta", "rate"), loss[None, None, None])},
        coords={"layers": [2], "beta": [0.1], "rate": rates},
    )
    found = full_training.best_rates(data)["measured"]
    assert float(found.squeeze()) == pytest.approx(2**best / 0.1, rel=1e-6)


def test_times_that_follow_tau_z_do_not_spread():
    tau = xr.DataArray([[[1.0, 10.0, 100.0]]], dims=("seed", "activation", "logit_scale"))
    alike = time_to_accuracy.spreads(xr.Dataset({"tau_z": tau, "reached": 0.5 * tau}))
    assert float(alike["smaller"].squeeze()) == pytest.approx(0, abs=1e-12)
    other = time_to_accuracy.spreads(xr.Dataset({"tau_z": tau, "reached": 0 * tau + 3.0}))
    assert float((other["smaller"] - other["larger"]).squeeze()) > 0


def test_accuracy_is_reached_and_in_order():
    inner = {"logit_scale": (1e-2, 1.0), "time": (0.0, 1.0, 2.0)}
    found = measured(time_to_accuracy.STUDY, 1, inner=inner, points=8, width=16)
    accuracy = found["accuracy"]
    assert bool((accuracy.isel(time=-1) > accuracy.isel(time=0)).all())
    assert bool((found["reached"] > 0).all())
    ratio = (found["reached"] / found["tau_z"]).values
    assert 0.1 < ratio.min() <= ratio.max() < 2


def test_figure_of_the_best_rate_tells_the_exponents():
    rates = np.array(full_training.RATES)
    beta, layers = np.array([1e-3, 1e-2, 1e-1]), np.array([2, 4])
    best = np.log2(2.0) - np.array([[0.0], [-0.5]]) * np.log2(beta)
    loss = np.exp(0.5 * (np.log2(rates) - best[..., None]) ** 2)[None]
    data = xr.Dataset(
        {"final_loss": (("seed", "layers", "beta", "rate"), loss)},
        coords={"layers": layers, "beta": beta, "rate": rates},
    )
    said = figures()["temperature.figure_4"].found({"temperature.best_learning_rate": data})
    assert "-1.00 for H = 2" in said
    assert "-0.50 for H = 4" in said


def test_digits_are_the_default():
    assert all(study.data is digits for study in (deviation.STUDY, stability_edge.STUDY, correlated_start.STUDY))


def test_the_time_of_a_deviation_is_that_of_a_power_law():
    """Deviations c t and c t^2 reach 0.1 where they must, also between two times; what never does has no time."""
    times = np.geomspace(0.01, 10.0, 13)
    rows = np.stack([0.4 * times, 0.4 * times**2, 0.001 * times])
    found = deviation_time_in_width.reached(rows, times, 0.1)
    np.testing.assert_allclose(found[:2], [0.25, 0.5], rtol=1e-12)
    assert np.isnan(found[2])
    assert not np.allclose(deviation_time_in_width.reached(rows, times, 0.2)[:2], [0.25, 0.5])


def test_odd_and_even_labels_are_two_classes():
    """Whatever the number of classes, also an odd one."""
    one_hot = np.eye(5)[[[0, 1, 4], [3, 2, 1]]]
    found = deviation_time_in_width.odd_or_even(one_hot)
    np.testing.assert_array_equal(found, np.eye(2)[[[0, 1, 0], [1, 0, 1]]])
    assert not np.array_equal(found[0], found[1])
