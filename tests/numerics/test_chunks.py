"""Chunks and replicates: the same numbers however the work is cut, and one place that decides."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from numerics.chunks import computed_bytes, concatenate_over_chunks, map_replicates, sum_over_chunks

DATA = (jnp.arange(7.0), jnp.arange(14.0).reshape(7, 2))


@pytest.mark.parametrize("chunk", [None, 1, 2, 3, 6, 7, 8])
def test_sum_and_concatenation_do_not_depend_on_the_chunk(chunk):
    def summed(d):
        return {"a": jnp.sum(d[0]), "b": d[1].T @ d[0]}

    def each(d):
        return d[0][:, None] * d[1]

    for whole, part in zip(
        jax.tree.leaves((summed(DATA), each(DATA))),
        jax.tree.leaves((sum_over_chunks(summed, DATA, chunk), concatenate_over_chunks(each, DATA, chunk))),
        strict=True,
    ):
        np.testing.assert_allclose(part, whole, rtol=1e-15)


def test_a_function_that_is_no_sum_over_points_is_caught_by_the_chunk():
    assert sum_over_chunks(jnp.mean, DATA[0], 2) != sum_over_chunks(jnp.mean, DATA[0], None)


@pytest.mark.parametrize("platform", ["cpu", "gpu"])
@pytest.mark.parametrize("memory_bytes", [None, 1, 100, 10**9])
def test_replicates_agree_in_turn_and_side_by_side(platform, memory_bytes):
    keys = jax.random.split(jax.random.key(0), 5)

    def one(key):
        return jnp.cumsum(jax.random.normal(key, (3,)))

    expected = jnp.stack([one(k) for k in keys])
    run = jax.jit(lambda k: map_replicates(one, k, platform=platform, memory_bytes=memory_bytes))
    np.testing.assert_allclose(run(keys), expected, rtol=1e-15)


def test_replicates_run_in_turn_on_a_cpu_and_in_chunks_that_fit_elsewhere():
    def shapes(platform, memory):
        text = str(
            jax.make_jaxpr(lambda a: map_replicates(jnp.sin, a, platform=platform, memory_bytes=memory))(
                jnp.ones((6, 4))
            )
        )
        return {size for size in (1, 2, 3, 6) if f"f64[{size},4] = sin" in text}, "f64[4] = sin" in text

    assert shapes("cpu", None) == (set(), True)
    assert shapes("gpu", 64) == ({2}, False)
    assert shapes("gpu", 10**9) == ({6}, False)


def test_memory_of_replicates_in_turn_does_not_grow_with_their_number():
    """Forty replicates hold what one holds; side by side they hold forty times as much."""

    def bytes_at(count, platform):
        run = jax.jit(
            lambda keys: map_replicates(
                lambda key: jnp.sum(jnp.sort(jax.random.normal(key, (1000,)))[:3]), keys, platform=platform
            )
        )
        lowered = run.lower(jax.random.split(jax.random.key(0), count))
        return lowered.compile().memory_analysis().temp_size_in_bytes

    assert bytes_at(40, "cpu") < bytes_at(4, "cpu") + 40 * 64
    assert bytes_at(40, "gpu") > 5 * bytes_at(40, "cpu")


def test_computed_bytes_counts_loop_bodies_once():
    def loop(a):
        return jax.lax.fori_loop(0, 1000, lambda _, b: jnp.sin(b), a)

    assert 8 * 8 <= computed_bytes(loop, jnp.ones(8)) < 100 * 8 * 8
    assert computed_bytes(jnp.sin, jnp.ones(80)) == 640


@pytest.mark.parametrize("function", [sum_over_chunks, concatenate_over_chunks])
def test_bad_chunks_and_unequal_axes_are_refused(function):
    with pytest.raises(ValueError, match="chunk=0 is below 1"):
        function(jnp.sum, DATA, 0)
    with pytest.raises(ValueError, match="chunk=True is not an integer"):
        function(jnp.sum, DATA, True)
    with pytest.raises(ValueError, match=r"leading axes have sizes \[3, 7\]"):
        function(jnp.sum, (jnp.ones(3), DATA[0]), 2)
