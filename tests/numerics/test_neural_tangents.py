"""neural-tangents as a witness: it agrees, leaves no trace, loads no TensorFlow, and says what is missing."""

import subprocess
import sys

import pytest


def run(program):
    """Run a program in a fresh process, warnings as errors, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


AGREEMENT = """
import sys, warnings
import jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_numpy_rank_promotion", "raise")
from numerics.expectations import erf, scaled_relu
from numerics.infinite_width import mlp_kernels, neural_tangents

def settings():
    config = jax.config
    return (config.jax_enable_x64, config.jax_numpy_dtype_promotion, config.jax_numpy_rank_promotion,
            list(warnings.filters), hasattr(jax.core, "Jaxpr"), "jax.util" in sys.modules,
            "neural_tangents.experimental" in sys.modules, hasattr(jax.interpreters.ad, "zeros_like_p"))

import jax.interpreters.ad
assert "neural_tangents" not in sys.modules
before = settings()
x = jax.random.normal(jax.random.key(0), (6, 5), dtype=jnp.float64)
x = x.at[1].set(2 * x[0])
other = jax.random.normal(jax.random.key(1), (4, 5), dtype=jnp.float64)
worst = 0.0
for ours, layer in ((erf, lambda nt: nt.stax.Erf()), (scaled_relu, lambda nt: nt.stax.ABRelu(0.0, 2.0**0.5))):
    for depth in (1, 2, 3):
        for second in (None, other) if depth == 2 else (other,):
            with neural_tangents() as nt:
                hidden = [part for _ in range(depth) for part in (nt.stax.Dense(8), layer(nt))]
                kernel = nt.stax.serial(*hidden, nt.stax.Dense(1))[2](x, second, ("nngp", "ntk"))
            mine = mlp_kernels(x, second, activation=ours, depth=depth)
            for name in ("nngp", "ntk"):
                a, b = getattr(mine, name), getattr(kernel, name)
                assert a.dtype == b.dtype == jnp.float64
                worst = max(worst, float(jnp.abs(a - b).max() / jnp.abs(b).max()))
wrong = mlp_kernels(x, None, activation=erf, depth=2).ntk
with neural_tangents() as nt:
    layers = nt.stax.Dense(8), nt.stax.Erf(), nt.stax.Dense(8), nt.stax.Erf(), nt.stax.Dense(1)
    init, apply, _ = nt.stax.serial(*layers)
    _, parameters = init(jax.random.key(2), x.shape)
    empirical = [nt.empirical_ntk_fn(apply, implementation=i)(x, None, parameters) for i in (1, 2)]
    linear = nt.linearize(apply, parameters)(parameters, x)
    logits = apply(parameters, x)
    gap = [float(jnp.abs(a - b).max()) for a, b in (empirical, (linear, logits))]
assert settings() == before, (settings(), before)
print(worst, max(gap), "tensorflow" in sys.modules, "tf2jax" in sys.modules)
"""


def test_neural_tangents_agrees_and_leaves_no_trace():
    """Kernels to 1e-10 for erf and scaled relu, depth 1 to 3; no TensorFlow; all settings as before.

    The process treats warnings as errors, so the package's DeprecationWarnings are caught in the block.
    """
    worst, gap, *loaded = run(AGREEMENT)
    assert float(worst) < 1e-10 and float(gap) < 1e-12
    assert loaded == ["False", "False"]


OUTSIDE = """
import warnings
import jax, jax.numpy as jnp
from numerics.infinite_width import neural_tangents
with neural_tangents() as nt:
    warnings.warn("inside", DeprecationWarning)
try:
    warnings.warn("outside", DeprecationWarning)
except DeprecationWarning:
    print("raised")
"""


def test_warnings_are_ignored_inside_the_block_only():
    """The same warning passes inside and is an error outside."""
    assert run(OUTSIDE) == ["raised"]


THREADS = """
import threading, warnings
from numerics.infinite_width import neural_tangents
before, first_in, second_in, first_out = list(warnings.filters), *(threading.Event() for _ in range(3))

def first():
    with neural_tangents():
        first_in.set(), second_in.wait()
    first_out.set()

def second():
    first_in.wait()
    with neural_tangents():
        second_in.set(), first_out.wait()
        warnings.warn("the other has left", DeprecationWarning)

threads = [threading.Thread(target=run) for run in (first, second)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(list(warnings.filters) == before)
try:
    with neural_tangents(), neural_tangents():
        raise KeyError
except KeyError:
    print(list(warnings.filters) == before)
"""


def test_two_threads_that_overlap_leave_the_filters_as_they_were():
    """The first one in leaves first; nested blocks and an error inside leave nothing either."""
    assert run(THREADS) == ["True", "True"]


BROKEN = """
import sys
sys.modules[{missing!r}] = None
import jax, jax.core
from numerics.infinite_width import neural_tangents
try:
    with neural_tangents():
        pass
except ImportError as error:
    assert "\\n" not in str(error) and {missing!r} in str(error) and "install" in str(error), error
    print("refused", hasattr(jax.core, "Jaxpr"), "jax.util" in sys.modules,
          any(name.startswith("neural_tangents.") for name in sys.modules))
"""


@pytest.mark.parametrize("missing", ["neural_tangents", "frozendict"])
def test_what_is_missing_is_said_in_one_sentence(missing):
    """The package itself, or something it needs; nothing half-loaded stays behind."""
    assert run(BROKEN.format(missing=missing)) == ["refused", "False", "False", "False"]


def test_importing_the_module_does_not_load_the_package():
    """Import has no effects."""
    program = (
        "import sys, numerics.infinite_width\nfor n in ('neural_tangents', 'sympy'): print(n in sys.modules)"
    )
    assert run(program) == ["False", "False"]
