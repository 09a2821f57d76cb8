"""No call moves anything global: looked at around every test of this folder and every example of numerics.

Every public function has an example in its docstring (a test counts them), and pytest runs them all, so that every
public call is seen.
"""

import os
import random
import threading
import time
import warnings

import jax
import numpy as np
import pytest


def global_state():
    """Everything global that a careless call might move, as values that can be compared."""
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


def moved(before):
    """Names of the parts that are no longer what they were; pytest's own variable does not count."""
    for _ in range(30):  # a thread of a server that was closed may still be ending
        if threading.active_count() == before["threads"]:
            break
        time.sleep(0.01)
    after = global_state()
    for state in (before, after):
        state["environment"].pop("PYTEST_CURRENT_TEST", None)
    return {part for part in before if before[part] != after[part]}


class Watch:
    """Around every docstring example of numerics."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        """Compare before and after the example."""
        if not item.name.startswith("numerics."):
            return (yield)
        before = global_state()
        result = yield
        assert moved(before) == set(), f"{item.name} moves something global"
        return result


def pytest_configure(config):
    """Watch examples too, which lie outside this folder."""
    config.pluginmanager.register(Watch())


@pytest.fixture(autouse=True)
def nothing_global_moves():
    """Compare the state before and after each test."""
    before = global_state()
    yield
    assert moved(before) == set()


@pytest.fixture
def watch():
    """The snapshot and the comparison, for a test that they see what moves."""
    return global_state, moved
