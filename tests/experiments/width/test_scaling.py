"""The study of growing widths: shared sums, exponents of planted powers, and laws on drawn scalings."""

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, sign

from experiments.compare import compare
from experiments.comparison import Verdict
from experiments.registry import check_of, studies
from experiments.study import Replicates
from experiments.width import checks, points, scaling
from numerics.activations import leaky_softplus
from numerics.width_model import (
    Neurons,
    Sample,
    draw_neurons,
    kernel_increments,
    kernels,
    output,
    step,
)
from numerics.width_model import scaling as rates_at
from theory.registry import laws
from theory.width import regions
from theory.width.exponents import GRADIENT_DESCENT, all_exponents

WIDTH = 64
WIDTHS = (64, 256, 1024)
NAMES = tuple(points.REPRESENTATIVES)


def rates(q_sigma, q, width=WIDTH, rate=2.0):
    return rates_at(width, q_sigma=q_sigma, q_a=q, q_w=q, rate_a=rate, rate_w=rate)


@cache
def neurons():
    return draw_neurons(jax.random.key(3), width=WIDTH, inputs=scaling.COMPONENTS)


# --- what is measured ---------------------------------------------------------------------------------------


@jax.jit
def directly(weights: Neurons, at) -> jax.Array:
    """First-order changes at one scaling, with nothing shared."""
    given_ = scaling.inputs(0)
    samples = [scaling.misclassified(weights, at, x) for x in (given_.for_a[0], given_.for_w[0])]
    found = kernel_increments(weights, at, leaky_softplus, given_.observed, given_.observed, *samples)
    return jnp.stack([jnp.mean(one**2) for one in found])


def test_shared_sums_are_those_of_each_scaling():
    places = [(-1.0, 0.5), (0.0, 0.25), (-0.7, 0.6)]
    q_sigma, q = (jnp.asarray([p[axis] for p in places]) for axis in (0, 1))
    at = jax.vmap(partial(rates_at, WIDTH, rate_a=2.0, rate_w=2.0))(q_sigma=q_sigma, q_a=q, q_w=q)
    shared = jax.jit(scaling._first_increments)(neurons(), at, scaling.inputs(0))
    apart = np.stack([directly(neurons(), rates(*place)) for place in places])
    np.testing.assert_allclose(shared, apart, rtol=1e-11)


def test_a_sample_is_misclassified_and_its_gradient_is_that_of_the_loss():
    at = rates(-0.5, 0.0)
    sample = scaling.misclassified(neurons(), at, scaling.inputs(0).for_a[0])
    logit = output(neurons(), at.sigma, leaky_softplus, sample.x)
    assert float(jnp.sign(logit) @ jnp.sign(sample.gradient)) == 1.0
    assert 0.5 <= abs(float(sample.gradient[0])) <= 1.0


def pair_changes(size: float):
    """Even and odd parts of kernel changes under a flip of all output weights, with the gradients frozen."""
    given_, at = scaling.inputs(0), rates(-0.5, size + 0.5)
    samples = [Sample(x[None, :], jnp.array([0.7])) for x in (given_.for_a[0], given_.for_w[0])]

    def both(measured):
        plus, minus = measured(neurons()), measured(neurons()._replace(a=-neurons().a))
        return [(abs(p + m).max() / abs(p).max(), p) for p, m in zip(plus, minus, strict=True)]

    linear = both(lambda n: kernel_increments(n, at, leaky_softplus, given_.observed, given_.observed, *samples))
    before = kernels(neurons(), at, leaky_softplus, given_.observed, given_.observed)

    def whole(n):
        after = kernels(step(n, at, leaky_softplus, *samples), at, leaky_softplus, given_.observed, given_.observed)
        return [after.a - before.a, after.w - before.w]

    return linear, both(whole)


def test_the_first_order_part_of_the_first_change_is_odd_exactly():
    """width:E10 as an identity: with frozen gradients, antithetic networks cancel to rounding."""
    linear, whole = pair_changes(0.0)
    assert all(left < 1e-13 for left, _ in linear)
    assert all(left > 1e-3 for left, _ in whole), "the whole change has an even part"


def test_inputs_are_unit_vectors_of_their_seed():
    both = scaling.inputs_of((0, 1))
    for seed in (0, 1):
        for one, stacked in zip(scaling.inputs(seed), both, strict=True):
            np.testing.assert_array_equal(one, stacked[seed])
            np.testing.assert_allclose(jnp.linalg.norm(one, axis=1), 1.0, rtol=1e-12)
    assert not np.allclose(both.observed[0], both.observed[1])


# --- how it is read -----------------------------------------------------------------------------------------


def planted(noise: float = 0.0) -> xr.Dataset:
    """A dataset that obeys every law of the study exactly, up to noise from seed to seed."""
    widths = np.array([256.0, 1024.0, 4096.0])
    exponents = {"logits": [], "kernels": [], "increments_first": [], "increments_later": [], "kernels_full": [],
                 "logits_linear": []}  # fmt: skip
    for q_sigma, q in points.REPRESENTATIVES.values():
        size, kernel = q_sigma + q, 2 * q_sigma + q + 1
        exponents["logits"].append(q_sigma + 0.5)
        exponents["kernels"].append([kernel] * 2)
        exponents["increments_first"].append([[kernel + size - 0.5] * 3, [kernel + size] * 3])
        exponents["increments_later"].append([kernel + 2 * size] * 3)
        exponents["kernels_full"].append([kernel + 2 * size] * 2)
        exponents["logits_linear"].append([kernel] * 2)
    draw = np.random.default_rng(0)
    variables = {}
    for name, values in exponents.items():
        powers = np.asarray(values)
        dims = scaling.STUDY.variables[name].dims
        shape = (widths.size, 32, *powers.shape)
        scale = widths.reshape(-1, *[1] * (powers.ndim + 1)) ** powers
        variables[name] = (("width", *dims), scale * np.exp(noise * draw.standard_normal(shape)))
    coords = {"width": widths, "point": list(NAMES), "start": list(scaling.STARTS)}
    return xr.Dataset(variables, coords=coords)


CHECKED = [check.law for name, check in checks.CHECKS]


@pytest.mark.parametrize("name", CHECKED)
def test_planted_powers_agree_and_their_rivals_do_not(name):
    _, check = check_of(name)
    observed = check.observe(planted(0.02).sel(**check.select))
    law = laws()[name]
    assert compare(law.claim, observed, check.margin).verdict is Verdict.AGREES
    for rival in law.rivals:
        found = compare(rival.claim, observed, check.margin, against=law.claim)
        assert found.verdict is Verdict.DISAGREES, rival.name


def test_biased_output_weights_disagree_with_the_first_increment():
    _, check = check_of("width.kernel_increment_first")
    (system,) = check.counter_systems
    observed = check.observe(planted(0.02).sel(**system.select))
    assert compare(laws()[check.law].claim, observed, check.margin).verdict is Verdict.DISAGREES


def test_the_names_of_representatives_are_those_of_the_regions():
    expected = {regions.identifier(c): " and ".join(map(str, regions.statements(c))) or "none" for c in regions.CELLS}
    assert dict(points.HOLDING) == expected
    for name, (q_sigma, q) in points.REPRESENTATIVES.items():
        at = {regions.w.q_sigma: Rational(str(q_sigma)), regions.w.q: Rational(str(q))}
        signs = tuple(int(sign(form.xreplace(at))) for form in regions.FORMS)
        assert regions.identifier(signs) == name


# --- laws on networks at drawn scalings ---------------------------------------------------------------------


def measured(width: int, seed: int, q_sigma: float, q: float):
    """One scaling; all scalings share one compilation a width."""
    keys = jax.random.split(jax.random.fold_in(jax.random.key(seed), width), 2)
    where = jnp.array([q_sigma]), jnp.array([q])
    given_ = scaling.inputs_of((seed, seed + 1))
    return scaling._groups(keys, given_, *where, jnp.zeros(1), 2.0, 32.0, width=width, networks=24, trained=24)


@given(q_sigma=st.floats(-1.5, 0.0), size=st.sampled_from([-0.5, -0.3, -0.125, 0.0]), seed=st.integers(0, 1000))
@settings(max_examples=3)
def test_every_exponent_of_drawn_networks_is_that_of_the_algebra(q_sigma, size, seed):
    exact = Rational(q_sigma).limit_denominator(64)
    q = Rational(str(size)) - exact
    at = {regions.w.q_sigma: exact, regions.w.q_a: q, regions.w.q_w: q}
    start, later = (all_exponents(GRADIENT_DESCENT.after(k, at)) for k in (0, 1))
    expected = {
        "logits": [start["f"]], "kernels": [start["K_a"], start["K_w"]],
        "increments_first": [start["K_linear_aw"], start["K_linear_ww"], start["K_linear_wa"]],
        "increments_later": [later["K_linear_aw"], later["K_linear_ww"], later["K_linear_wa"]],
        "kernels_full": [start["K_full_a"], start["K_full_w"]],
    }  # fmt: skip
    found = [measured(width, seed, float(exact), float(q)) for width in WIDTHS]
    for name, exponents in expected.items():
        values = np.stack([np.asarray(one[name]).mean(axis=0).reshape(-1) for one in found])
        slopes = np.polyfit(np.log(WIDTHS), np.log(values), 1)[0]
        np.testing.assert_allclose(slopes, [float(e) for e in exponents], atol=0.24, err_msg=name)


def test_cells_of_one_width_compile_once():
    study = studies()["width.scaling"]
    assert len(study.grids["quick"].axes["width"]) <= 4
    before = scaling._groups._cache_size()
    for ids in ((0,), (1,)):
        found = scaling.measure(
            replicates=Replicates("width.scaling", {"width": 32}, ids), data=None, width=32,
            point=np.array(["R02"]), start=np.array(["symmetric"]), networks=1, trained=1, rate=2.0, rate_full=8.0,
            draw=0,
        )  # fmt: skip
        assert set(found) == set(study.variables)
        assert all(np.isfinite(values).all() for values in found.values())
    assert scaling._groups._cache_size() == before + 1
