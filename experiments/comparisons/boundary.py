"""Boundary: a curve in a plane, fitted by a shift, and the points that lie on the wrong side of it."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from experiments.bridge import predict
from experiments.comparison import Part
from experiments.comparisons.parts import MAJORITY, share_of_seeds, shared, weighed
from experiments.comparisons.reading import SEED, columns, flattened, need, seeded
from experiments.study import Margin
from numerics.intervals import interval
from theory.claims import Boundary

MISPLACED = 0.05
"""Largest share of a seed's far points that may lie on the wrong side: one in twenty."""


def boundary(claim: Boundary, observation: xr.Dataset, margin: Margin, level: float) -> list[Part]:
    """Two parts for each combination of the extra dimensions.

    *curve*: per seed, the shift of the predicted curve along y (its factor, where the margin is relative)
    that misplaces fewest points. The spacing of the points leaves a gap of equally good shifts; the
    interval reaches from the lower end of the gaps to the upper, so a plane that is sampled too thinly is
    undecided.
    *misplaced*: the share of seeds in which more than 1 in 20 of the points farther than the margin from the
    predicted curve lie on its wrong side, predicted 0; it must be below one half. The points of one seed know of each
    other, so the seed is what is counted, and the interval is exact for any law of the points
    (:func:`experiments.comparisons.parts.share_of_seeds`): ten seeds without a fault leave room for four in ten.
    """
    behaves = seeded(need(observation, "behaves", "Boundary"))
    y = need(observation, str(claim.y), "Boundary").astype(np.float64)
    need(observation, str(claim.x), "Boundary")
    curve = predict(claim.curve, observation)
    if margin.relative and bool((curve <= 0).any()):
        raise ValueError(
            f"compare: the curve {claim.curve} is {float(curve.min()):.3g} somewhere and the margin is relative; "
            "below a curve that is not positive a ratio lies above 1; declare a margin in units of y"
        )
    place = y / curve if margin.relative else y - curve
    exact = 1.0 if margin.relative else 0.0
    if place.ndim != 1:
        raise ValueError(
            f"compare: {claim.x} and {claim.y} have the dimensions {place.dims}; both must run along point; "
            "let observe stack them"
        )
    along = str(place.dims[0])
    values, labels, _ = columns(behaves.astype(np.float64), (SEED, along))
    position = flattened(place, {along: place.sizes[along]})
    far = np.abs(position - exact) > margin.value
    each = shared(level, 2 * len(labels))
    parts: list[Part] = []
    for index, label in enumerate(labels):
        seen = values[:, :, index]
        if not np.isfinite(seen).all() or not np.isfinite(position).all():
            raise ValueError(
                "compare: behaves or the curve is not a number at some points; let observe leave them out"
            )
        ends = _best_shifts(position, seen > 0.5)
        parts.append(_shift(f"{label}: curve" if label else "curve", ends, exact, margin.value, each))
        name = f"{label}: misplaced" if label else "misplaced"
        wrong = (seen > 0.5) != (position <= exact)
        if far.any():
            share = wrong[:, far].mean(axis=1)
            note = f"of {int(far.sum())} points away at most {share.max():.2g} in a seed; allowed {MISPLACED:.2g}"
            parts.append(share_of_seeds(name, share > MISPLACED, each, note))
        else:
            parts.append(weighed(name, 0.0, np.nan, -np.inf, np.inf, MAJORITY, len(seen), each))
    return parts


def _best_shifts(position: NDArray[np.float64], behaves: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Per seed, the ends of the set of shifts s for which ``position <= s`` disagrees with ``behaves`` least.

    Examples
    --------
    >>> _best_shifts(np.array([-1.0, 0.0, 2.0]), np.array([[True, True, False]])).tolist()
    [[0.0, 2.0]]
    """
    order = np.argsort(position, kind="stable")
    good = behaves[:, order]
    zero = np.zeros((len(good), 1), dtype=np.int64)
    # errors[:, k]: the first k points are called good.
    errors = np.concatenate([zero, np.cumsum(~good, axis=1)], axis=1)
    errors += np.concatenate([np.cumsum(good[:, ::-1], axis=1)[:, ::-1], zero], axis=1)
    edges = np.concatenate([[-np.inf], position[order], [np.inf]])
    possible = edges[1:] > edges[:-1]
    errors[:, ~possible] = len(position) + 1
    best = errors == errors.min(axis=1, keepdims=True)
    first, last = best.argmax(axis=1), best.shape[1] - best[:, ::-1].argmax(axis=1)
    return np.stack([edges[first], edges[last]], axis=1)


def _shift(label: str, ends: NDArray[np.float64], exact: float, margin: float, level: float) -> Part:
    n = len(ends)
    with np.errstate(invalid="ignore"):
        middle = ends.mean(axis=1)
    if not np.isfinite(ends).all():
        lost = int(np.count_nonzero(~np.isfinite(ends).all(axis=1)))
        finite = ends[np.isfinite(ends).all(axis=1)].mean() if lost < n else np.nan
        note = f"in {lost} of {n} seeds the points do not reach both sides"
        return weighed(label, exact, finite, -np.inf, np.inf, margin, n, level, note=note)
    half = float(np.diff(ends, axis=1).max()) / 2
    if n < 2:
        return weighed(label, exact, middle[0], -np.inf, np.inf, margin, n, level, resolution=half)
    found = interval(ends, level)
    error = float(interval(middle, level).standard_error)
    return weighed(
        label, exact, middle.mean(), found.low[0], found.high[1], margin, n, level, error, resolution=half
    )
