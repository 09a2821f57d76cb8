"""Momentum: steps and networks against what the laws predict, and the studies with their controls."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quick_grids import quick, shortcomings

from experiments.bridge import predict
from experiments.registry import check_of
from experiments.temperature import momentum_networks, momentum_steps
from theory.registry import laws, select

STUDIES = (momentum_steps.STUDY, momentum_networks.STUDY)
OWN = {check.law for study in STUDIES for check in study.checks}


@pytest.fixture(scope="module")
def measured():
    return {study.name: quick(study) for study in STUDIES}


@pytest.mark.parametrize("law", [law for law in select(("temperature",)) if law.name in OWN], ids=lambda law: law.name)
def test_a_law_agrees_and_all_its_controls_disagree(measured, law):
    assert shortcomings(law.name, measured[check_of(law.name)[0].name]) == []


def test_one_compilation_serves_all_networks(measured):
    sizes = measured[momentum_networks.STUDY.name].sizes
    grid = momentum_networks.STUDY.grids["quick"].settings
    assert sizes["beta"] == 7
    run = momentum_networks.compiled(16, sizes["class_"], grid["width"], grid["steps"], grid["early_steps"])
    assert run._cache_size() == 1


drawn = {
    "slope": st.floats(0.1, 10.0),
    "eta": st.floats(-4, 0).map(lambda e: 10.0**e),
    "gamma": st.floats(0.05, 1.0),
    "bowl": st.floats(0.1, 10.0),
}


def claim(name):
    return laws()[f"temperature.{name}"].claim


@settings(max_examples=25)
@given(**drawn)
@example(slope=1.0, eta=1.0, gamma=1.0, bowl=1.0)
def test_steps_are_what_the_laws_predict(slope, eta, gamma, bowl):
    places, velocities = momentum_steps.walk(slope, 0.0, eta, gamma, 0.0, 0.0, steps=600)
    names = {"gradient": slope, "eta": eta, "gamma": gamma, "k": np.array([1.0, 7.0, 600.0])}
    found = velocities[[0, 6, 599]].reshape(-1)
    np.testing.assert_allclose(found, predict(claim("momentum_velocity").right, names), rtol=1e-11)
    step = float((places[-1] - places[-2]).item())
    assert step == pytest.approx(float(predict(claim("momentum_saturated_step").value, names)), rel=1e-9)
    wrong = claim("momentum_saturated_step").value
    assert step != pytest.approx(float(predict(wrong, {**names, "gamma": 0.9 * gamma})), rel=1e-2)
    speed = abs(step) / slope / gamma
    assert speed == pytest.approx(float(predict(claim("momentum_timescale").right, names)), rel=1e-9)


@settings(max_examples=10)
@given(gamma=st.floats(0.05, 0.9), bowl=st.floats(0.1, 10.0))
@example(gamma=0.5, bowl=1.0)
def test_steps_begin_to_grow_at_the_edge(gamma, bowl):
    (edge,) = momentum_steps.edges(np.array([bowl]), np.array([gamma]))[0]
    names = {"gamma": gamma, "curvature": bowl}
    assert edge == pytest.approx(float(predict(claim("heavy_ball_edge").upper, names)), rel=0.01)
    assert edge != pytest.approx(2 / bowl, rel=0.05)


def test_the_first_scheme_collapses_and_the_second_does_not(measured):
    """Tangent planes at all temperatures, to 1e-12 of the logits; at eta~/beta they are far apart."""
    data = momentum_networks.collapse(measured[momentum_networks.STUDY.name].sel(function="plane"))
    gap = abs(data["left"] - data["right"]) / data["bound"]
    assert float(gap.max()) < 1
    assert float((abs(data["left"] - data["right[fixed eta beta]"]) / data["bound"]).max()) > 1e9


@pytest.mark.parametrize("damping", [0.05, 0.28, 0.5, 0.9])
def test_steps_that_leave_all_numbers_grow(damping):
    """Half-way and at the end they are infinite alike, which is no standing still."""
    learning_rates = np.array([[0.5, 6.0, 60.0]])
    assert momentum_steps.grows(np.ones((1, 1)), np.full((1, 1), damping), learning_rates).tolist() == [
        [False, True, True]
    ]
