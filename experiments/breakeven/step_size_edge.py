"""The largest stable learning rate, bracketed by real steps: no moment of the curvatures is formed."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from experiments.breakeven.sampling import SCHEMES, indicators, seen
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
    """Growth of the mean squared distance in one step, and the learning rate at which it crosses 1.

    The batches hold `examples` drawn examples in all, whatever the batch size.
    """
    del data
    sampling, system = SCHEMES[scheme], losses()
    edges, factors = [], []
    for random in replicates.generators():
        drawn = [_drawn(sampling.draw, random, int(size), examples) for size in batch_size]
        stepped = [batch_losses(system, batches) for batches in drawn]
        edges.append([_edge(batches) for batches in stepped])
        factors.append([[growth(batches, START, float(rate)) for rate in learning_rate] for batches in stepped])
    return {"edge": np.array(edges), "growth": np.array(factors)}


def _drawn(draw: Sampler, random: np.random.Generator, size: int, examples: int) -> np.ndarray:
    return draw(random, examples // size, POPULATION, size)


def _edge(batches: BatchLosses) -> float:
    """Double a tiny learning rate until a step lets the mean squared distance grow; then close in."""
    inside = 1e-3 / MEAN_CURVATURE
    while growth(batches, START, 2 * inside) < 1:
        inside *= 2
    return crossing(lambda rate: growth(batches, START, rate), inside, 2 * inside)


def edges(data: xr.Dataset) -> xr.Dataset:
    """The edge, and whether each learning rate let the distance shrink."""
    curvatures = losses().curvatures
    inside = seen(data["growth"]).rename(learning_rate="point").drop_vars("point", errors="ignore")
    return xr.Dataset({"upper": data["edge"], "inside": inside}).assign_coords(
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
