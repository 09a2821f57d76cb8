"""Modules that say `LEAVES_GLOBAL_STATE = True` have each test checked for moving anything global."""

import os
import random

import jax
import numpy as np
import pytest

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "XLA_FLAGS")


def global_state():
    """Random states, JAX's switches and thread settings, as values that can be compared."""
    return {
        "numpy": tuple(map(str, np.random.get_state())),
        "random": random.getstate(),
        "errors": np.geterr(),
        "x64": jax.config.jax_enable_x64,
        "promotion": (jax.config.jax_numpy_dtype_promotion, jax.config.jax_numpy_rank_promotion),
        "precision": jax.config.jax_default_matmul_precision,
        "threads": {name: os.environ.get(name) for name in THREADS},
    }


@pytest.fixture(autouse=True)
def nothing_global_moves(request):
    """Compare the state before and after each test of a module that asks for it."""
    before = global_state()
    yield
    if getattr(request.module, "LEAVES_GLOBAL_STATE", False):
        assert global_state() == before


@pytest.fixture
def snapshot():
    """The function itself, for a test that it sees what moves."""
    return global_state
