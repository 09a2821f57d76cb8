"""Where one step of SGD begins to let the mean squared distance grow, in three closures."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import xarray as xr

from experiments.breakeven.closures import (
    fixed_ratio,
    fixed_variance,
    growth_at,
    lower_edge,
    pattern,
    proportional,
    upper_edge,
)
from experiments.breakeven.sampling import SCHEMES, indicators, seen
from experiments.study import PROFILES, Check, Grid, Margin, Profile, Replicates, Study, Variable

POPULATION = 16
DEVIATION, RATE = 9.5, 0.1
VARIATION = 2.0
ALPHA = 4.0
EPSILON = float(np.finfo(np.float64).eps)


def measure_fixed_variance(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    curvature: np.ndarray,
    draws: int,
) -> Mapping[str, np.ndarray]:
    """Both edges, and the growth at chosen mean curvatures, at one learning rate and one spread."""
    del data
    family = fixed_variance(pattern(POPULATION), DEVIATION)
    lower, upper, factor = [], [], []
    for random in replicates.generators():
        sets = [SCHEMES[scheme].draw(random, draws, POPULATION, int(size)) for size in batch_size]
        lower.append([lower_edge(family, 1.0, RATE, batches) for batches in sets])
        upper.append([upper_edge(family, 1.0, RATE, batches) for batches in sets])
        factor.append([[growth_at(float(x), family, 1.0, RATE, batches) for x in curvature] for batches in sets])
    return {"lower": np.array(lower), "upper": np.array(upper), "growth": np.array(factor)}


def measure_fixed_ratio(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    learning_rate: np.ndarray,
    scaled_curvature: np.ndarray,
    draws: int,
) -> Mapping[str, np.ndarray]:
    """Growth over the plane of learning rate and curvature, and the edge at each learning rate.

    Curvatures are ``scaled_curvature / learning_rate``; every learning rate has batches of its own.
    """
    del data
    family = fixed_ratio(pattern(POPULATION, VARIATION), VARIATION)
    shape = (len(replicates.ids), batch_size.size, learning_rate.size)
    edge, factor = np.empty(shape), np.empty((*shape, scaled_curvature.size))
    for seed, random in enumerate(replicates.generators()):
        for (row, size), (column, rate) in product(enumerate(batch_size), enumerate(learning_rate)):
            batches = SCHEMES[scheme].draw(random, draws, POPULATION, int(size))
            edge[seed, row, column] = upper_edge(family, 1.0, float(rate), batches)
            factor[seed, row, column] = [
                growth_at(float(x / rate), family, 1.0, float(rate), batches) for x in scaled_curvature
            ]
    return {"edge": edge, "growth": factor}


def measure_proportional(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    distance: np.ndarray,
    draws: int,
) -> Mapping[str, np.ndarray]:
    """The edge at several distances, the gradient variance kept proportional to the curvature."""
    del data
    deviations = pattern(POPULATION)
    edge = np.empty((len(replicates.ids), batch_size.size, distance.size))
    for seed, random in enumerate(replicates.generators()):
        for (row, size), (column, psi) in product(enumerate(batch_size), enumerate(distance)):
            batches = SCHEMES[scheme].draw(random, draws, POPULATION, int(size))
            family = proportional(deviations, ALPHA, float(psi))
            edge[seed, row, column] = upper_edge(family, float(psi), RATE, batches)
    return {"edge": edge}


def _sampled(data: xr.Dataset, found: xr.Dataset) -> xr.Dataset:
    return found.assign_coords(
        w=("scheme", indicators(data["scheme"].values)),
        S=("batch_size", found["batch_size"].values),
        N=POPULATION,
    )


def band(data: xr.Dataset) -> xr.Dataset:
    """Measured edges, and whether the distance did not grow at each curvature."""
    inside = seen(data["growth"]).rename(curvature="point").drop_vars("point")
    found = xr.Dataset({"lower": data["lower"], "upper": data["upper"], "inside": inside})
    return _sampled(data, found).assign_coords(lam=("point", data["curvature"].values), eta=RATE, s2=DEVIATION**2)


def plane(data: xr.Dataset) -> xr.Dataset:
    """Whether the distance did not grow, at every point of the plane, for every batch size and scheme."""
    dims = ("scheme", "batch_size", "learning_rate", "scaled_curvature")
    labelled = _sampled(data, data[["growth"]]).assign_coords(eta=data["learning_rate"])
    labelled = labelled.assign_coords(lam=data["scaled_curvature"] / data["learning_rate"])
    stacked = labelled.stack(point=dims)
    names = ("eta", "lam", "S", "w")
    coordinates = {name: ("point", stacked[name].values) for name in names}
    behaves = seen(stacked["growth"]).transpose("seed", "point").values
    return xr.Dataset(
        {"behaves": (("seed", "point"), behaves)}, coords={**coordinates, "N": POPULATION, "kappa": VARIATION}
    )


def by_learning_rate(data: xr.Dataset) -> xr.Dataset:
    """Edges in units of their mean over the learning rates."""
    return _relative(data["edge"], "learning_rate", "eta")


def by_batch_size(data: xr.Dataset) -> xr.Dataset:
    """Edges in units of their mean over the batch sizes."""
    return _relative(data["edge"], "batch_size", "S")


def by_distance(data: xr.Dataset) -> xr.Dataset:
    """Edges in units of their mean over the distances."""
    return _relative(data["edge"], "distance", "psi")


def _relative(edge: xr.DataArray, dim: str, name: str) -> xr.Dataset:
    found = xr.Dataset({"measured": edge / edge.mean(dim, skipna=False)})
    return found.assign_coords({name: (dim, edge[dim].values)})


def at_break_even(data: xr.Dataset) -> xr.Dataset:
    """Edges with the inputs of the paper's closure."""
    found = _sampled(data, xr.Dataset({"measured": data["edge"]}))
    return found.assign_coords(psi=("distance", data["distance"].values), eta=RATE, alpha=ALPHA)


_AXES = {"scheme": tuple(SCHEMES)}
_TREND = Margin(0.05, "physics", "a twentieth of the edge's mean; the opposite trend lies on the other side of 0")


def _grids(inner: Mapping[str, tuple[float, ...]], draws: int) -> Mapping[Profile, Grid]:
    scales = zip(PROFILES, (1, 10, 100), (16, 16, 24), strict=True)
    return {
        profile: Grid(axes=_AXES, inner=inner, settings={"draws": draws * more}, seeds=seeds)
        for profile, more, seeds in scales
    }


FIXED_VARIANCE = Study(
    name="breakeven.curvature_edge_fixed_variance",
    title="Edges of the stable curvatures at a fixed spread of the examples' curvatures",
    measure=measure_fixed_variance,
    variables={
        "lower": Variable(("seed", "batch_size"), "1", "curvature above which a step stops letting the distance grow"),
        "upper": Variable(("seed", "batch_size"), "1", "curvature above which a step lets the distance grow again"),
        "growth": Variable(("seed", "batch_size", "curvature"), "1", "measured growth in one step"),
    },
    grids=_grids({"batch_size": (2, 4, 8), "curvature": (0.1, 1.7, 5.0, 10.0, 15.0, 18.3, 22.0)}, 40_000),
    checks=(
        Check(
            law="breakeven.curvature_edge_fixed_variance",
            observe=band,
            margin=Margin(
                0.1,
                "physics",
                "two fifths of the distance 0.25 between the edges with distinct and independent examples",
            ),
        ),
    ),
)

FIXED_RATIO = Study(
    name="breakeven.curvature_edge_fixed_ratio",
    title="The plane of learning rate and curvature at a fixed relative spread of the examples' curvatures",
    measure=measure_fixed_ratio,
    variables={
        "edge": Variable(
            ("seed", "batch_size", "learning_rate"), "1", "curvature at which the measured growth passes 1"
        ),
        "growth": Variable(
            ("seed", "batch_size", "learning_rate", "scaled_curvature"), "1", "measured growth in one step"
        ),
    },
    grids=_grids(
        {
            "batch_size": (1, 2, 4, 8),
            "learning_rate": (0.05, 0.1, 0.2, 0.4),
            "scaled_curvature": tuple(np.geomspace(0.4, 3.2, 40).round(4).tolist()),
        },
        4_000,
    ),
    checks=(
        Check(
            law="breakeven.curvature_edge_fixed_ratio",
            observe=plane,
            margin=Margin(
                0.05,
                "physics",
                "less than a quarter of the 24 % to the edge with s in place of s^2, at S = 1",
                relative=True,
            ),
        ),
        Check(
            law="breakeven.edge_falls_with_learning_rate",
            observe=by_learning_rate,
            margin=_TREND,
            minimum_effect=0.05,
        ),
        Check(
            law="breakeven.edge_rises_with_batch_size",
            observe=by_batch_size,
            margin=_TREND,
            minimum_effect=0.05,
        ),
    ),
)

PROPORTIONAL = Study(
    name="breakeven.curvature_edge_paper",
    title="The break-even curvature where the gradient variance is proportional to the curvature",
    measure=measure_proportional,
    variables={
        "edge": Variable(("seed", "batch_size", "distance"), "1", "curvature at which the measured growth passes 1")
    },
    grids=_grids({"batch_size": (1, 2, 4), "distance": (0.5, 0.7, 1.0, 2.0)}, 40_000),
    checks=(
        Check(
            law="breakeven.curvature_edge_paper",
            observe=at_break_even,
            margin=Margin(
                0.06,
                "physics",
                "less than half of the factor to the threshold 2/eta of gradient descent at S = 1",
            ),
        ),
        Check(law="breakeven.edge_rises_with_distance", observe=by_distance, margin=_TREND, minimum_effect=0.05),
    ),
)

STUDIES = (FIXED_VARIANCE, FIXED_RATIO, PROPORTIONAL)
