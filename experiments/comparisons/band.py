"""Band: two edges of a control, and behaviour on either side of them."""

from functools import partial

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from sympy import Expr

from experiments.bridge import predict
from experiments.comparison import Part
from experiments.comparisons.parts import MAJORITY, doubted, exact, sampled, share_of_seeds, shared, undecided, weighed
from experiments.comparisons.reading import SEED, columns, flattened, need, seeded, uncertainty
from experiments.study import Margin
from theory.claims import Band

DETECTED = 2.5
"""Margins by which a law may be wrong before it must be caught."""


def band(claim: Band, observation: xr.Dataset, margin: Margin, level: float) -> list[Part]:
    """The measured edges against the predicted ones, and the behaviour at points away from them.

    Each edge and each combination of the extra dimensions is a part: differences in units of the control,
    or ratios where the margin is relative. The behaviour is one part: the share of seeds in which any
    point farther than the margin from every edge does not behave as predicted; it must be below one half.
    Points must lie beyond each edge and inside. An edge that is not measured is placed by the points beside it: where
    none lies within 2.5 margins on either side, it is told how far off it could be.
    """
    edges = {"lower": claim.lower, "upper": claim.upper}
    measured = {name: edge for name, edge in edges.items() if edge is not None and name in observation.variables}
    if not measured and "inside" not in observation.variables:
        need(observation, "inside", "Band")
    inputs = observation.drop_vars([name for name in edges if name in observation.variables])
    arrays = {name: seeded(observation[name].astype(np.float64)) for name in measured}
    count = sum(array.size // array.sizes[SEED] for array in arrays.values())
    each = shared(level, count + ("inside" in observation.variables))
    parts: list[Part] = []
    for name, edge in measured.items():
        parts += _edge(name, edge, arrays[name], inputs, observation, margin, each)
    if "inside" in observation.variables:
        return [*parts, _behaviour(claim, observation, inputs, margin, each, frozenset(measured))]
    unseen = [name for name, edge in edges.items() if edge is not None and name not in measured]
    return parts + [
        undecided(f"{name} edge", "neither it nor the behaviour was observed", margin.value) for name in unseen
    ]


def _edge(
    name: str,
    edge: Expr,
    measured: xr.DataArray,
    inputs: xr.Dataset,
    observation: xr.Dataset,
    margin: Margin,
    level: float,
) -> list[Part]:
    samples, labels, sizes = columns(measured, (SEED,))
    goal = flattened(predict(edge, inputs), sizes)
    bound = uncertainty(observation) if "bound" in observation.variables else xr.zeros_like(measured)
    reach = columns(bound.broadcast_like(measured).transpose(*measured.dims), (SEED,))[0]
    if margin.relative:
        with np.errstate(divide="ignore", invalid="ignore"):
            samples, reach, goal = samples / goal, np.abs(reach / goal), np.ones_like(goal)
    names = [f"{name} edge: {label}" if label else f"{name} edge" for label in labels]
    if "bound" in observation.variables:
        return exact(names, samples, reach, goal, margin.value, level)
    return sampled(names, samples, goal, margin.value, level)


def _behaviour(
    claim: Band, observation: xr.Dataset, inputs: xr.Dataset, margin: Margin, level: float, measured: frozenset[str]
) -> Part:
    inside = observation["inside"]
    values, _, sizes = columns(seeded(inside).astype(np.float64), (SEED,))
    control = predict(claim.control, inputs)
    if not control.dims:
        raise ValueError(
            f"compare: the band's control {claim.control} does not vary over the points; "
            "give it as a coordinate along point"
        )
    place = flattened(control, sizes)
    predicted, far = np.ones(place.shape, dtype=bool), np.ones(place.shape, dtype=bool)
    regions = {}
    units = {}
    edges = (("below the lower edge", claim.lower, -1.0), ("above the upper edge", claim.upper, 1.0))
    for name, edge, sign in edges:
        if edge is None:
            continue
        at = flattened(predict(edge, inputs), sizes)
        excess = sign * (place - at)
        predicted &= excess <= 0
        reach = margin.value * np.abs(at) if margin.relative else margin.value
        far &= np.abs(excess) > reach
        if not measured & set(name.split()):
            units[name.removeprefix("below ").removeprefix("above ")] = excess / reach
        regions[name] = excess > 0
    for name, where in {"inside": predicted, **regions}.items():
        if not (where & far).any():
            note = f"no point {name} is farther than the margin from an edge"
            return undecided("behaviour", note, MAJORITY, 0.0)
    lost = int(np.count_nonzero(np.isnan(values)))
    if lost:
        return undecided("behaviour", f"{lost} points gave no answer", MAJORITY, 0.0)
    wrong = (((values > 0.5) != predicted) & far).any(axis=1)
    note = f"{int(far.sum())} points away from the edges"
    if SEED not in inside.dims:
        bad = float(wrong[0])
        part = weighed("behaviour", 0.0, bad, bad, bad, MAJORITY, place.size, note=note)
    else:
        part = share_of_seeds("behaviour", wrong, level, note)
    return doubted(part, partial(_unplaced, units, far))


def _unplaced(units: dict[str, NDArray[np.float64]], far: NDArray[np.bool_]) -> str:
    """How far off, in margins, an edge could be without a point that shows it; empty where 2.5 margins would show.

    Examples
    --------
    >>> _unplaced({"the upper edge": np.array([-8.0, -2.0, 2.0, 8.0])}, np.ones(4, dtype=bool))
    ''
    >>> _unplaced({"the upper edge": np.array([-8.0, -2.0, 8.0])}, np.ones(3, dtype=bool))
    'the upper edge could be 8 margins off: no point lies nearer on one side'
    """
    for name, excess in units.items():
        sides = [np.abs(excess[far & (excess * sign > 0)]).min(initial=np.inf) for sign in (1.0, -1.0)]
        if max(sides) > DETECTED:
            return f"{name} could be {max(sides):.3g} margins off: no point lies nearer on one side"
    return ""
