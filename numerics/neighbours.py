"""Divergence of two laws from samples of either alone, by distances to neighbours: no law is fitted."""

import numpy as np
from jaxtyping import Float


def neighbour_divergence(
    first: Float[np.ndarray, "seed ..."], second: Float[np.ndarray, "seed2 ..."], neighbour: int = 3
) -> Float[np.ndarray, "..."]:
    """KL divergence of the first law from the second, for numbers on a line.

    mean log(nu / rho) + log(m / (n - 1)), with rho the distance of a draw of the first law to its k-th neighbour among
    the n - 1 others, and nu that to its k-th neighbour among the m draws of the second law (Wang, Kulkarni and Verdu
    2009). What is lost by too few draws depends on the shapes of the laws, and much less on their scales: differences
    of divergences between laws of one shape are nearly free of it.

    Parameters
    ----------
    first, second
        Draws along the first axis; everything else is looked at by itself.
    neighbour
        k, at least 1 and less than the number of draws of the first law.

    Raises
    ------
    ValueError
        If there are too few draws.

    Examples
    --------
    Integers beside even ones: for every other draw the second neighbour is twice as far, which makes log(2)/2 = 0.347
    but for the two ends.

    >>> even = np.arange(0.0, 400.0, 2.0)
    >>> float(neighbour_divergence(np.arange(100.0, 301.0), even, 2).round(2))
    0.34
    """
    n, m = len(first), len(second)
    if not 1 <= neighbour < n or neighbour > m:
        raise ValueError(
            f"neighbour_divergence: neighbour={neighbour} of {n} and {m} draws; it is at least 1, less than the first "
            "number and at most the second; draw more"
        )
    own = np.sort(np.abs(first[:, None] - first[None, :]), axis=1)[:, neighbour]
    other = np.sort(np.abs(first[:, None] - second[None, :]), axis=1)[:, neighbour - 1]
    return np.mean(np.log(other / own), axis=0) + np.log(m / (n - 1))
