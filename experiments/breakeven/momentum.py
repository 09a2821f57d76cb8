"""Heavy ball and averaged gradients on quadratics: the spectral radius of the step of the second moments."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from scipy.optimize import minimize_scalar

from experiments.breakeven.closures import pattern
from experiments.breakeven.sampling import seen
from experiments.study import PROFILES, Check, Grid, Margin, Replicates, Study, Variable
from numerics.stability import averaged_steps, edge, heavy_ball_steps, mean_square_radius
from numerics.subsets import batch_means, every_subset

POPULATION, RATE, VARIATION = 8, 0.1, 2.0
ROOT = 1e-9
"""Allowance for the root finder, in units of the edge; all batches are listed, so that nothing else is uncertain."""
HIGHEST = 2e-5
"""Twice the tolerance with which the highest edge is sought."""


def measure(
    *,
    replicates: Replicates,
    data: None,
    batch_size: np.ndarray,
    momentum: np.ndarray,
    curvature: np.ndarray,
) -> Mapping[str, np.ndarray]:
    """Edges in the curvature over all batches, the radius in the plane, and the momentum of the highest edge.

    The curvatures of the examples are a pattern that scales with their mean; each seed shuffles and bends it.
    """
    del data
    edges, radii, noises, best, averaged = [], [], [], [], []
    for random in replicates.generators():
        draw = random.permutation(pattern(POPULATION)) + 0.3 * random.standard_normal(POPULATION)
        deviations = 1.0 + VARIATION**0.5 * (draw - draw.mean()) / draw.std()
        means = [batch_means(deviations, every_subset(POPULATION, int(size))) for size in batch_size]
        noises.append([one.var() / deviations.var() for one in means])
        edges.append([[_edge(one, float(beta)) for beta in momentum] for one in means])
        planes = [
            [mean_square_radius(heavy_ball_steps(curvature[:, None] * one, RATE, float(beta))) for beta in momentum]
            for one in means
        ]
        radii.append(planes)
        best.append([_best(one) for one in means])
        averaged.append([_averaged(float(share)) for share in momentum])
    return {
        "edge": np.array(edges),
        "radius": np.array(radii),
        "noise": np.array(noises),
        "best": np.array(best),
        "averaged": np.array(averaged),
    }


def _edge(means: np.ndarray, momentum: float) -> float:
    return edge(lambda x: heavy_ball_steps(x * means, RATE, momentum), 1e-3 / RATE, 8.0 / RATE)


def _best(means: np.ndarray) -> float:
    """Momentum at which the edge is highest."""
    found = minimize_scalar(lambda b: -_edge(means, float(b)), bounds=(0.0, 0.95), method="bounded")
    return float(found.x)  # pyright: ignore[reportAttributeAccessIssue]


def _averaged(share: float) -> float:
    """Edge of averaged gradients without noise."""
    top = 100.0 / RATE
    return edge(lambda x: averaged_steps(np.array([x]), RATE, share), 1e-3 / RATE, top)


def plane(data: xr.Dataset) -> xr.Dataset:
    """Whether the second moments stayed bounded, at every point of the plane."""
    dims = ("batch_size", "momentum", "curvature")
    noise = data["noise"].isel(seed=0, drop=True)
    labelled = data[["radius"]].assign_coords(beta=data["momentum"], lam=data["curvature"], c=noise)
    stacked = labelled.stack(point=dims)
    coordinates = {name: ("point", stacked[name].values) for name in ("beta", "lam", "c")}
    behaves = seen(stacked["radius"]).transpose("seed", "point").values
    return xr.Dataset(
        {"behaves": (("seed", "point"), behaves)}, coords={**coordinates, "kappa": VARIATION, "eta": RATE}
    )


def without_noise(data: xr.Dataset) -> xr.Dataset:
    """Edges of the full batch in units of their mean."""
    return _relative(data["edge"].isel(batch_size=-1, drop=True))


def with_noise(data: xr.Dataset) -> xr.Dataset:
    """Edges of batches of one in units of their mean."""
    return _relative(data["edge"].isel(batch_size=0, drop=True))


def _relative(edges: xr.DataArray) -> xr.Dataset:
    measured = edges / edges.mean("momentum", skipna=False)
    found = xr.Dataset({"measured": measured, "bound": 2 * ROOT * measured})
    return found.assign_coords(beta=("momentum", edges["momentum"].values))


def best_momentum(data: xr.Dataset) -> xr.Dataset:
    """Momentum of the highest edge at the batch sizes between one and all."""
    inner = data.isel(batch_size=slice(1, -1))
    found = {"measured": inner["best"], "bound": HIGHEST + 0 * inner["best"]}
    return xr.Dataset({**found, "sqrt_c_kappa": (inner["noise"] * VARIATION) ** 0.5})


def averaged(data: xr.Dataset) -> xr.Dataset:
    """Edges of averaged gradients; they know of no example, so that all seeds give one number."""
    found = xr.Dataset({"measured": data["averaged"], "bound": ROOT * data["averaged"]})
    return found.assign_coords(beta_1=("momentum", data["momentum"].values), eta=RATE)


def _grid(seeds: int) -> Grid:
    return Grid(
        inner={
            "batch_size": (1, 4, 8),
            "momentum": (0.0, 0.2, 0.4, 0.6, 0.8),
            "curvature": tuple((np.geomspace(1.0, 50.0, 80)).round(4).tolist()),
        },
        seeds=seeds,
    )


_TREND = Margin(0.05, "physics", "a twentieth of the edge's mean; the opposite trend lies on the other side of 0")

STUDY = Study(
    name="breakeven.momentum",
    title="Edges of heavy ball and of averaged gradients on 8 one-dimensional quadratics, over all batches",
    measure=measure,
    variables={
        "edge": Variable(("seed", "batch_size", "momentum"), "1", "curvature at which second moments begin to grow"),
        "radius": Variable(("seed", "batch_size", "momentum", "curvature"), "1", "growth of second moments in a step"),
        "noise": Variable(("seed", "batch_size"), "1", "variance of batch means over the population variance"),
        "best": Variable(("seed", "batch_size"), "1", "momentum of the highest edge"),
        "averaged": Variable(("seed", "momentum"), "1", "edge of averaged gradients without noise"),
    },
    grids=dict(zip(PROFILES, (_grid(10), _grid(30), _grid(100)), strict=True)),
    checks=(
        Check(
            law="breakeven.momentum_edge",
            observe=plane,
            margin=Margin(0.06, "physics", "a third of the way to plain SGD at beta = 0.2, S = N", relative=True),
        ),
        Check(law="breakeven.momentum_raises_edge", observe=without_noise, margin=_TREND, minimum_effect=0.05),
        Check(law="breakeven.momentum_lowers_edge", observe=with_noise, margin=_TREND, minimum_effect=0.05),
        Check(
            law="breakeven.best_momentum",
            observe=best_momentum,
            margin=Margin(0.05, "physics", "less than a tenth of the distance to 1 - sqrt(c kappa)"),
        ),
        Check(
            law="breakeven.adam_edge",
            observe=averaged,
            margin=Margin(0.05, "physics", "less than a third of the way to heavy ball at beta_1 = 0.2"),
            select={"momentum": [0.2, 0.4, 0.6, 0.8]},
        ),
    ),
)
