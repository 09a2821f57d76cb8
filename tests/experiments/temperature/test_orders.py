"""Orders of errors: what their studies measure against closed forms, and how they read planted errors."""

from functools import cache
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from quick_grids import quick, shortcomings
from scipy.integrate import quad
from scipy.stats import norm

from experiments.registry import study_of
from experiments.study import Replicates
from experiments.temperature import (
    confidence_order,
    fixed_points,
    growth_order,
    momentum_orders,
    one_point,
    remaining_orders,
    saturation_rate,
    small_logit_orders,
)
from numerics import losses
from numerics.activations import ACTIVATIONS
from numerics.data import digits
from numerics.halves import exact_offset, initial_logits
from numerics.models import mlp
from numerics.tangent import as_matrix, tangent_kernel
from numerics.training_points import training_points

OWN = (saturation_rate, confidence_order, momentum_orders, small_logit_orders)
NAMES = sorted(check.law for module in OWN for check in module.STUDY.checks)


@cache
def data(name):
    """A quick study measured here without a store."""
    return quick(study_of(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_law_agrees_and_all_its_controls_disagree(name):
    assert shortcomings(name, data(name)) == []


def exponents(values, control):
    """Slopes between neighbouring levels, on the last axis."""
    logs = np.log(np.abs(values))
    steps = [
        (b - a) / np.log(y / x) for (a, x), (b, y) in pairwise(zip(np.moveaxis(logs, -1, 0), control, strict=True))
    ]
    return np.stack(steps, axis=-1)


def test_the_decay_of_an_error_is_read_off_its_logarithm():
    gap, reach = np.array([0.02, 0.3]), np.array([12.0, 16.0, 20.0, 24.0])
    scale = reach / gap[:, None]

    def observed(error):
        arrays = {
            "constant": (("seed", "reach"), 2 * (1 + error)),
            "saturated": (("seed",), [2.0, 2.0]),
            "scale": (("seed", "reach"), scale),
            "gap": (("seed",), gap),
            "second_gap": (("seed",), 2 * gap),
        }
        return saturation_rate.decay(xr.Dataset(arrays, coords={"reach": reach}))["measured"]

    np.testing.assert_allclose(observed(-3 * np.exp(-gap[:, None] * scale)), gap, rtol=1e-3)
    assert (observed(1 / scale) < 0.2 * gap).all()
    assert observed(0 * scale).isnull().all()


@pytest.mark.slow
def test_the_constant_is_the_inverse_of_kernel_times_residual():
    replicates, reach = Replicates("temperature.saturation_rate", {}, (3,)), np.array([0.5, 5.0])
    found = saturation_rate.measure(replicates, digits(), "cross_entropy", reach, points=4, width=16, beta=0.7)
    x, y = (jnp.asarray(part[0]) for part in training_points(digits(), replicates.generators(), 4))
    network = mlp(inputs=x.shape[-1], width=16, depth=1, classes=10, activation=ACTIVATIONS["erf"])
    pair = exact_offset(network, replicates.keys()[0], x, beta=1.0, logit_scale=1.0)
    direction = np.asarray(initial_logits(network, pair, x))
    largest = np.sort(direction, axis=-1)
    gaps = np.sort(largest[:, -1] - largest[:, -2])
    np.testing.assert_allclose([found["gap"][0], found["second_gap"][0]], gaps[:2], rtol=1e-12)
    kernel = as_matrix(tangent_kernel(network.apply, pair.start, x))
    for scale, constant in zip(reach / gaps[0], found["constant"][0], strict=True):
        residual = np.asarray(y - jax.nn.softmax(scale * direction)).reshape(-1)
        np.testing.assert_allclose(constant, 1 / np.linalg.norm(kernel @ residual), rtol=1e-10)
        assert abs(constant * np.linalg.norm(kernel @ np.asarray(y).reshape(-1)) - 1) > 1e-3
    winner = np.eye(10)[direction.argmax(axis=-1)]
    np.testing.assert_allclose(
        found["saturated"][0], 1 / np.linalg.norm(kernel @ (np.asarray(y) - winner).reshape(-1)), rtol=1e-10
    )


def test_the_confidence_of_two_classes_is_an_integral():
    random, scales = np.random.default_rng(0), np.array([0.1, 1.0])
    found = confidence_order.excess(random, confidence_order.LOGITS["normal"], 2, scales, 12)
    for scale, value in zip(scales, found, strict=True):
        exact = quad(lambda g, s=scale: np.tanh(s * g / np.sqrt(2)) ** 2 / 2 * norm.pdf(g), -12, 12)[0]
        assert value == pytest.approx(exact, rel=2e-3)
        assert value != pytest.approx(scale**2 / 4, rel=2e-3)


def test_what_is_left_of_the_confidence_is_what_its_curvature_is_not():
    scale, classes = np.array([0.1, 0.2]), np.array([2, 5])
    k, s = classes[:, None], scale
    planted = {"excess": (("seed", "classes", "logit_scale"), (s**2 * (k - 1) / k**2 - 7 * s**4)[None])}
    coords = {"classes": classes, "logit_scale": scale}
    found = confidence_order.remainder(xr.Dataset(planted, coords=coords))["measured"].values
    np.testing.assert_allclose(exponents(found, scale), 4)


def test_paths_along_one_direction_are_their_closed_forms():
    slope, ratio, drag = np.array([0.5, 2.0]), np.array([1e-3, 1e-2]), np.array([0.01, 0.1])
    gamma = momentum_orders.GAMMA
    pull = ratio * gamma**2
    slow = (gamma + pull - np.sqrt((gamma + pull) ** 2 - 4 * pull)) / 2  # 1 - z where (z-1)(z-1+gamma) + pull z = 0
    np.testing.assert_allclose(momentum_orders.effective(slope, ratio), [slow / (pull / gamma)] * 2, rtol=1e-9)
    gone = lambda tau: (drag * tau - 1 + np.exp(-drag * tau)) / drag**2  # noqa: E731
    early = momentum_orders.before_damping(slope, drag)
    np.testing.assert_allclose(gone(early), 0.5, rtol=2e-4)
    assert (abs(gone(early + 0.01) - 0.5) > 2e-3).all()
    damping, late = np.array([0.5, 2.0]), np.array([2.0, 4.0])
    found = momentum_orders.displaced(slope, damping, late)
    time = late / damping[:, None]
    exact = (late - 1 + np.exp(-late)) / damping[:, None] ** 2
    np.testing.assert_allclose(found, exact, rtol=1e-3)
    arrays = {"displaced": (("seed", "late"), exact), "damping": (("seed",), damping)}
    seen = momentum_orders.damped(xr.Dataset(arrays, coords={"late": late}))["measured"]
    np.testing.assert_allclose(seen, damping, rtol=1e-6)
    assert (abs(time - found * damping[:, None]) > 0.4).all()


def test_at_no_logits_the_hessian_has_the_kernels_condition_number():
    root = np.random.default_rng(1).normal(size=(3, 3))
    kernel = root @ root.T + 0.1 * np.eye(3)
    own = small_logit_orders.spread(kernel)
    assert small_logit_orders.spread(small_logit_orders.hessian(kernel, np.zeros((3, 3)))) == pytest.approx(
        own, rel=1e-9
    )
    far = small_logit_orders.hessian(kernel, np.random.default_rng(2).normal(size=(3, 3)))
    assert small_logit_orders.spread(far) != pytest.approx(own, rel=1e-2)


def test_the_softmax_of_a_uniform_start_gives_the_uniform_rate():
    epsilon = np.array([1e-3, 1e-2])
    planted = xr.Dataset(
        {"fastest": (("seed", "epsilon"), (1 + epsilon / 3 + 5 * epsilon**2)[None])},
        coords={"epsilon": epsilon, "system": "three_classes"},
    )
    found = small_logit_orders.relaxation(planted)["measured"].values
    np.testing.assert_allclose(exponents(found, epsilon), 2, rtol=1e-6)
    two = small_logit_orders.relaxation(planted.assign_coords(system="two_classes"))["measured"].values
    np.testing.assert_allclose(exponents(two, epsilon), 1, atol=0.2)


def test_weak_decay_is_read_from_the_rest():
    control = np.array(one_point.CONTROLS)
    u = np.log(2 * control) + 1.0
    arrays = {
        "u": (("seed", "control"), u[None]),
        "beta": (("seed",), [2.0]),
        "theta": (("seed",), [3.0]),
    }
    found = remaining_orders.weak_decay(xr.Dataset(arrays, coords={"control": control}))["measured"]
    np.testing.assert_allclose(found.values[0], abs(u[3:] / 2 * np.exp(u[3:]) / control[3:] - 1), rtol=1e-9)
    np.testing.assert_allclose(found["x"].values, np.exp(-u[3:]))


def test_a_constant_in_the_logarithm_is_left_per_beta():
    beta = np.array([20.0, 40.0, 80.0])

    def observed(kappa):
        planted = xr.Dataset({"log_kappa": (("seed", "beta"), np.log(kappa)[None])}, coords={"beta": beta})
        return exponents(growth_order.missing(planted)["measured"].values, beta)

    spread = growth_order.SPREAD
    np.testing.assert_allclose(observed(1.5 * np.exp(spread * beta)), -1, rtol=1e-6)
    np.testing.assert_allclose(observed(np.exp(2 * spread * beta)), 0, atol=1e-6)


def test_the_growth_of_two_points_is_that_of_their_frozen_gaps():
    """Eigenvalues 2 e^(-beta gap) and K/(K - 1) of the last share: ln kappa+ is beta (3 - 0.5) + ln 1.5."""
    logits = np.array([[3.0, 2.0, 1.0, 0.0], [2.0, 1.5, 0.5, -0.5]])
    assert growth_order.growth(logits, 100.0) == pytest.approx(250 + np.log(1.5), abs=1e-9)
    assert growth_order.growth(logits, 1.0) != pytest.approx(2.5 + np.log(1.5), abs=0.05)


def test_forms_of_the_softmax_are_solved_for():
    """The corrected form is a step of Newton's method from 0 on the loss itself; the others are none."""
    random, classes, epsilon, beta = np.random.default_rng(4), 3, 0.3, 3.0
    jacobian = random.standard_normal((9, fixed_points.PARAMETERS)) / 6
    label = np.eye(3)[[0, 2, 1]].reshape(-1)

    def loss(theta):
        logits = (jnp.asarray(jacobian) @ theta).reshape(3, 3)
        decay = beta**2 / epsilon * jnp.sum(theta**2) / 2
        return losses.total(losses.cross_entropy)(logits, jnp.asarray(label.reshape(3, 3)), beta) + decay

    zero = jnp.zeros(fixed_points.PARAMETERS)
    theta = -np.linalg.solve(*jax.jit(lambda at: (jax.hessian(loss)(at), jax.grad(loss)(at)))(zero))
    for form in fixed_points.FORMS:
        found = fixed_points.approximation(form, jacobian, label, classes, epsilon, beta)
        far = fixed_points.relative(beta * jacobian @ theta, found)
        assert (far < 1e-12) is (form == "corrected")
        assert far < 0.5


@pytest.mark.parametrize("form", ["two_betas", "", "Corrected"])
def test_a_form_that_is_none_is_refused(form):
    """It was solved for as if it were the projection alone."""
    with pytest.raises(ValueError, match=r"approximation: form is .*; allowed are corrected, no_projection, one_beta"):
        fixed_points.approximation(form, np.eye(3), np.eye(3)[0], 3, 0.3, 3.0)
