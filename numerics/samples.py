"""What a statistic accepts: real, finite samples of enough independent seeds."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def finite(who: str, name: str, values: ArrayLike) -> Floats:
    """Return ``values`` as float64; raise ValueError, naming the caller, if any is not real and finite.

    Examples
    --------
    >>> finite("interval", "samples", [1, True]).tolist()
    [1.0, 1.0]
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iufb":
        raise ValueError(f"{who}: {name} has dtype {array.dtype}; real numbers are allowed; convert it first")
    array = array.astype(np.float64)
    bad = int(np.count_nonzero(~np.isfinite(array)))
    if bad:
        raise ValueError(
            f"{who}: {bad} of {array.size} entries of {name} are not finite; finite numbers are allowed; "
            "leave diverged runs out and say so"
        )
    return array


def check_level(who: str, level: float) -> None:
    """Refuse a level outside (0, 1).

    Examples
    --------
    >>> check_level("interval", 99.0)
    Traceback (most recent call last):
    ValueError: interval: level=99.0 is outside (0, 1); pass a fraction such as 0.99
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"{who}: level={level} is outside (0, 1); pass a fraction such as 0.99")


def count_of_seeds(who: str, values: Floats, axis: int, least: int = 2) -> int:
    """Return the number of seeds along ``axis``, refusing fewer than ``least``.

    Examples
    --------
    >>> count_of_seeds("interval", np.zeros((10, 3)), 0)
    10
    """
    if not -values.ndim <= axis < values.ndim:
        raise ValueError(f"{who}: axis={axis} does not exist in shape {values.shape}; pass an existing axis")
    n = values.shape[axis]
    if n < least:
        raise ValueError(f"{who}: {n} seeds along axis {axis}; needs at least {least}; run more seeds")
    return n
