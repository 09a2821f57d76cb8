"""Checks at the door."""


import jax.numpy as jnp
import numpy as np
import pytest

from numerics.doors import positive_integer, same_shape


def test_integers_of_any_kind_are_accepted():
    for value in (3, np.int64(3), jnp.asarray(3)):
        assert positive_integer("f", "n", value) == 3
    assert positive_integer("f", "n", 3, most=3) == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, r"^f: n=0 is below 1; pass n >= 1$"),
        (4, r"^f: n=4 exceeds points=3; pass n <= 3$"),
        (2.0, r"^f: n=2\.0 is not an integer; pass an integer n >= 1$"),
        (False, r"^f: n=False is not an integer"),
        ("2", r"^f: n='2' is not an integer"),
        (None, r"^f: n=None is not an integer"),
    ],
)
def test_everything_else_is_refused_in_one_sentence(value, message):
    with pytest.raises(ValueError, match=message):
        positive_integer("f", "n", value, most=3, of="points")


def test_shapes_must_be_equal():
    same_shape("f", ("x", "y"), (2, 3), [2, 3])
    with pytest.raises(
        ValueError, match=r"^f: x has shape \(2, 3\) and y has shape \(3, 2\); .*; pass y like x$"
    ):
        same_shape("f", ("x", "y"), (2, 3), (3, 2))
