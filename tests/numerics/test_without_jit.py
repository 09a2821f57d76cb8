"""The same result with and without jit: every public function's example, run once more with compilation off."""

import doctest
import importlib
import pkgutil
from types import ModuleType

import jax
import pytest

import numerics

WITHOUT_ARRAYS = ("data_files", "downloads")
LONG = ("batch_observer", "recurrent", "trajectory")
MODULES = {
    module.name: importlib.import_module(f"numerics.{module.name}")  # here: a library that loads sets its warnings
    for module in pkgutil.iter_modules(numerics.__path__)
    if module.name not in WITHOUT_ARRAYS
}


def told(module: ModuleType) -> str:
    """What the examples of a module that fail without jit say."""
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    with jax.disable_jit():
        for examples in doctest.DocTestFinder().find(module):
            runner.run(examples, out=said.append)
    return "".join(said)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in MODULES]
)
def test_examples_hold_without_jit(name: str) -> None:
    assert told(MODULES[name]) == ""


TRACED: list[int] = []


@jax.jit
def counted(x: jax.Array) -> jax.Array:
    """A function that jit changes.

    >>> _, _ = counted(jax.numpy.ones(3)), counted(jax.numpy.ones(3))
    >>> len(TRACED)
    1
    """
    TRACED.append(1)
    return x


def test_an_example_that_jit_changes_is_seen() -> None:
    module = ModuleType("planted")
    vars(module).update(counted=counted, TRACED=TRACED, jax=jax, __doc__=counted.__doc__)
    TRACED.clear()
    assert "Expected:\n    1\nGot:\n    2" in told(module)
    TRACED.clear()
