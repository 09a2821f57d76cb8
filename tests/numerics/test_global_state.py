"""No public call of numerics moves anything global: `conftest.py` looks, and here it is seen to look everywhere."""

import importlib
import inspect
import os
import pkgutil
import random
import threading
import warnings

import jax
import numpy as np
import pytest

import numerics
from numerics import data_files
from numerics.infinite_width import neural_tangents

WITHOUT_EXAMPLES = {
    "numerics.data_files.images": "needs a file: test_data_files",
    "numerics.data_files.texts": "needs a file: test_data_files",
    "numerics.downloads.cifar10": "needs a server: test_data_downloads",
    "numerics.downloads.fashion_mnist": "needs a server: test_data_downloads",
    "numerics.downloads.imdb": "needs a server: test_data_downloads",
}


MODULES = [
    importlib.import_module(module.name) for module in pkgutil.iter_modules(numerics.__path__, "numerics.")
]


def public():
    """Full names and docstrings of the public functions."""
    for module in MODULES:
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
            if own and (inspect.isfunction(value) or hasattr(value, "lower")):
                yield f"{module.__name__}.{name}", value.__doc__ or ""


def test_every_public_function_is_called_by_its_own_example():
    found = dict(public())
    assert len(found) > 150
    silent = {name for name, text in found.items() if f"{name.split('.')[-1]}(" not in text.partition(">>>")[2]}
    referred = {name for name in silent if "\n    See `" in found[name]}
    assert silent - referred == set(WITHOUT_EXAMPLES)


def test_examples_are_watched(request):
    """The partner of the watch: it stands, and an example that moves something fails."""
    (watch,) = (one for one in request.config.pluginmanager.get_plugins() if type(one).__name__ == "Watch")

    class Example:
        name = "numerics.careless"

    def around(act, item):
        running = watch.pytest_runtest_call(item)
        next(running)
        act()
        with pytest.raises(StopIteration):
            next(running)

    state = random.getstate()
    around(lambda: None, Example)
    with pytest.raises(AssertionError, match=r"numerics\.careless moves something global"):
        around(random.random, Example)
    Example.name = "experiments.careless"
    around(random.random, Example)
    random.setstate(state)


def test_lending_neural_tangents_leaves_nothing(watch):
    """The package's import and its block; a module's loading is the one thing that stays."""
    snapshot, moved = watch
    before = snapshot()
    with neural_tangents() as package:
        assert package.__name__ == "neural_tangents"
    assert moved(before) == set()


@pytest.mark.parametrize(
    "part", ["numpy", "python", "numpy errors", "jax", "environment", "warnings", "threads", "folder"]
)
def test_the_snapshot_sees_changes(part, monkeypatch, watch, tmp_path):
    """The partner: each careless act is seen."""
    snapshot, moved = watch
    before = snapshot()
    numpy_state, python_state, done = np.random.get_state(), random.getstate(), threading.Event()
    with warnings.catch_warnings(), np.errstate(), monkeypatch.context() as patch:
        acts = {
            "numpy": lambda: np.random.rand(),
            "python": lambda: random.random(),
            "numpy errors": lambda: np.seterr(divide="ignore", over="raise"),
            "jax": lambda: jax.config.update("jax_enable_x64", False),
            "environment": lambda: patch.setenv("OMP_NUM_THREADS", "17"),
            "warnings": lambda: warnings.simplefilter("ignore"),
            "threads": threading.Thread(target=done.wait).start,
            "folder": lambda: patch.chdir(tmp_path),
        }
        try:
            acts[part]()
            assert moved(before) == {part}
        finally:
            done.set()
            jax.config.update("jax_enable_x64", True)
            np.random.set_state(numpy_state)
            random.setstate(python_state)


def test_files_are_looked_for_without_moving_there(watch, monkeypatch):
    monkeypatch.delenv("ASSAY_DATA", raising=False)
    snapshot, moved = watch
    before = snapshot()
    data_files.find_data_sets(os.curdir)
    assert moved(before) == set()
