"""Heavy ball on quadratics: mean squares of many steps against the energy at the start, where none is gained."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.closures import pattern
from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.stability import heavy_ball_steps, second_moment_step
from numerics.subsets import batch_means, every_subset

POPULATION, RATE, VARIATION = 8, 0.1, 0.5
STARTS = ((1.0, 1.0), (1.0, -1.0), (1.0, 0.0))
"""A place and the one before it: at rest, moving outwards from the other side, and from the minimum."""
EPSILON = float(np.finfo(np.float64).eps)


def measure(
    *,
    replicates: Replicates,
    data: None,
    batch_size: np.ndarray,
    momentum: np.ndarray,
    curvature: np.ndarray,
    start: np.ndarray,
    step: np.ndarray,
) -> Mapping[str, np.ndarray]:
    """Mean squares by the exact step of the second moments over all batches, energies, and what a step adds to one."""
    del data
    found: dict[str, list] = {"mean_square": [], "energy": [], "growth": []}
    for random in replicates.generators():
        draw = random.permutation(pattern(POPULATION)) + 0.3 * random.standard_normal(POPULATION)
        deviations = 1.0 + VARIATION**0.5 * (draw - draw.mean()) / draw.std()
        means = [batch_means(deviations, every_subset(POPULATION, int(size))) for size in batch_size]
        runs = [[[_run(one * h, float(beta), start, step) for h in curvature] for beta in momentum] for one in means]
        for place, name in enumerate(found):
            found[name].append([[[run[place] for run in of_beta] for of_beta in of_size] for of_size in runs])
    return {name: np.array(values) for name, values in found.items()}


def correlation(curvature: np.ndarray | float, momentum: np.ndarray | float) -> np.ndarray:
    """(1 + beta - eta lam)/(1 + beta), which the energy is defined with."""
    return np.asarray((1.0 + momentum - RATE * curvature) / (1.0 + momentum))


def _run(
    curvatures: np.ndarray, momentum: float, starts: np.ndarray, steps: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """E x^2 at each step from each start, the energy of each start, and that after a step from 1 after 0."""
    r = float(correlation(curvatures.mean(), momentum))
    form = lambda x, y: x**2 - 2.0 * momentum * r * x * y + momentum**2 * y**2  # noqa: E731
    move = second_moment_step(heavy_ball_steps(curvatures, RATE, momentum))
    squares = []
    for x, y in (STARTS[int(which)] for which in starts):
        state = np.array([x, (y - x) / RATE])
        moments = np.outer(state, state).reshape(-1)
        powers = [np.linalg.matrix_power(move, int(count)) for count in steps]
        squares.append([float((power @ moments)[0]) for power in powers])
    energies = np.array([form(*STARTS[int(which)]) for which in starts])
    after = 1.0 + momentum - RATE * curvatures
    return np.array(squares), energies, float(form(after, 1.0).mean())


def bounded(data: xr.Dataset) -> xr.Dataset:
    """Mean squares times 1 - r^2 below the energy at the start, at the points at which a step gains none."""
    growth = data["growth"]

    def where_quiet(values: xr.DataArray) -> xr.DataArray:
        """0 where a step gains energy; no number where it is not known whether it does."""
        return values.where(growth <= 1.0, 0.0) + 0.0 * growth

    r = xr.DataArray(
        correlation(data["curvature"].values[None, :], data["momentum"].values[:, None]), dims=("momentum", "curvature")
    )
    smaller = where_quiet((1.0 - r**2) * data["mean_square"])
    larger = where_quiet(data["energy"])
    first = where_quiet(data["mean_square"].isel(step=0, drop=True))
    rival = "no more than at the start"
    return xr.Dataset(
        {
            "smaller": smaller,
            "larger": larger,
            "bound": 1e4 * EPSILON * (1.0 + larger),
            f"smaller[{rival}]": where_quiet(data["mean_square"]),
            f"larger[{rival}]": first,
        }
    )


def _grid(seeds: int) -> Grid:
    return Grid(
        inner={
            "batch_size": (1, 4, 8),
            "momentum": (0.2, 0.5, 0.8),
            "curvature": (0.5, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0),
            "start": (0, 1, 2),
            "step": (0, 1, 2, 3, 5, 10, 30),
        },
        seeds=seeds,
    )


_DIMS = ("seed", "batch_size", "momentum", "curvature")

STUDY = Study(
    name="breakeven.momentum_bounded",
    title="Mean squares of heavy ball on 8 one-dimensional quadratics, over all batches, where no energy is gained",
    measure=measure,
    variables={
        "mean_square": Variable((*_DIMS, "start", "step"), "1", "mean squared distance after some steps"),
        "energy": Variable((*_DIMS, "start"), "1", "energy of a place and the one before it"),
        "growth": Variable(_DIMS, "1", "energy after a step from the place 1 after 0"),
    },
    grids=dict(zip(PROFILES, (_grid(10), _grid(30), _grid(100)), strict=True)),
    checks=(
        Check(
            law="breakeven.momentum_bounded",
            observe=bounded,
            margin=Margin(1.0, "dtype", "10^4 roundings of float64 in thirty steps"),
        ),
    ),
)
