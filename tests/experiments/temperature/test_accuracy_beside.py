"""Counter-systems of accuracies: a tangent plane and its network at the start, and logits that all classes share."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr

from experiments.temperature import accuracy_beside
from experiments.temperature.phase_plane import plain
from numerics.halves import exact_offset

x = jnp.asarray(np.random.default_rng(3).standard_normal((6, 20)))


def started(scale):
    """A network, its start at this rms of the scaled logits, and its logits in each of the variants."""
    network = plain(8)
    pair = exact_offset(network, jax.random.key(0), x, beta=2.0, logit_scale=scale)
    return pair, {name: variant(network, pair, x) for name, variant in accuracy_beside.VARIANTS.items()}


def test_shared_logits_are_as_large_and_tell_no_class_from_another():
    pair, logits = started(5.0)
    shared, own = (np.asarray(logits[name](pair.start, x)) for name in ("shared_logits", "network"))
    for z in (shared, own):
        assert 2.0 * np.sqrt(np.mean(z**2)) == pytest.approx(5.0)
    assert np.ptp(shared, axis=-1).max() < 1e-12 and np.ptp(own, axis=-1).min() > 0.01


@pytest.mark.parametrize("step", [1e-3, 2e-3])
def test_the_tangent_plane_leaves_the_network_at_second_order(step):
    pair, logits = started(0.1)
    there = jax.tree.map(lambda leaf: (1 + step) * leaf, pair.start)
    apart = np.abs(logits["network"](there, x) - logits["linearised"](there, x)).max() / step**2
    assert 0.01 < apart < 100
    np.testing.assert_allclose(logits["linearised"](pair.start, x), logits["network"](pair.start, x), atol=1e-14)


def test_accuracies_are_read_over_their_one_control():
    sizes = {"seed": 2, "beta": 1, "logit_scale": 3, "scaled_rate": 2}
    values = np.arange(12.0).reshape(tuple(sizes.values())) / 20
    planted = xr.Dataset(
        {name: (tuple(sizes), values) for name in ("validation", "test", "final_rms")},
        coords={"beta": [0.1], "logit_scale": [0.01, 1.0, 10.0], "scaled_rate": [0.5, 2.0]},
    )
    seen = accuracy_beside.over("logit_scale")(planted)["measured"]
    assert set(seen.dims) == {"seed", "logit_scale"}
    np.testing.assert_allclose(seen, values[:, 0, :, 1])
    assert len({study.name for study in accuracy_beside.STUDIES}) == 3
