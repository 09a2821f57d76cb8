"""No public call of data, statistics, keys or kernels moves anything global."""

import os
import random
import threading
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics import (
    data,
    data_files,
    expectations,
    infinite_width,
    inputs,
    keys,
    rotation,
    statistics,
    synthetic,
)

SAMPLES = np.random.default_rng(0).uniform(1.0, 2.0, size=(12, 5))
LEVELS = np.arange(1.0, 6.0)
CALLS = {
    "digits": data.digits,
    "take": lambda: data.take(data.digits(), train=50, classes=(1, 7)).sha256,
    "find_data_sets": lambda: data_files.find_data_sets("."),
    "stripe": synthetic.stripe,
    "sentiment": lambda: synthetic.sentiment(train=20, test=20),
    "random_labels": synthetic.random_labels,
    "on_sphere": lambda: inputs.on_sphere(SAMPLES),
    "standardise": lambda: inputs.standardise(SAMPLES, SAMPLES),
    "rotate_to_rank": lambda: rotation.rotate_to_rank(SAMPLES, SAMPLES),
    "key": lambda: keys.key("study", {"a": 1}, 0),
    "generator": lambda: keys.generator("study", {"a": 1}, 0).normal(),
    "interval": lambda: statistics.interval(SAMPLES),
    "slopes": lambda: statistics.slopes(LEVELS, SAMPLES),
    "rms_slope": lambda: statistics.rms_slope(LEVELS, SAMPLES),
    "ratio_of_means": lambda: statistics.ratio_of_means(SAMPLES, SAMPLES),
    "page": lambda: statistics.page(SAMPLES),
    "jonckheere": lambda: statistics.jonckheere(list(SAMPLES.T)),
    "studentised_bootstrap": lambda: statistics.studentised_bootstrap(
        SAMPLES[:, 0], lambda x: x.mean(axis=-1), np.random.default_rng(0), level=0.9, resamples=500
    ),
    "seeds_needed": lambda: statistics.seeds_needed(1.0, 1.0),
    "minimum_detectable_deviation": lambda: statistics.minimum_detectable_deviation(0.1, 10, 1.0),
    "mlp_kernels": lambda: infinite_width.mlp_kernels(
        jnp.asarray(SAMPLES), activation=expectations.erf, depth=1
    ),
    "leaky_softplus": lambda: expectations.leaky_softplus(0.1)(*3 * (jnp.ones(()),)),
    "neural_tangents": lambda: infinite_width.neural_tangents().__enter__,
}


def snapshot():
    """Everything global that a careless call might move."""
    return {
        "numpy": (np.random.get_state()[1].tolist(), np.random.get_state()[2:]),
        "python": random.getstate(),
        "numpy errors": np.geterr(),
        "jax": {name: repr(value) for name, value in jax.config.values.items()},
        "environment": dict(os.environ),
        "warnings": list(warnings.filters),
        "threads": threading.active_count(),
        "folder": os.getcwd(),
    }


@pytest.mark.parametrize("name", list(CALLS))
def test_a_call_leaves_global_state_alone(name):
    """Random state, x64 and every other JAX setting, environment, warning filters, threads, folder."""
    before = snapshot()
    CALLS[name]()
    after = snapshot()
    assert {part for part in before if before[part] != after[part]} == set()


@pytest.mark.parametrize("part", ["numpy", "python", "numpy errors", "jax", "environment", "warnings"])
def test_the_snapshot_sees_changes(part, monkeypatch):
    """The partner: each careless act is seen."""
    before = snapshot()
    numpy_state, python_state = np.random.get_state(), random.getstate()
    with warnings.catch_warnings(), np.errstate():
        acts = {
            "numpy": lambda: np.random.rand(),
            "python": lambda: random.random(),
            "numpy errors": lambda: np.seterr(divide="ignore", over="raise"),
            "jax": lambda: jax.config.update("jax_enable_x64", False),
            "environment": lambda: monkeypatch.setenv("OMP_NUM_THREADS", "17"),
            "warnings": lambda: warnings.simplefilter("ignore"),
        }
        try:
            acts[part]()
            after = snapshot()
        finally:
            jax.config.update("jax_enable_x64", True)
            np.random.set_state(numpy_state)
            random.setstate(python_state)
    assert before[part] != after[part]
