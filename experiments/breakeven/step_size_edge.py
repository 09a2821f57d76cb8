"""The largest stable learning rate: from the batches' curvatures, and apart from that from real steps."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.sampling import SCHEMES, indicators
from experiments.study import Check, Grid, Margin, Replicates, Study, Variable
from numerics.quadratics import BatchLosses, Quadratics, batch_losses, crossing, gamma_curvatures, growth
from numerics.subsets import Sampler

POPULATION, MEAN_CURVATURE, VARIATION, START = 64, 10.0, 2.0, 1.0


def losses() -> Quadratics:
    """Examples with one minimum and skewed curvatures."""
    return Quadratics(gamma_curvatures(POPULATION, MEAN_CURVATURE, VARIATION), np.zeros(POPULATION))


def measure(
    *,
    replicates: Replicates,
    data: None,
    scheme: str,
    batch_size: np.ndarray,
    learning_rate: np.ndarray,
    examples: int,
) -> Mapping[str, np.ndarray]:
    """Moments of one set of batches; growth and its crossing of 1 over another, independent one.

    Each set holds `examples` drawn examples in all, whatever the batch size.
    """
    del data
    sampling, system = SCHEMES[scheme], losses()
    moments, edges, factors = [], [], []
    for random in replicates.generators():
        first, second = ([_drawn(sampling.draw, random, int(size), examples) for size in batch_size] for _ in range(2))
        slopes = [batch_losses(system, batches).slopes for batches in first]
        moments.append([(slope.mean(), np.mean(slope**2)) for slope in slopes])
        stepped = [batch_losses(system, batches) for batches in second]
        edges.append([_edge(batches) for batches in stepped])
        factors.append([[growth(batches, START, float(rate)) for rate in learning_rate] for batches in stepped])
    return {"moments": np.array(moments), "edge": np.array(edges), "growth": np.array(factors)}


def _drawn(draw: Sampler, random: np.random.Generator, size: int, examples: int) -> np.ndarray:
    return draw(random, examples // size, POPULATION, size)


def _edge(batches: BatchLosses) -> float:
    """Double a tiny learning rate until a step lets the mean squared distance grow; then close in."""
    inside = 1e-3 / MEAN_CURVATURE
    while growth(batches, START, 2 * inside) < 1:
        inside *= 2
    return crossing(lambda rate: growth(batches, START, rate), inside, 2 * inside)


def edges(data: xr.Dataset) -> xr.Dataset:
    """Both estimates of the edge, and whether each learning rate let the distance shrink."""
    mean, mean_square = data["moments"].isel(moment=0), data["moments"].isel(moment=1)
    upper = xr.concat([2 * mean / mean_square, data["edge"]], dim="method").assign_coords(
        method=["batches' curvatures", "steps taken"]
    )
    curvatures = losses().curvatures
    inside = (data["growth"] <= 1).rename(learning_rate="point").drop_vars("point", errors="ignore")
    return xr.Dataset({"upper": upper, "inside": inside}).assign_coords(
        w=("scheme", indicators(data["scheme"].values)),
        S=("batch_size", data["batch_size"].values),
        eta=("point", data["learning_rate"].values),
        N=POPULATION,
        lam=curvatures.mean(),
        s2=curvatures.var(),
    )


def _grid(examples: int, seeds: int) -> Grid:
    return Grid(
        axes={"scheme": tuple(SCHEMES)},
        inner={"batch_size": (1, 4, 16, 64), "learning_rate": (0.03, 0.05, 0.09, 0.12, 0.155, 0.22, 0.3)},
        settings={"examples": examples},
        seeds=seeds,
    )


STUDY = Study(
    name="breakeven.step_size_edge",
    title="Largest learning rate that is stable in mean square on 64 one-dimensional quadratics",
    measure=measure,
    variables={
        "moments": Variable(("seed", "batch_size", "moment"), "1", "mean and mean square of the batches' curvatures"),
        "edge": Variable(("seed", "batch_size"), "1", "learning rate at which the measured growth passes 1"),
        "growth": Variable(("seed", "batch_size", "learning_rate"), "1", "measured growth in one step"),
    },
    grids={"quick": _grid(128_000, 16), "full": _grid(1_280_000, 16), "paper": _grid(6_400_000, 24)},
    checks=(
        Check(
            law="breakeven.step_size_edge",
            observe=edges,
            margin=Margin(
                0.0125,
                "physics",
                "two fifths of the 3 % between the edges with distinct and with independent examples at S = N",
                relative=True,
            ),
        ),
    ),
)
