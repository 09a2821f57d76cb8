"""Limit and Trend: an error that falls, and a quantity that moves one way."""

from dataclasses import replace
from functools import partial

import numpy as np
import xarray as xr
from sympy import oo

from experiments.bridge import predict
from experiments.comparison import Part, Verdict
from experiments.comparisons.doubts import bending, turning
from experiments.comparisons.formula import log_slopes
from experiments.comparisons.parts import doubted, exact, sampled, shared
from experiments.comparisons.reading import SEED, columns, flattened, need, seeded, uncertainty
from experiments.study import Margin
from numerics.trends import page
from theory.claims import Limit, Trend

LEAST_LEVELS = 4
"""For a trend's verdict; fewer are shown, undecided."""


def limit(claim: Limit, observation: xr.Dataset, margin: Margin, level: float, against: Limit) -> list[Part]:
    """The slope of log error against log control: at the stated rate, or of the falling sign.

    With no stated rate there are two parts for each column: the slope, which must have the falling sign (its
    distance from the margin's edge is the slope itself), and the error at the end over the error at the
    start, which must be below the margin.
    """
    control = need(observation, str(claim.control), "Limit")
    error = _error(claim, observation, against)
    grows = claim.point in (oo, -oo)
    distance = abs(control) if grows else abs(control - float(claim.point))
    if bool((distance <= 0).any()):
        raise ValueError(f"compare: {claim.control} reaches the limit point {claim.point}; leave that level out")
    found, labels, sizes = log_slopes(error, distance.rename(str(claim.control)))
    along = str(control.dims[0])
    values, _, _ = columns(error, (SEED, along))
    order = np.argsort(distance.values)
    nearing = order if grows else order[::-1]
    if claim.rate is not None:
        rate = flattened(predict(claim.rate, observation), sizes)
        each = shared(level, len(labels))
        parts = sampled(labels, found, rate, margin.value, each)
        for index, part in enumerate(parts):
            part = doubted(part, partial(_rising_error, values[:, nearing, index], control.values[nearing], each))
            bent = partial(bending, values[:, :, index], distance.values, margin.value, each)
            parts[index] = part if part.doubt else doubted(part, bent)
        return parts
    each = shared(level, 2 * len(labels))
    sign = -1.0 if grows else 1.0
    note = "the sign alone is claimed: what counts is the distance from 0"
    parts = sampled(
        [_named(label, "slope") for label in labels], found, sign * margin.value, margin.value, each,
        side="below" if grows else "above", note=note,
    )  # fmt: skip
    for index, part in enumerate(parts):
        growing = partial(_rising_error, values[:, nearing, index], control.values[nearing], each)
        parts[index] = doubted(part, growing)
    first, last = nearing[0], nearing[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        fall = values[:, last] / values[:, first]
    return parts + sampled([_named(label, "last error over first") for label in labels], fall, 0.0, margin.value, each)


def trend(claim: Trend, observation: xr.Dataset, margin: Margin, level: float, minimum_effect: float) -> list[Part]:
    """Fitted rise from the first level to the last, in the claimed direction: wholly above the minimum
    effect.

    Agreement also needs Page's test against the ordered alternative. ``predicted`` is minimum effect +
    margin, so that the edge of what counts as agreement is the minimum effect itself. If the observation has
    ``bound``, the uncertainty of ``measured``, no chance enters any seed: every step must then go the claimed way.
    """
    measured = seeded(need(observation, "measured", "Trend"))
    control = need(observation, str(claim.control), "Trend")
    levels = np.unique(control.values).size
    if control.ndim != 1 or levels < 2:
        raise ValueError(
            f"compare: control {claim.control} has shape {control.shape}; a trend needs at least "
            "2 different levels along one dimension; add levels"
        )
    values, labels, _ = columns(measured.astype(np.float64), (SEED, str(control.dims[0])))
    values = claim.direction * values[:, np.argsort(control.values, kind="stable")]
    each = shared(level, len(labels))
    goal = minimum_effect + margin.value
    parts = []
    for index, label in enumerate(labels):
        column = values[:, :, index]
        if levels < LEAST_LEVELS:
            note = f"{levels} levels; a trend's verdict needs at least {LEAST_LEVELS}"
            rise = column @ _rise(column.shape[1])
            few = sampled([label], rise[:, None], goal, margin.value, each, side="above", note=note)
            parts += [replace(part, verdict=Verdict.UNDECIDED) for part in few]
            continue
        if column.shape[0] < 2 or not np.isfinite(column).all():
            rise = column[:, -1] - column[:, 0]
            parts += sampled([label], rise[:, None], goal, margin.value, each, side="above")
            continue
        if "bound" in observation.variables:
            allowed = float(uncertainty(observation).max(skipna=False))
            parts.append(_exact_rise(label, column, allowed, goal, margin.value, each))
            continue
        found = page(column, each)
        rise = column @ _rise(column.shape[1])
        note = f"Page's test: p = {found.p_value:.2g}"
        part = sampled([label], rise[:, None], goal, margin.value, each, side="above", note=note)[0]
        if part.verdict is Verdict.AGREES and (found.p_value > 1 - each or part.low <= minimum_effect):
            part = replace(part, verdict=Verdict.UNDECIDED)
        if part.n >= 10 and part.high <= minimum_effect:
            part = replace(part, verdict=Verdict.DISAGREES)
        parts.append(doubted(part, partial(turning, column, np.sort(control.values, kind="stable"), each)))
    return parts


def _exact_rise(label: str, column: np.ndarray, bound: float, goal: float, margin: float, level: float) -> Part:
    weights = _rise(column.shape[1])
    rise, reach = column @ weights, np.full(column.shape[0], bound * np.abs(weights).sum())
    part = exact([label], rise[:, None], reach[:, None], goal, margin, level, side="above")[0]
    steps = np.diff(column, axis=1)
    if part.verdict is Verdict.AGREES and not bool((steps > 2 * bound).all()):
        return replace(part, verdict=Verdict.UNDECIDED, note="not every step goes the claimed way")
    return part


def _rising_error(errors: np.ndarray, levels: np.ndarray, level: float) -> str:
    """Where the error surely grows on the way to the limit."""
    with np.errstate(divide="ignore", invalid="ignore"):
        why = turning(-np.log(errors), levels, level)
    return why.replace("against the claim", "the error grows")


def _rise(levels: int) -> np.ndarray:
    """Coefficients of (levels - 1) times the least-squares slope over the level numbers."""
    centred = np.arange(levels) - (levels - 1) / 2
    return (levels - 1) * centred / (centred @ centred)


def _error(claim: Limit, observation: xr.Dataset, against: Limit) -> xr.DataArray:
    """The measured distance to the law's own limit; for a rival's limit, the distance of ``measured`` to
    it.
    """
    if claim.value == against.value and "error" in observation.variables:
        return seeded(observation["error"].astype(np.float64))
    if claim.value == against.value and "measured" not in observation.variables:
        need(observation, "error", "Limit")
    measured = seeded(need(observation, "measured", "Limit").astype(np.float64))
    return abs(measured - predict(claim.value, observation))


def _named(label: str, role: str) -> str:
    return f"{label}: {role}" if label else role
