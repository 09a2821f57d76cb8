"""Keys are stable, distinct, and move nothing that is global."""

import itertools
import os
import subprocess
import sys
from fractions import Fraction

import jax
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.keys import KEY_KIND, generator, key, keys

VALUES = st.one_of(
    st.integers(-(10**6), 10**6), st.floats(allow_nan=False), st.booleans(), st.none(), st.text(max_size=8)
)
CELLS = st.dictionaries(st.text(min_size=1, max_size=6), VALUES, max_size=4)


def data(k):
    """Return the words of a key."""
    return tuple(np.asarray(jax.random.key_data(k)).tolist())


@given(cell=CELLS, other=CELLS, replicate=st.integers(0, 2**32 - 1))
@example(cell={"a": 1}, other={"a": "1"}, replicate=0)
@example(cell={"a": 1}, other={"a": True}, replicate=0)
@example(cell={"a": 0.1}, other={"a": Fraction(1, 10)}, replicate=0)
@example(cell={"a": "x\x1eb"}, other={"a": "x", "b": ""}, replicate=0)
@example(cell={"a": ["x", "y"]}, other={"a": ['x","y']}, replicate=0)
@example(cell={"a": "1\x1fstr:b"}, other={"a": "1", "b": None}, replicate=0)
def test_equal_cells_and_only_they_share_draws(cell, other, replicate):
    """The key is a function of the cell as a mapping; different cells have different keys and generators."""
    turned = dict(reversed(list(cell.items())))
    assert data(key("study", cell, replicate)) == data(key("study", turned, replicate))
    same = {k: (type(v), v) for k, v in cell.items()} == {k: (type(v), v) for k, v in other.items()}
    if not same and not numerically_equal(cell, other):
        assert data(key("study", cell, replicate)) != data(key("study", other, replicate))
        assert generator("study", cell, replicate).integers(2**60) != generator(
            "study", other, replicate
        ).integers(2**60)


def numerically_equal(cell, other):
    """Whether two cells differ only by 1 against 1.0."""
    return cell.keys() == other.keys() and all(
        isinstance(cell[n], bool) == isinstance(other[n], bool) and cell[n] == other[n] for n in cell
    )


def test_numbers_are_their_values():
    """An integer, a float, a fraction and a NumPy number of one value give one key."""
    expected = data(key("s", {"q": 0.5, "width": 256}, 3))
    for half in (Fraction(1, 2), np.float32(0.5), np.array(0.5)):
        assert data(key("s", {"q": half, "width": np.int64(256)}, 3)) == expected
        assert data(key("s", {"q": half, "width": 256.0}, np.int64(3))) == expected
    assert data(key("s", {"q": np.float32(0.1)}, 3)) != data(key("s", {"q": 0.1}, 3))


def test_studies_cells_and_replicates_are_all_different():
    """No two of 3 x 40 x 20 keys agree, and neither do the generators' first draws."""
    grid = list(itertools.product("abc", range(40), range(20)))
    assert len({data(key(s, {"x": x}, r)) for s, x, r in grid[::7]}) == len(grid[::7])
    assert len({int(generator(s, {"x": x}, r).integers(2**62)) for s, x, r in grid}) == len(grid)
    rows = np.asarray(jax.random.key_data(keys("a", {"x": 0}, 20)))
    assert len({tuple(row) for row in rows.tolist()}) == 20
    assert tuple(rows[7].tolist()) == data(key("a", {"x": 0}, 7))
    later = np.asarray(jax.random.key_data(keys("a", {"x": 0}, 3, start=17)))
    np.testing.assert_array_equal(later, rows[17:])


def test_draws_are_independent_between_replicates():
    """Means over 2000 replicates have the standard error of independent draws, on both sides."""
    jax_draws = jax.vmap(jax.random.normal)(keys("draws", {}, 2000))
    numpy_draws = np.array([generator("draws", {}, r).normal() for r in range(2000)])
    for draws in (np.asarray(jax_draws), numpy_draws):
        assert abs(draws.mean()) < 4 / np.sqrt(2000)
        assert abs(draws.std() - 1) < 4 / np.sqrt(4000)
        assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 4 / np.sqrt(2000)


def test_the_process_does_not_matter():
    """Another process, another hash seed, another default kind of key, x64 off: the same words."""
    program = (
        "import jax, numpy as np\n"
        "from numerics.keys import key, generator\n"
        "jax.config.update('jax_default_prng_impl', 'rbg')\n"
        "print(*jax.random.key_data(key('s', {'b': 1, 'a': 'x'}, 5)).tolist(),"
        " generator('s', {'a': 'x', 'b': 1}, 5).integers(2**62))\n"
    )
    expected = (
        *data(key("s", {"a": "x", "b": 1}, 5)),
        int(generator("s", {"a": "x", "b": 1}, 5).integers(2**62)),
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "JAX_ENABLE_X64": "0"}
    out = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert tuple(int(word) for word in out.split()) == expected
    assert str(jax.random.key_impl(key("s", {}, 0))) == KEY_KIND


def test_global_state_is_left_alone():
    """Neither NumPy's global generator, nor x64, nor the default kind of key moves."""
    before = np.random.get_state()[1].copy(), jax.config.jax_enable_x64, jax.config.jax_default_prng_impl
    key("s", {"a": 1}, 0), keys("s", {}, 4), generator("s", {}, 0).normal(size=9)
    after = np.random.get_state()[1], jax.config.jax_enable_x64, jax.config.jax_default_prng_impl
    assert np.array_equal(before[0], after[0]) and before[1:] == after[1:]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: key("s", {}, -1), "replicate=-1"),
        (lambda: key("s", {}, 2**32), "replicate=4294967296"),
        (lambda: key("s", {}, True), "replicate=True"),
        (lambda: key("s", {"a": float("nan")}, 0), "NaN"),
        (lambda: generator("s", {"a": 1j}, 0), "type complex"),
        (lambda: generator("s", {"a": {"b": 1}}, 0), "type dict"),
        (lambda: keys("s", {}, 0), "replicates=0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, words):
    """One line that names what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
