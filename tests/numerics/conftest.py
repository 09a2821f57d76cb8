"""No call moves anything global: looked at around every test of this folder and every example of numerics.

Every public function has an example in its docstring (a test counts them), and pytest runs them all, so that every
public call is seen.
"""

import pytest
from globals_moved import global_state, moved


class Watch:
    """Around every docstring example of numerics."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        """Compare before and after the example."""
        if not item.name.startswith("numerics."):
            return (yield)
        before = global_state()
        result = yield
        assert moved(before) == set(), f"{item.name} moves something global"
        return result


def pytest_configure(config):
    """Watch examples too, which lie outside this folder."""
    config.pluginmanager.register(Watch())


@pytest.fixture(autouse=True)
def nothing_global_moves():
    """Compare the state before and after each test."""
    before = global_state()
    yield
    assert moved(before) == set()


@pytest.fixture
def watch():
    """The snapshot and the comparison, for a test that they see what moves."""
    return global_state, moved
