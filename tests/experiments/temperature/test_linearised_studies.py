"""The linearised dynamics and both ends of the logit scale: identities at drawn sizes, and studies with controls."""

from functools import cache
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_grids import shortcomings

from experiments.bridge import predict
from experiments.registry import study_of
from experiments.study import Replicates
from experiments.temperature import class_blocks, fixed_points, gaussian_softmax, linear_training, one_point, saturation
from numerics import losses
from numerics.argmax import same_argmax
from numerics.data import digits
from numerics.infinite_width import neural_tangents
from theory.registry import laws

MOST_POINTS, MOST_CLASSES = 8, 12


@cache
def slope():
    """Gradient of the summed cross-entropy in raw logits, one compilation for every number of points and classes."""
    return jax.jit(jax.grad(lambda z, y, beta: losses.total(losses.cross_entropy)(z, y, beta)))


def padded(z, y, beta):
    """The same loss with points that have no label and classes that cannot be: neither adds anything."""
    points, classes = z.shape
    wide = np.full((MOST_POINTS, MOST_CLASSES), z.min() - 1e4 / beta)
    wide[:points, :classes] = z
    wide[points:] = 0
    labels = np.zeros_like(wide)
    labels[:points, :classes] = y
    return np.asarray(slope()(jnp.asarray(wide), jnp.asarray(labels), jnp.asarray(beta)))[:points, :classes]


sizes = {
    "classes": st.integers(2, MOST_CLASSES),
    "points": st.integers(1, MOST_POINTS),
    "beta": st.floats(-3, 3).map(lambda e: 10.0**e),
    "scale": st.floats(-4, 4).map(lambda e: 10.0**e),
    "seed": st.integers(0, 2**31),
}


def drawn(points, classes, seed):
    """Logits of unit size, labels and a residual's softmax by itself."""
    random = np.random.default_rng(seed)
    return random, random.standard_normal((points, classes)), np.eye(classes)[random.integers(0, classes, points)]


def softmax(logits):
    parts = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return parts / parts.sum(axis=-1, keepdims=True)


@settings(max_examples=100)
@given(**sizes)
def test_the_slope_of_the_loss_is_minus_beta_times_the_residual(classes, points, beta, scale, seed):
    """temperature:T01 to 1e-12, K 2..12, M 1..8, beta over six decades, the logit scale over eight."""
    _, unit, y = drawn(points, classes, seed)
    z = scale * unit / beta
    found = padded(z, y, beta)
    residual = y - softmax(beta * z)
    where = {"beta": beta, "r[n, i]": xr.DataArray(residual, dims=("point", "class_"))}
    value = predict(laws()["temperature.softmax_gradient"].claim.right, xr.Dataset(where))
    np.testing.assert_allclose(found, value, rtol=0, atol=1e-12 * beta)
    wrong = predict(laws()["temperature.softmax_gradient"].rivals[0].claim.right, xr.Dataset(where))
    if abs(residual).max() > 1e-6:
        assert abs(found - wrong).max() > 1e-7 * beta


@settings(max_examples=60)
@given(**sizes, other=st.floats(-3, 3).map(lambda e: 10.0**e))
def test_training_at_a_frozen_kernel_knows_one_rate(classes, points, beta, scale, seed, other):
    """temperature:T03, T16, E11: trajectories collapse to 1e-12, coefficients add up to 0, at all drawn sizes."""
    random, unit, y = drawn(points, classes, seed)
    jacobian = random.standard_normal((points * classes, 15)) / np.sqrt(15 * points * classes)

    def run(b, steps=8, rate=0.5):
        theta, gathered = np.zeros(15), np.zeros_like(y)
        for _ in range(steps):
            logits = scale * unit + b * (jacobian @ theta).reshape(y.shape)
            gradient = padded(logits / b, y, b)
            theta = theta - rate / b**2 * (jacobian.T @ gradient.reshape(-1))
            gathered = gathered - rate / b**2 * gradient
        return scale * unit + b * (jacobian @ theta).reshape(y.shape), theta, gathered

    one, theta, gathered = run(beta)
    two, _, _ = run(other)
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12 * (1 + abs(one).max()))
    rounding = 1e-12 * abs(gathered).max() + 1e-14 / beta
    assert abs(gathered.sum(axis=-1)).max() <= rounding
    np.testing.assert_allclose(jacobian.T @ gathered.reshape(-1), theta, rtol=0, atol=1e-12 * abs(theta).max() + 1e-300)


def measured(study, seeds, **changed):
    """A quick study measured here without a store."""
    grid = study.grids["quick"]
    inner = {name: np.asarray(values) for name, values in grid.inner.items()}
    data = digits() if study.data else None
    cells = []
    for values in product(*grid.axes.values()):
        cell = dict(zip(grid.axes, values, strict=True))
        if grid.keep and not grid.keep(cell):
            continue
        replicates = Replicates(study.name, cell, tuple(range(seeds)))
        found = study.measure(replicates=replicates, data=data, **cell, **inner, **{**grid.settings, **changed})
        arrays = {name: (study.variables[name].dims, np.asarray(array)) for name, array in found.items()}
        cells.append(xr.Dataset(arrays, coords=inner).expand_dims({k: [v] for k, v in cell.items()}))
    return xr.combine_by_coords(cells, join="outer")


@pytest.fixture(scope="module")
def data():
    """The exact studies as they are, the sampled ones a little smaller."""
    return {
        linear_training.STUDY.name: measured(linear_training.STUDY, 10),
        one_point.STUDY.name: measured(one_point.STUDY, 10),
        fixed_points.STUDY.name: measured(fixed_points.STUDY, 12),
        class_blocks.STUDY.name: measured(class_blocks.STUDY, 16),
        gaussian_softmax.STUDY.name: measured(gaussian_softmax.STUDY, 12),
    }


NAMES = sorted(
    check.law
    for study in (linear_training, one_point, fixed_points, class_blocks, gaussian_softmax)
    for check in study_of(study.STUDY.checks[0].law).checks
)


@pytest.mark.parametrize("name", NAMES)
def test_a_law_agrees_and_all_its_controls_disagree(data, name):
    assert shortcomings(name, data[study_of(name).name]) == []


def ratios(activation, labels, system="labels_unknown", seeds=24):
    """Measured 1/rho^2 over its closed form, one a seed."""
    replicates = Replicates("temperature.saturation", {"activation": activation, "labels": labels}, tuple(range(seeds)))
    found = saturation.measure(
        replicates, digits(), system, activation, labels, points=48, width=96, depth=2, directions=4
    )
    found = {name: np.asarray(array) for name, array in found.items()}
    large = (found["speed_large"] ** 2).mean(axis=1) / found["speed_small"] ** 2
    return large / (1 + found["drive_same"] / found["drive_uniform"])


@pytest.mark.parametrize("labels", ["real", "shuffled"])
def test_the_saturating_ratio_of_erf_is_the_closed_form(labels):
    found = ratios("erf", labels)
    assert abs(found.mean() - 1) < 4 * found.std(ddof=1) / np.sqrt(found.size) + 0.05


def test_wide_networks_set_out_as_the_infinite_kernel_says(monkeypatch):
    """Velocities come together, and speeds are no farther apart than they; a kernel half as large is another limit."""

    def errors(width):
        replicates = Replicates("temperature.saturation_curve", {"width": width}, tuple(range(4)))
        found = saturation.measure_curve(replicates, digits(), width, "erf", "real", np.array([1e-3, 10.0]), 12, 1)
        assert (abs(found["speed"] / found["infinite_drive"] - 1) <= found["error"] + 1e-12).all()
        return np.sqrt((found["error"] ** 2).mean())

    assert errors(512) < 0.3 * errors(8)
    kernels = saturation.infinite
    monkeypatch.setattr(saturation, "infinite", lambda *given: (0.5 * kernels(*given)[0], None))
    assert errors(512) > 0.8


def test_logits_that_know_the_labels_have_another_ratio():
    assert ratios("erf", "real", "labels_known").mean() < 0.8


def test_the_kernels_of_neural_tangents_give_the_same_ratio():
    """An independent route to the infinite-width kernel and to the correlations of the logits (temperature:T08)."""
    replicates = Replicates("temperature.saturation", {"route": "two"}, (0,))
    x, y = saturation.labelled_points(replicates, digits(), "real", 40)
    for activation in ("erf", "scaled_relu"):
        ours, correlations = saturation.infinite(activation, 2, x)
        with neural_tangents() as package:
            stax = package.stax
            layer = stax.Erf() if activation == "erf" else stax.Relu()
            hidden = (stax.Dense(64), layer) * 2
            kernels = stax.serial(*hidden, stax.Dense(10))[2](jnp.asarray(x[0]), None, get=("nngp", "ntk"))
        factor = 1 if activation == "erf" else 4
        theirs, nngp = factor * np.asarray(kernels.ntk), np.asarray(kernels.nngp)
        size = np.sqrt(np.diagonal(nngp))
        np.testing.assert_allclose(ours[0], theirs, rtol=2e-8)
        closed = [
            closed_form(*pair, y[0]) for pair in ((ours[0], correlations[0]), (theirs, nngp / np.outer(size, size)))
        ]
        assert closed[0] == pytest.approx(closed[1], rel=1e-6)
        assert closed[0] != pytest.approx(2, rel=1e-2)


def closed_form(kernel, correlations, y):
    """1/rho^2 of a kernel and the correlations of the logits."""
    square, classes = kernel @ kernel, y.shape[-1]
    uniform = np.sum(square * (y @ y.T - 1 / classes))
    return 1 + np.sum(square * (same_argmax(correlations, classes) - 1 / classes)) / uniform


@pytest.mark.slow
def test_cifar_has_the_closed_form_too():
    import os
    from pathlib import Path

    from numerics.data_files import load

    path = Path(os.environ.get("ASSAY_DATA") or ".") / "cifar10_subset.npz"
    if not path.exists():
        pytest.skip(f"{path} is not there; set ASSAY_DATA to a folder that holds it")
    cifar = load(path)
    for labels in ("real", "shuffled"):
        replicates = Replicates("temperature.saturation", {"cifar": labels}, tuple(range(60)))
        found = saturation.measure(replicates, cifar, "labels_unknown", "erf", labels, 64, 256, 2, 4)
        found = {name: np.asarray(array) for name, array in found.items()}
        large = (found["speed_large"] ** 2).mean(axis=1) / found["speed_small"] ** 2
        ratio = large / (1 + found["drive_same"] / found["drive_uniform"])
        assert abs(ratio.mean() - 1) < 4 * ratio.std(ddof=1) / np.sqrt(60) + 0.05


def test_one_compilation_serves_all_linear_models(data):
    assert linear_training.compiled(30)._cache_size() == 1
    assert one_point.compiled()._cache_size() == 1
