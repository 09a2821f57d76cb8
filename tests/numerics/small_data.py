"""A small good data set with parts to spoil, and the form of a refusal: what tests of data share."""

import numpy as np


def small(**changes):
    """Build a small good set, or one with some parts replaced."""
    parts = {
        "x_train": np.arange(24, dtype=np.uint8).reshape(6, 2, 2),
        "y_train": np.array([0, 1, 2, 0, 1, 2], dtype=np.uint8),
        "x_test": np.arange(8, dtype=np.uint8).reshape(2, 2, 2),
        "y_test": np.array([2, 0], dtype=np.uint8),
    }
    return {**parts, **changes}


def write(path, **changes):
    """Write the small set as .npz; a part replaced by None is left out."""
    np.savez(path, **{name: part for name, part in small(**changes).items() if part is not None})
    return path


def one_sentence(caught, *names):
    """Check that a message is one line that names what it must."""
    message = str(caught.value)
    assert "\n" not in message and message.count("; ") >= 1, message
    for name in names:
        assert name in message, message
