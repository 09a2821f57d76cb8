"""Sizes of the temperature topic's exact identities: K 2..12, M 1..8, beta over six decades, logits over eight."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

POINTS, CLASSES, PARAMETERS = 8, 12, 15


def decades(low, high):
    """Numbers from ``10^low`` to ``10^high``, every decade alike."""
    return st.floats(low, high).map(lambda e: 10.0**e)


sizes = {
    "classes": st.integers(2, CLASSES),
    "points": st.integers(1, POINTS),
    "beta": decades(-3, 3),
    "scale": decades(-4, 4),
    "seed": st.integers(0, 2**31),
}


class Problem(NamedTuple):
    """Logits of unit size, one-hot labels, and the Jacobian of a model that is linear in its parameters."""

    random: np.random.Generator
    unit: np.ndarray
    labels: np.ndarray
    jacobian: np.ndarray


def problem(points, classes, seed, others=0):
    """With ``others`` points beside those that are trained on; singular values between 0.3 and 1."""
    random = np.random.default_rng(seed)
    unit = random.standard_normal((points, classes))
    labels = np.eye(classes)[random.integers(0, classes, points)]
    rows = (points + others) * classes
    rank = min(rows, PARAMETERS)
    left = np.linalg.qr(random.standard_normal((rows, rank)))[0]
    right = np.linalg.qr(random.standard_normal((PARAMETERS, rank)))[0]
    return Problem(random, unit, labels, left * random.uniform(0.3, 1.0, rank) @ right.T)


def softmax(logits):
    """Of the rows, without overflow."""
    parts = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return parts / parts.sum(axis=-1, keepdims=True)
