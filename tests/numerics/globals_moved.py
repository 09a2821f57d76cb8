"""What a careless call might move: a snapshot of everything global, and what differs from it."""

import os
import random
import threading
import time
import warnings

import jax
import numpy as np


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
