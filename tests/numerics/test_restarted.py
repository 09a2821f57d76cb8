"""Lanczos that begins again: both ends against dense, to any accuracy in the memory of one run."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.lanczos import lanczos, start_vector
from numerics.restarted import restarted_ends

SIZE, STEPS = 60, 6


def symmetric(values):
    """A matrix with these eigenvalues and random eigenvectors."""
    vectors, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(len(values), len(values))))
    return jnp.asarray((vectors * np.asarray(values)) @ vectors.T)


@jax.jit
def ends(matrix, start):
    return restarted_ends(lambda v: matrix @ v, start, STEPS, 60)


SPECTRA = {
    "indefinite": np.linspace(-2.0, 1.0, SIZE),
    "two values": np.repeat([1.0, -0.5], SIZE // 2),
    "close to each other at the top": np.concatenate([[1.0, 0.99], np.linspace(-0.3, 0.3, SIZE - 2)]),
    "zero": np.zeros(SIZE),
    "identity": np.ones(SIZE),
}


@pytest.mark.parametrize("scale", [1.0, 1e-8, 1e8])
@pytest.mark.parametrize("name", SPECTRA)
def test_both_ends_are_those_of_the_matrix(name, scale):
    values = SPECTRA[name] * scale
    found = ends(symmetric(values), start_vector(SIZE))
    size = np.max(np.abs(values))
    for pair, exact in ((found.top, values.max()), (found.bottom, values.min())):
        assert abs(float(pair.values[0]) - exact) <= 1e-8 * size
        assert float(pair.residuals[0]) <= 1e-4 * size
        assert float(jnp.linalg.norm(pair.vectors[0])) == pytest.approx(1.0)


def test_one_run_of_as_many_steps_is_far_from_either_end():
    matrix = symmetric(SPECTRA["indefinite"])
    once = jax.jit(lambda v: lanczos(lambda u: matrix @ u, v, STEPS))(start_vector(SIZE))
    found = ends(matrix, start_vector(SIZE))
    assert 1.0 - float(once.top.values[0]) > 1e-3 > 1e-8 > abs(1.0 - float(found.top.values[0]))
    assert float(once.bottom.values[0]) + 2.0 > 1e-3 > 1e-8 > abs(float(found.bottom.values[0]) + 2.0)


def test_a_start_at_an_inner_eigenvector_is_left():
    matrix = jnp.diag(jnp.array([5.0, 2.0, -1.0, *jnp.linspace(0.0, 1.0, SIZE - 3)]))
    found = ends(matrix, jnp.zeros(SIZE).at[1].set(1.0))
    assert float(found.top.values[0]) == pytest.approx(5.0)
    assert float(found.bottom.values[0]) == pytest.approx(-1.0)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_products():
    """Ten times the products take no more; in one run each further product takes two vectors."""
    size = 4096
    vector = jax.ShapeDtypeStruct((size,), jnp.float64)

    def bytes_of(run):
        memory = jax.jit(run).lower(vector).compile().memory_analysis()
        assert memory is not None
        return memory.temp_size_in_bytes

    product = lambda v: jnp.arange(size, dtype=v.dtype) * v  # noqa: E731
    few, many = (bytes_of(lambda v, n=n: restarted_ends(product, v, STEPS, n)[0].values) for n in (4, 40))
    assert abs(many - few) < 8 * size, "less than one vector"
    short, long = (bytes_of(lambda v, n=n: lanczos(product, v, n).top.values) for n in (STEPS, 2 * STEPS))
    assert long - short >= 2 * STEPS * 8 * size, "one run keeps a basis and its image"


def test_no_sweep_and_too_many_steps_are_refused():
    with pytest.raises(ValueError, match="restarted_ends: sweeps"):
        restarted_ends(lambda v: v, jnp.ones(4), 2, 0)
    with pytest.raises(ValueError, match="lanczos: steps=5 exceeds size=4"):
        restarted_ends(lambda v: v, jnp.ones(4), 5, 1)
