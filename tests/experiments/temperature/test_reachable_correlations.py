"""The search for correlations of two halves' logits: its ends, what lies between, and a network that has fewer."""

import jax
import numpy as np
import pytest

from experiments.temperature.reachable_correlations import REACHED, reached
from numerics.activations import ACTIVATIONS
from numerics.halves import correlated
from numerics.models import Network, mlp

TARGETS = (-1.1, -0.9, -0.2, 0.0, 0.6, 1.1)


def search(network, targets=TARGETS):
    pair = correlated(network, jax.random.key(3), correlation=0.0)
    x = jax.numpy.asarray(np.random.default_rng(0).normal(size=(8, 6)))
    return reached(network, pair, x, lambda low, high: targets)


def erf_network():
    return mlp(inputs=6, width=16, depth=1, classes=3, activation=ACTIVATIONS["erf"])


def test_all_correlations_from_minus_one_to_one_are_met_and_no_others():
    found = search(erf_network())
    assert found.lowest == pytest.approx(-1, abs=REACHED)
    assert found.highest == pytest.approx(1, abs=REACHED)
    assert found.met == (False, True, True, True, True, False)


def test_readouts_that_stay_near_a_direction_reach_less():
    """A second half that keeps ten times its readout's own part beside what moves cannot turn against the first."""
    plain = erf_network()
    first = correlated(plain, jax.random.key(3), correlation=0.0).start

    def apply(params, x):
        moved = jax.numpy.tanh(params.readout - first.readout) / 10
        return plain.apply(first._replace(readout=first.readout + moved), x)

    found = search(Network(plain.init, apply))
    assert found.lowest > 0
    assert found.met[:3] == (False, False, False)
