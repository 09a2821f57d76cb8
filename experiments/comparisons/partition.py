"""Partition: every representative carries the signature of its own regime and of no other."""

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from experiments.bridge import holds, predict
from experiments.comparison import Part, Verdict
from experiments.comparisons.parts import sampled, shared, undecided, weighed
from experiments.comparisons.reading import SEED, labels_of, need, seeded
from experiments.study import Margin
from numerics.equivalence import chance_of_disagreement
from numerics.intervals import interval
from theory.claims import Partition, Regime


def partition(claim: Partition, observation: xr.Dataset, margin: Margin, level: float) -> list[Part]:
    """One part for each representative and feature, and one for the nearest other regime.

    A representative's own regime is the one whose condition holds at its coordinates (decided in exact
    rationals), or the one of its name where a condition needs symbols that the observation does not give.
    Features that a regime does not define (a NaN in its signature) are left out. The last part is the
    smallest separation of a representative from another regime's signature, in margins: it must be above 1.
    """
    measured = seeded(need(observation, "signature", "Partition").astype(np.float64))
    names = [str(name) for name in need(observation, "regime", "Partition").values]
    samples = measured.transpose(SEED, "regime", "feature").values
    features = labels_of(observation["signature"], ["feature"])
    expected = _signatures(claim, observation, len(names), len(features))
    known = {regime.name: index for index, regime in enumerate(claim.regimes)}
    count = sum(
        int(np.isfinite(expected[known[name], row]).sum()) for row, name in enumerate(names) if name in known
    )
    each = shared(level, count + 1)
    parts: list[Part] = []
    for row, name in enumerate(names):
        own, problem = _own(claim, observation, row, name)
        if own is None:
            parts.append(_homeless(name, problem, margin, samples.shape[0]))
            continue
        goal = expected[known[own.name], row]
        wanted = np.flatnonzero(np.isfinite(goal))
        if not wanted.size:
            parts.append(undecided(name, "its own signature has no number here", margin.value))
            continue
        labels = [f"{name}: {features[feature]}" for feature in wanted]
        parts += sampled(labels, samples[:, row, wanted], goal[wanted], margin.value, each)
    missing = [regime.name for regime in claim.regimes if regime.name not in names]
    if missing:
        parts.append(undecided("representatives", f"none was measured of {', '.join(missing)}", margin.value))
    if len(claim.regimes) > 1:
        parts.append(_nearest_other(claim, names, samples, expected, margin, each))
    return parts


def _signatures(claim: Partition, observation: xr.Dataset, rows: int, features: int) -> NDArray[np.float64]:
    """Predicted features of each regime at each representative, shape (regimes, representatives,
    features).
    """
    inputs = observation.drop_vars(
        [name for name in ("signature", "regime", "feature") if name in observation.variables]
    )
    expected = np.full((len(claim.regimes), rows, features), np.nan)
    for index, regime in enumerate(claim.regimes):
        if len(regime.signature) != features:
            raise ValueError(
                f"compare: regime {regime.name} has a signature of {len(regime.signature)} features, "
                "the observation "
                f"{features}; give as many"
            )
        for feature, expression in enumerate(regime.signature):
            expected[index, :, feature] = predict(expression, inputs).values
    return expected


def _own(claim: Partition, observation: xr.Dataset, row: int, name: str) -> tuple[Regime | None, str]:
    """The regime that a representative belongs to, or why it belongs to none."""
    point = _point(observation, row)
    needed = {str(symbol) for regime in claim.regimes for symbol in regime.condition.free_symbols}
    if needed <= set(point):
        at = [regime for regime in claim.regimes if holds(regime.condition, point)]
        if len(at) == 1 and at[0].name != name and any(regime.name == name for regime in claim.regimes):
            return None, f"lies in {at[0].name} by its coordinates"
        if len(at) != 1:
            return (
                None,
                f"lies in {', '.join(regime.name for regime in at) or 'no regime'} by its coordinates",
            )
        return at[0], ""
    named = [regime for regime in claim.regimes if regime.name == name]
    return (named[0], "") if named else (None, "is in no listed regime")


def _point(observation: xr.Dataset, row: int) -> dict[str, Any]:
    point = {}
    for key, held in observation.variables.items():
        if held.dtype.kind in "iuf" and held.dims in ((), ("regime",)):
            point[str(key)] = held.values[row] if held.dims else held.values[()]
    return point


def _homeless(name: str, problem: str, margin: Margin, n: int) -> Part:
    return Part(
        name, np.nan, np.nan, -np.inf, np.inf, margin.value, Verdict.DISAGREES, n, note=f"{name} {problem}"
    )


def _nearest_other(
    claim: Partition,
    names: list[str],
    samples: NDArray[np.float64],
    expected: NDArray[np.float64],
    margin: Margin,
    level: float,
) -> Part:
    """Smallest separation, in margins, of a representative from the signature of a regime that is not its
    own.
    """
    n = samples.shape[0]
    label = "nearest other regime"
    if n < 2:
        return weighed(label, 2.0, np.nan, -np.inf, np.inf, 1.0, n, level, side="above")
    finite = np.asarray(np.isfinite(samples).all(axis=0))
    found = interval(np.where(finite, samples, 0.0), level)
    nearest, pair = (np.inf, np.inf, np.inf), ""
    for row, name in enumerate(names):
        for index, regime in enumerate(claim.regimes):
            usable = finite[row] & np.isfinite(expected[index, row])
            if regime.name == name or not usable.any():
                continue
            goal = expected[index, row, usable]
            gaps = np.stack([found.low[row, usable] - goal, goal - found.high[row, usable]])
            surely = np.maximum(gaps.max(axis=0), 0.0).max() / margin.value
            middle = np.abs(found.estimate[row, usable] - goal).max() / margin.value
            perhaps = np.maximum(-gaps, 0.0).max() / margin.value
            if surely < nearest[0]:
                nearest, pair = (float(surely), float(middle), float(perhaps)), f"{name} from {regime.name}"
    if not pair:
        return undecided(label, "no other regime has a comparable signature", 1.0, 2.0, n)
    low, middle, high = nearest
    part = weighed(
        label, 2.0, middle, low, max(high, middle), 1.0, n, level, side="above", note=f"{pair}, in margins"
    )
    return replace(part, chance=_chance_of_confusion(claim, names, samples, expected, margin.value, level))


def _chance_of_confusion(
    claim: Partition,
    names: list[str],
    samples: NDArray[np.float64],
    expected: NDArray[np.float64],
    margin: float,
    level: float,
) -> float:
    """Chance, at most, that a representative of exact signature lands wholly within another's margins.

    For a pair every feature would have to; the rarest bounds it. Pairs are added up.
    """
    known = {regime.name: index for index, regime in enumerate(claim.regimes)}
    finite = np.asarray(np.isfinite(samples).all(axis=0))
    errors = np.asarray(interval(np.where(finite, samples, 0.0), level).standard_error)
    total = 0.0
    for row, name in enumerate(names):
        for index, regime in enumerate(claim.regimes):
            if name not in known or regime.name == name:
                continue
            reach = np.abs(expected[known[name], row] - expected[index, row]) - margin
            usable = finite[row] & (reach > 0)
            total += min(
                (
                    chance_of_disagreement(float(error), len(samples), float(far), 0.0, level)
                    for error, far in zip(errors[row, usable], reach[usable], strict=True)
                ),
                default=1.0,
            )
    return min(total, 1.0)
