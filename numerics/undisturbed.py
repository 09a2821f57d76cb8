"""Import a library that moves something global without moving it."""

import contextlib
import os
import random
import threading
import warnings
from collections.abc import Iterator

_ALONE = threading.Lock()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the environment, the warning filters and Python's random state, which some imports change.

    One thread at a time: filters that two threads put back in turn would be those of either.

    Examples
    --------
    >>> with undisturbed():
    ...     os.environ["SET_BY_AN_IMPORT"] = "1"
    >>> "SET_BY_AN_IMPORT" in os.environ
    False
    """
    with _ALONE, warnings.catch_warnings():
        environment, state = dict(os.environ), random.getstate()
        try:
            yield
        finally:
            for name in set(os.environ) - set(environment):
                del os.environ[name]
            random.setstate(state)
