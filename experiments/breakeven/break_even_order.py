"""Break-even curvatures of pairs of runs on random distance functions, coupled or not (breakeven:V4).

The examples' curvatures have a variance that keeps the variance of the gradients proportional to the mean curvature at
the distance of the run. Growth is taken over all batches; no threshold is computed from a formula.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import xarray as xr

from experiments.breakeven.sampling import seen
from experiments.study import PROFILES, Check, CounterSystem, Grid, Margin, Replicates, Study, Variable
from numerics.subsets import every_subset

POPULATION, LEVELS, HALVINGS = 5, 200, 40


class Runs(NamedTuple):
    """Many runs at once: learning rates, batch sizes, strength of the noise, their examples and distances."""

    rate: np.ndarray
    size: np.ndarray
    strength: np.ndarray
    deviations: np.ndarray
    distance: Callable[[np.ndarray], np.ndarray]

    def growth(self, curvature: np.ndarray) -> np.ndarray:
        """Mean squared distance after a step over that before it, at a mean curvature for each run."""
        spread = np.sqrt(self.strength * curvature) / self.distance(curvature)
        examples = curvature[:, None] + spread[:, None] * self.deviations
        found = np.empty(curvature.shape)
        for size in range(1, POPULATION + 1):
            at = self.size == size
            means = examples[at][:, every_subset(POPULATION, size)].mean(axis=-1)
            found[at] = np.mean((1.0 - self.rate[at, None] * means) ** 2, axis=1)
        return found


def decreasing(random: np.random.Generator, count: int) -> Callable[[np.ndarray], np.ndarray]:
    """Random positive functions that fall: exponentials, rational functions and powers, one for each run."""
    kind = random.integers(3, size=count)
    scale, power = random.uniform(0.05, 2.0, count), random.uniform(0.2, 3.0, count)

    def distance(x: np.ndarray) -> np.ndarray:
        parts = np.stack([np.exp(-scale * x / 4), 1 / (1 + scale * x**power), (1 + x) ** -power])
        return np.maximum(np.take_along_axis(parts, kind[None], axis=0)[0], 1e-6)

    return distance


def crossings(runs: Runs, places: np.ndarray, grows: bool) -> np.ndarray:
    """First place along each row at which a step begins (or, else, ceases) to let the distance grow."""
    seen = np.stack([(runs.growth(column) > 1) == grows for column in places.T], axis=1)
    first = seen.argmax(axis=1)
    rows = np.arange(len(places))
    outside, inside = places[rows, np.maximum(first - 1, 0)], places[rows, first]
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        beyond = (runs.growth(middle) > 1) == grows
        inside, outside = np.where(beyond, middle, inside), np.where(beyond, outside, middle)
    return np.where(seen.any(axis=1) & (first > 0), (outside + inside) / 2, np.nan)


def measure(
    *, replicates: Replicates, data: None, distances: str, share: np.ndarray, pairs: int
) -> Mapping[str, np.ndarray]:
    """First unstable curvatures upwards of both runs of each pair, and the first stable one of run 1 downwards.

    Run 1 has the larger learning rate and the smaller batch. With `one` distance function it serves both runs and both
    ways; with `two` the second run has another one, and on the way down the distance is twice what it was.
    """
    del data
    found: dict[str, list[np.ndarray]] = {name: [] for name in VARIABLES}
    for random in replicates.generators():
        rates = np.sort(np.exp(random.uniform(-2.0, 0.0, (2, pairs))), axis=0)[::-1]
        sizes = np.sort(random.integers(1, POPULATION + 1, (2, pairs)), axis=0)
        draw = random.standard_normal((pairs, POPULATION))
        deviations = (draw - draw.mean(axis=1, keepdims=True)) / draw.std(axis=1, keepdims=True)
        own, other = decreasing(random, pairs), decreasing(random, pairs)
        second = own if distances == "one" else other
        start = 0.02 / rates[0]
        strength = np.exp(random.uniform(-3.0, 3.0, pairs))
        both = zip(rates, sizes, (own, second), strict=True)
        runs = _stable([Runs(rate, size, strength, deviations, f) for rate, size, f in both], start)
        up = np.geomspace(start, 2.5 / rates[1], LEVELS).T
        found["first"].append(crossings(runs[0], up, True))
        found["second"].append(crossings(runs[1], up, True))
        farther = 1.0 if distances == "one" else 2.0
        downwards = runs[0]._replace(distance=lambda x, own=own, factor=farther: factor * own(x))
        found["rate"].append(rates[0])
        found["down"].append(crossings(downwards, up[:, ::-1], False))
        found["growth"].append(np.stack([runs[0].growth(part * found["down"][-1]) for part in share], axis=1))
    return {name: np.array(values) for name, values in found.items()}


def _stable(runs: list[Runs], start: np.ndarray) -> list[Runs]:
    """The runs with one strength of noise for each pair, halved until both start stable."""
    strength = runs[0].strength
    while True:
        runs = [one._replace(strength=strength) for one in runs]
        unstable = np.any([one.growth(start) > 1 for one in runs], axis=0)
        if not unstable.any():
            return runs
        strength = np.where(unstable, strength / 2, strength)


ROOT = 1e-9
"""Allowance for the root finder, in units of the curvature."""


def in_order(data: xr.Dataset) -> xr.Dataset:
    """Both runs' break-even curvatures; the allowance is that of the root finder."""
    found = xr.Dataset({"smaller": data["first"], "larger": data["second"], "bound": ROOT * data["second"]})
    return found.assign(lam_1=data["first"], lam_2=data["second"])


def both_ways(data: xr.Dataset) -> xr.Dataset:
    """First stable curvatures on the way down, beside the first unstable ones and 2/eta: geometric means of a seed."""
    found = {"measured": data["down"], "lam_up": data["first"], "edge_1": 2.0 / data["rate"]}
    means = xr.Dataset({name: _over_pairs(values) for name, values in found.items()})
    return means.assign(bound=ROOT * means["measured"])


def _over_pairs(values: xr.DataArray) -> xr.DataArray:
    """Geometric mean over the pairs of a seed."""
    logarithms = xr.apply_ufunc(np.log, values)
    return xr.apply_ufunc(np.exp, logarithms.mean("pair", skipna=False))


def around_the_root(data: xr.Dataset) -> xr.Dataset:
    """Edges found from below in units of those found from above, and whether shares of these are stable."""
    edges = _over_pairs(data["first"] / data["down"])
    inside = seen(data["growth"]).rename(share="point").drop_vars("point")
    return xr.Dataset({"upper": edges, "bound": ROOT * edges, "inside": inside}).assign_coords(
        lam=("point", data["share"].values), lam_star=1.0
    )


VARIABLES = {
    "growth": Variable(("seed", "pair", "share"), "1", "growth in a step at shares of the curvature on the way down"),
    "first": Variable(("seed", "pair"), "1", "first unstable curvature of the run with the larger noise"),
    "second": Variable(("seed", "pair"), "1", "first unstable curvature of the other run"),
    "rate": Variable(("seed", "pair"), "1", "learning rate of the first run"),
    "down": Variable(("seed", "pair"), "1", "first stable curvature of the first run on its way down"),
}


def _grid(pairs: int, seeds: int) -> Grid:
    return Grid(
        axes={"distances": ("one", "two")},
        inner={"share": (0.3, 0.6, 0.9, 1.1, 1.5)},
        settings={"pairs": pairs},
        seeds=seeds,
        first_seed=1000,  # settings were chosen on the seeds before these
    )


_TWO = CounterSystem("two distances", {"distances": "two"}, "each run has a distance of its own (breakeven:X8)")

STUDY = Study(
    name="breakeven.break_even_order",
    title="Break-even curvatures of pairs of runs on random decreasing distance functions",
    measure=measure,
    variables=VARIABLES,
    grids=dict(zip(PROFILES, (_grid(100, 12), _grid(400, 24), _grid(1000, 24)), strict=True)),
    checks=(
        Check(
            law="breakeven.theorem_1",
            observe=in_order,
            margin=Margin(1.0, "dtype", "one tolerance of the root finder, 1e-9 of the curvature"),
            select={"distances": "one"},
            counter_systems=(_TWO,),
        ),
        Check(
            law="breakeven.coupled_stability",
            observe=around_the_root,
            margin=Margin(0.05, "physics", "a tenth of the distance to half of the root"),
            select={"distances": "one"},
        ),
        Check(
            law="breakeven.theorem_2",
            observe=both_ways,
            margin=Margin(0.05, "physics", "a twentieth of the distance to hysteresis by a factor 2"),
            select={"distances": "one"},
            counter_systems=(
                CounterSystem(
                    "farther on the way down",
                    {"distances": "two"},
                    "an instability has doubled the distance meanwhile, as assumption 3 says (breakeven:G1)",
                ),
            ),
        ),
    ),
)
